//! WebP: lossy, lossless, with alpha; of an animation the first frame.
//!
//! The chunks are parsed here first: their lengths are checked before any allocation, flags for missing chunks are
//! cleared, and a file whose image chunk is truncated is rejected.

use std::ops::Range;

use image::ImageDecoder;
use image::codecs::webp::WebPDecoder;

use geometry::Size;
use outcome::{Channels, DecodeError, PixelLayout};
use recipe::DecodeLimits;

use super::parts::{FIRST_FRAME, TRUNCATED, broken, decoder_message, unsupported};
use super::source::Source;
use super::{Decoded, Header, describes};
use crate::Pixels;
use crate::request::StoredRequest;

const NAME: &str = "WebP";

/// Maximum number of chunks; animations have a few for each frame.
const MAX_CHUNKS: usize = 100_000;

pub(super) fn header(bytes: &[u8], limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let file = File::parse(bytes);
    let decoder = open(&file, bytes)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(too_wide(bytes, limits));
    }
    if file.lossy.is_some_and(|size| size.pixels() > Size::new(width, height).pixels()) {
        return Err(broken(NAME, "it needs too much memory: its image is larger than its header"));
    }
    let channels = if decoder.color_type().has_alpha() { Channels::Rgba } else { Channels::Rgb };
    let profile = file.profile.and_then(|part| bytes.get(part)).filter(|profile| describes(profile, channels));
    Ok(Header {
        stored: Size::new(width, height),
        orientation: None,
        layout: PixelLayout { channels, deep: false },
        icc_profile: profile.map(Into::into),
        decodes_in_part: false,
        note: file.is_animated.then_some(FIRST_FRAME),
    })
}

pub(super) fn pixels(
    bytes: &[u8],
    header: &Header,
    _request: StoredRequest,
    _limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let file = File::parse(bytes);
    let count = header.stored.pixels() as usize * header.layout.bytes();
    let mut samples = vec![0; count];
    let decoder = open(&file, bytes)?;
    if decoder.total_bytes() != count as u64 {
        return Err(broken(NAME, "its size is inconsistent"));
    }
    decoder.read_image(&mut samples).map_err(|error| refused(&error))?;
    let pixels = Pixels::from_u8(header.stored, header.layout.channels, samples);
    let pixels = pixels.ok_or_else(|| broken(NAME, "the number of samples is wrong"))?;
    Ok(Decoded::whole(pixels))
}

fn open<'a>(file: &'a File, bytes: &'a [u8]) -> Result<WebPDecoder<Source<'a>>, DecodeError> {
    if file.is_cut {
        return Err(broken(NAME, TRUNCATED));
    }
    WebPDecoder::new(Source::new(file.fixed.as_deref().unwrap_or(bytes))).map_err(|error| refused(&error))
}

/// The error for a lossless file with the maximum side: the decoder reads 16,384 as 0.
fn too_wide(bytes: &[u8], limits: &DecodeLimits) -> DecodeError {
    let lossless = chunks(bytes, 12).take(MAX_CHUNKS).find(|(name, _)| *name == b"VP8L");
    match lossless.and_then(|(_, part)| lossless_size(bytes, part.start)) {
        Some(size) if size.pixels() > limits.max_pixels => {
            DecodeError::TooManyPixels { size, limit: limits.max_pixels }
        }
        Some(size) => unsupported(NAME, format!("lossless with {size} pixels; save it as PNG first")),
        None => broken(NAME, "a side has no pixels"),
    }
}

/// The size in the lossless header at offset `at`: 14 bits per side, minus one, after one byte (RFC 9649, section 3.4).
fn lossless_size(bytes: &[u8], at: usize) -> Option<Size> {
    let [_, numbers @ ..] = *bytes.get(at..)?.first_chunk::<5>()?;
    let numbers = u32::from_le_bytes(numbers);
    Some(Size::new((numbers & 0x3fff) + 1, (numbers >> 14 & 0x3fff) + 1))
}

fn refused(error: &image::ImageError) -> DecodeError {
    match error {
        image::ImageError::Unsupported(_) => unsupported(NAME, error.to_string()),
        error => broken(NAME, decoder_message(error)),
    }
}

