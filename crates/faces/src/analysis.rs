//! Landmarks, eyelids and person masks of faces that are already found.
//!
//! Each model has one session, opened when it is first needed. A model that cannot be used is reported as a
//! [`FaceModelFault`]; the faces then keep what the detector found.

mod background;
mod cover;
mod cut;
mod eyes;
mod grid;
mod hair;
mod mesh;
mod models;
mod probe;
mod skin;

pub use models::{FaceModels, OpenFaceModel, open_face_model};
pub use probe::face_model_input;

use geometry::{Face, Head, MaskMeasures, RotatedSquare, estimate_head};
use outcome::{FaceModelFault, PersonMask};
use picture::Picture;
use recipe::ModelKind;

use crate::measure::patch::Patch;
use mesh::longer_side;

/// Minimum length of the longer side of a face box in pixels for the landmarks of its mesh: a head of 30 pixels.
const MIN_MESH_SIDE: f32 = 24.0;
/// Score of a doubtful face that its landmarks confirm: from here on the detector is sure by itself.
const CONFIRMED_SCORE: f32 = 0.75;
/// Side of the part of the image that the person mask of a head shows, in multiples of the head's height: with 3.2 the
/// model includes people behind the head.
const MASK_SIDE: f32 = 2.0;
/// Side of the person mask in pixels.
pub const MASK_PIXELS: u32 = 256;

/// Measures the landmarks of each of `faces`, found in `picture`, and stores them in [`Face::mesh`]. A doubtful face that its
/// landmarks confirm gets a higher score; no score is lowered.
///
/// # Errors
/// A model cannot be used. Without the eyelid model, the faces have landmarks, but the state of their eyes is unknown.
pub(crate) fn measure_landmarks(
    models: &mut FaceModels,
    picture: &Picture,
    faces: &mut [Face],
) -> Result<(), FaceModelFault> {
    let mut eyelid_fault = None;
    for face in faces.iter_mut().filter(|face| face.is_usable()) {
        face.mesh = None;
        if longer_side(face) < MIN_MESH_SIDE {
            continue;
        }
        let Some(patch) = mesh::patch_around(picture, face) else { continue };
        let Some(found) = mesh::fit(models, &patch, face)? else { continue };
        let decoded = longer_side(face) / picture.place.reduction.max(1) as f32;
        if face.score < CONFIRMED_SCORE && mesh::confirms(&found, face) {
            face.score = CONFIRMED_SCORE;
        }
        let eyes = eyes::measure(models, &patch, &found, (picture.size(), decoded)).unwrap_or_else(|fault| {
            eyelid_fault = Some(fault);
            eyes::Eyes::unknown(&found)
        });
        mesh::apply(face, &found, &eyes, decoded);
    }
    eyelid_fault.map_or(Ok(()), Err)
}

fn mask_square(head: &Head) -> RotatedSquare {
    RotatedSquare { center: head.eyes, side: head.height() * MASK_SIDE, angle: head.roll }
}

/// Makes the person mask of `square` in `picture`. `None` if nothing of it was decoded.
///
/// # Errors
/// The model cannot be used.
pub(crate) fn person_mask(
    models: &mut FaceModels,
    picture: &Picture,
    square: &RotatedSquare,
) -> Result<Option<PersonMask>, FaceModelFault> {
    let Some(patch) = Patch::of(picture, square.bounds(), MASK_PIXELS as f32 / square.side) else { return Ok(None) };
    let image_from_mask = square.image_from_cut(MASK_PIXELS);
    let samples = cut::sample(&patch, &image_from_mask, MASK_PIXELS, false);
    let outputs = models.run(ModelKind::Person, |input| cut::fill(input, &samples))?;
    let values = outputs.get("person").map_or(&[][..], |output| &output.values);
    let values = values.iter().map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8).collect();
    Ok(PersonMask::new(MASK_PIXELS, values, image_from_mask))
}

/// Makes the person mask of the faces at `which` and stores its measurements in [`Face::mask`]; those of the background only if
/// asked.
///
/// # Errors
/// The model cannot be used.
pub(crate) fn measure_masks(
    models: &mut FaceModels,
    picture: &Picture,
    faces: &mut [Face],
    which: &[usize],
    with_background: bool,
) -> Result<(), FaceModelFault> {
    for &index in which {
        let Some(face) = faces.get(index).filter(|face| face.is_usable()) else { continue };
        // The head without the hair: the mask itself must not depend on an earlier one.
        let head = estimate_head(&Face { head: None, mask: None, ..*face }).head;
        if !head.is_usable() {
            continue;
        }
        let Some(mask) = person_mask(models, picture, &mask_square(&head))? else { continue };
        let others: Vec<Face> =
            faces.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, face)| *face).collect();
        let hair = hair::top(&mask, &head, &faces[index], picture.size(), &others);
        let background = with_background.then(|| background::measure(picture, &mask, &head)).flatten();
        faces[index].mask = Some(MaskMeasures { hair, background });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
