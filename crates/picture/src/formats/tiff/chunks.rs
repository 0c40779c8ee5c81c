//! Reading strips and tiles, each for itself.

use tiff::decoder::DecodingResult;
use tiff::tags::Tag;
use tiff::{TiffError, TiffFormatError};

use outcome::DecodeError;
use recipe::DecodeLimits;

use super::convert::{Area, Converter};
use super::judge::Verdict;
use super::page::{Page, PageDecoder, Sample, refused};
use super::{NAME, judge};
use crate::formats::parts::{broken, unsupported};
use crate::patience;

/// The compressions that are read: none, Group 4 fax, LZW, JPEG, deflate (two codes), PackBits.
const COMPRESSIONS: [u16; 7] = [1, 4, 5, 7, 8, 32_946, 32_773];

/// How a page is cut up: a strip is a tile as wide as the page.
pub(super) struct Grid<'a> {
    bytes: &'a [u8],
    width: usize,
    height: usize,
    across: usize,
    down: usize,
    offsets: Vec<u64>,
    lengths: Vec<u64>,
    /// Bytes of a whole strip or tile once it is unpacked.
    unpacked: u64,
    /// What JPEG strips and tiles have in common.
    jpeg_tables: Vec<u8>,
    /// Bytes that may be taken to find out how far a broken strip or tile can be read.
    most_scrap: u64,
    /// Rows of a whole strip or tile, some of which may lie below the picture.
    whole: usize,
}

/// The samples of a strip or tile, or of one plane of it.
struct Chunk {
    samples: DecodingResult,
    /// Rows that have samples; more than there are stands for all.
    filled: usize,
    /// Rows of those that are as they should be.
    sound: usize,
    error: Option<TiffError>,
    /// What is wrong with samples that are there.
    doubt: Option<String>,
}

impl Chunk {
    fn nothing(error: TiffError) -> Self {
        Self { samples: DecodingResult::U8(Vec::new()), filled: 0, sound: 0, error: Some(error), doubt: None }
    }

    fn all(samples: DecodingResult) -> Self {
        Self { samples, filled: usize::MAX, sound: usize::MAX, error: None, doubt: None }
    }
}

/// What was read.
pub(super) struct Reach {
    sound: Vec<bool>,
    /// Why something is missing.
    pub(super) error: Option<String>,
    /// Why something may be wrong where nothing is missing.
    pub(super) doubt: Option<String>,
}

impl Reach {
    /// Rows of which not every pixel was read.
    pub(super) fn missing_rows(&self) -> u32 {
        self.sound.iter().filter(|sound| !**sound).count() as u32
    }
}

