//! Formats decoded in whole by the `image` crate: BMP, QOI, PNM, TGA, icons, and JPEG files that the first decoder
//! rejects.

mod bmp;
mod icon;

use image::codecs::bmp::BmpDecoder;
use image::codecs::jpeg::JpegDecoder;
use image::codecs::pnm::PnmDecoder;
use image::codecs::qoi::QoiDecoder;
use image::codecs::tga::TgaDecoder;
use image::{ImageDecoder, ImageError, Limits};

use geometry::Size;
use outcome::{Channels, DecodeError, PictureFormat, PixelLayout};
use recipe::DecodeLimits;

use super::parts::{TRUNCATED, broken, decoder_message, undo_unused_alpha, unsupported};
use super::source::Source;
use super::{Decoded, Header, describes};
use crate::Pixels;
use crate::request::StoredRequest;

/// Memory limit for the decoder's fixed overhead.
const OVERHEAD_BYTES: u64 = 64 << 20;

/// The end marker of a QOI file.
const QOI_END: &[u8] = &[0, 0, 0, 0, 0, 0, 0, 1];

pub(super) fn header(format: PictureFormat, bytes: &[u8], limits: &DecodeLimits) -> Result<Header, DecodeError> {
    if format == PictureFormat::Ico {
        return icon::header(bytes, limits);
    }
    let mut decoder = decoder(format, Source::new(bytes))?;
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
    request: StoredRequest,
    limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    if format == PictureFormat::Ico {
        return icon::pixels(bytes, header, request, limits);
    }
    let mut samples = buffer(header);
    match read(format, bytes, &mut samples) {
        // Only the padding of its last row or the end marker may be missing.
        Err(error) if format == PictureFormat::Bmp => bmp::read_without_end(bytes, header, &mut samples, error)?,
        Err(_) if format == PictureFormat::Qoi && !bytes.ends_with(QOI_END) => {
            return Err(broken(format.name(), TRUNCATED));
        }
        outcome => outcome?,
    }
    if let Buffer::Shallow(samples) = &mut samples
        && matches!(format, PictureFormat::Bmp | PictureFormat::Tga)
    {
        undo_unused_alpha(samples, header.layout.channels);
    }
    let pixels = samples.into_pixels(header).ok_or_else(|| broken(format.name(), "the number of samples is wrong"))?;
    Ok(Decoded::whole(pixels))
}

fn read(format: PictureFormat, bytes: &[u8], samples: &mut Buffer) -> Result<(), DecodeError> {
    let mut decoder = decoder(format, Source::new(bytes))?;
    // The decoder's overhead is limited too.
    let max_alloc = decoder.total_bytes().saturating_mul(2).saturating_add(OVERHEAD_BYTES);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(max_alloc);
    decoder.set_limits(limits).map_err(|error| refused(format.name(), &error))?;
    let target = samples.as_bytes();
    if decoder.total_bytes() != target.len() as u64 {
        return Err(broken(format.name(), "its size is inconsistent"));
    }
    decoder.read_image_boxed(target).map_err(|error| refused(format.name(), &error))
}

fn decoder<'a>(format: PictureFormat, source: Source<'a>) -> Result<Box<dyn ImageDecoder + 'a>, DecodeError> {
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

/// Memory for the samples of an image.
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
}

fn refused(format: &'static str, error: &ImageError) -> DecodeError {
    match error {
        ImageError::Limits(_) => broken(format, format!("it needs too much memory ({error})")),
        ImageError::Unsupported(_) => unsupported(format, error.to_string()),
        error => broken(format, decoder_message(error)),
    }
}

#[cfg(test)]
mod tests;
