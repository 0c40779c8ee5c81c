//! A small square image in CIE L*, a*, b*, and linear gradients of its lightness.

use super::skin::{linear, median};

/// A square of pixels in rows from top to bottom.
pub(super) struct Grid {
    pub(super) side: usize,
    pub(super) lab: Vec<[f32; 3]>,
}

/// Weights of a Gaussian with a standard deviation of 0.8 pixels: the middle, and one and two pixels beside it.
const FINE: [f32; 3] = [0.490, 0.224, 0.0215];
/// The same for 1.5 pixels, up to four pixels.
const COARSE: [f32; 5] = [0.267, 0.2138, 0.1097, 0.0361, 0.0076];

impl Grid {
    /// A grid of sRGB colours, 0 to 255, slightly blurred against noise.
    pub(super) fn of_colours(rgb: &[[f32; 4]], side: usize) -> Self {
        let rgb: Vec<[f32; 3]> = rgb.iter().map(|&[red, green, blue, _]| [red, green, blue]).collect();
        let lab = blurred(&rgb, side, &FINE).into_iter().map(lab).collect();
        Self { side, lab }
    }

    /// The same with a blurred lightness.
    pub(super) fn blurred_lightness(&self) -> Self {
        Self { side: self.side, lab: blurred(&self.lab, self.side, &COARSE) }
    }

    /// The larger difference of L* from the pixel on the left and the one above.
    pub(super) fn step(&self, index: usize) -> f32 {
        let (x, y) = (index % self.side, index / self.side);
        let from = |other: usize| (self.lab[index][0] - self.lab[other][0]).abs();
        let left = if x > 0 { from(index - 1) } else { 0.0 };
        let above = if y > 0 { from(index - self.side) } else { 0.0 };
        left.max(above)
    }

    /// Position of a pixel, -1 to 1 in each direction.
    fn place(&self, index: usize) -> [f32; 2] {
        let half = self.side as f32 / 2.0;
        [index % self.side, index / self.side].map(|at| (at as f32 + 0.5 - half) / half)
    }
}

fn blurred(pixels: &[[f32; 3]], side: usize, weights: &[f32]) -> Vec<[f32; 3]> {
    let reach = weights.len() - 1;
    let mut across = Vec::with_capacity(pixels.len());
    let mut padded = vec![[0.0; 3]; side + 2 * reach];
    for row in pixels.chunks_exact(side) {
        padded[..reach].fill(row[0]);
        padded[reach..][..side].copy_from_slice(row);
        padded[reach + side..].fill(row[side - 1]);
        let beside = |by: usize| [&padded[reach - by..][..side], &padded[reach + by..][..side]];
        weighted(&mut across, row, weights, beside);
    }
    let mut both = Vec::with_capacity(pixels.len());
    let row = |y: usize| &across[y * side..][..side];
    for y in 0..pixels.len() / side {
        weighted(&mut both, row(y), weights, |by| [row(y.saturating_sub(by)), row((y + by).min(side - 1))]);
    }
    both
}

/// Appends a row to `sums`: the weighted sum of `row` and of the rows that `beside` has for each distance.
fn weighted<'a>(
    sums: &mut Vec<[f32; 3]>,
    row: &[[f32; 3]],
    weights: &[f32],
    beside: impl Fn(usize) -> [&'a [[f32; 3]]; 2],
) {
    let first = sums.len();
    sums.extend(row.iter().map(|pixel| pixel.map(|value| value * weights[0])));
    for (by, weight) in weights.iter().enumerate().skip(1) {
        for other in beside(by) {
            for (sum, value) in sums[first..].as_flattened_mut().iter_mut().zip(other.as_flattened()) {
                *sum += value * weight;
            }
        }
    }
}

/// CIE L*, a*, b* (D65) of an sRGB colour, 0 to 255.
fn lab(rgb: [f32; 3]) -> [f32; 3] {
    let [red, green, blue] = rgb.map(linear);
    let x = (0.412_46 * red + 0.357_58 * green + 0.180_44 * blue) / 0.950_47;
    let y = 0.212_67 * red + 0.715_16 * green + 0.072_17 * blue;
    let z = (0.019_33 * red + 0.119_19 * green + 0.950_30 * blue) / 1.088_83;
    let root = |value: f32| if value > 0.008_856 { value.cbrt() } else { 7.787 * value + 16.0 / 116.0 };
    let [x, y, z] = [x, y, z].map(root);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// L* as a linear gradient.
pub(super) struct Plane {
    /// At the middle of the grid, and its slopes to the right and downwards.
    coefficients: [f32; 3],
}

impl Plane {
    /// The same L* everywhere.
    pub(super) const fn level(lightness: f32) -> Self {
        Self { coefficients: [lightness, 0.0, 0.0] }
    }

    /// The gradient of the pixels in `part`, by least squares in three rounds, each without the outliers of the one before.
    pub(super) fn fit(grid: &Grid, part: &[bool]) -> Self {
        let mut used: Vec<usize> = (0..part.len()).filter(|index| part[*index]).collect();
        let mut plane = Self::level(median(used.iter().map(|index| grid.lab[*index][0]).collect()));
        for _ in 0..3 {
            plane = Self::least_squares(grid, &used).unwrap_or(plane);
            let off = |index: &usize| plane.residual(grid, *index).abs();
            let spread = (1.4826 * median(used.iter().map(off).collect())).max(0.5);
            used = (0..part.len()).filter(|index| part[*index] && off(index) < 2.5 * spread).collect();
        }
        plane
    }

    fn least_squares(grid: &Grid, used: &[usize]) -> Option<Self> {
        let count = used.len() as f64;
        let sample = |index: &usize| {
            let [x, y] = grid.place(*index);
            [x, y, grid.lab[*index][0]].map(f64::from)
        };
        let mut sums = [0.0; 3];
        used.iter().map(sample).for_each(|sample| sums.iter_mut().zip(sample).for_each(|(sum, value)| *sum += value));
        let [mean_x, mean_y, mean_l] = sums.map(|sum| sum / count);
        let (mut xx, mut xy, mut yy, mut xl, mut yl) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for [x, y, l] in used.iter().map(sample) {
            let (x, y, l) = (x - mean_x, y - mean_y, l - mean_l);
            xx += x * x;
            xy += x * y;
            yy += y * y;
            xl += x * l;
            yl += y * l;
        }
        let det = xx * yy - xy * xy;
        if count < 16.0 || det <= 1e-6 {
            return None;
        }
        let (right, down) = ((xl * yy - yl * xy) / det, (yl * xx - xl * xy) / det);
        Some(Self { coefficients: [(mean_l - right * mean_x - down * mean_y) as f32, right as f32, down as f32] })
    }

    /// L* of a pixel minus that of the gradient.
    pub(super) fn residual(&self, grid: &Grid, index: usize) -> f32 {
        let ([level, right, down], [x, y]) = (self.coefficients, grid.place(index));
        grid.lab[index][0] - (level + right * x + down * y)
    }

    /// The residuals of the pixels in `part`.
    pub(super) fn residuals(&self, grid: &Grid, part: &[bool]) -> Vec<f32> {
        (0..part.len()).filter(|index| part[*index]).map(|index| self.residual(grid, index)).collect()
    }
}
