//! The inference runtime in use.

use geometry::Size;
use recipe::{BackendKind, RuntimeChoice};

use crate::AutoReason;

/// The requested and the actual runtime.
#[derive(Clone, Debug)]
pub struct RuntimeInUse {
    /// The user's choice.
    pub requested: RuntimeChoice,
    /// The session that was opened.
    pub actual: SessionInfo,
    /// With Auto, the reason for its choice.
    pub why: Option<AutoReason>,
}

/// Properties of an open session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInfo {
    pub kind: BackendKind,
    /// The engine's version.
    pub version: String,
    /// The device it computes on, for example `CPU`.
    pub device: String,
    /// Input size in pixels.
    pub input: Size,
    /// The model's outputs, in the model's order.
    pub outputs: Vec<OutputInfo>,
}

/// One output of a loaded model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputInfo {
    /// Its name in the model.
    pub name: String,
    /// Its shape for the session's input; `None` if the engine reports it only after a run.
    pub shape: Option<Vec<usize>>,
}
