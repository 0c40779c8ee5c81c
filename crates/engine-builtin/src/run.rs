//! Runs a plan.

use std::thread;

use pulp::Arch;

use crate::buffer::Buffer;
use crate::kernels::{
    ActivateRow, AddDoubledRow, AddRow, AverageRows, ConvRow, DepthwiseRow, MaxPoolRow, MultiplyRow, PlanesRow,
    ResizeRow, TransposedConvRow, sigmoid,
};
use crate::layers::{Form, Output};
use crate::pack::{Packing, stored, stored_inputs};
use crate::plan::{MAX_KERNEL, Place, Plan, RowOp, Shape, Stage, Step};

/// Multiplications that are worth the start of a thread: about a tenth of a millisecond.
const WORK_OF_A_THREAD: usize = 6_000_000;

/// A plan with its memory.
#[derive(Debug)]
pub(crate) struct Runner {
    plan: Plan,
    input: Shape,
    buffers: Vec<Buffer>,
    /// For each step, the rings of each thread.
    rings: Vec<Vec<Vec<Ring>>>,
    zeros: Buffer,
    arch: Arch,
}

/// The last rows of an image that is not stored, as many as the next stage needs.
#[derive(Debug)]
struct Ring {
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
#[derive(Clone, Copy)]
enum Source<'a> {
    /// One plane a channel.
    Planes(&'a [f32]),
    Stored(&'a [f32], Place),
}

impl Runner {
    /// Prepares the memory to run `plan` on up to `threads` threads.
    pub(crate) fn new(plan: Plan, input: Shape, threads: usize) -> Self {
        let rings =
            plan.steps.iter().map(|step| (0..threads_for(step, threads)).map(|_| rings(step)).collect()).collect();
        let buffers = plan.buffers.iter().map(|len| Buffer::zeros(*len)).collect();
        let widest = |step: &Step| match step {
            Step::Rows { stages, .. } => {
                let of_stage = |stage: &Stage| {
                    (stage.input.width + stage.window.columns[0] + stage.window.columns[1])
                        * stored(stage.input.channels)
                };
                stages.iter().map(of_stage).max().unwrap_or(0)
            }
            _ => 0,
        };
        let zeros = Buffer::zeros(plan.steps.iter().map(widest).max().unwrap_or(0));
        Self { plan, input, buffers, rings, zeros, arch: Arch::new() }
    }

    /// Runs the plan on `input`, of shape `[channels, height, width]`.
    pub(crate) fn run(&mut self, input: &[f32]) {
        debug_assert_eq!(input.len(), self.input.height * self.input.width * self.input.channels);
        for (index, step) in self.plan.steps.iter().enumerate() {
            let Some(place) = self.plan.places[step.output()] else { continue };
            let mut output = std::mem::take(&mut self.buffers[place.buffer]);
            let work = Work { plan: &self.plan, buffers: &self.buffers, zeros: &self.zeros, arch: self.arch };
            work.step(step, input, &mut self.rings[index], &mut output, place);
            self.buffers[place.buffer] = output;
        }
    }

    /// The outputs of the last run, in the model's order.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = OutputView<'_>> {
        self.plan.outputs.iter().filter_map(|(output, shape)| {
            let place = self.plan.places[output.value]?;
            let channels = output.channels.unwrap_or(shape.channels - output.first);
            let (height, width) = (shape.height, shape.width);
            let shape = match output.form {
                Form::Planes => vec![1, channels, height, width],
                Form::Pixels => vec![1, height, width, channels],
                Form::Rows => vec![1, height * width, channels],
                Form::Flat => vec![1, channels],
            };
            Some(OutputView { name: &output.name, shape, output, channels, place, stored: &self.buffers[place.buffer] })
        })
    }
}

/// An output of the last run.
pub(crate) struct OutputView<'a> {
    pub name: &'a str,
    pub shape: Vec<usize>,
    output: &'a Output,
    channels: usize,
    place: Place,
    stored: &'a [f32],
}

