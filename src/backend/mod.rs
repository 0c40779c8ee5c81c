//! Inference engines behind two traits: tensors in, tensors out.
//!
//! A [`Backend`] is stateless and opens [`Session`]s; a session is one loaded model with one owner. Nothing here knows
//! what a face or a picture is. Only `tract.rs` names its engine.

mod catalogue;
mod error;
mod model;
mod outputs;
mod tract;

use ndarray::ArrayView4;

pub use catalogue::{
    BackendKind, RuntimeChoice, RuntimeChoiceError, RuntimeEntry, RuntimeInUse, open_runtime, runtimes,
};
pub use error::BackendError;
pub use model::{BUNDLED_MODEL_NAME, ModelBytes};
pub use outputs::{NamedOutput, Outputs};

use crate::geometry::Size;

/// One inference engine. Stateless: one static a engine.
pub trait Backend: Sync {
    /// Which engine this is.
    fn kind(&self) -> BackendKind;

    /// Whether the engine can be used on this machine.
    ///
    /// # Errors
    /// Why it cannot.
    fn check(&self) -> Result<(), BackendError>;

    /// Loads `model` for inputs of `options.input`.
    ///
    /// # Errors
    /// The model is not ONNX, uses an operator the engine lacks, or does not accept the input size.
    fn open(&self, model: &ModelBytes, options: &SessionOptions) -> Result<Box<dyn Session>, BackendError>;
}

/// One loaded model.
///
/// A run writes into buffers the session owns, hence `&mut self` and one owner; it may move between threads.
pub trait Session: Send {
    /// What was loaded, by what, for which input.
    fn info(&self) -> &SessionInfo;

    /// Runs the model on `input`, shaped `[1, 3, height, width]`, and puts every output into `outputs` by name,
    /// reusing its buffers.
    ///
    /// # Errors
    /// The input has another shape than the session was opened for, or the engine failed.
    fn run(&mut self, input: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError>;
}

/// How a session is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionOptions {
    /// Pixels of the model's input; multiples of 32 for YuNet.
    pub input: Size,
}

/// What a session is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInfo {
    /// The engine.
    pub kind: BackendKind,
    /// The engine's own version.
    pub version: String,
    /// Where it computes, for example `CPU`.
    pub device: String,
    /// Pixels of the input it was opened for.
    pub input: Size,
    /// The model's outputs, in the model's order.
    pub outputs: Vec<OutputInfo>,
}

/// One output of a loaded model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputInfo {
    /// Its name in the model.
    pub name: String,
    /// Its shape for the session's input; `None` where the engine does not know before a run.
    pub shape: Option<Vec<usize>>,
}
