//! Why a runtime cannot be used, in a form that is passed between processes and stored.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{BackendError, BadEnd, LibraryError, ModelFault};

/// Why a runtime cannot be used; shown beside the runtime's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum RuntimeFault {
    /// It is not part of this build.
    #[error("not included in this build")]
    NotIncluded,
    /// The library cannot be used.
    #[error("{error}{}", named.iter().map(|(name, path)| format!(" ({name} points to {}, which contains none)", path.display())).collect::<String>())]
    Library {
        error: LibraryError,
        /// Environment variables with a path that has no library.
        named: Vec<(String, PathBuf)>,
    },
    /// The ONNX Runtime library was built without it.
    #[error(
        "not in the ONNX Runtime library in use; another build of it may have it: installer/onnxruntime/fetch.py --help"
    )]
    NotInLibrary,
    /// It cannot be used on this machine.
    #[error("cannot be used on this machine: {reason}")]
    Provider {
        /// The engine's message.
        reason: String,
    },
    /// The model's path is not a file, or the file is far too large.
    #[error("{} is not a model file", path.display())]
    NotAModel { path: PathBuf },
    /// The model file cannot be read.
    #[error("the model file {} cannot be read: {reason}", path.display())]
    ModelUnreadable {
        path: PathBuf,
        /// The system's message.
        reason: String,
    },
    /// It rejects the model.
    #[error("cannot load the model {model}: {reason}")]
    Load {
        /// The model's name.
        model: String,
        /// The engine's message.
        reason: ModelFault,
    },
    /// Inference failed.
    #[error("failed while running the model: {reason}")]
    Run {
        /// The engine's message.
        reason: String,
    },
    #[error("internal error: {message}")]
    Panicked {
        /// The panic's message.
        message: String,
    },
    /// The probe process ended abnormally.
    #[error("the test process {0}")]
    BadEnd(BadEnd),
    /// It exists but failed for an unknown reason.
    #[error("failed")]
    Unknown,
    /// Any other reason, in English.
    #[error("{0}")]
    Other(String),
}

impl RuntimeFault {
    /// Converts an engine error.
    pub fn of(error: &BackendError) -> Self {
        match error {
            BackendError::NotIncluded { .. } => Self::NotIncluded,
            BackendError::ModelUnreadable { path, source } => {
                Self::ModelUnreadable { path: path.clone(), reason: source.to_string() }
            }
            BackendError::Library(error) => Self::Library { error: error.clone(), named: Vec::new() },
            BackendError::NotInLibrary { .. } => Self::NotInLibrary,
            BackendError::Provider { reason, .. } => Self::Provider { reason: reason.clone() },
            BackendError::NotAModel { path } => Self::NotAModel { path: path.clone() },
            BackendError::Load { model, reason, .. } => Self::Load { model: model.clone(), reason: reason.clone() },
            BackendError::InputShape { .. } => Self::Other(error.to_string()),
            BackendError::Run { reason, .. } => Self::Run { reason: reason.clone() },
        }
    }
}
