//! The tract engine: pure Rust, on the CPU, part of every default build.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ndarray::ArrayView4;
use tract_linalg::multithread::{Executor, multithread_tract_scope};
use tract_onnx::prelude::*;

use inference::{Backend, ModelBytes, Outputs, Session, SessionOptions, input_values, one_line};
use outcome::{BackendError, OutputInfo, SessionInfo};
use recipe::BackendKind;

/// Version of tract, as in Cargo.toml; checked against the lock file by a test.
const VERSION: &str = "0.23.9";

/// The engine.
pub(super) static TRACT: Tract = Tract;

pub(super) struct Tract;

impl Backend for Tract {
    fn open(
        &self,
        _: BackendKind,
        model: &ModelBytes,
        options: &SessionOptions,
    ) -> Result<Box<dyn Session>, BackendError> {
        let shape = [1, 3, options.input.height as usize, options.input.width as usize];
        let (plan, outputs) = shared_plan(model, shape).map_err(|error| BackendError::Load {
            kind: BackendKind::Tract,
            model: model.name.clone(),
            reason: causes(&error).into(),
        })?;
        let info = SessionInfo {
            kind: BackendKind::Tract,
            version: VERSION.to_owned(),
            device: "CPU".to_owned(),
            input: options.input,
            outputs,
        };
        let state = plan.spawn().map_err(|error| run_error(&error))?;
        let executor = match options.runtime.threads {
            0 | 1 => Executor::SingleThread,
            threads => Executor::multithread_with_name(threads, "tract"),
        };
        Ok(Box::new(TractSession { info, shape, state, executor }))
    }
}

/// A model optimised for one input shape, and its outputs.
type Plan = (Arc<TypedRunnableModel>, Vec<OutputInfo>);

/// Plans by a hash of the model and the input shape.
type Plans = BTreeMap<(u64, [usize; 4]), (Weak<TypedRunnableModel>, Vec<OutputInfo>)>;

/// The plans in use: optimising takes longer than many runs, and the worker threads of a batch need the same ones.
static PLANS: Mutex<Plans> = Mutex::new(Plans::new());

/// The plan of `model`, which sessions of the same input shape share.
fn shared_plan(model: &ModelBytes, shape: [usize; 4]) -> TractResult<Plan> {
    let mut hasher = DefaultHasher::new();
    model.as_bytes().hash(&mut hasher);
    let key = (hasher.finish(), shape);
    // Also held while optimising: a thread that needs the same plan waits for it.
    let mut plans = PLANS.lock().unwrap_or_else(PoisonError::into_inner);
    plans.retain(|_, (plan, _)| plan.strong_count() > 0);
    if let Some((shared, outputs)) =
        plans.get(&key).and_then(|(plan, outputs)| Some((plan.upgrade()?, outputs.clone())))
    {
        return Ok((shared, outputs));
    }
    let (made, outputs) = plan(model, shape)?;
    plans.insert(key, (Arc::downgrade(&made), outputs.clone()));
    Ok((made, outputs))
}

/// Loads the model, fixes the input shape and optimises. The published YuNet file has inner shapes for 640 x 640; they
/// are ignored, so that the file can be used for every multiple of 32.
fn plan(model: &ModelBytes, shape: [usize; 4]) -> TractResult<Plan> {
    let mut graph =
        onnx().with_ignore_value_info(true).with_ignore_output_shapes(true).model_for_read(&mut model.as_bytes())?;
    graph.set_input_fact(0, f32::fact(shape).into())?;
    // Names come from the published model: optimising renames the nodes behind the outputs.
    let names: Vec<String> = graph
        .output_outlets()?
        .iter()
        .map(|outlet| graph.outlet_label(*outlet).unwrap_or(&graph.node(outlet.node).name).to_owned())
        .collect();
    let optimized = graph.into_typed()?.into_optimized()?;
    let outputs = names
        .into_iter()
        .enumerate()
        .map(|(index, name)| {
            let shape = optimized.output_fact(index)?.shape.as_concrete().map(<[usize]>::to_vec);
            Ok(OutputInfo { name, shape })
        })
        .collect::<TractResult<_>>()?;
    Ok((optimized.into_runnable()?, outputs))
}

