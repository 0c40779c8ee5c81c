//! A picture to the faces in it: passes of a detector, one list of boxes, and what can be measured of each face.
//!
//! [`YunetDetector`] runs the face model. A picture is given one or more passes (`planner.rs`): the whole picture at several sizes
//! and turned, as far as the photo and the thoroughness asked for call for it. Each pass is preprocessed ([`Fit`], [`fit_and_pack`]),
//! run by a session for its input size (`networks.rs`), and its outputs decoded into boxes with five landmarks
//! ([`decode_heads`]). Boxes of all passes become one list in which each face occurs once ([`suppress_overlaps`], `suppress.rs`).
//!
//! A detector that wants more pixels than it was given says so in [`Detection::closer`]; its caller decodes them and calls
//! [`Detector::look_closer`]. So this crate never opens a file.
//!
//! [`measure_faces`] adds sharpness, light, roll and the height of the hair, measured on the pixels.
//!
//! Boxes and landmarks are in pixels of the upright picture, scores from 0 to 1. docs/dev/detection.md has the passes and the figures.

mod fit;
mod heads;
mod measure;
mod networks;
mod pack;
mod planner;
mod suppress;
mod yunet;

pub use fit::Fit;
pub use heads::decode_heads;
pub use measure::measure_faces;
pub use networks::{KEPT_SESSION_BYTES, OpenSession};
pub use pack::{Packed, fit_and_pack};
pub use suppress::suppress_overlaps;
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
