//! File formats, told by content.

use super::DecodeError;

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
        }
    }
}

/// Tells the format from a file's content.
pub(super) fn sniff(bytes: &[u8]) -> Result<PictureFormat, DecodeError> {
    use image::ImageFormat;
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
