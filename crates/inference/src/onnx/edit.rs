//! Removal of a model's fixed input size.

use crate::onnx::wire::{FieldEdit, WireError, fields, put_bytes, rewrite};

// Field numbers of onnx.proto (ONNX 1.16, unchanged since IR version 3).
const MODEL_GRAPH: u64 = 7;
const GRAPH_INITIALIZER: u64 = 5;
const GRAPH_INPUT: u64 = 11;
const GRAPH_OUTPUT: u64 = 12;
const GRAPH_VALUE_INFO: u64 = 13;
const TENSOR_NAME: u64 = 8;
const VALUE_NAME: u64 = 1;
const VALUE_TYPE: u64 = 2;
const TYPE_TENSOR: u64 = 1;
const TENSOR_SHAPE: u64 = 2;
const SHAPE_DIM: u64 = 1;
const DIM_PARAM: u64 = 2;

/// Rewrites a model so that engines that rely on its shape information accept other input sizes.
///
/// The published YuNet file has every inner shape for 640 x 640, and ONNX Runtime and rten reject other sizes for that
/// reason. This function drops the shapes of inner values and makes symbolic: height and width of every
/// four-dimensional input, and the row count (the second of three or more dimensions) of every output. Weights and
/// operators are copied byte for byte.
///
/// # Errors
/// The bytes are not a protocol buffer with a graph.
pub fn free_input_size(model: &[u8]) -> Result<Vec<u8>, WireError> {
    let mut graphs = 0;
    let freed = rewrite(model, |field| {
        if field.number != MODEL_GRAPH {
            return Ok(FieldEdit::Keep);
        }
        graphs += 1;
        free_graph(field.bytes()).map(FieldEdit::Replace)
    })?;
    if graphs == 1 { Ok(freed) } else { Err(WireError) }
}

fn free_graph(graph: &[u8]) -> Result<Vec<u8>, WireError> {
    let mut weights = Vec::new();
    for field in fields(graph) {
        let field = field?;
        if field.number == GRAPH_INITIALIZER {
            weights.push(text_of(field.bytes(), TENSOR_NAME)?);
        }
    }
    let mut outputs = 0;
    rewrite(graph, |field| match field.number {
        GRAPH_VALUE_INFO => Ok(FieldEdit::Drop),
        // Before IR version 4, weights are listed as inputs too.
        GRAPH_INPUT if !weights.contains(&text_of(field.bytes(), VALUE_NAME)?) => {
            let symbol = |axis: usize, rank: usize| match (axis, rank) {
                (2, 4) => Some("height".to_owned()),
                (3, 4) => Some("width".to_owned()),
                _ => None,
            };
            free_value(field.bytes(), &symbol).map(FieldEdit::Replace)
        }
        GRAPH_OUTPUT => {
            outputs += 1;
            let name = format!("rows_{outputs}");
            let symbol = |axis: usize, rank: usize| (axis == 1 && rank >= 3).then(|| name.clone());
            free_value(field.bytes(), &symbol).map(FieldEdit::Replace)
        }
        _ => Ok(FieldEdit::Keep),
    })
}

/// The symbol that replaces a dimension, by axis and rank.
type Symbol<'a> = &'a dyn Fn(usize, usize) -> Option<String>;

fn free_value(value: &[u8], symbol: Symbol<'_>) -> Result<Vec<u8>, WireError> {
    rewrite_field(value, VALUE_TYPE, |of_type| {
        rewrite_field(of_type, TYPE_TENSOR, |tensor| {
            rewrite_field(tensor, TENSOR_SHAPE, |shape| free_shape(shape, symbol))
        })
    })
}

fn free_shape(shape: &[u8], symbol: Symbol<'_>) -> Result<Vec<u8>, WireError> {
    let rank = fields(shape).filter(|field| field.as_ref().is_ok_and(|field| field.number == SHAPE_DIM)).count();
    let mut axis = 0;
    rewrite(shape, |field| {
        if field.number != SHAPE_DIM {
            return Ok(FieldEdit::Keep);
        }
        axis += 1;
        Ok(symbol(axis - 1, rank).map_or(FieldEdit::Keep, |name| {
            let mut dim = Vec::new();
            put_bytes(&mut dim, DIM_PARAM, name.as_bytes());
            FieldEdit::Replace(dim)
        }))
    })
}

/// Rewrites the fields with number `number` in `message`.
fn rewrite_field(
    message: &[u8],
    number: u64,
    mut change: impl FnMut(&[u8]) -> Result<Vec<u8>, WireError>,
) -> Result<Vec<u8>, WireError> {
    rewrite(message, |field| {
        if field.number == number { change(field.bytes()).map(FieldEdit::Replace) } else { Ok(FieldEdit::Keep) }
    })
}

fn text_of(message: &[u8], number: u64) -> Result<String, WireError> {
    for field in fields(message) {
        let field = field?;
        if field.number == number {
            return Ok(field.text());
        }
    }
    Ok(String::new())
}
