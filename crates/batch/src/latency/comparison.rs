//! Benchmarks runtimes side by side, step by step, so that the caller can do other work between steps.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use faces::{Detector, YunetDetector};
use inference::ModelBytes;
use outcome::{BackendError, DetectError, Detection, RuntimeFault, RuntimeReport, RuntimeState};
use picture::{DecodeRequest, PhotoFile, Picture};
use pipeline::panic_message;
use recipe::{BackendKind, DetectSpec, Provider, Thoroughness};

use super::agreement::{FACE_SCORE, max_difference};
use super::child::{MeasureOptions, MeasureSetup};
use super::measure::state_of;
use super::open::{inference_span, precision};
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
/// Every runtime is first measured in a child process, for its cold start and memory, then opened in this process. Photos
/// are processed one after the other, one in memory at a time. On each photo the runs are interleaved (A B C A B C), so
/// that throttling and other load affect all runtimes equally; the first rounds are warm-up and not measured.
pub struct Comparison {
    spec: Arc<CompareSpec>,
    setup: MeasureSetup,
    model: Result<ModelBytes, BackendError>,
    precision: &'static str,
    table: ComparisonTable,
    /// The open sessions, by row; `None` if the runtime has failed.
    open: Vec<Option<YunetDetector>>,
    next_photo: usize,
    picture: Option<(usize, Picture)>,
    /// The remaining runs on this photo: row and round.
    pending_runs: VecDeque<(usize, u32)>,
}

impl Comparison {
    /// A new comparison.
    pub fn new(spec: Arc<CompareSpec>, folders: Option<&Folders>) -> Self {
        let model = spec.model.as_deref();
        let setup = if spec.runtimes.iter().any(|kind| matches!(kind, BackendKind::Ort(_))) {
            MeasureSetup::new(model, &spec.options, folders)
        } else {
            MeasureSetup::without_library(model, &spec.options, folders)
        };
        let model = ModelBytes::read_or_bundled(model);
        Self {
            precision: model.as_ref().map_or("fp32", precision),
            table: ComparisonTable::default(),
            open: Vec::new(),
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
        let report = self.setup.measure(kind, MeasureOptions { warm_runs: Some(0), outputs: None, limit });
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
        Step::Opened(index)
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
        // A single pass each: a varying number of passes would make the times incomparable.
        let spec = DetectSpec { thoroughness: Thoroughness::Fast, ..self.spec.detect };
        let outcome = catch_unwind(AssertUnwindSafe(|| detector.detect(picture, &spec)));
        let fault = match outcome {
            Ok(Ok(detection)) => {
                count(&mut self.table.rows[index], *photo, &detection, round, self.spec.warmup);
                self.table.done += 1;
                return;
            }
            Ok(Err(DetectError::Backend(error))) => RuntimeFault::of(&error),
            Ok(Err(error)) => RuntimeFault::Other(error.to_string()),
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

    /// Compares the outputs of each runtime on the current photo with those of the reference: tract, else the first.
    fn compare_outputs(&mut self) {
        let working = || self.open.iter().enumerate().filter_map(|(row, open)| Some((row, open.as_ref()?)));
        let is_tract = |(_, open): &(usize, &YunetDetector)| open.info().kind == BackendKind::Tract;
        let Some((_, reference)) = working().find(is_tract).or_else(|| working().next()) else { return };
        for (index, detector) in working() {
            let difference = max_difference(detector.outputs(), reference.outputs());
            // Infinite: a value is not a number, or the layouts differ.
            let difference = difference.unwrap_or(f64::INFINITY);
            let row = &mut self.table.rows[index];
            row.max_difference = Some(row.max_difference.unwrap_or_default().max(difference));
        }
    }

    fn rounds(&self) -> u32 {
        self.spec.warmup.saturating_add(self.spec.repeats.max(1))
    }
}

/// A row with the measurements of the child process.
fn row_of(report: RuntimeReport) -> CompareRow {
    CompareRow {
        kind: report.kind,
        state: report.state,
        fault: report.fault,
        version: report.version,
        cold_ms: report.load_ms,
        first_ms: report.first_ms,
        peak_memory_mb: report.peak_memory_mb,
        samples: Vec::new(),
        faces: None,
        max_difference: None,
    }
}

/// Adds a run: its faces in the first round, its times after the warm-up.
fn count(row: &mut CompareRow, photo: usize, detection: &Detection, round: u32, warmup: u32) {
    if round == 0 {
        let faces = detection.faces.iter().filter(|face| face.score >= FACE_SCORE).count();
        row.faces = Some(row.faces.unwrap_or_default() + faces);
    }
    if round >= warmup {
        let Detection { preprocess_ms, inference_ms, postprocess_ms, .. } = *detection;
        row.samples.push(Sample { photo, preprocess_ms, inference_ms, postprocess_ms });
    }
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> RuntimeFault {
    RuntimeFault::Panicked { message: panic_message(panic) }
}
