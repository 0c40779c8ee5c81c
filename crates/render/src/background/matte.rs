//! Refinement of a mask with the colours of the crop.
//!
//! A guided filter (He, Sun and Tang, "Guided Image Filtering", 2013; on a coarser grid: He and Sun, "Fast Guided
//! Filter", 2015): in every window, the mask is fitted by a linear function of the colour, and each pixel gets the mean
//! of the functions of the windows around it. Two changes, since the edge of the mask may be off by a mask pixel or two:
//! cells near the edge weigh less in the fit, and the result is fitted again.

use super::box_sum::box_sum;
use super::cells::{Cells, Grid};

/// Radius of a window in mask pixels. Smaller windows lose strands of hair, larger ones catch objects behind the person.
const RADIUS: f32 = 3.0;

/// Passes of the filter.
const PASSES: usize = 2;

/// Radius in mask pixels of the mean that shows how close the edge of the mask is.
const NEAR_RADIUS: f32 = 3.0;

/// Weight of a cell on the edge of the mask; 1 elsewhere.
const MIN_WEIGHT: f32 = 0.1;

/// Regularization of the fit: the variance of samples of 0 to 1 below which colours are not used; 1 % of contrast.
const EPSILON: f32 = 1e-4;

/// Values of the fit that become 0 and 1.
const FITTED: [f32; 2] = [0.1, 0.9];

/// Means of the mask nearby at which the share of a person is 0 and may be 1: no strands far outside the mask.
const AT_MOST: [f32; 2] = [0.02, 0.25];

/// Means of the mask nearby at which the share of a person may be 0 and is 1: no holes far inside the mask.
const AT_LEAST: [f32; 2] = [0.75, 0.98];

/// A linear function of the colour: three factors and a constant.
pub(super) type Fit = [f32; 4];

/// The refined mask of the cells in a window.
pub(super) struct Matte {
    pub(super) fits: Vec<Fit>,
    /// The mean of the mask around each cell.
    pub(super) near: Vec<f32>,
}

impl Matte {
    /// Cells beyond a window on which its result depends.
    pub(super) fn margin(grid: &Grid) -> usize {
        PASSES * (2 * grid.radius(RADIUS) + grid.radius(NEAR_RADIUS))
    }

    /// Refines the mask of `cells`.
    pub(super) fn of(cells: &Cells, grid: &Grid) -> Self {
        let near = near(&cells.person, cells.window.width, grid);
        let mut matte = Self { fits: fits(cells, &cells.person, &near, grid), near };
        for _ in 1..PASSES {
            let person = matte.shares(cells);
            let near = self::near(&person, cells.window.width, grid);
            matte.fits = fits(cells, &person, &near, grid);
        }
        matte
    }

    /// The share of a person in each cell.
    pub(super) fn shares(&self, cells: &Cells) -> Vec<f32> {
        let fits = self.fits.iter().zip(&self.near);
        fits.zip(&cells.colours).map(|((fit, near), [r, g, b, _])| share(fit, *near, [*r, *g, *b])).collect()
    }
}

/// The share of a person, 0 to 1, in a pixel of this colour; `near` is the mean of the mask around it.
#[inline(always)]
pub(super) fn share(fit: &Fit, near: f32, colour: [f32; 3]) -> f32 {
    let fitted = fit[0] * colour[0] + fit[1] * colour[1] + fit[2] * colour[2] + fit[3];
    let ramp = |value: f32, [none, all]: [f32; 2]| ((value - none) / (all - none)).clamp(0.0, 1.0);
    ramp(fitted, FITTED).min(ramp(near, AT_MOST)).max(ramp(near, AT_LEAST))
}

/// True for the person and false for the background if the mean of the mask nearby alone decides.
#[inline(always)]
pub(super) fn decided(near: f32) -> Option<bool> {
    if near <= AT_MOST[0] {
        Some(false)
    } else if near >= AT_LEAST[1] {
        Some(true)
    } else {
        None
    }
}

/// The mean of `person` around each cell.
fn near(person: &[f32], width: usize, grid: &Grid) -> Vec<f32> {
    let mut sums: Vec<[f32; 2]> = person.iter().map(|person| [*person, 1.0]).collect();
    box_sum(&mut sums, width, grid.radius(NEAR_RADIUS));
    sums.iter().map(|[sum, count]| sum / count).collect()
}

/// The mean fit of `person` in the windows around each cell.
fn fits(cells: &Cells, person: &[f32], near: &[f32], grid: &Grid) -> Vec<Fit> {
    let (width, radius) = (cells.window.width, grid.radius(RADIUS));
    let weights = near.iter().map(|near| MIN_WEIGHT + (1.0 - MIN_WEIGHT) * (2.0 * near - 1.0).powi(2));
    let cells = cells.colours.iter().zip(person).zip(weights);
    let mut sums: Vec<_> = cells.map(|((colour, person), weight)| moments(colour, *person, weight)).collect();
    box_sum(&mut sums, width, radius);
    let counted = |[red, green, blue, constant]: Fit| [red, green, blue, constant, 1.0];
    let mut fits: Vec<[f32; 5]> = sums.iter().map(|sums| counted(fitted(sums))).collect();
    box_sum(&mut fits, width, radius);
    fits.iter()
        .map(|&[red, green, blue, constant, count]| [red, green, blue, constant].map(|sum| sum / count))
        .collect()
}

/// The weighted moments of colour and mask: the weight, the means, colour x mask, and colour x colour; two are unused.
fn moments(&[red, green, blue, alpha]: &[f32; 4], person: f32, weight: f32) -> [f32; 16] {
    // Transparent cells have no colour.
    let weight = weight * alpha.max(1e-3);
    let [r, g, b, p] = [red, green, blue, person].map(|value| value * weight);
    let with_mask = [red * p, green * p, blue * p];
    let with_colour = [red * r, red * g, red * b, green * g, green * b, blue * b];
    let mut moments = [weight, r, g, b, p, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    moments[5..8].copy_from_slice(&with_mask);
    moments[8..14].copy_from_slice(&with_colour);
    moments
}

/// The fit to sums of [`moments`].
fn fitted(sums: &[f32; 16]) -> Fit {
    let scale = 1.0 / sums[0].max(1e-4);
    let [_, r, g, b, p, rp, gp, bp, rr, rg, rb, gg, gb, bb, ..] = sums.map(|sum| sum * scale);
    let (rp, gp, bp) = (rp - r * p, gp - g * p, bp - b * p);
    let [rr, gg, bb] = [rr - r * r, gg - g * g, bb - b * b].map(|variance| variance.max(0.0) + EPSILON);
    let (rg, rb, gb) = (rg - r * g, rb - r * b, gb - g * b);
    // The inverse of a symmetric matrix by its cofactors. The determinant is at least the cube of epsilon.
    let (c00, c01, c02) = (gg * bb - gb * gb, rb * gb - rg * bb, rg * gb - rb * gg);
    let (c11, c12, c22) = (rr * bb - rb * rb, rg * rb - rr * gb, rr * gg - rg * rg);
    let determinant = (rr * c00 + rg * c01 + rb * c02).max(EPSILON.powi(3));
    let [x, y, z] = [c00 * rp + c01 * gp + c02 * bp, c01 * rp + c11 * gp + c12 * bp, c02 * rp + c12 * gp + c22 * bp]
        .map(|factor| factor / determinant);
    [x, y, z, p - x * r - y * g - z * b]
}
