//! Properties of a decoded photo.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use geometry::Size;

use crate::{Moment, PictureNote};

/// The file format of a photo, detected from the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PictureFormat {
    Jpeg,
    Png,
    WebP,
    /// Windows bitmap.
    Bmp,
    Tiff,
    Gif,
    /// The "quite OK image" format.
    Qoi,
    /// Portable bitmap, greymap, pixmap or arbitrary map (PBM, PGM, PPM, PAM).
    Pnm,
    /// Truevision TGA.
    Tga,
    /// Windows icon.
    Ico,
    Avif,
    /// HEIC and other images in a HEIF container.
    Heic,
    /// JPEG XL.
    Jxl,
    /// A camera raw file, of which the embedded preview is read.
    Raw,
}

impl PictureFormat {
    /// The displayed name.
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

/// The channels of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Channels {
    /// Grey.
    L,
    /// Grey and alpha, not premultiplied.
    La,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue and alpha, not premultiplied.
    Rgba,
}

impl Channels {
    /// Samples per pixel.
    pub const fn count(self) -> usize {
        match self {
            Self::L => 1,
            Self::La => 2,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }

    /// True if the last sample is alpha.
    pub const fn has_alpha(self) -> bool {
        matches!(self, Self::La | Self::Rgba)
    }

    /// True for one grey sample in place of three colour samples.
    pub const fn is_grey(self) -> bool {
        matches!(self, Self::L | Self::La)
    }

    /// The same with three colour samples.
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

/// The layout of a pixel: its channels and the bits per sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PixelLayout {
    pub channels: Channels,
    /// True for 16 bits per sample, false for 8.
    pub deep: bool,
}

impl PixelLayout {
    /// 8 bits of red, green and blue.
    pub const RGB8: Self = Self { channels: Channels::Rgb, deep: false };
    /// 8 bits of red, green, blue and alpha.
    pub const RGBA8: Self = Self { channels: Channels::Rgba, deep: false };

    /// Bytes per pixel.
    pub const fn bytes(self) -> usize {
        self.channels.count() * if self.deep { 2 } else { 1 }
    }
}

/// The missing part of an image whose file is truncated or corrupt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    /// Rows of the stored image that were not read; 0 if unknown or none.
    pub missing_rows: u32,
    /// Rows of the stored image.
    pub rows: u32,
    /// The problem, in English.
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

/// Properties of a photo, known once its file was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhotoInfo {
    /// Size of the upright image in pixels.
    pub size: Size,
    pub format: PictureFormat,
    /// Stored pixel layout.
    pub layout: PixelLayout,
    /// The missing part, if the file is damaged.
    pub damage: Option<Damage>,
    /// A remark on how it was read.
    pub note: Option<PictureNote>,
    /// When it was taken, by the camera's clock; `None` if unknown.
    pub taken: Option<Moment>,
}

impl PhotoInfo {
    /// An undamaged photo without remarks and capture time.
    pub fn plain(size: Size, format: PictureFormat, layout: PixelLayout) -> Self {
        Self { size, format, layout, damage: None, note: None, taken: None }
    }
}

/// An upright copy for the screen: RGBA, 8 bits per sample, not premultiplied. Clones share the pixels.
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
