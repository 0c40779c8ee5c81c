//! Inference sessions of one model for several input sizes, and the run of one detection pass.

use std::time::Instant;

use geometry::{Face, Size};
use inference::{Outputs, Session};
use outcome::{BackendError, DetectError, SessionInfo};
use picture::Picture;

use super::postprocess::{check_layout, decode_outputs};
use super::{InputTensor, Letterbox, non_max_suppression, preprocess};

/// Opens a session of the detector's model for another input size, on the same runtime.
pub type OpenSession = Box<dyn FnMut(Size) -> Result<Box<dyn Session>, BackendError> + Send>;

/// Maximum sum of the input pixels of all cached sessions besides the main one. A session that alone exceeds it is
/// closed after use.
const MAX_CACHED_PIXELS: u64 = 3_500_000;
/// Bytes of a session for each pixel of its input: 80 with tract, 50 with ONNX Runtime and 45 with rten, measured as
/// the growth of the process's peak memory at 1600 x 1088.
const BYTES_PER_PIXEL: u64 = 80;

/// Maximum number of boxes passed to NMS in one run, by falling score: as in OpenCV's FaceDetectorYN.
const MAX_BOXES: usize = 5000;

/// Maximum bytes of the sessions that a detector caches besides its main one.
pub const SESSION_CACHE_BYTES: u64 = MAX_CACHED_PIXELS * BYTES_PER_PIXEL;

/// A session with its input and output buffers.
struct CachedSession {
    session: Box<dyn Session>,
    input: InputTensor,
    outputs: Outputs,
}

/// The result of one pass.
pub(super) struct PassOutput {
    /// Faces in pixels of the upright image, one for each box left by NMS.
    pub(super) faces: Vec<Face>,
    /// Milliseconds of preprocessing, inference and postprocessing.
    pub(super) ms: [f64; 3],
}

/// The detector's main session, and sessions for other input sizes, opened on demand.
pub(super) struct SessionCache {
    main: CachedSession,
    /// Least recently used first.
    others: Vec<CachedSession>,
    open: OpenSession,
    /// Input sizes that the engine rejected.
    rejected: Vec<Size>,
}

impl CachedSession {
    fn new(session: Box<dyn Session>) -> Self {
        let input = InputTensor::new(session.info().input);
        Self { session, input, outputs: Outputs::new() }
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
    ) -> Result<PassOutput, DetectError> {
        let mut clock = Clock(Instant::now());
        preprocess(picture, letterbox, &mut self.input)?;
        let preprocess_ms = clock.lap_ms();
        self.session.run(self.input.view(), &mut self.outputs)?;
        let inference_ms = clock.lap_ms();
        let mut boxes = decode_outputs(&self.outputs, letterbox.input, threshold)?;
        boxes.sort_by(|a, b| b.score.total_cmp(&a.score));
        boxes.truncate(MAX_BOXES);
        let kept = non_max_suppression(boxes, nms_threshold);
        let in_image = kept.iter().map(|face| letterbox.face_in_image(face));
        let faces = in_image.filter(|face| is_plausible(face, letterbox.image)).collect();
        Ok(PassOutput { faces, ms: [preprocess_ms, inference_ms, clock.lap_ms()] })
    }
}

impl SessionCache {
    /// Takes the main session and the function that opens others.
    ///
    /// # Errors
    /// The model, called `model` in messages, does not have YuNet's outputs.
    pub(super) fn new(main: Box<dyn Session>, model: &str, open: OpenSession) -> Result<Self, DetectError> {
        check_layout(&main.info().outputs, main.info().input)
            .map_err(|reason| DetectError::NotYunet { model: model.to_owned(), reason })?;
        Ok(Self { main: CachedSession::new(main), others: Vec::new(), open, rejected: Vec::new() })
    }

    /// The main session.
    pub(super) fn info(&self) -> &SessionInfo {
        self.main.session.info()
    }

    /// The raw outputs of the main session's last run; empty before the first.
    pub(super) fn outputs(&self) -> &Outputs {
        &self.main.outputs
    }

    /// Returns the first of `inputs` that the engine accepts, and opens a session for it if necessary. The main
    /// session's input is the fallback.
    pub(super) fn open_first(&mut self, inputs: &[Size]) -> Size {
        inputs.iter().copied().find(|input| self.open_for(*input)).unwrap_or(self.info().input)
    }

