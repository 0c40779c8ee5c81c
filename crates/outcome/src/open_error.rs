//! Errors in opening a runtime.

use recipe::BackendKind;

use crate::{BackendError, DetectError, Device, RuntimeFault, RuntimeState, device_list};

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
    /// A device was named, and no usable runtime has it.
    #[error("no usable runtime has a device with '{name}' in its name{}", found(devices))]
    NoDevice {
        /// The requested name, or a part of it.
        name: String,
        /// The devices of all runtimes.
        devices: Vec<Device>,
    },
    /// A device was named for a runtime that cannot choose one.
    #[error("{kind} has no choice of devices; leave out '{name}', or choose another runtime")]
    NoChoiceOfDevices {
        kind: BackendKind,
        /// The requested name.
        name: String,
    },
    /// The engine panicked.
    #[error("internal error in the runtime: {message}")]
    Panicked {
        /// The panic's message.
        message: String,
    },
}

fn found(devices: &[Device]) -> String {
    match devices {
        [] => ": no devices were found".to_owned(),
        devices => format!("; devices found: {}", device_list(devices)),
    }
}

fn each_once(failures: &[OpenError]) -> String {
    let mut reasons: Vec<String> = failures.iter().map(ToString::to_string).collect();
    reasons.dedup();
    reasons.join("; ")
}
