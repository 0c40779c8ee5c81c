//! Runtimes: what runs, what is pinned beside it, and what is known of every one.

use std::sync::Arc;

use batch::latency::RuntimeTable;
use batch::worker::{DescribeError, ModelPage};
use outcome::{OpenError, RuntimeInUse, RuntimeReport, RuntimeState};
use recipe::{BackendKind, RuntimeChoice};

use super::trouble::Trouble;
use super::{AppState, Pending};

/// What was asked for and what runs.
#[derive(Debug)]
pub(crate) enum RuntimeStatus {
    Opening {
        /// True once it takes so long that a person wonders.
        slow: bool,
    },
    Ready {
        runtime: RuntimeInUse,
        load_ms: f64,
    },
    Failed {
        requested: RuntimeChoice,
        trouble: Trouble<Arc<OpenError>>,
    },
}

/// What trying every runtime has shown.
#[derive(Default)]
pub(crate) struct KnownRuntimes {
    pub table: Option<RuntimeTable>,
    /// True from the question to its answer.
    pub checking: bool,
    /// True once they were tried with the present options and model, or are about to be.
    pub asked: bool,
}

impl KnownRuntimes {
    /// What is known of `kind`; `None` until it was tried.
    pub(crate) fn report(&self, kind: BackendKind) -> Option<&RuntimeReport> {
        self.table.as_ref()?.reports.iter().find(|report| report.kind == kind)
    }

    pub(crate) fn is_ready(&self, kind: BackendKind) -> bool {
        self.report(kind).is_some_and(|report| report.state == RuntimeState::Ready)
    }

    /// True where `kind` was tried and cannot be used.
    pub(crate) fn is_unusable(&self, kind: BackendKind) -> bool {
        self.report(kind).is_some_and(|report| report.state != RuntimeState::Ready)
    }
}

/// The runtime pinned beside the one in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Secondary {
    #[default]
    None,
    Opening(BackendKind),
    Ready(BackendKind),
}

impl Secondary {
    pub(crate) fn kind(&self) -> Option<BackendKind> {
        match self {
            Self::None => None,
            Self::Opening(kind) | Self::Ready(kind) => Some(*kind),
        }
    }
}

/// The model in use, summed up.
#[derive(Default)]
pub(crate) struct ModelView {
    /// True from the question to its answer.
    pub waiting: bool,
    /// The answer, or why there is none.
    pub described: Option<Result<DescribedModel, Trouble<DescribeError>>>,
}

/// A model as the worker summed it up.
pub(crate) struct DescribedModel {
    pub page: Box<ModelPage>,
    /// Multiply-adds for an input of 640 x 640; `None` where the file does not tell.
    pub multiply_adds: Option<u64>,
}

/// What a person has put on the clipboard last, so that the button can say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copied {
    Comparison,
    Diagnostics,
}

impl AppState {
    /// True while what those who help need to know is being gathered.
    pub(crate) fn diagnosing(&self) -> bool {
        self.pending.values().any(|pending| *pending == Pending::Diagnose)
    }
}
