//! Benchmarks runtimes side by side, step by step, so that the caller can do other work between steps.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use faces::{Detector, YunetDetector};
use geometry::Size;
use inference::{ModelBytes, Outputs};
use outcome::{BackendError, DetectError, Detection, FaceModelFault, RuntimeFault, RuntimeReport, RuntimeState};
use picture::{DecodeRequest, PhotoFile, Picture};
use pipeline::panic_message;
use recipe::{BackendKind, DetectSpec, Provider, Thoroughness};

use super::agreement::{FACE_SCORE, max_difference};
use super::child::MeasureSetup;
use super::measure::{elapsed_ms, state_of};
use super::open::{inference_span, precision};
use super::trial::{Quantised, measure_with_outputs};
use super::whole_photo::{fault_of, process_photo};
use super::{CompareRow, CompareSpec, ComparisonTable, LIBRARY_LIMIT, MODEL_INPUT, Sample, TRY_LIMIT};
use crate::platform;
use crate::platform::Folders;

/// The result of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The runtime of the row at this index was tested and opened, or has failed.
    Opened(usize),
    /// The photo at this index of [`CompareSpec::photos`] was decoded, or was added to [`ComparisonTable::problems`].
    Photo(usize),
    /// The runtime of the row at this index has run once on the photo.
    Measured(usize),
    Finished,
}

/// A running comparison.
///
/// Every runtime is first measured in a child process, for its cold start, memory and agreement with tract, then opened in
/// this process. Photos are processed one after the other. On each photo the runs are interleaved (A B C A B C), so
/// that throttling and other load affect all runtimes equally; the first rounds are warm-up and not measured. A run is the
/// whole work of the photo, followed by first pass, landmarks and mask alone, on the photo decoded before.
pub struct Comparison {
    spec: Arc<CompareSpec>,
    setup: MeasureSetup,
    model: Result<ModelBytes, BackendError>,
    precision: &'static str,
    table: ComparisonTable,
    /// The open sessions, by row; `None` if the runtime has failed.
    open: Vec<Option<YunetDetector>>,
    /// The outputs on the probe image, by row; empty once they have been judged.
    probed: Vec<Option<Outputs>>,
    next_photo: usize,
    picture: Option<(usize, Picture)>,
    /// The remaining runs on this photo: row and round.
    pending_runs: VecDeque<(usize, u32)>,
}

impl Comparison {
    /// A new comparison.
    pub fn new(spec: Arc<CompareSpec>, folders: Option<&Folders>) -> Self {
        let model = spec.model.as_deref();
        let setup = if spec.runtimes.iter().any(|kind| kind.library().is_some()) {
            MeasureSetup::new(model, &spec.options, folders)
        } else {
            MeasureSetup::without_library(model, &spec.options, folders)
        };
        let model = ModelBytes::read_or_bundled(model);
        Self {
            precision: model.as_ref().map_or("fp32", precision),
            table: ComparisonTable::default(),
            open: Vec::new(),
            probed: Vec::new(),
            next_photo: 0,
            picture: None,
            pending_runs: VecDeque::new(),
            spec,
            setup,
            model,
        }
    }

    /// The results so far.
    pub fn table(&self) -> &ComparisonTable {
        &self.table
    }

    /// Runs the next step: a child process of about a second, decoding a photo, or one run.
    pub fn step(&mut self) -> Step {
        if self.open.len() < self.spec.runtimes.len() {
            return self.open_next();
        }
        if let Some((row, round)) = self.pending_runs.pop_front() {
            self.measure_run(row, round);
            if self.pending_runs.front().is_none_or(|(_, next)| *next != round) && round == 0 {
                self.compare_outputs();
            }
            return Step::Measured(row);
        }
        self.picture = None;
        let photo = self.next_photo;
        if photo == self.spec.photos.len() || self.open.iter().all(Option::is_none) {
            self.table.total = self.table.done;
            return Step::Finished;
        }
        self.next_photo += 1;
        self.open_photo(photo);
        Step::Photo(photo)
    }

    fn open_next(&mut self) -> Step {
        let index = self.open.len();
        let kind = self.spec.runtimes[index];
        let limit = if kind == BackendKind::Ort(Provider::Cpu) { LIBRARY_LIMIT } else { TRY_LIMIT };
        let (report, outputs) = measure_with_outputs(&self.setup, kind, 0, limit);
        let mut row = row_of(report);
        let mut detector = None;
        if row.state == RuntimeState::Ready {
            match catch_unwind(AssertUnwindSafe(|| self.open_session(kind))) {
                Ok(Ok(opened)) => {
                    row.version = Some(opened.info().version.clone());
                    detector = Some(opened);
                }
                Ok(Err((state, fault))) => (row.state, row.fault) = (state, Some(fault)),
                Err(panic) => (row.state, row.fault) = (RuntimeState::Failed, Some(panicked(&*panic))),
            }
        }
        if detector.is_some() {
            self.table.total += self.spec.photos.len() * self.rounds() as usize;
        }
        self.table.rows.push(row);
        self.open.push(detector);
        self.probed.push(outputs);
        if self.open.len() == self.spec.runtimes.len() {
            self.judge();
        }
        Step::Opened(index)
    }

