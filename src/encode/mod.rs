//! [`Crop`](crate::render::Crop) -> [`Written`]: formats, output names, and files that are whole or not there at all.

mod error;
mod format;
mod naming;
mod write;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use error::EncodeError;
pub use format::encode_crop;
pub use naming::{Claim, NameBook, output_stem};
pub use write::{Written, write_new};

/// The format crops are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputFormat {
    /// JPEG: lossy, no transparency.
    Jpeg,
    /// PNG: lossless.
    Png,
    /// WebP, lossless.
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
            Self::WebP => "WebP (lossless)",
        }
    }

    /// True where the format can hold transparency.
    pub const fn has_alpha(self) -> bool {
        !matches!(self, Self::Jpeg)
    }
}

/// What a crop's file is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EncodeSpec {
    /// The file format.
    pub format: OutputFormat,
    /// JPEG quality, 1 to 100; the other formats are lossless.
    pub quality: u8,
}

impl Default for EncodeSpec {
    fn default() -> Self {
        Self { format: OutputFormat::Jpeg, quality: 92 }
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
