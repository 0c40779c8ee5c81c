//! The kernels: each computes one row of pixels with the vectors of the processor.
//!
//! They are safe code over `pulp`, which chooses the instruction set at run time: AVX-512, AVX2 with FMA, NEON, or none. Pixels
//! have a multiple of [`BLOCK`](crate::pack::BLOCK) channels.

mod conv;
mod depthwise;
mod elements;

use pulp::Simd;

use crate::pack::Packing;

pub(crate) use conv::{ConvRow, PlanesRow};
pub(crate) use depthwise::DepthwiseRow;
pub(crate) use elements::{
    ActivateRow, AddDoubledRow, AddRow, AverageRows, MaxPoolRow, MultiplyRow, ResizeRow, TransposedConvRow, sigmoid,
};

/// The vectors of a row; its length is a multiple of a vector.
#[inline(always)]
fn vectors<S: Simd>(row: &[f32]) -> &[S::f32s] {
    S::as_simd_f32s(row).0
}

#[inline(always)]
fn vectors_mut<S: Simd>(row: &mut [f32]) -> &mut [S::f32s] {
    S::as_mut_simd_f32s(row).0
}

/// Applies an activation to the vector with this index among those of a pixel. The sigmoid is left to [`sigmoid`].
#[inline(always)]
fn activated<S: Simd>(simd: S, activation: &Packing, value: S::f32s, vector: usize) -> S::f32s {
    let zero = simd.splat_f32s(0.0);
    match activation {
        Packing::None | Packing::Sigmoid => value,
        Packing::Relu => simd.max_f32s(value, zero),
        Packing::HardSwish => {
            let line = simd.mul_add_e_f32s(value, simd.splat_f32s(1.0 / 6.0), simd.splat_f32s(0.5));
            simd.mul_f32s(value, simd.min_f32s(simd.max_f32s(line, zero), simd.splat_f32s(1.0)))
        }
        Packing::Slopes { a, b } => {
            let (a, b) = (vectors::<S>(a)[vector], vectors::<S>(b)[vector]);
            simd.mul_add_e_f32s(b, simd.max_f32s(value, zero), simd.mul_f32s(a, value))
        }
    }
}
