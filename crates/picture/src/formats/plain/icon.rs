//! Icons: the largest image of the file; among equals, the one with the most colours.

use std::io::Cursor;

use image::ImageDecoder;
use image::codecs::ico::IcoDecoder;

use geometry::Size;
use outcome::{DecodeError, PictureNote, PixelLayout};
use recipe::DecodeLimits;

use super::{Decoded, Header, refused};
use crate::Pixels;
use crate::formats::parts::{TRUNCATED, broken, undo_unused_alpha};
use crate::formats::png;
use crate::request::StoredRequest;

const NAME: &str = "ICO";

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

pub(super) fn header(bytes: &[u8], limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let icon = largest(bytes)?;
    let note = icon.is_one_of_several.then_some(PictureNote::LargestIcon);
    if icon.is_png() {
        return Ok(Header { note, ..png::header(icon.data, limits)? });
    }
    let alone = icon.alone();
    let decoder = IcoDecoder::new(Cursor::new(&alone)).map_err(|error| refused(NAME, &error))?;
    let (width, height) = decoder.dimensions();
    Ok(Header {
        stored: Size::new(width, height),
        orientation: None,
        layout: PixelLayout::RGBA8,
        icc_profile: None,
        decodes_in_part: false,
        note,
    })
}

pub(super) fn pixels(
    bytes: &[u8],
    header: &Header,
    request: StoredRequest,
    limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let icon = largest(bytes)?;
    if icon.is_png() {
        let decoded = png::pixels(icon.data, header, request, limits)?;
        return match decoded.damage {
            None => Ok(decoded),
            Some(damage) => Err(broken(NAME, damage.reason)),
        };
    }
    let alone = icon.alone();
    let decoder = IcoDecoder::new(Cursor::new(&alone)).map_err(|error| refused(NAME, &error))?;
    let mut samples = vec![0; header.stored.pixels() as usize * 4];
    if decoder.total_bytes() != samples.len() as u64 {
        return Err(broken(NAME, "its size is inconsistent"));
    }
    decoder.read_image(&mut samples).map_err(|error| refused(NAME, &error))?;
    undo_unused_alpha(&mut samples, header.layout.channels);
    let pixels = Pixels::from_u8(header.stored, header.layout.channels, samples);
    Ok(Decoded::whole(pixels.ok_or_else(|| broken(NAME, "the number of samples is wrong"))?))
}

struct Icon<'a> {
    data: &'a [u8],
    is_one_of_several: bool,
}

fn largest(bytes: &[u8]) -> Result<Icon<'_>, DecodeError> {
    let count = bytes.get(4..6).map_or(0, |two| usize::from(u16::from_le_bytes([two[0], two[1]])));
    let (entries, _) = bytes.get(6..).unwrap_or_default().as_chunks::<16>();
    let entries = &entries[..count.min(entries.len())];
    let side = |byte: u8| if byte == 0 { 256 } else { u32::from(byte) };
    let long =
        |entry: &[u8; 16], at: usize| entry[at..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four) as usize);
    let rank = |entry: &&[u8; 16]| (side(entry[0]) * side(entry[1]), u16::from_le_bytes([entry[6], entry[7]]));
    let best = entries.iter().max_by_key(rank).ok_or_else(|| broken(NAME, "it contains no image"))?;
    let start = long(best, 12);
    let data = bytes.get(start..start.saturating_add(long(best, 8))).filter(|data| data.len() >= 40);
    // The length is often wrong in otherwise valid files, but the data is present.
    let data = data.or_else(|| bytes.get(start..).filter(|data| data.starts_with(PNG)));
    let data = data.ok_or_else(|| broken(NAME, TRUNCATED))?;
    Ok(Icon { data, is_one_of_several: entries.len() > 1 })
}

impl Icon<'_> {
    fn is_png(&self) -> bool {
        self.data.starts_with(PNG)
    }

    /// A file with this bitmap alone and a matching directory.
    fn alone(&self) -> Vec<u8> {
        let long = |at: usize| {
            self.data.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |four| i32::from_le_bytes(*four).unsigned_abs())
        };
        // 0 stands for 256 and more; the bitmap's height includes the mask.
        let side = |pixels: u32| if pixels >= 256 { 0 } else { pixels as u8 };
        let mut alone = vec![0, 0, 1, 0, 1, 0, side(long(4)), side(long(8) / 2), 0, 0, 1, 0, 0, 0];
        alone.extend_from_slice(&(self.data.len() as u32).to_le_bytes());
        alone.extend_from_slice(&22_u32.to_le_bytes());
        alone.extend_from_slice(self.data);
        alone
    }
}
