//! Copies of pictures small enough for the screen.

use std::sync::Arc;

use super::resize::{Filter, SourceBox, resize};
use super::{DecodeError, Picture, PixelLayout};
use crate::geometry::Size;

/// An upright copy for the screen: RGBA, 8 bits each, colour not multiplied by alpha. Clones share the pixels.
#[derive(Clone, PartialEq, Eq)]
pub struct DisplayCopy {
    /// Size of the copy in pixels.
    pub size: Size,
    /// Rows from top to bottom without gaps: width x height x 4 bytes.
    pub rgba: Arc<[u8]>,
}

impl DisplayCopy {
    /// Makes a copy from pixels of `layout`.
    pub fn from_pixels(size: Size, layout: PixelLayout, pixels: &[u8]) -> Self {
        let rgba = match layout {
            PixelLayout::Rgba8 => pixels.into(),
            PixelLayout::Rgb8 => {
                let mut rgba = Vec::with_capacity(pixels.len() / 3 * 4);
                for rgb in pixels.chunks_exact(3) {
                    rgba.extend_from_slice(&[rgb[0], rgb[1], rgb[2], 255]);
                }
                rgba.into()
            }
        };
        Self { size, rgba }
    }

    /// Copies `picture`, scaled so that its longer side is at most `max_side` pixels; never enlarged.
    ///
    /// # Errors
    /// The resizer refused.
    pub fn of(picture: &Picture, max_side: u32) -> Result<Self, DecodeError> {
        let size = picture.size();
        let to = size.fit_within(max_side);
        if to == size {
            return Ok(Self::from_pixels(size, picture.layout, &picture.pixels));
        }
        let small = resize(&picture.pixels, picture.layout, size, SourceBox::whole(size), to, Filter::Area)
            .map_err(|reason| DecodeError::Broken { format: picture.info.format.name(), reason })?;
        Ok(Self::from_pixels(to, picture.layout, &small))
    }
}

impl std::fmt::Debug for DisplayCopy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DisplayCopy({})", self.size)
    }
}
