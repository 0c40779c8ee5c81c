//! What a crop's file is like, and where it goes.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::SheetFormat;

/// The format crops are written in.
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
    /// Every format, in the order they are offered.
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

    /// The name shown to people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::WebP => "WebP",
            Self::Avif => "AVIF",
            Self::Tiff => "TIFF",
        }
    }

    /// True where the format can hold transparency.
    pub const fn has_alpha(self) -> bool {
        !matches!(self, Self::Jpeg)
    }

    /// True where the format can hold 16 bits a sample.
    pub const fn is_deep(self) -> bool {
        matches!(self, Self::Png | Self::Tiff)
    }

    /// True where the format can hold grey as such, and not only as equal red, green and blue.
    pub const fn has_grey(self) -> bool {
        matches!(self, Self::Jpeg | Self::Png | Self::Tiff)
    }

    /// Most pixels along a side that files of the format can have and programs in general can read.
    pub const fn longest_side(self) -> u32 {
        match self {
            Self::Jpeg => 65_500,
            Self::WebP => 16_383,
            Self::Avif => 65_535,
            Self::Png | Self::Tiff => i32::MAX as u32,
        }
    }
}

/// True if the extension of `path` is that of a file which is written here: a crop or a sheet.
pub fn has_written_extension(path: &Path) -> bool {
    let written = OutputFormat::ALL.map(OutputFormat::extension);
    let sheets = SheetFormat::ALL.map(SheetFormat::extension);
    path.extension().is_some_and(|extension| written.iter().chain(&sheets).any(|known| *known == extension))
}

/// How much of the colour's sharpness a JPEG keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Subsampling {
    /// A colour sample for every pixel.
    #[serde(rename = "4:4:4")]
    Full,
    /// One colour sample for four pixels: a smaller file, what cameras write.
    #[default]
    #[serde(rename = "4:2:0")]
    Half,
}

impl Subsampling {
    /// Both, in the order they are offered.
    pub const ALL: [Self; 2] = [Self::Half, Self::Full];
}

/// How hard a lossless file is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compression {
    /// Quick; photos come out about as small as with the others.
    #[default]
    Fast,
    /// The usual middle.
    Balanced,
    /// Slow, for drawings and flat pictures.
    Small,
}

impl Compression {
    /// Every level, from the quickest to the slowest.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Balanced, Self::Small];
}

/// Which numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColorPolicy {
    /// The photo's own, with its profile.
    #[default]
    Keep,
    /// Converted to sRGB, without a profile.
    Srgb,
}

/// What of the photo's metadata goes into the crop. The photo's thumbnail never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetadataPolicy {
    /// Dates, camera, author, copyright; no place, no serial numbers, nothing unknown.
    #[default]
    Safe,
    /// Everything, sizes and orientation corrected.
    All,
    /// Nothing but resolution and colour profile.
    Strip,
}

/// What a crop's file is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EncodeSpec {
    /// The file format.
    pub format: OutputFormat,
    /// Quality of JPEG, AVIF and lossy WebP, 1 to 100.
    pub quality: u8,
    /// The JPEG's colour samples.
    pub subsampling: Subsampling,
    /// True for a JPEG that appears coarse first: a little smaller, slower to write and to read.
    pub progressive: bool,
    /// True for WebP without loss.
    pub lossless: bool,
    /// How hard a lossless file is pressed.
    pub compression: Compression,
    /// Speed of the AVIF encoder, 1 (slow, small) to 10.
    pub avif_speed: u8,
    /// Most bytes of the file, in units of 1,000, with all that is in it; the quality is lowered until it fits. `None` for
    /// no limit.
    pub max_kilobytes: Option<u32>,
    /// Resolution written into the file, in dots per inch.
    pub dpi: u16,
    /// Which numbers are written.
    pub color: ColorPolicy,
    /// What is kept of the photo's metadata.
    pub metadata: MetadataPolicy,
}

impl EncodeSpec {
    /// Lowest and highest quality that can be asked for.
    pub const QUALITY: RangeInclusive<u8> = 1..=100;
    /// Slowest and fastest speed of the AVIF encoder.
    pub const AVIF_SPEED: RangeInclusive<u8> = 1..=10;
    /// Lowest and highest resolution that can be asked for, in dots per inch.
    pub const DPI: RangeInclusive<u16> = 1..=10_000;

    /// True where the format as asked for loses something, so that its quality counts.
    pub const fn is_lossy(&self) -> bool {
        match self.format {
            OutputFormat::Jpeg | OutputFormat::Avif => true,
            OutputFormat::WebP => !self.lossless,
            OutputFormat::Png | OutputFormat::Tiff => false,
        }
    }

    /// Checks that every number is one that can be worked with, whether or not the format looks at it.
    ///
    /// # Errors
    /// A number is out of range.
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

/// What happens where the output's name is already taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnConflict {
    /// A number is added to the name: `anna (2).jpg`.
    #[default]
    Suffix,
    /// The crop is not written and the file there is left as it is.
    Skip,
    /// The file there is replaced, unless it is one of the originals or was written by this run.
    Overwrite,
    /// The input counts as failed.
    Fail,
}

impl OnConflict {
    /// Every policy, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::Suffix, Self::Skip, Self::Overwrite, Self::Fail];
}

/// Where crops go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputSpec {
    /// The folder crops are written to; made if it is not there.
    pub folder: PathBuf,
    /// What happens where a name is taken.
    pub on_conflict: OnConflict,
}

/// A number of an [`EncodeSpec`] that cannot be worked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeSpecError {
    /// The quality is no percentage.
    #[error("a quality of {quality} is outside {} to {}", EncodeSpec::QUALITY.start(), EncodeSpec::QUALITY.end())]
    Quality {
        /// Asked quality.
        quality: u8,
    },
    /// The AVIF encoder has no such speed.
    #[error("an AVIF speed of {speed} is outside {} to {}", EncodeSpec::AVIF_SPEED.start(), EncodeSpec::AVIF_SPEED.end())]
    AvifSpeed {
        /// Asked speed.
        speed: u8,
    },
    /// The resolution is zero or too high.
    #[error("a resolution of {dpi} dpi is outside {} to {}", EncodeSpec::DPI.start(), EncodeSpec::DPI.end())]
    Dpi {
        /// Asked dots per inch.
        dpi: u16,
    },
    /// Files may have no bytes at all.
    #[error("a limit of 0 kB lets no file be written; give at least 1 kB, or no limit")]
    NoBytes,
}
