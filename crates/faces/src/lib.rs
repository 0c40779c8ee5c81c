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
//! - `measure.rs`: [`measure_faces`] adds sharpness and exposure, measured on the pixels.
//! - `analysis.rs`: describes faces that are already found with three more models ([`FaceModels`]): landmarks of the face
//!   mesh, eyelids, and the person mask.
//!
//! The crate never opens a file. If a larger pass needs more pixels than the image it was given has, the detector
//! returns [`Detection::next_long_side`]; the caller decodes the photo at that size and calls [`Detector::refine`].
//!
//! Boxes and landmarks are in pixels of the upright image, scores from 0 to 1. `docs/dev/detection.md` describes the
//! passes, `docs/dev/measurements.md` has the measurements.

mod analysis;
mod letterbox;
mod measure;
mod nms;
mod planner;
mod postprocess;
mod preprocess;
mod sessions;
mod yunet;

pub use analysis::{FaceModels, MASK_PIXELS, OpenFaceModel, face_model_input, open_face_model};
pub use letterbox::Letterbox;
pub use measure::measure_faces;
pub use nms::non_max_suppression;
pub use postprocess::decode_outputs;
pub use preprocess::{InputTensor, preprocess};
pub use sessions::{OpenSession, SESSION_CACHE_BYTES};
pub use yunet::YunetDetector;

use geometry::{Face, RotatedSquare};
use outcome::{DetectError, Detection, FaceModelFault, PersonMask, SessionInfo};
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

    /// Measures the landmarks of each of `faces`, found in `picture`; see [`Face::mesh`].
    ///
    /// # Errors
    /// A model cannot be used; the faces keep what was measured before.
    fn measure_landmarks(&mut self, picture: &Picture, faces: &mut [Face]) -> Result<(), FaceModelFault> {
        let _ = (picture, faces);
        Ok(())
    }

    /// Makes the person mask of the faces at `which` and measures it, the background only if asked; see [`Face::mask`].
    ///
    /// # Errors
    /// The model cannot be used; the faces keep what was measured before.
    fn measure_masks(
        &mut self,
        picture: &Picture,
        faces: &mut [Face],
        which: &[usize],
        with_background: bool,
    ) -> Result<(), FaceModelFault> {
        let _ = (picture, faces, which, with_background);
        Ok(())
    }

    /// Makes the person mask of `square` in `picture`; `None` if there is nothing to make it from.
    ///
    /// # Errors
    /// The model cannot be used.
    fn person_mask(&mut self, picture: &Picture, square: &RotatedSquare) -> Result<Option<PersonMask>, FaceModelFault> {
        let _ = (picture, square);
        Ok(None)
    }
}
