//! A running batch: worker threads that each process one photo at a time, and a reorder buffer that reports results in list
//! order.

mod context;
mod fingerprint;
mod journal_writer;
mod own_files;
mod package;
mod pool;
mod setup;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{JoinHandle, available_parallelism};

use cancel::CancelToken;
use outcome::{EncodeError, ItemNote, ItemReport, NoRuntime, OutcomeKind, Stage, StageError};
use picture::Steps;
use pipeline::{ExportOptions, export_item, panic_message};

use self::context::BatchContext;
use self::journal_writer::JournalWriter;
pub use self::package::package_files;
use self::package::write_packages;
use self::pool::{WorkerPool, budget_for_pixels};
use self::setup::BatchSetup;
use super::faults::{RunNote, StopReason};
use super::mailbox::Mailbox;
use super::outbox::Outbox;
use super::package_note::PackageNote;
use super::pending::RequestControl;
use super::scheduler::BatchScheduler;
use super::sessions::{Opened, Opener};
use super::{Event, ExportItem, ExportJob, RequestId, spawn_named};
use crate::journal::{InputStamp, PhotoEntry};
use crate::platform;

/// A running batch and its worker threads.
pub(super) struct Batch {
    pub(super) id: RequestId,
    shared: Arc<BatchShared>,
    workers: Vec<JoinHandle<()>>,
}

pub(super) struct BatchResources {
    /// The open runtime, or why there is none.
    pub(super) opened: Result<Opened, NoRuntime>,
    pub(super) opener: Opener,
    pub(super) outbox: Outbox,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) steps: Steps,
}

/// State shared by the worker threads of a batch.
struct BatchShared {
    id: RequestId,
    spec: Arc<ExportJob>,
    resources: BatchResources,
    cancel: CancelToken,
    scheduler: BatchScheduler,
    /// Threads per inference session.
    threads: usize,
    /// True if every worker thread has its own session.
    own_sessions: bool,
    /// Prepared once, by the first worker thread.
    setup: OnceLock<BatchSetup>,
    reorder: Mutex<ReorderBuffer>,
    /// Number of active worker threads.
    active_workers: AtomicUsize,
}

/// Holds back reports that finish early, so that all are sent in list order.
#[derive(Default)]
struct ReorderBuffer {
    waiting: BTreeMap<usize, ItemReport>,
    /// All photos before this index have been reported.
    next: usize,
    /// Number of photos reported.
    done: usize,
}

impl ReorderBuffer {
    /// The next report in list order; `None` if it is not finished yet.
    fn take_next(&mut self) -> Option<ItemReport> {
        self.waiting.remove(&self.next)
    }
}

impl Batch {
    /// Starts the worker threads.
    pub(super) fn begin(control: RequestControl, spec: Arc<ExportJob>, resources: BatchResources) -> Self {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let WorkerPool { workers, threads, own_sessions } =
            WorkerPool::of(&spec, resources.opened.as_ref().ok(), cores);
        let detectors = if own_sessions { workers } else { 1 };
        let budget = budget_for_pixels(&spec.items, detectors);
        let scheduler = BatchScheduler::new(spec.items.len(), workers, budget, control.cancel.clone(), control.pause);
        tracing::info!(workers, threads, own_sessions, photos = spec.items.len(), "batch started");
        let shared = Arc::new(BatchShared {
            id: control.id,
            spec,
            resources,
            cancel: control.cancel,
            scheduler,
            threads,
            own_sessions,
            setup: OnceLock::new(),
            reorder: Mutex::default(),
            active_workers: AtomicUsize::new(workers),
        });
        let mut threads_started = Vec::with_capacity(workers);
        for number in 0..workers {
            let active = ActiveWorker(Arc::clone(&shared));
            let worker = spawn_named(&format!("worker-{number}"), move || active.0.work(number));
            match worker {
                Ok(worker) => threads_started.push(worker),
                // Dropping its closure has already decremented `active_workers`; the other threads do its work.
                Err(error) => {
                    tracing::warn!(%error, number, "the system cannot start another thread");
                    if threads_started.is_empty() && number + 1 == workers {
                        shared.scheduler.stop(StopReason::NoThread(error));
                    }
                }
            }
        }
        Self { id: control.id, shared, workers: threads_started }
    }

