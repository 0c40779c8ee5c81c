//! A written file.

use std::path::PathBuf;

/// A completely written file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
}
