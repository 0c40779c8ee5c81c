//! Inputs of the models that describe faces, for tests of a runtime.

use geometry::{Point, RotatedSquare, Size};
use picture::Picture;

use super::cut;
use crate::InputTensor;
use crate::measure::patch::Patch;

/// A square part of `picture` as the input, `pixels` x `pixels`, of a model that describes faces: around `center`, `side`
/// pixels wide, rotated clockwise by `roll` degrees. `None` if nothing of it was decoded.
pub fn face_model_input(picture: &Picture, center: Point, side: f32, roll: f32, pixels: u32) -> Option<InputTensor> {
    let square = RotatedSquare { center, side, angle: roll };
    let patch = Patch::of(picture, square.bounds(), pixels as f32 / side)?;
    let mut input = InputTensor::new(Size::new(pixels, pixels));
    cut::fill(&mut input, &cut::sample(&patch, &square.image_from_cut(pixels), pixels, false));
    Some(input)
}
