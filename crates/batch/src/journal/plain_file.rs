//! Rejects pipes and folders before they are opened as a journal.

use std::path::Path;
use std::{fs, io};

/// Fails if `path` is not a regular file: opening a pipe could block forever.
pub(super) fn check_is_file(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() { Ok(()) } else { Err(io::Error::other("it is not a file")) }
}
