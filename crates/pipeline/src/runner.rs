//! Runs the stages of one photo: each is timed, logged and has its panics caught.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use faces::{Detector, measure_faces};
use geometry::Face;
use outcome::{Detection, FaceModelFault, RuntimeInUse, Stage, StageError, StageTimes};
use picture::{DecodeRequest, PhotoFile, Picture};
use recipe::DetectSpec;

use crate::options::{PhotoSource, ReserveMemory};

/// The stage times of one photo so far, and the fields of its log entries.
pub(crate) struct StageRunner<'a> {
    path: &'a Path,
    runtime: &'static str,
    pub(crate) stages: StageTimes,
}

impl<'a> StageRunner<'a> {
    pub(crate) fn new(path: &'a Path, runtime: Option<&RuntimeInUse>) -> Self {
        let runtime = runtime.map_or("none", |runtime| runtime.actual.kind.id());
        Self { path, runtime, stages: StageTimes::default() }
    }

    pub(crate) fn open(&mut self, source: PhotoSource<'_>) -> Result<PhotoFile, StageError> {
        self.run_stage(Stage::Decode, || PhotoFile::read(source.path, source.limits))
    }

    pub(crate) fn decode(
        &mut self,
        file: &PhotoFile,
        request: &DecodeRequest,
        reserve: ReserveMemory<'_>,
    ) -> Result<Picture, StageError> {
        reserve(file.bytes_needed(request));
        self.run_stage(Stage::Decode, || file.decode(request))
    }

    /// Runs one stage.
    pub(crate) fn run_stage<T, E>(&mut self, stage: Stage, work: impl FnOnce() -> Result<T, E>) -> Result<T, StageError>
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

    /// Detects faces: the first detection passes.
    pub(crate) fn detect(
        &mut self,
        picture: &Picture,
        spec: &DetectSpec,
        detector: &mut dyn Detector,
    ) -> Result<Detection, StageError> {
        let before = self.stages;
        let detection = self.run_stage(Stage::Inference, || detector.detect(picture, spec))?;
        self.stages = before;
        if detection.next_long_side.is_none() {
            self.take_times(&detection);
        }
        Ok(detection)
    }

    /// Refines a detection on a larger image.
    pub(crate) fn refine(
        &mut self,
        larger: &Picture,
        spec: &DetectSpec,
        detector: &mut dyn Detector,
        first: Detection,
    ) -> Result<Detection, StageError> {
        let before = self.stages;
        let detection = self.run_stage(Stage::Inference, || detector.refine(larger, spec, first))?;
        self.stages = before;
        self.take_times(&detection);
        Ok(detection)
    }

    /// The detector reports the times of its three stages, which replace the total measured here.
    fn take_times(&mut self, detection: &Detection) {
        self.stages.add(Stage::Preprocess, detection.preprocess_ms);
        self.stages.add(Stage::Inference, detection.inference_ms);
        self.stages.add(Stage::Postprocess, detection.postprocess_ms);
    }

    /// Measures the faces on the largest image decoded for detection. A landmark model that cannot be used is noted in
    /// the detection.
    pub(crate) fn measure(
        &mut self,
        picture: &Picture,
        detection: &mut Detection,
        detector: &mut dyn Detector,
    ) -> Result<(), StageError> {
        if !detection.faces.is_empty() {
            let faces = &mut detection.faces;
            let measured =
                self.run_stage(Stage::Landmarks, || Ok::<_, StageError>(detector.measure_landmarks(picture, faces)))?;
            detection.model_faults.extend(measured.err());
        }
        self.run_stage(Stage::Postprocess, || {
            measure_faces(picture, &mut detection.faces);
            Ok::<_, StageError>(())
        })
    }

    /// Measures the person mask of the faces at `which`. A model that cannot be used is noted in `faults`.
    pub(crate) fn measure_masks(
        &mut self,
        picture: &Picture,
        (faces, which, with_background): (&mut [Face], &[usize], bool),
        detector: &mut dyn Detector,
        faults: &mut Vec<FaceModelFault>,
    ) -> Result<(), StageError> {
        if which.is_empty() {
            return Ok(());
        }
        let measured = self.run_stage(Stage::Mask, || {
            Ok::<_, StageError>(detector.measure_masks(picture, faces, which, with_background))
        })?;
        faults.extend(measured.err());
        Ok(())
    }
}

pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
