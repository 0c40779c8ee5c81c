//! Colour management: conversions between an embedded ICC profile and sRGB, and profiles for files that describe their
//! colours in other ways.
//!
//! Matrix profiles are converted with relative colorimetric intent. Table (LUT) profiles are converted with their
//! perceptual table, or with the colorimetric one if there is no other, like browsers and, by default, Pillow and
//! ImageMagick. If the darkest colour of a table profile is lighter than black, it is mapped to black (black point
//! compensation), since the black of a screen is the darkest colour that can be shown.

mod cmyk;
mod curve;
mod make;
mod tables;

#[cfg(test)]
mod reference;
#[cfg(test)]
mod test_profiles;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};

use moxcms::{
    ColorProfile, DataColorSpace, Layout, Matrix3d, ParsingOptions, TransformExecutor, TransformOptions, Xyzd,
};

pub(crate) use cmyk::cmyk_to_rgb;
use curve::Curve;
pub use make::srgb_profile;
pub(crate) use make::{profile_from_cicp, profile_from_gamma};
use tables::Tables;

use outcome::Channels;

use super::{Pixels, SamplesMut};

/// Maximum size of a profile in bytes; profiles of printing presses reach a few megabytes.
const MAX_PROFILE_BYTES: usize = 16 << 20;

/// Pixels per conversion step: few enough to stay in the CPU cache.
const CHUNK: usize = 4096;

/// Tolerance in XYZ for a colorant to count as that of sRGB: several times the rounding error, and a tenth of the
/// distance to the closest other colour space.
const SRGB_COLORANT: f64 = 0.001;

/// The tags that conversions use: colorants, curves and tables.
const TAGS: [&[u8; 4]; 13] = [
    b"rXYZ", b"gXYZ", b"bXYZ", b"rTRC", b"gTRC", b"bTRC", b"kTRC", b"A2B0", b"A2B1", b"A2B2", b"B2A0", b"B2A1", b"B2A2",
];

/// Converts `pixels` from `profile` to sRGB (grey: to the sRGB curve); alpha is unchanged. Pixels without a profile, or
/// with one that is sRGB or unusable, are returned unchanged.
#[must_use]
pub fn to_srgb(mut pixels: Pixels, profile: Option<&[u8]>) -> Pixels {
    let Some(profile) = profile.and_then(read).filter(|profile| !is_srgb_profile(profile)) else { return pixels };
    let channels = pixels.channels();
    guarded(|| match (profile.color_space, channels.is_grey()) {
        (DataColorSpace::Gray, true) => grey_to_srgb(pixels.samples_mut(), channels.count(), &profile),
        (DataColorSpace::Rgb, false) => colour_to_srgb(pixels.samples_mut(), channels, &profile),
        _ => None,
    });
    pixels
}

/// Converts an sRGB colour to `profile`, 0 to 65,535 per channel: the values that [`to_srgb`] converts back to it, or
/// the closest ones. A grey profile supports greys only. Without a usable profile, the sRGB values are returned.
pub fn from_srgb(rgb: [u8; 3], profile: Option<&[u8]>) -> [u16; 3] {
    let target = rgb.map(|sample| u16::from(sample) * 257);
    let Some(profile) = profile.and_then(read).filter(|profile| !is_srgb_profile(profile)) else { return target };
    let found = guarded(|| match profile.color_space {
        DataColorSpace::Rgb => to_device(target, &profile),
        DataColorSpace::Gray if target == [target[0]; 3] => to_grey(target[0], &profile).map(|grey| [grey; 3]),
        _ => None,
    });
    found.unwrap_or(target)
}

/// The grey of `profile` that converts to the value closest to `target` in sRGB.
fn to_grey(target: u16, profile: &ColorProfile) -> Option<u16> {
    let greys: Vec<u16> = (0..=u16::MAX).step_by(17).collect();
    let mut converted = greys.clone();
    grey_to_srgb(SamplesMut::U16(&mut converted), 1, profile)?;
    let nearest = greys.into_iter().zip(converted).min_by_key(|(_, srgb)| srgb.abs_diff(target));
    nearest.map(|(grey, _)| grey)
}

/// True if a conversion from `profile` to sRGB changes no 8-bit sample by more than one level.
pub(crate) fn is_srgb(profile: &[u8]) -> bool {
    read(profile).is_some_and(|profile| is_srgb_profile(&profile))
}

