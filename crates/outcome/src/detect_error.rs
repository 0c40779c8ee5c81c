//! What can go wrong while looking for faces.

use crate::BackendError;

/// A failure to look for faces. Finding none is not one.
#[derive(Debug, thiserror::Error)]
pub enum DetectError {
    /// The engine failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The model is not a YuNet face detector.
    #[error("{model} is not a YuNet face model: {reason}")]
    NotYunet {
        /// The model's name.
        model: String,
        /// What is missing or of another shape.
        reason: String,
    },
    /// The picture could not be brought to the model's input size.
    #[error("the picture cannot be resized for the model: {reason}")]
    Resize {
        /// The resizer's words.
        reason: String,
    },
}
