//! Face detection: an image in, faces with landmarks, scores and measurements out.
//!
//! An image goes through one or more detection passes: the whole image at several scales and in-plane rotations.
//!
//! - `planner.rs`: decides which passes an image needs, from its size, the thoroughness and the results so far.
//! - `preprocess.rs`, `letterbox.rs`: [`preprocess`] resizes, rotates and converts the image into the [`InputTensor`];
//!   [`Letterbox`] maps coordinates between input and image.
//! - `sessions.rs`: caches an inference session for each input size and runs one pass.
//! - `postprocess.rs`: [`decode_outputs`] turns YuNet's twelve output tensors into boxes, landmarks and scores.
//! - `nms.rs`: [`non_max_suppression`] within a pass, and the merge of all passes into one list in which each face
//!   occurs once.
//! - `yunet.rs`: [`YunetDetector`] puts these together; it implements [`Detector`].
//! - `measure.rs`: [`measure_faces`] adds sharpness, exposure, roll and the top of the hair, measured on the pixels.
//!
//! The crate never opens a file. If a larger pass needs more pixels than the image it was given has, the detector
//! returns [`Detection::next_long_side`]; the caller decodes the photo at that size and calls [`Detector::refine`].
//!
//! Boxes and landmarks are in pixels of the upright image, scores from 0 to 1. `docs/dev/detection.md` describes the
//! passes, `docs/dev/measurements.md` has the measurements.

mod letterbox;
mod measure;
mod nms;
mod planner;
mod postprocess;
mod preprocess;
mod sessions;
mod yunet;

pub use letterbox::Letterbox;
pub use measure::measure_faces;
pub use nms::non_max_suppression;
pub use postprocess::decode_outputs;
pub use preprocess::{InputTensor, preprocess};
pub use sessions::{OpenSession, SESSION_CACHE_BYTES};
pub use yunet::YunetDetector;

use outcome::{DetectError, Detection, SessionInfo};
use picture::Picture;
use recipe::DetectSpec;

/// Finds faces in images. The pipeline uses it through this trait, so that tests can pass a scripted detector.
pub trait Detector: Send {
    /// The inference session for the standard pass.
    fn info(&self) -> &SessionInfo;

    /// Maximum useful length of the image's longer side in pixels, for the first call of [`Detector::detect`].
    fn long_side(&self) -> u32;

    /// Detects the faces of `picture`.
    ///
    /// # Errors
    /// The engine failed, or its outputs do not have YuNet's layout.
    fn detect(&mut self, picture: &Picture, spec: &DetectSpec) -> Result<Detection, DetectError>;

    /// Continues a detection that requested more pixels: `first` is the result of [`Detector::detect`] with a
    /// [`Detection::next_long_side`], `picture` the same photo decoded at that size. Returns the merged result of all
    /// passes.
    ///
    /// # Errors
    /// The engine failed, or its outputs do not have YuNet's layout.
    fn refine(&mut self, picture: &Picture, spec: &DetectSpec, first: Detection) -> Result<Detection, DetectError> {
        let _ = (picture, spec);
        Ok(Detection { next_long_side: None, ..first })
    }
}
