//! Journals are files: pipes and folders are refused before they are opened.

use std::path::Path;
use std::{fs, io};

/// Refuses what is no file: a pipe would be waited for without end.
pub(super) fn check_is_file(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() { Ok(()) } else { Err(io::Error::other("it is no file")) }
}
