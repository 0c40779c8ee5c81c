//! The worker's loop: owns the detector, begins requests, steps the batch.

mod looks;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::batch::Batch;
use super::handle::Outbox;
use super::queue::{Job, Mailbox, Next};
use super::recent::RecentPictures;
use super::thumbnails::ThumbnailStore;
use super::{Event, OpenDetector, OpenError, OpenOrder, PhotoRef, Request, RequestId};
use crate::backend::{BackendKind, RuntimeChoice, RuntimeInUse, RuntimeOptions};
use crate::detect::Detector;
use crate::latency::{Comparison, OpenedRuntime, Step};
use crate::pipeline::{Eyes, Look, MakeRoom, Order, Stage, StageError, export_item, panic_message};
use crate::platform::{self, Folders};

/// A detector, what it runs on, and how to open it again.
struct Opened {
    detector: Box<dyn Detector>,
    runtime: RuntimeInUse,
    order: OpenOrder,
}

/// What is done a step at a time, so that interactive requests come in between.
enum Task {
    Batch(Box<Batch>),
    Comparison { job: Job, comparison: Box<Comparison> },
}

impl Task {
    fn id(&self) -> RequestId {
        match self {
            Self::Batch(batch) => batch.job.id,
            Self::Comparison { job, .. } => job.id,
        }
    }
}

pub(super) struct Worker {
    mailbox: Arc<Mailbox>,
    outbox: Outbox,
    open: OpenDetector,
    opened: Option<Opened>,
    why_blind: String,
    recent: RecentPictures,
    task: Option<Task>,
    companion: Option<Opened>,
    thumbnails: Option<ThumbnailStore>,
}

impl Worker {
    pub(super) fn new(
        mailbox: Arc<Mailbox>,
        outbox: Outbox,
        open: OpenDetector,
        thumbnails: Option<ThumbnailStore>,
    ) -> Self {
        let why_blind = "none has been opened yet".to_owned();
        Self {
            mailbox,
            outbox,
            open,
            opened: None,
            why_blind,
            recent: RecentPictures::default(),
            task: None,
            companion: None,
            thumbnails,
        }
    }

    /// Handles requests until the handle is dropped. A panic ends its request and nothing else.
    pub(super) fn run(mut self) {
        loop {
            let under_way = self.task.as_ref().map(Task::id);
            let (id, result) = match self.mailbox.next(under_way.is_some()) {
                Next::Closed => return,
                Next::ContinueTask => {
                    let Some(id) = under_way else { continue };
                    (id, catch_unwind(AssertUnwindSafe(|| self.continue_task())))
                }
                Next::Begin(job) => (job.id, catch_unwind(AssertUnwindSafe(|| self.begin(job)))),
            };
            if let Err(panic) = result {
                // The rooms' own panics are caught in the corridor; this one is the worker's.
                self.task.take_if(|task| task.id() == id);
                let error = StageError::Panicked { stage: Stage::Import, message: panic_message(&*panic) };
                self.outbox.send(id, Event::Failed { item: None, error });
            }
        }
    }

    fn begin(&mut self, job: Job) {
        let Job { id, request, cancel } = job;
        if let Request::Export(spec) = &request {
            let spec = Arc::clone(spec);
            self.task = Some(Task::Batch(Box::new(Batch::new(Job { id, request, cancel }, spec))));
            return;
        }
        if let Request::Compare(spec) = &request {
            let comparison = Box::new(Comparison::new(Arc::clone(spec), Folders::find().as_ref()));
            self.task = Some(Task::Comparison { job: Job { id, request, cancel }, comparison });
            return;
        }
        if cancel.is_cancelled() {
            self.outbox.send(id, Event::Superseded);
            return;
        }
        let event = match request {
            Request::OpenRuntime { choice, model, options } => self.open_runtime(OpenOrder { choice, model, options }),
            Request::PinCompanion { runtime, model, options } => self.pin(runtime, model, options),
            Request::Survey { photo, thumbnail_side } => self.survey(&photo, thumbnail_side, &cancel),
            Request::Inspect { photo, generation } => self.inspect(&photo, generation, &cancel),
            Request::RenderPreview { photo, generation, crop, render, max_side } => {
                self.preview(&photo, generation, &crop, &render, max_side)
            }
            Request::Magnify { photo, generation, part, size } => self.magnify(&photo, generation, part, size),
            // Tasks were begun above, errands are the clerks'.
            _ => Event::Superseded,
        };
        self.outbox.send(id, event);
    }

