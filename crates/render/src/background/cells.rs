//! The grid of cells on which a person is cut out.

use geometry::{Size, Transform};
use outcome::{Channels, PersonMask};

use crate::rotated::scale_of;
use crate::sample::{Sample, read};

/// Cells per mask pixel along each axis, unless a crop pixel is larger. More cells are slower and show hardly more.
const PER_MASK_PIXEL: f64 = 1.5;

/// Maximum samples of the mask per cell along each axis, for crops much smaller than the mask.
const MAX_MASK_SAMPLES: u32 = 8;

/// Maximum radius of a filter in cells, for masks coarser than the crop.
const MAX_RADIUS: f32 = 32.0;

/// A grid of square cells of whole pixels over a crop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Side of a cell in pixels.
    pub(super) step: usize,
    /// Cells per mask pixel along each axis.
    per_mask_pixel: f32,
}

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// The contents of the cells in a window, in rows.
pub(super) struct Cells {
    pub(super) window: Window,
    /// Red, green, blue and alpha, not premultiplied; grey is in the first channel.
    pub(super) colours: Vec<[f32; 4]>,
    /// The mask, 0 to 1.
    pub(super) person: Vec<f32>,
}

impl Grid {
    /// The grid of a crop of `size` pixels.
    pub(super) fn new(size: Size, mask_from_pixels: &Transform) -> Self {
        let pixels_per_mask_pixel = 1.0 / scale_of(mask_from_pixels);
        let longest = f64::from(size.long_side().max(1));
        // Casting turns NaN into 0.
        let step = ((pixels_per_mask_pixel / PER_MASK_PIXEL).round().min(longest) as usize).max(1);
        let cells = |length: u32| (length as usize).div_ceil(step);
        let per_mask_pixel = (pixels_per_mask_pixel / step as f64) as f32;
        Self { columns: cells(size.width), rows: cells(size.height), step, per_mask_pixel }
    }

    /// A radius of `mask_pixels` in cells, at least 1.
    pub(super) fn radius(&self, mask_pixels: f32) -> usize {
        (mask_pixels * self.per_mask_pixel).round().clamp(1.0, MAX_RADIUS) as usize
    }

    /// The window of at most `side` cells along each axis from `left`, `top`.
    pub(super) fn window(&self, left: usize, top: usize, side: usize) -> Window {
        Window { left, top, width: side.min(self.columns - left), height: side.min(self.rows - top) }
    }

    /// `core` grown by `margin` cells on every side, within the grid.
    pub(super) fn grown(&self, core: &Window, margin: usize) -> Window {
        let along = |start: usize, length: usize, max: usize| {
            let from = start.saturating_sub(margin);
            (from, (start + length + margin).min(max) - from)
        };
        let ((left, width), (top, height)) =
            (along(core.left, core.width, self.columns), along(core.top, core.height, self.rows));
        Window { left, top, width, height }
    }

    /// The cells around the centre of the pixel `at`, among `length` cells from `first`, and the position between them.
    #[inline(always)]
    pub(super) fn between(&self, at: usize, first: usize, length: usize) -> (usize, usize, f32) {
        let from_first = (at as f32 + 0.5) / self.step as f32 - 0.5 - first as f32;
        let at = from_first.clamp(0.0, (length - 1) as f32);
        let before = at as usize;
        (before, (before + 1).min(length - 1), at - before as f32)
    }

    /// The mean of the mask in each cell of `window`.
    pub(super) fn person(&self, window: &Window, mask: &PersonMask, mask_from_pixels: &Transform) -> Vec<f32> {
        let step = self.step as f64;
        let samples = ((scale_of(mask_from_pixels) * step).ceil() as u32).clamp(1, MAX_MASK_SAMPLES);
        let [[a, b, c], [d, e, f]] = mask_from_pixels.rows();
        let mut person = Vec::with_capacity(window.width * window.height);
        for y in window.top..window.top + window.height {
            for x in window.left..window.left + window.width {
                let mut sum = 0.0;
                for at in 0..samples * samples {
                    let [across, down] =
                        [at % samples, at / samples].map(|at| (f64::from(at) + 0.5) / f64::from(samples));
                    let (x, y) = ((x as f64 + across) * step, (y as f64 + down) * step);
                    sum += mask.at((a * x + b * y + c) as f32, (d * x + e * y + f) as f32);
                }
                person.push(sum / (samples * samples) as f32);
            }
        }
        person
    }
}

impl Cells {
    /// Averages the samples of each cell of `window`; the pixels have `channels`, and rows of `width`.
    pub(super) fn gather<T: Sample>(
        samples: &[T],
        (channels, width): (Channels, usize),
        grid: &Grid,
        window: Window,
        person: Vec<f32>,
    ) -> Self {
        let (count, step) = (channels.count(), grid.step);
        let mut sums = vec![([0.0; 4], 0u32); window.width * window.height];
        let rows = samples.chunks_exact(width * count).enumerate();
        for (y, row) in rows.skip(window.top * step).take(window.height * step) {
            let start = (y / step - window.top) * window.width;
            let cells = &mut sums[start..start + window.width];
            let groups = row[window.left * step * count..].chunks(step * count);
            for ((sum, pixels), group) in cells.iter_mut().zip(groups) {
                for pixel in group.chunks_exact(count) {
                    let pixel = read(pixel, channels);
                    sum.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += value);
                    *pixels += 1;
                }
            }
        }
        let mean = |([red, green, blue, alpha], pixels): ([f32; 4], u32)| {
            let scale = if alpha > 0.0 { 1.0 / alpha } else { 0.0 };
            [red * scale, green * scale, blue * scale, alpha / pixels.max(1) as f32]
        };
        Self { window, colours: sums.into_iter().map(mean).collect(), person }
    }
}
