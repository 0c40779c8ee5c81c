//! Problems with a system library that reads a format.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A problem with a system library that reads a format. `Display` continues a sentence: "libheif, which ..".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LibraryProblem {
    /// It was not found in any of the standard places.
    NotInstalled,
    /// The configured file does not exist.
    NotAt { path: PathBuf },
    /// The system cannot load it.
    Unloadable {
        path: PathBuf,
        /// The system's message.
        reason: String,
    },
    /// It is too old, or another library; the problem in English, as in "is too old".
    Unfit(String),
    /// It has no decoder for this image.
    NoDecoder {
        /// The library's message.
        reason: String,
    },
}

/// The remedy for a [`LibraryProblem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryAdvice {
    /// Install the library.
    Install,
    /// Install the missing decoder.
    InstallDecoder,
}

impl LibraryProblem {
    /// The remedy.
    pub const fn advice(&self) -> LibraryAdvice {
        match self {
            Self::NoDecoder { .. } => LibraryAdvice::InstallDecoder,
            Self::NotInstalled | Self::NotAt { .. } | Self::Unloadable { .. } | Self::Unfit(_) => {
                LibraryAdvice::Install
            }
        }
    }
}

impl fmt::Display for LibraryProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled => f.write_str("is not installed"),
            Self::NotAt { path } => write!(f, "is not at {}", path.display()),
            Self::Unloadable { path, reason } => write!(f, "cannot be loaded from {} ({reason})", path.display()),
            Self::Unfit(problem) => f.write_str(problem),
            Self::NoDecoder { reason } => write!(f, "has no decoder for this image ({reason})"),
        }
    }
}

impl fmt::Display for LibraryAdvice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Install => {
                "install libheif (Debian, Ubuntu: apt install libheif1; macOS: brew install libheif; Windows: put heif.dll next to the program), or export the image as JPEG"
            }
            Self::InstallDecoder => {
                "install its decoder (Debian, Ubuntu: apt install libheif-plugin-libde265), or export the image as JPEG"
            }
        })
    }
}
