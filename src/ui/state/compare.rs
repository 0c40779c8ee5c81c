//! Comparison of runtimes: selection and results.

use std::collections::BTreeMap;
use std::sync::Arc;

use batch::latency::{CompareRow, CompareSpec, ComparisonTable, offered_runtimes};
use batch::worker::RequestId;
use outcome::StageError;
use recipe::BackendKind;

use super::{AppState, KnownRuntimes, RuntimeGroup};

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

    /// The runtime that is being opened; `None` once all were.
    pub(crate) fn opening(&self) -> Option<BackendKind> {
        self.spec.runtimes.get(self.table.rows.len()).copied()
    }

    /// The runtimes and their rows in the order shown: as they take turns while it runs, so that no row moves under the
    /// pointer, then sorted.
    pub(crate) fn rows(&self) -> Vec<(BackendKind, Option<&CompareRow>)> {
        let rows = if self.end.is_some() { self.table.ranked() } else { self.table.rows.iter().collect() };
        let not_run = self.spec.runtimes.iter().skip(rows.len()).map(|kind| (*kind, None));
        rows.into_iter().map(|row| (row.kind, Some(row))).chain(not_run).collect()
    }

    /// What is done, and of how many: first the runtimes that were opened, then the runs.
    pub(crate) fn progress(&self) -> (usize, usize) {
        match self.opening() {
            Some(_) => (self.table.rows.len(), self.spec.runtimes.len()),
            None => (self.table.done, self.table.total),
        }
    }
}

/// Why no comparison can be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompareObstacle {
    NoPhoto,
    Exporting,
    ReadingCards,
    /// The runtimes are being tested.
    Testing,
    NoRuntime,
}

impl AppState {
    /// Why no comparison can be started. Faces need not be found first: the worker pauses that during a comparison.
    pub(crate) fn compare_obstacle(&self) -> Option<CompareObstacle> {
        let RuntimeGroup { compare, known, .. } = &self.runtime;
        let obstacles = [
            (self.compared_photos().is_empty(), CompareObstacle::NoPhoto),
            (self.exporting(), CompareObstacle::Exporting),
            (self.card_progress().is_some(), CompareObstacle::ReadingCards),
            (known.table.is_none() || known.checking, CompareObstacle::Testing),
            (compare.ticked(known).is_empty(), CompareObstacle::NoRuntime),
        ];
        obstacles.into_iter().find(|(applies, _)| *applies).map(|(_, obstacle)| obstacle)
    }
}
