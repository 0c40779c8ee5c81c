//! Errors of this crate.

use std::error;
use std::fmt;

use crate::frame::FrameHeader;
use crate::structure::{MAX_SCANS, Structure};

/// The reason why a file or a region of it cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The file does not start with SOI, ends before the data of its first scan, or has a truncated frame header.
    NoScan,
    /// This kind of file is not supported.
    Unsupported(Unsupported),
    /// libjpeg-turbo-rs returned an error.
    Decoder(String),
    /// libjpeg-turbo-rs panicked.
    DecoderPanicked,
    /// libjpeg-turbo-rs returned an image of an unexpected size.
    WrongSize {
        /// Returned width and height.
        got: (usize, usize),
        /// Expected width and height.
        expected: (u32, u32),
    },
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoScan => formatter.write_str("it ends or is damaged before its image data"),
            Self::Unsupported(unsupported) => unsupported.fmt(formatter),
            Self::Decoder(reason) => formatter.write_str(reason),
            Self::DecoderPanicked => formatter.write_str("the reader failed"),
            Self::WrongSize { got: (across, down), expected: (width, height) } => {
                write!(formatter, "it returned {across} x {down} pixels instead of {width} x {height}")
            }
        }
    }
}

impl error::Error for Error {}

/// Unsupported kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// The lossless process of T.81.
    Lossless,
    /// The hierarchical process.
    Hierarchical,
    /// JPEG-LS (ITU-T T.87).
    JpegLs,
    /// This number of bits per sample, other than 8.
    Precision(u8),
    /// This number of components, other than 1, 3 or 4.
    Components(usize),
    /// Two components have the same identifier, or the first does not have the highest resolution: decoders cannot
    /// identify the components.
    AmbiguousComponents,
    /// A scan of a sequential file has several components, but not all.
    PartlyInterleaved,
    /// The number of lines is in a DNL segment after the first scan.
    HeightAfterScan,
    /// More than [`MAX_SCANS`] scans.
    Scans,
    /// Of four components, the sampling of the last differs from the first, or that of the second from the third. Other
    /// decoders can read such files.
    UnevenSampling,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lossless => formatter.write_str("lossless JPEG; save it as an ordinary JPEG or as PNG"),
            Self::Hierarchical => formatter.write_str("hierarchical JPEG"),
            Self::JpegLs => formatter.write_str("JPEG-LS; save it as an ordinary JPEG or as PNG"),
            Self::Precision(bits) => write!(formatter, "{bits} bits per sample; save it with 8"),
            Self::Components(count) => write!(formatter, "{count} colour components"),
            Self::AmbiguousComponents => formatter.write_str("an unusual colour layout; save it again"),
            Self::PartlyInterleaved => formatter.write_str("scans of two components each; save it again"),
            Self::HeightAfterScan => formatter.write_str("its height is only given after the image data"),
            Self::Scans => write!(formatter, "more than {MAX_SCANS} scans"),
            Self::UnevenSampling => formatter.write_str("its inks are subsampled differently"),
        }
    }
}

impl Unsupported {
    /// The reason why a file is not supported; `None` if it is supported.
    pub(crate) fn of(structure: &Structure) -> Option<Self> {
        let frame @ FrameHeader { precision, components, .. } = &structure.frame;
        Some(match frame.sof {
            0xc3 | 0xcb => Self::Lossless,
            0xc5..=0xc7 | 0xcd..=0xcf => Self::Hierarchical,
            0xf7 => Self::JpegLs,
            _ if *precision != 8 => Self::Precision(*precision),
            _ if !matches!(components.len(), 1 | 3 | 4) => Self::Components(components.len()),
            _ if !frame.has_unambiguous_components() => Self::AmbiguousComponents,
            _ if structure.has_partly_interleaved_scans() => Self::PartlyInterleaved,
            _ if frame.height == 0 => Self::HeightAfterScan,
            _ if structure.scans.len() > MAX_SCANS => Self::Scans,
            _ if frame.has_uneven_sampling() => Self::UnevenSampling,
            _ => return None,
        })
    }
}