struct TractSession {
    info: SessionInfo,
    shape: [usize; 4],
    state: TypedSimpleState,
    executor: Executor,
}

impl Session for TractSession {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn run(&mut self, input: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError> {
        let values = input_values(&input, self.shape)?;
        let tensor = Tensor::from_shape(&self.shape, &values).map_err(|error| run_error(&error))?;
        let run = || self.state.run(tvec!(tensor.into_tvalue()));
        // For this run on this thread only: other sessions have their own threads.
        let results = multithread_tract_scope(self.executor.clone(), run).map_err(|error| run_error(&error))?;
        for (index, (info, result)) in self.info.outputs.iter().zip(results.iter()).enumerate() {
            let view = result.to_plain_array_view::<f32>().map_err(|error| run_error(&error))?;
            outputs.set(index, &info.name, view.shape(), view.iter().copied());
        }
        Ok(())
    }
}

fn run_error(error: &TractError) -> BackendError {
    BackendError::Run { kind: BackendKind::Tract, reason: causes(error) }
}

/// The chain of causes on one line.
fn causes(error: &TractError) -> String {
    one_line(&format!("{error:#}"))
}

#[cfg(test)]
mod tests {
    use ndarray::Array4;

    use geometry::Size;

    use super::*;

    fn open(side: u32) -> Box<dyn Session> {
        TRACT
            .open(BackendKind::Tract, &ModelBytes::bundled(), &SessionOptions::new(Size::new(side, side)))
            .expect("opens")
    }

    #[test]
    fn the_version_matches_the_lock_file() {
        let lock = include_str!("../../../Cargo.lock");
        assert!(lock.contains(&format!("name = \"tract-onnx\"\nversion = \"{VERSION}\"")));
    }

    #[test]
    fn the_published_model_runs_at_other_sizes_with_named_outputs() {
        let mut session = open(320);
        let mut outputs = Outputs::new();
        session.run(Array4::zeros((1, 3, 320, 320)).view(), &mut outputs).expect("runs");
        for (stride, cells) in [(8, 1600), (16, 400), (32, 100)] {
            for (head, width) in [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)] {
                let output = outputs.get(&format!("{head}_{stride}")).expect("named");
                assert_eq!(output.shape, [1, cells, width]);
                assert_eq!(output.values.len(), cells * width);
            }
        }
        let announced: Vec<_> = session.info().outputs.iter().map(|output| output.shape.clone()).collect();
        let got: Vec<_> = outputs.iter().map(|output| Some(output.shape.clone())).collect();
        assert_eq!(announced, got);
    }

    #[test]
    fn sessions_of_one_shape_share_their_plan() {
        let model = ModelBytes::bundled();
        let plan = |side| shared_plan(&model, [1, 3, side, side]).expect("opens").0;
        let (one, same, other) = (plan(96), plan(96), plan(128));
        assert!(Arc::ptr_eq(&one, &same) && !Arc::ptr_eq(&one, &other));
    }

    #[test]
    fn another_input_shape_is_rejected_and_the_session_stays_usable() {
        let mut session = open(64);
        let mut outputs = Outputs::new();
        let refused = session.run(Array4::zeros((1, 3, 96, 64)).view(), &mut outputs);
        assert!(matches!(refused, Err(BackendError::InputShape { .. })));
        session.run(Array4::zeros((1, 3, 64, 64)).view(), &mut outputs).expect("runs");
    }

    #[test]
    fn a_file_that_is_not_onnx_is_rejected_in_one_line() {
        let text = ModelBytes::from_bytes("notes.txt", b"these are no weights".as_slice());
        let refused = TRACT.open(BackendKind::Tract, &text, &SessionOptions::new(Size::new(64, 64)));
        let message = refused.err().expect("refused").to_string();
        assert!(message.contains("notes.txt") && !message.contains('\n'), "{message}");
    }
}
