//! Rows of convolutions: a tile of pixels and output channels stays in registers.

use pulp::{Simd, WithSimd};

use super::{activated, vectors, vectors_mut};
use crate::pack::{BLOCK, Packing};

/// A row of a convolution of stored pixels.
pub(crate) struct ConvRow<'a> {
    /// The rows of the window, each beginning at its first column.
    pub rows: &'a [&'a [f32]],
    /// Floats between the windows of two pixels.
    pub step: usize,
    /// Floats of a window in one row.
    pub taps: usize,
    /// `[block][row][tap][output]`.
    pub weights: &'a [f32],
    pub bias: &'a [f32],
    pub activation: &'a Packing,
    /// Pixels to add, and the floats of each.
    pub residual: Option<(&'a [f32], usize)>,
    pub output: &'a mut [f32],
    /// Floats of an output pixel.
    pub channels: usize,
    pub pixels: usize,
}

impl WithSimd for ConvRow<'_> {
    type Output = ();

    // The sizes of the tiles leave registers for one row of weights and one pixel.
    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let blocks = self.channels / BLOCK;
        let mut block = 0;
        while block < blocks {
            block += match (S::F32_LANES, blocks - block) {
                (16, 4..) => self.blocks::<S, 6, 4, 1>(simd, block),
                (16, 2..) => self.blocks::<S, 8, 2, 1>(simd, block),
                (16, _) => self.blocks::<S, 8, 1, 1>(simd, block),
                (8, _) => self.blocks::<S, 6, 1, 2>(simd, block),
                (4, _) => self.blocks::<S, 6, 1, 4>(simd, block),
                _ => self.blocks::<S, 1, 1, 16>(simd, block),
            };
        }
    }
}

impl ConvRow<'_> {
    /// Computes `BLOCKS` blocks of all pixels, `PIXELS` at a time; `VECTORS` is the number of vectors of a block.
    #[inline(always)]
    fn blocks<S: Simd, const PIXELS: usize, const BLOCKS: usize, const VECTORS: usize>(
        &mut self,
        simd: S,
        block: usize,
    ) -> usize {
        let tiles = Tiles::<PIXELS>::new(self.pixels);
        for pixel in tiles.whole() {
            self.tile::<S, PIXELS, BLOCKS, VECTORS>(simd, block, pixel);
        }
        for pixel in tiles.single() {
            self.tile::<S, 1, BLOCKS, VECTORS>(simd, block, pixel);
        }
        BLOCKS
    }

    #[inline(always)]
    fn tile<S: Simd, const PIXELS: usize, const BLOCKS: usize, const VECTORS: usize>(
        &mut self,
        simd: S,
        block: usize,
        pixel: usize,
    ) {
        let (taps, of_block) = (self.taps, self.rows.len() * self.taps * BLOCK);
        let bias = block_vectors::<S, BLOCKS, VECTORS>(self.bias, block * BLOCK, BLOCK);
        let mut sums = [std::array::from_fn::<_, BLOCKS, _>(|index| bias[index][0]); PIXELS];
        for (row, pixels) in self.rows.iter().enumerate() {
            let inputs: [&[f32]; PIXELS] = std::array::from_fn(|index| &pixels[(pixel + index) * self.step..][..taps]);
            let from = block * of_block + row * taps * BLOCK;
            let weights: [&[[S::f32s; VECTORS]]; BLOCKS] = std::array::from_fn(|index| {
                let weights = &self.weights[from + index * of_block..][..taps * BLOCK];
                &vectors::<S>(weights).as_chunks().0[..taps]
            });
            for tap in 0..taps {
                let weights: [[S::f32s; VECTORS]; BLOCKS] = std::array::from_fn(|index| weights[index][tap]);
                for (sums, input) in sums.iter_mut().zip(inputs) {
                    let input = simd.splat_f32s(input[tap]);
                    for (sums, weights) in sums.iter_mut().zip(weights) {
                        for (sum, weight) in sums.iter_mut().zip(weights) {
                            *sum = simd.mul_add_e_f32s(input, weight, *sum);
                        }
                    }
                }
            }
        }
        for (index, mut sums) in sums.into_iter().enumerate() {
            let at = pixel + index;
            if let Some((residual, channels)) = self.residual {
                for (number, sums) in sums.iter_mut().enumerate() {
                    let channel = (block + number) * BLOCK;
                    if channel < channels {
                        let added = vectors::<S>(&residual[at * channels + channel..][..BLOCK]);
                        for (sum, added) in sums.iter_mut().zip(added) {
                            *sum = simd.add_f32s(*sum, *added);
                        }
                    }
                }
            }
            let output = vectors_mut::<S>(&mut self.output[at * self.channels + block * BLOCK..][..BLOCKS * BLOCK]);
            for (number, (output, sum)) in output.iter_mut().zip(sums.into_iter().flatten()).enumerate() {
                *output = activated(simd, self.activation, sum, block * VECTORS + number);
            }
        }
    }
}

