//! What is known of each runtime on this machine.

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
    /// Its library is not there, or cannot be used.
    Missing,
    /// It is there but did not get through one run.
    Failed,
    /// It is not part of this program, of the library found, or of this system.
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

/// One runtime as it was tried in a process of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuntimeReport {
    /// The runtime.
    pub kind: BackendKind,
    /// Whether it can be used.
    pub state: RuntimeState,
    /// Why not; `None` where it is ready.
    pub fault: Option<RuntimeFault>,
    /// The engine's own version.
    pub version: Option<String>,
    /// The library it was loaded from.
    pub library: Option<PathBuf>,
    /// Where it computes.
    pub device: Option<String>,
    /// Milliseconds to load the library and the model in a fresh process.
    pub load_ms: Option<f64>,
    /// Milliseconds of the first run in a fresh process.
    pub first_ms: Option<f64>,
    /// Median milliseconds of a few runs after the first.
    pub warm_ms: Option<f64>,
    /// Megabytes (10^6 bytes) that the process grew by at its peak, from before loading.
    pub peak_memory_mb: Option<f64>,
    /// Whether its outputs on the probe picture agree with tract's; `None` where they were not compared.
    pub agrees: Option<bool>,
    /// The largest difference of any output from tract's on the probe picture.
    pub max_difference: Option<f64>,
}

impl RuntimeReport {
    /// A report with nothing but a state and the reason for it.
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
