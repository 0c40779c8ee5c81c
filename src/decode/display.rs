//! Copies of pictures small enough for the screen.

use std::sync::Arc;

use super::resize::{Filter, SourceBox, resize};
use super::{Channels, DecodeError, Picture, Pixels, to_srgb};
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
    /// Makes a copy of `pixels`, which mean what `profile` says.
    pub fn from_pixels(pixels: Pixels, profile: Option<&[u8]>) -> Self {
        let size = pixels.size();
        let rgba = to_srgb(pixels, profile).into_8_bits().into_channels(Channels::Rgba);
        Self { size, rgba: rgba.as_u8().unwrap_or_default().into() }
    }

    /// Copies all of `picture`, scaled so that its longer side is at most `max_side` pixels; never enlarged.
    ///
    /// # Errors
    /// The resizer refused.
    pub fn of(picture: &Picture, max_side: u32) -> Result<Self, DecodeError> {
        let size = picture.pixels.size();
        let to = picture.size().fit_within(max_side.min(size.long_side()));
        let profile = picture.info.icc_profile.as_deref();
        let whole = picture.whole_box();
        if to == size && whole == SourceBox::whole(size) {
            return Ok(Self::from_pixels(picture.pixels.clone(), profile));
        }
        let small = resize(&picture.pixels, whole, to, Filter::Area)
            .map_err(|reason| DecodeError::Broken { format: picture.info.format.name(), reason })?;
        Ok(Self::from_pixels(small, profile))
    }
}

impl std::fmt::Debug for DisplayCopy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DisplayCopy({})", self.size)
    }
}
