//! Cutting out, tile by tile.

use geometry::{Size, Transform};
use outcome::{Channels, PersonMask};

use super::cells::{Cells, Grid, Window};
use super::colours::{self, Layers};
use super::matte::{Matte, decided, share};
use crate::sample::Sample;

/// Cells per tile along each axis, without the surrounding cells that the filters need. A tile takes about 25 MB.
const TILE: usize = 256;

/// A fit, the colours of both layers, and the mean of the mask nearby.
type Blend = [f32; 13];

/// The lane of the mean of the mask nearby.
const NEAR: usize = 12;

/// Pixels to cut out, and the mask.
pub(super) struct CutOut<'a> {
    pub(super) mask: &'a PersonMask,
    pub(super) mask_from_pixels: Transform,
    pub(super) size: Size,
    pub(super) channels: Channels,
}

impl CutOut<'_> {
    /// The samples `from` with alpha added, if there is none, that keeps the person.
    pub(super) fn samples<T: Sample>(&self, from: &[T]) -> Vec<T> {
        let grid = Grid::new(self.size, &self.mask_from_pixels);
        let count = self.channels.without_alpha().count() + 1;
        let mut to = vec![T::default(); self.size.pixels() as usize * count];
        for top in (0..grid.rows).step_by(TILE) {
            for left in (0..grid.columns).step_by(TILE) {
                self.tile(from, &mut to, &grid, &grid.window(left, top, TILE));
            }
        }
        to
    }

    /// Cuts out the pixels of the cells in `core`.
    fn tile<T: Sample>(&self, from: &[T], to: &mut [T], grid: &Grid, core: &Window) {
        let window = grid.grown(core, Matte::margin(grid) + colours::margin(grid) + 1);
        let person = grid.person(&window, self.mask, &self.mask_from_pixels);
        let width = self.size.width as usize;
        let cells = Cells::gather(from, (self.channels, width), grid, window, person);
        let matte = Matte::of(&cells, grid);
        let layers = colours::layers(&cells, &matte, grid);
        let pixels =
            |start: usize, length: usize, max: u32| start * grid.step..((start + length) * grid.step).min(max as usize);
        let columns = pixels(core.left, core.width, self.size.width);
        let (count, count_to) = (self.channels.count(), self.channels.without_alpha().count() + 1);
        let mut blends = vec![[0.0; 13]; window.width];
        for y in pixels(core.top, core.height, self.size.height) {
            let (above, below, down) = grid.between(y, window.top, window.height);
            for (x, blend) in blends.iter_mut().enumerate() {
                let [above, below] = [above, below].map(|row| blend_of(&matte, &layers, row * window.width + x));
                *blend = mixed(&above, &below, down);
            }
            let (start, end) = (y * width + columns.start, y * width + columns.end);
            let from = from[start * count..end * count].chunks_exact(count);
            let to = to[start * count_to..end * count_to].chunks_exact_mut(count_to);
            for ((x, from), to) in columns.clone().zip(from).zip(to) {
                let (before, after, across) = grid.between(x, window.left, window.width);
                let (before, after) = (&blends[before], &blends[after]);
                match decided(before[NEAR] + (after[NEAR] - before[NEAR]) * across) {
                    Some(false) => {}
                    Some(true) => keep_pixel(from, to),
                    None => cut_pixel(from, to, &mixed(before, after, across)),
                }
            }
        }
    }
}

fn blend_of(matte: &Matte, layers: &[Layers], cell: usize) -> Blend {
    let ([a, b, c, d], near) = (matte.fits[cell], matte.near[cell]);
    let [r, g, blue, person, old_r, old_g, old_b, rest] = layers[cell];
    [a, b, c, d, r, g, blue, person, old_r, old_g, old_b, rest, near]
}

#[inline(always)]
fn mixed(a: &Blend, b: &Blend, share: f32) -> Blend {
    std::array::from_fn(|lane| a[lane] + (b[lane] - a[lane]) * share)
}

/// Copies a pixel of the person; `to` has one sample more if `from` has no alpha.
#[inline(always)]
fn keep_pixel<T: Sample>(from: &[T], to: &mut [T]) {
    let (shown, alpha) = to.split_at_mut(from.len());
    shown.copy_from_slice(from);
    alpha.fill(T::from_share(1.0));
}

/// Writes a pixel without its background to `to`, whose samples are 0; `to` has one sample more if `from` has no alpha.
#[inline(always)]
fn cut_pixel<T: Sample>(from: &[T], to: &mut [T], blend: &Blend) {
    let Some((alpha, colours)) = to.split_last_mut() else { return };
    let mut colour = [0.0; 3];
    for (colour, sample) in colour.iter_mut().zip(&from[..colours.len()]) {
        *colour = sample.to_share();
    }
    let [a, b, c, d, layers @ .., near] = *blend;
    let share = share(&[a, b, c, d], near, colour);
    if share <= 0.0 {
        return;
    }
    if share >= 1.0 {
        colours.copy_from_slice(&from[..colours.len()]);
    } else {
        for (to, colour) in colours.iter_mut().zip(colours::person(&layers, colour, share)) {
            *to = T::from_share(colour);
        }
    }
    *alpha = T::from_share(share * from.get(colours.len()).map_or(1.0, |own| own.to_share()));
}