impl<'a> OutputView<'a> {
    /// Its values in row-major order.
    pub(crate) fn values(&self) -> impl Iterator<Item = f32> + 'a {
        let Self { output, channels, place, stored, .. } = *self;
        let (planes, of_pixel) = if output.form == Form::Planes { (channels, 1) } else { (1, channels) };
        let pixel = move |plane: usize, row: usize, column: usize| {
            let at = row * place.row() + (place.margin + column) * place.pixel();
            let values = &stored[at + output.first + plane..][..of_pixel];
            values.iter().map(|value| if output.sigmoid { sigmoid(*value) } else { *value })
        };
        let row = move |plane, row| (0..place.shape.width).flat_map(move |column| pixel(plane, row, column));
        (0..planes).flat_map(move |plane| (0..place.shape.height).flat_map(move |index| row(plane, index)))
    }
}

/// Number of threads that are worth their start for a step.
fn threads_for(step: &Step, threads: usize) -> usize {
    let Step::Rows { stages, .. } = step else { return 1 };
    let work: usize = stages.iter().map(multiplications).sum();
    let rows = stages.last().map_or(1, |stage| stage.output.height);
    threads.min(work / WORK_OF_A_THREAD).min(rows).max(1)
}

fn multiplications(stage: &Stage) -> usize {
    let pixels = stage.output.height * stage.output.width;
    let [height, width] = stage.window.kernel;
    let of_pixel = match &stage.op {
        RowOp::Planes(_) | RowOp::Conv(_) => stage.input.channels * stage.output.channels,
        RowOp::Depthwise(_) | RowOp::MaxPool => stage.output.channels,
    };
    pixels * height * width * of_pixel
}

/// A ring before each stage; the first has no rows if its input is stored.
fn rings(step: &Step) -> Vec<Ring> {
    let Step::Rows { stages, .. } = step else { return Vec::new() };
    let of_stage = |(index, stage): (usize, &Stage)| {
        let (of_planes, [left, right]) = (matches!(stage.op, RowOp::Planes(_)), stage.window.columns);
        let pixel = if of_planes { stage.input.channels } else { stored(stage.input.channels) };
        let rows = if index > 0 || of_planes { stage.window.kernel[0] } else { 0 };
        let row = (left + stage.input.width + right) * pixel;
        Ring { values: Buffer::zeros(rows * row), rows, row, margin: left * pixel, next: 0 }
    };
    stages.iter().enumerate().map(of_stage).collect()
}

struct Work<'a> {
    plan: &'a Plan,
    buffers: &'a [Buffer],
    zeros: &'a [f32],
    arch: Arch,
}

