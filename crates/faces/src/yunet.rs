//! The YuNet face detector on any inference session.

use engines::open_session;
use geometry::{Face, RotatedSquare};
use inference::{ModelBytes, Outputs, Session, SessionOptions};
use outcome::{
    DetectError, Detection, FaceModelFault, PassReport, PassResult, PassScale, PassSpec, PersonMask, SessionInfo,
};
use picture::Picture;
use recipe::{BackendKind, DetectSpec, Thoroughness};

use super::nms::{Candidate, merge};
use super::planner::PassPlanner;
use super::sessions::{OpenSession, SessionCache};
use super::{Detector, FaceModels, Letterbox, analysis};

/// Minimum short side of an image in pixels; below it the network returns noise.
const MIN_SIDE: u32 = 32;
/// Lower limit of the score threshold: nearly every cell of the network has a score below it.
const MIN_SCORE_THRESHOLD: f32 = 0.1;

/// The YuNet face detector on one runtime, with an inference session for each input size it needed, and the models that
/// describe the faces it finds.
pub struct YunetDetector {
    sessions: SessionCache,
    models: FaceModels,
}

impl YunetDetector {
    /// Takes the main session, whose model is called `model` in messages and must have YuNet's outputs, the function that
    /// opens sessions of that model for other input sizes, and the models that describe faces.
    ///
    /// # Errors
    /// The model has other outputs.
    pub fn new(
        session: Box<dyn Session>,
        model: &str,
        open: OpenSession,
        models: FaceModels,
    ) -> Result<Self, DetectError> {
        Ok(Self { sessions: SessionCache::new(session, model, open)?, models })
    }

    /// Opens `model` on the runtime `kind`. Sessions for other input sizes are opened on demand with the same options.
    ///
    /// # Errors
    /// The runtime cannot open the model, or the model is not YuNet.
    pub fn open(kind: BackendKind, model: &ModelBytes, options: &SessionOptions) -> Result<Self, DetectError> {
        let session = open_session(kind, model, options)?;
        let models = FaceModels::on_runtime(kind, options);
        let (again, options) = (model.clone(), options.clone());
        let open = move |input| open_session(kind, &again, &SessionOptions { input, ..options.clone() });
        Self::new(session, &model.name, Box::new(open), models)
    }

    /// Runs the main session on `picture`, whatever input its passes use; returns the raw outputs.
    ///
    /// # Errors
    /// The engine failed, or the image is empty.
    pub fn main_outputs(&mut self, picture: &Picture) -> Result<&Outputs, DetectError> {
        let input = self.sessions.info().input;
        let letterbox = Letterbox::new(picture.size(), input)
            .ok_or_else(|| DetectError::Resize { reason: "it is empty".to_owned() })?;
        let DetectSpec { score_threshold, nms_threshold, .. } = DetectSpec::default();
        self.sessions.run(picture, &letterbox, score_threshold, nms_threshold)?;
        Ok(self.sessions.outputs())
    }

    /// Runs the passes that follow those in `found`. If `may_request_pixels`, stops before a pass for which the image
    /// has too few pixels.
    fn run_passes(
        &mut self,
        picture: &Picture,
        spec: &DetectSpec,
        mut found: Detection,
        may_request_pixels: bool,
    ) -> Result<Detection, DetectError> {
        let planner = PassPlanner {
            picture: picture.size(),
            input: self.sessions.info().input,
            fits_inputs: self.sessions.info().kind.opens_inputs_quickly(),
            thoroughness: spec.thoroughness,
            nms_threshold: spec.nms_threshold,
        };
        found.next_long_side = None;
        while let Some(pass) = planner.next_pass(&found.pass_results) {
            let long_side = planner.long_side_for(pass);
            if may_request_pixels
                && matches!(pass.kind, PassScale::Larger | PassScale::Largest)
                && !has_pixels(picture, long_side)
            {
                found.next_long_side = Some(long_side);
                return Ok(found);
            }
            self.run_pass(picture, spec, &planner, pass, &mut found)?;
        }
        let faces = match spec.thoroughness {
            Thoroughness::Fast => {
                let first = found.pass_results.first().map(|result| result.faces.as_slice()).unwrap_or_default();
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

    /// Runs one pass.
    fn run_pass(
        &mut self,
        picture: &Picture,
        spec: &DetectSpec,
        planner: &PassPlanner,
        pass: PassSpec,
        found: &mut Detection,
    ) -> Result<(), DetectError> {
        let inputs = planner.inputs(pass);
        let input = self.sessions.open_first(&inputs);
        let Some(letterbox) = planner.letterbox(pass, input) else {
            found.pass_results.push(PassResult { pass, scale: 0.0, faces: Vec::new() });
            return Ok(());
        };
        let output = self.sessions.run(picture, &letterbox, score_threshold(spec), spec.nms_threshold)?;
        let [preprocess_ms, inference_ms, postprocess_ms] = output.ms;
        found.preprocess_ms += preprocess_ms;
        found.inference_ms += inference_ms;
        found.postprocess_ms += postprocess_ms;
        found.passes.push(PassReport {
            kind: pass.kind,
            rotation: pass.rotation,
            input,
            rejected: inputs.first().copied().filter(|preferred| *preferred != input),
            scale: letterbox.scale(),
            candidates: output.faces.len(),
            inference_ms,
        });
        found.pass_results.push(PassResult { pass, scale: letterbox.scale(), faces: output.faces });
        Ok(())
    }
}

impl Detector for YunetDetector {
    fn info(&self) -> &SessionInfo {
        self.sessions.info()
    }

    fn long_side(&self) -> u32 {
        self.sessions.info().input.long_side()
    }

    fn detect(&mut self, picture: &Picture, spec: &DetectSpec) -> Result<Detection, DetectError> {
        if picture.size().short_side() < MIN_SIDE {
            return Ok(Detection::default());
        }
        self.run_passes(picture, spec, Detection::default(), true)
    }

    fn refine(&mut self, picture: &Picture, spec: &DetectSpec, first: Detection) -> Result<Detection, DetectError> {
        if first.next_long_side.is_none() { Ok(first) } else { self.run_passes(picture, spec, first, false) }
    }

    fn measure_landmarks(&mut self, picture: &Picture, faces: &mut [Face]) -> Result<(), FaceModelFault> {
        analysis::measure_landmarks(&mut self.models, picture, faces)
    }

    fn measure_masks(
        &mut self,
        picture: &Picture,
        faces: &mut [Face],
        which: &[usize],
        with_background: bool,
    ) -> Result<(), FaceModelFault> {
        analysis::measure_masks(&mut self.models, picture, faces, which, with_background)
    }

    fn person_mask(&mut self, picture: &Picture, square: &RotatedSquare) -> Result<Option<PersonMask>, FaceModelFault> {
        analysis::person_mask(&mut self.models, picture, square)
    }
}

fn score_threshold(spec: &DetectSpec) -> f32 {
    // `max` replaces NaN by the lower limit.
    spec.score_threshold.max(MIN_SCORE_THRESHOLD)
}

/// True if `picture` is decoded at full size, or with at least `long_side` pixels along its longer side.
fn has_pixels(picture: &Picture, long_side: u32) -> bool {
    picture.place.reduction <= 1 || picture.pixels.size().long_side() >= long_side
}

#[cfg(test)]
mod tests;
