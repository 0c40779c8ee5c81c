//! A file that was written.

use std::path::PathBuf;

/// A file that is on the disk, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
}
