//! The runtime that does the work.

use geometry::Size;
use recipe::{BackendKind, RuntimeChoice};

use crate::AutoWhy;

/// What was asked for and what is running.
#[derive(Clone, Debug)]
pub struct RuntimeInUse {
    /// The person's choice.
    pub requested: RuntimeChoice,
    /// The session that was opened.
    pub actual: SessionInfo,
    /// Under Auto, why this one.
    pub why: Option<AutoWhy>,
}

/// What a session is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInfo {
    /// The engine.
    pub kind: BackendKind,
    /// The engine's own version.
    pub version: String,
    /// Where it computes, for example `CPU`.
    pub device: String,
    /// Pixels of the input it was opened for.
    pub input: Size,
    /// The model's outputs, in the model's order.
    pub outputs: Vec<OutputInfo>,
}

/// One output of a loaded model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputInfo {
    /// Its name in the model.
    pub name: String,
    /// Its shape for the session's input; `None` where the engine does not know before a run.
    pub shape: Option<Vec<usize>>,
}
