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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{PictureFormat, PictureInfo};

    #[test]
    fn the_screen_is_shown_srgb_whether_scaled_or_not() {
        let profile = moxcms::ColorProfile::new_display_p3().encode().expect("encodes");
        for deep in [false, true] {
            let size = Size::new(8, 6);
            let samples = [200, 120, 60].repeat(48);
            let pixels = if deep {
                Pixels::from_u16(size, Channels::Rgb, samples.iter().map(|sample| sample * 257).collect())
            } else {
                Pixels::from_u8(size, Channels::Rgb, samples.iter().map(|sample| *sample as u8).collect())
            };
            let pixels = pixels.expect("fits");
            let mut info = PictureInfo::plain(size, PictureFormat::Png, pixels.layout());
            info.icc_profile = Some(profile.clone().into());
            let picture = Picture::whole(info, pixels);
            for max_side in [8, 4] {
                let copy = DisplayCopy::of(&picture, max_side).expect("copies");
                assert_eq!(copy.size.long_side(), max_side);
                for pixel in copy.rgba.chunks_exact(4) {
                    // Display P3 200, 120, 60 is sRGB 213, 115, 42 (LittleCMS).
                    assert!(pixel.iter().zip([213, 115, 42, 255]).all(|(a, b)| a.abs_diff(b) <= 1), "{pixel:?}");
                }
            }
        }
    }
}
