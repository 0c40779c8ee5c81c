//! What can go wrong with an engine.

use std::path::PathBuf;

use super::BackendKind;

/// A failure of an engine or of a model given to it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// The engine is not part of this program.
    #[error("{kind} is not included in this build; choose auto or tract")]
    NotIncluded {
        /// The engine asked for.
        kind: BackendKind,
    },
    /// The model file cannot be read.
    #[error("the model file {} cannot be read", path.display())]
    ModelUnreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The model's path is no file, or one far too large.
    #[error("{} is not a model file", path.display())]
    NotAModel {
        /// The path.
        path: PathBuf,
    },
    /// The engine does not accept the model.
    #[error("{kind} cannot load the model {model}: {reason}")]
    Load {
        /// The engine.
        kind: BackendKind,
        /// The model's name.
        model: String,
        /// The engine's words.
        reason: String,
    },
    /// The input is not of the shape the session was opened for.
    #[error("the input is shaped {got:?}, the session was opened for {wanted:?}")]
    InputShape {
        /// Shape of the input given.
        got: Vec<usize>,
        /// Shape of the input expected.
        wanted: Vec<usize>,
    },
    /// The engine failed while running.
    #[error("{kind} failed while running the model: {reason}")]
    Run {
        /// The engine.
        kind: BackendKind,
        /// The engine's words.
        reason: String,
    },
}
