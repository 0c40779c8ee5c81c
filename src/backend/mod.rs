//! Inference engines behind two traits: tensors in, tensors out.
//!
//! A [`Backend`] is stateless and opens [`Session`]s; a session is one loaded model with one owner. Nothing here knows
//! what a face or a picture is. Only `tract.rs`, `rten.rs`, `ort.rs`,
//! `candle.rs` and `burn.rs` name their engine.

#[cfg(feature = "burn")]
mod burn;
#[cfg(feature = "candle")]
mod candle;
mod catalogue;
#[cfg(feature = "ort")]
mod compiled;
#[cfg(feature = "ort")]
mod devices;
mod error;
#[cfg(windows)]
mod job;
mod locate;
mod model;
pub mod onnx;
mod options;
#[cfg(feature = "ort")]
mod ort;
mod outputs;
pub mod probe;
mod provider;
mod report;
#[cfg(feature = "rten")]
mod rten;
mod telemetry;
#[cfg(feature = "tract")]
mod tract;

use ndarray::ArrayView4;

pub use catalogue::{BackendKind, RuntimeChoice, RuntimeChoiceError, RuntimeInUse, is_included, open_session};
pub use error::{BackendError, LibraryError};
pub use locate::{Found, LIBRARY_VARIABLES, LibraryHints, LibrarySearch, SearchStep, find_library, resolve_library};
pub use model::{BUNDLED_MODEL_NAME, ModelBytes};
pub use options::{Optimization, RuntimeOptions, SessionOptions};
pub use outputs::{NamedOutput, Outputs};
pub use provider::Provider;
pub use report::{RuntimeReport, RuntimeState};
pub use telemetry::TELEMETRY_VARIABLE;

use crate::geometry::Size;

/// One inference engine. Stateless: one static a engine.
pub trait Backend: Sync {
    /// Loads `model` for inputs of `options.input`, to run as `kind`, which is one of this engine's.
    ///
    /// # Errors
    /// The library cannot be used, the model is not ONNX, uses an operator the engine lacks, or does not accept the input
    /// size, or the execution provider cannot be registered: never a silent run on another.
    fn open(
        &self,
        kind: BackendKind,
        model: &ModelBytes,
        options: &SessionOptions,
    ) -> Result<Box<dyn Session>, BackendError>;
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
