//! Exports one photo of a batch in four steps: find, plan, claim, write.

use std::path::Path;

use cancel::CancelToken;
use faces::Detector;
use naming::CropFacts;
use outcome::{
    CropReport, DecodeError, FaceModelFault, ItemNote, ItemReport, NoRuntime, OutcomeKind, PersonMask, Stage,
    StageError,
};
use picture::{Crop, DecodeRequest, PhotoFile, Picture, begin_decode, encode_crop};
use plan::{
    PlannedCrop, Warning, WarningKind, check_file, choose_faces, eligible_faces, plan_chosen, plan_in_order,
    review_crops,
};
use recipe::{Depth, EditedFaces, FaceChoice, OutputFormat};
use render::render_crop;

use crate::background::crop_request;
use crate::claimed_file::write_claimed;
use crate::claims::{Claimed, claim_names};
use crate::context::{Admission, ExportContext};
use crate::crop_facts::crop_facts;
use crate::find::FoundFaces;
use crate::name_book::Claim;
use crate::options::{DetectorHandle, ExportOptions, PhotoSource};
use crate::runner::StageRunner;
use crate::sheet::Sheets;

/// Runs the pipeline for one photo up to the depth in `options`. `None` once cancelled; crops already written are kept.
///
/// Names are claimed from [`Depth::Plan`] on. Failures are part of the report: one photo never stops a batch.
pub fn export_item<'a>(
    source: PhotoSource<'a>,
    options: ExportOptions<'a>,
    detector: Option<DetectorHandle<'a>>,
    context: &'a mut dyn ExportContext,
    cancel: &'a CancelToken,
) -> Option<ItemReport> {
    let _scope = begin_decode(source.limits, cancel);
    let runner = StageRunner::new(source.path, detector.as_ref().map(|detector| detector.runtime));
    let mut export =
        Export { source, options, detector, context, cancel, runner, report: ItemReport::new(source.path.to_owned()) };
    let end = export.run();
    let Export { runner, mut report, .. } = export;
    match end {
        Ok(outcome) | Err(Stop::Done(outcome)) => report.outcome = outcome,
        Err(Stop::Cancelled | Stop::Failed(StageError::Decode(DecodeError::Cancelled))) => return None,
        Err(Stop::Failed(error)) => {
            tracing::info!(path = %source.path.display(), %error, "failed");
            report.error = Some(error);
        }
    }
    report.stages = runner.stages;
    Some(report)
}

/// Why processing ended before the last step.
enum Stop {
    /// Not an error: the photo is finished with this outcome.
    Done(OutcomeKind),
    Cancelled,
    Failed(StageError),
}

impl From<StageError> for Stop {
    fn from(error: StageError) -> Self {
        Self::Failed(error)
    }
}

/// The result of the step `find`; the faces themselves are in the report.
struct Chosen {
    /// Indices of the faces to crop.
    faces: Vec<usize>,
    /// True if the user has chosen the faces, and so their order.
    by_user: bool,
    /// The image they were found on, and the request it was decoded for.
    found_on: Option<(Picture, DecodeRequest)>,
}

/// The result of the step `plan`.
struct Planned {
    crops: Vec<PlannedCrop>,
    /// The image to crop from, if it is decoded already.
    source: Option<Picture>,
    /// The request to decode it with otherwise.
    request: DecodeRequest,
}

/// The result of the step `claim`: the plan with a name for each crop.
struct Named {
    crops: Vec<(PlannedCrop, Claimed)>,
    source: Option<Picture>,
    request: DecodeRequest,
}

struct Export<'a> {
    source: PhotoSource<'a>,
    options: ExportOptions<'a>,
    detector: Option<DetectorHandle<'a>>,
    context: &'a mut dyn ExportContext,
    cancel: &'a CancelToken,
    runner: StageRunner<'a>,
    report: ItemReport,
}

