//! From a file's bytes to an upright picture.

use std::io::Cursor;
use std::path::Path;

use image::metadata::Orientation as ImageOrientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::{DecodeError, DecodeLimits, Picture, PictureFormat, PictureInfo, PixelLayout, jpeg_end};
use crate::geometry::{Orientation, Size};

/// Reads and decodes a file.
///
/// # Errors
/// See [`read_file`] and [`decode_bytes`].
pub fn decode_file(path: &Path, limits: &DecodeLimits) -> Result<Picture, DecodeError> {
    decode_bytes(&read_file(path, limits)?, limits)
}

/// Reads a file whole.
///
/// # Errors
/// It is missing, not a file, empty, unreadable or larger than `limits` allow.
pub fn read_file(path: &Path, limits: &DecodeLimits) -> Result<Vec<u8>, DecodeError> {
    let metadata = std::fs::metadata(path).map_err(DecodeError::Unreadable)?;
    if !metadata.is_file() {
        return Err(DecodeError::NotAFile);
    }
    if metadata.len() > limits.max_file_bytes {
        return Err(DecodeError::FileTooLarge { bytes: metadata.len(), limit: limits.max_file_bytes });
    }
    std::fs::read(path).map_err(DecodeError::Unreadable)
}

/// Decodes a file's bytes; the format is told by content. The picture comes out upright, 8 bits a channel.
///
/// # Errors
/// No known format, a header that says more pixels than `limits` allow (nothing is allocated then), or broken data.
pub fn decode_bytes(bytes: &[u8], limits: &DecodeLimits) -> Result<Picture, DecodeError> {
    if bytes.is_empty() {
        return Err(DecodeError::Empty);
    }
    let format = sniff(bytes)?;
    let name = format.name();
    let mut reader = ImageReader::with_format(Cursor::new(bytes), image_format(format));
    reader.limits(memory_limit(HEADER_BYTES));
    let mut decoder = reader.into_decoder().map_err(|error| refused(name, &error))?;
    let (width, height) = decoder.dimensions();
    let stored = Size::new(width, height);
    check_size(stored, decoder.total_bytes(), limits)?;
    // What a decoder takes beside the picture itself (frames of an animation, metadata) is bounded as well.
    let beside = decoder.total_bytes().saturating_mul(2).saturating_add(BESIDE_BYTES);
    decoder.set_limits(memory_limit(beside)).map_err(|error| refused(name, &error))?;
    // A metadata block that cannot be read is as good as none.
    let orientation = from_image_orientation(decoder.orientation().unwrap_or(ImageOrientation::NoTransforms));
    let icc_profile = decoder.icc_profile().ok().flatten().filter(|profile| describes_rgb(profile));
    let mut decoded = DynamicImage::from_decoder(decoder).map_err(|error| refused(name, &error))?;
    decoded.apply_orientation(to_image_orientation(orientation));
    let damaged = format == PictureFormat::Jpeg && !jpeg_end::is_complete(bytes);
    let (layout, pixels) = if decoded.color().has_alpha() {
        (PixelLayout::Rgba8, decoded.into_rgba8().into_raw())
    } else {
        (PixelLayout::Rgb8, decoded.into_rgb8().into_raw())
    };
    let info = PictureInfo {
        size: orientation.upright_size(stored),
        format,
        damaged,
        icc_profile: icc_profile.map(Into::into),
    };
    Ok(Picture { info, layout, pixels })
}

/// Bytes that reading a header may take, a colour profile packed in it among them.
const HEADER_BYTES: u64 = 128 << 20;

/// Bytes that a decoder may take for small pictures, whatever their size.
const BESIDE_BYTES: u64 = 64 << 20;

fn memory_limit(max_bytes: u64) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(max_bytes);
    limits
}

