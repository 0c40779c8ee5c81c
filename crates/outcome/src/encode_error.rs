//! Errors in writing crops.

use std::io;
use std::path::{Path, PathBuf};

use recipe::{EncodeSpecError, OutputFormat, SheetFormat};

/// Why a crop was not written, with a remedy. No partial file remains.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// The output folder does not exist and cannot be created.
    #[error("the output folder {} cannot be created ({source}); choose another one", path.display())]
    NoFolder { path: PathBuf, source: io::Error },
    /// The output folder was deleted during the run.
    #[error("the output folder {} disappeared during the run; restore it and resume", path.display())]
    FolderGone { path: PathBuf },
    /// The run's journal cannot be written.
    #[error("the journal {} cannot be written ({source}); free some space, or run without a journal", path.display())]
    Journal { path: PathBuf, source: io::Error },
    /// The output folder's path is a file.
    #[error("the output folder {} is a file; choose another one or move the file away", path.display())]
    FolderIsFile { path: PathBuf, source: io::Error },
    #[error("the disk is full: {} was not written ({source}); free some space and run again", path.display())]
    DiskFull { path: PathBuf, source: io::Error },
    /// The disk is read-only.
    #[error("the disk is read-only: {} was not written ({source}); choose another output folder", path.display())]
    ReadOnly { path: PathBuf, source: io::Error },
    /// The system denies access.
    #[error("no permission to write {} ({source}); choose another output folder or change its permissions", path.display())]
    NoPermission { path: PathBuf, source: io::Error },
    /// Any other failure to write.
    #[error("{} cannot be written ({source})", path.display())]
    Write { path: PathBuf, source: io::Error },
    /// The file exists and must not be replaced.
    #[error("{} already exists; choose another folder, or another option for existing files", path.display())]
    FileExists { path: PathBuf },
    /// Writing would replace one of the input photos.
    #[error("{} may be one of the source photos, so it is neither replaced nor treated as a crop; choose a separate output folder", path.display())]
    WouldReplaceSource { path: PathBuf },
    /// The encoder rejected the pixels.
    #[error("the crop cannot be encoded as {}: {reason}", format.name())]
    Encoder {
        /// The requested format.
        format: OutputFormat,
        /// The encoder's message.
        reason: String,
    },
    /// The print sheet cannot be encoded.
    #[error("the sheet cannot be encoded as {}: {reason}", format.name())]
    Sheet {
        /// The requested format.
        format: SheetFormat,
        reason: String,
    },
    /// The file does not fit the size limit at any quality.
    #[error("the crop needs {kilobytes_needed} kB as {} and the limit is {limit} kB; choose a smaller crop, another format or a higher limit", format.name())]
    TooLarge {
        /// The requested format.
        format: OutputFormat,
        /// The smallest size reached, in units of 1,000 bytes, rounded up.
        kilobytes_needed: u64,
        /// The limit, in the same units.
        limit: u32,
    },
    /// A value of the spec is out of range.
    #[error(transparent)]
    Spec(#[from] EncodeSpecError),
}

impl EncodeError {
    /// Classifies an error from creating `folder`.
    pub fn making_folder(folder: &Path, source: io::Error) -> Self {
        let path = folder.to_owned();
        match source.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => Self::FolderIsFile { path, source },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path, source },
            _ => Self::NoFolder { path, source },
        }
    }

    /// Classifies an error from writing `file`.
    pub fn writing(file: &Path, source: io::Error) -> Self {
        let path = file.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path, source },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path, source },
            io::ErrorKind::PermissionDenied => Self::NoPermission { path, source },
            io::ErrorKind::AlreadyExists => Self::FileExists { path },
            _ => Self::Write { path, source },
        }
    }
}
