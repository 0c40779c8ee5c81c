//! Decoding with `libjpeg-turbo-rs`.

use libjpeg_turbo_rs::{DecodeLimits, DecodeWarning, Decoder, Image, JpegError, PixelFormat, ScalingFactor};

use crate::damage;
use crate::damage::{Damage, DamageCause};
use crate::decoded::{Decoded, SampleFormat};
use crate::error::Error;
use crate::integrity::{Integrity, integrity};
use crate::marker::APP14;
use crate::region::{McuRegion, Region, Scale};
use crate::structure::{MAX_SCANS, Structure};
use crate::substream::Substream;

/// Decodes a region of a file; `integrity` is the result of its integrity check.
pub(crate) fn decode_region(
    bytes: &[u8],
    structure: &Structure,
    region: Region,
    scale: Scale,
    integrity: Integrity,
) -> Result<Decoded, Error> {
    let frame = &structure.frame;
    let max = Scale::from_reduction(frame.max_reduction()).unwrap_or_default();
    let region = McuRegion::around(region, scale.min(max), frame.size(), frame.mcu());
    let is_intact = integrity == Integrity::Intact;
    // The extra lines are grey and must not affect the chroma of the last row.
    let extra_lines = if is_intact { 0 } else { damage::extra_lines(structure) };
    let decodes_extra_lines = !frame.interpolates_rows(region.scale.reduction());
    let substream = Substream::for_region(bytes, structure, &region, if decodes_extra_lines { extra_lines } else { 0 });
    let substream = with_adobe_marker(substream, structure);
    let image = match decode(&substream, &region, structure) {
        Ok(image) => image,
        Err(error) => return decode_fewer_scans(bytes, structure, &region).ok_or(error),
    };
    let mut damage = None;
    if !is_intact {
        damage = damage::of_warnings(bytes, structure, &image.warnings, &substream);
        if damage.is_none() && !decodes_extra_lines && extra_lines > 0 {
            damage = damage_at_eighth(bytes, structure);
        }
        damage = damage_of_first_scan(bytes, structure).or(damage).or_else(|| {
            // Truncated files are reported above.
            damage::of_integrity(integrity, structure).filter(|_| structure.is_complete)
        });
    }
    Ok(decoded(image, structure, &region, damage))
}

/// Decodes a file that contains exactly `region` of another one; `None` on any error or warning.
pub(crate) fn decode_crop(file: &[u8], structure: &Structure, region: &McuRegion) -> Option<Decoded> {
    let size = (region.right - region.left, region.bottom - region.top);
    let mut decoder = Decoder::new_with_limits(file, limits(size)).ok()?;
    decoder.set_scale(ScalingFactor::try_new(1, region.scale.reduction()).ok()?);
    decoder.set_output_format(pixel_format(structure));
    let image = decoder.decode_image().ok()?;
    let (width, height) = region.output_size();
    if (image.width, image.height) != (width as usize, height as usize) || !image.warnings.is_empty() {
        return None;
    }
    Some(decoded(image, structure, region, None))
}

/// Damage of a file that failed the integrity check, from a decode of the whole image at 1/8.
pub(crate) fn damage_at_eighth(bytes: &[u8], structure: &Structure) -> Option<Damage> {
    let region = McuRegion::whole(structure.frame.size(), Scale::Eighth);
    let substream = Substream::for_region(bytes, structure, &region, damage::extra_lines(structure));
    let image = decode(&substream, &region, structure).ok()?;
    damage::of_warnings(bytes, structure, &image.warnings, &substream)
}

/// Damage of the first scan of a progressive file: later scans refine the grey that it leaves, as if nothing were
/// missing.
fn damage_of_first_scan(bytes: &[u8], structure: &Structure) -> Option<Damage> {
    if !damage::has_first_pass(structure) || integrity(bytes, structure, 1) == Integrity::Intact {
        return None;
    }
    decode_first_scan(bytes, structure)
}

/// The same from a decode of that scan alone.
pub(crate) fn decode_first_scan(bytes: &[u8], structure: &Structure) -> Option<Damage> {
    let region = McuRegion::whole(structure.frame.size(), Scale::Eighth);
    let with_lines = |more: u32| {
        let substream = Substream::first_scan(bytes, structure, more)?;
        Some((decode(&substream, &region, structure).ok(), substream))
    };
    let (mut image, mut substream) = with_lines(damage::extra_lines_first_scan(structure))?;
    if image.is_none() {
        // Past the end of the image, padding bits need not be a valid code.
        (image, substream) = with_lines(0)?;
    }
    damage::of_first_scan(bytes, structure, image.as_ref().map(|image| image.warnings.as_slice()), &substream)
}

