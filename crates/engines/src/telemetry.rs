//! The reports that ONNX Runtime's official builds send to Microsoft. The library is loaded only where they are switched off.
//!
//! Builds from 1.29 on open connections and keep a device id on disk, unless this variable is set before they start. The
//! library's own call to switch reports off comes too late: it needs the environment, whose making sends the first one.

use outcome::{LibraryError, TELEMETRY_VARIABLE};

/// Refuses to go on where the reports are not switched off for this process.
pub(super) fn check_is_off() -> Result<(), LibraryError> {
    let is_off = std::env::var_os(TELEMETRY_VARIABLE).is_some_and(|value| value == "1");
    if is_off { Ok(()) } else { Err(LibraryError::ReportsOn) }
}
