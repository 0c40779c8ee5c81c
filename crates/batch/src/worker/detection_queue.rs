//! Looks at single photos through the runtime that is open: for the list, for the canvas, for the preview.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use cancel::{CancelToken, Generation};
use geometry::{PixelRect, Size};
use outcome::{DisplayCopy, NoRuntime, Stage, StageError};
use picture::{DecodeRequest, Picture, display_copy};
use pipeline::{Examined, ReserveMemory, decode_part, examine, panic_message, preview_crop};
use plan::PlannedCrop;
use recipe::{BackendKind, CropSpec, FinishSpec, RenderSpec, RuntimeChoice, RuntimeOptions};

use super::recent::RecentPictures;
use super::sessions::{Opened, Opener};
use super::thumbnails::ThumbnailStore;
use super::{Event, ItemId, OpenRequest, PhotoRef, SecondaryDetection, SecondaryTimes};
use crate::platform;

/// Pixels of the longer side of a canvas copy: what every renderer takes as one texture.
const DISPLAY_SIDE: u32 = 2048;

/// The runtimes that are open, and the pictures seen last.
pub(super) struct DetectionQueue {
    opener: Opener,
    opened: Option<Opened>,
    why_blind: NoRuntime,
    secondary: Option<Opened>,
    recent: RecentPictures,
    thumbnails: Option<ThumbnailStore>,
    /// True while a batch runs, which needs the memory: next to nothing is kept for later.
    pub(super) beside_batch: bool,
}

impl DetectionQueue {
    /// No runtime is open yet.
    pub(super) fn new(opener: Opener, thumbnails: Option<ThumbnailStore>) -> Self {
        Self {
            opener,
            opened: None,
            why_blind: NoRuntime::NotOpened,
            secondary: None,
            recent: RecentPictures::default(),
            thumbnails,
            beside_batch: false,
        }
    }

    /// The runtime that is open, or why there is none.
    pub(super) fn opened(&self) -> Result<Opened, NoRuntime> {
        self.opened.clone().ok_or_else(|| self.why_blind.clone())
    }

    /// Lets go of the pictures seen last, if a work that begins may take `budget` bytes.
    pub(super) fn reserve_memory(&mut self, budget: u64) {
        self.recent.reserve_memory(budget, budget);
    }