/// Decodes a multi-scan file with an undecodable scan up to that scan.
fn decode_fewer_scans(bytes: &[u8], structure: &Structure, region: &McuRegion) -> Option<Decoded> {
    if !structure.frame.is_progressive() {
        return None;
    }
    let up_to = |scans: usize| {
        let end = structure.scans.get(scans)?.offset;
        let substream = with_adobe_marker(Substream::up_to(bytes.get(..end)?, structure), structure);
        decode(&substream, region, structure).ok()
    };
    // Bisects for the maximum number of decodable scans, at least one; decoding fails from the broken scan on.
    let (mut readable, mut broken) = (0, structure.scans.len());
    let mut best = None;
    while readable + 1 < broken {
        let middle = readable.midpoint(broken);
        match up_to(middle) {
            Some(image) => (best, readable) = (Some(image), middle),
            None => broken = middle,
        }
    }
    let damage = damage_of_first_scan(bytes, structure).filter(|damage| damage.missing_rows > 0);
    let damage = damage.unwrap_or_else(|| Damage::new(structure, 0, DamageCause::RefinementLost));
    Some(decoded(best?, structure, region, Some(damage)))
}

/// Samples of `region`, without the extra lines.
fn decode(substream: &Substream<'_>, region: &McuRegion, structure: &Structure) -> Result<Image, Error> {
    let frame = &structure.frame;
    let failed = |error: JpegError| Error::Decoder(error.to_string());
    let mut decoder = Decoder::new_with_limits(&substream.bytes, limits(frame.size())).map_err(failed)?;
    let reduction = region.scale.reduction();
    decoder.set_lenient(true);
    decoder.set_block_smoothing(frame.is_progressive());
    decoder.set_scale(ScalingFactor::try_new(1, reduction).map_err(failed)?);
    decoder.set_output_format(pixel_format(structure));
    let expected = region.output_size();
    let (width, height) = (expected.0 as usize, expected.1 as usize);
    if expected.0 < frame.width.div_ceil(reduction) {
        decoder.set_crop((region.left / reduction) as usize, width);
    }
    let top = region.top / reduction;
    if top > 0 || expected.1 < substream.height.div_ceil(reduction) {
        decoder.set_crop_y(top as usize, height);
    }
    let image = decoder.decode_image().map_err(failed)?;
    if (image.width, image.height) != (width, height) {
        return Err(Error::WrongSize { got: (image.width, image.height), expected });
    }
    let unsupported = image.warnings.iter().find_map(|warning| match warning {
        DecodeWarning::UnsupportedRecovered { detail } => Some(detail.clone()),
        _ => None,
    });
    match unsupported {
        Some(detail) => Err(Error::Decoder(detail)),
        None => Ok(image),
    }
}

fn decoded(image: Image, structure: &Structure, region: &McuRegion, damage: Option<Damage>) -> Decoded {
    let format = match structure.frame.components.len() {
        1 => SampleFormat::Grey,
        3 => SampleFormat::Rgb,
        _ => SampleFormat::Cmyk,
    };
    Decoded::new(region, format, image.data, damage)
}

/// Decode limits for an image of `size`.
fn limits((width, height): (u32, u32)) -> DecodeLimits {
    DecodeLimits {
        max_width: usize::from(u16::MAX),
        max_height: usize::from(u16::MAX),
        // Extra lines up to the end of one more MCU row may be declared.
        max_pixels: u64::from(width) * (u64::from(height) + 64),
        max_scans: MAX_SCANS,
        max_memory: None,
    }
}

fn pixel_format(structure: &Structure) -> PixelFormat {
    match structure.frame.components.len() {
        1 => PixelFormat::Grayscale,
        3 => PixelFormat::Rgb,
        _ => PixelFormat::Cmyk,
    }
}

/// Adds Adobe's marker to a YCCK file that lacks it, so that libjpeg-turbo-rs recognises the format: component
/// identifiers 1 to 4 with a subsampled second and third component.
fn with_adobe_marker<'a>(mut substream: Substream<'a>, structure: &Structure) -> Substream<'a> {
    let [first, second, third, fourth] = structure.frame.components.as_slice() else { return substream };
    let ids = [first.id, second.id, third.id, fourth.id];
    let is_ycck = ids == [1, 2, 3, 4]
        && first.sampling == fourth.sampling
        && second.sampling == third.sampling
        && first.sampling != second.sampling;
    if structure.adobe_transform.is_none() && is_ycck {
        let mut marked = b"\xff\xd8\xff".to_vec();
        marked.push(APP14);
        marked.extend_from_slice(b"\0\x0eAdobe\0\x64\0\0\0\0\x02");
        marked.extend_from_slice(substream.bytes.get(2..).unwrap_or_default());
        substream.bytes = marked.into();
    }
    substream
}
