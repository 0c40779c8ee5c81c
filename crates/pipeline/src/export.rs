//! A photo of a batch from its file to its crops, in four steps: find, plan, claim, write.

use std::path::Path;

use cancel::CancelToken;
use naming::CropFacts;
use outcome::{CropReport, DecodeError, ItemNote, ItemReport, NoRuntime, OutcomeKind, Stage, StageError};
use picture::{Crop, PhotoFile, Picture, Want, begin_reading, encode_crop};
use plan::{
    Concern, ConcernKind, PlannedCrop, check_file, choose_faces, faces_that_count, plan_chosen, plan_in_order,
    review_crops,
};
use recipe::{Depth, EditedFaces, FaceChoice, OutputFormat};
use render::render_crop;

use crate::claimed_file::write_claimed;
use crate::claims::{Claimed, claim_names};
use crate::crop_facts::crop_facts;
use crate::desk::{Desk, Turn};
use crate::find::Found;
use crate::name_book::Claim;
use crate::order::{Eyes, Look, Order};
use crate::sheet::Sheets;
use crate::walk::Walk;

/// Takes one photo as far as `order` says. `None` once cancelled; crops already written then stay.
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
    let walk = Walk::new(look.path, eyes.as_ref().map(|eyes| eyes.runtime));
    let mut export = Export { look, order, desk, cancel, walk, report: ItemReport::new(look.path.to_owned()) };
    let end = export.run(eyes);
    let Export { walk, mut report, .. } = export;
    match end {
        Ok(outcome) | Err(Stop::Done(outcome)) => report.outcome = outcome,
        Err(Stop::Cancelled | Stop::Failed(StageError::Decode(DecodeError::Cancelled))) => return None,
        Err(Stop::Failed(error)) => {
            tracing::info!(path = %look.path.display(), %error, "failed");
            report.error = Some(error);
        }
    }
    report.stages = walk.stages;
    Some(report)
}

/// Why a photo does not go through every step.
enum Stop {
    /// Nothing more is to be done.
    Done(OutcomeKind),
    Cancelled,
    Failed(StageError),
}

impl From<StageError> for Stop {
    fn from(error: StageError) -> Self {
        Self::Failed(error)
    }
}

/// What the step `find` gives; the faces themselves are in the report.
struct Chosen {
    /// The faces to crop, by their index.
    faces: Vec<usize>,
    /// True if a person has chosen them, and so their order.
    by_person: bool,
    /// The picture they were found on, and what it was decoded for.
    seen: Option<(Picture, Want)>,
}

/// What the step `plan` gives.
struct Planned {
    crops: Vec<PlannedCrop>,
    /// The picture they are cut out of, if it is here already.
    source: Option<Picture>,
    /// What it is decoded for, if it is not.
    want: Want,
}

/// What the step `claim` gives: the plan, with a name for each crop.
struct Named {
    crops: Vec<(PlannedCrop, Claimed)>,
    source: Option<Picture>,
    want: Want,
}

struct Export<'a> {
    look: Look<'a>,
    order: Order<'a>,
    desk: &'a mut dyn Desk,
    cancel: &'a CancelToken,
    walk: Walk<'a>,
    report: ItemReport,
}

