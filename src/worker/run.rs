//! The worker's loop: owns the detector, begins requests, steps the batch.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::batch::Batch;
use super::handle::Outbox;
use super::queue::{Job, Mailbox, Next};
use super::recent::RecentPictures;
use super::{Event, ItemId, OpenDetector, OpenError, PhotoRef, Request};
use crate::backend::{RuntimeChoice, RuntimeInUse};
use crate::cancel::{CancelToken, Generation};
use crate::decode::DisplayCopy;
use crate::detect::Detector;
use crate::pipeline::{
    Examined, Eyes, Look, Order, Stage, StageError, examine, export_item, panic_message, preview_crop,
};
use crate::plan::{Color, PlannedCrop};
use crate::platform;

/// Pixels of the longer side of a canvas copy: what every renderer takes as one texture.
const DISPLAY_SIDE: u32 = 2048;

/// A detector, what it runs on, and how to open it again.
struct Opened {
    detector: Box<dyn Detector>,
    runtime: RuntimeInUse,
    model: Option<PathBuf>,
}

pub(super) struct Worker {
    mailbox: Arc<Mailbox>,
    outbox: Outbox,
    open: OpenDetector,
    opened: Option<Opened>,
    why_blind: String,
    recent: RecentPictures,
    batch: Option<Batch>,
}

impl Worker {
    pub(super) fn new(mailbox: Arc<Mailbox>, outbox: Outbox, open: OpenDetector) -> Self {
        let why_blind = "none has been opened yet".to_owned();
        Self { mailbox, outbox, open, opened: None, why_blind, recent: RecentPictures::default(), batch: None }
    }

    /// Handles requests until the handle is dropped. A panic ends its request and nothing else.
    pub(super) fn run(mut self) {
        loop {
            let under_way = self.batch.as_ref().map(|batch| batch.job.id);
            let (id, result) = match self.mailbox.next(under_way.is_some()) {
                Next::Closed => return,
                Next::ContinueBatch => {
                    let Some(id) = under_way else { continue };
                    (id, catch_unwind(AssertUnwindSafe(|| self.continue_batch())))
                }
                Next::Begin(job) => (job.id, catch_unwind(AssertUnwindSafe(|| self.begin(job)))),
            };
            if let Err(panic) = result {
                // The rooms' own panics are caught in the corridor; this one is the worker's.
                self.batch.take_if(|batch| batch.job.id == id);
                let error = StageError::Panicked { stage: Stage::Import, message: panic_message(&*panic) };
                self.outbox.send(id, Event::Failed { item: None, error });
            }
        }
    }

    fn begin(&mut self, job: Job) {
        let Job { id, request, cancel } = job;
        if let Request::Export(spec) = &request {
            let spec = Arc::clone(spec);
            self.batch = Some(Batch::new(Job { id, request, cancel }, spec));
            return;
        }
        if cancel.is_cancelled() {
            self.outbox.send(id, Event::Superseded);
            return;
        }
        let event = match request {
            Request::OpenRuntime { choice, model } => self.open_runtime(choice, model),
            Request::Survey { photo, thumbnail_side } => self.survey(&photo, thumbnail_side, &cancel),
            Request::Inspect { photo, generation } => self.inspect(&photo, generation, &cancel),
            Request::RenderPreview { photo, generation, crop, fill, max_side } => {
                self.preview(&photo, generation, &crop, fill, max_side, &cancel)
            }
            Request::Export(_) | Request::Import { .. } | Request::SaveSettings(_) => Event::Superseded,
        };
        self.outbox.send(id, event);
    }

    fn open_runtime(&mut self, choice: RuntimeChoice, model: Option<PathBuf>) -> Event {
        let start = Instant::now();
        let opened = catch_unwind(AssertUnwindSafe(|| (self.open)(choice, model.as_deref())))
            .unwrap_or_else(|panic| Err(OpenError::Panicked { message: panic_message(&*panic) }));
        let load_ms = start.elapsed().as_secs_f64() * 1e3;
        match opened {
            Ok(detector) => {
                let runtime = RuntimeInUse { requested: choice, actual: detector.info().clone() };
                tracing::info!(
                    requested = choice.id(),
                    runtime = runtime.actual.kind.id(),
                    version = runtime.actual.version,
                    device = runtime.actual.device,
                    load_ms,
                    "runtime ready"
                );
                self.opened = Some(Opened { detector, runtime: runtime.clone(), model });
                Event::RuntimeReady { runtime, load_ms }
            }
            Err(error) => {
                tracing::error!(requested = choice.id(), %error, "runtime failed");
                self.opened = None;
                self.why_blind = error.to_string();
                Event::RuntimeFailed { requested: choice, error }
            }
        }
    }

