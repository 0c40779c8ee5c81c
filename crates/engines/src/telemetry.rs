//! Telemetry of ONNX Runtime's official builds. The library is loaded only if it is disabled.
//!
//! Builds from 1.29 on open connections and store a device id on disk unless this variable is set before they start.
//! The library's own function for disabling telemetry comes too late: it needs the environment, whose creation sends
//! the first event.

use outcome::{LibraryError, TELEMETRY_VARIABLE};

/// Returns an error unless telemetry is disabled for this process.
pub(super) fn check_is_off() -> Result<(), LibraryError> {
    let is_off = std::env::var_os(TELEMETRY_VARIABLE).is_some_and(|value| value == "1");
    if is_off { Ok(()) } else { Err(LibraryError::ReportsOn) }
}
