//! CMYK to sRGB.

use moxcms::{DataColorSpace, Layout};

use super::tables::Tables;
use super::{guarded, read};

/// Converts `cmyk`, four bytes per pixel (0 is no ink, 255 full ink), to three bytes per pixel of sRGB: with the tables
/// of `profile`, or, without a usable profile, as if each ink absorbed its primary only. Pillow, ImageMagick and
/// browsers do the latter for such files; no press prints like that, but files without a profile are mostly created
/// that way.
pub(crate) fn cmyk_to_rgb(cmyk: &[u8], profile: Option<&[u8]>) -> Vec<u8> {
    let cmyk = &cmyk[..cmyk.len() / 4 * 4];
    let mut rgb = vec![0; cmyk.len() / 4 * 3];
    let profile = profile.and_then(read).filter(|profile| profile.color_space == DataColorSpace::Cmyk);
    let by_profile = profile
        .and_then(|profile| guarded(|| Tables::new(&profile, Layout::Rgba, Layout::Rgb)?.cmyk_to_rgb(cmyk, &mut rgb)));
    if by_profile.is_none() {
        without_profile(cmyk, &mut rgb);
    }
    rgb
}

fn without_profile(cmyk: &[u8], rgb: &mut [u8]) {
    for (inks, pixel) in cmyk.chunks_exact(4).zip(rgb.chunks_exact_mut(3)) {
        let paper = 255 - u32::from(inks[3]);
        for (sample, ink) in pixel.iter_mut().zip(inks) {
            *sample = (((255 - u32::from(*ink)) * paper + 127) / 255) as u8;
        }
    }
}
