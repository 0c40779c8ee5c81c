//! Decoded pixels, upright.

use std::sync::Arc;

use crate::geometry::Size;

/// What one pixel is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelLayout {
    /// Red, green, blue; 8 bits each.
    Rgb8,
    /// Red, green, blue, alpha; 8 bits each, colour not multiplied by alpha.
    Rgba8,
}

impl PixelLayout {
    /// Bytes a pixel.
    pub const fn channels(self) -> usize {
        match self {
            Self::Rgb8 => 3,
            Self::Rgba8 => 4,
        }
    }
}

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

/// What is known of a picture beside its pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureInfo {
    /// Upright size in pixels.
    pub size: Size,
    /// File format, by content.
    pub format: PictureFormat,
    /// True where the file is cut or corrupt and some of the pixels are missing.
    pub damaged: bool,
    /// The embedded ICC profile, where it describes RGB numbers and so holds for the pixels here.
    pub icc_profile: Option<Arc<[u8]>>,
}

/// An upright picture in memory.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Size, format and what else the file said.
    pub info: PictureInfo,
    /// What one pixel is made of.
    pub layout: PixelLayout,
    /// Rows from top to bottom without gaps: width x height x channels bytes.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// Upright size in pixels.
    pub fn size(&self) -> Size {
        self.info.size
    }

    /// Bytes of memory its pixels take.
    pub fn byte_size(&self) -> usize {
        self.pixels.len()
    }
}
