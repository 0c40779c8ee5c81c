//! One model opened for several sizes of input.

use std::time::Instant;

use geometry::{Face, Size};
use inference::{Outputs, Session};
use outcome::{BackendError, DetectError, SessionInfo};
use picture::Picture;

use super::postprocess::{check_layout, decode_outputs};
use super::{InputTensor, Letterbox, preprocess, suppress_overlaps};

/// Opens a session of the detector's model for another size of input, on the same runtime.
pub type OpenSession = Box<dyn FnMut(Size) -> Result<Box<dyn Session>, BackendError> + Send>;

/// Pixels of input that sessions beside the detector's own may have together. One that alone is larger is closed after use.
const MAX_KEPT_PIXELS: u64 = 3_500_000;
/// Bytes that a session takes for each pixel of its input: 80 with tract, 50 with ONNX Runtime and 45 with rten, as the peak memory
/// of a process grows at 1600 x 1088.
const BYTES_PER_PIXEL: u64 = 80;

/// Boxes of a run that are compared with each other, those with the best scores: as many as OpenCV's FaceDetectorYN takes.
const MAX_BOXES: usize = 5000;

/// Bytes that the sessions a detector keeps beside its own may take.
pub const KEPT_SESSION_BYTES: u64 = MAX_KEPT_PIXELS * BYTES_PER_PIXEL;

/// A session and the buffers of its runs.
struct Network {
    session: Box<dyn Session>,
    packed: InputTensor,
    outputs: Outputs,
}

/// What a run gave.
pub(super) struct Ran {
    /// Faces in pixels of the upright picture, one for each box.
    pub(super) faces: Vec<Face>,
    /// Milliseconds to fit the picture into the input, of the engine's run, and to read its outputs.
    pub(super) ms: [f64; 3],
}

/// The detector's own session, and those for other inputs, opened when first needed.
pub(super) struct Networks {
    own: Network,
    /// The least recently used first.
    others: Vec<Network>,
    open: OpenSession,
    /// Inputs that the engine does not take.
    refused: Vec<Size>,
}

impl Network {
    fn new(session: Box<dyn Session>) -> Self {
        let packed = InputTensor::new(session.info().input);
        Self { session, packed, outputs: Outputs::new() }
    }

    fn pixels(&self) -> u64 {
        self.session.info().input.pixels()
    }

    fn run(
        &mut self,
        picture: &Picture,
        letterbox: &Letterbox,
        threshold: f32,
        nms_threshold: f32,
    ) -> Result<Ran, DetectError> {
        let mut clock = Clock(Instant::now());
        preprocess(picture, letterbox, &mut self.packed)?;
        let preprocess_ms = clock.lap_ms();
        self.session.run(self.packed.view(), &mut self.outputs)?;
        let inference_ms = clock.lap_ms();
        let mut boxes = decode_outputs(&self.outputs, letterbox.input, threshold)?;
        boxes.sort_by(|a, b| b.score.total_cmp(&a.score));
        boxes.truncate(MAX_BOXES);
        let pass_results = suppress_overlaps(boxes, nms_threshold);
        let in_picture = pass_results.iter().map(|face| letterbox.face_in_picture(face));
        let faces = in_picture.filter(|face| may_be_in(face, letterbox.picture)).collect();
        Ok(Ran { faces, ms: [preprocess_ms, inference_ms, clock.lap_ms()] })
    }
}

impl Networks {
    /// Takes the detector's own session and what opens others.
    ///
    /// # Errors
    /// The model, called `model` in messages, is not laid out as YuNet is.
    pub(super) fn new(own: Box<dyn Session>, model: &str, open: OpenSession) -> Result<Self, DetectError> {
        check_layout(&own.info().outputs, own.info().input)
            .map_err(|reason| DetectError::NotYunet { model: model.to_owned(), reason })?;
        Ok(Self { own: Network::new(own), others: Vec::new(), open, refused: Vec::new() })
    }

    /// The detector's own session.
    pub(super) fn info(&self) -> &SessionInfo {
        self.own.session.info()
    }

    /// What the engine said in the last run of the detector's own session; empty before the first.
    pub(super) fn outputs(&self) -> &Outputs {
        &self.own.outputs
    }

