//! The first step: a photo's file to its faces, and the picture they were found on.

use cancel::CancelToken;
use faces::Detector;
use outcome::{DecodeError, Detection, StageError};
use picture::{DecodeRequest, PhotoFile, Picture, begin_reading};
use recipe::DetectSpec;

use crate::options::{DetectorHandle, Examined, PhotoSource, ReserveMemory};
use crate::runner::StageRunner;

/// A picture and the faces on it.
pub(crate) struct FoundFaces {
    /// The picture with the most pixels that was decoded for looking. Its damage is what was seen of the file so far.
    pub(crate) picture: Picture,
    /// What it was decoded for.
    pub(crate) request: DecodeRequest,
    /// The faces; `None` if there was no detector.
    pub(crate) detection: Option<Detection>,
}

impl StageRunner<'_> {
    /// Decodes what `want` says and looks for faces, if there is a detector. `None` once cancelled.
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
            let mut found = self.source(&picture, spec, detector)?;
            if let Some(side) = found.next_long_side {
                let damage = picture.info.damage.take();
                // The first picture goes before the larger one comes: a photo never waits for memory while it holds some.
                drop(picture);
                request = DecodeRequest::LongSide(side);
                picture = self.decode(file, &request, reserve)?;
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                picture.info.damage = damage.or(picture.info.damage.take());
                found = self.refine(&picture, spec, detector, found)?;
            }
            self.measure(&picture, &mut found)?;
            detection = Some(found);
        }
        Ok((!cancel.is_cancelled()).then_some(FoundFaces { picture, request, detection }))
    }
}

/// Decodes a photo with at least `long_side` pixels along its longer side, and looks for faces if there are `eyes` to
/// look with. `None` once cancelled.
///
/// # Errors
/// The stage that failed.
pub fn examine(
    source: PhotoSource<'_>,
    long_side: u32,
    detector: Option<DetectorHandle<'_>>,
    reserve: ReserveMemory<'_>,
    cancel: &CancelToken,
) -> Result<Option<Examined>, StageError> {
    let _reading = begin_reading(source.limits, cancel);
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
