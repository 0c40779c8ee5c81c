//! Summary of an ONNX file, read without an engine.

use std::collections::{BTreeMap, HashMap};

use geometry::Size;

use super::graph::{Constant, Graph, Node};
use super::wire::{Field, Value, WireError, fields};

/// Maximum number of floats that may be the scales of a resize.
const MAX_SCALES: usize = 4;

/// Summary of a model.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ModelSummary {
    /// Version of the file format.
    pub ir_version: i64,
    /// Operator sets: domain (empty for ONNX's own) and version.
    pub opsets: Vec<(String, i64)>,
    /// The program that wrote the file, and its version.
    pub producer: String,
    /// Inputs that are not weights.
    pub inputs: Vec<ValueSummary>,
    /// Outputs.
    pub outputs: Vec<ValueSummary>,
    /// Number of occurrences of each operator, most frequent first.
    pub operators: Vec<(String, usize)>,
    /// Number of values in all weights.
    pub parameters: u64,
    graph: Graph,
}

/// An input or output of a model.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ValueSummary {
    /// Its name.
    pub name: String,
    /// Element type as in ONNX: `float32`, `int64`, ..
    pub element: String,
    /// Dimensions: numbers, or names of symbols.
    pub dims: Vec<String>,
}

impl ModelSummary {
    /// Reads a model.
    ///
    /// # Errors
    /// The bytes are not a protocol buffer with a graph.
    pub fn read(model: &[u8]) -> Result<Self, WireError> {
        let mut summary = Self::default();
        let mut producer = [String::new(), String::new()];
        let mut graph = None;
        for field in fields(model) {
            let field = field?;
            match field.number {
                1 => summary.ir_version = first_integer(&field)?,
                2 => producer[0] = field.text(),
                3 => producer[1] = field.text(),
                7 => graph = Some(field.bytes()),
                8 => summary.opsets.push(read_opset(field.bytes())?),
                _ => {}
            }
        }
        summary.producer = producer.join(" ").trim().to_owned();
        summary.graph = Graph::read(model)?;
        summary.read_values(graph.ok_or(WireError)?)?;
        summary.count();
        Ok(summary)
    }

    fn read_values(&mut self, graph: &[u8]) -> Result<(), WireError> {
        for field in fields(graph) {
            let field = field?;
            match field.number {
                11 => self.inputs.push(read_value(field.bytes())?),
                12 => self.outputs.push(read_value(field.bytes())?),
                _ => {}
            }
        }
        self.inputs.retain(|input| !self.graph.constants.contains_key(&input.name));
        Ok(())
    }

    /// Counts operators and weights, and drops the values of the weights: only the scales of a resize are used later.
    fn count(&mut self) {
        let mut operators = BTreeMap::<&str, usize>::new();
        for node in &self.graph.nodes {
            *operators.entry(&node.operator).or_default() += 1;
        }
        self.operators = operators.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        self.operators.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for constant in self.graph.constants.values_mut() {
            self.parameters = self.parameters.saturating_add(constant.len());
            if constant.floats.len() > MAX_SCALES {
                constant.floats = Vec::new();
            }
        }
    }

    /// Width and height in pixels of the first input, of shape `[1, 3, height, width]`; `None` if they are not fixed.
    pub fn fixed_input(&self) -> Option<Size> {
        let [_, _, height, width] = self.inputs.first()?.dims.as_slice() else { return None };
        Some(Size::new(width.parse().ok()?, height.parse().ok()?)).filter(|size| size.pixels() > 0)
    }

    /// Multiply-accumulate operations of all convolutions and matrix products for an input of `input` pixels; `None` if
    /// the output size of a convolution cannot be derived from the file.
    pub fn multiply_adds(&self, input: Size) -> Option<u64> {
        let mut sizes: HashMap<&str, [i64; 2]> = HashMap::new();
        for value in &self.inputs {
            sizes.insert(&value.name, [i64::from(input.height), i64::from(input.width)]);
        }
        let mut total = 0_u64;
        for node in &self.graph.nodes {
            let size = node.inputs.iter().find_map(|name| sizes.get(name.as_str()).copied());
            let out = match node.operator.as_str() {
                "Conv" => {
                    let weight = self.graph.constants.get(node.inputs.get(1)?)?;
                    let [out_channels, in_channels, kernel_h, kernel_w] = dims(weight)?;
                    let out = node.window(size?, [kernel_h, kernel_w])?;
                    let each = u64::try_from(in_channels * kernel_h * kernel_w).ok()?;
                    total += u64::try_from(out_channels * out[0] * out[1]).ok()? * each;
                    Some(out)
                }
                "ConvTranspose" => {
                    let weight = self.graph.constants.get(node.inputs.get(1)?)?;
                    let [in_channels, out_channels, kernel_h, kernel_w] = dims(weight)?;
                    let [height, width] = size?;
                    let each = u64::try_from(out_channels * kernel_h * kernel_w).ok()?;
                    total += u64::try_from(in_channels * height * width).ok()? * each;
                    Some(node.spread([height, width], [kernel_h, kernel_w]))
                }
                "MaxPool" | "AveragePool" => {
                    let kernel = node.integers("kernel_shape");
                    Some(node.window(size?, [*kernel.first()?, *kernel.get(1)?])?)
                }
                "Resize" | "Upsample" => {
                    let scales = node.inputs.iter().filter_map(|name| self.graph.constants.get(name));
                    let [.., y, x] = *scales.map(|weight| weight.floats.as_slice()).find(|f| f.len() == 4)? else {
                        return None;
                    };
                    let scaled = |length: i64, scale: f32| (length as f64 * f64::from(scale)).floor() as i64;
                    size.map(|[height, width]| [scaled(height, y), scaled(width, x)])
                }
                "GlobalAveragePool" => Some([1, 1]),
                "Gemm" | "MatMul" => {
                    let weight = self.graph.constants.get(node.inputs.get(1)?)?;
                    total = total.saturating_add(weight.len());
                    size
                }
                _ => size,
            };
            for output in &node.outputs {
                sizes.extend(out.map(|size| (output.as_str(), size)));
            }
        }
        Some(total)
    }
}

