//! The candle engine: pure Rust, on the CPU; slow, and included for comparisons. Optional feature `candle`.

use std::collections::HashMap;

use candle_core::{Device, Tensor};
use candle_onnx::onnx::ModelProto;
use ndarray::ArrayView4;
use prost::Message;
use rayon::{ThreadPool, ThreadPoolBuilder};

use inference::onnx::free_input_size;
use inference::{Backend, ModelBytes, Outputs, Session, SessionOptions, input_values, one_line};
use outcome::{BackendError, OutputInfo, SessionInfo};
use recipe::BackendKind;

/// Version of candle, as in Cargo.lock; checked by a test.
const VERSION: &str = "0.11.1";

/// The engine.
pub static CANDLE: Candle = Candle;

/// Interprets the graph of any ONNX model node by node.
#[derive(Debug)]
pub struct Candle;

impl Backend for Candle {
    fn open(
        &self,
        _: BackendKind,
        model: &ModelBytes,
        options: &SessionOptions,
    ) -> Result<Box<dyn Session>, BackendError> {
        let load = |reason| BackendError::Load { kind: BackendKind::Candle, model: model.name.clone(), reason };
        let refused = |error: &dyn std::fmt::Display| load(one_line(error).into());
        let bytes = free_input_size(model.as_bytes()).map_err(|error| load(error.into()))?;
        let loaded = ModelProto::decode(bytes.as_slice()).map_err(|error| refused(&error))?;
        let input = only_input(&loaded).map_err(|error| refused(&error))?;
        let threads = options.runtime.threads;
        let pool = (threads > 0).then(|| ThreadPoolBuilder::new().num_threads(threads).build());
        let mut session = CandleSession {
            info: SessionInfo {
                kind: BackendKind::Candle,
                version: VERSION.to_owned(),
                device: "CPU".to_owned(),
                input: options.input,
                outputs: Vec::new(),
            },
            shape: [1, 3, options.input.height as usize, options.input.width as usize],
            input,
            pool: pool.transpose().map_err(|error| refused(&error))?,
            model: loaded,
        };
        // The graph is interpreted node by node: only a run shows whether every operator is supported.
        let blank = vec![0.0; session.shape.iter().product()];
        session.info.outputs = session
            .evaluate(&blank)
            .map_err(|error| refused(&error))?
            .into_iter()
            .map(|(name, tensor)| OutputInfo { name, shape: Some(tensor.dims().to_vec()) })
            .collect();
        Ok(Box::new(session))
    }
}

/// The name of the single input that is not a weight.
fn only_input(model: &ModelProto) -> Result<String, String> {
    let graph = model.graph.as_ref().ok_or("it has no graph")?;
    let is_weight = |name: &str| graph.initializer.iter().any(|weight| weight.name == name);
    let mut inputs = graph.input.iter().map(|input| &input.name).filter(|name| !is_weight(name));
    match (inputs.next(), inputs.count()) {
        (Some(name), 0) => Ok(name.clone()),
        (None, _) => Err("it has 0 inputs; one is expected".to_owned()),
        (Some(_), more) => Err(format!("it has {} inputs; one is expected", more + 1)),
    }
}

struct CandleSession {
    info: SessionInfo,
    shape: [usize; 4],
    model: ModelProto,
    /// The name of the input.
    input: String,
    /// Thread pool of this session; `None` for the engine's default.
    pool: Option<ThreadPool>,
}

impl CandleSession {
    /// Every output by name, in the model's order.
    fn evaluate(&self, values: &[f32]) -> candle_core::Result<Vec<(String, Tensor)>> {
        let input = Tensor::from_slice(values, &self.shape, &Device::Cpu)?;
        let inputs = HashMap::from([(self.input.clone(), input)]);
        let run = || candle_onnx::simple_eval(&self.model, inputs);
        let mut results = match &self.pool {
            Some(pool) => pool.install(run),
            None => run(),
        }?;
        let named = |output: &candle_onnx::onnx::ValueInfoProto| {
            let tensor = results.remove(&output.name);
            tensor
                .map(|tensor| (output.name.clone(), tensor))
                .ok_or_else(|| candle_core::Error::Msg(format!("the output {} was not computed", output.name)))
        };
        self.model.graph.iter().flat_map(|graph| &graph.output).map(named).collect()
    }
}

impl Session for CandleSession {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn run(&mut self, input: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError> {
        let values = input_values(&input, self.shape)?;
        let results = self.evaluate(&values).map_err(|error| run_error(&error))?;
        for (index, (name, tensor)) in results.iter().enumerate() {
            let values = tensor.flatten_all().and_then(|flat| flat.to_vec1::<f32>());
            outputs.set(index, name, tensor.dims(), values.map_err(|error| run_error(&error))?);
        }
        Ok(())
    }
}

fn run_error(error: &dyn std::fmt::Display) -> BackendError {
    BackendError::Run { kind: BackendKind::Candle, reason: one_line(error) }
}

#[cfg(test)]
mod tests {
    use super::VERSION;

    #[test]
    fn the_version_matches_the_lock_file() {
        let lock = include_str!("../../../Cargo.lock");
        assert!(lock.contains(&format!("name = \"candle-onnx\"\nversion = \"{VERSION}\"")));
        assert!(lock.contains(&format!("name = \"candle-core\"\nversion = \"{VERSION}\"")));
    }
}
