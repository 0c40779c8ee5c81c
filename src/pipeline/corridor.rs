//! The walk itself.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use super::crop_facts::crop_facts;
use super::sheet::Sheets;
use super::{CropReport, Depth, ItemReport, OutcomeKind, Stage, StageError, StageTimes};
use crate::backend::RuntimeInUse;
use crate::cancel::CancelToken;
use crate::decode::{self, DecodeLimits, DisplayCopy, PhotoFile, Picture, Want};
use crate::detect::{DetectSpec, Detection, Detector, measure_faces};
use crate::encode::{Claim, EncodeError, EncodeSpec, NameBook, OutputFormat, encode_crop, write_new};
use crate::geometry::{Face, Size};
use crate::naming::PhotoName;
use crate::plan::{
    Concern, ConcernKind, CropPlan, CropSpec, FinishSpec, PlannedCrop, RenderSpec, SheetSpec, check_file, choose_faces,
    faces_that_count, plan_chosen, review_crops,
};
use crate::render::{render_crop, render_smaller};

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

/// Which of a photo's faces are cropped.
#[derive(Clone, Debug, PartialEq)]
pub enum FaceChoice {
    /// Detect, then choose as the spec says.
    BySpec,
    /// Exactly these, chosen or drawn by hand, in upright pixels; nothing is detected. May be empty: then nothing is cropped.
    ByHand(Vec<Face>),
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
    let mut walk = Walk::new(look.path, eyes.as_ref().map(|eyes| eyes.runtime), room);
    let long_side = eyes.as_ref().map_or(long_side, |eyes| long_side.max(eyes.detector.long_side()));
    let file = walk.open(look)?;
    let picture = walk.decode(&file, &Want::LongSide(long_side))?;
    if cancel.is_cancelled() {
        return Ok(None);
    }
    let detection = eyes.map(|eyes| walk.find_faces(&file, &picture, look.detect, eyes.detector)).transpose()?;
    Ok((!cancel.is_cancelled()).then_some(Examined { picture, detection, stages: walk.stages }))
}

/// Decodes what of a photo `want` says, for [`preview_crop`].
///
/// # Errors
/// The file gives no picture.
pub fn decode_part(look: Look<'_>, want: &Want, room: MakeRoom<'_>) -> Result<Picture, StageError> {
    let mut walk = Walk::new(look.path, None, room);
    let file = walk.open(look)?;
    walk.decode(&file, want)
}

/// The small picture that a camera has put into the photo's file, at most `side` pixels along its longer side.
pub fn embedded_thumbnail(path: &Path, side: u32) -> Option<DisplayCopy> {
    let mut no_room = |_| ();
    let mut walk = Walk::new(path, None, &mut no_room);
    let found = walk.pass(Stage::Decode, || Ok::<_, StageError>(decode::embedded_thumbnail(path)));
    DisplayCopy::of(&found.ok()??, side).ok()
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
    let mut no_room = |_| ();
    let mut walk = Walk::new(Path::new("preview"), None, &mut no_room);
    let crop = walk.pass(Stage::Render, || render_smaller(picture, planned, spec, max_side))?;
    Ok(DisplayCopy::from_pixels(crop.pixels, crop.icc_profile.as_deref()))
}

/// Walks one photo down the corridor as far as `order` says. `None` once cancelled; crops already written then stay.
///
/// `names` is only looked at from [`Depth::Plan`] on. Failures are in the report: one photo never stops a batch.
pub fn export_item(
    look: Look<'_>,
    order: Order<'_>,
    eyes: Option<Eyes<'_>>,
    names: &mut NameBook,
    room: MakeRoom<'_>,
    cancel: &CancelToken,
) -> Option<ItemReport> {
    let mut report = ItemReport::new(look.path.to_owned());
    let mut walk = Walk::new(look.path, eyes.as_ref().map(|eyes| eyes.runtime), room);
    match walk.export(look, order, eyes, names, cancel, &mut report) {
        Ok(outcome) => report.outcome = outcome?,
        Err(error) => {
            tracing::info!(path = %look.path.display(), %error, "failed");
            report.error = Some(error);
        }
    }
    report.stages = walk.stages;
    Some(report)
}

/// One photo on its way: the time it took so far, and what its log lines carry.
struct Walk<'a> {
    path: &'a Path,
    runtime: &'static str,
    stages: StageTimes,
    room: MakeRoom<'a>,
}

impl<'a> Walk<'a> {
    fn new(path: &'a Path, runtime: Option<&RuntimeInUse>, room: MakeRoom<'a>) -> Self {
        let runtime = runtime.map_or("none", |runtime| runtime.actual.kind.id());
        Self { path, runtime, stages: StageTimes::default(), room }
    }

