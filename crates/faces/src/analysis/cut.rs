//! Squares cut from an image as the input of a model.

use geometry::Transform;

use crate::InputTensor;
use crate::measure::patch::Patch;

/// Red, green and blue, 0 to 255, and 0, of the pixels of a cut of `pixels` x `pixels`, row by row; outside the patch its edge is repeated.
/// `mirrored` swaps left and right.
pub(super) fn sample(patch: &Patch, image_from_cut: &Transform, pixels: u32, mirrored: bool) -> Vec<[f32; 4]> {
    let patch_from_cut = image_from_cut.then(&patch.patch_from_image());
    let [[a, b, c], [d, e, f]] = patch_from_cut.rows().map(|row| row.map(|value| value as f32));
    let mut samples = Vec::with_capacity((pixels * pixels) as usize);
    for row in 0..pixels {
        for column in 0..pixels {
            let across = if mirrored { pixels - 1 - column } else { column };
            let (x, y) = (across as f32 + 0.5, row as f32 + 0.5);
            samples.push(patch.between(a * x + b * y + c, d * x + e * y + f));
        }
    }
    samples
}

/// Fills `input` with the samples of a cut, 0 to 1.
pub(super) fn fill(input: &mut InputTensor, samples: &[[f32; 4]]) {
    let Some(values) = input.values_mut() else { return };
    let plane = values.len() / 3;
    for (channel, values) in values.chunks_exact_mut(plane.max(1)).enumerate() {
        for (value, pixel) in values.iter_mut().zip(samples) {
            *value = pixel[channel] / 255.0;
        }
    }
}
