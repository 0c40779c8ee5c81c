//! The colours of the person and of the old background in pixels that show both.
//!
//! Blur fusion (Forte, "Approximate Fast Foreground Colour Estimation", 2021): both are means of the colours around a
//! pixel, weighted by the share of each; the person's colour is corrected so that the mixture is the colour of the
//! pixel. Two rounds, the second with a smaller radius.

use super::box_sum::box_sum;
use super::cells::{Cells, Grid};
use super::matte::Matte;

/// Radius in mask pixels of the means of both rounds. The first must reach cells that show the person alone.
const RADII: [f32; 2] = [4.0, 1.0];

/// Weight of a cell that shows nothing of a layer: keeps the means defined.
const MIN_WEIGHT: f32 = 1e-3;

/// The mean colours of the person and of the background, three channels and a weight each.
pub(super) type Layers = [f32; 8];

/// Cells beyond a window on which its result depends.
pub(super) fn margin(grid: &Grid) -> usize {
    RADII.into_iter().map(|radius| grid.radius(radius)).sum()
}

/// The mean colours around each cell.
pub(super) fn layers(cells: &Cells, matte: &Matte, grid: &Grid) -> Vec<Layers> {
    let shares = matte.shares(cells);
    let mut layers: Vec<Layers> = cells.colours.iter().map(|&[r, g, b, _]| [r, g, b, 0.0, r, g, b, 0.0]).collect();
    for (round, radius) in RADII.into_iter().enumerate() {
        for ((layers, colour), share) in layers.iter_mut().zip(&cells.colours).zip(&shares) {
            let [red, green, blue, alpha] = *colour;
            if round > 0 {
                let person = person(layers, [red, green, blue], *share);
                layers[..3].copy_from_slice(&person);
            }
            let (person, rest) = (share * alpha + MIN_WEIGHT, (1.0 - share) * alpha + MIN_WEIGHT);
            (layers[3], layers[7]) = (1.0, 1.0);
            layers[..4].iter_mut().for_each(|value| *value *= person);
            layers[4..].iter_mut().for_each(|value| *value *= rest);
        }
        box_sum(&mut layers, cells.window.width, grid.radius(radius));
        for layers in &mut layers {
            let (person, rest) = (1.0 / layers[3].max(MIN_WEIGHT), 1.0 / layers[7].max(MIN_WEIGHT));
            layers[..4].iter_mut().for_each(|value| *value *= person);
            layers[4..].iter_mut().for_each(|value| *value *= rest);
        }
    }
    layers
}

/// The colour of the person in a pixel of this colour that shows `share` of a person.
#[inline(always)]
pub(super) fn person(layers: &Layers, colour: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|at| {
        let (person, rest) = (layers[at], layers[at + 4]);
        (person + share * (colour[at] - share * person - (1.0 - share) * rest)).clamp(0.0, 1.0)
    })
}
