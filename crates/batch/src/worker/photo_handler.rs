//! Handles the requests about single photos: indexing for the list, opening for the canvas, detail and preview.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use cancel::{CancelToken, Generation};
use faces::Detector;
use geometry::{PixelRect, Size};
use outcome::{DetectError, DisplayCopy, NoRuntime, Stage, StageError, StageTimes};
use picture::{DecodeRequest, Picture, display_copy};
use pipeline::{Examined, ReserveMemory, crop_request, decode_part, examine, find_faces, panic_message, preview_crop};
use plan::PlannedCrop;
use recipe::{BackendKind, CropSpec, DetectSpec, FinishSpec, RenderSpec, RuntimeChoice, RuntimeOptions};

use super::face_store::{FaceStore, Faces};
use super::recent::RecentPictures;
use super::sessions::{Opened, Opener};
use super::thumbnails::ThumbnailStore;
use super::{CameraFrame, Event, ItemId, OpenRequest, PhotoRef, SecondaryDetection, SecondaryTimes};
use crate::platform;

/// Longer side of a canvas copy in pixels: a texture size that every renderer supports.
const DISPLAY_SIDE: u32 = 2048;

/// The open runtimes, the cache of recent images, and the stores of thumbnails and faces.
pub(super) struct PhotoHandler {
    opener: Opener,
    opened: Option<Opened>,
    no_runtime: NoRuntime,
    secondary: Option<Opened>,
    recent: RecentPictures,
    thumbnails: Option<ThumbnailStore>,
    faces: Option<FaceStore>,
    /// True while a batch runs, which needs the memory: the image cache is kept small.
    pub(super) batch_running: bool,
}

impl PhotoHandler {
    /// A handler without an open runtime.
    pub(super) fn new(opener: Opener, thumbnails: Option<ThumbnailStore>, faces: Option<FaceStore>) -> Self {
        Self {
            opener,
            opened: None,
            no_runtime: NoRuntime::NotOpened,
            secondary: None,
            recent: RecentPictures::default(),
            thumbnails,
            faces,
            batch_running: false,
        }
    }

    /// The open runtime, or why there is none.
    pub(super) fn opened(&self) -> Result<Opened, NoRuntime> {
        self.opened.clone().ok_or_else(|| self.no_runtime.clone())
    }

