//! Errors in opening a runtime.

use recipe::BackendKind;

use crate::{BackendError, DetectError, RuntimeFault, RuntimeState};

/// Why a runtime cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// An error of the engine, its library or the model file.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The model is not a face detector.
    #[error(transparent)]
    Detect(#[from] DetectError),
    /// The probe process found that the selected runtime cannot be used.
    #[error("{kind}: {fault}")]
    Tried {
        kind: BackendKind,
        /// Missing, unsupported or failed.
        state: RuntimeState,
        fault: RuntimeFault,
    },
    /// None of the runtimes in this build can be used.
    #[error("no runtime can be used: {}", each_once(failures))]
    NoneWorks {
        /// The reason for each runtime.
        failures: Vec<OpenError>,
    },
    /// The engine panicked.
    #[error("internal error in the runtime: {message}")]
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