impl Export<'_> {
    fn run(&mut self, eyes: Option<Eyes<'_>>) -> Result<OutcomeKind, Stop> {
        let sheets = Sheets::of(&self.order).map_err(StageError::from)?;
        let file = self.walk.open(self.look)?;
        self.report.size = Some(file.size());
        self.report.note = file.info().note.map(ItemNote::Picture);
        let chosen = self.find(&file, eyes)?;
        let planned = self.plan(&file, chosen)?;
        let named = self.claim(&file, planned, sheets.as_ref())?;
        self.write(&file, named, sheets.as_ref())
    }

    /// Photo to faces: those that a person has chosen, or those that are found and chosen by the recipe.
    fn find(&mut self, file: &PhotoFile, eyes: Option<Eyes<'_>>) -> Result<Chosen, Stop> {
        if self.order.faces.chooses_none() {
            return Err(Stop::Done(OutcomeKind::LeftOut));
        }
        let chosen = match self.order.faces {
            FaceChoice::ByHand(faces) => {
                self.report.faces.clone_from(faces);
                Chosen { faces: (0..faces.len()).collect(), by_person: true, seen: None }
            }
            FaceChoice::BySpec | FaceChoice::Edited(_) => self.detect(file, eyes)?,
        };
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if self.order.depth == Depth::Detect {
            let found = if self.report.faces.is_empty() { OutcomeKind::NoFace } else { OutcomeKind::Detected };
            return Err(Stop::Done(found));
        }
        Ok(chosen)
    }

    fn detect(&mut self, file: &PhotoFile, eyes: Option<Eyes<'_>>) -> Result<Chosen, Stop> {
        let eyes = eyes.ok_or(StageError::NoRuntime(NoRuntime::NotChosen))?;
        self.report.runtime = Some(eyes.runtime.clone());
        // A reader that cannot leave anything out decodes once, for looking and cropping; others decode what each needs.
        let want = match self.order.depth {
            Depth::Write if !file.decodes_in_part() => Want::Full,
            _ => Want::LongSide(eyes.detector.long_side()),
        };
        let detector = Some((eyes.detector, self.look.detect));
        let room = &mut |bytes| self.desk.make_room(bytes);
        let found = self.walk.find(file, want, detector, room, self.cancel)?;
        let Found { picture, want, detection } = found.ok_or(Stop::Cancelled)?;
        let detection = detection.unwrap_or_default();
        self.report.damage.clone_from(&picture.info.damage);
        self.report.looks = detection.looks;
        let edited = match self.order.faces {
            FaceChoice::Edited(edits) => edits.applied_to(&detection.faces),
            _ => EditedFaces { faces: detection.faces, ..EditedFaces::default() },
        };
        let by_person = edited.chosen.is_some();
        let faces = match edited.chosen {
            // Whoever was chosen counts, however small, so all are kept.
            Some(chosen) => {
                (self.report.faces, self.report.found_by) = (edited.faces, detection.found_by);
                chosen
            }
            None => {
                let counted = faces_that_count(&edited.faces, &self.order.recipe.crop);
                let found_by = counted.iter().filter_map(|&index| detection.found_by.get(index).copied());
                self.report.found_by = found_by.collect();
                self.report.faces = counted.iter().map(|&index| edited.faces[index]).collect();
                choose_faces(&self.report.faces, file.size(), &self.order.recipe.crop)
            }
        };
        Ok(Chosen { faces, by_person, seen: Some((picture, want)) })
    }

    /// Faces to crops, and what they are cut out of.
    fn plan(&mut self, file: &PhotoFile, Chosen { faces, by_person, seen }: Chosen) -> Result<Planned, Stop> {
        let (report, crop, size) = (&mut self.report, &self.order.recipe.crop, file.size());
        let plan_faces = if by_person { plan_in_order } else { plan_chosen };
        let work = || Ok::<_, StageError>(plan_faces(&report.faces, &faces, size, crop));
        let plan = self.walk.pass(Stage::Plan, work)?;
        report.concerns = review_crops(&report.faces, &plan, size, crop, by_person);
        self.refuse_damage()?;
        if plan.crops.is_empty() {
            return Err(Stop::Done(OutcomeKind::NoFace));
        }
        let want = Want::Frames(plan.crops.iter().map(PlannedCrop::wanted_part).collect());
        let (source, want) = match seen.filter(|(picture, _)| picture.serves(&want)) {
            // Whether it can stay here must not show in the crops: otherwise it is decoded the same way again.
            Some((picture, seen_with)) => (Some(picture), seen_with),
            None => (None, want),
        };
        Ok(Planned { crops: plan.crops, source, want })
    }

    fn refuse_damage(&self) -> Result<(), Stop> {
        let refused = self.report.damage.is_some() && !self.order.recipe.include_damaged;
        if refused { Err(Stop::Done(OutcomeKind::Damaged)) } else { Ok(()) }
    }

    /// Gives each crop its name, in the photo's turn.
    fn claim(&mut self, file: &PhotoFile, planned: Planned, sheets: Option<&Sheets<'_>>) -> Result<Named, Stop> {
        let Planned { crops, mut source, want } = planned;
        let several = crops.len() > 1;
        let facts: Vec<CropFacts> = (1..)
            .zip(&crops)
            .map(|(number, planned)| crop_facts(file, &self.report.faces, planned, (number, several)))
            .collect();
        let mut claims = Vec::new();
        loop {
            let mut claim = |names: &mut _| claims = claim_names(&self.order, self.look.path, &facts, sheets, names);
            match self.desk.claim(source.is_some(), &mut claim) {
                Turn::Claimed => break,
                Turn::Cancelled => return Err(Stop::Cancelled),
                Turn::LetGo => {
                    source = None;
                    self.desk.make_room(0);
                }
            }
        }
        Ok(Named { crops: crops.into_iter().zip(claims).collect(), source, want })
    }

    /// Renders and writes the crops that have a name, each with its sheet.
    fn write(&mut self, file: &PhotoFile, named: Named, sheets: Option<&Sheets<'_>>) -> Result<OutcomeKind, Stop> {
        let Named { crops, mut source, want } = named;
        let mut skipped = 0;
        let mut sheet_failure = None;
        for (planned, claimed) in crops {
            if self.cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            let Claimed { name, crop: claim, sheet } = claimed;
            let claim = claim.map_err(StageError::from)?;
            let (Claim::Write { path: target, .. } | Claim::Skip { path: target }) = claim.clone();
            let mut report =
                CropReport { planned, target: Some(target), written: None, sheet: None, notes: Vec::new() };
            match claim {
                Claim::Skip { .. } => skipped += 1,
                Claim::Write { .. } if self.order.depth == Depth::Plan => {
                    let taken = sheet.and_then(Result::err);
                    sheet_failure = sheet_failure.or(taken.map(StageError::from));
                }
                Claim::Write { path, replace } => {
                    let picture = self.source(file, source.take(), &want)?;
                    let render = self.order.recipe.crop.render_spec(self.order.recipe.finish);
                    let crop = self.walk.pass(Stage::Render, || render_crop(&picture, &planned, &render))?;
                    source = Some(picture);
                    self.write_crop(&crop, (&path, replace), &name, &mut report)?;
                    // A crop that had to take another name than the one claimed has its sheet named after it.
                    let sheet = sheet.filter(|_| report.written.as_deref() == Some(&*path));
                    if let Err(error) = self.write_sheet(&crop, sheets, sheet, &mut report) {
                        sheet_failure.get_or_insert(error);
                    }
                }
            }
            self.report.crops.push(report);
        }
        if let Some(failure) = sheet_failure {
            return Err(failure.into());
        }
        let all_skipped = skipped == self.report.crops.len();
        Ok(if all_skipped { OutcomeKind::Skipped } else { OutcomeKind::Cropped })
    }

    /// The picture to cut crops out of: the one at hand, or decoded now.
    fn source(&mut self, file: &PhotoFile, at_hand: Option<Picture>, want: &Want) -> Result<Picture, Stop> {
        let picture = match at_hand {
            Some(picture) => picture,
            None => self.walk.decode(file, want, &mut |bytes| self.desk.make_room(bytes))?,
        };
        self.report.damage = self.report.damage.take().or_else(|| picture.info.damage.clone());
        self.refuse_damage()?;
        Ok(picture)
    }

    fn write_crop(
        &mut self,
        crop: &Crop,
        (path, replace): (&Path, bool),
        name: &naming::OutputName,
        report: &mut CropReport,
    ) -> Result<(), StageError> {
        let (recipe, desk, source) = (self.order.recipe, &mut *self.desk, self.look.path);
        let mut faults = Vec::new();
        report.written = self.walk.pass(Stage::Encode, || {
            let encoded = encode_crop(crop, &recipe.encode, recipe.crop.fill)?;
            report.notes = encoded.notes;
            let is_jpeg = recipe.encode.format == OutputFormat::Jpeg;
            let rules = recipe.crop.rules.as_ref();
            faults = rules.map_or_else(Vec::new, |rules| check_file(rules, encoded.bytes.len(), is_jpeg));
            write_claimed(&encoded.bytes, path.to_owned(), replace, desk, |path, names| {
                names.claim_again(path, source, name, recipe.encode.format.extension())
            })
        })?;
        let index = self.report.crops.len();
        let faults = faults.into_iter().map(ConcernKind::File);
        self.report.concerns.extend(faults.map(|kind| Concern { crop: Some(index), kind }));
        Ok(())
    }

    fn write_sheet(
        &mut self,
        crop: &Crop,
        sheets: Option<&Sheets<'_>>,
        claim: Option<Result<Claim, outcome::EncodeError>>,
        report: &mut CropReport,
    ) -> Result<(), StageError> {
        let (Some(sheets), Some(written)) = (sheets, report.written.clone()) else { return Ok(()) };
        let (desk, source) = (&mut *self.desk, self.look.path);
        let work = || sheets.write(crop, (&written, claim), source, desk, &mut report.notes);
        report.sheet = self.walk.pass(Stage::Encode, work)?;
        Ok(())
    }
}
