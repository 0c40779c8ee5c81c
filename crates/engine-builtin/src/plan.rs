//! Sizes, packed weights and the order of work for one input size.

use crate::buffer::Buffer;
use crate::layers::{Activation, Form, Layer, Layers, Op, Output, Refusal, Value, Window};
use crate::pack::{Packed, Packing, pack, pack_depthwise, pack_transposed, packed_activation, stored};

/// Maximum height and stride of a window.
pub(crate) const MAX_KERNEL: usize = 7;

/// Why a model without a convolution of its input is refused.
const FIRST_LAYER: &str = "its first layer is not a convolution";

/// Size of an image, in pixels and channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub height: usize,
    pub width: usize,
    pub channels: usize,
}

/// Layout of a stored image: rows of pixels with zeros left and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub shape: Shape,
    /// Columns of zeros on each side.
    pub margin: usize,
    /// Index of its buffer.
    pub buffer: usize,
}

impl Place {
    /// Floats of a pixel.
    pub(crate) fn pixel(&self) -> usize {
        stored(self.shape.channels)
    }

    /// Floats of a row.
    pub(crate) fn row(&self) -> usize {
        (self.shape.width + 2 * self.margin) * self.pixel()
    }
}

/// An operation that computes an image row by row.
#[derive(Debug)]
pub(crate) enum RowOp {
    /// A convolution of the model's input, which has one plane a channel.
    Planes(Packed),
    Conv(Packed),
    Depthwise(Packed),
    MaxPool,
}

#[derive(Debug)]
pub(crate) struct Stage {
    pub op: RowOp,
    pub window: Window,
    pub input: Shape,
    pub output: Shape,
    pub activation: Packing,
    /// A stored value that is added, before the activation.
    pub residual: Option<Value>,
}

#[derive(Debug)]
pub(crate) enum Step {
    /// Stages that hand rows to each other; only the last image is stored.
    Rows {
        input: Value,
        stages: Vec<Stage>,
        output: Value,
    },
    Add {
        one: Value,
        other: Value,
        output: Value,
    },
    AddDoubled {
        one: Value,
        small: Value,
        output: Value,
    },
    Multiply {
        image: Value,
        factors: Value,
        output: Value,
    },
    Average {
        input: Value,
        output: Value,
    },
    Resize {
        input: Value,
        output: Value,
    },
    Activate {
        input: Value,
        activation: Packing,
        output: Value,
    },
    TransposedConv {
        input: Value,
        weights: Buffer,
        bias: f32,
        sigmoid: bool,
        output: Value,
    },
}

impl Step {
    fn inputs(&self) -> Vec<Value> {
        match self {
            Self::Rows { input, stages, .. } => {
                stages.iter().filter_map(|stage| stage.residual).chain([*input]).collect()
            }
            Self::Add { one, other, .. } => vec![*one, *other],
            Self::AddDoubled { one, small, .. } => vec![*one, *small],
            Self::Multiply { image, factors, .. } => vec![*image, *factors],
            Self::Average { input, .. }
            | Self::Resize { input, .. }
            | Self::Activate { input, .. }
            | Self::TransposedConv { input, .. } => vec![*input],
        }
    }

    /// The stages of a chain; none for other steps.
    pub(crate) fn stages(&self) -> &[Stage] {
        if let Self::Rows { stages, .. } = self { stages } else { &[] }
    }

    pub(crate) fn output(&self) -> Value {
        match self {
            Self::Rows { output, .. }
            | Self::Add { output, .. }
            | Self::AddDoubled { output, .. }
            | Self::Multiply { output, .. }
            | Self::Average { output, .. }
            | Self::Resize { output, .. }
            | Self::Activate { output, .. }
            | Self::TransposedConv { output, .. } => *output,
        }
    }
}

/// The work for inputs of one size.
#[derive(Debug)]
pub(crate) struct Plan {
    pub steps: Vec<Step>,
    /// Where the stored values are; `None` for those that are handed on by rows.
    pub places: Vec<Option<Place>>,
    pub outputs: Vec<(Output, Shape)>,
    /// The layout of each buffer. Buffers are used again once their value is not needed any more.
    pub buffers: Vec<Place>,
}

