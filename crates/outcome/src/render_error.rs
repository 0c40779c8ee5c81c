//! Why a crop cannot be rendered.

use geometry::{PixelRect, Size};

/// A crop that cannot be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The frame shows no part of the picture.
    #[error("the crop frame {frame:?} lies outside the picture of {picture} pixels")]
    OutsidePicture {
        /// The frame.
        frame: PixelRect,
        /// The picture's size.
        picture: Size,
    },
    /// The resizer refused.
    #[error("the crop cannot be resized: {reason}")]
    Resize {
        /// The resizer's words.
        reason: String,
    },
    /// The sheet is laid out for crops of another size.
    #[error("the crop of {crop} pixels is not the one the sheet is laid out for, of {place}")]
    NotOfSheet {
        /// The crop's size.
        crop: Size,
        /// The size of the places on the sheet.
        place: Size,
    },
}