impl Work<'_> {
    fn stored(&self, value: usize) -> (&[f32], Place) {
        match self.plan.places[value] {
            Some(place) => (&self.buffers[place.buffer], place),
            // Steps use stored values only.
            None => unreachable!("value {value} is not stored"),
        }
    }

    fn step(&self, step: &Step, input: &[f32], rings: &mut [Vec<Ring>], output: &mut [f32], place: Place) {
        let (arch, channels) = (self.arch, place.pixel());
        match step {
            Step::Rows { input: value, stages, .. } => {
                let source = match *value {
                    0 => Source::Planes(input),
                    value => {
                        let (values, place) = self.stored(value);
                        Source::Stored(values, place)
                    }
                };
                self.bands(&Stages { work: self, stages, source }, rings, output, place);
            }
            Step::Add { one, other, .. } => {
                self.each_row(output, place, |output, row| {
                    arch.dispatch(AddRow { one: self.pixels(*one, row), other: self.pixels(*other, row), output });
                });
            }
            Step::AddDoubled { one, small, .. } => self.each_row(output, place, |output, row| {
                let (one, small) = (self.pixels(*one, row), self.pixels(*small, row / 2));
                arch.dispatch(AddDoubledRow { one, small, output, channels });
            }),
            Step::Multiply { image, factors, .. } => self.each_row(output, place, |output, row| {
                let (image, factors) = (self.pixels(*image, row), self.pixels(*factors, 0));
                arch.dispatch(MultiplyRow { image, factors, output });
            }),
            Step::Average { input, .. } => {
                let shape = self.stored(*input).1.shape;
                let rows = (0..shape.height).map(|row| self.pixels(*input, row));
                let output = pixels_mut(output, place);
                arch.dispatch(AverageRows { rows, count: shape.height * shape.width, output });
            }
            Step::Resize { input, .. } => self.each_row(output, place, |output, row| {
                let (at, shape) = (row / 2, self.stored(*input).1.shape);
                let beside = if row % 2 == 0 { at.saturating_sub(1) } else { (at + 1).min(shape.height - 1) };
                let (near, far) = (self.pixels(*input, at), self.pixels(*input, beside));
                arch.dispatch(ResizeRow { near, far, output, channels, pixels: shape.width });
            }),
            Step::Activate { input, activation, .. } => self.each_row(output, place, |output, row| {
                arch.dispatch(ActivateRow { input: self.pixels(*input, row), activation, output, channels });
                if matches!(activation, Packing::Sigmoid) {
                    sigmoid_all(output);
                }
            }),
            Step::TransposedConv { input, weights, bias, sigmoid: is_sigmoid, .. } => {
                let of_input = self.stored(*input).1.pixel();
                for (row, pair) in output.chunks_exact_mut(2 * place.row()).enumerate() {
                    let (one, other) = pair.split_at_mut(place.row());
                    let outputs = [pixels_mut(one, place), pixels_mut(other, place)];
                    let input = self.pixels(*input, row);
                    let channels = [of_input, channels];
                    arch.dispatch(TransposedConvRow { input, weights, bias: *bias, outputs, channels });
                }
                if *is_sigmoid {
                    output.iter_mut().step_by(channels).for_each(|value| *value = sigmoid(*value));
                }
            }
        }
    }

    /// The pixels of a stored row, without margins.
    fn pixels(&self, value: usize, row: usize) -> &[f32] {
        let (values, place) = self.stored(value);
        let (margin, width) = (place.margin * place.pixel(), place.shape.width * place.pixel());
        &values[row * place.row() + margin..][..width]
    }

    fn each_row(&self, output: &mut [f32], place: Place, compute: impl Fn(&mut [f32], usize)) {
        for (row, output) in output.chunks_exact_mut(place.row()).enumerate() {
            compute(pixels_mut(output, place), row);
        }
    }

    /// Computes the rows of `output`, in bands of one thread each.
    fn bands(&self, stages: &Stages<'_>, rings: &mut [Vec<Ring>], output: &mut [f32], place: Place) {
        let rows = place.shape.height.div_ceil(rings.len());
        let bands = output.chunks_mut(rows * place.row()).zip(rings).enumerate();
        thread::scope(|scope| {
            let mut own = None;
            for (band, (output, rings)) in bands {
                if band == 0 {
                    own = Some((output, rings));
                } else {
                    scope.spawn(move || stages.band(rings, band * rows, output, place));
                }
            }
            if let Some((output, rings)) = own {
                stages.band(rings, 0, output, place);
            }
        });
    }
}

fn pixels_mut(row: &mut [f32], place: Place) -> &mut [f32] {
    let (margin, width) = (place.margin * place.pixel(), place.shape.width * place.pixel());
    &mut row[margin..][..width]
}

/// Stages that hand rows to each other.
struct Stages<'a> {
    work: &'a Work<'a>,
    stages: &'a [Stage],
    source: Source<'a>,
}

impl Stages<'_> {
    /// Computes the rows from `first` on that fit into `output`.
    fn band(&self, rings: &mut [Ring], first: usize, output: &mut [f32], place: Place) {
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
                match self.source {
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
            *input = match (at, self.source) {
                (None, _) => self.work.zeros,
                (Some(at), Source::Stored(values, place)) if rings[index].rows == 0 => {
                    let skipped = (place.margin - window.columns[0]) * place.pixel();
                    &values[at * place.row()..][..place.row()][skipped..]
                }
                (Some(at), _) => rings[index].row(at),
            };
        }
        self.compute(stage, row, &rows[..window.kernel[0]], output);
    }

    fn compute(&self, stage: &Stage, row: usize, rows: &[&[f32]], output: &mut [f32]) {
        let (arch, window, activation) = (self.work.arch, stage.window, &stage.activation);
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
                let residual =
                    stage.residual.map(|value| (self.work.pixels(value, row), self.work.stored(value).1.pixel()));
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

fn sigmoid_all(values: &mut [f32]) {
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
