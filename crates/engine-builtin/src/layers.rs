//! The layers of a network, read from the graph of an ONNX file.

use std::collections::HashMap;

use inference::onnx::{Constant, Graph, Node};

/// Index of a value in [`Layers::count`].
pub(crate) type Value = usize;

/// Why a model cannot be run.
pub(crate) type Refusal = String;

/// A function of each element.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Activation {
    #[default]
    None,
    Relu,
    /// `x * min(max(x / 6 + 1 / 2, 0), 1)`.
    HardSwish,
    Sigmoid,
    /// `a * x + b * max(x, 0)`, with one `a` and `b` a channel.
    Slopes {
        a: Vec<f32>,
        b: Vec<f32>,
    },
}

/// A window that moves over an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Height and width.
    pub kernel: [usize; 2],
    /// Step, in both directions.
    pub stride: usize,
    /// Rows of zeros above and below the image.
    pub rows: [usize; 2],
    /// Columns of zeros left and right of it.
    pub columns: [usize; 2],
}

/// Weights of a convolution: `[outputs][inputs][height][width]`, row-major; one input for depthwise convolutions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weights {
    pub values: Vec<f32>,
    pub bias: Vec<f32>,
    pub inputs: usize,
    pub outputs: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Op {
    Conv(Window, Weights),
    Depthwise(Window, Weights),
    /// Of one output channel: each pixel becomes two by two pixels.
    TransposedConv(Weights),
    MaxPool(Window),
    /// The mean of the whole image, which has this height and width if they are given.
    Average(Option<[usize; 2]>),
    Add,
    /// The second input has half the height and width; its pixels are doubled.
    AddDoubled,
    /// The second input is a single pixel.
    Multiply,
    /// Doubles height and width, bilinear.
    Resize,
    Activate,
    /// Doubles height and width, nearest. Only as part of [`Op::AddDoubled`].
    Double,
    /// A factor for each channel. Only as part of [`Activation::Slopes`].
    Scale(Vec<f32>),
    /// Appends channels of zeros, up to this number. Only as part of a residual.
    AppendChannels(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layer {
    pub op: Op,
    pub inputs: Vec<Value>,
    pub output: Value,
    /// Added to the result, before the activation. May have fewer channels.
    pub residual: Option<Value>,
    pub activation: Activation,
}

/// An output of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub name: String,
    pub value: Value,
    /// First channel.
    pub first: usize,
    /// Number of channels; `None` for all.
    pub channels: Option<usize>,
    pub sigmoid: bool,
    pub form: Form,
}

/// Order of the values of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `[1, channels, height, width]`.
    Planes,
    /// `[1, height, width, channels]`.
    Pixels,
    /// `[1, height * width, channels]`.
    Rows,
    /// `[1, channels]`, of a single pixel.
    Flat,
}

/// The layers of a network in an order of execution. Value 0 is the input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layers {
    pub layers: Vec<Layer>,
    pub outputs: Vec<Output>,
    /// Number of values.
    pub count: usize,
}

impl Layers {
    /// Reads the layers of `graph` as they are, one an operator.
    ///
    /// # Errors
    /// The graph has an operator, or an attribute, that this engine does not know.
    pub(crate) fn read(graph: &Graph) -> Result<Self, Refusal> {
        let [input] = &graph.inputs[..] else {
            return Err(format!("it has {} inputs; one is expected", graph.inputs.len()));
        };
        let mut reader = Reader { graph, layers: Self { count: 1, ..Self::default() }, values: HashMap::new() };
        let whole =
            Output { name: String::new(), value: 0, first: 0, channels: None, sigmoid: false, form: Form::Planes };
        reader.values.insert(input, whole);
        for node in &graph.nodes {
            reader.add(node).map_err(|reason| format!("{} is not supported: {reason}", node.operator))?;
        }
        for name in &graph.outputs {
            let output =
                reader.values.get(name.as_str()).ok_or_else(|| format!("nothing computes the output {name}"))?;
            reader.layers.outputs.push(Output { name: name.clone(), ..output.clone() });
        }
        Ok(reader.layers)
    }

    /// Number of uses of each value, by layers and outputs.
    pub(crate) fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.count];
        let by_layers = self.layers.iter().flat_map(|layer| layer.inputs.iter().copied().chain(layer.residual));
        for value in by_layers.chain(self.outputs.iter().map(|output| output.value)) {
            uses[value] += 1;
        }
        uses
    }
}

struct Reader<'a> {
    graph: &'a Graph,
    layers: Layers,
    /// The values by their names in the file; some are a value in another form.
    values: HashMap<&'a str, Output>,
}

