//! Formats that the `image` crate reads whole: BMP, QOI, PNM, TGA, icons, and JPEG files that its first reader refuses.
//!
//! Of a cut file the decoders keep nothing, so the missing bytes are made up ([`Padded`]) and what came of them is greyed:
//! how many rows the bytes that are there hold is told by each format's own arithmetic.

mod bmp;
mod icon;
mod pnm;
mod tga;

use image::codecs::bmp::BmpDecoder;
use image::codecs::jpeg::JpegDecoder;
use image::codecs::pnm::PnmDecoder;
use image::codecs::qoi::QoiDecoder;
use image::codecs::tga::TgaDecoder;
use image::{ImageDecoder, ImageError, Limits};

use geometry::Size;
use outcome::{Channels, Damage, DecodeError, PictureFormat, PixelLayout};
use recipe::DecodeLimits;

use super::padded::Padded;
use super::parts::{broken, damage_of, fill_neutral, own_words, undo_unused_alpha, unsupported};
use super::{Decoded, Header, describes};
use crate::Pixels;
use crate::want::StoredWant;

/// Bytes that a decoder may take for small pictures, whatever their size.
const BESIDE_BYTES: u64 = 64 << 20;

/// Why rows are missing.
const CUT: &str = "the end of the file is missing";

pub(super) fn header(format: PictureFormat, bytes: &[u8], limits: &DecodeLimits) -> Result<Header, DecodeError> {
    if format == PictureFormat::Ico {
        return icon::header(bytes, limits);
    }
    let mut decoder = decoder(format, Padded::new(bytes, 0, b"\0"))?;
    let (width, height) = decoder.dimensions();
    let layout = layout(decoder.color_type());
    let icc_profile = match format {
        PictureFormat::Bmp => bmp::icc_profile(bytes).map(<[u8]>::to_vec),
        _ => decoder.icc_profile().ok().flatten(),
    };
    Ok(Header {
        stored: Size::new(width, height),
        orientation: None,
        layout,
        icc_profile: icc_profile.filter(|profile| describes(profile, layout.channels)).map(Into::into),
        decodes_in_part: false,
        note: None,
    })
}

pub(super) fn pixels(
    format: PictureFormat,
    bytes: &[u8],
    header: &Header,
    want: StoredWant,
    limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    if format == PictureFormat::Ico {
        return icon::pixels(bytes, header, want, limits);
    }
    let mut samples = buffer(header);
    let damage = match read(format, Padded::new(bytes, 0, b"\0"), &mut samples) {
        Ok(()) => None,
        Err(error) => read_cut(format, bytes, header, &mut samples, error)?,
    };
    if let Buffer::Shallow(samples) = &mut samples
        && matches!(format, PictureFormat::Bmp | PictureFormat::Tga)
    {
        undo_unused_alpha(samples, header.layout.channels);
    }
    let pixels = samples.into_pixels(header).ok_or_else(|| broken(format.name(), "the number of samples is wrong"))?;
    Ok(Decoded { damage, ..Decoded::whole(pixels) })
}

/// Reads a file that gave `error` once more, with bytes made up behind its end, and greys the rows made of those. No damage
/// where it lacks nothing but what fills up its last row, or a mark behind it.
fn read_cut(
    format: PictureFormat,
    bytes: &[u8],
    header: &Header,
    samples: &mut Buffer,
    error: DecodeError,
) -> Result<Option<Damage>, DecodeError> {
    let pad: &[u8] = if format == PictureFormat::Pnm { pnm::padding(bytes) } else { b"\0" };
    // More than any of them stores, and not without end: a decoder may look for the end of a line.
    let padding = (header.stored.pixels() as usize).saturating_mul(16).saturating_add(64);
    let padded = |samples: &mut Buffer| read(format, Padded::new(bytes, padding, pad), samples);
    let (name, rows) = (format.name(), header.stored.height);
    // Rows that are whole, and whether they are counted from the bottom.
    let (whole, from_bottom) = match format {
        PictureFormat::Bmp => {
            let in_part = |samples: &mut Buffer| read(format, Padded::new(bytes, 0, b"\0"), samples);
            let whole = match bmp::whole_rows(bytes, header.stored) {
                Some(0) => 0,
                Some(whole) => padded(samples).map(|()| whole).map_err(|_| error)?,
                None => bmp::read_in_part(bytes, header, samples, in_part),
            };
            (whole, !bmp::is_top_down(bytes))
        }
        PictureFormat::Tga => (tga::whole_rows(bytes, header.stored), tga::is_bottom_up(bytes)),
        PictureFormat::Pnm => (pnm::whole_rows(bytes, header), false),
        PictureFormat::Qoi => {
            let whole = qoi_pixels(bytes) / u64::from(header.stored.width.max(1));
            (u32::try_from(whole).unwrap_or(u32::MAX), false)
        }
        _ => return Err(error),
    };
    let whole = whole.min(rows);
    if whole == 0 {
        return Err(broken(name, format!("no row can be read ({CUT})")));
    }
    match format {
        PictureFormat::Tga | PictureFormat::Pnm => padded(samples)?,
        // The decoder wants an end mark behind the pixels; they are there without it.
        PictureFormat::Qoi => drop(padded(samples)),
        _ => {}
    }
    if whole == rows {
        // Every row is there, so it was something else that the decoder missed: the mark at the end of QOI or of run
        // lengths, or bytes that fill up a row.
        return match format {
            PictureFormat::Qoi => Ok(Some(Damage { missing_rows: 0, rows, reason: CUT.to_owned() })),
            PictureFormat::Bmp => Ok(None),
            _ => Err(broken(name, "the picture data is corrupt")),
        };
    }
    samples.grey_rows(header, whole, from_bottom);
    damage_of(name, rows - whole, rows, CUT)
}

