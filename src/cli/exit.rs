//! Exit codes of the program.

use std::process::ExitCode;

/// How a run ended; the value is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Every input was cropped, or its crop already existed; for `detect`, faces were found in every input.
    Done = 0,
    /// Some input failed, had no face, or was left.
    SomeFailed = 1,
    /// Nothing could be done: invalid arguments, a runtime that does not open, no input.
    CouldNotRun = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
