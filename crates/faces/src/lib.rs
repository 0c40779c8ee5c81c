//! [`Picture`] -> [`Detection`]: fit into the model's input, run, read the heads, suppress overlaps.

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
