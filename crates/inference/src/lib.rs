//! Tensors in, tensors out: what an inference engine is to the rest of the program.
//!
//! A [`Backend`] is stateless and opens [`Session`]s; a session is one loaded model with one owner. Whoever runs a model sees
//! these two traits, [`ModelBytes`] and [`Outputs`], and never an engine. Nothing here knows what a face or a picture is.
//!
//! The engines are in the crate `engines`, one file each, and in crates of their own where their dependencies are heavy
//! (`engine-candle`, `engine-burn`). A new one implements both traits and gets its line in the catalogue of `engines`.
//!
//! [`onnx`] reads ONNX files as files: what a model says of itself, and freeing it from a fixed input size. That needs no
//! engine.
//!
//! Tensors are 32-bit floats, shaped `[1, channels, height, width]`. Times are milliseconds, sizes are pixels of the model's input.

mod model;
pub mod onnx;
mod options;
mod outputs;

use ndarray::ArrayView4;

pub use model::{BUNDLED_MODEL_NAME, ModelBytes};
pub use options::SessionOptions;
pub use outputs::{NamedOutput, Outputs};

use outcome::{BackendError, SessionInfo};
use recipe::BackendKind;

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

/// An engine's message in one line, however it breaks it.
pub fn one_line(error: &dyn std::fmt::Display) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
