//! PNG: decoded row by row, so that a truncated file keeps the rows before the cut. Of an animation, the default image.

mod color;
mod feed;

use std::cell::Cell;

use png::{BitDepth, ColorType, Decoder, DecodingError, InterlaceInfo, Limits, Reader, Transformations};

use geometry::Size;
use outcome::{Channels, Damage, DecodeError, PixelLayout};
use recipe::DecodeLimits;

use self::feed::Feed;
use super::parts::{FIRST_FRAME, broken};
use super::{Decoded, Header};
use crate::Pixels;
use crate::request::StoredRequest;

const NAME: &str = "PNG";

/// The grey of missing rows, opaque: at neither end of the scale, so that it is never mistaken for white paper or black
/// at the edge of a crop, and neutral in every profile.
const NEUTRAL: u8 = 128;

/// Memory limit for the decoder besides the image: header chunks, including an unpacked colour profile, and one row.
const OVERHEAD_BYTES: usize = 64 << 20;

/// Bytes passed to the decoder per step: larger steps are faster, smaller ones locate an error more precisely.
const FEED_STEP: usize = 1 << 15;

pub(super) fn header(bytes: &[u8], _limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let at = Cell::new(0);
    let reader = open(Feed::new(bytes, &at, FEED_STEP), false).map_err(|error| refused(&error))?;
    let layout = layout(&reader)?;
    let info = reader.info();
    let animated = info.animation_control.is_some_and(|control| control.num_frames > 1);
    Ok(Header {
        stored: Size::new(info.width, info.height),
        orientation: None,
        layout,
        icc_profile: color::profile(info, layout.channels),
        decodes_in_part: false,
        note: animated.then_some(FIRST_FRAME),
    })
}

pub(super) fn pixels(
    bytes: &[u8],
    header: &Header,
    _request: StoredRequest,
    _limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let PixelLayout { channels, deep } = header.layout;
    let row = header.stored.width as usize * header.layout.bytes();
    let count = header.stored.pixels() as usize * channels.count();
    let (pixels, damage) = if deep {
        // Decodes in place to avoid a copy.
        let mut samples = vec![0_u16; count];
        let damage = fill(bytes, header, row, bytemuck::cast_slice_mut(&mut samples))?;
        samples.iter_mut().for_each(|sample| *sample = u16::from_be(*sample));
        (Pixels::from_u16(header.stored, channels, samples), damage)
    } else {
        let mut samples = vec![0; count];
        let damage = fill(bytes, header, row, &mut samples)?;
        (Pixels::from_u8(header.stored, channels, samples), damage)
    };
    let pixels = pixels.ok_or_else(|| broken(NAME, "the number of samples is wrong"))?;
    Ok(Decoded { damage, ..Decoded::whole(pixels) })
}

/// Reads as many rows as possible into `samples`, `row` bytes each.
fn fill(bytes: &[u8], header: &Header, row: usize, samples: &mut [u8]) -> Result<Option<Damage>, DecodeError> {
    let (at, rows) = (Cell::new(0), header.stored.height);
    let Err(mut error) = read(Feed::new(bytes, &at, FEED_STEP), false, false, row, samples).outcome else {
        return Ok(None);
    };
    let reason = message(&error);
    // A wrong checksum does not locate the error, so decoding continues after it.
    let lenient = is_checksum(&error);
    if lenient {
        match read(Feed::new(bytes, &at, FEED_STEP), lenient, false, row, samples).outcome {
            Ok(()) => return Ok(Some(Damage { missing_rows: 0, rows, reason })),
            Err(next) => error = next,
        }
    }
    // The decoder withholds rows unpacked before data that it cannot read, but returns them if the data merely ends. So
    // the error is located to the byte, and the data truncated there.
    let mut bytewise_from = usize::MAX;
    if !is_end(&error) {
        bytewise_from = at.get();
        let _ = read(Feed::new(bytes, &at, FEED_STEP).bytewise_from(bytewise_from), lenient, false, row, samples);
    }
    let intact = bytes.get(..at.get()).unwrap_or(bytes);
    fill_neutral(samples, header);
    // With the same steps, since the errors of the decoder depend on the size of its input.
    let progress = read(Feed::new(intact, &at, FEED_STEP).bytewise_from(bytewise_from), lenient, true, row, samples);
    if progress.rows == 0 {
        return Err(broken(NAME, format!("no row can be read ({reason})")));
    }
    let complete = if is_interlaced(bytes) { complete_rows(header.stored, progress.rows) } else { progress.rows };
    let missing_rows = rows.saturating_sub(complete);
    Ok((missing_rows > 0 || lenient).then_some(Damage { missing_rows, rows, reason }))
}

/// The last byte of the header chunk, which is always the first.
fn is_interlaced(bytes: &[u8]) -> bool {
    bytes.get(28) == Some(&1)
}