impl Node {
    /// The attribute `name`, a list of `length` numbers, or `default` for each.
    fn list(&self, name: &str, length: usize, default: i64) -> Vec<i64> {
        let values = self.integers(name);
        if values.len() == length { values.to_vec() } else { vec![default; length] }
    }

    /// Strides, dilations and pads of a window.
    fn steps(&self) -> (Vec<i64>, Vec<i64>, Vec<i64>) {
        (self.list("strides", 2, 1), self.list("dilations", 2, 1), self.list("pads", 4, 0))
    }

    /// Height and width after spreading each pixel of `size` to `kernel` pixels.
    fn spread(&self, size: [i64; 2], kernel: [i64; 2]) -> [i64; 2] {
        let ((strides, dilations, pads), more) = (self.steps(), self.list("output_padding", 2, 0));
        std::array::from_fn(|axis| {
            let reach = dilations[axis] * (kernel[axis] - 1) + 1;
            (size[axis] - 1) * strides[axis] + reach + more[axis] - pads[axis] - pads[axis + 2]
        })
    }

    /// Height and width after a sliding window of `kernel` pixels over `size`.
    fn window(&self, size: [i64; 2], kernel: [i64; 2]) -> Option<[i64; 2]> {
        let (strides, dilations, pads) = self.steps();
        let mut out = [0; 2];
        for axis in 0..2 {
            let reach = dilations[axis] * (kernel[axis] - 1) + 1;
            let span = size[axis] + pads[axis] + pads[axis + 2] - reach;
            out[axis] = span.checked_div(strides[axis])? + 1;
        }
        (out[0] > 0 && out[1] > 0).then_some(out)
    }
}

fn first_integer(field: &Field<'_>) -> Result<i64, WireError> {
    field.integers()?.first().copied().ok_or(WireError)
}

fn read_opset(message: &[u8]) -> Result<(String, i64), WireError> {
    let mut opset = (String::new(), 0);
    for field in fields(message) {
        let field = field?;
        match field.number {
            1 => opset.0 = field.text(),
            2 => opset.1 = first_integer(&field)?,
            _ => {}
        }
    }
    Ok(opset)
}

/// The four dimensions of the weights of a convolution.
fn dims(weight: &Constant) -> Option<[i64; 4]> {
    let lengths: [usize; 4] = weight.shape.as_slice().try_into().ok()?;
    let mut dims = [0; 4];
    for (dim, length) in dims.iter_mut().zip(lengths) {
        *dim = i64::try_from(length).ok()?;
    }
    Some(dims)
}

fn read_value(message: &[u8]) -> Result<ValueSummary, WireError> {
    let mut value = ValueSummary::default();
    for field in fields(message) {
        let field = field?;
        match field.number {
            1 => value.name = field.text(),
            2 => {
                for tensor in fields(field.bytes()).filter(|part| part.as_ref().is_ok_and(|part| part.number == 1)) {
                    read_tensor_type(tensor?.bytes(), &mut value)?;
                }
            }
            _ => {}
        }
    }
    Ok(value)
}

fn read_tensor_type(message: &[u8], value: &mut ValueSummary) -> Result<(), WireError> {
    for field in fields(message) {
        let field = field?;
        match field.number {
            1 => value.element = element_name(first_integer(&field)?),
            2 => {
                for dim in fields(field.bytes()) {
                    let dim = dim?;
                    let mut text = "?".to_owned();
                    for part in fields(dim.bytes()) {
                        let part = part?;
                        text = match part.value {
                            Value::Varint(number) => number.to_string(),
                            _ => part.text(),
                        };
                    }
                    value.dims.push(text);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The name of an element type, by its number in TensorProto.DataType of onnx.proto.
fn element_name(number: i64) -> String {
    let known = match number {
        1 => "float32",
        2 => "uint8",
        3 => "int8",
        4 => "uint16",
        5 => "int16",
        6 => "int32",
        7 => "int64",
        8 => "string",
        9 => "bool",
        10 => "float16",
        11 => "float64",
        16 => "bfloat16",
        _ => return format!("type {number}"),
    };
    known.to_owned()
}
