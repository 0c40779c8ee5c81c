//! Rendering errors.

use geometry::{PixelRect, Size};

/// Why a crop cannot be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The frame does not overlap the image.
    #[error("the crop frame {frame:?} is outside the image ({picture} pixels)")]
    OutsidePicture {
        frame: PixelRect,
        /// The image's size.
        picture: Size,
    },
    /// Resizing failed.
    #[error("the crop cannot be resized: {reason}")]
    Resize {
        /// The resizer's message.
        reason: String,
    },
    /// The sheet is laid out for crops of another size.
    #[error("the crop has {crop} pixels, but the sheet is laid out for {place}")]
    NotOfSheet {
        /// The crop's size.
        crop: Size,
        /// The size of the copies on the sheet.
        place: Size,
    },
}
