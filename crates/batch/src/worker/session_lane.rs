//! The session lane: handles requests that need the open runtime, and runs batches and comparisons.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use picture::Steps;

use super::batch::{Batch, BatchResources};
use super::face_store::FaceStore;
use super::lane::failed_by;
use super::mailbox::{Mailbox, Next, RunningTask};
use super::outbox::Outbox;
use super::pending::{Queued, RequestControl};
use super::photo_handler::PhotoHandler;
use super::sessions::Opener;
use super::thumbnails::ThumbnailStore;
use super::{Event, ExportJob, OpenDetector, OpenRequest, RequestId, SessionRequest};
use crate::latency::{CompareSpec, Comparison, Step};
use crate::platform::Folders;

/// A long-running task: a batch has its own worker threads, a comparison is run step by step, so that interactive requests
/// are handled in between.
enum Task {
    Batch(Batch),
    Comparison { control: RequestControl, comparison: Box<Comparison> },
}

impl Task {
    fn id(&self) -> RequestId {
        match self {
            Self::Batch(batch) => batch.id,
            Self::Comparison { control, .. } => control.id,
        }
    }

    fn running(&self) -> RunningTask {
        match self {
            Self::Batch(_) => RunningTask::Batch,
            Self::Comparison { .. } => RunningTask::Steps,
        }
    }
}

pub(super) struct SessionLane {
    mailbox: Arc<Mailbox>,
    outbox: Outbox,
    opener: Opener,
    photos: PhotoHandler,
    task: Option<Task>,
}

impl SessionLane {
    pub(super) fn new(
        mailbox: Arc<Mailbox>,
        outbox: Outbox,
        open: OpenDetector,
        thumbnails: Option<ThumbnailStore>,
        faces: Option<FaceStore>,
    ) -> Self {
        let opener = Opener::new(open);
        Self { mailbox, outbox, photos: PhotoHandler::new(opener.clone(), thumbnails, faces), opener, task: None }
    }

    /// Handles requests until the handle is dropped. A panic ends only its request.
    pub(super) fn run(mut self) {
        loop {
            let running = self.task.as_ref().map(Task::id);
            let (id, result) = match self.mailbox.next(self.task.as_ref().map_or(RunningTask::Idle, Task::running)) {
                Next::Closed => {
                    // Let the worker threads finish the files they are writing.
                    self.end_batch();
                    return;
                }
                Next::BatchEnded => {
                    self.end_batch();
                    continue;
                }
                Next::ContinueTask => {
                    let Some(id) = running else { continue };
                    (id, catch_unwind(AssertUnwindSafe(|| self.continue_task())))
                }
                Next::Begin(queued) => {
                    let Queued { control, request } = *queued;
                    (control.id, catch_unwind(AssertUnwindSafe(|| self.begin(control, request))))
                }
            };
            if let Err(panic) = result {
                // Panics while a photo is processed are caught elsewhere; this one is in the lane itself.
                self.task.take_if(|task| task.id() == id);
                self.outbox.send(id, failed_by(&*panic));
            }
        }
    }

    #[deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants,
        reason = "every request must be handled"
    )]
    fn begin(&mut self, control: RequestControl, request: SessionRequest) {
        let reports_its_own_end = matches!(request, SessionRequest::Export(_) | SessionRequest::Compare(_));
        if control.cancel.is_cancelled() && !reports_its_own_end {
            self.outbox.send(control.id, Event::Superseded);
            return;
        }
        self.photos.batch_running = matches!(self.task, Some(Task::Batch(_)));
        let (photos, cancel) = (&mut self.photos, &control.cancel);
        let event = match request {
            SessionRequest::Export(spec) => return self.begin_batch(control, spec),
            SessionRequest::Compare(spec) => return self.begin_comparison(control, spec),
            SessionRequest::OpenRuntime { choice, model, options, at_once } => {
                photos.open_runtime(OpenRequest { choice, model, options, is_tried: false, at_once })
            }
            SessionRequest::OpenSecondary { runtime, model, options } => photos.open_secondary(runtime, model, options),
            SessionRequest::IndexPhoto { photo, thumbnail_side } => photos.index_photo(&photo, thumbnail_side, cancel),
            SessionRequest::OpenPhoto { photo, generation } => photos.open_photo(&photo, generation, cancel),
            SessionRequest::RenderPreview { photo, generation, crop, render, max_side } => {
                photos.preview(&photo, generation, &crop, &render, max_side)
            }
            SessionRequest::RenderTile { photo, crop, render, max_side } => {
                photos.tile(&photo, &crop, &render, max_side)
            }
            SessionRequest::RenderDetail { photo, generation, part, size } => {
                photos.render_detail(&photo, generation, part, size)
            }
            SessionRequest::SearchFrame { frame, detect } => photos.search_frame(&frame, &detect),
        };
        self.outbox.send(control.id, event);
    }

    /// Starts a batch. It keeps the runtime that is open now, even if another one is opened later.
    fn begin_batch(&mut self, control: RequestControl, spec: Arc<ExportJob>) {
        let budget = spec.items.iter().map(|item| item.photo.limits.memory_budget).max().unwrap_or(0);
        // The batch needs the memory more than the cache of recent images.
        self.photos.free_memory(budget);
        let resources = BatchResources {
            opened: self.photos.opened(),
            opener: self.opener.clone(),
            outbox: self.outbox.clone(),
            mailbox: Arc::clone(&self.mailbox),
            steps: Steps::default(),
        };
        self.task = Some(Task::Batch(Batch::begin(control, spec, resources)));
    }

    /// Waits for the worker threads of the batch and sends its terminal event.
    fn end_batch(&mut self) {
        if let Some(Task::Batch(batch)) = self.task.take_if(|task| matches!(task, Task::Batch(_))) {
            let id = batch.id;
            let ended = batch.finish();
            self.outbox.send(id, ended);
        }
    }

    fn begin_comparison(&mut self, control: RequestControl, spec: Arc<CompareSpec>) {
        let comparison = Box::new(Comparison::new(spec, Folders::find().as_ref()));
        self.task = Some(Task::Comparison { control, comparison });
    }

    fn continue_task(&mut self) {
        match self.task.take() {
            Some(Task::Comparison { control, comparison }) => self.task = self.continue_comparison(control, comparison),
            task => self.task = task,
        }
    }

    /// Runs the next step of a comparison; returns it unless it has ended.
    fn continue_comparison(&self, control: RequestControl, mut comparison: Box<Comparison>) -> Option<Task> {
        let cancelled = control.cancel.is_cancelled();
        let finished = !cancelled && comparison.step() == Step::Finished;
        let table = Arc::new(comparison.table().clone());
        if cancelled || finished {
            self.outbox.send(control.id, Event::CompareFinished { table, cancelled });
            return None;
        }
        self.outbox.send(control.id, Event::CompareProgress(table));
        Some(Task::Comparison { control, comparison })
    }
}
