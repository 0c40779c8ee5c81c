//! Chains of layers that hand rows to each other.

use pulp::Arch;

use crate::buffer::Buffer;
use crate::images::Image;
use crate::kernels::{ConvRow, DepthwiseRow, MaxPoolRow, PlanesRow, sigmoid};
use crate::pack::{Packing, stored, stored_inputs};
use crate::plan::{MAX_KERNEL, Place, RowOp, Shape, Stage};

/// The last rows of an image that is not stored, as many as the next stage needs.
#[derive(Debug)]
pub(crate) struct Ring {
    values: Buffer,
    /// Number of rows.
    rows: usize,
    /// Floats of a row, with margins.
    row: usize,
    /// Floats before the first pixel.
    margin: usize,
    /// Index of the next row to be computed.
    next: usize,
}

impl Ring {
    fn row(&self, index: usize) -> &[f32] {
        &self.values[index % self.rows * self.row..][..self.row]
    }
}

/// The input of the first stage.
pub(crate) enum Source<'a> {
    /// One plane a channel.
    Planes(&'a [f32]),
    Stored(Image<'a>),
}

/// A ring before each stage; the first has no rows if its input is stored.
pub(crate) fn rings(stages: &[Stage]) -> Vec<Ring> {
    let of_stage = |(index, stage): (usize, &Stage)| {
        let (of_planes, [left, right]) = (matches!(stage.op, RowOp::Planes(_)), stage.window.columns);
        let pixel = if of_planes { stage.input.channels } else { stored(stage.input.channels) };
        let rows = if index > 0 || of_planes { stage.window.kernel[0] } else { 0 };
        let row = (left + stage.input.width + right) * pixel;
        Ring { values: Buffer::zeros(rows * row), rows, row, margin: left * pixel, next: 0 }
    };
    stages.iter().enumerate().map(of_stage).collect()
}

/// Stages that hand rows to each other.
pub(crate) struct Stages<'a> {
    pub stages: &'a [Stage],
    pub source: Source<'a>,
    /// The residual of each stage.
    pub residuals: Vec<Option<Image<'a>>>,
    /// Zeros, at least as many as a row has floats.
    pub zeros: &'a [f32],
    pub arch: Arch,
}

impl Stages<'_> {
    /// Computes the rows from `first` on that fit into `output`.
    pub(crate) fn band(&self, rings: &mut [Ring], first: usize, output: &mut [f32], place: Place) {
        let mut begin = first;
        for (stage, ring) in self.stages.iter().zip(rings.iter_mut()).rev() {
            begin = (begin * stage.window.stride).saturating_sub(stage.window.rows[0]);
            ring.next = begin;
        }
        for (index, output) in output.chunks_exact_mut(place.row()).enumerate() {
            self.row(self.stages.len() - 1, first + index, rings, pixels_mut(output, place));
        }
    }

    /// Computes a row of a stage, after those rows of the stages before that it needs.
    fn row(&self, index: usize, row: usize, rings: &mut [Ring], output: &mut [f32]) {
        let stage = &self.stages[index];
        let (window, shape) = (stage.window, stage.input);
        let first = row * window.stride;
        if rings[index].rows > 0 {
            let end = (first + window.kernel[0]).saturating_sub(window.rows[0]).min(shape.height);
            while rings[index].next < end {
                let next = rings[index].next;
                let (before, after) = rings.split_at_mut(index);
                let ring = &mut after[0];
                let target = &mut ring.values[next % ring.rows * ring.row..][..ring.row];
                match &self.source {
                    Source::Planes(planes) if index == 0 => copy_planes(planes, shape, next, target, window.columns[0]),
                    _ => {
                        let pixels = shape.width * stored(shape.channels);
                        self.row(index - 1, next, before, &mut target[ring.margin..][..pixels]);
                    }
                }
                ring.next += 1;
            }
        }
        let mut rows: [&[f32]; MAX_KERNEL] = [&[]; MAX_KERNEL];
        for (offset, input) in rows[..window.kernel[0]].iter_mut().enumerate() {
            let at = (first + offset).checked_sub(window.rows[0]).filter(|at| *at < shape.height);
            *input = match (at, &self.source) {
                (None, _) => self.zeros,
                (Some(at), Source::Stored(image)) if rings[index].rows == 0 => {
                    let place = image.place;
                    &image.row(at)[(place.margin - window.columns[0]) * place.pixel()..]
                }
                (Some(at), _) => rings[index].row(at),
            };
        }
        self.compute(index, row, &rows[..window.kernel[0]], output);
    }

    fn compute(&self, index: usize, row: usize, rows: &[&[f32]], output: &mut [f32]) {
        let stage = &self.stages[index];
        let (arch, window, activation) = (self.arch, stage.window, &stage.activation);
        let (of_input, channels) = (stored(stage.input.channels), stored(stage.output.channels));
        let pixels = stage.output.width;
        match &stage.op {
            RowOp::Planes(packed) => arch.dispatch(PlanesRow {
                rows,
                plane: window.columns[0] + stage.input.width + window.columns[1],
                planes: stage.input.channels,
                columns: window.kernel[1],
                stride: window.stride,
                weights: &packed.weights,
                bias: &packed.bias,
                activation,
                output,
                channels,
                pixels,
            }),
            RowOp::Conv(packed) => {
                let residual = self.residuals[index].as_ref().map(|image| (image.pixels(row), image.place.pixel()));
                arch.dispatch(ConvRow {
                    rows,
                    step: window.stride * of_input,
                    taps: (window.kernel[1] - 1) * of_input + stored_inputs(stage.input.channels, window.kernel),
                    weights: &packed.weights,
                    bias: &packed.bias,
                    activation,
                    residual,
                    output,
                    channels,
                    pixels,
                });
            }
            RowOp::Depthwise(packed) => arch.dispatch(DepthwiseRow {
                rows,
                stride: window.stride,
                weights: &packed.weights,
                bias: &packed.bias,
                activation,
                output,
                channels,
                pixels,
            }),
            RowOp::MaxPool => arch.dispatch(MaxPoolRow { rows: [rows[0], rows[1]], output, channels, pixels }),
        }
        if matches!(activation, Packing::Sigmoid) {
            sigmoid_all(output);
        }
    }
}

/// The pixels of a stored row, without its margins.
pub(crate) fn pixels_mut(row: &mut [f32], place: Place) -> &mut [f32] {
    let (margin, width) = (place.margin * place.pixel(), place.shape.width * place.pixel());
    &mut row[margin..][..width]
}

pub(crate) fn sigmoid_all(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = sigmoid(*value));
}

/// Copies a row of each plane, `left` floats from the begin of its part of `target`.
fn copy_planes(planes: &[f32], shape: Shape, row: usize, target: &mut [f32], left: usize) {
    let Shape { height, width, channels } = shape;
    let of_plane = target.len() / channels;
    for (plane, target) in planes.chunks_exact(height * width).zip(target.chunks_exact_mut(of_plane)) {
        target[left..][..width].copy_from_slice(&plane[row * width..][..width]);
    }
}