fn check_size(size: Size, bytes: u64, limits: &DecodeLimits) -> Result<(), DecodeError> {
    if size.pixels() > limits.max_pixels {
        return Err(DecodeError::TooManyPixels { size, limit: limits.max_pixels });
    }
    if bytes > limits.max_bytes() {
        return Err(DecodeError::TooMuchMemory { bytes, limit: limits.max_bytes() });
    }
    Ok(())
}

/// Tells the format from the first bytes.
fn sniff(bytes: &[u8]) -> Result<PictureFormat, DecodeError> {
    let format = match image::guess_format(bytes) {
        Ok(ImageFormat::Jpeg) => PictureFormat::Jpeg,
        Ok(ImageFormat::Png) => PictureFormat::Png,
        Ok(ImageFormat::WebP) => PictureFormat::WebP,
        Ok(ImageFormat::Bmp) => PictureFormat::Bmp,
        Ok(ImageFormat::Tiff) => PictureFormat::Tiff,
        Ok(ImageFormat::Gif) => PictureFormat::Gif,
        _ => return Err(DecodeError::UnknownFormat { found: recognise(bytes) }),
    };
    Ok(format)
}

/// A name for content that is not read here, where its first bytes give it away.
fn recognise(bytes: &[u8]) -> Option<&'static str> {
    let brand = bytes.get(4..8).filter(|tag| *tag == b"ftyp").and_then(|_| bytes.get(8..12));
    match brand {
        Some(b"heic" | b"heix" | b"hevc" | b"hevx" | b"heim" | b"heis" | b"mif1" | b"msf1") => {
            return Some("HEIC; export it as JPEG first");
        }
        Some(b"avif" | b"avis") => return Some("AVIF; export it as JPEG or PNG first"),
        Some(_) => return Some("a video or another ISO media file"),
        None => {}
    }
    let starts: [(&[u8], &str); 6] = [
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive or an office document"),
        (b"8BPS", "a Photoshop document"),
        (b"\xff\x0a", "JPEG XL"),
        (b"\0\0\0\x0cJXL ", "JPEG XL"),
        (b"<svg", "an SVG drawing"),
    ];
    if let Some((_, name)) = starts.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Some(name);
    }
    let head = &bytes[..bytes.len().min(512)];
    let is_text =
        std::str::from_utf8(head).is_ok_and(|text| !text.chars().any(|c| c.is_control() && !c.is_whitespace()));
    is_text.then_some("text")
}

const fn image_format(format: PictureFormat) -> ImageFormat {
    match format {
        PictureFormat::Jpeg => ImageFormat::Jpeg,
        PictureFormat::Png => ImageFormat::Png,
        PictureFormat::WebP => ImageFormat::WebP,
        PictureFormat::Bmp => ImageFormat::Bmp,
        PictureFormat::Tiff => ImageFormat::Tiff,
        PictureFormat::Gif => ImageFormat::Gif,
    }
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

/// True where the profile's data colour space (bytes 16 to 19 of its header, ICC.1:2022 section 7.2) is RGB: only then
/// does it say what the RGB numbers decoded here mean.
fn describes_rgb(profile: &[u8]) -> bool {
    profile.get(16..20) == Some(b"RGB ")
}

fn from_image_orientation(orientation: ImageOrientation) -> Orientation {
    Orientation::from_exif(u16::from(orientation.to_exif()))
}

fn to_image_orientation(orientation: Orientation) -> ImageOrientation {
    match orientation {
        Orientation::Upright => ImageOrientation::NoTransforms,
        Orientation::MirroredHorizontally => ImageOrientation::FlipHorizontal,
        Orientation::TurnedHalf => ImageOrientation::Rotate180,
        Orientation::MirroredVertically => ImageOrientation::FlipVertical,
        Orientation::Transposed => ImageOrientation::Rotate90FlipH,
        Orientation::QuarterClockwise => ImageOrientation::Rotate90,
        Orientation::Transversed => ImageOrientation::Rotate270FlipH,
        Orientation::QuarterCounterClockwise => ImageOrientation::Rotate270,
    }
}

#[cfg(test)]
mod tests;