    /// Frees cached images for a task that may use `budget` bytes.
    pub(super) fn free_memory(&mut self, budget: u64) {
        self.recent.evict_for(budget, budget);
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
                self.no_runtime = NoRuntime::Failed(Arc::clone(&error));
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
            match Opened::open(&self.opener, OpenRequest { choice, model, options, is_tried: false, at_once: false }) {
                Ok(opened) => self.secondary = Some(opened),
                Err(error) => return Event::RuntimeFailed { requested: choice, error: Arc::new(error) },
            }
        }
        Event::SecondaryReady { runtime }
    }

    /// Runs the secondary runtime, if there is one. Its failure is part of the result and has no other effect.
    fn secondary_detection(&mut self, picture: &Picture, photo: &PhotoRef) -> Option<SecondaryDetection> {
        let secondary = self.secondary.as_mut()?;
        let runtime = secondary.runtime.actual.kind;
        let work = || measure_secondary(&mut *secondary.detector().detector, picture, &photo.detect);
        let result = match catch_unwind(AssertUnwindSafe(work)) {
            Ok(Ok(times)) => Ok(times),
            Ok(Err(error)) => Err(error.into()),
            Err(panic) => {
                // After a panic its buffers are in an unknown state.
                self.secondary = None;
                Err(StageError::Panicked { stage: Stage::Inference, message: panic_message(&*panic) })
            }
        };
        Some(SecondaryDetection { runtime, result })
    }

    pub(super) fn index_photo(&mut self, photo: &PhotoRef, thumbnail_side: u32, cancel: &CancelToken) -> Event {
        if let Some(event) = self.stored_faces(photo, thumbnail_side) {
            return event;
        }
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
            store.insert(&photo.path, thumbnail_side, &thumbnail);
        }
        log_faces("photo indexed", photo, detection.as_ref().map(|detection| detection.faces.len()));
        let info = picture.info.facts();
        if let (Some(store), Some(opened), Some(detection)) = (&mut self.faces, &self.opened, &detection) {
            let faces = Faces { info: info.clone(), detection: detection.clone() };
            store.insert(photo, opened.options(), &opened.runtime, faces);
        }
        let detection = detection.map(Arc::new);
        Event::PhotoIndexed { item: photo.item, thumbnail, info, detection, stages }
    }

    /// The answer to a request to index a photo whose faces and thumbnail are stored.
    fn stored_faces(&self, photo: &PhotoRef, thumbnail_side: u32) -> Option<Event> {
        let (faces, thumbnails, opened) = (self.faces.as_ref()?, self.thumbnails.as_ref()?, self.opened.as_ref()?);
        let Faces { info, detection } = faces.find(photo, opened.options(), &opened.runtime)?;
        let thumbnail = thumbnails.find(&photo.path, thumbnail_side)?;
        log_faces("photo indexed from stored faces", photo, Some(detection.faces.len()));
        let (detection, stages) = (Some(Arc::new(detection)), StageTimes::default());
        Some(Event::PhotoIndexed { item: photo.item, thumbnail, info, detection, stages })
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
        log_faces("photo opened", photo, detection.as_ref().map(|detection| detection.faces.len()));
        let secondary = self.secondary_detection(&picture, photo);
        let info = picture.info.facts();
        let budget = self.cache_budget(photo.limits.memory_budget);
        self.recent.insert(&photo.path, Arc::new(picture), budget);
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
        match self.render_region(photo, crop, render, max_side, Around::Kept) {
            Ok(image) => Event::PreviewRendered { item: photo.item, generation, crop: *crop, image },
            Err(error) => failed(photo.item, error),
        }
    }

    pub(super) fn tile(&mut self, photo: &PhotoRef, crop: &PlannedCrop, render: &RenderSpec, max_side: u32) -> Event {
        match self.render_region(photo, crop, render, max_side, Around::Ignored) {
            Ok(image) => Event::TileRendered { item: photo.item, image },
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
        let unchanged = CropSpec::default().render_spec(FinishSpec::default());
        let part_shown = PlannedCrop::upright(part, size);
        match self.render_region(photo, &part_shown, &unchanged, size.long_side(), Around::Kept) {
            Ok(image) => Event::DetailRendered { item: photo.item, generation, part, image },
            Err(error) => failed(photo.item, error),
        }
    }

    pub(super) fn search_frame(&mut self, frame: &CameraFrame, detect: &DetectSpec) -> Event {
        let Some(opened) = &mut self.opened else { return Event::FrameSearched(None) };
        match find_faces(frame.picture(), detect, opened.detector()) {
            Ok(detection) => Event::FrameSearched(Some(Arc::new(detection))),
            Err(error) => {
                self.recover(&error);
                Event::Failed { item: None, error }
            }
        }
    }

    /// Renders a region of a photo, scaled so that its longer side is at most `max_side`. Decodes only if the cache has no
    /// match.
    fn render_region(
        &mut self,
        photo: &PhotoRef,
        crop: &PlannedCrop,
        render: &RenderSpec,
        max_side: u32,
        around: Around,
    ) -> Result<DisplayCopy, StageError> {
        let _processing = platform::processing(&photo.path);
        let smaller = PlannedCrop { output: crop.output.fit_within(max_side), ..*crop };
        let (part, output) = smaller.source_region();
        let is_replaced = render.finish.background.is_replaced();
        if is_replaced && self.opened.is_none() {
            return Err(StageError::NoRuntime(self.no_runtime.clone()));
        }
        let request = crop_request([(smaller, is_replaced)]);
        let picture = match self.recent.get(&photo.path, &request) {
            Some(picture) => picture,
            None if around == Around::Ignored => {
                let budget = self.cache_budget(photo.limits.memory_budget);
                let reserve: ReserveMemory<'_> = &mut |bytes| self.recent.evict_for(bytes, budget);
                Arc::new(decode_part(photo.source(), &request, reserve)?)
            }
            None => {
                // Decode a margin as well, so that small moves need no further decoding.
                let mut around = vec![(with_margin(part), output.doubled())];
                if let (true, DecodeRequest::Frames(frames)) = (is_replaced, &request) {
                    around.extend_from_slice(frames);
                }
                let around = DecodeRequest::Frames(around);
                let budget = self.cache_budget(photo.limits.memory_budget);
                let reserve: ReserveMemory<'_> = &mut |bytes| self.recent.evict_for(bytes, budget);
                let picture = Arc::new(decode_part(photo.source(), &around, reserve)?);
                self.recent.insert(&photo.path, Arc::clone(&picture), budget);
                picture
            }
        };
        let detector = self.opened.as_mut().map(|opened| opened.detector().detector);
        preview_crop(&picture, crop, render, max_side, detector)
    }

    /// Bytes for the image cache, as a share of `budget`.
    fn cache_budget(&self, budget: u64) -> u64 {
        if self.batch_running { budget / 8 } else { budget }
    }

    /// Opens the same runtime again after a panic inside the engine, since its buffers are in an unknown state.
    fn recover(&mut self, error: &StageError) {
        if matches!(error, StageError::Panicked { stage: Stage::Inference, .. })
            && let Some(opened) = self.opened.take()
        {
            self.open_runtime(opened.options().clone());
        }
    }

    /// Decodes a photo and detects faces; on failure or cancel, the terminal event to send.
    fn examine(&mut self, photo: &PhotoRef, long_side: u32, cancel: &CancelToken) -> Result<Examined, Box<Event>> {
        let _processing = platform::processing(&photo.path);
        let budget = self.cache_budget(photo.limits.memory_budget);
        let reserve: ReserveMemory<'_> = &mut |bytes| self.recent.evict_for(bytes, budget);
        let detector = self.opened.as_mut().map(Opened::detector);
        match examine(photo.source(), long_side, detector, reserve, cancel) {
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

/// What is decoded around a region that is not cached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// A margin; the pixels are cached, since the region is likely to move.
    Kept,
    /// Nothing; the pixels are dropped.
    Ignored,
}

/// The frame extended by half its size on each side.
fn with_margin(frame: PixelRect) -> PixelRect {
    let (across, down) = (frame.width / 2, frame.height / 2);
    PixelRect::new(
        frame.x.saturating_sub_unsigned(across),
        frame.y.saturating_sub_unsigned(down),
        frame.width.saturating_add(across * 2),
        frame.height.saturating_add(down * 2),
    )
}

/// Detects faces and measures their landmarks.
fn measure_secondary(
    detector: &mut dyn Detector,
    picture: &Picture,
    spec: &DetectSpec,
) -> Result<SecondaryTimes, DetectError> {
    let mut detection = detector.detect(picture, spec)?;
    let start = Instant::now();
    let landmarks = detector.measure_landmarks(picture, &mut detection.faces);
    let landmarks_ms = landmarks.as_ref().map_or(0.0, |()| start.elapsed().as_secs_f64() * 1e3);
    Ok(SecondaryTimes {
        faces: detection.faces.len(),
        inference_ms: detection.inference_ms,
        total_ms: detection.preprocess_ms + detection.inference_ms + detection.postprocess_ms + landmarks_ms,
        model_fault: landmarks.err(),
    })
}

fn failed(item: ItemId, error: StageError) -> Event {
    Event::Failed { item: Some(item), error }
}

fn log_faces(what: &str, photo: &PhotoRef, faces: Option<usize>) {
    tracing::info!(path = %photo.path.display(), faces, "{what}");
}

#[cfg(test)]
mod tests {
    use geometry::{Face, Point, Rect};
    use outcome::{Detection, FaceModelFault, RuntimeFault, SessionInfo};
    use recipe::ModelKind;

    use super::*;
    use crate::latency::PROBE_PICTURE;

    /// Finds a face; its landmarks take a millisecond, or fail.
    struct Scripted {
        info: SessionInfo,
        fault: Option<FaceModelFault>,
    }

    impl Detector for Scripted {
        fn info(&self) -> &SessionInfo {
            &self.info
        }

        fn long_side(&self) -> u32 {
            640
        }

        fn detect(&mut self, _: &Picture, _: &DetectSpec) -> Result<Detection, DetectError> {
            let face = Face::new(Rect::new(0.0, 0.0, 50.0, 60.0), [Point::default(); 5], 0.9);
            let (preprocess_ms, inference_ms, postprocess_ms) = (1.0, 10.0, 2.0);
            Ok(Detection { faces: vec![face], preprocess_ms, inference_ms, postprocess_ms, ..Detection::default() })
        }

        fn measure_landmarks(&mut self, _: &Picture, faces: &mut [Face]) -> Result<(), FaceModelFault> {
            assert_eq!(faces.len(), 1);
            std::thread::sleep(std::time::Duration::from_millis(1));
            self.fault.clone().map_or(Ok(()), Err)
        }
    }

    #[test]
    fn the_secondary_runtime_is_timed_with_landmarks_or_says_why_not() {
        let picture = picture::decode_bytes(PROBE_PICTURE, &recipe::DecodeLimits::default()).expect("decodes");
        let times = |fault| {
            let info = SessionInfo {
                kind: BackendKind::Tract,
                version: String::new(),
                device: String::new(),
                input: Size::new(640, 640),
                outputs: Vec::new(),
            };
            measure_secondary(&mut Scripted { info, fault }, &picture, &DetectSpec::default()).expect("detects")
        };
        let complete = times(None);
        assert!(complete.total_ms > 13.0 && complete.model_fault.is_none(), "{complete:?}");
        let fault = FaceModelFault { model: ModelKind::Landmarks, fault: RuntimeFault::Unknown };
        let without = times(Some(fault.clone()));
        assert_eq!((without.total_ms, without.faces, without.model_fault), (13.0, 1, Some(fault)));
    }
}