/// Pixels that the packets in the file hold (QOI specification, 2022).
fn qoi_pixels(bytes: &[u8]) -> u64 {
    let (mut at, mut pixels) = (14, 0);
    while let Some(&tag) = bytes.get(at) {
        let (length, count) = match tag {
            0xfe => (4, 1),
            0xff => (5, 1),
            0x80..=0xbf => (2, 1),
            0xc0..=0xfd => (1, u64::from(tag & 0x3f) + 1),
            _ => (1, 1),
        };
        if at + length > bytes.len() {
            break;
        }
        at += length;
        pixels += count;
    }
    pixels
}

fn read(format: PictureFormat, source: Padded<'_>, samples: &mut Buffer) -> Result<(), DecodeError> {
    let mut decoder = decoder(format, source)?;
    // What a decoder takes beside the picture itself is bounded as well.
    let beside = decoder.total_bytes().saturating_mul(2).saturating_add(BESIDE_BYTES);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(beside);
    decoder.set_limits(limits).map_err(|error| refused(format.name(), &error))?;
    let target = samples.as_bytes();
    if decoder.total_bytes() != target.len() as u64 {
        return Err(broken(format.name(), "its size changes"));
    }
    decoder.read_image_boxed(target).map_err(|error| refused(format.name(), &error))
}

fn decoder<'a>(format: PictureFormat, source: Padded<'a>) -> Result<Box<dyn ImageDecoder + 'a>, DecodeError> {
    fn boxed<'a>(
        decoder: Result<impl ImageDecoder + 'a, ImageError>,
    ) -> Result<Box<dyn ImageDecoder + 'a>, ImageError> {
        Ok(Box::new(decoder?))
    }
    let decoder = match format {
        PictureFormat::Jpeg => boxed(JpegDecoder::new(source)),
        PictureFormat::Bmp => boxed(BmpDecoder::new(source)),
        PictureFormat::Qoi => boxed(QoiDecoder::new(source)),
        PictureFormat::Pnm => boxed(PnmDecoder::new(source)),
        PictureFormat::Tga => boxed(TgaDecoder::new(source)),
        _ => return Err(unsupported(format.name(), "it is read elsewhere")),
    };
    decoder.map_err(|error| refused(format.name(), &error))
}

fn layout(color: image::ColorType) -> PixelLayout {
    let channels = match (color.has_color(), color.has_alpha()) {
        (false, false) => Channels::L,
        (false, true) => Channels::La,
        (true, false) => Channels::Rgb,
        (true, true) => Channels::Rgba,
    };
    PixelLayout { channels, deep: color.bytes_per_pixel() / color.channel_count() > 1 }
}

/// Memory for a picture's samples.
enum Buffer {
    Shallow(Vec<u8>),
    Deep(Vec<u16>),
}

fn buffer(header: &Header) -> Buffer {
    let count = header.stored.pixels() as usize * header.layout.channels.count();
    if header.layout.deep { Buffer::Deep(vec![0; count]) } else { Buffer::Shallow(vec![0; count]) }
}

impl Buffer {
    fn as_bytes(&mut self) -> &mut [u8] {
        match self {
            Self::Shallow(samples) => samples,
            Self::Deep(samples) => bytemuck::cast_slice_mut(samples),
        }
    }

    fn into_pixels(self, header: &Header) -> Option<Pixels> {
        let (size, channels) = (header.stored, header.layout.channels);
        match self {
            Self::Shallow(samples) => Pixels::from_u8(size, channels, samples),
            Self::Deep(samples) => Pixels::from_u16(size, channels, samples),
        }
    }

    /// Greys all rows but the first `whole` of them, or the last where the file begins with the bottom row.
    fn grey_rows(&mut self, header: &Header, whole: u32, from_bottom: bool) {
        let channels = header.layout.channels;
        let row = header.stored.width as usize * channels.count();
        let read = whole as usize * row;
        let all = header.stored.height as usize * row;
        let unread = if from_bottom { 0..all - read } else { read..all };
        match self {
            Self::Shallow(samples) => fill_neutral(&mut samples[unread], channels),
            Self::Deep(samples) => fill_neutral(&mut samples[unread], channels),
        }
    }
}

fn refused(format: &'static str, error: &ImageError) -> DecodeError {
    match error {
        ImageError::Limits(_) => broken(format, format!("it asks for too much memory ({error})")),
        ImageError::Unsupported(_) => unsupported(format, error.to_string()),
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => broken(format, CUT),
        error => broken(format, own_words(error)),
    }
}

#[cfg(test)]
mod tests;
