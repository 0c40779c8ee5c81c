//! The built-in engine: the operators of the bundled models, in plain Rust with the vectors of the processor.
//!
//! - `layers` reads the graph of an ONNX file; an operator that it does not know is an error that names it.
//! - `fuse` joins layers: activations, residuals, the heads of the detector.
//! - `plan` computes sizes for one input size, packs the weights, and finds chains of layers that hand rows to each other: of
//!   the images within a chain only the rows that the next layer needs exist, so that they stay in the processor's cache.
//! - `run` runs the plan; `chain` computes a chain of layers. Each thread computes a band of rows of every image (`images`) and
//!   waits for the others between steps (`barrier`).
//! - `kernels` compute one row. They are safe code over `pulp`, which chooses AVX-512, AVX2 with FMA, NEON or plain code when
//!   the program runs.
//!
//! Images are stored by pixels, with channels in blocks of 16.

mod barrier;
mod buffer;
mod chain;
mod fuse;
mod images;
mod kernels;
mod layers;
mod pack;
mod plan;
mod run;

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use ndarray::ArrayView4;

use inference::onnx::Graph;
use inference::{Backend, ModelBytes, Outputs, Session, SessionOptions, input_values};
use outcome::{BackendError, OutputInfo, SessionInfo};
use recipe::BackendKind;

use layers::{Layers, Refusal};
use plan::{Plan, Shape};
use run::Runner;

/// The engine.
pub static BUILTIN: Builtin = Builtin;

/// The built-in engine.
#[derive(Debug)]
pub struct Builtin;

impl Backend for Builtin {
    fn open(
        &self,
        kind: BackendKind,
        model: &ModelBytes,
        options: &SessionOptions,
    ) -> Result<Box<dyn Session>, BackendError> {
        let load = |reason| BackendError::Load { kind, model: model.name.clone(), reason };
        let graph = Graph::read(model.as_bytes()).map_err(|error| load(error.into()))?;
        let input = Shape { height: options.input.height as usize, width: options.input.width as usize, channels: 3 };
        let threads = match options.runtime.threads {
            0 => available_parallelism().map_or(1, NonZeroUsize::get),
            threads => threads,
        };
        let runner = runner(&graph, input, threads).map_err(|reason| load(reason.into()))?;
        let outputs = runner
            .outputs()
            .map(|output| OutputInfo { name: output.name.to_owned(), shape: Some(output.shape) })
            .collect();
        Ok(Box::new(BuiltinSession {
            info: SessionInfo {
                kind,
                version: env!("CARGO_PKG_VERSION").to_owned(),
                device: "CPU".to_owned(),
                input: options.input,
                outputs,
            },
            shape: [1, input.channels, input.height, input.width],
            runner,
        }))
    }
}

fn runner(graph: &Graph, input: Shape, threads: usize) -> Result<Runner, Refusal> {
    let mut layers = Layers::read(graph)?;
    fuse::fuse(&mut layers);
    Ok(Runner::new(Plan::new(&layers, input)?, input, threads))
}

struct BuiltinSession {
    info: SessionInfo,
    shape: [usize; 4],
    runner: Runner,
}

impl Session for BuiltinSession {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn run(&mut self, input: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError> {
        self.runner.run(&input_values(&input, self.shape)?);
        for (index, output) in self.runner.outputs().enumerate() {
            output.write(outputs.buffer(index, output.name, &output.shape));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
