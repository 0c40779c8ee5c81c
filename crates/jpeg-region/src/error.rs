//! Why a JPEG file cannot be read.

use std::error;
use std::fmt;

use crate::frame::FrameHeader;
use crate::structure::{MAX_SCANS, Structure};

/// Why a file, or a part of it, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The file does not start with SOI, or ends before the data of its first scan, or its frame header is cut.
    NoScan,
    /// The file is of a kind that is not read here.
    Unsupported(Unsupported),
    /// libjpeg-turbo-rs cannot read it.
    Decoder(String),
    /// libjpeg-turbo-rs panicked.
    DecoderPanicked,
    /// libjpeg-turbo-rs gave a picture of another size than it was asked for.
    WrongSize {
        /// Width and height that it gave.
        got: (usize, usize),
        /// Width and height that it was asked for.
        expected: (u32, u32),
    },
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoScan => formatter.write_str("it ends, or is damaged, before its pixels"),
            Self::Unsupported(unsupported) => unsupported.fmt(formatter),
            Self::Decoder(reason) => formatter.write_str(reason),
            Self::DecoderPanicked => formatter.write_str("the reader failed"),
            Self::WrongSize { got: (across, down), expected: (width, height) } => {
                write!(formatter, "it gave {across} x {down} pixels in place of {width} x {height}")
            }
        }
    }
}

impl error::Error for Error {}

/// A kind of file that is not read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// The lossless process of T.81.
    Lossless,
    /// The hierarchical process.
    Hierarchical,
    /// JPEG-LS (ITU-T T.87).
    JpegLs,
    /// So many bits a sample, which are not 8.
    Precision(u8),
    /// So many components, which are not 1, 3 or 4.
    Components(usize),
    /// Two components have the same identifier, or the first is not the finest: decoders cannot know which is which.
    UnclearComponents,
    /// A scan of a sequential file has several of the components, but not all.
    PartlyInterleaved,
    /// The number of lines follows the first scan, in DNL.
    HeightBehindScan,
    /// More than [`MAX_SCANS`] scans.
    Scans,
    /// Of four components, the last is sampled unlike the first, or the second unlike the third. Other decoders can read such files.
    UnevenInks,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lossless => formatter.write_str("lossless JPEG; save it as an ordinary JPEG or as PNG"),
            Self::Hierarchical => formatter.write_str("hierarchical JPEG"),
            Self::JpegLs => formatter.write_str("JPEG-LS; save it as an ordinary JPEG or as PNG"),
            Self::Precision(bits) => write!(formatter, "{bits} bits a sample; save it with 8"),
            Self::Components(count) => write!(formatter, "{count} colour components"),
            Self::UnclearComponents => formatter.write_str("colours stored in an unusual way; save it anew"),
            Self::PartlyInterleaved => {
                formatter.write_str("light and colours are stored in scans of two; save it anew")
            }
            Self::HeightBehindScan => formatter.write_str("its height is only said behind the pixels"),
            Self::Scans => write!(formatter, "more than {MAX_SCANS} scans"),
            Self::UnevenInks => formatter.write_str("its inks are stored at several sizes"),
        }
    }
}

impl Unsupported {
    /// Why a file is of a kind that is not read here.
    pub(crate) fn of(structure: &Structure) -> Option<Self> {
        let frame @ FrameHeader { precision, components, .. } = &structure.frame;
        Some(match frame.sof {
            0xc3 | 0xcb => Self::Lossless,
            0xc5..=0xc7 | 0xcd..=0xcf => Self::Hierarchical,
            0xf7 => Self::JpegLs,
            _ if *precision != 8 => Self::Precision(*precision),
            _ if !matches!(components.len(), 1 | 3 | 4) => Self::Components(components.len()),
            _ if !frame.has_clear_components() => Self::UnclearComponents,
            _ if structure.has_partly_interleaved_scans() => Self::PartlyInterleaved,
            _ if frame.height == 0 => Self::HeightBehindScan,
            _ if structure.scans.len() > MAX_SCANS => Self::Scans,
            _ if frame.has_uneven_inks() => Self::UnevenInks,
            _ => return None,
        })
    }
}
