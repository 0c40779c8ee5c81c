//! The walk itself.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use super::claims::{Claimed, claim_names};
use super::crop_facts::crop_facts;
use super::sheet::Sheets;
use super::{CropReport, Depth, Desk, ItemReport, OutcomeKind, Stage, StageError, StageTimes, Turn};
use crate::backend::RuntimeInUse;
use crate::cancel::CancelToken;
use crate::decode::{self, DecodeLimits, DisplayCopy, PhotoFile, Picture, Want};
use crate::detect::{DetectSpec, Detection, Detector, measure_faces};
use crate::encode::{Claim, EncodeError, EncodeSpec, NameBook, OutputFormat, encode_crop};
use crate::geometry::Face;
use crate::naming::{CropFacts, PhotoName};
use crate::plan::{
    Concern, ConcernKind, CropSpec, EditedFaces, FinishSpec, PhotoEdits, PlannedCrop, RenderSpec, SheetSpec,
    check_file, choose_faces, faces_that_count, plan_chosen, plan_in_order, review_crops,
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
    /// Exactly these, in this order, chosen or drawn by hand, in upright pixels; nothing is detected. May be empty: then nothing
    /// is cropped.
    ByHand(Vec<Face>),
    /// Detect, then do as a person has decided: for photos whose faces are not known yet.
    Edited(Box<PhotoEdits>),
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
    let mut walk = Walk::new(look.path, eyes.as_ref().map(|eyes| eyes.runtime));
    let long_side = eyes.as_ref().map_or(long_side, |eyes| long_side.max(eyes.detector.long_side()));
    let file = walk.open(look)?;
    let picture = walk.decode(&file, &Want::LongSide(long_side), room)?;
    if cancel.is_cancelled() {
        return Ok(None);
    }
    let mut detection = None;
    if let Some(eyes) = eyes {
        let mut found = walk.look(&picture, look.detect, eyes.detector)?;
        let larger = found.closer.map(|side| walk.decode(&file, &Want::LongSide(side), room)).transpose()?;
        if let Some(larger) = &larger {
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
    let mut walk = Walk::new(Path::new("preview"), None);
    let crop = walk.pass(Stage::Render, || render_smaller(picture, planned, spec, max_side))?;
    Ok(DisplayCopy::from_pixels(crop.pixels, crop.icc_profile.as_deref()))
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
    let mut report = ItemReport::new(look.path.to_owned());
    let mut walk = Walk::new(look.path, eyes.as_ref().map(|eyes| eyes.runtime));
    match walk.export(look, order, eyes, desk, cancel, &mut report) {
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
}

impl<'a> Walk<'a> {
    fn new(path: &'a Path, runtime: Option<&RuntimeInUse>) -> Self {
        let runtime = runtime.map_or("none", |runtime| runtime.actual.kind.id());
        Self { path, runtime, stages: StageTimes::default() }
    }

    fn open(&mut self, look: Look<'_>) -> Result<PhotoFile, StageError> {
        self.pass(Stage::Decode, || PhotoFile::read(look.path, look.limits))
    }

    fn decode(&mut self, file: &PhotoFile, want: &Want, room: MakeRoom<'_>) -> Result<Picture, StageError> {
        room(file.bytes_needed(want));
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

    /// Looks for faces.
    fn look(
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
    fn look_closer(
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
    fn measure(&mut self, picture: &Picture, detection: &mut Detection) -> Result<(), StageError> {
        self.pass(Stage::Heads, || {
            measure_faces(picture, &mut detection.faces);
            Ok::<_, StageError>(())
        })
    }

    fn export(
        &mut self,
        look: Look<'_>,
        order: Order<'_>,
        eyes: Option<Eyes<'_>>,
        desk: &mut dyn Desk,
        cancel: &CancelToken,
        report: &mut ItemReport,
    ) -> Result<Option<OutcomeKind>, StageError> {
        let sheets = Sheets::of(&order)?;
        let file = self.open(look)?;
        report.size = Some(file.size());
        report.note = file.info().note;
        // A reader that cannot leave anything out decodes once, for looking and cropping; others decode what each needs.
        let mut seen = None;
        let mut in_persons_order = matches!(order.faces, FaceChoice::ByHand(_));
        let chosen = match order.faces {
            FaceChoice::ByHand(faces) => {
                report.faces.clone_from(faces);
                (0..faces.len()).collect()
            }
            FaceChoice::BySpec | FaceChoice::Edited(_) => {
                let eyes = eyes.ok_or_else(|| StageError::NoRuntime { reason: "none has been chosen".to_owned() })?;
                report.runtime = Some(eyes.runtime.clone());
                let mut want = match order.depth {
                    Depth::Write if !file.decodes_in_part() => Want::Full,
                    _ => Want::LongSide(eyes.detector.long_side()),
                };
                let mut picture = self.decode(&file, &want, &mut |bytes| desk.make_room(bytes))?;
                report.damage.clone_from(&picture.info.damage);
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                let mut found = self.look(&picture, look.detect, eyes.detector)?;
                if let Some(side) = found.closer {
                    // The first picture goes before the larger one comes: a photo never waits for room while it holds some.
                    drop(picture);
                    want = Want::LongSide(side);
                    picture = self.decode(&file, &want, &mut |bytes| desk.make_room(bytes))?;
                    if cancel.is_cancelled() {
                        return Ok(None);
                    }
                    found = self.look_closer(&picture, look.detect, eyes.detector, found)?;
                }
                self.measure(&picture, &mut found)?;
                seen = Some((picture, want));
                report.looks = found.looks;
                let edited = match order.faces {
                    FaceChoice::Edited(edits) => edits.applied_to(&found.faces),
                    _ => EditedFaces { faces: found.faces, ..EditedFaces::default() },
                };
                in_persons_order = edited.chosen.is_some();
                match edited.chosen {
                    // Whoever was chosen counts, however small, so all are kept.
                    Some(chosen) => {
                        (report.faces, report.found_by) = (edited.faces, found.found_by);
                        chosen
                    }
                    None => {
                        let counted = faces_that_count(&edited.faces, order.crop);
                        report.faces = counted.iter().map(|&index| edited.faces[index]).collect();
                        report.found_by =
                            counted.iter().filter_map(|&index| found.found_by.get(index).copied()).collect();
                        choose_faces(&report.faces, file.size(), order.crop)
                    }
                }
            }
        };
        if cancel.is_cancelled() {
            return Ok(None);
        }
        if order.depth == Depth::Detect {
            let found = if report.faces.is_empty() { OutcomeKind::NoFace } else { OutcomeKind::Detected };
            return Ok(Some(found));
        }
        let plan_faces = if in_persons_order { plan_in_order } else { plan_chosen };
        let plan = self
            .pass(Stage::Plan, || Ok::<_, StageError>(plan_faces(&report.faces, &chosen, file.size(), order.crop)))?;
        report.concerns = review_crops(&report.faces, &plan, file.size(), order.crop);
        let crops = plan.crops;
        let left_out = |report: &ItemReport| report.damage.is_some() && !order.include_damaged;
        if left_out(report) {
            return Ok(Some(OutcomeKind::Damaged));
        }
        if crops.is_empty() {
            return Ok(Some(OutcomeKind::NoFace));
        }
        let mut want = Want::Frames(crops.iter().map(PlannedCrop::wanted_part).collect());
        let mut source = None;
        if let Some((picture, seen_with)) = seen.filter(|(picture, _)| picture.serves(&want)) {
            // Whether it can stay here must not show in the crops: otherwise it is decoded the same way again.
            (source, want) = (Some(picture), seen_with);
        }
        let several = crops.len() > 1;
        let facts: Vec<CropFacts> = (1..)
            .zip(&crops)
            .map(|(number, planned)| crop_facts(&file, &report.faces, planned, (number, several)))
            .collect();
        let mut claims = Vec::new();
        loop {
            let mut claim = |names: &mut _| claims = claim_names(&order, look.path, &facts, sheets.as_ref(), names);
            match desk.claim(source.is_some(), &mut claim) {
                Turn::Claimed => break,
                Turn::Cancelled => return Ok(None),
                Turn::LetGo => {
                    source = None;
                    desk.make_room(0);
                }
            }
        }
        let render = order.crop.render_spec(*order.finish);
        let mut skipped = 0;
        let mut sheet_failure = None;
        for (planned, claimed) in crops.into_iter().zip(claims) {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            let Claimed { name, crop: claim, sheet: sheet_claim } = claimed;
            let claim = claim?;
            let target = match &claim {
                Claim::Write { path, .. } | Claim::Skip { path } => Some(path.clone()),
            };
            let (mut notes, mut sheet) = (Vec::new(), None);
            let written = match claim {
                Claim::Write { .. } if order.depth == Depth::Plan => {
                    let taken = sheet_claim.and_then(Result::err);
                    sheet_failure = sheet_failure.or(taken.map(StageError::from));
                    None
                }
                Claim::Write { path, replace } => {
                    let picture = match source.take() {
                        Some(picture) => picture,
                        None => self.decode(&file, &want, &mut |bytes| desk.make_room(bytes))?,
                    };
                    report.damage = report.damage.take().or_else(|| picture.info.damage.clone());
                    if left_out(report) {
                        return Ok(Some(OutcomeKind::Damaged));
                    }
                    let crop = self.pass(Stage::Render, || render_crop(&picture, &planned, &render))?;
                    source = Some(picture);
                    let mut faults = Vec::new();
                    let claimed_path = path.clone();
                    let written = self.pass(Stage::Encode, || {
                        let encoded = encode_crop(&crop, order.encode, order.crop.fill)?;
                        notes = encoded.notes;
                        let is_jpeg = order.encode.format == OutputFormat::Jpeg;
                        let rules = order.crop.rules.as_ref();
                        faults = rules.map_or_else(Vec::new, |rules| check_file(rules, encoded.bytes.len(), is_jpeg));
                        write_claimed(&encoded.bytes, path, replace, desk, |path, names| {
                            names.claim_again(path, look.path, &name, order.encode.format.extension())
                        })
                    })?;
                    let index = report.crops.len();
                    let faults = faults.into_iter().map(ConcernKind::Rule);
                    report.concerns.extend(faults.map(|kind| Concern { crop: Some(index), kind }));
                    if let (Some(sheets), Some(written)) = (&sheets, &written) {
                        // A crop that had to take another name than the one claimed has its sheet named after it.
                        let sheet_claim = sheet_claim.filter(|_| *written == claimed_path);
                        let done = self.pass(Stage::Encode, || {
                            sheets.write(&crop, (written, sheet_claim), look.path, desk, &mut notes)
                        });
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
}

/// Writes a file under the name it was given; where another program has taken that name since, under the next one that
/// `claim_again` gives, or not at all where that says skip.
pub(super) fn write_claimed(
    bytes: &[u8],
    mut path: PathBuf,
    mut replace: bool,
    desk: &mut dyn Desk,
    claim_again: impl Fn(PathBuf, &mut NameBook) -> Result<Claim, EncodeError>,
) -> Result<Option<PathBuf>, EncodeError> {
    loop {
        let taken = match desk.write(bytes, &path, replace) {
            Ok(written) => return Ok(Some(written.path)),
            Err(EncodeError::NameTaken { path: taken }) => taken,
            Err(error) => return Err(error),
        };
        let mut next = None;
        desk.names(&mut |names| next = Some(claim_again(taken.clone(), names)));
        match next.transpose()? {
            Some(Claim::Write { path: next, replace: replaces }) => (path, replace) = (next, replaces),
            Some(Claim::Skip { .. }) | None => return Ok(None),
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
    use crate::encode::{OnConflict, OutputSpec};
    use crate::pipeline::Alone;

    #[test]
    fn a_name_taken_meanwhile_gives_way_to_the_next_one_and_a_failure_does_not() {
        let folder = tempfile::tempdir().expect("made");
        let taken = folder.path().join("a.jpg");
        std::fs::write(&taken, "another program's").expect("written");
        let output = OutputSpec { folder: folder.path().to_owned(), on_conflict: OnConflict::Suffix };
        let mut names = NameBook::new(output, &[]);
        let mut room = |_| ();
        let mut desk = Alone::new(&mut names, &mut room);
        let next = |_, _: &mut NameBook| Ok(Claim::Write { path: folder.path().join("a (2).jpg"), replace: false });
        let written = write_claimed(b"crop", taken.clone(), false, &mut desk, next).expect("written");
        assert_eq!(written, Some(folder.path().join("a (2).jpg")));
        assert_eq!(std::fs::read(&taken).expect("there"), b"another program's");
        let skip = |_, _: &mut NameBook| Ok(Claim::Skip { path: taken.clone() });
        assert_eq!(write_claimed(b"crop", taken.clone(), false, &mut desk, skip).expect("no failure"), None);
        let refuse = |_, _: &mut NameBook| Err(EncodeError::NameTaken { path: taken.clone() });
        assert!(write_claimed(b"crop", taken.clone(), false, &mut desk, refuse).is_err());
    }
}
