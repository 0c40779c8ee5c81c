//! A batch under way: hands that each walk one photo down the corridor, and what keeps their results in the list's order.

mod context;
mod fingerprint;
mod journal_writer;
mod own_files;
mod pool;
mod ready;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
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
use self::pool::{WorkerPool, budget_for_pixels};
use self::ready::Ready;
use super::faults::StopReason;
use super::outbox::Outbox;
use super::queue::Mailbox;
use super::scheduler::BatchScheduler;
use super::sessions::{Opened, Opener};
use super::tickets::Ticket;
use super::{Event, ExportItem, ExportJob, RequestId, spawn_named};
use crate::journal::{InputStamp, PhotoEntry};
use crate::platform;

/// A batch and the threads that work on it.
pub(super) struct Batch {
    pub(super) id: RequestId,
    crew: Arc<BatchShared>,
    workers: Vec<JoinHandle<()>>,
}

/// How a batch is worked on.
pub(super) struct BatchResources {
    /// The runtime, or why there is none.
    pub(super) opened: Result<Opened, NoRuntime>,
    pub(super) opener: Opener,
    pub(super) outbox: Outbox,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) steps: Steps,
}

/// What the hands share.
struct BatchShared {
    id: RequestId,
    spec: Arc<ExportJob>,
    resources: BatchResources,
    cancel: CancelToken,
    scheduler: BatchScheduler,
    /// Threads of an engine's run.
    threads: usize,
    /// True where every hand has a session of its own.
    own_sessions: bool,
    /// What is made ready once, by the hand that comes first.
    ready: OnceLock<Ready>,
    /// Reports that wait for one before them.
    counter: Mutex<Counter>,
    /// Hands at work.
    left: AtomicUsize,
}

#[derive(Default)]
struct Counter {
    waiting: BTreeMap<usize, ItemReport>,
    /// Photos before this one were told of.
    next: usize,
    /// Photos told of.
    done: usize,
}

impl Counter {
    /// The report to be told next, where it is there.
    fn take_next(&mut self) -> Option<ItemReport> {
        self.waiting.remove(&self.next)
    }
}

impl Batch {
    /// Starts the hands.
    pub(super) fn begin(ticket: Ticket, spec: Arc<ExportJob>, resources: BatchResources) -> Self {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let WorkerPool { workers, threads, own_sessions } =
            WorkerPool::of(&spec, resources.opened.as_ref().ok(), cores);
        let detectors = if own_sessions { workers } else { 1 };
        let budget = budget_for_pixels(&spec.items, detectors);
        let scheduler = BatchScheduler::new(spec.items.len(), workers, budget, ticket.cancel.clone(), ticket.pause);
        tracing::info!(workers, threads, own_sessions, photos = spec.items.len(), "batch begins");
        let crew = Arc::new(BatchShared {
            id: ticket.id,
            spec,
            resources,
            cancel: ticket.cancel,
            scheduler,
            threads,
            own_sessions,
            ready: OnceLock::new(),
            counter: Mutex::default(),
            left: AtomicUsize::new(workers),
        });
        let mut started = Vec::with_capacity(workers);
        for number in 0..workers {
            let at_work = ActiveWorker(Arc::clone(&crew));
            let worker = spawn_named(&format!("hand-{number}"), move || at_work.0.work(number));
            match worker {
                Ok(worker) => started.push(worker),
                // Dropping what it would have owned has counted it off; the others do its work.
                Err(error) => {
                    tracing::warn!(%error, number, "the system has no room for another thread");
                    if started.is_empty() && number + 1 == workers {
                        crew.scheduler.stop(StopReason::NoThread(error));
                    }
                }
            }
        }
        Self { id: ticket.id, crew, workers: started }
    }

    /// Waits for the hands and says how it ended.
    pub(super) fn finish(self) -> Event {
        for worker in self.workers {
            // A hand's panic was told of as its photo's.
            let _ = worker.join();
        }
        platform::return_freed_memory();
        let crew = self.crew;
        let (done, total) = (crew.counter().done, crew.spec.items.len());
        tracing::info!(done, total, max_bytes = crew.scheduler.most_used(), "batch ended");
        let ready = crew.ready.get();
        Event::ExportFinished {
            cancelled: done < total && crew.cancel.is_cancelled(),
            done,
            total,
            stopped: crew.scheduler.stopped(),
            notes: ready.map_or_else(Arc::default, |ready| Arc::clone(&ready.notes)),
            journal: ready.and_then(|ready| Some(ready.journal_writer.as_ref()?.path().to_owned())),
        }
    }
}

/// A hand at work: the last to go closes the batch and tells the worker.
struct ActiveWorker(Arc<BatchShared>);

impl Drop for ActiveWorker {
    fn drop(&mut self) {
        if self.0.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.close();
            self.0.resources.mailbox.batch_ended();
        }
    }
}

impl BatchShared {
    fn work(&self, number: usize) {
        let ready = self.ready.get_or_init(|| {
            Ready::make(&self.spec, self.resources.opened.as_ref().ok(), self.resources.steps.clone(), &self.scheduler)
        });
        let mut detector = None;
        while let Some(index) = self.scheduler.next() {
            self.resources.outbox.let_catch_up();
            if let Some(entry) = ready.resume.as_ref().and_then(|resume| resume.done.get(&index)) {
                self.scheduler.leave(index);
                self.deliver(index, done_before(&self.spec.items[index], entry));
                continue;
            }
            let detector = detector.get_or_insert_with(|| self.open_eyes(number));
            if let Some(report) = self.one(index, ready, detector) {
                self.deliver(index, report);
            }
        }
    }