/// True if the profile's data colour space (bytes 16 to 19 of its header, ICC.1:2022 section 7.2) matches `channels`;
/// otherwise it does not apply to the decoded samples.
pub(crate) fn describes(profile: &[u8], channels: Channels) -> bool {
    profile.get(16..20) == Some(if channels.is_grey() { b"GRAY" } else { b"RGB " })
}

/// Parses a profile of acceptable size with usable values.
fn read(profile: &[u8]) -> Option<ColorProfile> {
    if profile.len() > MAX_PROFILE_BYTES {
        return None;
    }
    let profile = only_needed_tags(profile)?;
    let options = ParsingOptions { max_profile_size: MAX_PROFILE_BYTES + 1, ..ParsingOptions::default() };
    let profile = guarded(|| ColorProfile::new_from_slice_with_options(&profile, options).ok())?;
    let curves = [&profile.red_trc, &profile.green_trc, &profile.blue_trc, &profile.gray_trc];
    let curves_work = curves.into_iter().flatten().all(|curve| Curve::of(curve).is_some());
    (curves_work && (!profile.is_matrix_shaper() || is_invertible(&profile.colorant_matrix()))).then_some(profile)
}

/// A copy of `profile` with only the first tag of each name in [`TAGS`]; the names of all others are blanked, so that
/// they are not parsed. Overlapping text tags could take unlimited memory, and a broken text must not prevent a
/// conversion.
fn only_needed_tags(profile: &[u8]) -> Option<Vec<u8>> {
    let count = u32::from_be_bytes(profile.get(128..132)?.try_into().ok()?);
    let end = usize::try_from(count).ok()?.checked_mul(12)?.checked_add(132)?;
    let mut copy = profile.to_vec();
    let mut found = Vec::with_capacity(TAGS.len());
    for entry in copy.get_mut(132..end)?.chunks_exact_mut(12) {
        let name = [entry[0], entry[1], entry[2], entry[3]];
        if !TAGS.contains(&&name) || found.contains(&name) {
            entry[..4].fill(0);
        } else {
            found.push(name);
        }
    }
    Some(copy)
}

/// Runs `work`, which passes an untrusted profile to the library. A panic means that the profile is unusable.
fn guarded<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok().flatten()
}

/// True for colorants of plausible size that are not coplanar.
fn is_invertible(colorants: &Matrix3d) -> bool {
    let [[a, b, c], [d, e, f], [g, h, i]] = colorants.v;
    let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    colorants.v.iter().flatten().all(|value| value.abs() <= 4.0) && determinant.abs() >= 1e-4
}

fn is_srgb_profile(profile: &ColorProfile) -> bool {
    let near = |curve| Curve::of(curve).is_some_and(|curve| curve.is_srgb());
    if profile.pcs != DataColorSpace::Xyz || Tables::applies_to(profile) {
        return false;
    }
    match profile.color_space {
        DataColorSpace::Gray => profile.gray_trc.as_ref().is_some_and(near),
        DataColorSpace::Rgb => {
            let srgb = ColorProfile::new_srgb();
            let near_colorant = |a: Xyzd, b: Xyzd| {
                [a.x - b.x, a.y - b.y, a.z - b.z].iter().all(|difference| difference.abs() <= SRGB_COLORANT)
            };
            near_colorant(profile.red_colorant, srgb.red_colorant)
                && near_colorant(profile.green_colorant, srgb.green_colorant)
                && near_colorant(profile.blue_colorant, srgb.blue_colorant)
                && [&profile.red_trc, &profile.green_trc, &profile.blue_trc]
                    .into_iter()
                    .all(|curve| curve.as_ref().is_some_and(near))
        }
        _ => false,
    }
}

/// Grey has a single curve, so one lookup table suffices for all pixels.
fn grey_to_srgb(samples: SamplesMut<'_>, count: usize, profile: &ColorProfile) -> Option<()> {
    let curve = profile.gray_trc.as_ref().and_then(Curve::of)?;
    let through_lab = profile.pcs == DataColorSpace::Lab;
    match samples {
        SamplesMut::U8(samples) => {
            let table: Vec<u8> = (0..=u8::MAX)
                .map(|level| (curve.to_srgb(f64::from(level) / 255.0, through_lab) * 255.0).round() as u8)
                .collect();
            samples.chunks_exact_mut(count).for_each(|pixel| pixel[0] = table[usize::from(pixel[0])]);
        }
        SamplesMut::U16(samples) => {
            let table: Vec<u16> = (0..=u16::MAX)
                .map(|level| (curve.to_srgb(f64::from(level) / 65_535.0, through_lab) * 65_535.0).round() as u16)
                .collect();
            samples.chunks_exact_mut(count).for_each(|pixel| pixel[0] = table[usize::from(pixel[0])]);
        }
    }
    Some(())
}

