//! Error messages with their causes.

use std::error::Error;
use std::fmt::Write as _;

/// An error with its causes, on one line and without repetition.
pub(super) fn reason(error: &(dyn Error + 'static)) -> String {
    with_causes(error).lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// An error with its causes, without repetition.
pub(super) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut beneath = error.source();
    while let Some(cause) = beneath {
        let more = cause.to_string();
        if !text.contains(&more) {
            let _ = write!(text, ": {more}");
        }
        beneath = cause.source();
    }
    text
}