impl Plan {
    /// Plans the work of `layers` for inputs of `input`.
    ///
    /// # Errors
    /// The layers cannot be computed for this size.
    pub(crate) fn new(layers: &Layers, input: Shape) -> Result<Self, Refusal> {
        let mut shapes = vec![None; layers.count];
        shapes[0] = Some(input);
        for layer in &layers.layers {
            shapes[layer.output] = Some(output_shape(layer, &shapes)?);
        }
        let steps = steps(layers, &shapes)?;
        let of_output = |output: &Output| {
            let shape = shapes[output.value].filter(|_| output.value != 0).ok_or("an output is the input")?;
            if output.form == Form::Flat && (shape.height, shape.width) != (1, 1) {
                return Err(format!("the output {} has more than one pixel", output.name));
            }
            Ok((output.clone(), shape))
        };
        let outputs = layers.outputs.iter().map(of_output).collect::<Result<Vec<_>, Refusal>>()?;
        let (places, buffers) = places(&steps, &shapes, layers);
        Ok(Self { steps, places, outputs, buffers })
    }
}

fn output_shape(layer: &Layer, shapes: &[Option<Shape>]) -> Result<Shape, Refusal> {
    let shape = |value: Value| shapes[value].ok_or("a value is used before it is computed");
    let input = shape(layer.inputs[0])?;
    let same =
        |value: Value| if shape(value)? == input { Ok(input) } else { Err("images of different sizes are added") };
    let output = match &layer.op {
        Op::Conv(window, weights) if weights.inputs == input.channels => slid(input, window, weights.outputs)?,
        Op::Depthwise(window, weights) if weights.outputs == input.channels => slid(input, window, input.channels)?,
        Op::TransposedConv(weights) if weights.inputs == input.channels => doubled(input, 1),
        Op::Conv(..) | Op::Depthwise(..) | Op::TransposedConv(_) => return Err("the channels do not match".to_owned()),
        Op::MaxPool(window) => slid(input, window, input.channels)?,
        Op::Average(kernel) => {
            if kernel.is_some_and(|kernel| kernel != [input.height, input.width]) {
                return Err("AveragePool is not supported: of a part of the image".to_owned());
            }
            Shape { height: 1, width: 1, ..input }
        }
        Op::Add => same(layer.inputs[1])?,
        Op::AddDoubled => {
            let small = shape(layer.inputs[1])?;
            if doubled(small, small.channels) != input {
                return Err(format!("an input of this size: its sides must be multiples of 32, not {input:?}"));
            }
            input
        }
        Op::Multiply => {
            let factors = shape(layer.inputs[1])?;
            if factors != (Shape { height: 1, width: 1, ..input }) {
                return Err("images are multiplied".to_owned());
            }
            input
        }
        Op::Resize => doubled(input, input.channels),
        Op::Activate => input,
        Op::Double | Op::Scale(_) | Op::AppendChannels(_) => {
            return Err(format!("{} is not supported at this place", name(&layer.op)));
        }
    };
    if let Activation::Slopes { a, b } = &layer.activation
        && [a.len(), b.len()] != [output.channels; 2]
    {
        return Err("the channels do not match".to_owned());
    }
    if let Some(residual) = layer.residual {
        let added = shape(residual)?;
        if (added.height, added.width) != (output.height, output.width) || added.channels > output.channels {
            return Err("images of different sizes are added".to_owned());
        }
    }
    Ok(output)
}

fn name(op: &Op) -> &'static str {
    match op {
        Op::Double => "Resize",
        Op::Scale(_) => "Conv without sums",
        _ => "Pad",
    }
}

const fn doubled(shape: Shape, channels: usize) -> Shape {
    Shape { height: 2 * shape.height, width: 2 * shape.width, channels }
}

/// The shape after a window has moved over an image.
fn slid(input: Shape, window: &Window, channels: usize) -> Result<Shape, Refusal> {
    let side = |length: usize, pads: [usize; 2], kernel: usize| {
        let padded = length + pads[0] + pads[1];
        padded.checked_sub(kernel).map(|rest| rest / window.stride + 1).ok_or("the input is too small")
    };
    let [height, width] = window.kernel;
    Ok(Shape {
        height: side(input.height, window.rows, height)?,
        width: side(input.width, window.columns, width)?,
        channels,
    })
}

