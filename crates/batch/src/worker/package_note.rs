//! Notes on the files that are handed over with crops.

use std::fmt;
use std::path::PathBuf;

use outcome::EncodeError;

use crate::journal::HistoryError;

/// A note on the index, zip file or contact sheet of an output.
#[derive(Debug)]
pub enum PackageNote {
    /// A file was written.
    Written {
        path: PathBuf,
        /// Number of crops it lists or contains.
        crops: usize,
    },
    /// A file has another name than usual, since the usual one exists and was not written by this program, or has been
    /// changed.
    OtherName { taken: PathBuf, path: PathBuf },
    /// A file was not written.
    Failed(EncodeError),
    /// The run is not complete, so only the index was written.
    OnlyIndex,
    /// Crops have been changed since they were written; they are listed.
    Changed { crops: usize },
    /// Photos were skipped because files with their names exist that no journal records; these are not listed.
    Unrecorded { photos: usize },
    /// A journal of the folder cannot be read, so its crops are not listed.
    Unreadable { path: PathBuf, error: HistoryError },
    /// Crops whose paths are not ASCII, in an index that should be.
    NotAscii { crops: usize },
    /// Crops beside an index whose receivers expect them in a folder.
    NoImageFolder { crops: usize },
    /// Crops that could not be read for the contact sheet.
    NoPicture { crops: usize },
    /// Names with characters that no font of the system has, the first of them.
    Undrawn { names: Vec<String> },
}

impl PackageNote {
    /// True if a file is missing or incomplete.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::Unreadable { .. })
    }
}

impl fmt::Display for PackageNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Written { path, crops } => {
                write!(f, "{}: {crops} {}", path.display(), if *crops == 1 { "crop" } else { "crops" })
            }
            Self::OtherName { taken, path } => write!(
                f,
                "{} exists and was not written by this program, or has been changed; the new file is {}",
                taken.display(),
                path.display()
            ),
            Self::Failed(error) => write!(f, "{error}"),
            Self::OnlyIndex => f.write_str("zip file and contact sheets are written once the run is complete"),
            Self::Changed { crops } => {
                write!(f, "crops that were changed after they were written, and are listed as they are: {crops}")
            }
            Self::Unrecorded { photos } => write!(
                f,
                "photos that were skipped because files with their names exist, which are not listed since no journal \
                 records them: {photos}"
            ),
            Self::Unreadable { path, error } => {
                write!(f, "the journal {} cannot be read ({error}), so its crops are not listed", path.display())
            }
            Self::NotAscii { crops } => write!(
                f,
                "crops with a path that is not plain ASCII, which yearbook software may reject: {crops}; use names in \
                 plain ASCII"
            ),
            Self::NoImageFolder { crops } => write!(
                f,
                "crops beside the index, which yearbook software expects in a folder: {crops}; use a name with a folder, \
                 such as images/{{name}}"
            ),
            Self::NoPicture { crops } => {
                write!(f, "crops that cannot be read and have no picture in the contact sheet: {crops}")
            }
            Self::Undrawn { names } => write!(
                f,
                "no font of this system has some characters of the PDF contact sheet, which shows ? for them: {}",
                names.join(", ")
            ),
        }
    }
}
