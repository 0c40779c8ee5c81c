//! [`Crop`](crate::render::Crop) -> [`Written`]: formats, output names, and files that are whole or not there at all.

mod error;
mod format;
mod metadata;
mod naming;
mod write;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use error::EncodeError;
pub use format::{Encoded, encode_crop};
pub use naming::{Claim, NameBook, output_stem};
pub use write::{Written, write_new};

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
}

impl OutputFormat {
    /// Every format, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Jpeg, Self::Png, Self::WebP];

    /// The file name extension, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::WebP => "webp",
        }
    }

    /// The name shown to people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::WebP => "WebP",
        }
    }

    /// True where the format can hold transparency.
    pub const fn has_alpha(self) -> bool {
        !matches!(self, Self::Jpeg)
    }

    /// True where the format can hold 16 bits a sample.
    pub const fn is_deep(self) -> bool {
        matches!(self, Self::Png)
    }
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
    /// Most bytes of the file, in units of 1,000; the quality is lowered until it fits. `None` for no limit.
    pub max_kilobytes: Option<u32>,
    /// Resolution written into the file, in dots per inch.
    pub dpi: u16,
    /// Which numbers are written.
    pub color: ColorPolicy,
    /// What is kept of the photo's metadata.
    pub metadata: MetadataPolicy,
}

impl EncodeSpec {
    /// Lowest and highest resolution that can be asked for, in dots per inch.
    pub const DPI: std::ops::RangeInclusive<u16> = 1..=10_000;
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
            avif_speed: 6,
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
    /// The file there is replaced, unless it is the source itself or was written by this run.
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
