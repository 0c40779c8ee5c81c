//! Decoding with `libjpeg-turbo-rs`.

use libjpeg_turbo_rs::{
    DecodeLimits as ReaderLimits, DecodeWarning, Decoder, Image, JpegError, PixelFormat, ScalingFactor,
};

use outcome::{Channels, Damage};
use recipe::DecodeLimits;

use super::part::{Cut, Part};
use super::structure::{MAX_SCANS, Structure};
use super::walk::{Walked, walk};
use super::{cmyk, damage};
use crate::Pixels;
use crate::formats::Decoded;
use crate::want::StoredWant;

/// Decodes what is wanted of a file whose data is `walked`; the reader's words where it cannot.
pub(super) fn read(
    bytes: &[u8],
    structure: &Structure,
    want: StoredWant,
    limits: &DecodeLimits,
    walked: Walked,
) -> Result<Decoded, String> {
    let frame = &structure.frame;
    if frame.has_uneven_inks() {
        return Err("its inks are stored at several sizes".to_owned());
    }
    let want = StoredWant { reduction: want.reduction.min(frame.most_reduction()), ..want };
    let part = if cmyk::needs_all_pixels(structure) {
        Part::whole(frame.size, want.reduction)
    } else {
        Part::serving(want, frame.size, frame.mcu())
    };
    let is_sound = walked == Walked::Sound;
    // The rows beyond are grey, which must not be seen in the colour of the last row.
    let beyond = if is_sound { 0 } else { damage::rows_beyond(structure) };
    let looks_beyond = !frame.interpolates_rows(part.reduction);
    let mut cut = Cut::for_part(bytes, structure, &part, if looks_beyond { beyond } else { 0 });
    cmyk::mark(&mut cut, structure);
    let image = match decode(&cut, &part, structure, limits) {
        Ok(image) => image,
        Err(reason) => return fewer_scans(bytes, structure, &part, limits).ok_or(reason),
    };
    let mut damage = None;
    if !is_sound {
        damage = damage::of(bytes, structure, &image.warnings, &cut);
        if damage.is_none() && !looks_beyond && beyond > 0 {
            damage = judge(bytes, structure);
        }
        damage =
            first_scan_damage(bytes, structure, limits).or(damage).or_else(|| damage::of_walked(walked, structure));
    }
    finish(image, structure, &part, damage)
}

/// Decodes a file that holds `part` of another and nothing else; `None` where anything is wrong with it.
pub(super) fn read_excerpt(file: &[u8], structure: &Structure, part: &Part, limits: &DecodeLimits) -> Option<Decoded> {
    let mut decoder = Decoder::new_with_limits(file, reader_limits(limits, part.right - part.left)).ok()?;
    decoder.set_scale(ScalingFactor::try_new(1, part.reduction).ok()?);
    decoder.set_output_format(pixel_format(structure));
    let image = decoder.decode_image().ok()?;
    let size = part.size();
    if (image.width, image.height) != (size.width as usize, size.height as usize) || !image.warnings.is_empty() {
        return None;
    }
    finish(image, structure, part, None).ok()
}

/// What is wrong with the first scan of a progressive file: later scans go on over the grey that it leaves, as if nothing was
/// missing.
fn first_scan_damage(bytes: &[u8], structure: &Structure, limits: &DecodeLimits) -> Option<Damage> {
    if !damage::has_first_pass(structure) || walk(bytes, structure, 1) == Walked::Sound {
        return None;
    }
    judge_first_scan(bytes, structure, limits)
}

/// The same by a decode of the scan alone.
pub(super) fn judge_first_scan(bytes: &[u8], structure: &Structure, limits: &DecodeLimits) -> Option<Damage> {
    let part = Part::whole(structure.frame.size, 8);
    let judge = |more: u32| {
        let cut = Cut::first_scan(bytes, structure, more)?;
        Some((decode(&cut, &part, structure, limits).ok(), cut))
    };
    let (mut image, mut cut) = judge(damage::rows_beyond_first_scan(structure))?;
    if image.is_none() {
        // Beyond the picture, the bits that fill up the last byte need not be a code.
        (image, cut) = judge(0)?;
    }
    damage::of_first_scan(bytes, structure, image.as_ref().map(|image| image.warnings.as_slice()), &cut)
}

