//! Rows of everything else: pooling, sums, products, resizing.

use pulp::{Simd, WithSimd};

use super::{activated, vectors, vectors_mut};
use crate::pack::Packing;

pub(crate) fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The larger of two by two pixels.
pub(crate) struct MaxPoolRow<'a> {
    pub rows: [&'a [f32]; 2],
    pub output: &'a mut [f32],
    /// Floats of a pixel.
    pub channels: usize,
    pub pixels: usize,
}

impl WithSimd for MaxPoolRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let size = self.channels / S::F32_LANES;
        let [one, other] = self.rows.map(|row| vectors::<S>(row).chunks_exact(2 * size));
        let output = vectors_mut::<S>(self.output).chunks_exact_mut(size).take(self.pixels);
        for ((output, one), other) in output.zip(one).zip(other) {
            for (index, output) in output.iter_mut().enumerate() {
                let of_row = |row: &[S::f32s]| simd.max_f32s(row[index], row[index + size]);
                *output = simd.max_f32s(of_row(one), of_row(other));
            }
        }
    }
}

pub(crate) struct AddRow<'a> {
    pub one: &'a [f32],
    pub other: &'a [f32],
    pub output: &'a mut [f32],
}

impl WithSimd for AddRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let inputs = vectors::<S>(self.one).iter().zip(vectors::<S>(self.other));
        for (output, (one, other)) in vectors_mut::<S>(self.output).iter_mut().zip(inputs) {
            *output = simd.add_f32s(*one, *other);
        }
    }
}

/// Adds each pixel of `small` to two pixels.
pub(crate) struct AddDoubledRow<'a> {
    pub one: &'a [f32],
    pub small: &'a [f32],
    pub output: &'a mut [f32],
    /// Floats of a pixel.
    pub channels: usize,
}

impl WithSimd for AddDoubledRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let size = self.channels / S::F32_LANES;
        let pixels =
            vectors_mut::<S>(self.output).chunks_exact_mut(size).zip(vectors::<S>(self.one).chunks_exact(size));
        for (index, (output, one)) in pixels.enumerate() {
            let small = &vectors::<S>(self.small)[index / 2 * size..][..size];
            for ((output, one), small) in output.iter_mut().zip(one).zip(small) {
                *output = simd.add_f32s(*one, *small);
            }
        }
    }
}

/// Multiplies each pixel by `factors`.
pub(crate) struct MultiplyRow<'a> {
    pub image: &'a [f32],
    pub factors: &'a [f32],
    pub output: &'a mut [f32],
}

impl WithSimd for MultiplyRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let factors = vectors::<S>(self.factors);
        let pixels = vectors::<S>(self.image).chunks_exact(factors.len());
        for (output, pixel) in vectors_mut::<S>(self.output).chunks_exact_mut(factors.len()).zip(pixels) {
            for ((output, value), factor) in output.iter_mut().zip(pixel).zip(factors) {
                *output = simd.mul_f32s(*value, *factor);
            }
        }
    }
}

pub(crate) struct ActivateRow<'a> {
    pub input: &'a [f32],
    pub activation: &'a Packing,
    pub output: &'a mut [f32],
    /// Floats of a pixel.
    pub channels: usize,
}

impl WithSimd for ActivateRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let size = self.channels / S::F32_LANES;
        let inputs = vectors::<S>(self.input);
        for (index, (output, input)) in vectors_mut::<S>(self.output).iter_mut().zip(inputs).enumerate() {
            *output = activated(simd, self.activation, *input, index % size);
        }
    }
}

/// The mean of all pixels. `rows` have no margins.
pub(crate) struct AverageRows<'a, I> {
    pub rows: I,
    pub count: usize,
    pub output: &'a mut [f32],
}

impl<'a, I: Iterator<Item = &'a [f32]>> WithSimd for AverageRows<'_, I> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let output = vectors_mut::<S>(self.output);
        output.fill(simd.splat_f32s(0.0));
        for row in self.rows {
            for pixel in vectors::<S>(row).chunks_exact(output.len()) {
                for (sum, value) in output.iter_mut().zip(pixel) {
                    *sum = simd.add_f32s(*sum, *value);
                }
            }
        }
        let share = simd.splat_f32s(1.0 / self.count.max(1) as f32);
        for sum in output {
            *sum = simd.mul_f32s(*sum, share);
        }
    }
}

/// Doubles the width, bilinear, between two rows of which `near` has three quarters of the weight.
pub(crate) struct ResizeRow<'a> {
    pub near: &'a [f32],
    pub far: &'a [f32],
    pub output: &'a mut [f32],
    /// Floats of a pixel.
    pub channels: usize,
    /// Pixels of the input.
    pub pixels: usize,
}

impl WithSimd for ResizeRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let size = self.channels / S::F32_LANES;
        let (near, far) = (vectors::<S>(self.near), vectors::<S>(self.far));
        let (most, rest) = (simd.splat_f32s(0.75), simd.splat_f32s(0.25));
        let mixed = |a: S::f32s, b: S::f32s| simd.mul_add_e_f32s(rest, b, simd.mul_f32s(most, a));
        for (index, output) in vectors_mut::<S>(self.output).chunks_exact_mut(size).take(2 * self.pixels).enumerate() {
            let at = index / 2;
            let beside = if index % 2 == 0 { at.saturating_sub(1) } else { (at + 1).min(self.pixels - 1) };
            for (vector, output) in output.iter_mut().enumerate() {
                let column = |pixel: usize| mixed(near[pixel * size + vector], far[pixel * size + vector]);
                *output = mixed(column(at), column(beside));
            }
        }
    }
}

/// Two rows of one channel from one row: each pixel becomes two by two pixels.
pub(crate) struct TransposedConvRow<'a> {
    pub input: &'a [f32],
    /// `[pixel of two by two][channel]`.
    pub weights: &'a [f32],
    pub bias: f32,
    pub outputs: [&'a mut [f32]; 2],
    /// Floats of an input pixel, and of an output pixel, of which the first is set.
    pub channels: [usize; 2],
}

impl WithSimd for TransposedConvRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let [channels, of_output] = self.channels;
        let size = channels / S::F32_LANES;
        let weights = vectors::<S>(self.weights);
        for (row, outputs) in self.outputs.into_iter().enumerate() {
            let pixels = vectors::<S>(self.input).chunks_exact(size);
            for (pair, pixel) in outputs.chunks_exact_mut(2 * of_output).zip(pixels) {
                for column in 0..2 {
                    let weights = &weights[(2 * row + column) * size..][..size];
                    let mut sum = simd.splat_f32s(0.0);
                    for (value, weight) in pixel.iter().zip(weights) {
                        sum = simd.mul_add_e_f32s(*value, *weight, sum);
                    }
                    pair[column * of_output] = simd.reduce_sum_f32s(sum) + self.bias;
                }
            }
        }
    }
}
