//! The faces of a picture, and the passes that found them.

use geometry::{Face, Size};

/// The faces of one picture and what finding them took.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Detection {
    /// Faces in pixels of the upright picture, by falling score, from the score floor up.
    pub faces: Vec<Face>,
    /// For each face the index of the look in [`Detection::passes`] that found it; empty where that is not told.
    pub found_by: Vec<usize>,
    /// The looks that were taken, in order.
    pub passes: Vec<PassReport>,
    /// Pixels of the longer side that `Detector::refine` needs to go on; `None` if the search has ended. Until it has, there
    /// are no faces.
    pub next_long_side: Option<u32>,
    /// What each pass has seen, until the search has ended.
    pub pass_results: Vec<PassResult>,
    /// Milliseconds to fit the picture into the model's input.
    pub preprocess_ms: f64,
    /// Milliseconds of the engine's run.
    pub inference_ms: f64,
    /// Milliseconds to read the heads and suppress overlaps.
    pub postprocess_ms: f64,
}

/// One pass of the network over the whole picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassReport {
    /// How large the picture was.
    pub kind: PassScale,
    /// Degrees the picture was turned clockwise, a multiple of 45.
    pub turned: u16,
    /// Pixels of the network's input.
    pub input: Size,
    /// Pixels of an input that the engine refused, so that `input` was used instead.
    pub refused: Option<Size>,
    /// Pixels of the network's input for each pixel of the upright picture.
    pub scale: f32,
    /// Boxes at the score floor, before they were merged with those of other passes.
    pub candidates: usize,
    /// Milliseconds of the engine's run.
    pub inference_ms: f64,
}

/// How large the picture is in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PassScale {
    /// Half as large as in the first pass: for faces that fill it.
    Smaller,
    /// As large as the detector's own input, not enlarged: the first pass, and the turned ones.
    Standard,
    /// Two and a half times as large: for small faces.
    Larger,
    /// Four times as large: for faces that are small even there.
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

/// What is put before the network next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSpec {
    /// How large the picture is.
    pub kind: PassScale,
    /// Degrees it is turned clockwise.
    pub turned: u16,
}

/// What a pass has seen.
#[derive(Clone, Debug, PartialEq)]
pub struct PassResult {
    /// The pass.
    pub pass: PassSpec,
    /// Pixels of the input for each pixel of the picture.
    pub scale: f32,
    /// Faces in pixels of the upright picture, one for each box.
    pub faces: Vec<Face>,
}

impl PassResult {
    /// The height of a face in pixels of the input.
    pub fn height(&self, face: &Face) -> f32 {
        face.bbox.width.max(face.bbox.height) * self.scale
    }

    /// The best score.
    pub fn best(&self) -> f32 {
        self.faces.iter().map(|face| face.score).fold(0.0, f32::max)
    }
}
