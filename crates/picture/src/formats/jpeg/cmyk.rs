//! JPEG files of four components: printing inks, which come out as sRGB.
//!
//! Files with Adobe's marker store inks inverted: 255 for none. Without the marker the inks are taken in the way that gives less black.

use jpeg_region::Jpeg;

use super::icc;
use crate::color::cmyk_to_rgb;

/// True where only all pixels together show what their numbers mean.
pub(super) fn needs_all_pixels(jpeg: &Jpeg<'_>) -> bool {
    jpeg.frame().components.len() == 4 && jpeg.adobe_transform().is_none()
}

/// `samples` as they are stored, four a pixel, as sRGB.
pub(super) fn to_srgb(mut samples: Vec<u8>, jpeg: &Jpeg<'_>) -> Vec<u8> {
    if jpeg.adobe_transform().is_some() || is_blacker_as_ink(&samples) {
        for sample in &mut samples {
            *sample = 255 - *sample;
        }
    }
    cmyk_to_rgb(&samples, icc::profile(jpeg, b"CMYK").as_deref())
}

/// True where the fourth samples are mostly above the middle.
fn is_blacker_as_ink(samples: &[u8]) -> bool {
    let (pixels, _) = samples.as_chunks::<4>();
    pixels.iter().map(|pixel| u64::from(pixel[3])).sum::<u64>() > pixels.len() as u64 * 127
}
