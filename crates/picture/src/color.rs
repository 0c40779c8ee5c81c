//! What numbers mean: conversions between an embedded profile and sRGB, and profiles for what files say in other ways.
//!
//! A profile that is made of a matrix and curves is converted colorimetrically, the only way it knows. One that is made of
//! tables is converted by its perceptual table, and by its colorimetric one where it has no other: so do browsers, and so
//! do Pillow and ImageMagick unless told otherwise. Where its darkest colour is lighter than black, it becomes black (black
//! point compensation), since the black of a screen is the darkest that can be shown.

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

/// Bytes of the largest profile that is read; profiles of presses reach a few megabytes.
const MAX_PROFILE_BYTES: usize = 16 << 20;

/// Pixels converted at a time: few enough to stay in the processor's cache.
const CHUNK: usize = 4096;

/// How far a colorant may be from that of sRGB, in XYZ, and still be it: several times what rounding leaves, and a tenth of
/// what sets the next space apart.
const SRGB_COLORANT: f64 = 0.001;

/// The tags that conversions use: colorants, curves and tables.
const TAGS: [&[u8; 4]; 13] = [
    b"rXYZ", b"gXYZ", b"bXYZ", b"rTRC", b"gTRC", b"bTRC", b"kTRC", b"A2B0", b"A2B1", b"A2B2", b"B2A0", b"B2A1", b"B2A2",
];

/// `pixels` of `profile` as sRGB (grey: as the sRGB curve); alpha stays as it is. Without a profile, or with one that is
/// sRGB or cannot be used, they come back as they are.
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

/// An sRGB colour as the numbers of `profile`, 0 to 65,535 each: those that [`to_srgb`] turns into it, or into what is
/// nearest. A profile of grey serves greys alone. Without a profile that can be used, the numbers of sRGB.
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

/// The grey of `profile` that comes out nearest to `target` in sRGB.
fn to_grey(target: u16, profile: &ColorProfile) -> Option<u16> {
    let greys: Vec<u16> = (0..=u16::MAX).step_by(17).collect();
    let mut converted = greys.clone();
    grey_to_srgb(SamplesMut::U16(&mut converted), 1, profile)?;
    let nearest = greys.into_iter().zip(converted).min_by_key(|(_, srgb)| srgb.abs_diff(target));
    nearest.map(|(grey, _)| grey)
}

/// True where converting from `profile` to sRGB would change nothing that can be seen: at most one of 256 levels.
#[cfg(test)]
fn is_srgb(profile: &[u8]) -> bool {
    read(profile).is_some_and(|profile| is_srgb_profile(&profile))
}

/// True where the profile's data colour space (bytes 16 to 19 of its header, ICC.1:2022 section 7.2) is that of `channels`:
/// only then does it say what the decoded numbers mean.
pub(crate) fn describes(profile: &[u8], channels: Channels) -> bool {
    profile.get(16..20) == Some(if channels.is_grey() { b"GRAY" } else { b"RGB " })
}

/// Parses a profile of a size and with numbers that can be calculated with.
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

/// A copy of `profile` in which the names of all tags but the first of each in [`TAGS`] are blank, so that they are not
/// read: texts whose parts overlap could take memory without end, and a broken text is no reason not to convert.
fn only_needed_tags(profile: &[u8]) -> Option<Vec<u8>> {
    let count = u32::from_be_bytes(profile.get(128..132)?.try_into().ok()?);
    let end = usize::try_from(count).ok()?.checked_mul(12)?.checked_add(132)?;
    let mut copy = profile.to_vec();
    let mut seen = Vec::with_capacity(TAGS.len());
    for entry in copy.get_mut(132..end)?.chunks_exact_mut(12) {
        let name = [entry[0], entry[1], entry[2], entry[3]];
        if !TAGS.contains(&&name) || seen.contains(&name) {
            entry[..4].fill(0);
        } else {
            seen.push(name);
        }
    }
    Some(copy)
}

/// Runs `work`, which hands a foreign profile to the library. A panic there is a profile that cannot be used.
fn guarded<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok().flatten()
}

/// True for colorants of sane size that do not lie in one plane.
fn is_invertible(colorants: &Matrix3d) -> bool {
    let [[a, b, c], [d, e, f], [g, h, i]] = colorants.v;
    let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    colorants.v.iter().flatten().all(|value| value.abs() <= 4.0) && determinant.abs() >= 1e-4
}

fn is_srgb_profile(profile: &ColorProfile) -> bool {
    let near = |curve| Curve::of(curve).is_some_and(|curve| curve.is_srgb());
    if profile.pcs != DataColorSpace::Xyz || Tables::are_in(profile) {
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

/// Grey is one curve, so one table does for every pixel.
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
    if Tables::are_in(profile) {
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

/// Curves of the profile itself, not those that a CICP tag in it names; whole numbers of 13 bits are exact enough for 8
/// bits a sample, but not where the numbers are `deep`.
fn options(deep: bool) -> TransformOptions {
    TransformOptions { allow_use_cicp_transfer: false, prefer_fixed_point: !deep, ..TransformOptions::default() }
}

/// Converts in place by way of a small copy, so that a large picture is not held twice.
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

/// The way back, as the profile gives it, and then nearer: the way back through tables is seldom exact, and a profile of an
/// input device has none.
fn to_device(target: [u16; 3], profile: &ColorProfile) -> Option<[u16; 3]> {
    let srgb = ColorProfile::new_srgb();
    let mut intent = options(true);
    intent.rendering_intent = Tables::intent(profile);
    let tables = Tables::are_in(profile).then(|| Tables::new(profile, Layout::Rgb, Layout::Rgb)).flatten();
    let direct = if tables.is_none() {
        Some(profile.create_transform_16bit(Layout::Rgb, &srgb, Layout::Rgb, options(true)).ok()?)
    } else {
        None
    };
    let seen = |device: [u16; 3]| -> Option<[u16; 3]> {
        let mut seen = device;
        match (&tables, &direct) {
            (Some(tables), _) => tables.convert_16_bits(&mut seen, 3)?,
            (None, Some(direct)) => direct.transform(&device, &mut seen).ok()?,
            (None, None) => return None,
        }
        Some(seen)
    };
    let mut device = target;
    if let Ok(back) = srgb.create_transform_16bit(Layout::Rgb, profile, Layout::Rgb, intent) {
        back.transform(&target, &mut device).ok()?;
    }
    let mut best = (u16::MAX, device);
    for _ in 0..24 {
        let seen = seen(device)?;
        let error = (0..3).map(|channel| seen[channel].abs_diff(target[channel])).max().unwrap_or(0);
        if error < best.0 {
            best = (error, device);
        }
        if error <= 16 {
            break;
        }
        for channel in 0..3 {
            let step = (i32::from(target[channel]) - i32::from(seen[channel])) * 3 / 4;
            device[channel] = (i32::from(device[channel]) + step).clamp(0, 65_535) as u16;
        }
    }
    Some(best.1)
}
