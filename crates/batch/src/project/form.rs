//! Why a text is no project.

/// Why a text is no project.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProjectForm {
    /// It is no UTF-8.
    #[error("it is not text")]
    NotText,
    /// It does not say which layout it has.
    #[error("it names no layout (version = 1)")]
    NoLayout,
    /// Its settings are something else than a table.
    #[error("its settings are no table")]
    Settings,
    /// Its photos are something else than a list.
    #[error("its photos are no list")]
    Photos,
    /// It names too many photos.
    #[error("it names more than {max} photos")]
    TooManyPhotos {
        /// The most that a project has.
        max: usize,
    },
    /// A photo has no path.
    #[error("photo {place} names no path")]
    NoPath {
        /// Its place, from 1.
        place: usize,
    },
    /// A photo cannot be read.
    #[error("photo {place}: {reason}")]
    Photo {
        /// Its place, from 1.
        place: usize,
        /// The reader's words.
        reason: String,
    },
    /// A line cannot be read.
    #[error("line {line}: {reason}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// The reader's words.
        reason: String,
    },
    /// It is no TOML, or holds something that does not belong there.
    #[error("{0}")]
    Toml(String),
    /// It is laid out otherwise than this program writes it, and too long for that.
    #[error("it is not laid out as this program writes it, and too long for that")]
    TooLong,
}
