//! Reads strips and tiles one by one.

use tiff::decoder::DecodingResult;
use tiff::tags::Tag;

use outcome::DecodeError;

use super::convert::{ChunkArea, Converter};
use super::page::{Page, PageDecoder, refused};
use super::{NAME, integrity};
use crate::deadline;
use crate::formats::parts::{TRUNCATED, broken, unsupported};

const FAX: u16 = 4;
const JPEG: u16 = 7;
const DEFLATE: u16 = 8;
const OLD_DEFLATE: u16 = 32_946;

/// The supported compressions: also none, LZW, PackBits.
const COMPRESSIONS: [u16; 7] = [1, FAX, 5, JPEG, DEFLATE, OLD_DEFLATE, 32_773];

/// The layout of a page: a strip is treated as a tile as wide as the page.
pub(super) struct Grid<'a> {
    bytes: &'a [u8],
    width: usize,
    height: usize,
    across: usize,
    down: usize,
    offsets: Vec<u64>,
    lengths: Vec<u64>,
    /// Bytes of a complete strip or tile after decompression.
    unpacked: u64,
    /// The shared tables of JPEG strips and tiles.
    jpeg_tables: Vec<u8>,
    /// Rows of a complete strip or tile, including padding below the image.
    whole: usize,
}

impl<'a> Grid<'a> {
    pub(super) fn of(page: &Page, decoder: &mut PageDecoder<'_>, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        if !COMPRESSIONS.contains(&page.compression) {
            let name = match page.compression {
                2 | 3 => "Group 3 fax".to_owned(),
                6 => "old-style JPEG".to_owned(),
                34_887 => "LERC".to_owned(),
                34_925 => "LZMA".to_owned(),
                50_000 => "Zstandard".to_owned(),
                50_001 => "WebP".to_owned(),
                50_002 | 52_546 => "JPEG XL".to_owned(),
                34_712 | 33_003 | 33_005 => "JPEG 2000".to_owned(),
                other => format!("number {other}"),
            };
            return Err(unsupported(
                NAME,
                format!("compression ({name}); save it with LZW or without compression first"),
            ));
        }
        let (width, height) = decoder.chunk_dimensions();
        let (width, height) = (width as usize, (height as usize).min(page.size.height as usize));
        let mut list = |strips: Tag, tiles: Tag| {
            let strips = decoder.find_tag_unsigned_vec::<u64>(strips).ok().flatten();
            strips.or_else(|| decoder.find_tag_unsigned_vec::<u64>(tiles).ok().flatten()).unwrap_or_default()
        };
        let offsets = list(Tag::StripOffsets, Tag::TileOffsets);
        let lengths = list(Tag::StripByteCounts, Tag::TileByteCounts);
        if width == 0 || height == 0 {
            return Err(broken(NAME, "its strips or tiles have no pixels"));
        }
        let across = (page.size.width as usize).div_ceil(width);
        let down = (page.size.height as usize).div_ceil(height);
        // A strip has no more rows than the image, though the last one may be padded; a tile is always complete.
        let is_tiled = decoder.get_chunk_type() == tiff::decoder::ChunkType::Tile;
        let rows = if is_tiled { decoder.chunk_dimensions().1 as usize } else { height };
        let samples = if page.is_planar { 1 } else { page.samples };
        let row = width.saturating_mul(samples).saturating_mul(page.sample.bits()).div_ceil(8);
        let unpacked = row.saturating_mul(rows) as u64;
        let jpeg_tables = decoder.find_tag(Tag::JPEGTables).ok().flatten().and_then(|value| value.into_u8_vec().ok());
        let jpeg_tables = jpeg_tables.unwrap_or_default();
        Ok(Self { bytes, width, height, across, down, offsets, lengths, unpacked, jpeg_tables, whole: rows })
    }

    /// Reads every strip or tile into `converter`.
    pub(super) fn read(
        &self,
        page: &Page,
        decoder: &mut PageDecoder<'_>,
        converter: &mut Converter,
    ) -> Result<(), DecodeError> {
        let planes = if page.is_planar { page.samples } else { 1 };
        for index in 0..self.across * self.down {
            deadline::check()?;
            let (left, top) = (index % self.across * self.width, index / self.across * self.height);
            let rows = self.height.min(page.size.height as usize - top);
            let columns = self.width.min(page.size.width as usize - left);
            let area = ChunkArea { left, top, columns, rows };
            for plane in 0..planes {
                let samples = self.chunk(page, decoder, plane * self.across * self.down + index)?;
                converter.put(page, &area, plane, samples)?;
            }
        }
        Ok(())
    }

    /// The samples of a strip or tile, or of one plane of it.
    fn chunk(&self, page: &Page, decoder: &mut PageDecoder<'_>, index: usize) -> Result<DecodingResult, DecodeError> {
        let (start, length) = self.part(index);
        let data = self.bytes.get(start..start.saturating_add(length).min(self.bytes.len())).unwrap_or_default();
        let is_cut = data.len() < length;
        if page.compression == JPEG && !self.takes_jpeg(data) {
            let reason = if is_cut { TRUNCATED } else { "the size of a JPEG strip does not match the image" };
            return Err(broken(NAME, reason));
        }
        let samples = decoder.read_chunk(index as u32).map_err(|error| match refused(&error) {
            DecodeError::Broken { .. } if is_cut => broken(NAME, TRUNCATED),
            error => error,
        })?;
        // The decoders do not report these errors: missing JPEG rows become grey, those of faxes are made up, and the
        // checksum of deflate is not verified.
        let problem = match page.compression {
            JPEG | FAX if is_cut => Some(TRUNCATED.to_owned()),
            JPEG => integrity::jpeg(&self.jpeg_tables, data),
            DEFLATE | OLD_DEFLATE => integrity::deflate(data, self.unpacked),
            _ => None,
        };
        problem.map_or(Ok(samples), |reason| Err(broken(NAME, reason)))
    }

    /// True if a JPEG is as wide as a strip or tile and no higher, apart from the padding to whole blocks.
    fn takes_jpeg(&self, data: &[u8]) -> bool {
        jpeg_size(data).is_some_and(|(width, height)| width == self.width && height <= self.whole.next_multiple_of(16))
    }

    fn part(&self, index: usize) -> (usize, usize) {
        let at = |list: &[u64]| list.get(index).and_then(|value| usize::try_from(*value).ok()).unwrap_or(usize::MAX);
        (at(&self.offsets), at(&self.lengths))
    }
}

/// Width and height from the frame header of a JPEG.
fn jpeg_size(data: &[u8]) -> Option<(usize, usize)> {
    let mut at = 2;
    loop {
        let [0xff, marker, high, low] = *data.get(at..)?.first_chunk::<4>()? else {
            return None;
        };
        match marker {
            0xff => at += 1,
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                let [h0, h1, w0, w1] = *data.get(at + 5..)?.first_chunk::<4>()?;
                return Some((u16::from_be_bytes([w0, w1]).into(), u16::from_be_bytes([h0, h1]).into()));
            }
            _ => at += 2 + usize::from(u16::from_be_bytes([high, low])),
        }
    }
}
