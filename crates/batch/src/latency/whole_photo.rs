//! The whole work of a photo, for its time: the pipeline of an export, whose files are not written.

use std::path::{Path, PathBuf};
use std::time::Instant;

use cancel::CancelToken;
use faces::Detector;
use naming::PhotoName;
use outcome::{DetectError, EncodeError, RuntimeFault, RuntimeInUse, Stage, StageError, StageTimes, Written};
use pipeline::{Admission, DetectorHandle, ExportContext, ExportOptions, NameBook, PhotoSource, export_item};
use recipe::{Depth, FaceChoice, OnConflict, OutputSpec, RuntimeChoice};

use super::CompareSpec;
use super::measure::elapsed_ms;

/// Crops the photo at `path` by the recipe of `spec`, without writing a file. Returns the milliseconds from its file to its
/// encoded crops, and those of each stage. A crop that cannot be made is not a fault of the runtime.
///
/// # Errors
/// The runtime failed.
pub(super) fn process_photo(
    detector: &mut dyn Detector,
    path: &Path,
    spec: &CompareSpec,
) -> Result<(f64, StageTimes), RuntimeFault> {
    let actual = detector.info().clone();
    let runtime = RuntimeInUse { requested: RuntimeChoice::Named(actual.kind), actual, why: None };
    let source = PhotoSource { path, limits: &spec.limits, detect: &spec.detect };
    let (faces, name) = (FaceChoice::BySpec, PhotoName::default());
    let options = ExportOptions { faces: &faces, depth: Depth::Write, recipe: &spec.recipe, name: &name };
    // Names are claimed, but nothing is created under them.
    let output = OutputSpec { folder: PathBuf::new(), on_conflict: OnConflict::Suffix };
    let mut context = Unwritten(NameBook::new(output, [] as [&Path; 0]));
    let handle = DetectorHandle { detector, runtime: &runtime };
    let start = Instant::now();
    let report = export_item(source, options, Some(handle), &mut context, &CancelToken::new());
    let photo_ms = elapsed_ms(start);
    let (stages, error) = report.map(|report| (report.stages, report.error)).unwrap_or_default();
    match error {
        Some(StageError::Detect(error)) => Err(fault_of(&error)),
        Some(StageError::Panicked { stage: Stage::Inference | Stage::Landmarks | Stage::Mask, message }) => {
            Err(RuntimeFault::Panicked { message })
        }
        _ => Ok((photo_ms, stages)),
    }
}

/// A failed detection as the fault of its runtime.
pub(super) fn fault_of(error: &DetectError) -> RuntimeFault {
    match error {
        DetectError::Backend(error) => RuntimeFault::of(error),
        error => RuntimeFault::Other(error.to_string()),
    }
}

/// The context of a photo whose files are encoded and then dropped.
struct Unwritten(NameBook);

impl ExportContext for Unwritten {
    fn reserve_memory(&mut self, _bytes: u64) {}

    fn claim(&mut self, _holds_picture: bool, work: &mut dyn FnMut(&mut NameBook)) -> Admission {
        work(&mut self.0);
        Admission::Claimed
    }

    fn names(&mut self, work: &mut dyn FnMut(&mut NameBook)) {
        work(&mut self.0);
    }

    fn write(&mut self, bytes: &[u8], path: &Path, _replace: bool) -> Result<Written, EncodeError> {
        Ok(Written { path: path.to_owned(), bytes: bytes.len() as u64 })
    }
}
