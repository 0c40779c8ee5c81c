//! Progress and results of an export.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use batch::worker::{ExportJob, ItemId, RequestId, RunNote, StopReason};
use outcome::{ItemReport, OutcomeKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportScope {
    Selected,
    All,
}

/// A running or finished export.
pub(crate) struct Batch {
    /// Its request, once sent.
    pub request: Option<RequestId>,
    pub folder: PathBuf,
    pub job: Arc<ExportJob>,
    pub total: usize,
    pub done: usize,
    pub counts: Counts,
    /// Results so far, in order.
    pub lines: Vec<BatchLine>,
    /// True once cancellation was requested.
    pub cancelling: bool,
    /// Start of the current pause.
    pub paused_at: Option<Instant>,
    /// The worker's notes on the run, including why it ended early.
    pub notes: Arc<[RunNote]>,
    pub stopped: Option<Arc<StopReason>>,
    /// Its journal, the source of reports, once it has ended.
    pub journal: Option<PathBuf>,
    /// `None` while it runs.
    pub end: Option<BatchEnd>,
    started: Instant,
    /// Seconds from the start to the last event.
    pub elapsed_s: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BatchEnd {
    Completed,
    Cancelled,
    /// Stopped by the worker: nothing more could be written.
    Stopped,
    /// The worker has exited.
    Broken,
}

/// Photos by outcome, and files written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub files: usize,
    pub skipped: usize,
    /// Done in an earlier run.
    pub before: usize,
    pub no_face: usize,
    /// Photos of cards.
    pub cards: usize,
    /// No face was chosen.
    pub excluded: usize,
    pub damaged: usize,
    pub failed: usize,
}

/// The result of one photo.
pub(crate) struct BatchLine {
    pub item: ItemId,
    pub name: String,
    pub outcome: OutcomeKind,
    /// The files written, or the reason for none, as text.
    pub what: String,
    /// The first file written.
    pub file: Option<PathBuf>,
}

impl Batch {
    pub(crate) fn new(folder: PathBuf, job: Arc<ExportJob>, now: Instant) -> Self {
        Self {
            request: None,
            folder,
            total: job.items.len(),
            job,
            done: 0,
            counts: Counts::default(),
            lines: Vec::new(),
            cancelling: false,
            paused_at: None,
            notes: Arc::default(),
            stopped: None,
            journal: None,
            end: None,
            started: now,
            elapsed_s: 0.0,
        }
    }

    /// The first file written for a photo.
    pub(crate) fn file_of(&self, item: ItemId) -> Option<&Path> {
        self.lines.iter().rev().find(|line| line.item == item)?.file.as_deref()
    }

    /// Adds the report of one photo.
    pub(crate) fn note(&mut self, line: BatchLine, report: &ItemReport, done: usize, now: Instant) {
        self.counts.files += report.crops.iter().filter(|crop| crop.written.is_some()).count();
        match line.outcome {
            OutcomeKind::Cropped | OutcomeKind::Detected => {}
            OutcomeKind::Card => self.counts.cards += 1,
            OutcomeKind::Skipped => self.counts.skipped += 1,
            OutcomeKind::AlreadyDone => self.counts.before += 1,
            OutcomeKind::NoFace => self.counts.no_face += 1,
            OutcomeKind::Excluded => self.counts.excluded += 1,
            OutcomeKind::Damaged => self.counts.damaged += 1,
            OutcomeKind::Failed => self.counts.failed += 1,
        }
        self.done = done;
        self.lines.push(line);
        self.elapsed_s = now.saturating_duration_since(self.started).as_secs_f64();
    }

    /// Pauses or resumes; paused time is not counted as elapsed.
    pub(crate) fn set_paused(&mut self, paused: bool, now: Instant) {
        match (paused, self.paused_at) {
            (true, None) => self.paused_at = Some(now),
            (false, Some(since)) => {
                self.started += now.duration_since(since);
                self.paused_at = None;
            }
            _ => {}
        }
    }

    /// True if it ended early and can be resumed.
    pub(crate) fn can_resume(&self) -> bool {
        self.job.journal.is_some()
            && self.done < self.total
            && matches!(self.end, Some(BatchEnd::Cancelled | BatchEnd::Stopped))
    }

    /// Ends it. From then on, crops that could not be written come first.
    pub(crate) fn finish(&mut self, end: BatchEnd, now: Instant) {
        self.end = Some(end);
        self.elapsed_s = now.duration_since(self.started).as_secs_f64();
        let is_as_wished = |kind| {
            matches!(kind, OutcomeKind::Cropped | OutcomeKind::Card | OutcomeKind::AlreadyDone | OutcomeKind::Excluded)
        };
        self.lines.sort_by_key(|line| is_as_wished(line.outcome));
    }

    /// True if it has ended and every photo has its crops: there is nothing to read in its summary.
    pub(crate) fn has_succeeded(&self) -> bool {
        let Counts { skipped, no_face, damaged, failed, .. } = self.counts;
        self.end == Some(BatchEnd::Completed)
            && skipped + no_face + damaged + failed == 0
            && self.notes.is_empty()
            && self.done == self.total
    }

    /// Photos per second so far, without those done before; `None` before the first is done.
    pub(crate) fn rate(&self) -> Option<f64> {
        let done = self.done.saturating_sub(self.counts.before);
        (done > 0 && self.elapsed_s > 0.0).then(|| done as f64 / self.elapsed_s)
    }

    /// Seconds left at the current rate.
    pub(crate) fn left_s(&self) -> Option<f64> {
        Some((self.total - self.done.min(self.total)) as f64 / self.rate()?)
    }
}