    /// Judges the outputs on the probe image as for Auto: against tract's, which is measured for this if it is not compared,
    /// else against those of the first runtime that works.
    fn judge(&mut self) {
        let (Ok(model), probed) = (&self.model, std::mem::take(&mut self.probed)) else { return };
        let tract = self.spec.runtimes.iter().position(|kind| *kind == BackendKind::Tract);
        let not_compared = match tract {
            Some(_) => None,
            None => measure_with_outputs(&self.setup, BackendKind::Tract, 0, TRY_LIMIT).1,
        };
        let compared = tract.and_then(|index| probed[index].as_ref());
        let reference = compared.or(not_compared.as_ref()).or_else(|| probed.iter().flatten().next());
        let Some(reference) = reference else { return };
        let quantised = Quantised::of(model, &self.spec.options);
        for (row, outputs) in self.table.rows.iter_mut().zip(&probed) {
            row.agrees = outputs.as_ref().map(|outputs| quantised.agree(row.kind, outputs, reference));
        }
    }

    fn open_session(&self, kind: BackendKind) -> Result<YunetDetector, (RuntimeState, RuntimeFault)> {
        let model = self.model.as_ref().map_err(|error| (RuntimeState::Failed, RuntimeFault::of(error)))?;
        let refused = |error: BackendError| (state_of(&error), RuntimeFault::of(&error));
        let options = self.setup.session_options(kind).map_err(|error| refused(error.into()))?;
        YunetDetector::open(kind, model, &options).map_err(|error| match error {
            DetectError::Backend(error) => refused(error),
            error => (RuntimeState::Failed, RuntimeFault::Other(error.to_string())),
        })
    }

    fn open_photo(&mut self, photo: usize) {
        let path = &self.spec.photos[photo];
        let _processing = platform::processing(path);
        let ready = || self.open.iter().enumerate().filter(|(_, open)| open.is_some()).map(|(row, _)| row);
        // Decode at the same size as for any other detection.
        let want = DecodeRequest::LongSide(MODEL_INPUT.long_side());
        match PhotoFile::read(path, &self.spec.limits).and_then(|file| file.decode(&want)) {
            Ok(picture) => {
                self.picture = Some((photo, picture));
                self.pending_runs = (0..self.rounds()).flat_map(|round| ready().map(move |row| (row, round))).collect();
            }
            Err(error) => {
                self.table.total -= ready().count() * self.rounds() as usize;
                self.table.problems.push((path.clone(), Arc::new(error)));
            }
        }
    }

    fn measure_run(&mut self, index: usize, round: u32) {
        let (Some((photo, picture)), Some(detector)) = (&self.picture, &mut self.open[index]) else { return };
        let _processing = platform::processing(&self.spec.photos[*photo]);
        let _inside = inference_span(detector.info().kind, self.precision).entered();
        let outcome = catch_unwind(AssertUnwindSafe(|| run_once(detector, picture, *photo, &self.spec)));
        let fault = match outcome {
            Ok(Ok(run)) => {
                count(&mut self.table.rows[index], run, round, self.spec.warmup);
                self.table.done += 1;
                return;
            }
            Ok(Err(fault)) => fault,
            Err(panic) => panicked(&*panic),
        };
        self.fail_runtime(index, fault);
    }

    /// Marks a runtime as failed: its results so far are kept, and it is not run again.
    fn fail_runtime(&mut self, index: usize, fault: RuntimeFault) {
        let row = &mut self.table.rows[index];
        tracing::warn!(runtime = row.kind.id(), reason = %fault, "a runtime failed during the comparison");
        (row.state, row.fault) = (RuntimeState::Failed, Some(fault));
        self.open[index] = None;
        let before = self.pending_runs.len();
        self.pending_runs.retain(|(row, _)| *row != index);
        let later = (self.spec.photos.len() - self.next_photo) * self.rounds() as usize;
        self.table.total -= before - self.pending_runs.len() + later + 1;
    }