    fn survey(&mut self, photo: &PhotoRef, thumbnail_side: u32, cancel: &CancelToken) -> Event {
        let examined = match self.examine(photo, cancel) {
            Ok(examined) => examined,
            Err(event) => return *event,
        };
        let Examined { picture, detection, stages } = examined;
        let thumbnail = match DisplayCopy::of(&picture, thumbnail_side) {
            Ok(thumbnail) => thumbnail,
            Err(error) => return failed(photo.item, error.into()),
        };
        log_faces("surveyed", photo, detection.as_ref().map(|detection| detection.faces.len()));
        let detection = detection.map(Arc::new);
        Event::Surveyed { item: photo.item, thumbnail, info: picture.info, detection, stages }
    }

    fn inspect(&mut self, photo: &PhotoRef, generation: Generation, cancel: &CancelToken) -> Event {
        let examined = match self.examine(photo, cancel) {
            Ok(examined) => examined,
            Err(event) => return *event,
        };
        let Examined { picture, detection, stages } = examined;
        let display = match DisplayCopy::of(&picture, DISPLAY_SIDE) {
            Ok(display) => display,
            Err(error) => return failed(photo.item, error.into()),
        };
        log_faces("inspected", photo, detection.as_ref().map(|detection| detection.faces.len()));
        let info = picture.info.clone();
        self.recent.keep(&photo.path, Arc::new(picture));
        let detection = detection.map(Arc::new);
        Event::Inspected { item: photo.item, generation, display, info, detection, stages }
    }

    fn preview(
        &mut self,
        photo: &PhotoRef,
        generation: Generation,
        crop: &PlannedCrop,
        fill: Color,
        max_side: u32,
        cancel: &CancelToken,
    ) -> Event {
        let _handling = platform::handling(&photo.path);
        let picture = match self.recent.get(&photo.path) {
            Some(picture) => picture,
            None => match examine(photo.look(), None, cancel) {
                Ok(Some(examined)) => {
                    let picture = Arc::new(examined.picture);
                    self.recent.keep(&photo.path, Arc::clone(&picture));
                    picture
                }
                Ok(None) => return Event::Superseded,
                Err(error) => return failed(photo.item, error),
            },
        };
        match preview_crop(&picture, crop, fill, max_side) {
            Ok(image) => Event::PreviewRendered { item: photo.item, generation, crop: *crop, image },
            Err(error) => failed(photo.item, error),
        }
    }

    /// Looks at a photo; the terminal event to send where that gives no picture.
    fn examine(&mut self, photo: &PhotoRef, cancel: &CancelToken) -> Result<Examined, Box<Event>> {
        let _handling = platform::handling(&photo.path);
        let eyes = self.opened.as_mut().map(Opened::eyes);
        match examine(photo.look(), eyes, cancel) {
            Ok(Some(examined)) => Ok(examined),
            Ok(None) => Err(Box::new(Event::Superseded)),
            Err(error) => {
                tracing::info!(path = %photo.path.display(), %error, "failed");
                self.mend(&error);
                Err(Box::new(failed(photo.item, error)))
            }
        }
    }

    fn continue_batch(&mut self) {
        let Some(batch) = &mut self.batch else { return };
        if !batch.has_ended() {
            let item = &batch.spec.items[batch.done];
            let _handling = platform::handling(&item.photo.path);
            let order = Order {
                faces: &item.faces,
                depth: batch.spec.depth,
                crop: &batch.spec.crop,
                encode: &batch.spec.encode,
            };
            let eyes = self.opened.as_mut().map(Opened::eyes);
            let report = export_item(item.photo.look(), order, eyes, &mut batch.names, &batch.job.cancel);
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
        if let Some(batch) = self.batch.take_if(|batch| batch.has_ended()) {
            let (done, total) = (batch.done, batch.spec.items.len());
            self.outbox.send(batch.job.id, Event::ExportFinished { cancelled: done < total, done, total });
        }
    }

    /// After a panic inside the engine its buffers cannot be trusted: opens the same runtime again.
    fn mend(&mut self, error: &StageError) {
        if matches!(error, StageError::Panicked { stage: Stage::Run, .. })
            && let Some(opened) = self.opened.take()
        {
            self.open_runtime(opened.runtime.requested, opened.model);
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

fn failed(item: ItemId, error: StageError) -> Event {
    Event::Failed { item: Some(item), error }
}

fn log_faces(what: &str, photo: &PhotoRef, faces: Option<usize>) {
    tracing::info!(path = %photo.path.display(), faces, "{what}");
}