    fn open(&mut self, look: Look<'_>) -> Result<PhotoFile, StageError> {
        self.pass(Stage::Decode, || PhotoFile::read(look.path, look.limits))
    }

    fn decode(&mut self, file: &PhotoFile, want: &Want) -> Result<Picture, StageError> {
        (self.room)(file.bytes_needed(want));
        self.pass(Stage::Decode, || file.decode(want))
    }

    /// Runs the work of one room: timed, in a span, its panic caught.
    fn pass<T, E>(&mut self, stage: Stage, work: impl FnOnce() -> Result<T, E>) -> Result<T, StageError>
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

    /// Looks for faces, a second time with more pixels where the detector asks for them, and measures them; the detector's own
    /// three times replace the time of the whole.
    fn find_faces(
        &mut self,
        file: &PhotoFile,
        picture: &Picture,
        spec: &DetectSpec,
        detector: &mut dyn Detector,
    ) -> Result<Detection, StageError> {
        let before = self.stages;
        let mut detection = self.pass(Stage::Run, || detector.detect(picture, spec))?;
        self.stages = before;
        let larger = detection.closer.map(|long_side| self.decode(file, &Want::LongSide(long_side))).transpose()?;
        if let Some(larger) = &larger {
            let before = self.stages;
            detection = self.pass(Stage::Run, || detector.look_closer(larger, spec, detection))?;
            self.stages = before;
        }
        self.stages.add(Stage::Fit, detection.fit_ms);
        self.stages.add(Stage::Run, detection.run_ms);
        self.stages.add(Stage::Heads, detection.heads_ms);
        self.pass(Stage::Heads, || {
            measure_faces(larger.as_ref().unwrap_or(picture), &mut detection.faces);
            Ok::<_, StageError>(())
        })?;
        Ok(detection)
    }

    fn export(
        &mut self,
        look: Look<'_>,
        order: Order<'_>,
        eyes: Option<Eyes<'_>>,
        names: &mut NameBook,
        cancel: &CancelToken,
        report: &mut ItemReport,
    ) -> Result<Option<OutcomeKind>, StageError> {
        let sheets = Sheets::of(&order)?;
        let file = self.open(look)?;
        report.size = Some(file.size());
        report.note = file.info().note;
        // A reader that cannot leave anything out decodes once, for looking and cropping; others decode what each needs.
        let mut seen = None;
        let chosen = match order.faces {
            FaceChoice::ByHand(faces) => {
                report.faces.clone_from(faces);
                (0..faces.len()).collect()
            }
            FaceChoice::BySpec => {
                let eyes = eyes.ok_or_else(|| StageError::NoRuntime { reason: "none has been chosen".to_owned() })?;
                report.runtime = Some(eyes.runtime.clone());
                let want = match order.depth {
                    Depth::Write if !file.decodes_in_part() => Want::Full,
                    _ => Want::LongSide(eyes.detector.long_side()),
                };
                let picture = self.decode(&file, &want)?;
                report.damage.clone_from(&picture.info.damage);
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                let found = self.find_faces(&file, &picture, look.detect, eyes.detector)?;
                seen = Some(picture);
                let counted = faces_that_count(&found.faces, order.crop);
                report.faces = counted.iter().map(|&index| found.faces[index]).collect();
                report.found_by = counted.iter().filter_map(|&index| found.found_by.get(index).copied()).collect();
                report.looks = found.looks;
                choose_faces(&report.faces, file.size(), order.crop)
            }
        };
        if cancel.is_cancelled() {
            return Ok(None);
        }
        if order.depth == Depth::Detect {
            let found = if report.faces.is_empty() { OutcomeKind::NoFace } else { OutcomeKind::Detected };
            return Ok(Some(found));
        }
        let plan = self.plan(&report.faces, &chosen, file.size(), order.crop)?;
        report.concerns = review_crops(&report.faces, &plan, file.size(), order.crop);
        let crops = plan.crops;
        let left_out = |report: &ItemReport| report.damage.is_some() && !order.include_damaged;
        if left_out(report) {
            return Ok(Some(OutcomeKind::Damaged));
        }
        if crops.is_empty() {
            return Ok(Some(OutcomeKind::NoFace));
        }
        let want = Want::Frames(crops.iter().map(PlannedCrop::wanted_part).collect());
        let render = order.crop.render_spec(*order.finish);
        let mut source = seen.filter(|picture| picture.serves(&want));
        let several = crops.len() > 1;
        let mut skipped = 0;
        let mut sheet_failure = None;
        for (number, planned) in (1..).zip(crops) {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            let facts = crop_facts(&file, &report.faces, &planned, (number, several));
            let name = names.name(look.path, order.name, &facts);
            let claim = names.claim(look.path, &name, order.encode.format.extension())?;
            let target = match &claim {
                Claim::Write { path, .. } | Claim::Skip { path } => Some(path.clone()),
            };
            let (mut notes, mut sheet) = (Vec::new(), None);
            let written = match claim {
                Claim::Write { path, .. } if order.depth == Depth::Plan => {
                    let taken = sheets.as_ref().and_then(|sheets| sheets.claim(&path, look.path, names).err());
                    sheet_failure = sheet_failure.or(taken.map(StageError::from));
                    None
                }
                Claim::Write { path, replace } => {
                    let picture = match source.take() {
                        Some(picture) => picture,
                        None => self.decode(&file, &want)?,
                    };
                    report.damage = report.damage.take().or_else(|| picture.info.damage.clone());
                    if left_out(report) {
                        return Ok(Some(OutcomeKind::Damaged));
                    }
                    let crop = self.pass(Stage::Render, || render_crop(&picture, &planned, &render))?;
                    source = Some(picture);
                    let mut faults = Vec::new();
                    let written = self.pass(Stage::Encode, || {
                        let encoded = encode_crop(&crop, order.encode, order.crop.fill)?;
                        notes = encoded.notes;
                        let is_jpeg = order.encode.format == OutputFormat::Jpeg;
                        let rules = order.crop.rules.as_ref();
                        faults = rules.map_or_else(Vec::new, |rules| check_file(rules, encoded.bytes.len(), is_jpeg));
                        write_claimed(&encoded.bytes, path, replace, |path| {
                            names.claim_again(path, look.path, &name, order.encode.format.extension())
                        })
                    })?;
                    let index = report.crops.len();
                    let faults = faults.into_iter().map(ConcernKind::Rule);
                    report.concerns.extend(faults.map(|kind| Concern { crop: Some(index), kind }));
                    if let (Some(sheets), Some(written)) = (&sheets, &written) {
                        let done =
                            self.pass(Stage::Encode, || sheets.write(&crop, written, look.path, names, &mut notes));
                        sheet = done.unwrap_or_else(|error| {
                            sheet_failure.get_or_insert(error);
                            None
                        });
                    }
                    written
                }
                Claim::Skip { .. } => {
                    skipped += 1;
                    None
                }
            };
            report.crops.push(CropReport { planned, target, written, sheet, notes });
        }
        if let Some(failure) = sheet_failure {
            return Err(failure);
        }
        let all_skipped = skipped == report.crops.len();
        Ok(Some(if all_skipped { OutcomeKind::Skipped } else { OutcomeKind::Cropped }))
    }