impl<'a> Grid<'a> {
    pub(super) fn of(
        page: &Page,
        decoder: &mut PageDecoder<'_>,
        bytes: &'a [u8],
        limits: &DecodeLimits,
    ) -> Result<Self, DecodeError> {
        if !COMPRESSIONS.contains(&page.compression) {
            let name = match page.compression {
                2 | 3 => "Group 3 fax".to_owned(),
                6 => "JPEG of the old kind".to_owned(),
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
        // A strip has no more rows than the picture, though the last one may be filled up; a tile is always whole.
        let is_tiled = decoder.get_chunk_type() == tiff::decoder::ChunkType::Tile;
        let rows = if is_tiled { decoder.chunk_dimensions().1 as usize } else { height };
        let samples = if page.is_planar { 1 } else { page.samples };
        let row = width.saturating_mul(samples).saturating_mul(page.sample.bits()).div_ceil(8);
        let unpacked = row.saturating_mul(rows) as u64;
        let jpeg_tables = decoder.find_tag(Tag::JPEGTables).ok().flatten().and_then(|value| value.into_u8_vec().ok());
        let jpeg_tables = jpeg_tables.unwrap_or_default();
        let picture =
            page.size.pixels().saturating_mul(page.samples as u64 * if page.sample.is_deep() { 2 } else { 1 });
        let most_scrap = limits.memory_budget.saturating_sub(picture);
        Ok(Self {
            bytes,
            width,
            height,
            across,
            down,
            offsets,
            lengths,
            unpacked,
            jpeg_tables,
            most_scrap,
            whole: rows,
        })
    }

    /// Reads every strip or tile into `converter`. Those that cannot be read are left out; an error is what is not supported.
    pub(super) fn read(
        &self,
        page: &Page,
        decoder: &mut PageDecoder<'_>,
        converter: &mut Converter,
    ) -> Result<Reach, DecodeError> {
        let mut reach = Reach { sound: vec![true; page.size.height as usize], error: None, doubt: None };
        let planes = if page.is_planar { page.samples } else { 1 };
        for index in 0..self.across * self.down {
            patience::look()?;
            let (left, top) = (index % self.across * self.width, index / self.across * self.height);
            let rows = self.height.min(page.size.height as usize - top);
            let columns = self.width.min(page.size.width as usize - left);
            // Rows that have pixels, and those of them that are as they should be.
            let (mut filled, mut sound) = (rows, rows);
            for plane in 0..planes {
                let chunk = self.chunk(page, decoder, plane * self.across * self.down + index);
                if let Some(error @ TiffError::UnsupportedError(_)) = &chunk.error {
                    return Err(refused(error));
                }
                if let Some(error) = &chunk.error {
                    reach.error.get_or_insert_with(|| words(error));
                }
                if reach.doubt.is_none() {
                    reach.doubt = chunk.doubt;
                }
                filled = filled.min(chunk.filled);
                sound = sound.min(chunk.sound);
                converter.put(
                    page,
                    &Area { left, top, columns, rows: chunk.filled.min(rows) },
                    plane,
                    chunk.samples,
                )?;
            }
            if filled < rows {
                converter.leave_out(Area { left, top: top + filled, columns, rows: rows - filled });
            }
            reach.sound[top + sound..top + rows].fill(false);
        }
        Ok(reach)
    }

    fn chunk(&self, page: &Page, decoder: &mut PageDecoder<'_>, index: usize) -> Chunk {
        let (start, length) = self.part(index);
        let is_jpeg = page.compression == 7;
        let is_deflate = matches!(page.compression, 8 | 32_946);
        let data = self.bytes.get(start..start.saturating_add(length).min(self.bytes.len())).unwrap_or_default();
        if is_jpeg && !self.takes_jpeg(data) {
            let reason = "a JPEG strip has another size than the picture".to_owned();
            return Chunk::nothing(corrupt(reason));
        }
        let is_cut = data.len() < length;
        match decoder.read_chunk(index as u32) {
            // The JPEG decoder greys what it lacks and says nothing, and the one of deflate leaves the checksum unread.
            Ok(samples) if is_jpeg => match judge::jpeg(&self.jpeg_tables, data, is_cut) {
                Verdict::Missing { whole, reason } => {
                    let error = if is_cut { end_of_file() } else { corrupt(reason) };
                    Chunk { samples, filled: whole, sound: whole, error: Some(error), doubt: None }
                }
                Verdict::Doubtful(reason) => Chunk { doubt: Some(reason), ..Chunk::all(samples) },
                Verdict::Sound if is_cut => Chunk { sound: 0, error: Some(end_of_file()), ..Chunk::all(samples) },
                Verdict::Sound => Chunk::all(samples),
            },
            Ok(samples) if is_deflate => Chunk { doubt: judge::deflate(data, self.unpacked), ..Chunk::all(samples) },
            Ok(samples) => Chunk::all(samples),
            Err(error @ (TiffError::UnsupportedError(_) | TiffError::LimitsExceeded)) => Chunk::nothing(error),
            Err(error) => {
                // Every row may have come before the error.
                let doubt = (is_deflate && !is_cut).then(|| judge::deflate(data, self.unpacked)).flatten();
                let error = if is_cut { end_of_file() } else { error };
                match self.rows_before_error(page, decoder, index) {
                    Some((samples, rows)) => Chunk { samples, filled: rows, sound: rows, error: Some(error), doubt },
                    None => Chunk::nothing(error),
                }
            }
        }
    }

    /// True where a JPEG is as wide as a strip or tile and no higher, but for the blocks that it is made of.
    fn takes_jpeg(&self, data: &[u8]) -> bool {
        jpeg_size(data).is_some_and(|(width, height)| width == self.width && height <= self.whole.next_multiple_of(16))
    }

    fn part(&self, index: usize) -> (usize, usize) {
        let at = |list: &[u64]| list.get(index).and_then(|value| usize::try_from(*value).ok()).unwrap_or(usize::MAX);
        (at(&self.offsets), at(&self.lengths))
    }

    /// The rows that a broken strip gives before its error, with their number. It is read twice over different bytes: what
    /// came out the same was read.
    fn rows_before_error(
        &self,
        page: &Page,
        decoder: &mut PageDecoder<'_>,
        index: usize,
    ) -> Option<(DecodingResult, usize)> {
        let layout = decoder.image_chunk_buffer_layout(index as u32).ok()?;
        let row = layout.row_stride?.get();
        // Floating-point prediction mixes the bytes of a row, and faxes end in rows that are made up.
        let is_too_large = (layout.len as u64).saturating_mul(2) > self.most_scrap;
        if page.predictor == 3 || page.sample == Sample::Half || layout.len == 0 || is_too_large {
            return None;
        }
        let (mut one, mut two) = (vec![0x00; layout.len], vec![0xff; layout.len]);
        decoder.read_chunk_bytes(index as u32, &mut one).err()?;
        decoder.read_chunk_bytes(index as u32, &mut two).err()?;
        let read = one.iter().zip(&two).rposition(|(one, two)| one == two).map_or(0, |last| last + 1);
        let rows = read / row;
        one.truncate(rows * row);
        let (chunk_width, _) = decoder.chunk_data_dimensions(index as u32);
        // Strips and inner tiles are put in order only once they are complete, tiles at the right edge row by row.
        if chunk_width as usize == self.width {
            order(&mut one, row, page);
        }
        Some((typed(one, page), rows))
    }
}

fn corrupt(reason: String) -> TiffError {
    TiffError::FormatError(TiffFormatError::CompressedDataCorrupt(reason))
}

fn end_of_file() -> TiffError {
    TiffError::IoError(std::io::ErrorKind::UnexpectedEof.into())
}

fn words(error: &TiffError) -> String {
    match error {
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "the end of the file is missing".to_owned()
        }
        TiffError::LimitsExceeded => "it asks for too much memory".to_owned(),
        TiffError::FormatError(TiffFormatError::CompressedDataCorrupt(reason)) => reason.clone(),
        error => error.to_string(),
    }
}

/// Puts bytes into this machine's order and undoes horizontal prediction.
fn order(bytes: &mut [u8], row: usize, page: &Page) {
    let step = if page.is_planar { 1 } else { page.samples };
    match page.sample.bits() {
        16 => {
            for line in bytes.chunks_exact_mut(row) {
                let (pairs, _) = line.as_chunks_mut::<2>();
                for index in 0..pairs.len() {
                    let number = if page.is_big_endian { u16::from_be_bytes } else { u16::from_le_bytes }(pairs[index]);
                    let before =
                        if page.predictor == 2 && index >= step { u16::from_ne_bytes(pairs[index - step]) } else { 0 };
                    pairs[index] = number.wrapping_add(before).to_ne_bytes();
                }
            }
        }
        32 => {
            for line in bytes.chunks_exact_mut(row) {
                let (quads, _) = line.as_chunks_mut::<4>();
                for index in 0..quads.len() {
                    let number = if page.is_big_endian { u32::from_be_bytes } else { u32::from_le_bytes }(quads[index]);
                    let before =
                        if page.predictor == 2 && index >= step { u32::from_ne_bytes(quads[index - step]) } else { 0 };
                    quads[index] = number.wrapping_add(before).to_ne_bytes();
                }
            }
        }
        _ if page.predictor == 2 => {
            for line in bytes.chunks_exact_mut(row) {
                for index in step..line.len() {
                    line[index] = line[index].wrapping_add(line[index - step]);
                }
            }
        }
        _ => {}
    }
}

fn typed(bytes: Vec<u8>, page: &Page) -> DecodingResult {
    let quads =
        |bytes: &[u8]| bytes.as_chunks::<4>().0.iter().map(|quad| u32::from_ne_bytes(*quad)).collect::<Vec<_>>();
    let pairs =
        |bytes: &[u8]| bytes.as_chunks::<2>().0.iter().map(|pair| u16::from_ne_bytes(*pair)).collect::<Vec<_>>();
    match page.sample {
        Sample::Bits(_) => DecodingResult::U8(bytes),
        Sample::Short | Sample::Half => DecodingResult::U16(pairs(&bytes)),
        Sample::Long => DecodingResult::U32(quads(&bytes)),
        Sample::Float => DecodingResult::F32(quads(&bytes).into_iter().map(f32::from_bits).collect()),
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
