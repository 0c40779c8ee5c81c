//! Errors of requests, and notes on a batch as a whole.

use std::io;
use std::path::PathBuf;

use inference::onnx::WireError;
use outcome::{BackendError, EncodeError};

use super::package_note::PackageNote;
use crate::journal::JournalError;

/// Why a watched folder cannot be polled.
#[derive(Debug, thiserror::Error)]
pub enum WatchProblem {
    /// It no longer exists.
    #[error("{} no longer exists.", folder.display())]
    Gone { folder: PathBuf },
    /// It cannot be read.
    #[error("{} cannot be read: {source}.", folder.display())]
    Unreadable { folder: PathBuf, source: io::Error },
}

/// Why a pasted image was not written.
#[derive(Debug, thiserror::Error)]
pub enum PasteError {
    /// The system has no pictures folder.
    #[error("this system has no pictures folder")]
    NoFolder,
    /// The image is invalid.
    #[error("{0}")]
    NoPicture(String),
    /// The folder cannot be created.
    #[error("{} cannot be created: {source}", folder.display())]
    Make { folder: PathBuf, source: io::Error },
    /// All file names for this time exist.
    #[error("every file name in {} is already in use", folder.display())]
    NamesTaken { folder: PathBuf },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] EncodeError),
}

/// Why a text file was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// It cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// The path is a folder or a device.
    #[error("{} is not a file", path.display())]
    NotAFile { path: PathBuf },
    /// It exceeds the size limit.
    #[error("{} is larger than {bytes} bytes", path.display())]
    TooLong {
        path: PathBuf,
        /// The limit in bytes.
        bytes: u64,
    },
    /// It is not valid UTF-8.
    #[error("{} is not a text file", path.display())]
    NotText { path: PathBuf },
    /// The file exists and must not be replaced.
    #[error("{} already exists; choose another name", path.display())]
    Taken { path: PathBuf },
    /// It cannot be written.
    #[error(transparent)]
    Write(EncodeError),
}

/// Why a model could not be described.
#[derive(Debug, thiserror::Error)]
pub enum DescribeError {
    /// The file cannot be read.
    #[error("{}", with_cause(.0))]
    File(BackendError),
    /// It is not an ONNX file.
    #[error("{name}: {error}")]
    NotOnnx {
        /// Its path, or the name of the bundled model.
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

/// Why a batch stopped early.
#[derive(Debug, thiserror::Error)]
pub enum StopReason {
    /// No worker thread could be started.
    #[error("no thread could be started: {0}")]
    NoThread(io::Error),
    /// The requested journal cannot be opened.
    #[error(transparent)]
    NoJournal(#[from] JournalError),
    #[error("the disk is full: {} was not written ({reason}); free some space and run again", path.display())]
    DiskFull { path: PathBuf, reason: String },
    /// An entry cannot be written to the journal.
    #[error("the journal {} cannot be written ({reason}); free some space, or run without a journal", path.display())]
    Journal { path: PathBuf, reason: String },
}

impl StopReason {
    /// The stop reason if `error` would affect every other file as well; `None` otherwise.
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

/// A note on a batch as a whole.
#[derive(Debug)]
pub enum RunNote {
    /// Photos that an earlier part of the run has already done.
    AlreadyDone {
        /// How many.
        photos: usize,
    },
    /// Partial files of an interrupted run were removed.
    Removed {
        /// How many.
        files: usize,
    },
    /// Files listed in the journal were not touched: they have changed, or are not crops in the output folder.
    Untouched {
        /// The first of them.
        files: Vec<PathBuf>,
        /// True if there are more.
        more: bool,
    },
    /// No journal is written, so the run cannot be resumed.
    NoJournal(JournalError),
    /// A note on what is handed over with the crops.
    Package(PackageNote),
}

impl RunNote {
    /// True if a file that was requested is missing or incomplete.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Package(note) if note.is_failure())
    }
}

impl std::fmt::Display for RunNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AlreadyDone { photos } => write!(f, "{photos} of the photos are already done"),
            Self::Removed { files } => write!(f, "{files} partial files of an interrupted run were removed"),
            Self::Untouched { files, more } => {
                let shown: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
                let more = if *more { ", …" } else { "" };
                write!(
                    f,
                    "files in the journal that have changed or are not crops in the output folder were not touched: {}{more}",
                    shown.join(", ")
                )
            }
            Self::NoJournal(error) => {
                write!(f, "no journal is written, so this run cannot be resumed: {error}")
            }
            Self::Package(note) => note.fmt(f),
        }
    }
}
