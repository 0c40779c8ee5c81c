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

/// Decodes a region of a file whose data is `found` so.
pub(crate) fn decode_region(
    bytes: &[u8],
    structure: &Structure,
    region: Region,
    scale: Scale,
    found: Integrity,
) -> Result<Decoded, Error> {
    let frame = &structure.frame;
    let max = Scale::from_reduction(frame.max_reduction()).unwrap_or_default();
    let region = McuRegion::around(region, scale.min(max), frame.size(), frame.mcu());
    let is_intact = found == Integrity::Intact;
    // The lines beyond are grey, which must not be seen in the colour of the last row.
    let beyond = if is_intact { 0 } else { damage::lines_beyond(structure) };
    let decodes_beyond = !frame.interpolates_rows(region.scale.reduction());
    let substream = Substream::for_region(bytes, structure, &region, if decodes_beyond { beyond } else { 0 });
    let substream = marked_as_ycck(substream, structure);
    let image = match decode(&substream, &region, structure) {
        Ok(image) => image,
        Err(error) => return decode_fewer_scans(bytes, structure, &region).ok_or(error),
    };
    let mut damage = None;
    if !is_intact {
        damage = damage::of_warnings(bytes, structure, &image.warnings, &substream);
        if damage.is_none() && !decodes_beyond && beyond > 0 {
            damage = damage_at_eighth(bytes, structure);
        }
        damage = damage_of_first_scan(bytes, structure).or(damage).or_else(|| {
            // A file without its end has had its say above.
            damage::of_integrity(found, structure).filter(|_| structure.is_complete)
        });
    }
    Ok(decoded(image, structure, &region, damage))
}

/// Decodes a file that holds `region` of another and nothing else; `None` if anything is wrong with it.
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

/// What is wrong with data that was not found intact, by a decode of all of it at 1/8.
pub(crate) fn damage_at_eighth(bytes: &[u8], structure: &Structure) -> Option<Damage> {
    let region = McuRegion::whole(structure.frame.size(), Scale::Eighth);
    let substream = Substream::for_region(bytes, structure, &region, damage::lines_beyond(structure));
    let image = decode(&substream, &region, structure).ok()?;
    damage::of_warnings(bytes, structure, &image.warnings, &substream)
}

/// What is wrong with the first scan of a progressive file: later scans go on over the grey that it leaves, as if nothing was
/// missing.
fn damage_of_first_scan(bytes: &[u8], structure: &Structure) -> Option<Damage> {
    if !damage::has_first_pass(structure) || integrity(bytes, structure, 1) == Integrity::Intact {
        return None;
    }
    decode_first_scan(bytes, structure)
}

/// The same by a decode of the scan alone.
pub(crate) fn decode_first_scan(bytes: &[u8], structure: &Structure) -> Option<Damage> {
    let region = McuRegion::whole(structure.frame.size(), Scale::Eighth);
    let with_lines = |more: u32| {
        let substream = Substream::first_scan(bytes, structure, more)?;
        Some((decode(&substream, &region, structure).ok(), substream))
    };
    let (mut image, mut substream) = with_lines(damage::lines_beyond_first_scan(structure))?;
    if image.is_none() {
        // Beyond the picture, padding bits need not be a code.
        (image, substream) = with_lines(0)?;
    }
    damage::of_first_scan(bytes, structure, image.as_ref().map(|image| image.warnings.as_slice()), &substream)
}

/// Decodes a file of several scans of which one cannot be read up to that one.
fn decode_fewer_scans(bytes: &[u8], structure: &Structure, region: &McuRegion) -> Option<Decoded> {
    if !structure.frame.is_progressive() {
        return None;
    }
    let up_to = |scans: usize| {
        let end = structure.scans.get(scans)?.offset;
        let substream = marked_as_ycck(Substream::up_to(bytes.get(..end)?, structure), structure);
        decode(&substream, region, structure).ok()
    };
    // The most scans that can be read, at least one; reading fails from the broken scan on.
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

/// Samples of `region`, without the lines that were only promised.
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

/// What libjpeg-turbo-rs may take for a picture of `size`.
fn limits((width, height): (u32, u32)) -> DecodeLimits {
    DecodeLimits {
        max_width: usize::from(u16::MAX),
        max_height: usize::from(u16::MAX),
        // Lines up to the end of another row of MCUs may have been promised.
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

/// The file with Adobe's marker if it is YCCK and lacks it, so that libjpeg-turbo-rs knows what it is: components of identifiers 1 to 4
/// of which the second and third have fewer samples.
fn marked_as_ycck<'a>(mut substream: Substream<'a>, structure: &Structure) -> Substream<'a> {
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
