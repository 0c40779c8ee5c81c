//! Four-component JPEG files: CMYK, converted to sRGB.
//!
//! Files with Adobe's marker store inks inverted: 255 is none. Without the marker, the interpretation with less black
//! is used.

use jpeg_region::Jpeg;

use super::icc;
use crate::color::cmyk_to_rgb;

/// True if the interpretation depends on all pixels.
pub(super) fn needs_all_pixels(jpeg: &Jpeg<'_>) -> bool {
    jpeg.frame().components.len() == 4 && jpeg.adobe_transform().is_none()
}

/// Converts stored `samples`, four per pixel, to sRGB.
pub(super) fn to_srgb(mut samples: Vec<u8>, jpeg: &Jpeg<'_>) -> Vec<u8> {
    if jpeg.adobe_transform().is_some() || is_darker_as_ink(&samples) {
        for sample in &mut samples {
            *sample = 255 - *sample;
        }
    }
    cmyk_to_rgb(&samples, icc::profile(jpeg, b"CMYK").as_deref())
}

/// True if most of the fourth samples are above the middle.
fn is_darker_as_ink(samples: &[u8]) -> bool {
    let (pixels, _) = samples.as_chunks::<4>();
    pixels.iter().map(|pixel| u64::from(pixel[3])).sum::<u64>() > pixels.len() as u64 * 127
}
