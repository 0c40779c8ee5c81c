//! Weights in the order of the kernels.

use crate::buffer::Buffer;
use crate::layers::{Activation, Weights};

/// Channels of stored pixels are a multiple of this; the rest are zeros. One vector of the widest instruction set.
pub(crate) const BLOCK: usize = 16;

/// Number of stored channels.
pub(crate) fn stored(channels: usize) -> usize {
    channels.div_ceil(BLOCK) * BLOCK
}

/// Weights in the order of the kernels, and the bias. The outputs of convolutions are in blocks; see [`pack`].
#[derive(Debug)]
pub(crate) struct Packed {
    pub weights: Buffer,
    pub bias: Buffer,
}

/// An activation with one factor a stored channel.
#[derive(Debug)]
pub(crate) enum Packing {
    None,
    Relu,
    HardSwish,
    Sigmoid,
    Slopes { a: Buffer, b: Buffer },
}

/// Weights in the order `[block of outputs][row][column][input][output of the block]`, or with the inputs before the columns
/// if `pixels` is false. Stored channels beyond the real ones have weights of zero.
pub(crate) fn pack(weights: &Weights, [height, width]: [usize; 2], pixels: bool) -> Packed {
    let inputs = if pixels { stored_inputs(weights.inputs, [height, width]) } else { weights.inputs };
    let taps = height * width * inputs;
    let mut packed = Buffer::zeros(stored(weights.outputs) * taps);
    let kernels = weights.values.chunks_exact(height * width);
    let of_outputs = (0..weights.outputs).flat_map(|output| (0..weights.inputs).map(move |input| (output, input)));
    for ((output, input), kernel) in of_outputs.zip(kernels) {
        let first = output / BLOCK * taps * BLOCK + output % BLOCK;
        for (row, values) in kernel.chunks_exact(width).enumerate() {
            for (column, value) in values.iter().enumerate() {
                let tap = if pixels {
                    (row * width + column) * inputs + input
                } else {
                    (row * inputs + input) * width + column
                };
                packed[first + tap * BLOCK] = *value;
            }
        }
    }
    Packed { weights: packed, bias: padded(&weights.bias) }
}

/// Inputs a pixel that the kernel reads: only the real ones if the window is a single pixel.
pub(crate) fn stored_inputs(inputs: usize, kernel: [usize; 2]) -> usize {
    if kernel[1] == 1 { inputs } else { stored(inputs) }
}

/// Weights in the order `[row][column][channel]`.
pub(crate) fn pack_depthwise(weights: &Weights) -> Packed {
    let (channels, taps) = (weights.outputs, weights.values.len() / weights.outputs.max(1));
    let mut packed = Buffer::zeros(taps * stored(channels));
    for (index, &value) in weights.values.iter().enumerate() {
        packed[index % taps * stored(channels) + index / taps] = value;
    }
    Packed { weights: packed, bias: padded(&weights.bias) }
}

/// Weights in the order `[pixel of two by two][input]`.
pub(crate) fn pack_transposed(weights: &Weights) -> Buffer {
    let mut packed = Buffer::zeros(4 * stored(weights.inputs));
    for (index, &value) in weights.values.iter().enumerate() {
        packed[index % 4 * stored(weights.inputs) + index / 4] = value;
    }
    packed
}

fn padded(values: &[f32]) -> Buffer {
    let mut buffer = Buffer::zeros(stored(values.len()));
    buffer[..values.len()].copy_from_slice(values);
    buffer
}

pub(crate) fn packed_activation(activation: &Activation) -> Packing {
    match activation {
        Activation::None => Packing::None,
        Activation::Relu => Packing::Relu,
        Activation::HardSwish => Packing::HardSwish,
        Activation::Sigmoid => Packing::Sigmoid,
        Activation::Slopes { a, b } => Packing::Slopes { a: padded(a), b: padded(b) },
    }
}
