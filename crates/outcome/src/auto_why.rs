//! Why Auto has taken a runtime.

use std::fmt;
use std::sync::Arc;

use recipe::BackendKind;

use crate::{OpenError, RuntimeFault, RuntimeState};

/// Why Auto has taken a runtime: by what was measured. `Display` is one line of English.
#[derive(Clone, Debug, Default)]
pub struct AutoWhy {
    /// The runtimes that may be taken with the median milliseconds of a run, the fastest first; empty where none could be
    /// measured, and the first that opens is taken.
    pub times: Vec<(BackendKind, f64)>,
    /// Runtimes whose faces differ from the reference's.
    pub differ: Vec<BackendKind>,
    /// What stands in the way of the others, each once.
    pub obstacles: Vec<(Obstacle, Vec<BackendKind>)>,
    /// Why faster ones did not open after all.
    pub not_opened: Vec<Arc<OpenError>>,
}

/// What stands in the way of a runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The library found was built without it.
    NotInLibrary,
    /// What was found when it was tried.
    Fault(RuntimeFault),
    /// No more than its state is known.
    State(RuntimeState),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInLibrary => f.write_str("not in this library"),
            Self::Fault(fault) => fault.fmt(f),
            Self::State(state) => f.write_str(state.id()),
        }
    }
}

impl AutoWhy {
    /// The runtimes that share an obstacle: `ONNX Runtime, CUDA, WebGPU`.
    pub fn shared_by(kinds: &[BackendKind]) -> String {
        let [first, rest @ ..] = kinds else { return String::new() };
        let rest = rest.iter().map(|kind| kind.title().strip_prefix("ONNX Runtime, ").unwrap_or(kind.title()));
        std::iter::once(first.title()).chain(rest).collect::<Vec<_>>().join(", ")
    }
}

/// `ONNX Runtime, CPU 12.3 ms; tract 42.0 ms; ONNX Runtime, CUDA, WebGPU: not in this library`.
impl fmt::Display for AutoWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = self.times.iter().map(|(kind, ms)| format!("{kind} {ms:.1} ms"));
        let differ = self.differ.iter().map(|kind| format!("{kind}: its faces differ from the reference's"));
        let obstacles = self.obstacles.iter().map(|(what, kinds)| format!("{}: {what}", Self::shared_by(kinds)));
        let mut parts: Vec<String> = times.chain(differ).chain(obstacles).collect();
        if self.times.is_empty() {
            parts = vec!["the first that opens, since none could be measured".to_owned()];
        }
        parts.extend(self.not_opened.iter().map(|error| format!("did not open after all: {error}")));
        f.write_str(&parts.join("; "))
    }
}
