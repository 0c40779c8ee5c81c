//! Measurements on the pixels of each face: sharpness and exposure.
//!
//! All of them work on small sRGB copies, resampled once from the decoded pixels, whatever their layout.

mod light;
pub(crate) mod patch;
mod sharpness;

use patch::Patch;

use geometry::{Face, FaceMeasures, Rect};
use picture::Picture;

/// Height of the face box, in pixels, at which sharpness and exposure are measured: enough to separate a blurred
/// portrait from a sharp one, and available in most photos of screen size.
const FACE_HEIGHT: f32 = 96.0;

/// Measures each of `faces`, detected in `picture`, and stores the result in [`Face::measures`].
///
/// Faces that are unusable or lie outside the decoded pixels get no measures.
pub fn measure_faces(picture: &Picture, faces: &mut [Face]) {
    for face in faces {
        face.measures = if face.is_usable() { measure(picture, face) } else { None };
    }
}

fn measure(picture: &Picture, face: &Face) -> Option<FaceMeasures> {
    let scale = FACE_HEIGHT / face.bbox.height;
    let patch = Patch::of(picture, inner(face.bbox), scale)?;
    let light = light::measure(&patch);
    // Half a pixel of tolerance: boxes have fractions.
    let enough = face.bbox.height / picture.place.reduction.max(1) as f32 >= FACE_HEIGHT - 0.5;
    let sharpness = if enough { sharpness::measure(&patch) } else { None };
    Some(FaceMeasures {
        sharpness,
        lightness: light.lightness,
        underexposed: light.underexposed,
        overexposed: light.overexposed,
    })
}

/// The part of a face box that shows skin, eyes and mouth rather than hair, collar or background.
fn inner(bbox: Rect) -> Rect {
    Rect::new(bbox.x + bbox.width * 0.1, bbox.y + bbox.height * 0.15, bbox.width * 0.8, bbox.height * 0.8)
}

#[cfg(test)]
mod tests;
