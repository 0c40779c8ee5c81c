//! Probe results of each runtime on this machine.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use recipe::BackendKind;

use crate::RuntimeFault;

/// Whether a runtime can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuntimeState {
    /// A session was opened and one run finished.
    Ready,
    /// Its library is missing or unusable.
    Missing,
    /// It is available but opening or the first run failed.
    Failed,
    /// It is not part of this build, of the ONNX Runtime library, or of this operating system.
    Unsupported,
}

impl RuntimeState {
    /// The name used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Missing => "missing",
            Self::Failed => "failed",
            Self::Unsupported => "unsupported",
        }
    }
}

/// The result of probing one runtime in a separate process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuntimeReport {
    pub kind: BackendKind,
    /// Whether it can be used.
    pub state: RuntimeState,
    /// The reason; `None` if it is ready.
    pub fault: Option<RuntimeFault>,
    /// The engine's version.
    pub version: Option<String>,
    /// The library file it was loaded from.
    pub library: Option<PathBuf>,
    /// The device it computes on.
    pub device: Option<String>,
    /// Milliseconds to load library and model in a new process.
    pub load_ms: Option<f64>,
    /// Milliseconds of the first run in a new process.
    pub first_ms: Option<f64>,
    /// Median milliseconds of a few further runs.
    pub warm_ms: Option<f64>,
    /// Peak memory growth of the process since before loading, in megabytes (10^6 bytes).
    pub peak_memory_mb: Option<f64>,
    /// Whether its outputs on the probe image agree with tract's; `None` if they were not compared.
    pub agrees: Option<bool>,
    /// The largest difference of any output from tract's on the probe image.
    pub max_difference: Option<f64>,
}

impl RuntimeReport {
    /// A report with only a state and its reason.
    pub fn new(kind: BackendKind, state: RuntimeState, fault: Option<RuntimeFault>) -> Self {
        Self {
            kind,
            state,
            fault,
            version: None,
            library: None,
            device: None,
            load_ms: None,
            first_ms: None,
            warm_ms: None,
            peak_memory_mb: None,
            agrees: None,
            max_difference: None,
        }
    }
}
