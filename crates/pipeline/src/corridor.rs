//! The walk itself.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use cancel::CancelToken;
use faces::{Detector, measure_faces};
use naming::PhotoName;
use outcome::{DecodeError, Detection, DisplayCopy, ItemReport, RuntimeInUse, Stage, StageError, StageTimes};
use picture::{PhotoFile, Picture, Want, begin_reading, display_copy, display_pixels};
use plan::PlannedCrop;
use recipe::{CropSpec, DecodeLimits, Depth, DetectSpec, EncodeSpec, FaceChoice, FinishSpec, RenderSpec, SheetSpec};
use render::render_smaller;

use super::Desk;

/// A photo's file and how it is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// The file.
    pub path: &'a Path,
    /// How large it may be.
    pub limits: &'a DecodeLimits,
    /// How faces are found.
    pub detect: &'a DetectSpec,
}

/// Told how many bytes are about to be decoded, so that what is kept for later makes room for them.
pub type MakeRoom<'a> = &'a mut dyn FnMut(u64);

/// The detector in use and what it runs on.
pub struct Eyes<'a> {
    /// The detector.
    pub detector: &'a mut dyn Detector,
    /// What was asked for and what runs.
    pub runtime: &'a RuntimeInUse,
}

/// What looking at a photo gives.
#[derive(Debug)]
pub struct Examined {
    /// The upright picture.
    pub picture: Picture,
    /// Its faces; `None` where there was no detector.
    pub detection: Option<Detection>,
    /// Time spent in each stage.
    pub stages: StageTimes,
}

/// What is made of a photo.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// Which faces.
    pub faces: &'a FaceChoice,
    /// How far to go.
    pub depth: Depth,
    /// How faces are chosen and framed.
    pub crop: &'a CropSpec,
    /// Shape and adjustments of each crop.
    pub finish: &'a FinishSpec,
    /// A sheet to print of each crop, written beside it; `None` for none.
    pub sheet: Option<&'a SheetSpec>,
    /// What a crop's file is like.
    pub encode: &'a EncodeSpec,
    /// True where photos of which a part is missing are cropped as well.
    pub include_damaged: bool,
    /// What is known of its crops' names beforehand.
    pub name: &'a PhotoName,
}

/// Decodes a photo with at least `long_side` pixels along its longer side, and looks for faces where there are `eyes` to
/// look with. `None` once cancelled.
///
/// # Errors
/// The stage that failed.
pub fn examine(
    look: Look<'_>,
    long_side: u32,
    eyes: Option<Eyes<'_>>,
    room: MakeRoom<'_>,
    cancel: &CancelToken,
) -> Result<Option<Examined>, StageError> {
    let _reading = begin_reading(look.limits, cancel);
    match look_at(look, long_side, eyes, room, cancel) {
        Err(StageError::Decode(DecodeError::Cancelled)) => Ok(None),
        examined => examined,
    }
}

fn look_at(
    look: Look<'_>,
    long_side: u32,
    eyes: Option<Eyes<'_>>,
    room: MakeRoom<'_>,
    cancel: &CancelToken,
) -> Result<Option<Examined>, StageError> {
    let mut walk = Walk::new(look.path, eyes.as_ref().map(|eyes| eyes.runtime));
    let long_side = eyes.as_ref().map_or(long_side, |eyes| long_side.max(eyes.detector.long_side()));
    let file = walk.open(look)?;
    let mut picture = walk.decode(&file, &Want::LongSide(long_side), room)?;
    if cancel.is_cancelled() {
        return Ok(None);
    }
    let mut detection = None;
    if let Some(eyes) = eyes {
        let mut found = walk.look(&picture, look.detect, eyes.detector)?;
        let larger = found.closer.map(|side| walk.decode(&file, &Want::LongSide(side), room)).transpose()?;
        if let Some(larger) = &larger {
            picture.info.damage = picture.info.damage.take().or_else(|| larger.info.damage.clone());
            found = walk.look_closer(larger, look.detect, eyes.detector, found)?;
        }
        walk.measure(larger.as_ref().unwrap_or(&picture), &mut found)?;
        detection = Some(found);
    }
    Ok((!cancel.is_cancelled()).then_some(Examined { picture, detection, stages: walk.stages }))
}

/// Decodes what of a photo `want` says, for [`preview_crop`].
///
/// # Errors
/// The file gives no picture.
pub fn decode_part(look: Look<'_>, want: &Want, room: MakeRoom<'_>) -> Result<Picture, StageError> {
    let mut walk = Walk::new(look.path, None);
    let file = walk.open(look)?;
    walk.decode(&file, want, room)
}

/// The small picture that a camera has put into the photo's file, at most `side` pixels along its longer side.
pub fn embedded_thumbnail(path: &Path, side: u32) -> Option<DisplayCopy> {
    let mut walk = Walk::new(path, None);
    let found = walk.pass(Stage::Decode, || Ok::<_, StageError>(picture::embedded_thumbnail(path)));
    display_copy(&found.ok()??, side).ok()
}