    /// Joins the worker threads and returns the terminal event.
    pub(super) fn finish(self) -> Event {
        for worker in self.workers {
            // A panic of a worker thread has been reported as the failure of its photo.
            let _ = worker.join();
        }
        platform::return_freed_memory();
        let shared = self.shared;
        let (done, total) = (shared.reorder().done, shared.spec.items.len());
        tracing::info!(done, total, max_bytes = shared.scheduler.peak_used(), "batch ended");
        let setup = shared.setup.get();
        Event::ExportFinished {
            cancelled: done < total && shared.cancel.is_cancelled(),
            done,
            total,
            stopped: shared.scheduler.stopped(),
            notes: setup.map_or_else(Arc::default, BatchSetup::take_notes),
            journal: setup.and_then(|setup| Some(setup.journal_writer.as_ref()?.path().to_owned())),
        }
    }
}

/// Counts an active worker thread; the last one to end closes the batch and notifies the session lane.
struct ActiveWorker(Arc<BatchShared>);

impl Drop for ActiveWorker {
    fn drop(&mut self) {
        if self.0.active_workers.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.close();
            self.0.resources.mailbox.batch_ended();
        }
    }
}

impl BatchShared {
    fn work(&self, number: usize) {
        let setup = self.setup.get_or_init(|| {
            BatchSetup::prepare(
                &self.spec,
                self.resources.opened.as_ref().ok(),
                self.resources.steps.clone(),
                &self.scheduler,
            )
        });
        let mut detector = None;
        while let Some(index) = self.scheduler.next() {
            self.resources.outbox.throttle();
            if let Some(entry) = setup.resume.as_ref().and_then(|resume| resume.done.get(&index)) {
                self.scheduler.finish(index);
                self.deliver(index, already_done(&self.spec.items[index], entry));
                continue;
            }
            let detector = detector.get_or_insert_with(|| self.open_detector(number));
            if let Some(report) = self.process(index, setup, detector) {
                self.deliver(index, report);
            }
        }
    }

    fn open_detector(&self, number: usize) -> Result<Opened, NoRuntime> {
        let opened = self.resources.opened.clone()?.for_workers();
        // The first worker thread uses the open session if its thread count equals the thread's share.
        if !self.own_sessions || (number == 0 && opened.threads() == self.threads) {
            return Ok(opened);
        }
        match opened.open_another(&self.resources.opener, self.threads) {
            Ok(own) => Ok(own),
            Err(error) => {
                tracing::warn!(%error, number, "no separate session: the worker thread shares one");
                Ok(opened)
            }
        }
    }

    /// Runs the pipeline for one photo; `None` once cancelled.
    fn process(
        &self,
        index: usize,
        setup: &BatchSetup,
        detector: &mut Result<Opened, NoRuntime>,
    ) -> Option<ItemReport> {
        let item = &self.spec.items[index];
        let path = &item.photo.path;
        let _processing = platform::processing(path);
        let mut context = BatchContext::new(&self.scheduler, &self.spec.output, setup, index, path);
        let result = catch_unwind(AssertUnwindSafe(|| {
            // The journal records the file's state before it was read.
            let stamp = setup.journal_writer.as_ref().and_then(|_| InputStamp::of(path).ok());
            let opened = detector.as_mut().ok().map(Opened::detector);
            export_item(item.photo.source(), self.options(item), opened, &mut context, &self.cancel)
                .map(|report| (report, stamp))
        }));
        // Release memory and turn now, so that other photos do not wait for the journal's disk writes.
        self.scheduler.finish(index);
        let (mut report, stamp) = match result {
            Ok(result) => result?,
            Err(panic) => {
                // Panics inside stages are caught by the pipeline; this one is from the code around them.
                let mut report = ItemReport::new(path.clone());
                report.error = Some(StageError::Panicked { stage: Stage::Import, message: panic_message(&*panic) });
                (report, None)
            }
        };
        note_card(&mut report, item);
        self.handle_failure(&mut report, detector);
        if let Some(journal_writer) = &setup.journal_writer {
            if let Some(resume) = setup.resume.as_ref().filter(|_| report.outcome != OutcomeKind::Failed) {
                resume.remove_left_over(path, &setup.names());
            }
            let entry = journal_writer.entry(index, item, stamp, &report, &context.files);
            if let Err(error) = journal_writer.note(entry, &context.files) {
                self.stop_if_fatal(&error);
                if report.error.is_none() {
                    (report.outcome, report.error) = (OutcomeKind::Failed, Some(error.into()));
                }
            }
        }
        Some(report)
    }

