//! Why a file gives no picture.

use geometry::Size;

use crate::LibraryProblem;

/// A file that gives no picture, and why.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The file cannot be opened or read.
    #[error("the file cannot be read: {0}")]
    Unreadable(#[source] std::io::Error),
    /// The file has no bytes.
    #[error("the file is empty")]
    Empty,
    /// The path is a folder or a device.
    #[error("this is not a file")]
    NotAFile,
    /// The content is none of the formats read here.
    #[error("this is not a picture in a format read here ({})", found.unwrap_or("unknown content"))]
    UnknownFormat {
        /// What the content looks like, where it is recognised.
        found: Option<&'static str>,
    },
    /// The header says more pixels than allowed; nothing was allocated.
    #[error(
        "the picture has {size} pixels ({:.0} megapixels), more than the limit of {:.0} megapixels; raise the limit to read it",
        size.pixels() as f64 / 1e6, *limit as f64 / 1e6
    )]
    TooManyPixels {
        /// Size from the header.
        size: Size,
        /// The limit in pixels.
        limit: u64,
    },
    /// The picture would take more memory than allowed; nothing was allocated.
    #[error("the picture would take {:.0} MB of memory, more than the limit of {:.0} MB; raise the limit to read it", *bytes as f64 / 1e6, *limit as f64 / 1e6)]
    TooMuchMemory {
        /// Bytes that decoding it takes.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The file is larger than allowed; it was not read.
    #[error("the file has {bytes} bytes, more than the limit of {limit} bytes; raise the limit to read it")]
    FileTooLarge {
        /// Bytes of the file.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Reading it took longer than allowed, and was ended.
    #[error("it took too long: reading it was ended after {seconds} s; raise the limit to wait longer")]
    TookTooLong {
        /// The limit in seconds.
        seconds: u64,
    },
    /// Nobody waits for it any more.
    #[error("reading it was cancelled")]
    Cancelled,
    /// The system has not enough memory left.
    #[error("the system has too little memory left to read it ({:.0} MB, and some beside); close other programs, or allow this one more", *bytes as f64 / 1e6)]
    NoMemory {
        /// Bytes that decoding it takes.
        bytes: u64,
    },
    /// The process in which it was decoded ended without an answer.
    #[error("the {format} decoder failed on it ({how}); the file may be damaged")]
    DecoderFailed {
        /// The format by content.
        format: &'static str,
        /// How it ended.
        how: String,
    },
    /// The header or the body cannot be decoded.
    #[error("the {format} data is broken: {reason}")]
    Broken {
        /// The format by content.
        format: &'static str,
        /// The decoder's words.
        reason: String,
    },
    /// The file is of a format that is read by a library of the system, which is missing or cannot be used.
    #[error("{format} is read by {library}, which {problem}; {}", problem.advice())]
    NeedsLibrary {
        /// The format by content.
        format: &'static str,
        /// The library's name.
        library: &'static str,
        /// What is wrong with it.
        problem: LibraryProblem,
    },
    /// The file is sound but uses a part of its format that is not read here.
    #[error("this kind of {format} is not supported: {reason}")]
    Unsupported {
        /// The format by content.
        format: &'static str,
        /// The decoder's words.
        reason: String,
    },
}
