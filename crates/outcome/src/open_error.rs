//! Why a runtime could not be opened.

use recipe::BackendKind;

use crate::{BackendError, DetectError, RuntimeFault, RuntimeState};

/// Why a runtime could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The engine, its library or the model file.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The model is not a face detector.
    #[error(transparent)]
    Detect(#[from] DetectError),
    /// The runtime named was tried in a process of its own and cannot be used here.
    #[error("{kind}: {fault}")]
    Tried {
        /// The runtime.
        kind: BackendKind,
        /// Whether it is missing, unsupported, or failed.
        state: RuntimeState,
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
