//! Errors in the content of project files.

/// Why a text is not a valid project.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProjectForm {
    /// It is not valid UTF-8.
    #[error("it is not text")]
    NotText,
    /// The format version is missing.
    #[error("its format version is missing (version = 1)")]
    NoLayout,
    /// The settings are not a table.
    #[error("its settings are not a table")]
    Settings,
    /// The photos are not a list.
    #[error("its photos are not a list")]
    Photos,
    /// It has too many photos.
    #[error("it contains more than {max} photos")]
    TooManyPhotos { max: usize },
    /// A photo has no path.
    #[error("photo {place} has no path")]
    NoPath {
        /// Its position, from 1.
        place: usize,
    },
    /// The entry of a photo is invalid.
    #[error("photo {place}: {reason}")]
    Photo {
        /// Its position, from 1.
        place: usize,
        reason: String,
    },
    /// A line is invalid.
    #[error("line {line}: {reason}")]
    Line {
        /// Its number, from 1.
        line: usize,
        reason: String,
    },
    /// It is not valid TOML, or has an invalid value.
    #[error("{0}")]
    Toml(String),
    /// It does not have the layout this program writes, and is too large to be parsed in another layout.
    #[error("it is not in the layout this program writes, and it is too large to be read in any other")]
    TooLong,
}
