//! An export: how far it is, and what became of each photo.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use batch::worker::{ExportJob, ItemId, RequestId, RunNote, StopReason};
use outcome::{ItemReport, OutcomeKind};

/// Which photos are exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportScope {
    Selected,
    All,
}

/// An export that runs or has ended.
pub(crate) struct Batch {
    /// Its request, once sent.
    pub request: Option<RequestId>,
    /// Where crops go.
    pub folder: PathBuf,
    /// What was asked for.
    pub job: Arc<ExportJob>,
    pub total: usize,
    pub done: usize,
    pub counts: Counts,
    /// What became of each photo so far, in order.
    pub lines: Vec<BatchLine>,
    /// True once a person asked to stop.
    pub cancelling: bool,
    /// Since when it rests.
    pub resting: Option<Instant>,
    /// What the worker said of the whole, and why it ended early.
    pub notes: Arc<[RunNote]>,
    pub stopped: Option<Arc<StopReason>>,
    /// Its journal, of which reports are made, once it has ended.
    pub journal: Option<PathBuf>,
    /// How it ended; `None` while it runs.
    pub end: Option<BatchEnd>,
    started: Instant,
    /// Seconds from the start to the last answer.
    pub elapsed_s: f64,
}

/// How an export ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BatchEnd {
    Completed,
    Cancelled,
    /// By itself: nothing more could be written.
    Stopped,
    /// The worker has died.
    Broken,
}

/// Photos by outcome, and files written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub files: usize,
    pub skipped: usize,
    /// Done in an earlier part of the run.
    pub before: usize,
    pub no_face: usize,
    /// None of their faces was chosen.
    pub excluded: usize,
    pub damaged: usize,
    pub failed: usize,
}

/// What became of one photo.
pub(crate) struct BatchLine {
    pub item: ItemId,
    pub name: String,
    pub outcome: OutcomeKind,
    /// The files written, or why there are none, in words.
    pub what: String,
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
            resting: None,
            notes: Arc::default(),
            stopped: None,
            journal: None,
            end: None,
            started: now,
            elapsed_s: 0.0,
        }
    }

    /// Takes one photo's report.
    pub(crate) fn note(&mut self, line: BatchLine, report: &ItemReport, done: usize, now: Instant) {
        self.counts.files += report.crops.iter().filter(|crop| crop.written.is_some()).count();
        match line.outcome {
            OutcomeKind::Cropped | OutcomeKind::Detected => {}
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

    /// Lets it rest or go on; the time it rests is none of its own.
    pub(crate) fn rest(&mut self, paused: bool, now: Instant) {
        match (paused, self.resting) {
            (true, None) => self.resting = Some(now),
            (false, Some(since)) => {
                self.started += now.duration_since(since);
                self.resting = None;
            }
            _ => {}
        }
    }

    /// True where it ended before its last photo and can be taken up.
    pub(crate) fn can_resume(&self) -> bool {
        self.job.journal.is_some()
            && self.done < self.total
            && matches!(self.end, Some(BatchEnd::Cancelled | BatchEnd::Stopped))
    }

    /// Ends it; what was not written and should have been comes first in the list from here on.
    pub(crate) fn finish(&mut self, end: BatchEnd, now: Instant) {
        self.end = Some(end);
        self.elapsed_s = now.duration_since(self.started).as_secs_f64();
        let is_as_wished =
            |kind| matches!(kind, OutcomeKind::Cropped | OutcomeKind::AlreadyDone | OutcomeKind::Excluded);
        self.lines.sort_by_key(|line| is_as_wished(line.outcome));
    }

    /// Photos a second so far, without those done before; `None` before the first is done.
    pub(crate) fn rate(&self) -> Option<f64> {
        let done = self.done.saturating_sub(self.counts.before);
        (done > 0 && self.elapsed_s > 0.0).then(|| done as f64 / self.elapsed_s)
    }

    /// Seconds left at the rate so far.
    pub(crate) fn left_s(&self) -> Option<f64> {
        Some((self.total - self.done.min(self.total)) as f64 / self.rate()?)
    }

    /// Share done, 0 to 1.
    pub(crate) fn share(&self) -> f32 {
        if self.total == 0 { 1.0 } else { self.done as f32 / self.total as f32 }
    }
}
