//! Errors of inference engines.

use std::path::PathBuf;

use recipe::{BackendKind, RuntimeLibrary};
use serde::{Deserialize, Serialize};

use crate::{BadEnd, ModelFault};

/// The environment variable that disables ONNX Runtime's telemetry. `main` sets it before anything else.
pub const TELEMETRY_VARIABLE: &str = "ORT_DISABLE_TELEMETRY";

/// Why the library of a runtime cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum LibraryError {
    /// It was not found in any of the documented places.
    #[error(
        "the {library} library was not found; run {}, or give its path with {}", library.fetched_by(), library.option()
    )]
    NotFound {
        /// The library that was searched.
        library: RuntimeLibrary,
    },
    /// The configured file or folder has no library.
    #[error("{} contains no {library} library", path.display())]
    NotThere {
        /// The library that was searched.
        library: RuntimeLibrary,
        /// The configured file or folder.
        path: PathBuf,
    },
    /// The system cannot load the file.
    #[error("{} cannot be loaded: {reason}", path.display())]
    Unloadable {
        path: PathBuf,
        /// The system's message.
        reason: String,
    },
    /// The file is another library.
    #[error("{} is not an ONNX Runtime library", path.display())]
    OtherLibrary { path: PathBuf },
    /// The library is older than the minimum version.
    #[error("{} is ONNX Runtime {found}; {needed} or newer is needed: run installer/onnxruntime/fetch.py", path.display())]
    TooOld {
        path: PathBuf,
        /// Its version.
        found: String,
        /// The minimum version.
        needed: String,
    },
    /// The file is not the library of the one version that the program can use: another version has another interface.
    #[error("{} is not the library of LiteRT {needed}, the only version that can be used: run {}", path.display(), RuntimeLibrary::LiteRt.fetched_by())]
    OtherVersion {
        path: PathBuf,
        /// The version that can be used.
        needed: String,
    },
    /// Another library is loaded; a process can load only one.
    #[error("{} is already loaded; restart to use {}", loaded.display(), path.display())]
    RestartToApply {
        /// The requested file.
        path: PathBuf,
        loaded: PathBuf,
    },
    /// Telemetry is not disabled.
    #[error(
        "ONNX Runtime is not loaded because it could send telemetry; set {TELEMETRY_VARIABLE}=1 before starting the program"
    )]
    ReportsOn,
    /// The process that probed it ended abnormally.
    #[error("{}: the test process {what}", path.display())]
    Unsafe {
        path: PathBuf,
        /// How the process ended.
        what: BadEnd,
    },
}

/// An error of an engine or a model.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The engine is not part of this build.
    #[error("{kind} is not included in this build")]
    NotIncluded {
        /// The requested engine.
        kind: BackendKind,
    },
    /// The model file cannot be read.
    #[error("the model file {} cannot be read", path.display())]
    ModelUnreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// The library cannot be used.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The ONNX Runtime library was built without the execution provider.
    #[error(
        "{kind} is not in the ONNX Runtime library in use; another build of it may have it: installer/onnxruntime/fetch.py --help"
    )]
    NotInLibrary {
        /// The requested runtime.
        kind: BackendKind,
    },
    /// The library has the execution provider, but it cannot be used on this machine.
    #[error("{kind} cannot be used on this machine: {reason}")]
    Provider {
        /// The requested runtime.
        kind: BackendKind,
        /// The engine's message.
        reason: String,
    },
    /// The model's path is not a file, or the file is far too large.
    #[error("{} is not a model file", path.display())]
    NotAModel { path: PathBuf },
    /// The engine rejects the model.
    #[error("{kind} cannot load the model {model}: {reason}")]
    Load {
        kind: BackendKind,
        /// The model's name.
        model: String,
        /// The engine's message.
        reason: ModelFault,
    },
    /// The input does not have the session's input shape.
    #[error("the input has the shape {got:?}; the session expects {wanted:?}")]
    InputShape {
        /// The shape of the input.
        got: Vec<usize>,
        /// The session's input shape.
        wanted: Vec<usize>,
    },
    /// Inference failed.
    #[error("{kind} failed while running the model: {reason}")]
    Run {
        kind: BackendKind,
        /// The engine's message.
        reason: String,
    },
}
