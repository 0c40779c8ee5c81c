//! Rows of depthwise convolutions.

use pulp::{Simd, WithSimd};

use super::{activated, vectors, vectors_mut};
use crate::pack::Packing;

/// A row of a depthwise convolution with a square window.
pub(crate) struct DepthwiseRow<'a> {
    /// The rows of the window, each beginning at its first column.
    pub rows: &'a [&'a [f32]],
    pub stride: usize,
    /// `[row][column][channel]`.
    pub weights: &'a [f32],
    pub bias: &'a [f32],
    pub activation: &'a Packing,
    pub output: &'a mut [f32],
    /// Floats of a pixel.
    pub channels: usize,
    pub pixels: usize,
}

impl WithSimd for DepthwiseRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match (self.rows.len(), self.stride) {
            (3, 1) => self.run::<S, 3, 1>(simd),
            (3, _) => self.run::<S, 3, 2>(simd),
            (_, 1) => self.run::<S, 5, 1>(simd),
            _ => self.run::<S, 5, 2>(simd),
        }
    }
}

/// Pixels computed together: they share most of their inputs.
const TILE: usize = 4;

impl DepthwiseRow<'_> {
    #[inline(always)]
    fn run<S: Simd, const SIDE: usize, const STRIDE: usize>(self, simd: S) {
        let vectors_of_pixel = self.channels / S::F32_LANES;
        let rows: [&[S::f32s]; SIDE] = std::array::from_fn(|row| vectors::<S>(self.rows[row]));
        let (weights, bias) = (vectors::<S>(self.weights), vectors::<S>(self.bias));
        let output = vectors_mut::<S>(self.output);
        for vector in 0..vectors_of_pixel {
            let weight = |row: usize, column: usize| weights[(row * SIDE + column) * vectors_of_pixel + vector];
            let input = |row: usize, column: usize| rows[row][column * vectors_of_pixel + vector];
            // The weights of a small window fit into registers.
            let weights: [[S::f32s; SIDE]; SIDE] = std::array::from_fn(|row| std::array::from_fn(|at| weight(row, at)));
            let mut pixel = 0;
            while pixel + TILE <= self.pixels {
                let mut sums = [bias[vector]; TILE];
                for (row, weights) in weights.iter().enumerate() {
                    let first = pixel * STRIDE;
                    if STRIDE == 1 {
                        let inputs: [S::f32s; 8] = std::array::from_fn(|at| {
                            if at < TILE + SIDE - 1 { input(row, first + at) } else { simd.splat_f32s(0.0) }
                        });
                        for (index, sum) in sums.iter_mut().enumerate() {
                            for (column, weight) in weights.iter().enumerate() {
                                *sum = simd.mul_add_e_f32s(*weight, inputs[index + column], *sum);
                            }
                        }
                    } else {
                        for (index, sum) in sums.iter_mut().enumerate() {
                            for (column, weight) in weights.iter().enumerate() {
                                *sum = simd.mul_add_e_f32s(*weight, input(row, first + index * STRIDE + column), *sum);
                            }
                        }
                    }
                }
                for (index, sum) in sums.into_iter().enumerate() {
                    let value = activated(simd, self.activation, sum, vector);
                    output[(pixel + index) * vectors_of_pixel + vector] = value;
                }
                pixel += TILE;
            }
            while pixel < self.pixels {
                let mut sum = bias[vector];
                for (row, weights) in weights.iter().enumerate() {
                    for (column, weight) in weights.iter().enumerate() {
                        sum = simd.mul_add_e_f32s(*weight, input(row, pixel * STRIDE + column), sum);
                    }
                }
                output[pixel * vectors_of_pixel + vector] = activated(simd, self.activation, sum, vector);
                pixel += 1;
            }
        }
    }
}
