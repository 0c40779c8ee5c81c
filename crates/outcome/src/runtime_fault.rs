//! Why a runtime cannot be used, as one process reports it to another and keeps it.

use std::path::PathBuf;
use std::time::Duration;

use recipe::BackendKind;
use serde::{Deserialize, Serialize};

use crate::{BackendError, LibraryError};

/// How a process that tried a library ended badly. `Display` continues a sentence: "it made the process ..".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum BadEnd {
    /// It ended by a signal, or with another exit code than 0.
    #[error("crash ({how}){}", last_line.as_ref().map(|line| format!(": {line}")).unwrap_or_default())]
    Crash {
        /// The signal or the exit code.
        how: String,
        /// The last line it wrote to standard error.
        last_line: Option<String>,
    },
    /// It was still running when its time was up.
    #[error("take longer than {} s", tenths(*limit))]
    Slow {
        /// The time it had.
        limit: Duration,
    },
    /// It wrote more than is read.
    #[error("print more than {megabytes} MB")]
    Chatter {
        /// The most that is read, in units of 1,000,000 bytes.
        megabytes: u64,
    },
}

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
        reason: String,
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

/// Why a runtime could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The engine, its library or the model file.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The model is not a face detector.
    #[error(transparent)]
    Detect(#[from] crate::DetectError),
    /// The runtime named was tried in a process of its own and cannot be used here.
    #[error("{kind}: {fault}")]
    Tried {
        /// The runtime.
        kind: BackendKind,
        /// Whether it is missing, unsupported, or failed.
        state: crate::RuntimeState,
        /// Why.
        fault: RuntimeFault,
    },
    /// No runtime of this program can be used.
    #[error("no runtime can be used: {}", each_once(failures))]
    NoneWorks {
        /// What stands in the way of each.
        failures: Vec<OpenError>,
    },
    /// The engine panicked.
    #[error("the runtime met a fault of its own: {message}")]
    Panicked {
        /// The panic's message.
        message: String,
    },
}

fn each_once(failures: &[OpenError]) -> String {
    let mut reasons: Vec<String> = failures.iter().map(ToString::to_string).collect();
    reasons.dedup();
    reasons.join("; ")
}

/// Seconds to the tenth, without a zero behind the point: a limit may be what is left of another.
fn tenths(limit: Duration) -> f64 {
    (limit.as_secs_f64() * 10.0).round() / 10.0
}
