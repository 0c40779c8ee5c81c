//! What the program ends with.

use std::process::ExitCode;

/// How a run ended; the number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Every input was cropped, or its crop was there already; with `detect`, faces were found in every input.
    Done = 0,
    /// Some input failed, had no face, or was not reached.
    SomeFailed = 1,
    /// Nothing could be done: wrong arguments, a runtime that does not open, no picture to work on.
    CouldNotRun = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
