//! The faces of an image, and the passes that found them.

use std::fmt;

use serde::{Deserialize, Serialize};

use geometry::{Face, Size};
use recipe::ModelKind;

use crate::{RuntimeFault, model_title};

/// The result of detection on one image.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Detection {
    /// Faces in pixels of the upright image, by falling score, that reach the score threshold.
    pub faces: Vec<Face>,
    /// For each face, the index in [`Detection::passes`] of the pass that found it; empty if unknown.
    pub found_by: Vec<usize>,
    /// The passes that were run, in order.
    pub passes: Vec<PassReport>,
    /// Length in pixels of the image's longer side that `Detector::refine` needs to continue; `None` if the search is
    /// complete. Until then [`Detection::faces`] is empty.
    pub next_long_side: Option<u32>,
    /// Results of the passes so far; empty once the search is complete.
    pub pass_results: Vec<PassResult>,
    /// Milliseconds of preprocessing.
    pub preprocess_ms: f64,
    /// Milliseconds of inference.
    pub inference_ms: f64,
    /// Milliseconds of postprocessing: decoding of the outputs and NMS.
    pub postprocess_ms: f64,
    /// The models that could not be used; the faces lack their measurements.
    pub model_faults: Vec<FaceModelFault>,
}

/// A model that describes faces and cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaceModelFault {
    /// What it is for.
    pub model: ModelKind,
    pub fault: RuntimeFault,
}

/// For example `person mask (failed while running the model: out of memory)`.
impl fmt::Display for FaceModelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", model_title(self.model), self.fault)
    }
}

/// Report on one detection pass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassReport {
    /// The scale of the image.
    pub kind: PassScale,
    /// Clockwise rotation of the image in degrees, a multiple of 45.
    pub rotation: u16,
    /// Input size of the model in pixels.
    pub input: Size,
    /// The preferred input size, if the engine rejected it and `input` was used instead.
    pub rejected: Option<Size>,
    /// Input pixels for each pixel of the upright image.
    pub scale: f32,
    /// Boxes that reach the score threshold, before the merge with other passes.
    pub candidates: usize,
    /// Milliseconds of inference.
    pub inference_ms: f64,
}

/// The scale of the image in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PassScale {
    /// Half the scale of the standard pass: for faces that fill the image.
    Smaller,
    /// Resized to the model's standard input, never enlarged: the first pass and the rotated ones.
    Standard,
    /// Two and a half times the standard scale: for small faces.
    Larger,
    /// Four times the standard scale: for faces that are small even in the larger pass.
    Largest,
}

impl PassScale {
    /// The name used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Smaller => "smaller",
            Self::Standard => "standard",
            Self::Larger => "larger",
            Self::Largest => "largest",
        }
    }
}

/// Scale and rotation of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassSpec {
    /// The scale of the image.
    pub kind: PassScale,
    /// Clockwise rotation of the image in degrees.
    pub rotation: u16,
}

/// The result of one pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassResult {
    pub pass: PassSpec,
    /// Input pixels for each pixel of the image.
    pub scale: f32,
    /// Faces in pixels of the upright image, one for each box.
    pub faces: Vec<Face>,
}

impl PassResult {
    /// Size of a face (the longer side of its box) in input pixels.
    pub fn height(&self, face: &Face) -> f32 {
        face.bbox.width.max(face.bbox.height) * self.scale
    }

    /// The highest score; 0 without faces.
    pub fn best(&self) -> f32 {
        self.faces.iter().map(|face| face.score).fold(0.0, f32::max)
    }
}
