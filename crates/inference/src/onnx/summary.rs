//! Summary of an ONNX file, read without an engine.

use std::collections::{BTreeMap, HashMap};

use geometry::Size;

use crate::onnx::wire::{Field, Value, WireError, fields};

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

#[derive(Clone, Debug, PartialEq, Default)]
struct Graph {
    nodes: Vec<Node>,
    weights: HashMap<String, Weight>,
}

#[derive(Clone, Debug, PartialEq, Default)]
struct Node {
    operator: String,
    inputs: Vec<String>,
    outputs: Vec<String>,
    integers: HashMap<String, Vec<i64>>,
}

#[derive(Clone, Debug, PartialEq, Default)]
struct Weight {
    dims: Vec<i64>,
    floats: Vec<f32>,
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
        summary.read_graph(graph.ok_or(WireError)?)?;
        Ok(summary)
    }

    fn read_graph(&mut self, graph: &[u8]) -> Result<(), WireError> {
        let mut operators = BTreeMap::<String, usize>::new();
        for field in fields(graph) {
            let field = field?;
            match field.number {
                1 => {
                    let node = read_node(field.bytes())?;
                    *operators.entry(node.operator.clone()).or_default() += 1;
                    self.graph.nodes.push(node);
                }
                5 => {
                    let (name, weight) = read_weight(field.bytes())?;
                    self.parameters += weight.dims.iter().map(|dim| dim.unsigned_abs()).product::<u64>();
                    self.graph.weights.insert(name, weight);
                }
                11 => self.inputs.push(read_value(field.bytes())?),
                12 => self.outputs.push(read_value(field.bytes())?),
                _ => {}
            }
        }
        self.inputs.retain(|input| !self.graph.weights.contains_key(&input.name));
        self.operators = operators.into_iter().collect();
        self.operators.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Ok(())
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
                    let weight = self.graph.weights.get(node.inputs.get(1)?)?;
                    let &[out_channels, in_channels, kernel_h, kernel_w] = weight.dims.as_slice() else { return None };
                    let out = node.window(size?, [kernel_h, kernel_w])?;
                    let each = u64::try_from(in_channels * kernel_h * kernel_w).ok()?;
                    total += u64::try_from(out_channels * out[0] * out[1]).ok()? * each;
                    Some(out)
                }
                "ConvTranspose" => {
                    let weight = self.graph.weights.get(node.inputs.get(1)?)?;
                    let &[in_channels, out_channels, kernel_h, kernel_w] = weight.dims.as_slice() else { return None };
                    let [height, width] = size?;
                    let each = u64::try_from(out_channels * kernel_h * kernel_w).ok()?;
                    total += u64::try_from(in_channels * height * width).ok()? * each;
                    Some(node.spread([height, width], [kernel_h, kernel_w]))
                }
                "MaxPool" | "AveragePool" => {
                    let kernel = node.integers.get("kernel_shape")?;
                    Some(node.window(size?, [*kernel.first()?, *kernel.get(1)?])?)
                }
                "Resize" | "Upsample" => {
                    let scales = node.inputs.iter().filter_map(|name| self.graph.weights.get(name));
                    let [.., y, x] = *scales.map(|weight| weight.floats.as_slice()).find(|f| f.len() == 4)? else {
                        return None;
                    };
                    let scaled = |length: i64, scale: f32| (length as f64 * f64::from(scale)).floor() as i64;
                    size.map(|[height, width]| [scaled(height, y), scaled(width, x)])
                }
                "GlobalAveragePool" => Some([1, 1]),
                "Gemm" | "MatMul" => {
                    let weight = self.graph.weights.get(node.inputs.get(1)?)?;
                    total += weight.dims.iter().map(|dim| dim.unsigned_abs()).product::<u64>();
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
        match self.integers.get(name) {
            Some(values) if values.len() == length => values.clone(),
            _ => vec![default; length],
        }
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

fn read_node(message: &[u8]) -> Result<Node, WireError> {
    let mut node = Node::default();
    for field in fields(message) {
        let field = field?;
        match field.number {
            1 => node.inputs.push(field.text()),
            2 => node.outputs.push(field.text()),
            4 => node.operator = field.text(),
            5 => {
                let (mut name, mut integers) = (String::new(), Vec::new());
                for part in fields(field.bytes()) {
                    let part = part?;
                    match part.number {
                        1 => name = part.text(),
                        8 => integers.extend(part.integers()?),
                        _ => {}
                    }
                }
                node.integers.insert(name, integers);
            }
            _ => {}
        }
    }
    Ok(node)
}

/// Name, dimensions, and values of a weight; values only for small 32-bit float weights (the scales of a resize).
fn read_weight(message: &[u8]) -> Result<(String, Weight), WireError> {
    let (mut name, mut weight, mut element) = (String::new(), Weight::default(), 0);
    let mut raw: &[u8] = &[];
    for field in fields(message) {
        let field = field?;
        match field.number {
            1 => weight.dims.extend(field.integers()?),
            2 => element = first_integer(&field)?,
            // Packed or not, four bytes per number.
            4 => match field.value {
                Value::Fixed32(bytes) => weight.floats.push(f32::from_le_bytes(bytes)),
                _ => raw = field.bytes(),
            },
            8 => name = field.text(),
            9 => raw = field.bytes(),
            _ => {}
        }
    }
    if element == 1 && raw.len() <= 64 {
        let (floats, _) = raw.as_chunks::<4>();
        weight.floats.extend(floats.iter().map(|bytes| f32::from_le_bytes(*bytes)));
    }
    Ok((name, weight))
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
