//! The lane of the session: begins what is asked of the runtime that is open, goes on with the comparison.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use picture::Steps;

use super::batch::{Batch, BatchResources};
use super::detection_queue::DetectionQueue;
use super::lane::failed_by;
use super::outbox::Outbox;
use super::queue::{Mailbox, Next, UnderWay};
use super::sessions::Opener;
use super::thumbnails::ThumbnailStore;
use super::tickets::{Ticket, Ticketed};
use super::{Event, ExportJob, OpenDetector, OpenRequest, RequestId, SessionRequest};
use crate::latency::{CompareSpec, Comparison, Step};
use crate::platform::Folders;

/// What takes long: a batch has hands of its own, a comparison is taken a step at a time, so that interactive requests come in
/// between.
enum Task {
    Batch(Batch),
    Comparison { ticket: Ticket, comparison: Box<Comparison> },
}

impl Task {
    fn id(&self) -> RequestId {
        match self {
            Self::Batch(batch) => batch.id,
            Self::Comparison { ticket, .. } => ticket.id,
        }
    }

    fn under_way(&self) -> UnderWay {
        match self {
            Self::Batch(_) => UnderWay::Batch,
            Self::Comparison { .. } => UnderWay::Steps,
        }
    }
}

pub(super) struct SessionLane {
    mailbox: Arc<Mailbox>,
    outbox: Outbox,
    opener: Opener,
    detection_queue: DetectionQueue,
    task: Option<Task>,
}

impl SessionLane {
    pub(super) fn new(
        mailbox: Arc<Mailbox>,
        outbox: Outbox,
        open: OpenDetector,
        thumbnails: Option<ThumbnailStore>,
    ) -> Self {
        let opener = Opener::new(open);
        Self { mailbox, outbox, detection_queue: DetectionQueue::new(opener.clone(), thumbnails), opener, task: None }
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
                Next::Begin(Ticketed { ticket, request }) => {
                    (ticket.id, catch_unwind(AssertUnwindSafe(|| self.begin(ticket, request))))
                }
            };
            if let Err(panic) = result {
                // Panics while a photo is handled are caught before; this one is the lane's.
                self.task.take_if(|task| task.id() == id);
                self.outbox.send(id, failed_by(&*panic));
            }
        }
    }

    #[deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants,
        reason = "no request is passed over"
    )]
    fn begin(&mut self, ticket: Ticket, request: SessionRequest) {
        let ends_by_itself = matches!(request, SessionRequest::Export(_) | SessionRequest::Compare(_));
        if ticket.cancel.is_cancelled() && !ends_by_itself {
            self.outbox.send(ticket.id, Event::Superseded);
            return;
        }
        self.detection_queue.beside_batch = matches!(self.task, Some(Task::Batch(_)));
        let (detection_queue, cancel) = (&mut self.detection_queue, &ticket.cancel);
        let event = match request {
            SessionRequest::Export(spec) => return self.begin_batch(ticket, spec),
            SessionRequest::Compare(spec) => return self.begin_comparison(ticket, spec),
            SessionRequest::OpenRuntime { choice, model, options } => {
                detection_queue.open_runtime(OpenRequest { choice, model, options, is_tried: false })
            }
            SessionRequest::OpenSecondary { runtime, model, options } => {
                detection_queue.open_secondary(runtime, model, options)
            }
            SessionRequest::IndexPhoto { photo, thumbnail_side } => {
                detection_queue.index_photo(&photo, thumbnail_side, cancel)
            }
            SessionRequest::OpenPhoto { photo, generation } => detection_queue.open_photo(&photo, generation, cancel),
            SessionRequest::RenderPreview { photo, generation, crop, render, max_side } => {
                detection_queue.preview(&photo, generation, &crop, &render, max_side)
            }
            SessionRequest::RenderDetail { photo, generation, part, size } => {
                detection_queue.render_detail(&photo, generation, part, size)
            }
        };
        self.outbox.send(ticket.id, event);
    }

    /// Starts the threads of a batch. It stays on the runtime that is open now, whatever is opened meanwhile.
    fn begin_batch(&mut self, ticket: Ticket, spec: Arc<ExportJob>) {
        let budget = spec.items.iter().map(|item| item.photo.limits.memory_budget).max().unwrap_or(0);
        // They need the memory more than pictures of earlier looks do.
        self.detection_queue.reserve_memory(budget);
        let resources = BatchResources {
            opened: self.detection_queue.opened(),
            opener: self.opener.clone(),
            outbox: self.outbox.clone(),
            mailbox: Arc::clone(&self.mailbox),
            steps: Steps::default(),
        };
        self.task = Some(Task::Batch(Batch::begin(ticket, spec, resources)));
    }

    /// Waits for the hands, and tells of the end.
    fn end_batch(&mut self) {
        if let Some(Task::Batch(batch)) = self.task.take_if(|task| matches!(task, Task::Batch(_))) {
            let id = batch.id;
            let ended = batch.finish();
            self.outbox.send(id, ended);
        }
    }

    fn begin_comparison(&mut self, ticket: Ticket, spec: Arc<CompareSpec>) {
        let comparison = Box::new(Comparison::new(spec, Folders::find().as_ref()));
        self.task = Some(Task::Comparison { ticket, comparison });
    }

    fn continue_task(&mut self) {
        match self.task.take() {
            Some(Task::Comparison { ticket, comparison }) => self.task = self.continue_comparison(ticket, comparison),
            task => self.task = task,
        }
    }

    /// Does the next step of a comparison; gives it back unless it has ended.
    fn continue_comparison(&self, ticket: Ticket, mut comparison: Box<Comparison>) -> Option<Task> {
        let cancelled = ticket.cancel.is_cancelled();
        let finished = !cancelled && comparison.step() == Step::Finished;
        let table = Arc::new(comparison.table().clone());
        if cancelled || finished {
            self.outbox.send(ticket.id, Event::CompareFinished { table, cancelled });
            return None;
        }
        self.outbox.send(ticket.id, Event::CompareProgress(table));
        Some(Task::Comparison { ticket, comparison })
    }
}
