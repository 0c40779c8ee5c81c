//! The rten engine: pure Rust, on the CPU, fast to load.

use std::sync::Arc;

use ndarray::ArrayView4;
use rten::{Dimension, Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueView};

use inference::onnx::free_input_size;
use inference::{Backend, ModelBytes, Outputs, Session, SessionOptions, input_values, one_line};
use outcome::{BackendError, OutputInfo, SessionInfo};
use recipe::BackendKind;

/// Version of rten, as in Cargo.lock; checked by a test.
const VERSION: &str = "0.27.0";

/// The engine.
pub(super) static RTEN: Rten = Rten;

pub(super) struct Rten;

impl Backend for Rten {
    fn open(
        &self,
        _: BackendKind,
        model: &ModelBytes,
        options: &SessionOptions,
    ) -> Result<Box<dyn Session>, BackendError> {
        let load = |reason| BackendError::Load { kind: BackendKind::Rten, model: model.name.clone(), reason };
        let refused = |error: &dyn std::fmt::Display| load(one_line(error).into());
        let bytes = free_input_size(model.as_bytes()).map_err(|error| load(error.into()))?;
        let loaded = ModelOptions::with_all_ops().prepack_weights(true).load(bytes).map_err(|error| refused(&error))?;
        let &[input] = loaded.input_ids() else {
            return Err(refused(&format!("it has {} inputs; one is expected", loaded.input_ids().len())));
        };
        let outputs = loaded.output_ids().iter().map(|id| output_info(&loaded, *id)).collect();
        let threads = options.runtime.threads;
        let pool = (threads > 0).then(|| Arc::new(ThreadPool::with_num_threads(threads)));
        Ok(Box::new(RtenSession {
            info: SessionInfo {
                kind: BackendKind::Rten,
                version: VERSION.to_owned(),
                device: "CPU".to_owned(),
                input: options.input,
                outputs,
            },
            shape: [1, 3, options.input.height as usize, options.input.width as usize],
            ranks: loaded.output_ids().iter().map(|id| dimensions(&loaded, *id).map_or(3, |dims| dims.len())).collect(),
            output_ids: loaded.output_ids().to_vec(),
            input,
            model: loaded,
            options: RunOptions::default().with_thread_pool(pool),
        }))
    }
}

fn dimensions(model: &Model, id: NodeId) -> Option<Vec<Dimension>> {
    model.node_info(id)?.shape()
}

/// Name and shape of an output; no shape if it depends on the input size.
fn output_info(model: &Model, id: NodeId) -> OutputInfo {
    let fixed = |dim: &Dimension| match dim {
        Dimension::Fixed(length) => Some(*length),
        Dimension::Symbolic(_) => None,
    };
    let info = model.node_info(id);
    OutputInfo {
        name: info.and_then(|info| info.name()).unwrap_or_default().to_owned(),
        shape: dimensions(model, id).and_then(|dims| dims.iter().map(fixed).collect()),
    }
}

struct RtenSession {
    info: SessionInfo,
    shape: [usize; 4],
    model: Model,
    input: NodeId,
    output_ids: Vec<NodeId>,
    /// Number of dimensions of each output.
    ranks: Vec<usize>,
    options: RunOptions,
}

impl Session for RtenSession {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn run(&mut self, input: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError> {
        let values = input_values(&input, self.shape)?;
        let view = ValueView::from_shape(self.shape, &values).map_err(|error| run_error(&error))?;
        let results = self
            .model
            .run(vec![(self.input, view.into())], &self.output_ids, Some(self.options.clone()))
            .map_err(|error| run_error(&error))?;
        for (index, ((info, rank), result)) in self.info.outputs.iter().zip(&self.ranks).zip(results).enumerate() {
            let (shape, values) = shape_and_values(result, *rank).map_err(|error| run_error(&error))?;
            outputs.set(index, &info.name, &shape, values);
        }
        Ok(())
    }
}

/// Converts a tensor of `rank` dimensions into shape and values without a copy: rten requires the rank at compile time.
fn shape_and_values(value: Value, rank: usize) -> Result<(Vec<usize>, Vec<f32>), rten::TryFromValueError> {
    fn owned<const N: usize>((shape, values): ([usize; N], Vec<f32>)) -> (Vec<usize>, Vec<f32>) {
        (shape.to_vec(), values)
    }
    match rank {
        0 => value.into_shape_vec::<f32, 0>().map(owned),
        1 => value.into_shape_vec::<f32, 1>().map(owned),
        2 => value.into_shape_vec::<f32, 2>().map(owned),
        3 => value.into_shape_vec::<f32, 3>().map(owned),
        _ => value.into_shape_vec::<f32, 4>().map(owned),
    }
}

fn run_error(error: &dyn std::fmt::Display) -> BackendError {
    BackendError::Run { kind: BackendKind::Rten, reason: one_line(error) }
}

#[cfg(test)]
mod tests {
    use super::VERSION;

    #[test]
    fn the_version_matches_the_lock_file() {
        let lock = include_str!("../../../Cargo.lock");
        assert!(lock.contains(&format!("name = \"rten\"\nversion = \"{VERSION}\"")));
    }
}
