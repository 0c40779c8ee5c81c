//! Remarks on how an image was read and a crop was written.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A remark on how an image was read from its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureNote {
    RawPreview,
    /// The first frame of an animation.
    FirstFrame,
    /// The still image of an animation.
    StillPicture,
    /// The largest image of an icon.
    LargestIcon,
    /// The first of several pages.
    FirstPage,
    /// Floating-point samples from 0 to 1, converted to 16 bits.
    FloatSamples,
    /// High dynamic range, converted to standard range.
    Hdr,
}

/// A remark on an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemNote {
    /// How its image was read.
    Picture(PictureNote),
    /// A previous part of the run has cropped it.
    AlreadyDone,
}

/// A remark on a written crop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CropNote {
    /// 16 bits per sample were reduced to 8.
    EightBits,
    /// The quality was lowered to meet the size limit.
    Quality {
        /// The requested quality.
        asked: u8,
        /// The quality used.
        taken: u8,
        /// The limit, in units of 1,000 bytes.
        limit: u32,
    },
    /// A part of the photo's EXIF block is unreadable.
    ExifPart,
    /// The sheet's file exists and was kept.
    SheetExists,
    /// A remark on the sheet beside the crop.
    OnSheet(Box<CropNote>),
    /// Any other remark on metadata or colour, in English.
    Other(String),
}

impl fmt::Display for PictureNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RawPreview => "the preview embedded in a raw file",
            Self::FirstFrame => "the first frame of an animation",
            Self::StillPicture => "the still image of an animation",
            Self::LargestIcon => "the largest image of an icon",
            Self::FirstPage => "the first page",
            Self::FloatSamples => "floating-point samples from 0 to 1, converted to 16 bits",
            Self::Hdr => "high dynamic range (HDR), converted to standard range",
        })
    }
}

impl fmt::Display for ItemNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picture(note) => note.fmt(f),
            Self::AlreadyDone => f.write_str("already done earlier in this run"),
        }
    }
}

impl fmt::Display for CropNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EightBits => f.write_str("16 bits reduced to 8"),
            Self::Quality { asked, taken, limit } => {
                write!(f, "quality lowered from {asked} to {taken} to stay within {limit} kB")
            }
            Self::ExifPart => f.write_str("part of the photo's EXIF block cannot be read and is not in the crop"),
            Self::SheetExists => f.write_str("its sheet already exists and was not changed"),
            Self::OnSheet(note) => write!(f, "on the sheet: {note}"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl From<String> for CropNote {
    fn from(text: String) -> Self {
        Self::Other(text)
    }
}
