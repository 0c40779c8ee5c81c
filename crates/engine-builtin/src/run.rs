//! Runs a plan.

use std::thread;

use pulp::Arch;

use crate::barrier::{Barrier, Guard};
use crate::buffer::Buffer;
use crate::chain::{Ring, Source, Stages, pixels_mut, rings, sigmoid_all};
use crate::images::{Bands, Image};
use crate::kernels::{
    ActivateRow, AddDoubledRow, AddRow, AverageRows, MultiplyRow, ResizeRow, TransposedConvRow, sigmoid,
};
use crate::layers::{Form, Output, Value};
use crate::pack::{Packing, stored};
use crate::plan::{Place, Plan, RowOp, Shape, Stage, Step};

/// Multiplications that are worth a thread: about a quarter of a millisecond. The start of a thread takes 0.04 ms.
const WORK_OF_A_THREAD: usize = 10_000_000;
/// Maximum threads: by those times, the starts of more take as long as they save.
const MAX_THREADS: usize = 8;

/// A plan with its memory.
#[derive(Debug)]
pub(crate) struct Runner {
    plan: Plan,
    input: Shape,
    /// The stored images, by the index of their buffer.
    images: Vec<Bands>,
    /// For each thread and step, the rings of its chain.
    rings: Vec<Vec<Vec<Ring>>>,
    zeros: Buffer,
    arch: Arch,
}

impl Runner {
    /// Prepares the memory to run `plan` on up to `threads` threads.
    pub(crate) fn new(plan: Plan, input: Shape, threads: usize) -> Self {
        let stages = || plan.steps.iter().flat_map(Step::stages);
        let worth = stages().map(multiplications).sum::<usize>() / WORK_OF_A_THREAD;
        let threads = threads.min(worth).clamp(1, MAX_THREADS);
        let rings = (0..threads).map(|_| plan.steps.iter().map(|step| rings(step.stages())).collect()).collect();
        let images = plan.buffers.iter().map(|place| Bands::zeros(*place, threads)).collect();
        let row = |stage: &Stage| {
            let [left, right] = stage.window.columns;
            (left + stage.input.width + right) * stored(stage.input.channels)
        };
        let zeros = Buffer::zeros(stages().map(row).max().unwrap_or(0));
        Self { plan, input, images, rings, zeros, arch: Arch::new() }
    }

    /// Runs the plan on `input`, of shape `[channels, height, width]`.
    pub(crate) fn run(&mut self, input: &[f32]) {
        debug_assert_eq!(input.len(), self.input.height * self.input.width * self.input.channels);
        let barrier = Barrier::new(self.rings.len());
        let Self { plan, images, rings, zeros, arch, .. } = self;
        let work = &Work { plan, images, zeros, arch: *arch, input, barrier: &barrier };
        let Some((own, others)) = rings.split_first_mut() else { return };
        thread::scope(|threads| {
            for (index, rings) in others.iter_mut().enumerate() {
                threads.spawn(move || work.steps(index + 1, rings));
            }
            work.steps(0, own);
        });
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
            let image = self.images[place.buffer].read(place);
            Some(OutputView { name: &output.name, shape, output, channels, image })
        })
    }
}

/// An output of the last run.
pub(crate) struct OutputView<'a> {
    pub name: &'a str,
    pub shape: Vec<usize>,
    output: &'a Output,
    channels: usize,
    image: Image<'a>,
}

impl OutputView<'_> {
    /// Replaces `values` by its own, in row-major order.
    pub(crate) fn write(&self, values: &mut Vec<f32>) {
        values.resize(self.shape.iter().product(), 0.0);
        let place = self.image.place;
        let (planes, of_pixel) = if self.output.form == Form::Planes { (self.channels, 1) } else { (1, self.channels) };
        let mut rows = values.chunks_exact_mut((place.shape.width * of_pixel).max(1));
        for first in (0..planes).map(|plane| self.output.first + plane) {
            for (row, values) in (0..place.shape.height).zip(&mut rows) {
                let pixels = self.image.pixels(row).chunks_exact(place.pixel());
                for (values, pixel) in values.chunks_exact_mut(of_pixel).zip(pixels) {
                    values.copy_from_slice(&pixel[first..][..of_pixel]);
                }
            }
        }
        if self.output.sigmoid {
            sigmoid_all(values);
        }
    }
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

/// The work of a run, shared by its threads.
struct Work<'a> {
    plan: &'a Plan,
    images: &'a [Bands],
    zeros: &'a [f32],
    arch: Arch,
    input: &'a [f32],
    barrier: &'a Barrier,
}

