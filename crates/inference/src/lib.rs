//! The interface to inference engines: tensors in, tensors out.
//!
//! - [`Backend`]: an engine. It is stateless and opens sessions.
//! - [`Session`]: a loaded model with one owner; runs inference on an input tensor.
//! - [`ModelBytes`], [`SessionOptions`], [`Outputs`]: the model, the options and the output tensors of a session.
//! - [`onnx`]: reads ONNX files without an engine: summary of a model, and removal of its fixed input size.
//!
//! Code that runs a model uses only these types and never depends on an engine. This crate has no notion of faces or
//! images.
//!
//! The engines are in the crate `engines`, one file each, or in separate crates if their dependencies are heavy
//! (`engine-candle`, `engine-burn`). A new engine implements both traits and is added to `catalogue.rs` of `engines`.
//!
//! Tensors are 32-bit floats of shape `[1, channels, height, width]`. Times are in milliseconds, sizes in pixels of the
//! model's input.

#![warn(missing_docs)]

mod model;
pub mod onnx;
mod options;
mod outputs;

use std::borrow::Cow;

use ndarray::ArrayView4;

pub use model::{BUNDLED_MODEL_NAME, ModelBytes, file_name, fixed_input};
pub use options::SessionOptions;
pub use outputs::{NamedOutput, Outputs};

use outcome::{BackendError, SessionInfo};
use recipe::BackendKind;

/// An inference engine. Stateless: one static per engine.
pub trait Backend: Sync {
    /// Loads `model` for inputs of `options.input`, to run as `kind`, one of this engine's runtimes.
    ///
    /// # Errors
    /// The library cannot be used; the model is not ONNX, has an unsupported operator or rejects the input size; or the
    /// execution provider cannot be registered. There is never a silent fallback to another provider.
    fn open(
        &self,
        kind: BackendKind,
        model: &ModelBytes,
        options: &SessionOptions,
    ) -> Result<Box<dyn Session>, BackendError>;
}

/// A loaded model.
///
/// A run uses buffers of the session, hence `&mut self` and a single owner; a session may move between threads.
pub trait Session: Send {
    /// Runtime, device, input and outputs of the session.
    fn info(&self) -> &SessionInfo;

    /// Runs inference on `input` of shape `[1, 3, height, width]` and stores every output tensor in `outputs` by name,
    /// reusing its buffers.
    ///
    /// # Errors
    /// The input does not have the session's input shape, or the engine failed.
    fn run(&mut self, input: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError>;
}

/// The values of `input` in row-major order, which a session checks before it runs.
///
/// # Errors
/// The input does not have `shape`, the session's input shape.
pub fn input_values<'a>(input: &'a ArrayView4<'_, f32>, shape: [usize; 4]) -> Result<Cow<'a, [f32]>, BackendError> {
    if input.shape() != shape {
        return Err(BackendError::InputShape { got: input.shape().to_vec(), wanted: shape.to_vec() });
    }
    Ok(input.as_slice().map_or_else(|| input.iter().copied().collect(), Cow::Borrowed))
}

/// An engine's message, joined to one line.
pub fn one_line(error: &dyn std::fmt::Display) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
