//! The graph of an ONNX file: nodes and constants.

use std::collections::HashMap;

use super::wire::{Field, Value, WireError, fields};

/// The graph of a model, as far as an engine of our own needs it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The operators in the order of the file, which is an order of execution.
    pub nodes: Vec<Node>,
    /// Weights and other constants by name.
    pub constants: HashMap<String, Constant>,
    /// Names of the inputs that are not constants.
    pub inputs: Vec<String>,
    /// Names of the outputs.
    pub outputs: Vec<String>,
}

/// An operator with its inputs and outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The operator, for example `Conv`.
    pub operator: String,
    /// Names of the inputs; an empty name is an absent input.
    pub inputs: Vec<String>,
    /// Names of the outputs.
    pub outputs: Vec<String>,
    attributes: HashMap<String, Attribute>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Attribute {
    integers: Vec<i64>,
    text: String,
}

/// A constant tensor of 32-bit floats or 64-bit integers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constant {
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its values in row-major order, if they are floats.
    pub floats: Vec<f32>,
    /// Its values in row-major order, if they are integers.
    pub integers: Vec<i64>,
}

impl Constant {
    /// Number of values by its shape, at most [`u64::MAX`].
    pub(super) fn len(&self) -> u64 {
        self.shape.iter().fold(1, |len: u64, side| len.saturating_mul(*side as u64))
    }
}

impl Node {
    /// The integers of an attribute; empty if it is absent.
    pub fn integers(&self, attribute: &str) -> &[i64] {
        self.attributes.get(attribute).map_or(&[], |attribute| &attribute.integers)
    }

    /// The text of an attribute; empty if it is absent.
    pub fn text(&self, attribute: &str) -> &str {
        self.attributes.get(attribute).map_or("", |attribute| &attribute.text)
    }
}

impl Graph {
    /// Reads the graph of an ONNX file.
    ///
    /// # Errors
    /// The bytes are not an ONNX file.
    pub fn read(model: &[u8]) -> Result<Self, WireError> {
        let mut graph = Self::default();
        for field in fields(model) {
            let field = field?;
            if field.number == 7 {
                graph.add(field.bytes())?;
            }
        }
        let constants = &graph.constants;
        graph.inputs.retain(|name| !constants.contains_key(name));
        Ok(graph)
    }

    fn add(&mut self, graph: &[u8]) -> Result<(), WireError> {
        for field in fields(graph) {
            let field = field?;
            match field.number {
                1 => self.nodes.push(node(field.bytes())?),
                5 => {
                    let (name, constant) = constant(field.bytes())?;
                    self.constants.insert(name, constant);
                }
                11 => self.inputs.push(name(field.bytes())?),
                12 => self.outputs.push(name(field.bytes())?),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The name of an input or output.
fn name(value: &[u8]) -> Result<String, WireError> {
    for field in fields(value) {
        let field = field?;
        if field.number == 1 {
            return Ok(field.text());
        }
    }
    Err(WireError)
}

fn node(bytes: &[u8]) -> Result<Node, WireError> {
    let mut node = Node::default();
    for field in fields(bytes) {
        let field = field?;
        match field.number {
            1 => node.inputs.push(field.text()),
            2 => node.outputs.push(field.text()),
            4 => node.operator = field.text(),
            5 => {
                let (name, attribute) = attribute(field.bytes())?;
                node.attributes.insert(name, attribute);
            }
            _ => {}
        }
    }
    Ok(node)
}

fn attribute(bytes: &[u8]) -> Result<(String, Attribute), WireError> {
    let (mut name, mut attribute) = (String::new(), Attribute::default());
    for field in fields(bytes) {
        let field = field?;
        match field.number {
            1 => name = field.text(),
            3 | 8 => attribute.integers.extend(field.integers()?),
            4 => attribute.text = field.text(),
            _ => {}
        }
    }
    Ok((name, attribute))
}

/// The element types that are read.
const FLOAT: i64 = 1;
const INT64: i64 = 7;

fn constant(bytes: &[u8]) -> Result<(String, Constant), WireError> {
    let (mut name, mut constant, mut element) = (String::new(), Constant::default(), 0);
    let mut raw: &[u8] = &[];
    for field in fields(bytes) {
        let field = field?;
        match field.number {
            1 => {
                for length in field.integers()? {
                    constant.shape.push(usize::try_from(length).map_err(|_| WireError)?);
                }
            }
            2 => element = field.integers()?.first().copied().ok_or(WireError)?,
            4 => constant.floats.extend(floats(&field)),
            7 => constant.integers.extend(field.integers()?),
            8 => name = field.text(),
            9 => raw = field.bytes(),
            _ => {}
        }
    }
    match element {
        FLOAT => constant.floats.extend(raw.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes))),
        INT64 => constant.integers.extend(raw.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes))),
        _ => {}
    }
    Ok((name, constant))
}

fn floats<'a>(field: &Field<'a>) -> impl Iterator<Item = f32> + 'a {
    let packed = field.bytes().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let single = if let Value::Fixed32(bytes) = field.value { Some(f32::from_le_bytes(bytes)) } else { None };
    packed.chain(single)
}