    fn open_runtime(&mut self, order: OpenOrder) -> Event {
        let requested = order.choice;
        let start = Instant::now();
        match self.open(order) {
            Ok(opened) => {
                let load_ms = start.elapsed().as_secs_f64() * 1e3;
                let runtime = opened.runtime.clone();
                tracing::info!(
                    requested = requested.id(),
                    runtime = runtime.actual.kind.id(),
                    version = runtime.actual.version,
                    device = runtime.actual.device,
                    why = runtime.why,
                    load_ms,
                    "runtime ready"
                );
                self.opened = Some(opened);
                Event::RuntimeReady { runtime, load_ms }
            }
            Err(error) => {
                tracing::error!(requested = requested.id(), %error, "runtime failed");
                self.opened = None;
                self.why_blind = error.to_string();
                Event::RuntimeFailed { requested, error }
            }
        }
    }

    fn open(&mut self, order: OpenOrder) -> Result<Opened, OpenError> {
        let opened = catch_unwind(AssertUnwindSafe(|| (self.open)(&order)))
            .unwrap_or_else(|panic| Err(OpenError::Panicked { message: panic_message(&*panic) }))?;
        let OpenedRuntime { detector, why } = opened;
        let runtime = RuntimeInUse { requested: order.choice, actual: detector.info().clone(), why };
        Ok(Opened { detector, runtime, order })
    }

    fn pin(&mut self, runtime: Option<BackendKind>, model: Option<PathBuf>, options: RuntimeOptions) -> Event {
        self.companion = None;
        if let Some(kind) = runtime {
            let choice = RuntimeChoice::Named(kind);
            match self.open(OpenOrder { choice, model, options }) {
                Ok(opened) => self.companion = Some(opened),
                Err(error) => return Event::RuntimeFailed { requested: choice, error },
            }
        }
        Event::CompanionReady { runtime }
    }

    fn continue_task(&mut self) {
        match self.task.take() {
            Some(Task::Batch(batch)) => self.task = self.continue_batch(batch).map(Task::Batch),
            Some(Task::Comparison { job, comparison }) => self.task = self.continue_comparison(job, comparison),
            None => {}
        }
    }

    /// Does the next photo of a batch; gives the batch back unless it has ended.
    fn continue_batch(&mut self, mut batch: Box<Batch>) -> Option<Box<Batch>> {
        if !batch.has_ended() {
            let item = &batch.spec.items[batch.done];
            let _handling = platform::handling(&item.photo.path);
            let order = Order {
                faces: &item.faces,
                depth: batch.spec.depth,
                crop: item.specs.as_ref().map_or(&batch.spec.crop, |specs| &specs.crop),
                finish: &batch.spec.finish,
                sheet: batch.spec.sheet.as_ref(),
                encode: item.specs.as_ref().map_or(&batch.spec.encode, |specs| &specs.encode),
                include_damaged: batch.spec.include_damaged,
                name: &item.name,
            };
            let eyes = self.opened.as_mut().map(Opened::eyes);
            let room: MakeRoom<'_> = &mut |bytes| self.recent.make_room(bytes, item.photo.limits.memory_budget);
            let report = export_item(item.photo.look(), order, eyes, &mut batch.names, room, &batch.job.cancel);
            if let Some(mut report) = report {
                if let Some(StageError::NoRuntime { reason }) = &mut report.error {
                    reason.clone_from(&self.why_blind);
                }
                batch.done += 1;
                let report = Arc::new(report);
                let event = Event::ExportProgress {
                    item: item.photo.item,
                    done: batch.done,
                    total: batch.spec.items.len(),
                    report: Arc::clone(&report),
                };
                self.outbox.send(batch.job.id, event);
                if let Some(error) = &report.error {
                    self.mend(error);
                }
            }
        }
        if !batch.has_ended() {
            return Some(batch);
        }
        let (done, total) = (batch.done, batch.spec.items.len());
        self.outbox.send(batch.job.id, Event::ExportFinished { cancelled: done < total, done, total });
        None
    }

    /// Does the next step of a comparison; gives it back unless it has ended.
    fn continue_comparison(&mut self, job: Job, mut comparison: Box<Comparison>) -> Option<Task> {
        let cancelled = job.cancel.is_cancelled();
        let finished = !cancelled && comparison.step() == Step::Finished;
        let table = Arc::new(comparison.table().clone());
        if cancelled || finished {
            self.outbox.send(job.id, Event::CompareFinished { table, cancelled });
            return None;
        }
        self.outbox.send(job.id, Event::CompareProgress(table));
        Some(Task::Comparison { job, comparison })
    }

    /// After a panic inside the engine its buffers cannot be trusted: opens the same runtime again.
    fn mend(&mut self, error: &StageError) {
        if matches!(error, StageError::Panicked { stage: Stage::Run, .. })
            && let Some(opened) = self.opened.take()
        {
            self.open_runtime(opened.order);
        }
    }
}

impl Opened {
    fn eyes(&mut self) -> Eyes<'_> {
        Eyes { detector: &mut *self.detector, runtime: &self.runtime }
    }
}

impl PhotoRef {
    fn look(&self) -> Look<'_> {
        Look { path: &self.path, limits: &self.limits, detect: &self.detect }
    }
}