    /// Consequences of a failure for this worker thread and the rest of the batch.
    fn handle_failure(&self, report: &mut ItemReport, detector: &mut Result<Opened, NoRuntime>) {
        match &mut report.error {
            Some(StageError::NoRuntime(why)) => {
                if let Err(known) = detector {
                    why.clone_from(known);
                }
            }
            Some(StageError::Panicked { stage: Stage::Inference, .. }) => {
                if let Ok(opened) = detector
                    && let Err(error) = opened.recover(&self.resources.opener)
                {
                    *detector = Err(NoRuntime::Failed(Arc::new(error)));
                }
            }
            Some(StageError::Encode(error)) => self.stop_if_fatal(error),
            _ => {}
        }
    }

    fn stop_if_fatal(&self, error: &EncodeError) {
        if let Some(reason) = StopReason::of(error) {
            self.scheduler.stop(reason);
        }
    }

    fn options<'a>(&'a self, item: &'a ExportItem) -> ExportOptions<'a> {
        let recipe = item.recipe.as_deref().unwrap_or(&self.spec.recipe);
        ExportOptions { faces: &item.faces, depth: self.spec.depth, recipe, name: &item.name }
    }

    /// Adds a report to the reorder buffer and sends all reports that are now in order.
    fn deliver(&self, index: usize, report: ItemReport) {
        let mut reorder = self.reorder();
        reorder.waiting.insert(index, report);
        while let Some(report) = reorder.take_next() {
            self.report(&mut reorder, report);
        }
        self.scheduler.reported(reorder.next);
    }

    fn report(&self, reorder: &mut ReorderBuffer, report: ItemReport) {
        let item = self.spec.items[reorder.next].photo.item;
        reorder.next += 1;
        reorder.done += 1;
        let (done, total) = (reorder.done, self.spec.items.len());
        self.resources.outbox.send(self.id, Event::ExportProgress { item, done, total, report: Arc::new(report) });
    }

    /// Sends the reports that were held back behind cancelled photos, and writes the packages and the journal's end entry.
    fn close(&self) {
        let mut reorder = self.reorder();
        while let Some((index, report)) = reorder.waiting.pop_first() {
            reorder.next = index;
            self.report(&mut reorder, report);
        }
        let Some(setup) = self.setup.get() else { return };
        let Some(journal_writer) = &setup.journal_writer else { return };
        let photos = self.spec.items.len();
        self.write_packages(setup, journal_writer, reorder.done == photos);
        let cancelled = reorder.done < photos && self.cancel.is_cancelled();
        let stopped = self.scheduler.stopped().map(|reason| reason.to_string());
        if let Err(error) = journal_writer.close(reorder.done, photos, cancelled, stopped) {
            self.stop_if_fatal(&error);
        }
    }

    fn write_packages(&self, setup: &BatchSetup, journal_writer: &JournalWriter, is_complete: bool) {
        let is_complete = is_complete && self.scheduler.stopped().is_none();
        let written =
            catch_unwind(AssertUnwindSafe(|| write_packages(&self.spec, journal_writer, is_complete, &self.cancel)));
        let notes = written.unwrap_or_else(|panic| {
            let source = io::Error::other(panic_message(&*panic));
            vec![PackageNote::Failed(EncodeError::Write { path: self.spec.output.folder.clone(), source })]
        });
        setup.add_notes(notes.into_iter().map(RunNote::Package));
    }

    fn reorder(&self) -> MutexGuard<'_, ReorderBuffer> {
        self.reorder.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds the card that the photo shows; a photo of a card needs no face.
fn note_card(report: &mut ItemReport, item: &ExportItem) {
    report.card.clone_from(&item.card);
    if report.card.is_some() && report.outcome == OutcomeKind::NoFace && report.error.is_none() {
        report.outcome = OutcomeKind::Card;
        report.warnings.clear();
    }
}

/// The report for a photo that an earlier part of the run has already done.
fn already_done(item: &ExportItem, entry: &PhotoEntry) -> ItemReport {
    let mut report = ItemReport::new(item.photo.path.clone());
    let kept = [OutcomeKind::NoFace, OutcomeKind::Card, OutcomeKind::Excluded, OutcomeKind::Damaged];
    let kept = kept.into_iter().find(|outcome| outcome.id() == entry.outcome);
    report.outcome = kept.unwrap_or(OutcomeKind::AlreadyDone);
    report.note = Some(ItemNote::AlreadyDone);
    report.card.clone_from(&item.card);
    report.size = entry.size.map(|[width, height]| geometry::Size::new(width, height));
    report
}
