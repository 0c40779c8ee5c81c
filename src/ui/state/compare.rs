//! Runtimes side by side: what is ticked, and what a comparison has shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use batch::latency::{CompareSpec, ComparisonTable, offered_runtimes};
use batch::worker::RequestId;
use outcome::StageError;
use recipe::BackendKind;

use super::KnownRuntimes;

/// The view that compares runtimes.
pub(crate) struct Compare {
    /// True while it takes the photo's place.
    pub shown: bool,
    /// What a person ticked or unticked; a runtime that is ready is ticked otherwise.
    pub ticks: BTreeMap<BackendKind, bool>,
    pub warmup: u32,
    pub repeats: u32,
    /// The comparison under way or the last one.
    pub run: Option<CompareRun>,
}

/// A comparison that runs or has ended.
pub(crate) struct CompareRun {
    /// Its request, once sent.
    pub request: Option<RequestId>,
    pub spec: Arc<CompareSpec>,
    /// What it has shown so far.
    pub table: Arc<ComparisonTable>,
    /// True once a person asked to stop.
    pub cancelling: bool,
    /// How it ended; `None` while it runs.
    pub end: Option<CompareEnd>,
}

/// How a comparison ended.
#[derive(Clone, Debug)]
pub(crate) enum CompareEnd {
    Completed,
    Cancelled,
    /// The worker could not go on, for this reason.
    Broken(Arc<StageError>),
}

impl Default for Compare {
    fn default() -> Self {
        Self { shown: false, ticks: BTreeMap::new(), warmup: 2, repeats: 10, run: None }
    }
}

impl Compare {
    /// True where `kind` is to be compared.
    pub(crate) fn is_ticked(&self, kind: BackendKind, known: &KnownRuntimes) -> bool {
        known.is_ready(kind) && self.ticks.get(&kind).copied().unwrap_or(true)
    }

    /// The runtimes to be compared, in the order they are offered.
    pub(crate) fn ticked(&self, known: &KnownRuntimes) -> Vec<BackendKind> {
        offered_runtimes().into_iter().filter(|&kind| self.is_ticked(kind, known)).collect()
    }

    pub(crate) fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.end.is_none())
    }

    /// The result that can be kept: that of a comparison that has ended with something to show.
    pub(crate) fn result(&self) -> Option<&ComparisonTable> {
        let run = self.run.as_ref().filter(|run| run.end.is_some())?;
        (!run.table.rows.is_empty()).then_some(&*run.table)
    }

    /// The comparison `request` stands for, while it runs.
    pub(crate) fn running(&mut self, request: RequestId) -> Option<&mut CompareRun> {
        self.run.as_mut().filter(|run| run.request == Some(request) && run.end.is_none())
    }
}

impl CompareRun {
    pub(crate) fn new(spec: Arc<CompareSpec>) -> Self {
        Self { request: None, spec, table: Arc::default(), cancelling: false, end: None }
    }

    /// Share done, 0 to 1: opening a runtime counts as much as looking ten times.
    pub(crate) fn share(&self) -> f32 {
        const OPENING: usize = 10;
        let runtimes = self.spec.runtimes.len();
        let opened = self.table.rows.len();
        let looks_each = self.spec.photos.len() * (self.spec.warmup + self.spec.repeats) as usize;
        let total = if opened < runtimes { looks_each * runtimes } else { self.table.total };
        let all = (runtimes * OPENING + total).max(1);
        ((opened * OPENING + self.table.done) as f32 / all as f32).min(1.0)
    }
}
