//! What a file turned out to hold.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use geometry::Size;

use crate::PictureNote;

/// The file format a picture was found in, by content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// The "quite OK image" format.
    Qoi,
    /// Portable bitmap, greymap, pixmap or arbitrary map (PBM, PGM, PPM, PAM).
    Pnm,
    /// Truevision TGA.
    Tga,
    /// Windows icon.
    Ico,
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
            Self::Qoi => "QOI",
            Self::Pnm => "PNM",
            Self::Tga => "TGA",
            Self::Ico => "ICO",
            Self::Avif => "AVIF",
            Self::Heic => "HEIC",
            Self::Jxl => "JPEG XL",
            Self::Raw => "raw",
        }
    }
}

/// What the samples of one pixel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Channels {
    /// Grey.
    L,
    /// Grey and alpha; the grey is not multiplied by alpha.
    La,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, alpha; the colour is not multiplied by alpha.
    Rgba,
}

impl Channels {
    /// Samples a pixel.
    pub const fn count(self) -> usize {
        match self {
            Self::L => 1,
            Self::La => 2,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }

    /// True where the last sample is alpha.
    pub const fn has_alpha(self) -> bool {
        matches!(self, Self::La | Self::Rgba)
    }

    /// True where there is one sample for grey in place of three for colour.
    pub const fn is_grey(self) -> bool {
        matches!(self, Self::L | Self::La)
    }

    /// The same with three samples for colour.
    #[must_use]
    pub const fn in_colour(self) -> Self {
        match self {
            Self::L | Self::Rgb => Self::Rgb,
            Self::La | Self::Rgba => Self::Rgba,
        }
    }

    /// The same without alpha.
    #[must_use]
    pub const fn without_alpha(self) -> Self {
        match self {
            Self::L | Self::La => Self::L,
            Self::Rgb | Self::Rgba => Self::Rgb,
        }
    }
}

/// How a pixel is stored: its channels and the bits of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PixelLayout {
    /// What the samples are.
    pub channels: Channels,
    /// True for 16 bits a sample, false for 8.
    pub deep: bool,
}

impl PixelLayout {
    /// 8 bits of red, green and blue.
    pub const RGB8: Self = Self { channels: Channels::Rgb, deep: false };
    /// 8 bits of red, green, blue and alpha.
    pub const RGBA8: Self = Self { channels: Channels::Rgba, deep: false };

    /// Bytes a pixel.
    pub const fn bytes(self) -> usize {
        self.channels.count() * if self.deep { 2 } else { 1 }
    }
}

/// What is missing of a picture whose file is cut or corrupt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    /// Rows of the picture as stored that were not read; 0 where that cannot be told or none is missing.
    pub missing_rows: u32,
    /// Rows of the picture as stored.
    pub rows: u32,
    /// What is wrong, in words.
    pub reason: String,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.missing_rows {
            0 => f.write_str(&self.reason),
            missing => write!(f, "{missing} of {} rows are missing, {}", self.rows, self.reason),
        }
    }
}

/// What is known of a photo once its file was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhotoInfo {
    /// Pixels of the upright picture.
    pub size: Size,
    /// Format of the file.
    pub format: PictureFormat,
    /// How its pixels are stored.
    pub layout: PixelLayout,
    /// What is missing of it, if anything is.
    pub damage: Option<Damage>,
    /// What a person should know of how it was read.
    pub note: Option<PictureNote>,
}

impl PhotoInfo {
    /// A sound photo.
    pub fn plain(size: Size, format: PictureFormat, layout: PixelLayout) -> Self {
        Self { size, format, layout, damage: None, note: None }
    }
}

/// An upright copy for the screen: RGBA, 8 bits each, colour not multiplied by alpha. Clones share the pixels.
#[derive(Clone, PartialEq, Eq)]
pub struct DisplayCopy {
    /// Size of the copy in pixels.
    pub size: Size,
    /// Rows from top to bottom without gaps: width x height x 4 bytes.
    pub rgba: Arc<[u8]>,
}

impl std::fmt::Debug for DisplayCopy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DisplayCopy({})", self.size)
    }
}
