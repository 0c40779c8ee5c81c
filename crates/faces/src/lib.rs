//! A picture to the faces in it: passes of a detector, one list of boxes, and what can be measured of each face.
//!
//! [`YunetDetector`] runs the face model. A picture is given one or more passes (`planner.rs`): the whole picture at several sizes
//! and turned, as far as the photo and the thoroughness asked for call for it. Each pass is preprocessed ([`Letterbox`], [`preprocess`]),
//! run by a session for its input size (`networks.rs`), and its outputs decoded into boxes with five landmarks
//! ([`decode_outputs`]). Boxes of all passes become one list in which each face occurs once ([`suppress_overlaps`], `nms.rs`).
//!
//! A detector that wants more pixels than it was given says so in [`Detection::next_long_side`]; its caller decodes them and calls
//! [`Detector::refine`]. So this crate never opens a file.
//!
//! [`measure_faces`] adds sharpness, light, roll and the height of the hair, measured on the pixels.
//!
//! Boxes and landmarks are in pixels of the upright picture, scores from 0 to 1. docs/dev/detection.md has the passes and the figures.

mod letterbox;
mod measure;
mod networks;
mod nms;
mod planner;
mod postprocess;
mod preprocess;
mod yunet;

pub use letterbox::Letterbox;
pub use measure::measure_faces;
pub use networks::{KEPT_SESSION_BYTES, OpenSession};
pub use nms::suppress_overlaps;
pub use postprocess::decode_outputs;
pub use preprocess::{InputTensor, preprocess};
pub use yunet::YunetDetector;

use outcome::{DetectError, Detection, SessionInfo};
use picture::Picture;
use recipe::DetectSpec;

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

    /// Looks again with more pixels of the same photo where `first` asks for them in [`Detection::next_long_side`], and gives what
    /// both looks found together.
    ///
    /// # Errors
    /// The engine failed, or gave outputs of another layout.
    fn refine(&mut self, picture: &Picture, spec: &DetectSpec, first: Detection) -> Result<Detection, DetectError> {
        let _ = (picture, spec);
        Ok(Detection { next_long_side: None, ..first })
    }
}
