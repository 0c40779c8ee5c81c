//! Formats that the `image` crate reads whole.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::{Decoded, Header, jpeg_end};
use crate::decode::{Channels, Damage, DecodeError, DecodeLimits, PictureFormat, PixelLayout, Pixels};
use crate::geometry::Size;

/// Bytes that reading a header may take, a colour profile packed in it among them.
const HEADER_BYTES: u64 = 128 << 20;

/// Bytes that a decoder may take for small pictures, whatever their size.
const BESIDE_BYTES: u64 = 64 << 20;

pub(super) fn header(format: PictureFormat, bytes: &[u8], _limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let mut decoder = decoder(format, bytes)?;
    let (width, height) = decoder.dimensions();
    let layout = layout(decoder.color_type());
    let icc_profile = decoder.icc_profile().ok().flatten().filter(|profile| describes(profile, layout.channels));
    Ok(Header {
        stored: Size::new(width, height),
        orientation: None,
        layout,
        icc_profile: icc_profile.map(Into::into),
        decodes_in_part: false,
        note: None,
    })
}

pub(super) fn pixels(
    format: PictureFormat,
    bytes: &[u8],
    header: &Header,
    _limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let name = format.name();
    let mut decoder = decoder(format, bytes)?;
    // What a decoder takes beside the picture itself (frames of an animation, metadata) is bounded as well.
    let beside = decoder.total_bytes().saturating_mul(2).saturating_add(BESIDE_BYTES);
    decoder.set_limits(memory_limit(beside)).map_err(|error| refused(name, &error))?;
    let decoded = DynamicImage::from_decoder(decoder).map_err(|error| refused(name, &error))?;
    let pixels = from_image(decoded).ok_or_else(|| DecodeError::Broken {
        format: name,
        reason: "the decoder gave another number of pixels than it promised".to_owned(),
    })?;
    let mut decoded = Decoded::whole(pixels);
    if format == PictureFormat::Jpeg && !jpeg_end::is_complete(bytes) {
        let reason = "the end of the file is missing".to_owned();
        decoded.damage = Some(Damage { missing_rows: 0, rows: header.stored.height, reason });
    }
    Ok(decoded)
}

fn decoder(format: PictureFormat, bytes: &[u8]) -> Result<impl ImageDecoder, DecodeError> {
    let Some(container) = image_format(format) else {
        let reason = "another reader is needed".to_owned();
        return Err(DecodeError::Unsupported { format: format.name(), reason });
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), container);
    reader.limits(memory_limit(HEADER_BYTES));
    reader.into_decoder().map_err(|error| refused(format.name(), &error))
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

fn from_image(image: DynamicImage) -> Option<Pixels> {
    let size = Size::new(image.width(), image.height());
    let PixelLayout { channels, deep } = layout(image.color());
    match (channels, deep) {
        (Channels::L, false) => Pixels::from_u8(size, channels, image.into_luma8().into_raw()),
        (Channels::La, false) => Pixels::from_u8(size, channels, image.into_luma_alpha8().into_raw()),
        (Channels::Rgb, false) => Pixels::from_u8(size, channels, image.into_rgb8().into_raw()),
        (Channels::Rgba, false) => Pixels::from_u8(size, channels, image.into_rgba8().into_raw()),
        (Channels::L, true) => Pixels::from_u16(size, channels, image.into_luma16().into_raw()),
        (Channels::La, true) => Pixels::from_u16(size, channels, image.into_luma_alpha16().into_raw()),
        (Channels::Rgb, true) => Pixels::from_u16(size, channels, image.into_rgb16().into_raw()),
        (Channels::Rgba, true) => Pixels::from_u16(size, channels, image.into_rgba16().into_raw()),
    }
}

fn memory_limit(max_bytes: u64) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(max_bytes);
    limits
}

const fn image_format(format: PictureFormat) -> Option<ImageFormat> {
    Some(match format {
        PictureFormat::Jpeg => ImageFormat::Jpeg,
        PictureFormat::Png => ImageFormat::Png,
        PictureFormat::WebP => ImageFormat::WebP,
        PictureFormat::Bmp => ImageFormat::Bmp,
        PictureFormat::Tiff => ImageFormat::Tiff,
        PictureFormat::Gif => ImageFormat::Gif,
        PictureFormat::Avif | PictureFormat::Heic | PictureFormat::Jxl | PictureFormat::Raw => return None,
    })
}

fn refused(format: &'static str, error: &ImageError) -> DecodeError {
    let reason = error.to_string();
    match error {
        ImageError::Limits(_) => {
            DecodeError::Broken { format, reason: format!("it asks for too much memory ({reason})") }
        }
        ImageError::Unsupported(_) => DecodeError::Unsupported { format, reason },
        _ => DecodeError::Broken { format, reason },
    }
}

/// True where the profile's data colour space (bytes 16 to 19 of its header, ICC.1:2022 section 7.2) is that of `channels`:
/// only then does it say what the decoded numbers mean.
fn describes(profile: &[u8], channels: Channels) -> bool {
    profile.get(16..20) == Some(if channels.is_grey() { b"GRAY" } else { b"RGB " })
}
