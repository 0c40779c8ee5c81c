//! Measurements on the pixels of each face: roll, sharpness, exposure and the top of the hair.
//!
//! All of them work on small sRGB copies, resampled once from the decoded pixels, whatever their layout.

mod hair;
mod light;
mod patch;
mod roll;
mod sharpness;

use patch::Patch;

use geometry::{Face, FaceMeasures, Rect, estimate_head};
use picture::Picture;

/// Height of the face box, in pixels, at which sharpness and exposure are measured: enough to separate a blurred
/// portrait from a sharp one, and available in most photos of screen size.
const FACE_HEIGHT: f32 = 96.0;

/// Measures each of `faces`, detected in `picture`, and stores the result in [`Face::measures`].
///
/// A network trained on upright faces underestimates the tilt of rotated ones. If the pixels show the face's axis more
/// reliably, the landmarks are rotated to it.
///
/// Faces that are unusable or lie outside the decoded pixels get no measures.
pub fn measure_faces(picture: &Picture, faces: &mut [Face]) {
    for face in faces {
        face.measures = None;
        if !face.is_usable() {
            continue;
        }
        roll::align_landmarks(picture, face);
        face.measures = measure(picture, face);
    }
}

fn measure(picture: &Picture, face: &Face) -> Option<FaceMeasures> {
    let scale = FACE_HEIGHT / face.bbox.height;
    let patch = Patch::of(picture, inner(face.bbox), scale)?;
    let light = light::measure(&patch);
    // Half a pixel of tolerance: boxes have fractions.
    let enough = face.bbox.height / picture.place.reduction.max(1) as f32 >= FACE_HEIGHT - 0.5;
    let sharpness = if enough { sharpness::measure(&patch) } else { None };
    let estimate = estimate_head(&Face { head: None, ..*face });
    let eyes_to_hair = if estimate.doubt.is_none() { hair::top(picture, &estimate.head) } else { None };
    Some(FaceMeasures {
        sharpness,
        lightness: light.lightness,
        underexposed: light.underexposed,
        overexposed: light.overexposed,
        eyes_to_hair,
    })
}

/// The part of a face box that shows skin, eyes and mouth rather than hair, collar or background.
fn inner(bbox: Rect) -> Rect {
    Rect::new(bbox.x + bbox.width * 0.1, bbox.y + bbox.height * 0.15, bbox.width * 0.8, bbox.height * 0.8)
}

#[cfg(test)]
mod tests;
