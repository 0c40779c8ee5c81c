//! Output settings: file format, encoder options and destination.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{CropSpec, SheetFormat};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputFormat {
    /// JPEG: lossy, 8 bits, no transparency.
    Jpeg,
    /// PNG: lossless, 8 or 16 bits.
    Png,
    /// WebP: lossy or lossless, 8 bits.
    WebP,
    /// AVIF: lossy, 8 bits, the smallest files and the slowest to write.
    Avif,
    /// TIFF: lossless, 8 or 16 bits.
    #[serde(alias = "tif")]
    Tiff,
}

impl OutputFormat {
    /// Every format, in display order.
    pub const ALL: [Self; 5] = [Self::Jpeg, Self::Png, Self::WebP, Self::Avif, Self::Tiff];

    /// The file name extension, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::WebP => "webp",
            Self::Avif => "avif",
            Self::Tiff => "tif",
        }
    }

    /// The format of files with this extension, without the dot; case is ignored.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Some(match &*extension.to_ascii_lowercase() {
            "jpg" | "jpeg" => Self::Jpeg,
            "png" => Self::Png,
            "webp" => Self::WebP,
            "avif" => Self::Avif,
            "tif" | "tiff" => Self::Tiff,
            _ => return None,
        })
    }

    /// The displayed name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::WebP => "WebP",
            Self::Avif => "AVIF",
            Self::Tiff => "TIFF",
        }
    }

    /// True if the format supports transparency.
    pub const fn has_alpha(self) -> bool {
        !matches!(self, Self::Jpeg)
    }

    /// True if the format supports 16 bits per sample.
    pub const fn is_deep(self) -> bool {
        matches!(self, Self::Png | Self::Tiff)
    }

    /// True if the format has greyscale, rather than equal red, green and blue.
    pub const fn has_grey(self) -> bool {
        matches!(self, Self::Jpeg | Self::Png | Self::Tiff)
    }

    /// Maximum side in pixels that the format allows and common programs can read.
    pub const fn max_side(self) -> u32 {
        match self {
            Self::Jpeg => 65_500,
            Self::WebP => 16_383,
            Self::Avif => 65_535,
            Self::Png | Self::Tiff => i32::MAX as u32,
        }
    }
}

/// True if `path` has the extension of an output format for crops or sheets.
pub fn has_output_extension(path: &Path) -> bool {
    let written = OutputFormat::ALL.map(OutputFormat::extension);
    let sheets = SheetFormat::ALL.map(SheetFormat::extension);
    path.extension().is_some_and(|extension| written.iter().chain(&sheets).any(|known| *known == extension))
}

/// Chroma subsampling of JPEG.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Subsampling {
    /// No subsampling.
    #[serde(rename = "4:4:4")]
    Full,
    /// One chroma sample for four pixels: smaller files, as written by cameras.
    #[default]
    #[serde(rename = "4:2:0")]
    Half,
}

impl Subsampling {
    /// Both, in display order.
    pub const ALL: [Self; 2] = [Self::Half, Self::Full];
}

/// Compression level of lossless formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compression {
    /// Fast; photos become about as small as with the other levels.
    #[default]
    Fast,
    /// Medium level.
    Balanced,
    /// Slow; for drawings and flat images.
    Small,
}

impl Compression {
    /// Every level, fastest first.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Balanced, Self::Small];
}

/// The colour space of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColorPolicy {
    /// The photo's colour space, with its profile embedded.
    #[default]
    Keep,
    /// Converted to sRGB, without a profile.
    Srgb,
}

/// The metadata copied from the photo to the crop. The photo's thumbnail is never copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetadataPolicy {
    /// Dates, camera, author, copyright; no location, no serial numbers, no unknown tags.
    #[default]
    Safe,
    /// Everything, with sizes and orientation corrected.
    All,
    /// Only resolution and colour profile.
    Strip,
}

/// Encoder settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EncodeSpec {
    pub format: OutputFormat,
    /// Quality of JPEG, AVIF and lossy WebP, 1 to 100.
    pub quality: u8,
    /// Chroma subsampling of JPEG.
    pub subsampling: Subsampling,
    /// True for progressive JPEG: slightly smaller, slower to write and to read.
    pub progressive: bool,
    /// True for lossless WebP.
    pub lossless: bool,
    /// Compression level of lossless formats.
    pub compression: Compression,
    /// Speed of the AVIF encoder, 1 (slow, small) to 10.
    pub avif_speed: u8,
    /// Maximum file size in units of 1,000 bytes, including metadata; the quality is lowered until the file fits.
    /// `None` for no limit.
    pub max_kilobytes: Option<u32>,
    /// Resolution written into the file, in dots per inch.
    pub dpi: u16,
    /// The colour space of the output.
    pub color: ColorPolicy,
    /// The metadata copied from the photo.
    pub metadata: MetadataPolicy,
}