impl Export<'_> {
    fn run(&mut self) -> Result<OutcomeKind, Stop> {
        let sheets = Sheets::of(&self.options).map_err(StageError::from)?;
        let file = self.runner.open(self.source)?;
        self.report.size = Some(file.size());
        self.report.note = file.info().note.map(ItemNote::Picture);
        let chosen = self.find(&file)?;
        let planned = self.plan(&file, chosen)?;
        let named = self.claim(&file, planned, sheets.as_ref())?;
        self.write(&file, named, sheets.as_ref())
    }

    /// Determines the faces to crop: those chosen by the user, or those detected and chosen by the recipe.
    fn find(&mut self, file: &PhotoFile) -> Result<Chosen, Stop> {
        if self.options.faces.chooses_none() {
            return Err(Stop::Done(OutcomeKind::Excluded));
        }
        let chosen = match self.options.faces {
            FaceChoice::Manual(faces) => {
                self.report.faces.clone_from(faces);
                Chosen { faces: (0..faces.len()).collect(), by_user: true, found_on: None }
            }
            FaceChoice::BySpec | FaceChoice::Edited(_) => self.detect(file)?,
        };
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if self.options.depth == Depth::Detect {
            let found = if self.report.faces.is_empty() { OutcomeKind::NoFace } else { OutcomeKind::Detected };
            return Err(Stop::Done(found));
        }
        Ok(chosen)
    }

    fn detect(&mut self, file: &PhotoFile) -> Result<Chosen, Stop> {
        let detector = self.detector.as_mut().ok_or(StageError::NoRuntime(NoRuntime::NotChosen))?;
        self.report.runtime = Some(detector.runtime.clone());
        // A format that cannot be decoded in part is decoded once for detection and cropping; others are decoded per request.
        let request = match self.options.depth {
            Depth::Write if !file.decodes_in_part() => DecodeRequest::Full,
            _ => DecodeRequest::LongSide(detector.detector.long_side()),
        };
        let detector: &mut dyn Detector = &mut *detector.detector;
        let detector = Some((detector, self.source.detect));
        let reserve = &mut |bytes| self.context.reserve_memory(bytes);
        let found = self.runner.find(file, request, detector, reserve, self.cancel)?;
        let FoundFaces { picture, request, detection } = found.ok_or(Stop::Cancelled)?;
        let detection = detection.unwrap_or_default();
        self.report.damage.clone_from(&picture.info.damage);
        self.report.passes = detection.passes;
        self.report.model_faults = detection.model_faults;
        let edited = match self.options.faces {
            FaceChoice::Edited(edits) => edits.applied_to(&detection.faces),
            _ => EditedFaces { faces: detection.faces, ..EditedFaces::default() },
        };
        let by_user = edited.chosen.is_some();
        let faces = match edited.chosen {
            // Faces chosen by the user are exempt from the minimum size, so all are kept.
            Some(chosen) => {
                (self.report.faces, self.report.found_by) = (edited.faces, detection.found_by);
                chosen
            }
            None => {
                let counted = eligible_faces(&edited.faces, &self.options.recipe.crop);
                let found_by = counted.iter().filter_map(|&index| detection.found_by.get(index).copied());
                self.report.found_by = found_by.collect();
                self.report.faces = counted.iter().map(|&index| edited.faces[index]).collect();
                choose_faces(&self.report.faces, file.size(), &self.options.recipe.crop)
            }
        };
        self.measure_masks(&picture, &faces)?;
        Ok(Chosen { faces, by_user, found_on: Some((picture, request)) })
    }

    /// Measures the person masks of the faces to crop, if the recipe needs them.
    fn measure_masks(&mut self, picture: &Picture, faces: &[usize]) -> Result<(), Stop> {
        let Some(detector) = self.detector.as_mut().filter(|_| self.options.recipe.crop.needs_mask()) else {
            return Ok(());
        };
        let rules = self.options.recipe.crop.rules.as_ref();
        let has_backdrop = rules.is_some_and(|rules| rules.backdrop.is_some());
        let with_background = has_backdrop || self.options.depth == Depth::Detect;
        let ItemReport { faces: all, model_faults, .. } = &mut self.report;
        self.runner.measure_masks(picture, (all, faces, with_background), &mut *detector.detector, model_faults)?;
        Ok(())
    }

    /// Plans the crops and the image they are cut from.
    fn plan(&mut self, file: &PhotoFile, Chosen { faces, by_user, found_on }: Chosen) -> Result<Planned, Stop> {
        let (report, crop, size) = (&mut self.report, &self.options.recipe.crop, file.size());
        let plan_faces = if by_user { plan_in_order } else { plan_chosen };
        let work = || Ok::<_, StageError>(plan_faces(&report.faces, &faces, size, crop));
        let plan = self.runner.run_stage(Stage::Plan, work)?;
        report.warnings = review_crops(&report.faces, &plan, size, crop, by_user);
        let no_model = |fault: &FaceModelFault| WarningKind::NoModel { model: fault.model };
        report.warnings.extend(report.model_faults.iter().map(|fault| Warning { crop: None, kind: no_model(fault) }));
        self.refuse_damage()?;
        if plan.crops.is_empty() {
            return Err(Stop::Done(OutcomeKind::NoFace));
        }
        let request = crop_request(&plan.crops, self.options.recipe.finish.background.is_replaced());
        let (source, request) = match found_on.filter(|(picture, _)| picture.satisfies(&request)) {
            // Releasing the image must not change the crops: if it is released, the same request is decoded again.
            Some((picture, request)) => (Some(picture), request),
            None => (None, request),
        };
        Ok(Planned { crops: plan.crops, source, request })
    }

    fn refuse_damage(&self) -> Result<(), Stop> {
        let refused = self.report.damage.is_some() && !self.options.recipe.include_damaged;
        if refused { Err(Stop::Done(OutcomeKind::Damaged)) } else { Ok(()) }
    }

    /// Claims a name for each crop, in list order.
    fn claim(&mut self, file: &PhotoFile, planned: Planned, sheets: Option<&Sheets<'_>>) -> Result<Named, Stop> {
        let Planned { crops, mut source, request } = planned;
        let several = crops.len() > 1;
        let facts: Vec<CropFacts> = (1..)
            .zip(&crops)
            .map(|(number, planned)| crop_facts(file, &self.report.faces, planned, (number, several)))
            .collect();
        let mut claims = Vec::new();
        loop {
            let mut claim =
                |names: &mut _| claims = claim_names(&self.options, self.source.path, &facts, sheets, names);
            match self.context.claim(source.is_some(), &mut claim) {
                Admission::Claimed => break,
                Admission::Cancelled => return Err(Stop::Cancelled),
                Admission::Release => {
                    source = None;
                    self.context.reserve_memory(0);
                }
            }
        }
        Ok(Named { crops: crops.into_iter().zip(claims).collect(), source, request })
    }

    /// Renders and writes the named crops, each with its sheet.
    fn write(&mut self, file: &PhotoFile, named: Named, sheets: Option<&Sheets<'_>>) -> Result<OutcomeKind, Stop> {
        let Named { crops, mut source, request } = named;
        let mut skipped = 0;
        let mut sheet_failure = None;
        let mut face_failure = None;
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
                Claim::Write { .. } if self.options.depth == Depth::Plan => {
                    let taken = sheet.and_then(Result::err);
                    sheet_failure = sheet_failure.or(taken.map(StageError::from));
                }
                Claim::Write { path, replace } => {
                    let picture = self.source_picture(file, source.take(), &request)?;
                    let render = self.options.recipe.crop.render_spec(self.options.recipe.finish);
                    let mask = match self.mask(&picture, &planned) {
                        // The other faces may have one.
                        Err(error @ StageError::Background(_)) => {
                            face_failure.get_or_insert(error);
                            source = Some(picture);
                            self.report.crops.push(report);
                            continue;
                        }
                        mask => mask?,
                    };
                    let work = || render_crop(&picture, &planned, &render, mask.as_ref());
                    let crop = self.runner.run_stage(Stage::Render, work)?;
                    source = Some(picture);
                    self.write_crop(&crop, (&path, replace), &name, &mut report)?;
                    // A crop written under another name than the one claimed gets a sheet named after it.
                    let sheet = sheet.filter(|_| report.written.as_deref() == Some(&*path));
                    if let Err(error) = self.write_sheet(&crop, sheets, sheet, &mut report) {
                        sheet_failure.get_or_insert(error);
                    }
                }
            }
            self.report.crops.push(report);
        }
        if let Some(failure) = face_failure.or(sheet_failure) {
            return Err(failure.into());
        }
        let all_skipped = skipped == self.report.crops.len();
        Ok(if all_skipped { OutcomeKind::Skipped } else { OutcomeKind::Cropped })
    }

    /// The person mask of a crop whose background is replaced.
    fn mask(&mut self, picture: &Picture, planned: &PlannedCrop) -> Result<Option<PersonMask>, StageError> {
        if !self.options.recipe.finish.background.is_replaced() {
            return Ok(None);
        }
        let detector = self.detector.as_mut().map(|handle| &mut *handle.detector as &mut dyn Detector);
        self.runner.crop_mask(picture, planned, detector).map(Some)
    }

    /// The image to crop from: the one decoded already, or decoded now.
    fn source_picture(
        &mut self,
        file: &PhotoFile,
        decoded: Option<Picture>,
        request: &DecodeRequest,
    ) -> Result<Picture, Stop> {
        let picture = match decoded {
            Some(picture) => picture,
            None => self.runner.decode(file, request, &mut |bytes| self.context.reserve_memory(bytes))?,
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
        let (recipe, context, source) = (self.options.recipe, &mut *self.context, self.source.path);
        let mut faults = Vec::new();
        report.written = self.runner.run_stage(Stage::Encode, || {
            let encoded = encode_crop(crop, &recipe.encode, recipe.crop.fill)?;
            report.notes = encoded.notes;
            let is_jpeg = recipe.encode.format == OutputFormat::Jpeg;
            let rules = recipe.crop.rules.as_ref();
            faults = rules.map_or_else(Vec::new, |rules| check_file(rules, encoded.bytes.len(), is_jpeg));
            write_claimed(&encoded.bytes, path.to_owned(), replace, context, |path, names| {
                names.claim_again(path, source, name, recipe.encode.format.extension())
            })
        })?;
        let index = self.report.crops.len();
        let faults = faults.into_iter().map(WarningKind::File);
        self.report.warnings.extend(faults.map(|kind| Warning { crop: Some(index), kind }));
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
        let (context, source) = (&mut *self.context, self.source.path);
        let work = || sheets.write(crop, (&written, claim), source, context, &mut report.notes);
        report.sheet = self.runner.run_stage(Stage::Encode, work)?;
        Ok(())
    }
}
