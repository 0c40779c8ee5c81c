//! PNG: rows are read one by one, so that a cut file keeps those before the cut. Of an animation, the default image.

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

/// The grey of rows that were not read, opaque: neither end of the scale, so that no edge of a crop is taken for white
/// paper or for black, and no profile gives it a colour.
const NEUTRAL: u8 = 128;

/// Bytes that the decoder may take beside the picture: chunks of the header, an unpacked colour profile among them, and
/// one row.
const BESIDE_BYTES: usize = 64 << 20;

/// Bytes handed to the decoder at a time: the more, the faster; the fewer, the closer the place of an error is known.
const STEP: usize = 1 << 15;

pub(super) fn header(bytes: &[u8], _limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let at = Cell::new(0);
    let reader = open(Feed::new(bytes, &at, STEP), false).map_err(|error| refused(&error))?;
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
    _want: StoredRequest,
    _limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let PixelLayout { channels, deep } = header.layout;
    let row = header.stored.width as usize * header.layout.bytes();
    let count = header.stored.pixels() as usize * channels.count();
    let (pixels, damage) = if deep {
        // Read into the place where they stay, so that they are there once.
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

/// Reads all rows that can be read into `samples`, of `row` bytes each.
fn fill(bytes: &[u8], header: &Header, row: usize, samples: &mut [u8]) -> Result<Option<Damage>, DecodeError> {
    let (at, rows) = (Cell::new(0), header.stored.height);
    let Err(mut error) = read(Feed::new(bytes, &at, STEP), false, false, row, samples).outcome else { return Ok(None) };
    let reason = words(&error);
    // A wrong checksum says that something is wrong but not what, so the rows are read past it.
    let lenient = is_checksum(&error);
    if lenient {
        match read(Feed::new(bytes, &at, STEP), lenient, false, row, samples).outcome {
            Ok(()) => return Ok(Some(Damage { missing_rows: 0, rows, reason })),
            Err(next) => error = next,
        }
    }
    // The decoder keeps rows back that it has unpacked before data it cannot read, but gives them out where data merely
    // ends. So the place of the error is found to the byte, and the data cut there.
    let mut fine = usize::MAX;
    if !is_end(&error) {
        fine = at.get();
        let _ = read(Feed::new(bytes, &at, STEP).fine_from(fine), lenient, false, row, samples);
    }
    let sound = bytes.get(..at.get()).unwrap_or(bytes);
    fill_neutral(samples, header);
    // In the same steps, since what the decoder finds wrong depends on how much it sees at once.
    let reach = read(Feed::new(sound, &at, STEP).fine_from(fine), lenient, true, row, samples);
    if reach.rows == 0 {
        return Err(broken(NAME, format!("no row can be read ({reason})")));
    }
    let complete = if is_interlaced(bytes) { complete_rows(header.stored, reach.rows) } else { reach.rows };
    let missing_rows = rows.saturating_sub(complete);
    Ok((missing_rows > 0 || lenient).then_some(Damage { missing_rows, rows, reason }))
}

/// The last byte of the header chunk, which is always the first.
fn is_interlaced(bytes: &[u8]) -> bool {
    bytes.get(28) == Some(&1)
}

/// Fills all pixels with [`NEUTRAL`], opaque. Both bytes of the 16-bit grey are the 8-bit one, and of opaque alpha likewise.
fn fill_neutral(samples: &mut [u8], header: &Header) {
    let (pixel, channels) = (header.layout.bytes(), header.layout.channels);
    for pixel in samples.chunks_exact_mut(pixel) {
        let alpha = if channels.has_alpha() { pixel.len() / channels.count() } else { 0 };
        let (colours, alpha) = pixel.split_at_mut(pixel.len() - alpha);
        colours.fill(NEUTRAL);
        alpha.fill(u8::MAX);
    }
}

/// How far reading came.
struct Reach {
    /// Rows read; of an interlaced picture, rows of its passes.
    rows: u32,
    /// Why it ended.
    outcome: Result<(), DecodingError>,
}

/// Reads rows until there are no more. `coarse` spreads the pixels of an interlaced picture's passes over those that later
/// passes would bring.
fn read(feed: Feed<'_>, lenient: bool, coarse: bool, row: usize, samples: &mut [u8]) -> Reach {
    let mut rows = 0;
    let outcome = read_rows(feed, lenient, coarse, row, samples, &mut rows);
    Reach { rows, outcome }
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
        // What follows the last row tells whether the data is as it was written; that it is missing harms no row.
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

/// Rows of a picture of `size` whose every pixel is among the first `read` rows of the seven passes (PNG 3rd edition,
/// section 8.2).
fn complete_rows(size: Size, mut read: u32) -> u32 {
    // Left edge, step across, top edge, step down.
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
    let mut decoder = Decoder::new_with_limits(feed, Limits { bytes: BESIDE_BYTES });
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

/// The decoder keeps the kind of a format error to itself and tells it in words only.
fn is_checksum(error: &DecodingError) -> bool {
    matches!(error, DecodingError::Format(error) if error.to_string().starts_with("CRC error"))
}

/// The data chunks are all there, and hold fewer rows than the picture has.
fn ends_early(error: &DecodingError) -> bool {
    matches!(error, DecodingError::Format(error) if error.to_string().contains("not have enough data for image"))
}

fn words(error: &DecodingError) -> String {
    match error {
        error if is_end(error) => "the end of the file is missing".to_owned(),
        error if is_checksum(error) => "a checksum does not match: parts of the picture may be wrong".to_owned(),
        DecodingError::LimitsExceeded => "it asks for too much memory".to_owned(),
        error if ends_early(error) => "its picture data ends early".to_owned(),
        error => error.to_string().trim_end_matches('.').to_owned(),
    }
}

fn refused(error: &DecodingError) -> DecodeError {
    broken(NAME, words(error))
}

#[cfg(test)]
mod tests;
