//! Runtimes: the one in use, the secondary one, and probe results.

use std::sync::Arc;

use batch::latency::RuntimeTable;
use batch::worker::{DescribeError, ModelPage};
use outcome::{OpenError, RuntimeInUse, RuntimeReport, RuntimeState};
use recipe::{BackendKind, RuntimeChoice};

use super::failures::Unavailable;
use super::{AppState, Pending, RuntimeGroup};

/// State of the runtime in use.
#[derive(Debug)]
pub(crate) enum RuntimeStatus {
    Opening {
        /// True once opening takes unusually long.
        slow: bool,
    },
    Ready {
        runtime: Box<RuntimeInUse>,
        load_ms: f64,
    },
    Failed {
        requested: RuntimeChoice,
        error: Unavailable<Arc<OpenError>>,
    },
}

/// Results of the probes of all runtimes.
#[derive(Default)]
pub(crate) struct KnownRuntimes {
    pub table: Option<RuntimeTable>,
    /// True while a probe is pending.
    pub checking: bool,
    /// True once probes with the current options and model have run or are queued.
    pub requested: bool,
}

impl KnownRuntimes {
    /// Probe result of `kind`; `None` until probed.
    pub(crate) fn report(&self, kind: BackendKind) -> Option<&RuntimeReport> {
        self.table.as_ref()?.reports.iter().find(|report| report.kind == kind)
    }

    pub(crate) fn is_ready(&self, kind: BackendKind) -> bool {
        self.report(kind).is_some_and(|report| report.state == RuntimeState::Ready)
    }

    /// True if `kind` was probed and cannot be used.
    pub(crate) fn is_unusable(&self, kind: BackendKind) -> bool {
        self.report(kind).is_some_and(|report| report.state != RuntimeState::Ready)
    }
}

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

/// Summaries of the models in use.
#[derive(Default)]
pub(crate) struct ModelView {
    /// True while a request is pending.
    pub waiting: bool,
    /// The models, the detector first, or the reason for none; empty before the first answer.
    pub described: Vec<Result<DescribedModel, Unavailable<DescribeError>>>,
}

/// The worker's summary of a model.
pub(crate) struct DescribedModel {
    pub page: ModelPage,
    /// Multiply-adds for the page's input size; `None` if the file does not contain them.
    pub multiply_adds: Option<u64>,
}

/// The text copied last; its button shows a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copied {
    Comparison,
    Diagnostics,
}

impl RuntimeGroup {
    /// Milliseconds that a runtime takes for a photo with one face; `None` until it was measured.
    pub(crate) fn photo_ms(&self, kind: BackendKind) -> Option<f64> {
        let tested = self.known.report(kind).and_then(RuntimeReport::photo_ms);
        tested.or_else(|| {
            let RuntimeStatus::Ready { runtime, .. } = &self.status else { return None };
            let times = &runtime.why.as_ref()?.times;
            times.iter().find(|(timed, _)| *timed == kind).map(|(_, photo_ms)| *photo_ms)
        })
    }
}

/// Photos whose faces are found with a built-in runtime before the runtimes are tested: about as many as the list shows.
const FIRST_PHOTOS: usize = 8;

impl AppState {
    /// True if the runtimes are to be tested: not before the first photos are shown, which the tests would slow down.
    pub(crate) fn tests_are_due(&self) -> bool {
        if self.runtime.known.requested || !self.runtime.is_untested() {
            return false;
        }
        let found = self.list.library.photos().iter().filter(|photo| photo.detection.is_some());
        found.take(FIRST_PHOTOS).count() == FIRST_PHOTOS || (self.list.passes.is_empty() && !self.importing())
    }

    /// True while diagnostics are gathered.
    pub(crate) fn diagnosing(&self) -> bool {
        self.pending.values().any(|pending| *pending == Pending::Diagnose)
    }
}
