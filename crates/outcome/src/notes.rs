//! What a person should know of how a picture was got and how a crop was written.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a picture was got from its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureNote {
    /// It is the preview inside a raw file.
    RawPreview,
    /// It is the first frame of an animation.
    FirstFrame,
    /// It is the still picture beside an animation.
    StillPicture,
    /// It is the largest of an icon's pictures.
    LargestIcon,
    /// It is the first of several pages.
    FirstPage,
    /// Its samples are floating-point numbers from 0 to 1, read as 16 bits.
    FloatSamples,
    /// Its high dynamic range was brought into standard range.
    Hdr,
}

/// What a person should know of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemNote {
    /// How its picture was got.
    Picture(PictureNote),
    /// An earlier part of the run has cropped it.
    AlreadyDone,
}

/// What a person should know of a crop that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CropNote {
    /// 16 bits a sample became 8.
    EightBits,
    /// The quality was lowered so that the file fits into its limit.
    Quality {
        /// The quality asked for.
        asked: u8,
        /// The quality taken.
        taken: u8,
        /// The most bytes, in units of 1,000.
        limit: u32,
    },
    /// A part of the photo's EXIF block cannot be read.
    ExifPart,
    /// The sheet was there already and stays.
    SheetThere,
    /// The same of the sheet beside the crop.
    OnSheet(Box<CropNote>),
    /// What else became of metadata and colours, in English.
    Other(String),
}

impl fmt::Display for PictureNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RawPreview => "the preview inside a raw file",
            Self::FirstFrame => "the first frame of an animation",
            Self::StillPicture => "the still picture of an animation",
            Self::LargestIcon => "the largest picture of an icon",
            Self::FirstPage => "the first page",
            Self::FloatSamples => "floating-point samples from 0 to 1, as 16 bits",
            Self::Hdr => "high dynamic range (HDR), brought into standard range",
        })
    }
}

impl fmt::Display for ItemNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picture(note) => note.fmt(f),
            Self::AlreadyDone => f.write_str("done in an earlier part of this run"),
        }
    }
}

impl fmt::Display for CropNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EightBits => f.write_str("16 bits became 8"),
            Self::Quality { asked, taken, limit } => {
                write!(f, "quality {asked} became {taken} to fit into {limit} kB")
            }
            Self::ExifPart => f.write_str("part of the photo's EXIF block cannot be read and is not in the crop"),
            Self::SheetThere => f.write_str("its sheet was there already and stays as it is"),
            Self::OnSheet(note) => write!(f, "on the sheet: {note}"),
            Self::Other(words) => f.write_str(words),
        }
    }
}

impl From<String> for CropNote {
    fn from(words: String) -> Self {
        Self::Other(words)
    }
}