    /// The first of `inputs` that the engine takes; it is opened if it is not. The detector's own serves always.
    pub(super) fn open_first(&mut self, inputs: &[Size]) -> Size {
        inputs.iter().copied().find(|input| self.opens(*input)).unwrap_or(self.info().input)
    }

    fn opens(&mut self, input: Size) -> bool {
        if input == self.info().input {
            return true;
        }
        if self.refused.contains(&input) {
            return false;
        }
        if let Some(index) = self.others.iter().position(|network| network.session.info().input == input) {
            let last = self.others.remove(index);
            self.others.push(last);
            return true;
        }
        self.reserve_memory(input);
        match (self.open)(input) {
            Ok(session) => {
                self.others.push(Network::new(session));
                true
            }
            Err(error) => {
                tracing::warn!(%input, %error, "the runtime does not take this size of input");
                self.refused.push(input);
                false
            }
        }
    }

    /// Closes what was not used for longest until `input` fits beside what is left.
    fn reserve_memory(&mut self, input: Size) {
        let kept = |others: &[Network]| others.iter().map(Network::pixels).sum::<u64>();
        while !self.others.is_empty() && kept(&self.others) + input.pixels() > MAX_KEPT_PIXELS {
            self.others.remove(0);
        }
    }

    /// Runs the network on `picture` as `fit` says, in the session for `fit.input`, which must be open.
    pub(super) fn run(
        &mut self,
        picture: &Picture,
        letterbox: &Letterbox,
        threshold: f32,
        nms_threshold: f32,
    ) -> Result<Ran, DetectError> {
        let other = self.others.iter_mut().find(|network| network.session.info().input == letterbox.input);
        let ran = other.unwrap_or(&mut self.own).run(picture, letterbox, threshold, nms_threshold);
        self.others.retain(|network| network.pixels() <= MAX_KEPT_PIXELS);
        ran
    }
}

/// True if a picture of `size` holds a part of the face's box.
fn may_be_in(face: &Face, size: Size) -> bool {
    let all = geometry::Rect::new(0.0, 0.0, size.width as f32, size.height as f32);
    let max_side = MAX_SIDE * size.long_side() as f32;
    face.is_usable() && face.bbox.overlap(all) > 0.0 && face.bbox.width.max(face.bbox.height) <= max_side
}

/// A box with a side above this many long sides of the picture is no face's.
const MAX_SIDE: f32 = 2.0;

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
    use ndarray::ArrayView4;

    use outcome::OutputInfo;
    use recipe::BackendKind;

    use super::*;

    /// A session that is only looked at.
    struct Idle(SessionInfo);

    impl Session for Idle {
        fn info(&self) -> &SessionInfo {
            &self.0
        }

        fn run(&mut self, _: ArrayView4<'_, f32>, _: &mut Outputs) -> Result<(), BackendError> {
            Ok(())
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "it stands for what may fail")]
    fn open(input: Size) -> Result<Box<dyn Session>, BackendError> {
        let outputs = [8, 16, 32].into_iter().flat_map(|stride| {
            ["cls", "obj", "bbox", "kps"].map(|head| OutputInfo { name: format!("{head}_{stride}"), shape: None })
        });
        let (version, device) = (String::new(), String::new());
        Ok(Box::new(Idle(SessionInfo { kind: BackendKind::Tract, version, device, input, outputs: outputs.collect() })))
    }

    #[test]
    fn sessions_for_other_inputs_are_kept_within_bounds() {
        let own = Size::new(640, 640);
        let mut networks = Networks::new(open(own).expect("opens"), "idle", Box::new(open)).expect("YuNet");
        let (landscape, portrait, square) = (Size::new(1600, 1088), Size::new(1088, 1600), Size::new(1600, 1600));
        for (input, kept) in [
            (own, vec![]),
            (landscape, vec![landscape]),
            (portrait, vec![landscape, portrait]),
            (landscape, vec![portrait, landscape]),
            // The one that was not used for longest makes room.
            (square, vec![square]),
            (Size::new(320, 320), vec![square, Size::new(320, 320)]),
            // One that is larger than all that is kept comes alone.
            (Size::new(2560, 1728), vec![Size::new(2560, 1728)]),
        ] {
            assert_eq!(networks.open_first(&[input]), input);
            let sizes: Vec<Size> = networks.others.iter().map(|network| network.session.info().input).collect();
            assert_eq!(sizes, kept, "{input}");
        }
    }
}
