//! Detection errors.

use crate::BackendError;

/// Why detection failed. Finding no face is not an error.
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
        /// The output that is missing or has another shape.
        reason: String,
    },
    /// Preprocessing could not resize the image to the model's input.
    #[error("the image cannot be resized for the model: {reason}")]
    Resize {
        /// The resizer's message.
        reason: String,
    },
}