    fn plan(
        &mut self,
        faces: &[Face],
        chosen: &[usize],
        picture: Size,
        spec: &CropSpec,
    ) -> Result<CropPlan, StageError> {
        self.pass(Stage::Plan, || Ok::<_, StageError>(plan_chosen(faces, chosen, picture, spec)))
    }
}

/// Writes a file under the name it was given; where another program has taken that name since, under the next one that
/// `claim_again` gives, or not at all where that says skip.
pub(super) fn write_claimed(
    bytes: &[u8],
    mut path: PathBuf,
    mut replace: bool,
    mut claim_again: impl FnMut(PathBuf) -> Result<Claim, EncodeError>,
) -> Result<Option<PathBuf>, EncodeError> {
    loop {
        match write_new(bytes, &path, replace) {
            Ok(written) => return Ok(Some(written.path)),
            Err(EncodeError::NameTaken { path: taken }) => match claim_again(taken)? {
                Claim::Write { path: next, replace: replaces } => (path, replace) = (next, replaces),
                Claim::Skip { .. } => return Ok(None),
            },
            Err(error) => return Err(error),
        }
    }
}

/// The words a panic was raised with.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_taken_meanwhile_gives_way_to_the_next_one_and_a_failure_does_not() {
        let folder = tempfile::tempdir().expect("made");
        let taken = folder.path().join("a.jpg");
        std::fs::write(&taken, "another program's").expect("written");
        let next = |_| Ok(Claim::Write { path: folder.path().join("a (2).jpg"), replace: false });
        let written = write_claimed(b"crop", taken.clone(), false, next).expect("written");
        assert_eq!(written, Some(folder.path().join("a (2).jpg")));
        assert_eq!(std::fs::read(&taken).expect("there"), b"another program's");
        let skip = |_| Ok(Claim::Skip { path: taken.clone() });
        assert_eq!(write_claimed(b"crop", taken.clone(), false, skip).expect("no failure"), None);
        let refuse = |_| Err(EncodeError::NameTaken { path: taken.clone() });
        assert!(write_claimed(b"crop", taken.clone(), false, refuse).is_err());
    }
}
