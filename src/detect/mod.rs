//! [`Picture`] -> [`Detection`]: fit into the model's input, run, read the heads, suppress overlaps.

mod error;
mod fit;
mod heads;
mod looks;
mod measure;
mod networks;
mod pack;
mod planner;
mod suppress;
mod yunet;

use serde::{Deserialize, Serialize};

pub use error::DetectError;
pub use fit::Fit;
pub use heads::decode_heads;
pub use looks::{Look, LookKind, Thoroughness};
pub use measure::measure_faces;
pub use networks::{KEPT_SESSION_BYTES, OpenSession};
pub use pack::{Packed, fit_and_pack};
pub use planner::{Pass, Seen};
pub use suppress::suppress_overlaps;
pub use yunet::YunetDetector;

use crate::backend::SessionInfo;
use crate::decode::Picture;
use crate::geometry::Face;

/// Finds faces in pictures; what the worker holds. Tests hold a scripted one.
pub trait Detector: Send {
    /// The session behind it.
    fn info(&self) -> &SessionInfo;

    /// Pixels of the longer side that a picture should keep for this detector: more do not help it.
    fn long_side(&self) -> u32;

    /// Finds the faces of `picture`.
    ///
    /// # Errors
    /// The engine failed, or gave outputs of another layout.
    fn detect(&mut self, picture: &Picture, spec: &DetectSpec) -> Result<Detection, DetectError>;

    /// Looks again with more pixels of the same photo where `first` asks for them in [`Detection::closer`], and gives what
    /// both looks found together.
    ///
    /// # Errors
    /// The engine failed, or gave outputs of another layout.
    fn look_closer(
        &mut self,
        picture: &Picture,
        spec: &DetectSpec,
        first: Detection,
    ) -> Result<Detection, DetectError> {
        let _ = (picture, spec);
        Ok(Detection { closer: None, ..first })
    }
}

/// How faces are found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DetectSpec {
    /// Boxes below this score are dropped at once. Kept low: the least score a person asks for acts later, in the plan.
    pub score_floor: f32,
    /// Of two boxes with more than this intersection over union the lower score is dropped. 0.3 as in OpenCV's FaceDetectorYN.
    pub max_overlap: f32,
    /// How many looks a photo is given.
    pub thoroughness: Thoroughness,
}

impl Default for DetectSpec {
    fn default() -> Self {
        Self { score_floor: 0.3, max_overlap: 0.3, thoroughness: Thoroughness::Balanced }
    }
}

/// The faces of one picture and what finding them took.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Detection {
    /// Faces in pixels of the upright picture, by falling score, from the score floor up.
    pub faces: Vec<Face>,
    /// For each face the index of the look in [`Detection::looks`] that found it; empty where that is not told.
    pub found_by: Vec<usize>,
    /// The looks that were taken, in order.
    pub looks: Vec<Look>,
    /// Pixels of the longer side that [`Detector::look_closer`] needs to go on; `None` if the search has ended. Until it has, there
    /// are no faces.
    pub closer: Option<u32>,
    /// What each pass has seen, until the search has ended.
    pub seen: Vec<Seen>,
    /// Milliseconds to fit the picture into the model's input.
    pub fit_ms: f64,
    /// Milliseconds of the engine's run.
    pub run_ms: f64,
    /// Milliseconds to read the heads and suppress overlaps.
    pub heads_ms: f64,
}
