//! Sharpness of a face.

use super::patch::Patch;

/// Differences between neighbours (of the logarithm) below this are noise or JPEG artefacts.
const NOISE: f32 = 0.01;

/// Share of the differences that blurring removes from a face in focus, downsampled from many more pixels: portraits
/// have 0.52 to 0.60. Blurred by a Gaussian of 1 % of the face's height they have 0.36, of 2 % 0.14, of 5 % 0.01.
const LOST_IN_FOCUS: f32 = 0.6;

/// Sharpness, 0 to 1; `None` if the face has no structure to measure.
///
/// After Crete et al. (The Blur Effect, SPIE 2007): blurring removes much of the differences between neighbours from a
/// sharp image, and little from a blurred one. As a share of logarithms, the measure does not depend on contrast and
/// exposure.
pub(super) fn measure(patch: &Patch) -> Option<f32> {
    let luma = patch.log_luma();
    let (width, height) = (luma.size().width as usize, luma.size().height as usize);
    let (across, down) = (Steps { next: 1, line: width }, Steps { next: width, line: 1 });
    let (mut before, mut lost) = (0.0, 0.0);
    for (steps, lines, length) in [(across, height, width), (down, width, height)] {
        for line in 0..lines {
            let at = |index: usize| luma.values()[line * steps.line + index * steps.next];
            let (line_before, line_lost) = along(at, length);
            before += line_before;
            lost += line_lost;
        }
    }
    if before <= 0.0 {
        return None;
    }
    Some((lost / before / LOST_IN_FOCUS).clamp(0.0, 1.0))
}

#[derive(Clone, Copy)]
struct Steps {
    next: usize,
    line: usize,
}

/// Half width of the box filter, without its center pixel.
const REACH: usize = 3;

/// The sum of the differences along a line, and the part of it that blurring removes.
fn along(at: impl Fn(usize) -> f32, length: usize) -> (f32, f32) {
    let blurred = |index: usize| {
        let sum: f32 = (index - REACH..=index + REACH).map(&at).sum();
        sum / (2 * REACH + 1) as f32
    };
    let (mut before, mut lost) = (0.0, 0.0);
    for index in REACH + 1..length.saturating_sub(REACH) {
        let difference = (at(index) - at(index - 1)).abs() - NOISE;
        if difference > 0.0 {
            before += difference;
            lost += (difference - (blurred(index) - blurred(index - 1)).abs()).max(0.0);
        }
    }
    (before, lost)
}
