//! YuNet on any session.

use engines::open_session;
use inference::{ModelBytes, Outputs, Session, SessionOptions};
use outcome::{DetectError, Detection, PassReport, PassResult, PassScale, PassSpec, SessionInfo};
use picture::Picture;
use recipe::{BackendKind, DetectSpec, Thoroughness};

use super::Detector;
use super::networks::{Networks, OpenSession};
use super::nms::{Candidate, merge};
use super::planner::Subject;

/// A picture with a shorter side than this many pixels is not searched: the network answers noise on it.
const MIN_SIDE: u32 = 32;
/// Boxes below this score are never read: nearly every cell of the network has one.
const MIN_SCORE_FLOOR: f32 = 0.1;

/// A face detector: YuNet on one runtime, with a session for each size of input that was needed.
pub struct YunetDetector {
    networks: Networks,
}

impl YunetDetector {
    /// Takes a session whose model, called `model` in messages, must be laid out as YuNet is, and what opens further sessions of
    /// that model for other sizes of input.
    ///
    /// # Errors
    /// The model has other outputs.
    pub fn new(session: Box<dyn Session>, model: &str, open: OpenSession) -> Result<Self, DetectError> {
        Ok(Self { networks: Networks::new(session, model, open)? })
    }

    /// Opens `model` on the runtime `kind`; sessions for other sizes of input are opened with the same options when first needed.
    ///
    /// # Errors
    /// The runtime does not open the model, or it is no YuNet.
    pub fn open(kind: BackendKind, model: &ModelBytes, options: &SessionOptions) -> Result<Self, DetectError> {
        let session = open_session(kind, model, options)?;
        let (again, options) = (model.clone(), options.clone());
        let open = move |input| open_session(kind, &again, &SessionOptions { input, ..options.clone() });
        Self::new(session, &model.name, Box::new(open))
    }

    /// What the engine said in the last pass with the detector's own input; empty before the first.
    pub fn outputs(&self) -> &Outputs {
        self.networks.outputs()
    }

    /// Makes the passes that follow those in `found`. Stops before a pass for which pixels are missing, if it `may_ask` for
    /// them.
    fn search(
        &mut self,
        picture: &Picture,
        spec: &DetectSpec,
        mut found: Detection,
        may_ask: bool,
    ) -> Result<Detection, DetectError> {
        let subject = Subject {
            picture: picture.size(),
            input: self.networks.info().input,
            thoroughness: spec.thoroughness,
            nms_threshold: spec.nms_threshold,
        };
        found.next_long_side = None;
        while let Some(pass) = subject.next_pass(&found.pass_results) {
            let long_side = subject.long_side_for(pass);
            if may_ask && matches!(pass.kind, PassScale::Larger | PassScale::Largest) && !has(picture, long_side) {
                found.next_long_side = Some(long_side);
                return Ok(found);
            }
            self.run(picture, spec, &subject, pass, &mut found)?;
        }
        let faces = match spec.thoroughness {
            Thoroughness::Fast => {
                let first =
                    found.pass_results.first().map(|pass_results| pass_results.faces.as_slice()).unwrap_or_default();
                first.iter().map(|face| Candidate { face: *face, pass: 0 }).collect()
            }
            Thoroughness::Balanced | Thoroughness::Thorough => merge(&found.pass_results, spec.nms_threshold),
        };
        let threshold = score_threshold(spec);
        (found.faces, found.found_by) = faces
            .into_iter()
            .filter(|found| found.face.score >= threshold)
            .map(|found| (found.face, found.pass))
            .unzip();
        found.pass_results.clear();
        Ok(found)
    }

    /// One run of the network.
    fn run(
        &mut self,
        picture: &Picture,
        spec: &DetectSpec,
        subject: &Subject,
        pass: PassSpec,
        found: &mut Detection,
    ) -> Result<(), DetectError> {
        let inputs = subject.inputs(pass);
        let input = self.networks.open_first(&inputs);
        let Some(letterbox) = subject.letterbox(pass, input) else {
            found.pass_results.push(PassResult { pass, scale: 0.0, faces: Vec::new() });
            return Ok(());
        };
        let ran = self.networks.run(picture, &letterbox, score_threshold(spec), spec.nms_threshold)?;
        let [preprocess_ms, inference_ms, postprocess_ms] = ran.ms;
        found.preprocess_ms += preprocess_ms;
        found.inference_ms += inference_ms;
        found.postprocess_ms += postprocess_ms;
        found.passes.push(PassReport {
            kind: pass.kind,
            turned: pass.turned,
            input,
            refused: inputs.first().copied().filter(|wanted| *wanted != input),
            scale: letterbox.scale(),
            candidates: ran.faces.len(),
            inference_ms,
        });
        found.pass_results.push(PassResult { pass, scale: letterbox.scale(), faces: ran.faces });
        Ok(())
    }
}

impl Detector for YunetDetector {
    fn info(&self) -> &SessionInfo {
        self.networks.info()
    }

    fn long_side(&self) -> u32 {
        self.networks.info().input.long_side()
    }

    fn detect(&mut self, picture: &Picture, spec: &DetectSpec) -> Result<Detection, DetectError> {
        if picture.size().short_side() < MIN_SIDE {
            return Ok(Detection::default());
        }
        self.search(picture, spec, Detection::default(), true)
    }

    fn refine(&mut self, picture: &Picture, spec: &DetectSpec, first: Detection) -> Result<Detection, DetectError> {
        if first.next_long_side.is_none() { Ok(first) } else { self.search(picture, spec, first, false) }
    }
}

fn score_threshold(spec: &DetectSpec) -> f32 {
    // A score floor that is not a number is the lowest.
    spec.score_threshold.max(MIN_SCORE_FLOOR)
}

/// True if `picture` is at hand with at least `long_side` pixels along its longer side, or with all it has.
fn has(picture: &Picture, long_side: u32) -> bool {
    picture.place.reduction <= 1 || picture.pixels.size().long_side() >= long_side
}

#[cfg(test)]
mod tests;