impl EncodeSpec {
    /// Allowed quality.
    pub const QUALITY: RangeInclusive<u8> = 1..=100;
    /// Allowed speed of the AVIF encoder.
    pub const AVIF_SPEED: RangeInclusive<u8> = 1..=10;
    /// Allowed resolution in dots per inch.
    pub const DPI: RangeInclusive<u16> = 1..=10_000;

    /// True if the output is lossy, so that its quality matters.
    pub const fn is_lossy(&self) -> bool {
        match self.format {
            OutputFormat::Jpeg | OutputFormat::Avif => true,
            OutputFormat::WebP => !self.lossless,
            OutputFormat::Png | OutputFormat::Tiff => false,
        }
    }

    /// True if the size limit is that of the rules of `crop`, or if neither has one.
    pub fn has_limit_of(&self, crop: &CropSpec) -> bool {
        self.max_kilobytes == crop.rules.as_ref().and_then(|rules| rules.max_kilobytes)
    }

    /// These settings, made for photos with the framing `shared`, for a photo with the framing `own`: its file meets the
    /// rules of `own`. The user's own size limit and, if the rules are the same, every other choice of the user stay.
    #[must_use]
    pub fn for_own_framing(&self, shared: &CropSpec, own: &CropSpec) -> Self {
        if own.rules == shared.rules {
            return *self;
        }
        let own_limit = self.max_kilobytes.filter(|_| !self.has_limit_of(shared));
        let Some(rules) = &own.rules else { return Self { max_kilobytes: own_limit, ..*self } };
        // If the shared rules require JPEG as well, the user has chosen another format in spite of them.
        let requires_jpeg = rules.jpeg && !shared.rules.as_ref().is_some_and(|rules| rules.jpeg);
        Self {
            max_kilobytes: rules.max_kilobytes.into_iter().chain(own_limit).min(),
            format: if requires_jpeg { OutputFormat::Jpeg } else { self.format },
            dpi: rules.file_dpi(own.output).filter(|_| !own.original_size).unwrap_or(self.dpi),
            ..*self
        }
    }

    /// Checks that every value is valid, whether or not the format uses it.
    ///
    /// # Errors
    /// A value is out of range.
    pub fn check(&self) -> Result<(), EncodeSpecError> {
        if !Self::QUALITY.contains(&self.quality) {
            return Err(EncodeSpecError::Quality { quality: self.quality });
        }
        if !Self::AVIF_SPEED.contains(&self.avif_speed) {
            return Err(EncodeSpecError::AvifSpeed { speed: self.avif_speed });
        }
        if !Self::DPI.contains(&self.dpi) {
            return Err(EncodeSpecError::Dpi { dpi: self.dpi });
        }
        if self.max_kilobytes == Some(0) {
            return Err(EncodeSpecError::NoBytes);
        }
        Ok(())
    }
}

impl Default for EncodeSpec {
    fn default() -> Self {
        Self {
            format: OutputFormat::Jpeg,
            quality: 92,
            subsampling: Subsampling::Half,
            progressive: false,
            lossless: false,
            compression: Compression::Fast,
            avif_speed: 9,
            max_kilobytes: None,
            dpi: 300,
            color: ColorPolicy::Keep,
            metadata: MetadataPolicy::Safe,
        }
    }
}

/// The policy if an output file exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnConflict {
    /// A number is added to the name: `anna (2).jpg`.
    #[default]
    Suffix,
    /// The crop is skipped and the existing file is kept.
    Skip,
    /// The existing file is replaced, unless it is an input photo or was written by this run.
    Overwrite,
    /// The input fails with an error.
    Fail,
}

impl OnConflict {
    /// Every policy, in display order.
    pub const ALL: [Self; 4] = [Self::Suffix, Self::Skip, Self::Overwrite, Self::Fail];
}

/// The destination of the crops.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputSpec {
    /// The output folder; created if it does not exist.
    pub folder: PathBuf,
    /// The policy if a file exists.
    pub on_conflict: OnConflict,
}

/// An invalid value of an [`EncodeSpec`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeSpecError {
    /// The quality is out of range.
    #[error("a quality of {quality} is outside {} to {}", EncodeSpec::QUALITY.start(), EncodeSpec::QUALITY.end())]
    Quality {
        /// The requested quality.
        quality: u8,
    },
    /// The AVIF speed is out of range.
    #[error("an AVIF speed of {speed} is outside {} to {}", EncodeSpec::AVIF_SPEED.start(), EncodeSpec::AVIF_SPEED.end())]
    AvifSpeed {
        /// The requested speed.
        speed: u8,
    },
    /// The resolution is out of range.
    #[error("a resolution of {dpi} dpi is outside {} to {}", EncodeSpec::DPI.start(), EncodeSpec::DPI.end())]
    Dpi {
        /// The requested dots per inch.
        dpi: u16,
    },
    /// The size limit is 0.
    #[error("a limit of 0 kB allows no file; give at least 1 kB, or no limit")]
    NoBytes,
}
