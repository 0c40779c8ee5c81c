//! What the pixels of faces show: how the head is turned, sharpness, light, the top of the hair.
//!
//! Everything is measured on small copies in sRGB, each made once from the pixels at hand, whatever their layout.

mod hair;
mod light;
mod patch;
mod roll;
mod sharpness;

use patch::Patch;

use geometry::{Face, FaceMeasures, Rect, estimate_head};
use picture::Picture;

/// Height of the face's box, in pixels, at which sharpness and light are measured: enough to tell a soft portrait from a
/// sharp one, and there in most photos that have the size of a screen.
const FACE_HEIGHT: f32 = 96.0;

/// Measures each of `faces`, found in `picture`, from the pixels at hand.
///
/// A network that has learned from upright faces gives tilted ones with less than their tilt. Where the pixels tell better,
/// the landmarks are turned to the face's own axis.
///
/// Faces that are not usable, or of which nothing is here, are left without measures.
pub fn measure_faces(picture: &Picture, faces: &mut [Face]) {
    for face in faces {
        face.measures = None;
        if !face.is_usable() {
            continue;
        }
        roll::turn_landmarks(picture, face);
        face.measures = measure(picture, face);
    }
}

fn measure(picture: &Picture, face: &Face) -> Option<FaceMeasures> {
    let scale = FACE_HEIGHT / face.bbox.height;
    let patch = Patch::of(picture, inner(face.bbox), scale)?;
    let light = light::of(&patch);
    // Half a pixel of tolerance: boxes have fractions.
    let enough = face.bbox.height / picture.place.reduction.max(1) as f32 >= FACE_HEIGHT - 0.5;
    let sharpness = if enough { sharpness::of(&patch) } else { None };
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

/// The part of a face's box that shows skin, eyes and mouth rather than hair, collar or background.
fn inner(bbox: Rect) -> Rect {
    Rect::new(bbox.x + bbox.width * 0.1, bbox.y + bbox.height * 0.15, bbox.width * 0.8, bbox.height * 0.8)
}

#[cfg(test)]
mod tests;
