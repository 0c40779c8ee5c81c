//! YuNet on any session.

use std::time::Instant;

use super::heads::{check_layout, decode_heads};
use super::{DetectError, DetectSpec, Detection, Detector, Fit, Packed, fit_and_pack, suppress_overlaps};
use crate::backend::{Outputs, Session, SessionInfo};
use crate::decode::Picture;
use crate::geometry::Face;

/// A picture with a shorter side than this many pixels is not looked at: the network answers noise on it.
const MIN_SIDE: u32 = 32;

/// A face detector: YuNet in a session, with the buffers of its runs.
pub struct YunetDetector {
    session: Box<dyn Session>,
    packed: Packed,
    outputs: Outputs,
}

impl YunetDetector {
    /// Takes a session whose model, called `model` in messages, must be laid out as YuNet is.
    ///
    /// # Errors
    /// The model has other outputs.
    pub fn new(session: Box<dyn Session>, model: &str) -> Result<Self, DetectError> {
        let input = session.info().input;
        check_layout(&session.info().outputs, input)
            .map_err(|reason| DetectError::NotYunet { model: model.to_owned(), reason })?;
        Ok(Self { session, packed: Packed::new(input), outputs: Outputs::new() })
    }

    /// What the engine said in the last look; empty before the first.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }
}

impl Detector for YunetDetector {
    fn info(&self) -> &SessionInfo {
        self.session.info()
    }

    fn long_side(&self) -> u32 {
        self.session.info().input.long_side()
    }

    fn detect(&mut self, picture: &Picture, spec: &DetectSpec) -> Result<Detection, DetectError> {
        let input = self.session.info().input;
        let Some(fit) = Fit::new(picture.size(), input).filter(|_| picture.size().short_side() >= MIN_SIDE) else {
            return Ok(Detection::default());
        };
        let mut clock = Clock(Instant::now());
        fit_and_pack(picture, &fit, &mut self.packed)?;
        let fit_ms = clock.lap_ms();
        self.session.run(self.packed.view(), &mut self.outputs)?;
        let run_ms = clock.lap_ms();
        let in_model = suppress_overlaps(decode_heads(&self.outputs, input, spec.score_floor)?, spec.max_overlap);
        let faces = in_model.into_iter().map(|face| to_picture(&face, &fit)).collect();
        Ok(Detection { faces, fit_ms, run_ms, heads_ms: clock.lap_ms(), ..Detection::default() })
    }
}

fn to_picture(face: &Face, fit: &Fit) -> Face {
    let landmarks = face.landmarks.map(|point| fit.image_from_model.apply(point));
    Face::new(fit.image_from_model.apply_rect(face.bbox), landmarks, face.score)
}

struct Clock(Instant);

impl Clock {
    /// Milliseconds since the clock was made or last read.
    fn lap_ms(&mut self) -> f64 {
        let now = Instant::now();
        let lap = now.duration_since(self.0);
        self.0 = now;
        lap.as_secs_f64() * 1e3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{BackendKind, ModelBytes, SessionOptions, open_session};
    use crate::decode::{Channels, PictureFormat, PictureInfo, PixelLayout, Pixels};
    use crate::geometry::Size;

    #[test]
    fn a_picture_too_small_for_a_face_has_none() {
        let options = SessionOptions::new(Size::new(320, 320));
        let session = open_session(BackendKind::Tract, &ModelBytes::bundled(), &options).expect("opens");
        let mut detector = YunetDetector::new(session, "bundled").expect("YuNet");
        for size in [Size::new(1, 1), Size::new(31, 400), Size::new(150, 1)] {
            let samples = vec![90; size.pixels() as usize * 3];
            let pixels = Pixels::from_u8(size, Channels::Rgb, samples).expect("fits");
            let picture = Picture::whole(PictureInfo::plain(size, PictureFormat::Png, PixelLayout::RGB8), pixels);
            // The floor is zero: every cell the network was run on would be a face.
            let spec = DetectSpec { score_floor: 0.0, ..DetectSpec::default() };
            assert_eq!(detector.detect(&picture, &spec).expect("looks").faces.len(), 0, "{size}");
        }
    }
}
