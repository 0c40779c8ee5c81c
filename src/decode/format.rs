//! File formats, told by content.

use super::DecodeError;
use super::formats::{heif, jxl, raw};

/// The file format a picture was found in, by content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PictureFormat {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    WebP,
    /// Windows bitmap.
    Bmp,
    /// TIFF.
    Tiff,
    /// GIF.
    Gif,
    /// AVIF.
    Avif,
    /// HEIC, and other pictures in HEIF's container.
    Heic,
    /// JPEG XL.
    Jxl,
    /// A camera's raw file; the preview inside it is the picture.
    Raw,
}

impl PictureFormat {
    /// The name shown to people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::WebP => "WebP",
            Self::Bmp => "BMP",
            Self::Tiff => "TIFF",
            Self::Gif => "GIF",
            Self::Avif => "AVIF",
            Self::Heic => "HEIC",
            Self::Jxl => "JPEG XL",
            Self::Raw => "raw",
        }
    }
}

/// Tells the format from a file's content.
pub(super) fn sniff(bytes: &[u8]) -> Result<PictureFormat, DecodeError> {
    use image::ImageFormat;
    // Raw files look like TIFF and the family of HEIF like AVIF to those who read their first bytes alone.
    if let Some(format) = sniff_modern(bytes) {
        return Ok(format);
    }
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

/// The formats told by more than their first bytes.
fn sniff_modern(bytes: &[u8]) -> Option<PictureFormat> {
    if raw::is_raw(bytes) {
        return Some(PictureFormat::Raw);
    }
    if jxl::is_jxl(bytes) {
        return Some(PictureFormat::Jxl);
    }
    heif::sniff(bytes)
}

/// A name for content that is not read here, where its first bytes give it away.
fn recognise(bytes: &[u8]) -> Option<&'static str> {
    if bytes.get(4..8) == Some(b"ftyp") {
        return Some("a video or another ISO media file");
    }
    let starts: [(&[u8], &str); 7] = [
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive or an office document"),
        (b"8BPS", "a Photoshop document"),
        (b"<svg", "an SVG drawing"),
        (b"FOVb", "Sigma's X3F raw; export it as JPEG first"),
        (b"\0MRM", "Minolta's MRW raw; export it as JPEG first"),
        (b"II\x1a\0\0\0HEAPCCDR", "Canon's CRW raw; export it as JPEG first"),
    ];
    if let Some((_, name)) = starts.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Some(name);
    }
    let head = &bytes[..bytes.len().min(512)];
    let is_text =
        std::str::from_utf8(head).is_ok_and(|text| !text.chars().any(|c| c.is_control() && !c.is_whitespace()));
    is_text.then_some("text")
}
