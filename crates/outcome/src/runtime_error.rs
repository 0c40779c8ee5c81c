//! What can go wrong with an engine.

use std::path::PathBuf;

use recipe::BackendKind;
use serde::{Deserialize, Serialize};

use crate::{BadEnd, ModelFault};

/// The environment variable that switches off the reports of ONNX Runtime. `main` sets it before it does anything else.
pub const TELEMETRY_VARIABLE: &str = "ORT_DISABLE_TELEMETRY";

/// Why ONNX Runtime's library cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum LibraryError {
    /// None of the documented places has one.
    #[error(
        "the ONNX Runtime library was not found; run installer/onnxruntime/fetch.py, or name the file with --onnxruntime"
    )]
    NotFound,
    /// The file or folder named has none.
    #[error("{} holds no ONNX Runtime library", path.display())]
    NotThere {
        /// The file or folder named.
        path: PathBuf,
    },
    /// The system cannot load the file.
    #[error("{} cannot be loaded: {reason}", path.display())]
    Unloadable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// The file is a library, but not this one.
    #[error("{} is not an ONNX Runtime library", path.display())]
    OtherLibrary {
        /// The file.
        path: PathBuf,
    },
    /// The library is older than what the program speaks to.
    #[error("{} is ONNX Runtime {found}; {needed} or newer is needed: run installer/onnxruntime/fetch.py", path.display())]
    TooOld {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
        /// The oldest version that serves.
        needed: String,
    },
    /// Another one is loaded already, and one process takes only one.
    #[error("{} is in use by this run; restart to use {}", loaded.display(), path.display())]
    RestartToApply {
        /// The file asked for.
        path: PathBuf,
        /// The file in use.
        loaded: PathBuf,
    },
    /// It would report on its use to its maker.
    #[error(
        "ONNX Runtime is not loaded while it may send reports; set {TELEMETRY_VARIABLE}=1 where the program is started"
    )]
    ReportsOn,
    /// Trying it in a process of its own ended badly.
    #[error("{} made the process that tried it {what}", path.display())]
    Unsafe {
        /// The file.
        path: PathBuf,
        /// What it did.
        what: BadEnd,
    },
}

/// A failure of an engine or of a model given to it.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The engine is not part of this program.
    #[error("{kind} is not included in this build")]
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
    /// ONNX Runtime's library cannot be used.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The library found was built without the execution provider.
    #[error(
        "{kind} is not in the ONNX Runtime library in use; another flavour of it may have it: installer/onnxruntime/fetch.py --help"
    )]
    NotInLibrary {
        /// The runtime asked for.
        kind: BackendKind,
    },
    /// The execution provider is in the library but cannot be used on this machine.
    #[error("{kind} cannot be used on this machine: {reason}")]
    Provider {
        /// The runtime asked for.
        kind: BackendKind,
        /// The engine's words.
        reason: String,
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
        reason: ModelFault,
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