fn steps(layers: &Layers, shapes: &[Option<Shape>]) -> Result<Vec<Step>, Refusal> {
    let uses = layers.uses();
    let mut steps: Vec<Step> = Vec::new();
    for layer in &layers.layers {
        let (&input, output) = (&layer.inputs[0], layer.output);
        let second = || layer.inputs.get(1).copied().ok_or_else(|| "an input is missing".to_owned());
        let step = match &layer.op {
            Op::Conv(..) | Op::Depthwise(..) | Op::MaxPool(_) => {
                let stage = stage(layer, shapes)?;
                // A chain ends with a pooled image, which is small: the longer it is, the more rows around their bands do
                // threads compute twice.
                if stage.residual == Some(0) {
                    return Err(FIRST_LAYER.to_owned());
                }
                if let Some(Step::Rows { stages, output: last, .. }) = steps.last_mut()
                    && *last == input
                    && uses[input] == 1
                    && !matches!(stages.last(), Some(Stage { op: RowOp::MaxPool, .. }))
                {
                    stages.push(stage);
                    *last = output;
                    continue;
                }
                Step::Rows { input, stages: vec![stage], output }
            }
            Op::Add => Step::Add { one: input, other: second()?, output },
            Op::AddDoubled => Step::AddDoubled { one: input, small: second()?, output },
            Op::Multiply => Step::Multiply { image: input, factors: second()?, output },
            Op::Average(_) => Step::Average { input, output },
            Op::Resize => Step::Resize { input, output },
            Op::TransposedConv(weights) => Step::TransposedConv {
                input,
                weights: pack_transposed(weights),
                bias: weights.bias[0],
                sigmoid: match layer.activation {
                    Activation::None => false,
                    Activation::Sigmoid => true,
                    _ => return Err("ConvTranspose is not supported with this activation".to_owned()),
                },
                output,
            },
            _ => {
                let activation = packed_activation(&layer.activation);
                Step::Activate { input, activation, output }
            }
        };
        // The input is not stored.
        if !matches!(step, Step::Rows { .. }) && step.inputs().contains(&0) {
            return Err(FIRST_LAYER.to_owned());
        }
        steps.push(step);
    }
    Ok(steps)
}

fn stage(layer: &Layer, shapes: &[Option<Shape>]) -> Result<Stage, Refusal> {
    let missing = "a value has no size";
    let (input, output) = (shapes[layer.inputs[0]].ok_or(missing)?, shapes[layer.output].ok_or(missing)?);
    let of_model = layer.inputs[0] == 0;
    let (op, window) = match &layer.op {
        Op::Conv(window, weights) if of_model => (RowOp::Planes(pack(weights, window.kernel, false)), *window),
        Op::Conv(window, weights) => (RowOp::Conv(pack(weights, window.kernel, true)), *window),
        Op::Depthwise(window, weights) if !of_model => (RowOp::Depthwise(pack_depthwise(weights)), *window),
        Op::MaxPool(window) if !of_model => (RowOp::MaxPool, *window),
        _ => return Err(FIRST_LAYER.to_owned()),
    };
    let [height, width] = window.kernel;
    let known = match &op {
        RowOp::Planes(_) => window.stride <= 2,
        RowOp::Depthwise(_) => height == width && matches!((height, window.stride), (3 | 5, 1 | 2)),
        RowOp::Conv(_) | RowOp::MaxPool => true,
    };
    if !known || height.max(window.stride) > MAX_KERNEL {
        return Err(format!("Conv is not supported: {height} by {width} pixels with a stride of {}", window.stride));
    }
    let (activation, residual) = (packed_activation(&layer.activation), layer.residual);
    Ok(Stage { op, window, input, output, activation, residual })
}

/// Where values are stored. A buffer is used again, for a value of the same layout, after the last use of its first one: its
/// margins stay zero.
fn places(steps: &[Step], shapes: &[Option<Shape>], layers: &Layers) -> (Vec<Option<Place>>, Vec<Place>) {
    let mut margins = vec![0; shapes.len()];
    let mut last_use = vec![0; shapes.len()];
    for (index, step) in steps.iter().enumerate() {
        if let Step::Rows { input, stages, .. } = step {
            let [left, right] = stages[0].window.columns;
            margins[*input] = left.max(right).max(margins[*input]);
        }
        for value in step.inputs() {
            last_use[value] = index;
        }
    }
    for output in &layers.outputs {
        last_use[output.value] = usize::MAX;
    }
    let (mut places, mut buffers): (Vec<Option<Place>>, Vec<Place>) = (vec![None; shapes.len()], Vec::new());
    let mut free: Vec<Place> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let value = step.output();
        let Some(shape) = shapes[value] else { continue };
        let wanted = Place { shape, margin: margins[value], buffer: buffers.len() };
        let found = free.iter().position(|place| (place.shape, place.margin) == (shape, wanted.margin));
        let place = found.map_or(wanted, |at| free.swap_remove(at));
        if place.buffer == buffers.len() {
            buffers.push(place);
        }
        places[value] = Some(place);
        let mut ended = step.inputs();
        ended.sort_unstable();
        ended.dedup();
        free.extend(ended.into_iter().filter(|input| last_use[*input] == index).filter_map(|input| places[input]));
    }
    (places, buffers)
}
