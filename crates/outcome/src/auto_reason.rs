//! The reason for Auto's choice of a runtime.

use std::fmt;
use std::sync::Arc;

use recipe::BackendKind;

use crate::{FaceModelFault, OpenError, RuntimeFault, RuntimeState};

/// The reason for Auto's choice of a runtime, from measurements. `Display` is one line of English.
#[derive(Clone, Debug, Default)]
pub struct AutoReason {
    /// Eligible runtimes that can run every model, fastest first, with the milliseconds of a photo with one face. If this
    /// and `incomplete` are empty, none could be measured and the first one that opens is used.
    pub times: Vec<(BackendKind, f64)>,
    /// Eligible runtimes that cannot run some models, fastest first, with the milliseconds of the others; they come after
    /// all complete ones.
    pub incomplete: Vec<(BackendKind, f64, Vec<FaceModelFault>)>,
    /// Runtimes whose faces differ from those of the reference runtime.
    pub differ: Vec<BackendKind>,
    /// Why other runtimes are not eligible, each obstacle once.
    pub obstacles: Vec<(Obstacle, Vec<BackendKind>)>,
    /// True until the runtimes have been tested: the first built-in one that opens is used.
    pub is_untested: bool,
    /// Why faster runtimes could not be opened.
    pub not_opened: Vec<Arc<OpenError>>,
}

/// Why a runtime is not eligible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The ONNX Runtime library was built without it.
    NotInLibrary,
    /// The fault found by the probe.
    Fault(RuntimeFault),
    /// Only its state is known.
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

impl AutoReason {
    /// The runtimes that share an obstacle, such as `ONNX Runtime, CUDA, WebGPU`.
    pub fn shared_by(kinds: &[BackendKind]) -> String {
        let [first, rest @ ..] = kinds else { return String::new() };
        let rest = rest.iter().map(|kind| kind.title().strip_prefix("ONNX Runtime, ").unwrap_or(kind.title()));
        std::iter::once(first.title()).chain(rest).collect::<Vec<_>>().join(", ")
    }
}

/// For example `ONNX Runtime, CPU 12.3 ms; tract 42.0 ms; ONNX Runtime, CUDA, WebGPU: not in this library`.
impl fmt::Display for AutoReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = self.times.iter().map(|(kind, ms)| format!("{kind} {ms:.1} ms"));
        let incomplete = self.incomplete.iter().map(|(kind, ms, faults)| {
            let models: Vec<String> = faults.iter().map(ToString::to_string).collect();
            format!("{kind} {ms:.1} ms, without {}", models.join(", "))
        });
        let differ = self.differ.iter().map(|kind| format!("{kind}: results differ from the reference"));
        let obstacles = self.obstacles.iter().map(|(what, kinds)| format!("{}: {what}", Self::shared_by(kinds)));
        let mut parts: Vec<String> = times.chain(incomplete).chain(differ).chain(obstacles).collect();
        if self.is_untested {
            parts = vec!["the first that opens, while the runtimes are tested".to_owned()];
        } else if self.times.is_empty() && self.incomplete.is_empty() {
            parts = vec!["the first that opens, because none could be measured".to_owned()];
        }
        parts.extend(self.not_opened.iter().map(|error| format!("could not be opened: {error}")));
        f.write_str(&parts.join("; "))
    }
}