    /// Compares the outputs of each runtime on the current photo with those of the reference: tract, else the first. All use
    /// the same input, whatever that of their first pass is.
    fn compare_outputs(&mut self) {
        let Some((_, picture)) = &self.picture else { return };
        let rows = self.table.rows.iter_mut().zip(&mut self.open);
        let mut working: Vec<_> = rows.filter_map(|(row, open)| Some((row, open.as_mut()?))).collect();
        let is_tract = |(row, _): &(&mut CompareRow, &mut YunetDetector)| row.kind == BackendKind::Tract;
        let reference = working.iter().position(is_tract).unwrap_or_default();
        let Some((_, detector)) = working.get_mut(reference) else { return };
        let reference = detector.main_outputs(picture).cloned().unwrap_or_default();
        for (row, detector) in working {
            let difference =
                detector.main_outputs(picture).ok().and_then(|outputs| max_difference(outputs, &reference));
            // Infinite: a value is not a number, or the layouts differ.
            let difference = difference.unwrap_or(f64::INFINITY);
            row.max_difference = Some(row.max_difference.unwrap_or_default().max(difference));
        }
    }

    fn rounds(&self) -> u32 {
        self.spec.warmup.saturating_add(self.spec.repeats.max(1))
    }
}

/// One run of a runtime on a photo.
struct Run {
    sample: Sample,
    /// Number of faces that the first pass finds with a minimum score of 0.6.
    faces: usize,
    /// Input of the first pass; `None` if the photo is too small for one.
    input: Option<Size>,
    /// Models that could not be used.
    faults: Vec<FaceModelFault>,
}

/// Does the whole work of the photo, from its file. Then detects the faces of `picture`, which was decoded from it, by one pass,
/// and measures the landmarks of all and the person mask of the largest: in this order, so that the pass is not the first work
/// after another runtime's.
fn run_once(
    detector: &mut dyn Detector,
    picture: &Picture,
    photo: usize,
    spec: &CompareSpec,
) -> Result<Run, RuntimeFault> {
    let (photo_ms, stages) = process_photo(detector, &spec.photos[photo], spec)?;
    let first_pass = DetectSpec { thoroughness: Thoroughness::Fast, ..spec.detect };
    let found = detector.detect(picture, &first_pass).map_err(|error| fault_of(&error))?;
    let Detection { mut faces, passes, preprocess_ms, inference_ms, postprocess_ms, .. } = found;
    // Before landmarks confirm doubtful ones.
    let found = faces.iter().filter(|face| face.score >= FACE_SCORE).count();
    let mut faults = Vec::new();
    let mut timed = |work: &mut dyn FnMut() -> Result<(), FaceModelFault>| {
        let start = Instant::now();
        let result = work();
        let took_ms = elapsed_ms(start);
        result.map_or_else(
            |fault| {
                faults.push(fault);
                None
            },
            |()| Some(took_ms),
        )
    };
    let landmarks_ms = timed(&mut || detector.measure_landmarks(picture, &mut faces));
    let largest = (0..faces.len()).max_by(|a, b| faces[*a].bbox.area().total_cmp(&faces[*b].bbox.area()));
    let mask_ms = timed(&mut || detector.measure_masks(picture, &mut faces, largest.as_slice(), false));
    Ok(Run {
        sample: Sample { photo, preprocess_ms, inference_ms, postprocess_ms, landmarks_ms, mask_ms, photo_ms, stages },
        faces: found,
        input: passes.first().map(|pass| pass.input),
        faults,
    })
}

/// A row with the measurements of the child process.
pub(super) fn row_of(report: RuntimeReport) -> CompareRow {
    CompareRow {
        model_faults: report.model_faults().collect(),
        kind: report.kind,
        state: report.state,
        fault: report.fault,
        version: report.version,
        cold_ms: report.load_ms,
        first_ms: report.first_ms,
        peak_memory_mb: report.peak_memory_mb,
        agrees: None,
        inputs: Vec::new(),
        samples: Vec::new(),
        faces: None,
        max_difference: None,
    }
}