impl<'a> Reader<'a> {
    fn add(&mut self, node: &'a Node) -> Result<(), Refusal> {
        let result = node.outputs.first().ok_or("it has no output")?;
        let input = node.inputs.first().ok_or("it has no input")?;
        let of_input = self.values.get(input.as_str()).ok_or("its input is a constant")?.clone();
        // Layers read images; only the form of an output changes after them.
        if matches!(node.operator.as_str(), "Transpose" | "Reshape") || of_input.form != Form::Planes {
            let changed = reformed(node, of_input, self.constant(node, 1))?;
            self.values.insert(result, changed);
            return Ok(());
        }
        let (op, activation) = self.op(node)?;
        let mut inputs = vec![of_input.value];
        if matches!(op, Op::Add | Op::Multiply) {
            let second = node.inputs.get(1).and_then(|name| self.values.get(name.as_str()));
            inputs.push(
                second.filter(|second| second.form == Form::Planes).ok_or("its second input is a constant")?.value,
            );
        }
        let output = self.layers.count;
        self.layers.count += 1;
        self.layers.layers.push(Layer { op, inputs, output, residual: None, activation });
        self.values.insert(result, Output { value: output, ..of_input });
        Ok(())
    }

    fn constant(&self, node: &Node, index: usize) -> Option<&'a Constant> {
        self.graph.constants.get(node.inputs.get(index)?)
    }

    fn op(&self, node: &Node) -> Result<(Op, Activation), Refusal> {
        let op = match node.operator.as_str() {
            "Conv" => self.conv(node)?,
            "ConvTranspose" => {
                let weights = self.constant(node, 1).filter(|weights| weights.shape.get(1..) == Some(&[1, 2, 2]));
                let weights = weights.ok_or("only one output channel of two by two pixels")?;
                let window = window(node, [2, 2])?;
                if window.stride != 2 || window.rows != [0, 0] || window.columns != [0, 0] {
                    return Err("only a stride of two without padding".to_owned());
                }
                Op::TransposedConv(weights_of(weights, self.constant(node, 2), weights.shape[0], 1)?)
            }
            "MaxPool" => {
                let window = window(node, kernel(node)?)?;
                let is_plain = window.kernel == [2, 2] && window.stride == 2 && window.rows == [0, 0];
                if !is_plain
                    || window.columns != [0, 0]
                    || node.integers("ceil_mode").first().is_some_and(|mode| *mode != 0)
                {
                    return Err("only two by two pixels without padding".to_owned());
                }
                Op::MaxPool(window)
            }
            "GlobalAveragePool" => Op::Average(None),
            "AveragePool" => {
                let [height, width] = kernel(node)?;
                let window = window(node, [height, width])?;
                if window.rows != [0, 0] || window.columns != [0, 0] {
                    return Err("of its padding".to_owned());
                }
                Op::Average(Some([height, width]))
            }
            "Add" => Op::Add,
            "Mul" => Op::Multiply,
            "Relu" => return Ok((Op::Activate, Activation::Relu)),
            "Sigmoid" => return Ok((Op::Activate, Activation::Sigmoid)),
            "HardSwish" => return Ok((Op::Activate, Activation::HardSwish)),
            "Pad" => {
                let pads = self.constant(node, 1).map_or(&[][..], |pads| &pads.integers);
                let mode = node.text("mode");
                match pads {
                    [0, 0, 0, 0, 0, channels, 0, 0] if matches!(mode, "" | "constant") => {
                        Op::AppendChannels(positive(*channels)?)
                    }
                    _ => return Err("only zeros after the last channel".to_owned()),
                }
            }
            "Resize" => self.resize(node)?,
            _ => return Err("this engine does not have it".to_owned()),
        };
        Ok((op, Activation::None))
    }

    fn conv(&self, node: &Node) -> Result<Op, Refusal> {
        let weights = self.constant(node, 1).ok_or("its weights are not constant")?;
        let &[outputs, inputs, height, width] = &weights.shape[..] else { return Err("only of images".to_owned()) };
        let window = window(node, [height, width])?;
        let groups = node.integers("group").first().copied().unwrap_or(1);
        let bias = self.constant(node, 2);
        // Of a single channel, both kinds of convolution are the same.
        if groups == 1 && ([inputs, outputs] != [1, 1] || [height, width] == [1, 1]) {
            return Ok(Op::Conv(window, weights_of(weights, bias, inputs, outputs)?));
        }
        if inputs != 1 || usize::try_from(groups) != Ok(outputs) {
            return Err(format!("{groups} groups"));
        }
        let is_scale = [height, width] == [1, 1] && bias.is_none() && window.stride == 1;
        let weights = weights_of(weights, bias, 1, outputs)?;
        Ok(if is_scale { Op::Scale(weights.values) } else { Op::Depthwise(window, weights) })
    }

    fn resize(&self, node: &Node) -> Result<Op, Refusal> {
        let scales = self.constant(node, 2).map_or(&[][..], |scales| &scales.floats);
        if scales != [1.0, 1.0, 2.0, 2.0] {
            return Err("only to the double size".to_owned());
        }
        match (node.text("mode"), node.text("coordinate_transformation_mode")) {
            ("nearest", "asymmetric") if node.text("nearest_mode") == "floor" => Ok(Op::Double),
            ("linear", "half_pixel" | "") => Ok(Op::Resize),
            (mode, at) => Err(format!("{mode}, {at}")),
        }
    }
}