/// Renders one crop as it would be exported, then scales it to at most `max_side` pixels for the screen.
///
/// # Errors
/// The crop cannot be rendered.
pub fn preview_crop(
    picture: &Picture,
    planned: &PlannedCrop,
    spec: &RenderSpec,
    max_side: u32,
) -> Result<DisplayCopy, StageError> {
    let mut walk = Walk::new(Path::new("preview"), None);
    let crop = walk.pass(Stage::Render, || render_smaller(picture, planned, spec, max_side))?;
    Ok(display_pixels(crop.pixels, crop.icc_profile.as_deref()))
}

/// Walks one photo down the corridor as far as `order` says. `None` once cancelled; crops already written then stay.
///
/// Names are only claimed from [`Depth::Plan`] on. Failures are in the report: one photo never stops a batch.
pub fn export_item(
    look: Look<'_>,
    order: Order<'_>,
    eyes: Option<Eyes<'_>>,
    desk: &mut dyn Desk,
    cancel: &CancelToken,
) -> Option<ItemReport> {
    let _reading = begin_reading(look.limits, cancel);
    let mut report = ItemReport::new(look.path.to_owned());
    let mut walk = Walk::new(look.path, eyes.as_ref().map(|eyes| eyes.runtime));
    match walk.export(look, order, eyes, desk, cancel, &mut report) {
        Ok(outcome) => report.outcome = outcome?,
        Err(StageError::Decode(DecodeError::Cancelled)) => return None,
        Err(error) => {
            tracing::info!(path = %look.path.display(), %error, "failed");
            report.error = Some(error);
        }
    }
    report.stages = walk.stages;
    Some(report)
}

/// One photo on its way: the time it took so far, and what its log lines carry.
pub(super) struct Walk<'a> {
    path: &'a Path,
    runtime: &'static str,
    stages: StageTimes,
}

impl<'a> Walk<'a> {
    fn new(path: &'a Path, runtime: Option<&RuntimeInUse>) -> Self {
        let runtime = runtime.map_or("none", |runtime| runtime.actual.kind.id());
        Self { path, runtime, stages: StageTimes::default() }
    }

    pub(super) fn open(&mut self, look: Look<'_>) -> Result<PhotoFile, StageError> {
        self.pass(Stage::Decode, || PhotoFile::read(look.path, look.limits))
    }

    pub(super) fn decode(&mut self, file: &PhotoFile, want: &Want, room: MakeRoom<'_>) -> Result<Picture, StageError> {
        room(file.bytes_needed(want));
        self.pass(Stage::Decode, || file.decode(want))
    }

    /// Runs the work of one room: timed, in a span, its panic caught.
    pub(super) fn pass<T, E>(&mut self, stage: Stage, work: impl FnOnce() -> Result<T, E>) -> Result<T, StageError>
    where
        StageError: From<E>,
    {
        let span =
            tracing::debug_span!("stage", stage = stage.id(), runtime = self.runtime, path = %self.path.display());
        let _inside = span.enter();
        match self.stages.time(stage, || catch_unwind(AssertUnwindSafe(work))) {
            Ok(result) => result.map_err(StageError::from),
            Err(panic) => Err(StageError::Panicked { stage, message: panic_message(&*panic) }),
        }
    }

    /// Looks for faces.
    pub(super) fn look(
        &mut self,
        picture: &Picture,
        spec: &DetectSpec,
        detector: &mut dyn Detector,
    ) -> Result<Detection, StageError> {
        let before = self.stages;
        let detection = self.pass(Stage::Run, || detector.detect(picture, spec))?;
        self.stages = before;
        if detection.closer.is_none() {
            self.take_times(&detection);
        }
        Ok(detection)
    }

    /// Looks a second time, with more pixels.
    pub(super) fn look_closer(
        &mut self,
        larger: &Picture,
        spec: &DetectSpec,
        detector: &mut dyn Detector,
        first: Detection,
    ) -> Result<Detection, StageError> {
        let before = self.stages;
        let detection = self.pass(Stage::Run, || detector.look_closer(larger, spec, first))?;
        self.stages = before;
        self.take_times(&detection);
        Ok(detection)
    }

    /// The detector's own three times replace the time of the whole.
    fn take_times(&mut self, detection: &Detection) {
        self.stages.add(Stage::Fit, detection.fit_ms);
        self.stages.add(Stage::Run, detection.run_ms);
        self.stages.add(Stage::Heads, detection.heads_ms);
    }

    /// Measures the faces on the picture with the most pixels that was decoded for looking.
    pub(super) fn measure(&mut self, picture: &Picture, detection: &mut Detection) -> Result<(), StageError> {
        self.pass(Stage::Heads, || {
            measure_faces(picture, &mut detection.faces);
            Ok::<_, StageError>(())
        })
    }
}

/// The words a panic was raised with.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