    fn open_eyes(&self, number: usize) -> Result<Opened, NoRuntime> {
        let opened = self.resources.opened.clone()?.for_workers();
        // The first hand takes the one that is open where that has no more threads than its share.
        if !self.own_sessions || (number == 0 && opened.threads() == self.threads) {
            return Ok(opened);
        }
        match opened.another(&self.resources.opener, self.threads) {
            Ok(own) => Ok(own),
            Err(error) => {
                tracing::warn!(%error, number, "no session of its own: the hand shares one");
                Ok(opened)
            }
        }
    }

    /// Walks a photo down the corridor; `None` once cancelled.
    fn one(&self, index: usize, ready: &Ready, detector: &mut Result<Opened, NoRuntime>) -> Option<ItemReport> {
        let item = &self.spec.items[index];
        let path = &item.photo.path;
        let _handling = platform::handling(path);
        let mut context = BatchContext::new(&self.scheduler, &self.spec.output, ready, index, path);
        let walked = catch_unwind(AssertUnwindSafe(|| {
            // What is noted of the file is how it was before it was read.
            let stamp = ready.journal_writer.as_ref().and_then(|_| InputStamp::of(path).ok());
            let opened = detector.as_mut().ok().map(Opened::detector);
            export_item(item.photo.look(), self.options(item), opened, &mut context, &self.cancel)
                .map(|report| (report, stamp))
        }));
        // Others need not wait for the disk.
        self.scheduler.leave(index);
        let (mut report, stamp) = match walked {
            Ok(walked) => walked?,
            Err(panic) => {
                // The rooms' own panics are caught in the corridor; this one is the hand's.
                let mut report = ItemReport::new(path.clone());
                report.error = Some(StageError::Panicked { stage: Stage::Import, message: panic_message(&*panic) });
                (report, None)
            }
        };
        self.explain(&mut report, detector);
        if let Some(journal_writer) = &ready.journal_writer {
            if let Some(resume) = ready.resume.as_ref().filter(|_| report.outcome != OutcomeKind::Failed) {
                resume.remove_left_over(path, &ready.names());
            }
            let entry = journal_writer.entry(index, item, stamp, &report, &context.files);
            if let Err(error) = journal_writer.note(entry, &context.files) {
                self.stop_for(&error);
                if report.error.is_none() {
                    (report.outcome, report.error) = (OutcomeKind::Failed, Some(error.into()));
                }
            }
        }
        Some(report)
    }

    /// What a failure means for the hand and the rest of the batch.
    fn explain(&self, report: &mut ItemReport, detector: &mut Result<Opened, NoRuntime>) {
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
            Some(StageError::Encode(error)) => self.stop_for(error),
            _ => {}
        }
    }

    fn stop_for(&self, error: &EncodeError) {
        if let Some(reason) = StopReason::of(error) {
            self.scheduler.stop(reason);
        }
    }

    fn options<'a>(&'a self, item: &'a ExportItem) -> ExportOptions<'a> {
        let recipe = item.recipe.as_deref().unwrap_or(&self.spec.recipe);
        ExportOptions { faces: &item.faces, depth: self.spec.depth, recipe, name: &item.name }
    }

    /// Tells of a photo once all before it were told of.
    fn deliver(&self, index: usize, report: ItemReport) {
        let mut counter = self.counter();
        counter.waiting.insert(index, report);
        while let Some(report) = counter.take_next() {
            self.report(&mut counter, report);
        }
        self.scheduler.reported(counter.next);
    }

    fn report(&self, counter: &mut Counter, report: ItemReport) {
        let item = self.spec.items[counter.next].photo.item;
        counter.next += 1;
        counter.done += 1;
        let (done, total) = (counter.done, self.spec.items.len());
        self.resources.outbox.send(self.id, Event::ExportProgress { item, done, total, report: Arc::new(report) });
    }

    /// Tells of what is done behind photos that were cancelled, and ends the journal.
    fn close(&self) {
        let mut counter = self.counter();
        while let Some((index, report)) = counter.waiting.pop_first() {
            counter.next = index;
            self.report(&mut counter, report);
        }
        let Some(journal_writer) = self.ready.get().and_then(|ready| ready.journal_writer.as_ref()) else { return };
        let photos = self.spec.items.len();
        let cancelled = counter.done < photos && self.cancel.is_cancelled();
        let stopped = self.scheduler.stopped().map(|reason| reason.to_string());
        if let Err(error) = journal_writer.close(counter.done, photos, cancelled, stopped) {
            self.stop_for(&error);
        }
    }

    fn counter(&self) -> MutexGuard<'_, Counter> {
        self.counter.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The report on a photo that an earlier part of the run has done.
fn done_before(item: &ExportItem, entry: &PhotoEntry) -> ItemReport {
    let mut report = ItemReport::new(item.photo.path.clone());
    let kept = [OutcomeKind::NoFace, OutcomeKind::Excluded, OutcomeKind::Damaged];
    let kept = kept.into_iter().find(|outcome| outcome.id() == entry.outcome);
    report.outcome = kept.unwrap_or(OutcomeKind::AlreadyDone);
    report.note = Some(ItemNote::AlreadyDone);
    report.size = entry.size.map(|[width, height]| geometry::Size::new(width, height));
    report
}
