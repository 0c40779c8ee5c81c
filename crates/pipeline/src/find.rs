//! The first step: a photo's file to its faces, and the picture they were found on.

use cancel::CancelToken;
use faces::Detector;
use outcome::{DecodeError, Detection, StageError};
use picture::{PhotoFile, Picture, Want, begin_reading};
use recipe::DetectSpec;

use crate::order::{Examined, Eyes, Look, MakeRoom};
use crate::walk::Walk;

/// A picture and the faces on it.
pub(crate) struct Found {
    /// The picture with the most pixels that was decoded for looking. Its damage is what was seen of the file so far.
    pub(crate) picture: Picture,
    /// What it was decoded for.
    pub(crate) want: Want,
    /// The faces; `None` if there was no detector.
    pub(crate) detection: Option<Detection>,
}

impl Walk<'_> {
    /// Decodes what `want` says and looks for faces, if there is a detector. `None` once cancelled.
    pub(crate) fn find(
        &mut self,
        file: &PhotoFile,
        mut want: Want,
        detector: Option<(&mut dyn Detector, &DetectSpec)>,
        room: MakeRoom<'_>,
        cancel: &CancelToken,
    ) -> Result<Option<Found>, StageError> {
        let mut picture = self.decode(file, &want, room)?;
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let mut detection = None;
        if let Some((detector, spec)) = detector {
            let mut found = self.look(&picture, spec, detector)?;
            if let Some(side) = found.closer {
                let damage = picture.info.damage.take();
                // The first picture goes before the larger one comes: a photo never waits for memory while it holds some.
                drop(picture);
                want = Want::LongSide(side);
                picture = self.decode(file, &want, room)?;
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                picture.info.damage = damage.or(picture.info.damage.take());
                found = self.look_closer(&picture, spec, detector, found)?;
            }
            self.measure(&picture, &mut found)?;
            detection = Some(found);
        }
        Ok((!cancel.is_cancelled()).then_some(Found { picture, want, detection }))
    }
}

/// Decodes a photo with at least `long_side` pixels along its longer side, and looks for faces if there are `eyes` to
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
    let _reading = begin_reading(look.limits, cancel);
    let mut walk = Walk::new(look.path, eyes.as_ref().map(|eyes| eyes.runtime));
    let long_side = eyes.as_ref().map_or(long_side, |eyes| long_side.max(eyes.detector.long_side()));
    let detector = eyes.map(|eyes| (eyes.detector, look.detect));
    let found = walk.open(look).and_then(|file| walk.find(&file, Want::LongSide(long_side), detector, room, cancel));
    match found {
        Ok(found) => {
            Ok(found.map(|Found { picture, detection, .. }| Examined { picture, detection, stages: walk.stages }))
        }
        Err(StageError::Decode(DecodeError::Cancelled)) => Ok(None),
        Err(error) => Err(error),
    }
}
