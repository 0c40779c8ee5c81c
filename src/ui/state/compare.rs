//! Comparison of runtimes: selection and results.

use std::collections::BTreeMap;
use std::sync::Arc;

use batch::latency::{CompareSpec, ComparisonTable, offered_runtimes};
use batch::worker::RequestId;
use outcome::StageError;
use recipe::BackendKind;

use super::KnownRuntimes;

/// The comparison view.
pub(crate) struct Compare {
    /// True while it is shown in place of the photo.
    pub shown: bool,
    /// Explicit selections; runtimes that are ready are selected by default.
    pub ticks: BTreeMap<BackendKind, bool>,
    pub warmup: u32,
    pub repeats: u32,
    /// The running or last comparison.
    pub run: Option<CompareRun>,
}

/// A running or finished comparison.
pub(crate) struct CompareRun {
    /// Its request, once sent.
    pub request: Option<RequestId>,
    pub spec: Arc<CompareSpec>,
    /// The results so far.
    pub table: Arc<ComparisonTable>,
    /// True once cancellation was requested.
    pub cancelling: bool,
    /// `None` while it runs.
    pub end: Option<CompareEnd>,
}

#[derive(Clone, Debug)]
pub(crate) enum CompareEnd {
    Completed,
    Cancelled,
    /// The worker failed.
    Broken(Arc<StageError>),
}

impl Default for Compare {
    fn default() -> Self {
        Self { shown: false, ticks: BTreeMap::new(), warmup: 2, repeats: 10, run: None }
    }
}

impl Compare {
    /// True if `kind` is selected.
    pub(crate) fn is_ticked(&self, kind: BackendKind, known: &KnownRuntimes) -> bool {
        known.is_ready(kind) && self.ticks.get(&kind).copied().unwrap_or(true)
    }

    /// The selected runtimes, in the order offered.
    pub(crate) fn ticked(&self, known: &KnownRuntimes) -> Vec<BackendKind> {
        offered_runtimes().into_iter().filter(|&kind| self.is_ticked(kind, known)).collect()
    }

    pub(crate) fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.end.is_none())
    }

    /// The results of a finished comparison, if there are any.
    pub(crate) fn result(&self) -> Option<&ComparisonTable> {
        let run = self.run.as_ref().filter(|run| run.end.is_some())?;
        (!run.table.rows.is_empty()).then_some(&*run.table)
    }

    /// The running comparison of `request`.
    pub(crate) fn running(&mut self, request: RequestId) -> Option<&mut CompareRun> {
        self.run.as_mut().filter(|run| run.request == Some(request) && run.end.is_none())
    }
}

impl CompareRun {
    pub(crate) fn new(spec: Arc<CompareSpec>) -> Self {
        Self { request: None, spec, table: Arc::default(), cancelling: false, end: None }
    }

    /// Progress, 0 to 1: opening a runtime counts as much as ten runs.
    pub(crate) fn share(&self) -> f32 {
        const OPENING: usize = 10;
        let runtimes = self.spec.runtimes.len();
        let opened = self.table.rows.len();
        let runs_each = self.spec.photos.len() * (self.spec.warmup + self.spec.repeats) as usize;
        let total = if opened < runtimes { runs_each * runtimes } else { self.table.total };
        let all = (runtimes * OPENING + total).max(1);
        ((opened * OPENING + self.table.done) as f32 / all as f32).min(1.0)
    }
}