/// What is wrong with data that was not found sound, seen in a decode of all of it at 1/8. The picture is taken to be within limits.
pub(super) fn judge(bytes: &[u8], structure: &Structure) -> Option<Damage> {
    let part = Part::whole(structure.frame.size, 8);
    let cut = Cut::for_part(bytes, structure, &part, damage::rows_beyond(structure));
    let limits = DecodeLimits { max_pixels: u64::MAX, ..DecodeLimits::default() };
    let image = decode(&cut, &part, structure, &limits).ok()?;
    damage::of(bytes, structure, &image.warnings, &cut)
}

fn finish(image: Image, structure: &Structure, part: &Part, damage: Option<Damage>) -> Result<Decoded, String> {
    let (channels, samples) = match structure.frame.components.len() {
        1 => (Channels::L, image.data),
        3 => (Channels::Rgb, image.data),
        _ => (Channels::Rgb, cmyk::to_srgb(image.data, structure)),
    };
    let pixels =
        Pixels::from_u8(part.size(), channels, samples).ok_or("it gave another number of pixels than promised")?;
    Ok(Decoded { pixels, corner: (part.left, part.top), reduction: part.reduction, damage, icc_profile: None })
}

/// Pixels of `part` as the reader gives them, without the rows that were only promised to it.
fn decode(cut: &Cut, part: &Part, structure: &Structure, limits: &DecodeLimits) -> Result<Image, String> {
    let frame = &structure.frame;
    let words = |error: JpegError| error.to_string();
    let limits = reader_limits(limits, frame.size.width);
    let mut decoder = Decoder::new_with_limits(&cut.bytes, limits).map_err(words)?;
    decoder.set_lenient(true);
    decoder.set_block_smoothing(frame.is_progressive());
    decoder.set_scale(ScalingFactor::try_new(1, part.reduction).map_err(words)?);
    decoder.set_output_format(pixel_format(structure));
    let size = part.size();
    let (width, height) = (size.width as usize, size.height as usize);
    if size.width < frame.size.width.div_ceil(part.reduction) {
        decoder.set_crop((part.left / part.reduction) as usize, width);
    }
    let top = part.top / part.reduction;
    if top > 0 || size.height < cut.height.div_ceil(part.reduction) {
        decoder.set_crop_y(top as usize, height);
    }
    let image = decoder.decode_image().map_err(words)?;
    if (image.width, image.height) != (width, height) {
        return Err(format!("it gave {} x {} pixels in place of {size}", image.width, image.height));
    }
    if let Some(DecodeWarning::UnsupportedRecovered { detail }) =
        image.warnings.iter().find(|warning| matches!(warning, DecodeWarning::UnsupportedRecovered { .. }))
    {
        return Err(detail.clone());
    }
    Ok(image)
}

fn reader_limits(limits: &DecodeLimits, width: u32) -> ReaderLimits {
    ReaderLimits {
        max_width: usize::from(u16::MAX),
        max_height: usize::from(u16::MAX),
        // A row of MCUs more than the picture has may have been promised.
        max_pixels: limits.max_pixels.saturating_add(u64::from(width) * 32),
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

/// A file of several scans of which one cannot be read, up to that one.
fn fewer_scans(bytes: &[u8], structure: &Structure, part: &Part, limits: &DecodeLimits) -> Option<Decoded> {
    if !structure.frame.is_progressive() {
        return None;
    }
    let up_to = |scans: usize| {
        let end = structure.scans.get(scans)?.marker_at;
        let start = [bytes.get(..end)?, b"\xff\xd9"].concat();
        let mut cut = Cut { bytes: start.into(), height: structure.frame.size.height, is_beyond: false };
        cmyk::mark(&mut cut, structure);
        decode(&cut, part, structure, limits).ok()
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
    let damage = first_scan_damage(bytes, structure, limits).filter(|damage| damage.missing_rows > 0);
    let damage = damage.unwrap_or_else(|| damage::without_detail(structure));
    finish(best?, structure, part, Some(damage)).ok()
}