    fn open_for(&mut self, input: Size) -> bool {
        if input == self.info().input {
            return true;
        }
        if self.rejected.contains(&input) {
            return false;
        }
        if let Some(index) = self.others.iter().position(|cached| cached.session.info().input == input) {
            let last = self.others.remove(index);
            self.others.push(last);
            return true;
        }
        self.evict_for(input);
        match (self.open)(input) {
            Ok(session) => {
                self.others.push(CachedSession::new(session));
                true
            }
            Err(error) => {
                tracing::warn!(%input, %error, "the runtime does not accept this input size");
                self.rejected.push(input);
                false
            }
        }
    }

    /// Closes the least recently used sessions until `input` fits the cache.
    fn evict_for(&mut self, input: Size) {
        let kept = |others: &[CachedSession]| others.iter().map(CachedSession::pixels).sum::<u64>();
        while !self.others.is_empty() && kept(&self.others) + input.pixels() > MAX_CACHED_PIXELS {
            self.others.remove(0);
        }
    }

    /// Runs one pass on `picture` in the session for `letterbox.input`, which must be open.
    pub(super) fn run(
        &mut self,
        picture: &Picture,
        letterbox: &Letterbox,
        threshold: f32,
        nms_threshold: f32,
    ) -> Result<PassOutput, DetectError> {
        let other = self.others.iter_mut().find(|cached| cached.session.info().input == letterbox.input);
        let output = other.unwrap_or(&mut self.main).run(picture, letterbox, threshold, nms_threshold);
        self.others.retain(|cached| cached.pixels() <= MAX_CACHED_PIXELS);
        output
    }
}

/// True if the face box overlaps an image of `size` and is not far larger than it.
fn is_plausible(face: &Face, size: Size) -> bool {
    let all = geometry::Rect::new(0.0, 0.0, size.width as f32, size.height as f32);
    let max_side = MAX_SIDE * size.long_side() as f32;
    face.is_usable() && face.bbox.overlap(all) > 0.0 && face.bbox.width.max(face.bbox.height) <= max_side
}

/// Maximum side of a face box, in long sides of the image.
const MAX_SIDE: f32 = 2.0;

struct Clock(Instant);

impl Clock {
    /// Milliseconds since the clock was created or last read.
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

    /// A session whose outputs are never used.
    struct UnusedSession(SessionInfo);

    impl Session for UnusedSession {
        fn info(&self) -> &SessionInfo {
            &self.0
        }

        fn run(&mut self, _: ArrayView4<'_, f32>, _: &mut Outputs) -> Result<(), BackendError> {
            Ok(())
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "it has the signature of a function that can fail")]
    fn open(input: Size) -> Result<Box<dyn Session>, BackendError> {
        let outputs = [8, 16, 32].into_iter().flat_map(|stride| {
            ["cls", "obj", "bbox", "kps"].map(|head| OutputInfo { name: format!("{head}_{stride}"), shape: None })
        });
        let (version, device) = (String::new(), String::new());
        Ok(Box::new(UnusedSession(SessionInfo {
            kind: BackendKind::Tract,
            version,
            device,
            input,
            outputs: outputs.collect(),
        })))
    }

    #[test]
    fn cached_sessions_stay_within_the_limit() {
        let own = Size::new(640, 640);
        let mut cache = SessionCache::new(open(own).expect("opens"), "idle", Box::new(open)).expect("YuNet");
        let (landscape, portrait, square) = (Size::new(1600, 1088), Size::new(1088, 1600), Size::new(1600, 1600));
        for (input, kept) in [
            (own, vec![]),
            (landscape, vec![landscape]),
            (portrait, vec![landscape, portrait]),
            (landscape, vec![portrait, landscape]),
            // The least recently used session is closed.
            (square, vec![square]),
            (Size::new(320, 320), vec![square, Size::new(320, 320)]),
            // A session larger than the cache is the only one.
            (Size::new(2560, 1728), vec![Size::new(2560, 1728)]),
        ] {
            assert_eq!(cache.open_first(&[input]), input);
            let sizes: Vec<Size> = cache.others.iter().map(|cached| cached.session.info().input).collect();
            assert_eq!(sizes, kept, "{input}");
        }
    }
}