fn colour_to_srgb(samples: SamplesMut<'_>, channels: Channels, profile: &ColorProfile) -> Option<()> {
    let layout = if channels.has_alpha() { Layout::Rgba } else { Layout::Rgb };
    if Tables::applies_to(profile) {
        let tables = Tables::new(profile, layout, layout)?;
        return match samples {
            SamplesMut::U8(samples) => tables.convert_8_bits(samples, channels.count()),
            SamplesMut::U16(samples) => tables.convert_16_bits(samples, channels.count()),
        };
    }
    let srgb = ColorProfile::new_srgb();
    match samples {
        SamplesMut::U8(samples) => {
            let transform = profile.create_transform_8bit(layout, &srgb, layout, options(false)).ok()?;
            in_chunks(&*transform, samples, channels.count())
        }
        SamplesMut::U16(samples) => {
            let transform = profile.create_transform_16bit(layout, &srgb, layout, options(true)).ok()?;
            in_chunks(&*transform, samples, channels.count())
        }
    }
}

/// Uses the curves of the profile itself, not those of a CICP tag in it. 13-bit fixed-point precision is sufficient for
/// 8-bit samples, but not for `deep` ones.
fn options(deep: bool) -> TransformOptions {
    TransformOptions { allow_use_cicp_transfer: false, prefer_fixed_point: !deep, ..TransformOptions::default() }
}

/// Converts in place through a small buffer, so that a large image is not in memory twice.
fn in_chunks<T: Copy + Default>(
    transform: &(dyn TransformExecutor<T> + Send + Sync),
    samples: &mut [T],
    count: usize,
) -> Option<()> {
    let chunk = CHUNK * count;
    let mut source = vec![T::default(); chunk.min(samples.len())];
    for samples in samples.chunks_mut(chunk) {
        let source = &mut source[..samples.len()];
        source.copy_from_slice(samples);
        transform.transform(source, samples).ok()?;
    }
    Some(())
}

/// The inverse conversion of the profile, refined iteratively: inverse tables are seldom exact, and input profiles have
/// none.
fn to_device(target: [u16; 3], profile: &ColorProfile) -> Option<[u16; 3]> {
    let srgb = ColorProfile::new_srgb();
    let mut intent = options(true);
    intent.rendering_intent = Tables::intent(profile);
    let tables = Tables::applies_to(profile).then(|| Tables::new(profile, Layout::Rgb, Layout::Rgb)).flatten();
    let direct = if tables.is_none() {
        Some(profile.create_transform_16bit(Layout::Rgb, &srgb, Layout::Rgb, options(true)).ok()?)
    } else {
        None
    };
    let converted = |device: [u16; 3]| -> Option<[u16; 3]> {
        let mut converted = device;
        match (&tables, &direct) {
            (Some(tables), _) => tables.convert_16_bits(&mut converted, 3)?,
            (None, Some(direct)) => direct.transform(&device, &mut converted).ok()?,
            (None, None) => return None,
        }
        Some(converted)
    };
    let mut device = target;
    if let Ok(back) = srgb.create_transform_16bit(Layout::Rgb, profile, Layout::Rgb, intent) {
        back.transform(&target, &mut device).ok()?;
    }
    let mut best = (u16::MAX, device);
    for _ in 0..24 {
        let converted = converted(device)?;
        let error = (0..3).map(|channel| converted[channel].abs_diff(target[channel])).max().unwrap_or(0);
        if error < best.0 {
            best = (error, device);
        }
        if error <= 16 {
            break;
        }
        for channel in 0..3 {
            let step = (i32::from(target[channel]) - i32::from(converted[channel])) * 3 / 4;
            device[channel] = (i32::from(device[channel]) + step).clamp(0, 65_535) as u16;
        }
    }
    Some(best.1)
}