/// The output after a node that changes its form.
fn reformed(node: &Node, output: Output, shape: Option<&Constant>) -> Result<Output, Refusal> {
    let rank = shape.map_or(0, |shape| shape.integers.len());
    let form = match (node.operator.as_str(), output.form) {
        ("Transpose", Form::Planes) if node.integers("perm") == [0, 2, 3, 1] => Form::Pixels,
        ("Reshape", Form::Pixels) if rank == 3 => Form::Rows,
        ("Reshape", Form::Planes) if rank == 2 => Form::Flat,
        ("Sigmoid", form) if !output.sigmoid => return Ok(Output { sigmoid: true, form, ..output }),
        _ => return Err("at this place".to_owned()),
    };
    Ok(Output { form, ..output })
}

fn weights_of(weights: &Constant, bias: Option<&Constant>, inputs: usize, outputs: usize) -> Result<Weights, Refusal> {
    // A product that overflows is that of a damaged file.
    let len = weights.shape.iter().try_fold(1, |len: usize, side| len.checked_mul(*side));
    let is_whole = len == Some(weights.floats.len()) && !weights.floats.is_empty();
    if !is_whole || bias.is_some_and(|bias| bias.floats.len() != outputs) {
        return Err("its weights are incomplete".to_owned());
    }
    let bias = bias.map_or_else(|| vec![0.0; outputs], |bias| bias.floats.clone());
    Ok(Weights { values: weights.floats.clone(), bias, inputs, outputs })
}

/// The kernel of a pooling.
fn kernel(node: &Node) -> Result<[usize; 2], Refusal> {
    let &[height, width] = node.integers("kernel_shape") else { return Err("of its kernel".to_owned()) };
    Ok([positive(height)?, positive(width)?])
}

/// The window of a convolution or pooling with this kernel.
fn window(node: &Node, kernel: [usize; 2]) -> Result<Window, Refusal> {
    let stride = match node.integers("strides") {
        [] => 1,
        [rows, columns] if rows == columns => positive(*rows)?,
        _ => return Err("of its strides".to_owned()),
    };
    let pads = match node.integers("pads") {
        [] => [0; 4],
        &[top, left, bottom, right] => {
            let mut pads = [0; 4];
            for (pad, given) in pads.iter_mut().zip([top, left, bottom, right]) {
                *pad = usize::try_from(given).map_err(|_| "of its padding")?;
            }
            pads
        }
        _ => return Err("of its padding".to_owned()),
    };
    let dilated = node.integers("dilations").iter().any(|dilation| *dilation != 1);
    if dilated || !matches!(node.text("auto_pad"), "" | "NOTSET") {
        return Err("of its dilation or automatic padding".to_owned());
    }
    let [top, left, bottom, right] = pads;
    if top.max(bottom) >= kernel[0] || left.max(right) >= kernel[1] {
        return Err("of padding beyond its kernel".to_owned());
    }
    Ok(Window { kernel, stride, rows: [top, bottom], columns: [left, right] })
}

fn positive(number: i64) -> Result<usize, Refusal> {
    usize::try_from(number).ok().filter(|number| *number > 0).ok_or_else(|| format!("a size of {number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_a_false_shape_are_refused_before_memory_is_allocated() {
        let weights = |shape: [usize; 4], floats: usize| Constant {
            shape: shape.to_vec(),
            floats: vec![1.0; floats],
            ..Constant::default()
        };
        assert!(weights_of(&weights([2, 3, 1, 1], 6), None, 3, 2).is_ok());
        for (shape, floats) in [([1 << 62, 4, 1, 1], 0), ([1 << 62, 1, 1, 1], 6), ([2, 3, 1, 1], 5), ([0, 3, 1, 1], 0)]
        {
            assert!(weights_of(&weights(shape, floats), None, shape[1], shape[0]).is_err(), "{shape:?}");
        }
    }
}
