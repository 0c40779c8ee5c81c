//! Why a runtime cannot be used, as one process reports it to another and keeps it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{BackendError, BadEnd, LibraryError, ModelFault};

/// Why a runtime cannot be used; its name stands beside it wherever it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum RuntimeFault {
    /// It is not part of this program.
    #[error("not included in this build")]
    NotIncluded,
    /// ONNX Runtime's library cannot be used.
    #[error("{error}{}", named.iter().map(|(name, path)| format!(" ({name} names {}, which holds none)", path.display())).collect::<String>())]
    Library {
        /// Why.
        error: LibraryError,
        /// Variables of the environment that name a place without a library.
        named: Vec<(String, PathBuf)>,
    },
    /// The library found was built without it.
    #[error(
        "not in the ONNX Runtime library in use; another flavour of it may have it: installer/onnxruntime/fetch.py --help"
    )]
    NotInLibrary,
    /// It cannot be used on this machine.
    #[error("cannot be used on this machine: {reason}")]
    Provider {
        /// The engine's words.
        reason: String,
    },
    /// The model's path is no file, or one far too large.
    #[error("{} is not a model file", path.display())]
    NotAModel {
        /// The path.
        path: PathBuf,
    },
    /// The model file cannot be read.
    #[error("the model file {} cannot be read: {reason}", path.display())]
    ModelUnreadable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// It does not accept the model.
    #[error("cannot load the model {model}: {reason}")]
    Load {
        /// The model's name.
        model: String,
        /// The engine's words.
        reason: ModelFault,
    },
    /// It failed while running.
    #[error("failed while running the model: {reason}")]
    Run {
        /// The engine's words.
        reason: String,
    },
    /// It panicked.
    #[error("it met a fault of its own: {message}")]
    Panicked {
        /// The panic's message.
        message: String,
    },
    /// The process that tried it ended badly.
    #[error("it made the process that tried it {0}")]
    BadEnd(BadEnd),
    /// It is there but failed, and nothing more is known.
    #[error("failed")]
    Unknown,
    /// What else stands in the way, in English.
    #[error("{0}")]
    Other(String),
}

impl RuntimeFault {
    /// What stands in the way by `error`.
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