/// Vectors of `BLOCKS` blocks that begin `step` floats apart.
#[inline(always)]
fn block_vectors<S: Simd, const BLOCKS: usize, const VECTORS: usize>(
    values: &[f32],
    from: usize,
    step: usize,
) -> [&[[S::f32s; VECTORS]]; BLOCKS] {
    std::array::from_fn(|index| vectors::<S>(&values[from + index * step..][..BLOCK]).as_chunks().0)
}

/// A row of a convolution of planes: the model's input.
pub(crate) struct PlanesRow<'a> {
    /// The rows of the window; each has the rows of all planes, one after the other.
    pub rows: &'a [&'a [f32]],
    /// Floats of a plane's row.
    pub plane: usize,
    pub planes: usize,
    /// Columns of the window.
    pub columns: usize,
    pub stride: usize,
    /// `[block][row][plane][column][output]`.
    pub weights: &'a [f32],
    pub bias: &'a [f32],
    pub activation: &'a Packing,
    pub output: &'a mut [f32],
    /// Floats of an output pixel.
    pub channels: usize,
    pub pixels: usize,
}

impl WithSimd for PlanesRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        for block in 0..self.channels / BLOCK {
            match (S::F32_LANES, self.stride) {
                (16, 2) => self.block::<S, 8, 1, 2>(simd, block),
                (8, 2) => self.block::<S, 6, 2, 2>(simd, block),
                (4, 2) => self.block::<S, 6, 4, 2>(simd, block),
                (_, 2) => self.block::<S, 1, 16, 2>(simd, block),
                (16, _) => self.block::<S, 8, 1, 1>(simd, block),
                (8, _) => self.block::<S, 6, 2, 1>(simd, block),
                (4, _) => self.block::<S, 6, 4, 1>(simd, block),
                _ => self.block::<S, 1, 16, 1>(simd, block),
            }
        }
    }
}

impl PlanesRow<'_> {
    #[inline(always)]
    fn block<S: Simd, const PIXELS: usize, const VECTORS: usize, const STRIDE: usize>(
        &mut self,
        simd: S,
        block: usize,
    ) {
        let tiles = Tiles::<PIXELS>::new(self.pixels);
        for pixel in tiles.whole() {
            self.tile::<S, PIXELS, VECTORS, STRIDE>(simd, block, pixel);
        }
        for pixel in tiles.single() {
            self.tile::<S, 1, VECTORS, STRIDE>(simd, block, pixel);
        }
    }

    #[inline(always)]
    fn tile<S: Simd, const PIXELS: usize, const VECTORS: usize, const STRIDE: usize>(
        &mut self,
        simd: S,
        block: usize,
        pixel: usize,
    ) {
        let taps = self.rows.len() * self.planes * self.columns;
        let weights: &[[S::f32s; VECTORS]] =
            vectors::<S>(&self.weights[block * taps * BLOCK..][..taps * BLOCK]).as_chunks().0;
        let bias: [S::f32s; VECTORS] = vectors::<S>(&self.bias[block * BLOCK..][..BLOCK]).as_chunks().0[0];
        let mut sums = [bias; PIXELS];
        for ((row, plane), weights) in self
            .rows
            .iter()
            .flat_map(|row| (0..self.planes).map(move |plane| (row, plane)))
            .zip(weights.chunks_exact(self.columns))
        {
            for (column, weights) in weights.iter().enumerate() {
                let from = plane * self.plane + pixel * STRIDE + column;
                let inputs = &row[from..][..(PIXELS - 1) * STRIDE + 1];
                for (index, sums) in sums.iter_mut().enumerate() {
                    let input = simd.splat_f32s(inputs[index * STRIDE]);
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum = simd.mul_add_e_f32s(input, *weight, *sum);
                    }
                }
            }
        }
        for (index, sums) in sums.into_iter().enumerate() {
            let at = (pixel + index) * self.channels + block * BLOCK;
            let output = vectors_mut::<S>(&mut self.output[at..][..BLOCK]);
            for (number, (output, sum)) in output.iter_mut().zip(sums).enumerate() {
                *output = activated(simd, self.activation, sum, block * VECTORS + number);
            }
        }
    }
}

/// The tiles of a row of pixels. The last one overlaps the one before if the row is not a multiple of `PIXELS`; a row that is
/// shorter than a tile is computed pixel by pixel.
struct Tiles<const PIXELS: usize>(usize);

impl<const PIXELS: usize> Tiles<PIXELS> {
    #[inline(always)]
    fn new(pixels: usize) -> Self {
        Self(pixels)
    }

    /// First pixels of the tiles.
    #[inline(always)]
    fn whole(&self) -> impl Iterator<Item = usize> + use<PIXELS> {
        let pixels = self.0;
        let count = if pixels >= PIXELS { pixels.div_ceil(PIXELS) } else { 0 };
        (0..count).map(move |tile| (tile * PIXELS).min(pixels - PIXELS))
    }

    #[inline(always)]
    fn single(&self) -> std::ops::Range<usize> {
        0..if self.0 < PIXELS { self.0 } else { 0 }
    }
}
