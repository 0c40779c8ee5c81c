//! Exports one photo of a batch in four steps: find, plan, claim, write.

mod paired;
mod write;

use cancel::CancelToken;
use faces::Detector;
use naming::CropFacts;
use outcome::{DecodeError, FaceModelFault, ItemNote, ItemReport, NoRuntime, OutcomeKind, Stage, StageError};
use picture::{DecodeRequest, PhotoFile, Picture, begin_decode};
use plan::{Warning, WarningKind, choose_faces, eligible_faces};
use recipe::{Depth, EditedFaces, FaceChoice};

use crate::background::crop_request;
use crate::claims::{Claimed, claim_names};
use crate::context::{Admission, ExportContext};
use crate::crop_facts::crop_facts;
use crate::find::FoundFaces;
use crate::options::{DetectorHandle, ExportOptions, PhotoSource};
use crate::outputs::{Output, OutputCrop, plan_outputs};
use crate::runner::StageRunner;

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
    let report = ItemReport::new(source.path.to_owned());
    let mut export = Export { source, options, detector, context, cancel, runner, report, failure: None };
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
    crops: Vec<OutputCrop>,
    /// The image to crop from, if it is decoded already.
    source: Option<Picture>,
    /// The request to decode it with otherwise.
    request: DecodeRequest,
}

/// The result of the step `claim`: the plan with a name for each crop.
struct Named {
    crops: Vec<(OutputCrop, Claimed)>,
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
    /// The first failure that leaves the photo's other crops.
    failure: Option<StageError>,
}

impl Export<'_> {
    fn run(&mut self) -> Result<OutcomeKind, Stop> {
        let mut outputs = match self.options.depth {
            Depth::Detect => Vec::new(),
            Depth::Plan | Depth::Write => Output::all(self.options.recipe).map_err(StageError::from)?,
        };
        let file = self.runner.open(self.source)?;
        self.report.size = Some(file.size());
        self.report.note = file.info().note.map(ItemNote::Picture);
        let chosen = self.find(&file)?;
        let mut planned = self.plan(&file, chosen, &outputs)?;
        let paired = self.plan_paired(&file, &mut planned.crops, &mut outputs);
        let named = self.claim(&file, planned, &outputs)?;
        self.write(&file, named, &outputs, &paired)
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
        let Some(detector) = self.detector.as_mut().filter(|_| self.options.recipe.needs_mask()) else {
            return Ok(());
        };
        let has_backdrop = self.options.recipe.measures_background();
        let with_background = has_backdrop || self.options.depth == Depth::Detect;
        let ItemReport { faces: all, model_faults, .. } = &mut self.report;
        self.runner.measure_masks(picture, (all, faces, with_background), &mut *detector.detector, model_faults)?;
        Ok(())
    }

    /// Plans the crops and the image they are cut from.
    fn plan(&mut self, file: &PhotoFile, chosen: Chosen, outputs: &[Output]) -> Result<Planned, Stop> {
        let Chosen { faces, by_user, found_on } = chosen;
        let (report, size) = (&mut self.report, file.size());
        let work = || Ok::<_, StageError>(plan_outputs(outputs, &report.faces, (&faces, by_user), size));
        let (crops, warnings) = self.runner.run_stage(Stage::Plan, work)?;
        report.warnings = warnings;
        let no_model = |fault: &FaceModelFault| WarningKind::NoModel { model: fault.model };
        report.warnings.extend(report.model_faults.iter().map(|fault| Warning { crop: None, kind: no_model(fault) }));
        self.refuse_damage()?;
        if crops.is_empty() {
            return Err(Stop::Done(OutcomeKind::NoFace));
        }
        let is_replaced = |crop: &OutputCrop| outputs[crop.output].spec.finish.background.is_replaced();
        let request = crop_request(crops.iter().map(|crop| (crop.planned, is_replaced(crop))));
        let (source, request) = match found_on.filter(|(picture, _)| picture.satisfies(&request)) {
            // Releasing the image must not change the crops: if it is released, the same request is decoded again.
            Some((picture, request)) => (Some(picture), request),
            None => (None, request),
        };
        Ok(Planned { crops, source, request })
    }

    fn refuse_damage(&self) -> Result<(), Stop> {
        let refused = self.report.damage.is_some() && !self.options.recipe.include_damaged;
        if refused { Err(Stop::Done(OutcomeKind::Damaged)) } else { Ok(()) }
    }

    /// Claims a name for each crop, in list order.
    fn claim(&mut self, file: &PhotoFile, planned: Planned, outputs: &[Output]) -> Result<Named, Stop> {
        let Planned { crops, mut source, request } = planned;
        let faces = &self.report.faces;
        let of_output = |(index, output)| {
            let crops: Vec<&OutputCrop> = crops.iter().filter(|crop| crop.output == index).collect();
            let several = crops.len() > 1;
            let facts = move |(number, crop): (usize, &OutputCrop)| {
                (output, crop_facts(file, faces, &crop.planned, (number, several)))
            };
            (1..).zip(crops).map(facts)
        };
        let facts: Vec<(&Output, CropFacts)> = outputs.iter().enumerate().flat_map(of_output).collect();
        let mut claims = Vec::new();
        loop {
            let facts = facts.iter().copied();
            let mut claim = |names: &mut _| {
                claims = claim_names(self.source.path, self.options.name, facts.clone(), names);
            };
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
}
