//! Why a crop was not written.

use std::io;
use std::path::{Path, PathBuf};

use recipe::{EncodeSpecError, OutputFormat, SheetFormat};

/// A crop that was not written, and what to do about it. Nothing of it is left on the disk.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// The output folder is not there and cannot be made.
    #[error("the output folder {} cannot be made ({source}); choose another one", path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The output folder was there and is no more.
    #[error("the output folder {} is gone since the run began; bring it back and resume", path.display())]
    FolderGone {
        /// The folder.
        path: PathBuf,
    },
    /// What is written cannot be noted in the run's journal.
    #[error("the journal {} cannot be written ({source}); make room or leave the journal out", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file has the name of the output folder.
    #[error("the output folder {} is a file; choose another one or move the file away", path.display())]
    FolderIsFile {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// No room is left for the file.
    #[error("the disk is full: {} was not written ({source}); make room and run again", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The disk cannot be written to.
    #[error("the disk is read-only: {} was not written ({source}); choose another output folder", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The system refuses.
    #[error("no permission to write {} ({source}); choose another output folder or change its permissions", path.display())]
    NoPermission {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Any other failure to write.
    #[error("{} cannot be written ({source})", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// There is a file of this name and it is not to be replaced.
    #[error("{} is already there; choose another folder, or another policy for names that are taken", path.display())]
    NameTaken {
        /// The file.
        path: PathBuf,
    },
    /// Replacing the file would destroy one of the photos being cropped.
    #[error("{} may be one of the photos themselves and is never replaced or taken for a crop; choose an output folder apart from them", path.display())]
    WouldReplaceSource {
        /// The file.
        path: PathBuf,
    },
    /// The encoder refused the pixels.
    #[error("the crop cannot be made into a {} file: {reason}", format.name())]
    Encoder {
        /// The format asked for.
        format: OutputFormat,
        /// The encoder's words.
        reason: String,
    },
    /// The sheet to print cannot be made.
    #[error("the sheet cannot be made into a {} file: {reason}", format.name())]
    Sheet {
        /// The format asked for.
        format: SheetFormat,
        /// What stands in the way.
        reason: String,
    },
    /// The file cannot be made as small as asked.
    #[error("the crop needs {kilobytes_needed} kB as {} and the limit is {limit} kB; choose a smaller crop, another format or a higher limit", format.name())]
    TooLarge {
        /// The format asked for.
        format: OutputFormat,
        /// The smallest it became, in units of 1,000 bytes, rounded up.
        kilobytes_needed: u64,
        /// The most it may have, in the same units.
        limit: u32,
    },
    /// A number of the spec is out of range.
    #[error(transparent)]
    Spec(#[from] EncodeSpecError),
}

impl EncodeError {
    /// Sorts a failure to make `folder`.
    pub fn making_folder(folder: &Path, source: io::Error) -> Self {
        let path = folder.to_owned();
        match source.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => Self::FolderIsFile { path, source },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path, source },
            _ => Self::NoFolder { path, source },
        }
    }

    /// Sorts a failure to write `file`.
    pub fn writing(file: &Path, source: io::Error) -> Self {
        let path = file.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path, source },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path, source },
            io::ErrorKind::PermissionDenied => Self::NoPermission { path, source },
            io::ErrorKind::AlreadyExists => Self::NameTaken { path },
            _ => Self::Write { path, source },
        }
    }
}
