//! What goes wrong with requests, and what a person should know of a batch as a whole.

use std::io;
use std::path::PathBuf;

use inference::onnx::WireError;
use outcome::{BackendError, EncodeError};

use crate::journal::JournalError;

/// Why a watched folder cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum WatchProblem {
    /// It is not there any more.
    #[error("{} is not there any more.", folder.display())]
    Gone {
        /// The folder.
        folder: PathBuf,
    },
    /// It cannot be read.
    #[error("{} cannot be read: {source}.", folder.display())]
    Unreadable {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// Why a pasted picture was not written.
#[derive(Debug, thiserror::Error)]
pub enum PasteError {
    /// The system names no folder for pictures.
    #[error("this system names no folder for pictures")]
    NoFolder,
    /// The picture is none.
    #[error("{0}")]
    NoPicture(String),
    /// The folder cannot be made.
    #[error("{} cannot be made: {source}", folder.display())]
    Make {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Every name for this moment is taken.
    #[error("every name in {} is taken", folder.display())]
    NamesTaken {
        /// The folder.
        folder: PathBuf,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] EncodeError),
}

/// Why a text file was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// It cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The path is a folder or a device.
    #[error("{} is not a file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// It is longer than allowed.
    #[error("{} is longer than {bytes} bytes", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The most bytes that are read.
        bytes: u64,
    },
    /// It is no UTF-8.
    #[error("{} is not a text file", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// A file is there and is not to be replaced.
    #[error("{} is there already; choose another name", path.display())]
    Taken {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be written.
    #[error(transparent)]
    Write(EncodeError),
}

/// Why a model could not be summed up.
#[derive(Debug, thiserror::Error)]
pub enum DescribeError {
    /// The file cannot be read.
    #[error("{}", with_cause(.0))]
    File(BackendError),
    /// It is no ONNX file.
    #[error("{name}: {error}")]
    NotOnnx {
        /// Its path, or the name of the bundled one.
        name: String,
        /// What is wrong with it.
        error: WireError,
    },
}

fn with_cause(error: &BackendError) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

/// Why a batch ended early by itself.
#[derive(Debug, thiserror::Error)]
pub enum StopReason {
    /// The system has no room for a thread.
    #[error("no thread could be started: {0}")]
    NoThread(io::Error),
    /// The journal that was asked for cannot be kept.
    #[error(transparent)]
    NoJournal(#[from] JournalError),
    /// No room is left for a file.
    #[error("the disk is full: {} was not written ({reason}); make room and run again", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// What is written cannot be noted in the journal.
    #[error("the journal {} cannot be written ({reason}); make room or leave the journal out", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
}

impl StopReason {
    /// The reason that `error` is to end the batch: every other file would fail the same way; `None` where it is none.
    pub(super) fn of(error: &EncodeError) -> Option<Self> {
        match error {
            EncodeError::DiskFull { path, source } => {
                Some(Self::DiskFull { path: path.clone(), reason: source.to_string() })
            }
            EncodeError::Journal { path, source } => {
                Some(Self::Journal { path: path.clone(), reason: source.to_string() })
            }
            _ => None,
        }
    }
}

/// What else a person should know of a batch.
#[derive(Debug)]
pub enum RunNote {
    /// Photos that an earlier part of the run has done.
    AlreadyDone {
        /// How many.
        photos: usize,
    },
    /// Half-written files of a broken run were removed.
    Removed {
        /// How many.
        files: usize,
    },
    /// Files that the journal names were left alone: they have changed, or are no crops in the output folder.
    LeftAlone {
        /// The first of them.
        files: Vec<PathBuf>,
        /// True where there are more.
        more: bool,
    },
    /// No journal is kept, so that the run cannot be resumed.
    NoJournal(JournalError),
}

impl std::fmt::Display for RunNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AlreadyDone { photos } => write!(f, "{photos} of the photos were done before"),
            Self::Removed { files } => write!(f, "{files} half-written files of a broken run were removed"),
            Self::LeftAlone { files, more } => {
                let shown: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
                let more = if *more { ", …" } else { "" };
                write!(
                    f,
                    "files that the journal names but that have changed or are not crops in the output folder were left alone: {}{more}",
                    shown.join(", ")
                )
            }
            Self::NoJournal(error) => {
                write!(f, "no journal is kept, so that this run cannot be resumed: {error}")
            }
        }
    }
}