    pub(super) fn open_runtime(&mut self, options: OpenRequest) -> Event {
        let requested = options.choice;
        let start = Instant::now();
        match Opened::open(&self.opener, options) {
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

    pub(super) fn open_secondary(
        &mut self,
        runtime: Option<BackendKind>,
        model: Option<PathBuf>,
        options: RuntimeOptions,
    ) -> Event {
        self.secondary = None;
        if let Some(kind) = runtime {
            let choice = RuntimeChoice::Named(kind);
            match Opened::open(&self.opener, OpenRequest { choice, model, options, is_tried: false }) {
                Ok(opened) => self.secondary = Some(opened),
                Err(error) => return Event::RuntimeFailed { requested: choice, error: Arc::new(error) },
            }
        }
        Event::SecondaryReady { runtime }
    }

    /// What the companion makes of a picture, where there is one. Its failure is told and changes nothing else.
    fn secondary_detection(&mut self, picture: &Picture, photo: &PhotoRef) -> Option<SecondaryDetection> {
        let secondary = self.secondary.as_mut()?;
        let runtime = secondary.runtime.actual.kind;
        let look = match catch_unwind(AssertUnwindSafe(|| secondary.detector().detector.detect(picture, &photo.detect)))
        {
            Ok(Ok(detection)) => Ok(SecondaryTimes {
                faces: detection.faces.len(),
                inference_ms: detection.inference_ms,
                total_ms: detection.preprocess_ms + detection.inference_ms + detection.postprocess_ms,
            }),
            Ok(Err(error)) => Err(error.into()),
            Err(panic) => {
                // Its buffers cannot be trusted any more.
                self.secondary = None;
                Err(StageError::Panicked { stage: Stage::Inference, message: panic_message(&*panic) })
            }
        };
        Some(SecondaryDetection { runtime, look })
    }

    pub(super) fn index_photo(&mut self, photo: &PhotoRef, thumbnail_side: u32, cancel: &CancelToken) -> Event {
        let examined = match self.examine(photo, thumbnail_side, cancel) {
            Ok(examined) => examined,
            Err(event) => return *event,
        };
        let Examined { picture, detection, stages } = examined;
        let thumbnail = match display_copy(&picture, thumbnail_side) {
            Ok(thumbnail) => thumbnail,
            Err(error) => return failed(photo.item, error.into()),
        };
        if let Some(store) = &mut self.thumbnails {
            store.keep(&photo.path, thumbnail_side, &thumbnail);
        }
        log_faces("surveyed", photo, detection.as_ref().map(|detection| detection.faces.len()));
        let detection = detection.map(Arc::new);
        Event::PhotoIndexed { item: photo.item, thumbnail, info: picture.info.facts(), detection, stages }
    }

    pub(super) fn open_photo(&mut self, photo: &PhotoRef, generation: Generation, cancel: &CancelToken) -> Event {
        let examined = match self.examine(photo, DISPLAY_SIDE, cancel) {
            Ok(examined) => examined,
            Err(event) => return *event,
        };
        let Examined { picture, detection, stages } = examined;
        let display = match display_copy(&picture, DISPLAY_SIDE) {
            Ok(display) => display,
            Err(error) => return failed(photo.item, error.into()),
        };
        log_faces("inspected", photo, detection.as_ref().map(|detection| detection.faces.len()));
        let secondary = self.secondary_detection(&picture, photo);
        let info = picture.info.facts();
        let budget = self.for_recent(photo.limits.memory_budget);
        self.recent.keep(&photo.path, Arc::new(picture), budget);
        let detection = detection.map(Arc::new);
        Event::PhotoOpened { item: photo.item, generation, display, info, detection, stages, secondary }
    }

    pub(super) fn preview(
        &mut self,
        photo: &PhotoRef,
        generation: Generation,
        crop: &PlannedCrop,
        render: &RenderSpec,
        max_side: u32,
    ) -> Event {
        match self.cut_out(photo, crop, render, max_side) {
            Ok(image) => Event::PreviewRendered { item: photo.item, generation, crop: *crop, image },
            Err(error) => failed(photo.item, error),
        }
    }

    pub(super) fn render_detail(
        &mut self,
        photo: &PhotoRef,
        generation: Generation,
        part: PixelRect,
        size: Size,
    ) -> Event {
        let as_it_is = CropSpec::default().render_spec(FinishSpec::default());
        match self.cut_out(photo, &PlannedCrop::upright(part, size), &as_it_is, size.long_side()) {
            Ok(image) => Event::DetailRendered { item: photo.item, generation, part, image },
            Err(error) => failed(photo.item, error),
        }
    }

    /// A part of a photo, scaled so that its longer side is at most `max_side`. Decodes only what is not here already.
    fn cut_out(
        &mut self,
        photo: &PhotoRef,
        crop: &PlannedCrop,
        render: &RenderSpec,
        max_side: u32,
    ) -> Result<DisplayCopy, StageError> {
        let _handling = platform::handling(&photo.path);
        let (part, output) = PlannedCrop { output: crop.output.fit_within(max_side), ..*crop }.wanted_part();
        let want = DecodeRequest::Frames(vec![(part, output)]);
        let picture = match self.recent.get(&photo.path, &want) {
            Some(picture) => picture,
            None => {
                // What lies around it is decoded as well, so that small moves need nothing more.
                let around = DecodeRequest::Frames(vec![(with_surroundings(part), output.doubled())]);
                let budget = self.for_recent(photo.limits.memory_budget);
                let room: ReserveMemory<'_> = &mut |bytes| self.recent.reserve_memory(bytes, budget);
                let picture = Arc::new(decode_part(photo.look(), &around, room)?);
                self.recent.keep(&photo.path, Arc::clone(&picture), budget);
                picture
            }
        };
        preview_crop(&picture, crop, render, max_side)
    }

    /// Bytes of pictures kept for later, of those that `budget` allows.
    fn for_recent(&self, budget: u64) -> u64 {
        if self.beside_batch { budget / 8 } else { budget }
    }

    /// After a panic inside the engine its buffers cannot be trusted: opens the same runtime again.
    fn recover(&mut self, error: &StageError) {
        if matches!(error, StageError::Panicked { stage: Stage::Inference, .. })
            && let Some(opened) = self.opened.take()
        {
            self.open_runtime(opened.options().clone());
        }
    }

    /// Looks at a photo; the terminal event to send where that gives no picture.
    fn examine(&mut self, photo: &PhotoRef, long_side: u32, cancel: &CancelToken) -> Result<Examined, Box<Event>> {
        let _handling = platform::handling(&photo.path);
        let budget = self.for_recent(photo.limits.memory_budget);
        let room: ReserveMemory<'_> = &mut |bytes| self.recent.reserve_memory(bytes, budget);
        let detector = self.opened.as_mut().map(Opened::detector);
        match examine(photo.look(), long_side, detector, room, cancel) {
            Ok(Some(examined)) => Ok(examined),
            Ok(None) => Err(Box::new(Event::Superseded)),
            Err(error) => {
                tracing::info!(path = %photo.path.display(), %error, "failed");
                self.recover(&error);
                Err(Box::new(failed(photo.item, error)))
            }
        }
    }
}

/// The frame with half its size more on each side.
fn with_surroundings(frame: PixelRect) -> PixelRect {
    let (across, down) = (frame.width / 2, frame.height / 2);
    PixelRect::new(
        frame.x.saturating_sub_unsigned(across),
        frame.y.saturating_sub_unsigned(down),
        frame.width.saturating_add(across * 2),
        frame.height.saturating_add(down * 2),
    )
}

fn failed(item: ItemId, error: StageError) -> Event {
    Event::Failed { item: Some(item), error }
}

fn log_faces(what: &str, photo: &PhotoRef, faces: Option<usize>) {
    tracing::info!(path = %photo.path.display(), faces, "{what}");
}
