//! The worker's loop: owns the detector, begins requests, steps the batch.

mod looks;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use outcome::{NoRuntime, Stage, StageError};
use picture::Steps;
use pipeline::{Look, panic_message};
use recipe::{BackendKind, RuntimeChoice, RuntimeOptions};

use super::batch::{Batch, Means};
use super::handle::Outbox;
use super::queue::{Job, Mailbox, Next, UnderWay};
use super::recent::RecentPictures;
use super::sessions::{Opened, Opener};
use super::thumbnails::ThumbnailStore;
use super::{Event, ExportJob, OpenDetector, OpenOrder, PhotoRef, Request, RequestId};
use crate::latency::{Comparison, Step};
use crate::platform::Folders;

/// What takes long: a batch has hands of its own, a comparison is taken a step at a time, so that interactive requests come in
/// between.
enum Task {
    Batch(Batch),
    Comparison { job: Job, comparison: Box<Comparison> },
}

impl Task {
    fn id(&self) -> RequestId {
        match self {
            Self::Batch(batch) => batch.id,
            Self::Comparison { job, .. } => job.id,
        }
    }

    fn under_way(&self) -> UnderWay {
        match self {
            Self::Batch(_) => UnderWay::Batch,
            Self::Comparison { .. } => UnderWay::Steps,
        }
    }
}

pub(super) struct Worker {
    mailbox: Arc<Mailbox>,
    outbox: Outbox,
    opener: Opener,
    opened: Option<Opened>,
    why_blind: NoRuntime,
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
        Self {
            mailbox,
            outbox,
            opener: Opener::new(open),
            opened: None,
            why_blind: NoRuntime::NotOpened,
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
            let (id, result) = match self.mailbox.next(self.task.as_ref().map_or(UnderWay::Nothing, Task::under_way)) {
                Next::Closed => {
                    // What a hand is writing is to be whole.
                    self.end_batch();
                    return;
                }
                Next::BatchEnded => {
                    self.end_batch();
                    continue;
                }
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
        let Job { id, request, cancel, pause } = job;
        if let Request::Export(spec) = &request {
            let spec = Arc::clone(spec);
            self.begin_batch(Job { id, request, cancel, pause }, spec);
            return;
        }
        if let Request::Compare(spec) = &request {
            let comparison = Box::new(Comparison::new(Arc::clone(spec), Folders::find().as_ref()));
            self.task = Some(Task::Comparison { job: Job { id, request, cancel, pause }, comparison });
            return;
        }
        if cancel.is_cancelled() {
            self.outbox.send(id, Event::Superseded);
            return;
        }
        let event = match request {
            Request::OpenRuntime { choice, model, options } => {
                self.open_runtime(OpenOrder { choice, model, options, is_tried: false })
            }
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
        match Opened::open(&self.opener, order) {
            Ok(opened) => {
                let load_ms = start.elapsed().as_secs_f64() * 1e3;
                let runtime = opened.runtime.clone();
                tracing::info!(
                    requested = requested.id(),
                    runtime = runtime.actual.kind.id(),
                    version = runtime.actual.version,
                    device = runtime.actual.device,
                    why = runtime.why.as_ref().map(tracing::field::display),
                    load_ms,
                    "runtime ready"
                );
                self.opened = Some(opened);
                Event::RuntimeReady { runtime, load_ms }
            }
            Err(error) => {
                tracing::error!(requested = requested.id(), %error, "runtime failed");
                self.opened = None;
                let error = Arc::new(error);
                self.why_blind = NoRuntime::Failed(Arc::clone(&error));
                Event::RuntimeFailed { requested, error }
            }
        }
    }

    fn pin(&mut self, runtime: Option<BackendKind>, model: Option<PathBuf>, options: RuntimeOptions) -> Event {
        self.companion = None;
        if let Some(kind) = runtime {
            let choice = RuntimeChoice::Named(kind);
            match Opened::open(&self.opener, OpenOrder { choice, model, options, is_tried: false }) {
                Ok(opened) => self.companion = Some(opened),
                Err(error) => return Event::RuntimeFailed { requested: choice, error: Arc::new(error) },
            }
        }
        Event::CompanionReady { runtime }
    }

    fn continue_task(&mut self) {
        match self.task.take() {
            Some(Task::Comparison { job, comparison }) => self.task = self.continue_comparison(job, comparison),
            task => self.task = task,
        }
    }

    /// Starts the hands of a batch. It stays on the runtime that is open now, whatever is opened meanwhile.
    fn begin_batch(&mut self, job: Job, spec: Arc<ExportJob>) {
        let budget = spec.items.iter().map(|item| item.photo.limits.memory_budget).max().unwrap_or(0);
        // Its hands need the memory more than pictures of earlier looks do.
        self.recent.make_room(budget, budget);
        let means = Means {
            opened: self.opened.clone().ok_or_else(|| self.why_blind.clone()),
            opener: self.opener.clone(),
            outbox: self.outbox.clone(),
            mailbox: Arc::clone(&self.mailbox),
            steps: Steps::default(),
        };
        self.task = Some(Task::Batch(Batch::begin(job, spec, means)));
    }

    /// Waits for the hands, and tells of the end.
    fn end_batch(&mut self) {
        if let Some(Task::Batch(batch)) = self.task.take_if(|task| matches!(task, Task::Batch(_))) {
            let id = batch.id;
            let ended = batch.finish();
            self.outbox.send(id, ended);
        }
    }

    /// Bytes of pictures kept for later, of those that `budget` allows: next to nothing is kept while a batch runs.
    fn for_recent(&self, budget: u64) -> u64 {
        if matches!(self.task, Some(Task::Batch(_))) { budget / 8 } else { budget }
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
            self.open_runtime(opened.order().clone());
        }
    }
}

impl PhotoRef {
    pub(super) fn look(&self) -> Look<'_> {
        Look { path: &self.path, limits: &self.limits, detect: &self.detect }
    }
}