/// The structure of a file.
struct File {
    profile: Option<Range<usize>>,
    is_animated: bool,
    /// True if the image's chunk (of an animation: that of the first frame) extends past the end of the file.
    is_cut: bool,
    /// The declared size of the first lossy frame; the decoder allocates it before it checks.
    lossy: Option<Size>,
    /// The file with corrected flags, if they were wrong.
    fixed: Option<Vec<u8>>,
}

/// Flags in the first byte of the extended header.
mod flag {
    pub(super) const XMP: u8 = 0x04;
    pub(super) const EXIF: u8 = 0x08;
    pub(super) const ALPHA: u8 = 0x10;
    pub(super) const PROFILE: u8 = 0x20;
}

impl File {
    fn parse(bytes: &[u8]) -> Self {
        let mut file = Self { profile: None, is_animated: false, is_cut: false, lossy: None, fixed: None };
        let (mut found, mut lossy, mut lossless) = (0, false, false);
        let mut frames = 0;
        for (name, part) in chunks(bytes, 12).take(MAX_CHUNKS) {
            let is_complete = part.end <= bytes.len();
            match name {
                b"ICCP" if is_complete => {
                    found |= flag::PROFILE;
                    file.profile.get_or_insert(part);
                }
                b"EXIF" if is_complete => found |= flag::EXIF,
                b"XMP " if is_complete => found |= flag::XMP,
                b"ALPH" => {
                    found |= flag::ALPHA;
                    file.is_cut |= !is_complete;
                }
                b"VP8 " | b"VP8L" => {
                    if name == b"VP8 " {
                        file.lossy = file.lossy.or(lossy_size(bytes, part.start));
                    }
                    lossy |= name == b"VP8 ";
                    lossless |= name == b"VP8L";
                    file.is_cut |= !is_complete;
                }
                b"ANMF" => {
                    if frames == 0 {
                        file.is_cut |= !is_complete;
                        for (name, inner) in chunks(bytes, part.start + 16).take(2) {
                            if name == b"VP8 " {
                                file.lossy = lossy_size(bytes, inner.start);
                            }
                        }
                    }
                    frames += 1;
                }
                _ => {}
            }
        }
        file.is_animated = frames > 1;
        let flags = extended_flags(bytes);
        // Lossless frames and those of animations contain their own alpha.
        let own_alpha = frames > 0 || (lossless && !lossy);
        if own_alpha {
            found |= flag::ALPHA;
        }
        let broken = flags & (flag::ALPHA | flag::EXIF | flag::XMP) & !found;
        if broken != 0 {
            let mut fixed = bytes.to_vec();
            fixed[20] = flags & !broken;
            file.fixed = Some(fixed);
        }
        file
    }
}

/// The size in the frame header at offset `at` (RFC 6386, section 9.1).
fn lossy_size(bytes: &[u8], at: usize) -> Option<Size> {
    let [.., w0, w1, h0, h1] = *bytes.get(at..at.checked_add(10)?)?.first_chunk::<10>()?;
    let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
    Some(Size::new(side(w0, w1), side(h0, h1)))
}

fn extended_flags(bytes: &[u8]) -> u8 {
    let is_extended = bytes.get(12..16) == Some(b"VP8X");
    bytes.get(20).copied().filter(|_| is_extended).unwrap_or(0)
}

/// Names and data ranges of the chunks from offset `at` on. The data of the last one may extend past the end of the
/// file.
fn chunks(bytes: &[u8], mut at: usize) -> impl Iterator<Item = (&[u8; 4], Range<usize>)> {
    std::iter::from_fn(move || {
        let name = bytes.get(at..at + 4)?.first_chunk::<4>()?;
        let length = u32::from_le_bytes(*bytes.get(at + 4..at + 8)?.first_chunk::<4>()?) as usize;
        let start = at + 8;
        let end = start.saturating_add(length);
        at = end.saturating_add(length & 1);
        Some((name, start..end))
    })
}

#[cfg(test)]
mod tests;