/// Adds a run: its faces in the first round, its times after the warm-up, and new inputs and models that fail.
fn count(row: &mut CompareRow, run: Run, round: u32, warmup: u32) {
    if round == 0 {
        row.faces = Some(row.faces.unwrap_or_default() + run.faces);
    }
    let is_new = |input: &Size| !row.inputs.contains(input);
    if let Some(input) = run.input.filter(is_new) {
        row.inputs.push(input);
    }
    if round >= warmup {
        row.samples.push(run.sample);
    }
    for fault in run.faults {
        if !row.model_faults.iter().any(|known| known.model == fault.model) {
            tracing::warn!(runtime = row.kind.id(), model = fault.model.id(), reason = %fault.fault, "model not usable");
            row.model_faults.push(fault);
        }
    }
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> RuntimeFault {
    RuntimeFault::Panicked { message: panic_message(panic) }
}

#[cfg(test)]
mod tests {
    use geometry::{Face, Point, Rect, Size};
    use outcome::{SessionInfo, Stage};
    use recipe::ModelKind;

    use super::*;

    /// Finds a small and a large face; `broken` is the model that fails.
    struct Scripted {
        info: SessionInfo,
        broken: Option<ModelKind>,
        masked: Vec<usize>,
    }

    impl Scripted {
        fn result(&self, model: ModelKind) -> Result<(), FaceModelFault> {
            match self.broken {
                Some(broken) if broken == model => Err(FaceModelFault { model, fault: RuntimeFault::Unknown }),
                _ => Ok(()),
            }
        }
    }

    impl Detector for Scripted {
        fn info(&self) -> &SessionInfo {
            &self.info
        }

        fn long_side(&self) -> u32 {
            640
        }

        fn detect(&mut self, _: &Picture, _: &DetectSpec) -> Result<Detection, DetectError> {
            let face = |side| Face::new(Rect::new(0.0, 0.0, side, side), [Point::default(); 5], 0.9);
            let (preprocess_ms, inference_ms, postprocess_ms) = (1.0, 10.0, 2.0);
            let faces = vec![face(50.0), face(90.0)];
            Ok(Detection { faces, preprocess_ms, inference_ms, postprocess_ms, ..Detection::default() })
        }

        fn measure_landmarks(&mut self, _: &Picture, faces: &mut [Face]) -> Result<(), FaceModelFault> {
            assert_eq!(faces.len(), 2);
            self.result(ModelKind::Landmarks)
        }

        fn measure_masks(
            &mut self,
            _: &Picture,
            _: &mut [Face],
            which: &[usize],
            _: bool,
        ) -> Result<(), FaceModelFault> {
            self.masked = which.to_vec();
            self.result(ModelKind::Person)
        }
    }

    /// A comparison on the probe image.
    fn probe_spec() -> CompareSpec {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        CompareSpec {
            photos: vec![root.join("../../assets/probe.jpg")],
            runtimes: vec![BackendKind::Tract],
            warmup: 0,
            repeats: 1,
            options: recipe::RuntimeOptions::default(),
            model: None,
            detect: DetectSpec::default(),
            limits: recipe::DecodeLimits::default(),
            recipe: recipe::Recipe::default(),
        }
    }

    fn run(broken: Option<ModelKind>) -> Run {
        let info = SessionInfo {
            kind: BackendKind::Tract,
            version: String::new(),
            device: String::new(),
            input: Size::new(640, 640),
            outputs: Vec::new(),
        };
        let picture = picture::decode_bytes(super::super::PROBE_PICTURE, &recipe::DecodeLimits::default());
        let mut detector = Scripted { info, broken, masked: Vec::new() };
        let run = run_once(&mut detector, &picture.expect("decodes"), 0, &probe_spec()).expect("runs");
        assert_eq!(detector.masked, [1], "the mask of the largest face");
        run
    }

    #[test]
    fn a_run_has_the_first_pass_and_the_whole_work_of_the_photo() {
        let Run { sample, faces, faults, .. } = run(None);
        assert_eq!((faces, faults.len()), (2, 0));
        for stage in [Stage::Decode, Stage::Inference, Stage::Landmarks, Stage::Render, Stage::Encode] {
            assert!(sample.stages.get(stage) > Some(0.0), "{stage:?}: {sample:?}");
        }
        let measured =
            [Stage::Decode, Stage::Render, Stage::Encode].map(|stage| sample.stages.get(stage).unwrap_or_default());
        assert!(sample.photo_ms > measured.iter().sum(), "{sample:?}");
        let (landmarks_ms, mask_ms) = (sample.landmarks_ms.expect("measured"), sample.mask_ms.expect("measured"));
        assert_eq!((sample.detect_ms(), sample.total_ms()), (13.0, 13.0 + landmarks_ms + mask_ms));
    }

    #[test]
    fn a_model_that_fails_is_reported_once_and_the_others_are_timed() {
        let report = RuntimeReport::new(BackendKind::Tract, RuntimeState::Ready, None);
        let mut row = row_of(report);
        for round in 0..3 {
            count(&mut row, run(Some(ModelKind::Person)), round, 1);
        }
        assert_eq!((row.state, row.samples.len(), row.faces), (RuntimeState::Ready, 2, Some(2)));
        assert!(row.samples.iter().all(|sample| sample.landmarks_ms.is_some() && sample.mask_ms.is_none()));
        assert_eq!(row.model_faults, [FaceModelFault { model: ModelKind::Person, fault: RuntimeFault::Unknown }]);
        count(&mut row, run(Some(ModelKind::Landmarks)), 3, 1);
        assert_eq!(row.model_faults.len(), 2);
    }
}
