//! The first step: detects the faces of a photo.

use std::path::Path;

use cancel::CancelToken;
use faces::Detector;
use geometry::Face;
use outcome::{DecodeError, Detection, StageError};
use picture::{DecodeRequest, PhotoFile, Picture, begin_decode};
use plan::choose_faces;
use recipe::{CropSpec, DetectSpec, Masks};

use crate::options::{DetectorHandle, Examined, PhotoSource, ReserveMemory};
use crate::runner::StageRunner;

/// A decoded image and the faces detected on it.
pub(crate) struct FoundFaces {
    /// The largest image decoded for detection. Its `damage` is the damage found in the file so far.
    pub(crate) picture: Picture,
    /// The request it was decoded for.
    pub(crate) request: DecodeRequest,
    /// `None` if there was no detector.
    pub(crate) detection: Option<Detection>,
}

impl StageRunner<'_> {
    /// Decodes `request` and runs the detector, if there is one. `None` once cancelled.
    pub(crate) fn find(
        &mut self,
        file: &PhotoFile,
        mut request: DecodeRequest,
        detector: Option<(&mut dyn Detector, &DetectSpec)>,
        reserve: ReserveMemory<'_>,
        cancel: &CancelToken,
    ) -> Result<Option<FoundFaces>, StageError> {
        let mut picture = self.decode(file, &request, reserve)?;
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let mut detection = None;
        if let Some((detector, spec)) = detector {
            let mut found = self.detect(&picture, spec, detector)?;
            if let Some(side) = found.next_long_side {
                let damage = picture.info.damage.take();
                // Drop the first image before reserving memory for the larger one: a photo never waits for memory while it
                // holds some.
                drop(picture);
                request = DecodeRequest::LongSide(side);
                picture = self.decode(file, &request, reserve)?;
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                picture.info.damage = damage.or(picture.info.damage.take());
                found = self.refine(&picture, spec, detector, found)?;
            }
            if let Some(side) = landmark_long_side(&picture, &found.faces) {
                let damage = picture.info.damage.take();
                drop(picture);
                request = DecodeRequest::LongSide(side);
                picture = self.decode(file, &request, reserve)?;
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                picture.info.damage = damage.or(picture.info.damage.take());
            }
            self.measure_with_masks(&picture, spec, &mut found, detector)?;
            detection = Some(found);
        }
        Ok((!cancel.is_cancelled()).then_some(FoundFaces { picture, request, detection }))
    }

    /// Measures the faces, and the person masks that `spec` requests.
    fn measure_with_masks(
        &mut self,
        picture: &Picture,
        spec: &DetectSpec,
        found: &mut Detection,
        detector: &mut dyn Detector,
    ) -> Result<(), StageError> {
        self.measure(picture, found, detector)?;
        if let Masks::Selected(select) = spec.masks {
            let all = CropSpec { select, ..CropSpec::default() };
            let which = choose_faces(&found.faces, picture.size(), &all);
            let Detection { faces, model_faults, .. } = found;
            self.measure_masks(picture, (faces, &which, true), detector, model_faults)?;
        }
        Ok(())
    }
}

/// Length of a face box in decoded pixels below which the photo is decoded again: the state of the eyes needs it.
const MIN_LANDMARK_SIDE: f32 = 75.0;
/// Length that the box gets then.
const LANDMARK_SIDE: f32 = 110.0;
/// Maximum longer side of an image decoded for landmarks.
const MAX_LANDMARK_SIDE: u32 = 4096;
/// Faces of at least this share of the largest one's length get enough pixels.
const SMALLER_FACES: f32 = 0.5;

/// Longer side in pixels at which `picture` must be decoded again for the landmarks of `faces`; `None` if it has enough
/// pixels, or all that the photo has.
fn landmark_long_side(picture: &Picture, faces: &[Face]) -> Option<u32> {
    let (whole, decoded) = (picture.size().long_side(), picture.pixels.size().long_side());
    let clear = faces.iter().filter(|face| face.score >= CropSpec::default().min_score);
    let sides: Vec<f32> = clear.map(|face| face.bbox.width.max(face.bbox.height)).collect();
    let largest = sides.iter().copied().fold(0.0, f32::max);
    let smallest = sides.into_iter().filter(|side| *side >= largest * SMALLER_FACES).fold(f32::INFINITY, f32::min);
    let has_enough = smallest * decoded as f32 >= MIN_LANDMARK_SIDE * whole as f32;
    if smallest.is_infinite() || has_enough || picture.place.reduction <= 1 {
        return None;
    }
    let needed = (whole as f32 * LANDMARK_SIDE / smallest).ceil().min(MAX_LANDMARK_SIDE as f32) as u32;
    Some(needed.min(whole)).filter(|needed| *needed > decoded)
}

/// Decodes a photo with at least `long_side` pixels along its longer side, and detects faces if there is a `detector`.
/// `None` once cancelled.
///
/// # Errors
/// Fails with the error of the stage that failed.
pub fn examine(
    source: PhotoSource<'_>,
    long_side: u32,
    detector: Option<DetectorHandle<'_>>,
    reserve: ReserveMemory<'_>,
    cancel: &CancelToken,
) -> Result<Option<Examined>, StageError> {
    let _scope = begin_decode(source.limits, cancel);
    let mut runner = StageRunner::new(source.path, detector.as_ref().map(|detector| detector.runtime));
    let long_side = detector.as_ref().map_or(long_side, |detector| long_side.max(detector.detector.long_side()));
    let detector = detector.map(|detector| (detector.detector, source.detect));
    let found = runner
        .open(source)
        .and_then(|file| runner.find(&file, DecodeRequest::LongSide(long_side), detector, reserve, cancel));
    match found {
        Ok(found) => Ok(found.map(|FoundFaces { picture, detection, .. }| Examined {
            picture,
            detection,
            stages: runner.stages,
        })),
        Err(StageError::Decode(DecodeError::Cancelled)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Detects the faces of an image that is in memory at full size, with the same passes and measures as [`examine`].
///
/// # Errors
/// Fails with the error of the stage that failed.
pub fn find_faces(picture: &Picture, spec: &DetectSpec, detector: DetectorHandle<'_>) -> Result<Detection, StageError> {
    let mut runner = StageRunner::new(Path::new("camera"), Some(detector.runtime));
    let detector = detector.detector;
    let mut found = runner.detect(picture, spec, detector)?;
    if found.next_long_side.is_some() {
        found = runner.refine(picture, spec, detector, found)?;
    }
    runner.measure_with_masks(picture, spec, &mut found, detector)?;
    Ok(found)
}
