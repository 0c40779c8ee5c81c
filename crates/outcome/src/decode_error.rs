//! Decoding errors.

use geometry::Size;

use crate::LibraryProblem;

/// Why a file cannot be decoded.
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
    /// The content is not in a supported format.
    #[error("unsupported image format ({})", found.unwrap_or("unknown content"))]
    UnknownFormat {
        /// The format, if it is recognised.
        found: Option<&'static str>,
    },
    /// The size in the header exceeds the limit; nothing was allocated.
    #[error(
        "the image has {size} pixels ({:.0} megapixels), more than the limit of {:.0} megapixels; raise the limit to read it",
        size.pixels() as f64 / 1e6, *limit as f64 / 1e6
    )]
    TooManyPixels {
        /// Size from the header.
        size: Size,
        /// The limit in pixels.
        limit: u64,
    },
    /// Decoding needs more memory than allowed; nothing was allocated.
    #[error("the image needs {:.0} MB of memory, more than the limit of {:.0} MB; raise the limit to read it", *bytes as f64 / 1e6, *limit as f64 / 1e6)]
    TooMuchMemory {
        /// Bytes needed for decoding.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The file exceeds the limit and was not read.
    #[error("the file has {bytes} bytes, more than the limit of {limit} bytes; raise the limit to read it")]
    FileTooLarge {
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Reading exceeded the time limit and was stopped.
    #[error("reading the file was stopped after {seconds} s; raise the time limit to wait longer")]
    TookTooLong {
        /// The limit in seconds.
        seconds: u64,
    },
    /// The result is no longer needed.
    #[error("reading the file was cancelled")]
    Cancelled,
    /// Allocation failed: the system has too little memory left.
    #[error("not enough memory to read the file (more than {:.0} MB needed); close other programs, or allow this program more memory", *bytes as f64 / 1e6)]
    NoMemory {
        /// Bytes needed for decoding.
        bytes: u64,
    },
    /// The decoder's process ended without a result.
    #[error("the {format} decoder failed ({how}); the file may be damaged")]
    DecoderFailed {
        /// The format by content.
        format: &'static str,
        /// How it ended.
        how: String,
    },
    /// The header or the data cannot be decoded.
    #[error("the {format} data is corrupt: {reason}")]
    Broken {
        /// The format by content.
        format: &'static str,
        /// The decoder's message.
        reason: String,
    },
    /// The format is read by a system library that is missing or unusable.
    #[error("{format} requires {library}, which {problem}; {}", problem.advice())]
    NeedsLibrary {
        /// The format by content.
        format: &'static str,
        /// The library's name.
        library: &'static str,
        /// What is wrong with it.
        problem: LibraryProblem,
    },
    /// The file is valid but uses an unsupported feature of its format.
    #[error("this kind of {format} is not supported: {reason}")]
    Unsupported {
        /// The format by content.
        format: &'static str,
        /// The decoder's message.
        reason: String,
    },
}