/// Fills all pixels with [`NEUTRAL`], opaque. Both bytes of 16-bit grey equal the 8-bit value, and so do those of
/// opaque alpha.
fn fill_neutral(samples: &mut [u8], header: &Header) {
    let (pixel, channels) = (header.layout.bytes(), header.layout.channels);
    for pixel in samples.chunks_exact_mut(pixel) {
        let alpha = if channels.has_alpha() { pixel.len() / channels.count() } else { 0 };
        let (colours, alpha) = pixel.split_at_mut(pixel.len() - alpha);
        colours.fill(NEUTRAL);
        alpha.fill(u8::MAX);
    }
}

/// Progress of a decode.
struct Progress {
    /// Rows read; of an interlaced image, rows of its passes.
    rows: u32,
    /// The reason for its end.
    outcome: Result<(), DecodingError>,
}

/// Reads all available rows. `coarse` fills the pixels of missing passes of an interlaced image from earlier ones.
fn read(feed: Feed<'_>, lenient: bool, coarse: bool, row: usize, samples: &mut [u8]) -> Progress {
    let mut rows = 0;
    let outcome = read_rows(feed, lenient, coarse, row, samples, &mut rows);
    Progress { rows, outcome }
}

fn read_rows(
    feed: Feed<'_>,
    lenient: bool,
    coarse: bool,
    row: usize,
    samples: &mut [u8],
    rows: &mut u32,
) -> Result<(), DecodingError> {
    let mut reader = open(feed, lenient)?;
    if !reader.info().interlaced {
        for line in samples.chunks_exact_mut(row.max(1)) {
            if reader.read_row(line)?.is_none() {
                break;
            }
            *rows += 1;
        }
        // The data after the last row reveals corruption; if it is missing, no row is affected.
        return reader
            .read_row(&mut [])
            .map(|_| ())
            .or_else(|error| if is_checksum(&error) { Err(error) } else { Ok(()) });
    }
    let (color, depth) = reader.output_color_type();
    let bits = (color.samples() * depth as usize) as u8;
    let mut line = vec![0; row];
    while let Some(InterlaceInfo::Adam7(place)) = reader.read_row(&mut line)? {
        let spread = if coarse { png::splat_interlaced_row } else { png::expand_interlaced_row };
        spread(samples, row, &line, &place, bits);
        *rows += 1;
    }
    Ok(())
}

/// Number of rows of an image of `size` that are complete after the first `read` rows of the seven passes (PNG 3rd
/// edition, section 8.2).
fn complete_rows(size: Size, mut read: u32) -> u32 {
    // Left edge, horizontal step, top edge, vertical step.
    const PASSES: [[u32; 4]; 7] =
        [[0, 8, 0, 8], [4, 8, 0, 8], [0, 4, 4, 8], [2, 4, 0, 4], [0, 2, 2, 4], [1, 2, 0, 2], [0, 1, 1, 2]];
    let mut missing = vec![false; size.height as usize];
    for [left, _, top, down] in PASSES {
        if left >= size.width {
            continue;
        }
        for y in (top..size.height).step_by(down as usize) {
            if read == 0 {
                missing[y as usize] = true;
            } else {
                read -= 1;
            }
        }
    }
    missing.iter().filter(|missing| !**missing).count() as u32
}

fn open(feed: Feed<'_>, lenient: bool) -> Result<Reader<Feed<'_>>, DecodingError> {
    let mut decoder = Decoder::new_with_limits(feed, Limits { bytes: OVERHEAD_BYTES });
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    if lenient {
        decoder.ignore_checksums(true);
    }
    decoder.read_info()
}

fn layout(reader: &Reader<Feed<'_>>) -> Result<PixelLayout, DecodeError> {
    let (color, depth) = reader.output_color_type();
    let channels = match color {
        ColorType::Grayscale => Channels::L,
        ColorType::GrayscaleAlpha => Channels::La,
        ColorType::Rgb => Channels::Rgb,
        ColorType::Rgba => Channels::Rgba,
        ColorType::Indexed => return Err(broken(NAME, "the palette is missing")),
    };
    Ok(PixelLayout { channels, deep: depth == BitDepth::Sixteen })
}

fn is_end(error: &DecodingError) -> bool {
    matches!(error, DecodingError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof)
}

/// The decoder exposes the kind of a format error only in its message.
fn is_checksum(error: &DecodingError) -> bool {
    matches!(error, DecodingError::Format(error) if error.to_string().starts_with("CRC error"))
}

/// All data chunks are present, but contain fewer rows than the image has.
fn has_missing_rows(error: &DecodingError) -> bool {
    matches!(error, DecodingError::Format(error) if error.to_string().contains("not have enough data for image"))
}

fn message(error: &DecodingError) -> String {
    match error {
        error if is_end(error) => "the end of the file is missing".to_owned(),
        error if is_checksum(error) => "a checksum does not match: parts of the image may be wrong".to_owned(),
        DecodingError::LimitsExceeded => "it needs too much memory".to_owned(),
        error if has_missing_rows(error) => "its image data ends early".to_owned(),
        error => error.to_string().trim_end_matches('.').to_owned(),
    }
}

fn refused(error: &DecodingError) -> DecodeError {
    broken(NAME, message(error))
}

#[cfg(test)]
mod tests;