impl Work<'_> {
    /// Computes a band of each step's output.
    fn steps(&self, band: usize, rings: &mut [Vec<Ring>]) {
        let _guard = Guard(self.barrier);
        for (step, rings) in self.plan.steps.iter().zip(rings) {
            if let Some(place) = self.plan.places[step.output()]
                && let Some(mut output) = self.images[place.buffer].band(band)
            {
                self.step(step, band * self.images[place.buffer].rows, rings, &mut output, place);
            }
            if !self.barrier.wait() {
                return;
            }
        }
    }

    fn image(&self, value: Value) -> Image<'_> {
        match self.plan.places[value] {
            Some(place) => self.images[place.buffer].read(place),
            // Steps use stored values only.
            None => unreachable!("value {value} is not stored"),
        }
    }

    /// Computes the rows from `first` on that fit into `output`.
    fn step(&self, step: &Step, first: usize, rings: &mut [Ring], output: &mut [f32], place: Place) {
        let (arch, channels) = (self.arch, place.pixel());
        match step {
            Step::Rows { input: value, stages, .. } => {
                let source = if *value == 0 { Source::Planes(self.input) } else { Source::Stored(self.image(*value)) };
                let residuals = stages.iter().map(|stage| stage.residual.map(|value| self.image(value))).collect();
                Stages { stages, source, residuals, zeros: self.zeros, arch }.band(rings, first, output, place);
            }
            Step::Add { one, other, .. } => {
                let (one, other) = (self.image(*one), self.image(*other));
                each_row(output, place, first, |output, row| {
                    arch.dispatch(AddRow { one: one.pixels(row), other: other.pixels(row), output });
                });
            }
            Step::AddDoubled { one, small, .. } => {
                let (one, small) = (self.image(*one), self.image(*small));
                each_row(output, place, first, |output, row| {
                    let (one, small) = (one.pixels(row), small.pixels(row / 2));
                    arch.dispatch(AddDoubledRow { one, small, output, channels });
                });
            }
            Step::Multiply { image, factors, .. } => {
                let (image, factors) = (self.image(*image), self.image(*factors));
                each_row(output, place, first, |output, row| {
                    arch.dispatch(MultiplyRow { image: image.pixels(row), factors: factors.pixels(0), output });
                });
            }
            Step::Average { input, .. } => {
                let (input, output) = (self.image(*input), pixels_mut(output, place));
                let shape = input.place.shape;
                let rows = (0..shape.height).map(|row| input.pixels(row));
                arch.dispatch(AverageRows { rows, count: shape.height * shape.width, output });
            }
            Step::Resize { input, .. } => {
                let input = self.image(*input);
                let shape = input.place.shape;
                each_row(output, place, first, |output, row| {
                    let at = row / 2;
                    let beside = if row % 2 == 0 { at.saturating_sub(1) } else { (at + 1).min(shape.height - 1) };
                    let (near, far) = (input.pixels(at), input.pixels(beside));
                    arch.dispatch(ResizeRow { near, far, output, channels, pixels: shape.width });
                });
            }
            Step::Activate { input, activation, .. } => {
                let input = self.image(*input);
                each_row(output, place, first, |output, row| {
                    arch.dispatch(ActivateRow { input: input.pixels(row), activation, output, channels });
                    if matches!(activation, Packing::Sigmoid) {
                        sigmoid_all(output);
                    }
                });
            }
            Step::TransposedConv { input, weights, bias, sigmoid: is_sigmoid, .. } => {
                let input = self.image(*input);
                let channels = [input.place.pixel(), channels];
                for (row, pair) in output.chunks_exact_mut(2 * place.row()).enumerate() {
                    let (one, other) = pair.split_at_mut(place.row());
                    let outputs = [pixels_mut(one, place), pixels_mut(other, place)];
                    let input = input.pixels(first / 2 + row);
                    arch.dispatch(TransposedConvRow { input, weights, bias: *bias, outputs, channels });
                }
                if *is_sigmoid {
                    output.iter_mut().step_by(place.pixel()).for_each(|value| *value = sigmoid(*value));
                }
            }
        }
    }
}

/// Computes the rows of `output`, the first of which has the index `first`.
fn each_row(output: &mut [f32], place: Place, first: usize, compute: impl Fn(&mut [f32], usize)) {
    for (index, output) in output.chunks_exact_mut(place.row()).enumerate() {
        compute(pixels_mut(output, place), first + index);
    }
}
