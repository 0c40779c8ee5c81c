//! Reads journals.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::plain_file::check_is_file;
use super::{EndEntry, Entry, FORMAT, FileEntry, PhotoEntry, RunEntry, StoredPath};

/// Why a journal cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// The file does not start with a run entry.
    #[error("it does not begin with a run record")]
    NoHeader,
    /// The journal has no entries.
    #[error("it contains no run")]
    Empty,
    /// The first entry is not a run entry.
    #[error("its first line does not identify the run")]
    NoRun,
    /// A line is not a valid entry.
    #[error("line {number}: {error}")]
    Line {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// The journal was written by a newer version.
    #[error("it was written by a newer version ({program})")]
    Later {
        /// The program that wrote it.
        program: String,
    },
}

/// The content of a journal.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The runs, in order.
    pub runs: Vec<RunEntry>,
    /// The last entry of each photo, by its absolute path, or by its path as given if its file could not be read.
    pub photos: HashMap<StoredPath, PhotoEntry>,
    /// The files written for each photo, one entry per content.
    pub writings: HashMap<StoredPath, Vec<FileEntry>>,
    /// How the last run ended; `None` if it was killed.
    pub end: Option<EndEntry>,
    /// Total duration of the runs in milliseconds, from the timestamps of the entries.
    pub took_ms: u64,
}

impl History {
    /// Parses complete lines.
    ///
    /// # Errors
    /// Fails if a line is not a valid entry.
    pub(super) fn read(lines: &[u8]) -> Result<Self, HistoryError> {
        let mut history = Self::default();
        let mut previous_ms = None;
        for (number, line) in (1..).zip(lines.split(|byte| *byte == b'\n')) {
            if line.is_empty() {
                continue;
            }
            let entry = serde_json::from_slice(line).map_err(|error| HistoryError::Line { number, error })?;
            if history.runs.is_empty() && !matches!(entry, Entry::Run(_)) {
                return Err(HistoryError::NoRun);
            }
            let at_ms = match &entry {
                Entry::Run(run) => Some(run.at_ms),
                Entry::Photo(photo) => Some(photo.at_ms),
                Entry::End(end) => Some(end.at_ms),
                Entry::Writing(_) => None,
            };
            if let (Some(at), Some(previous)) = (at_ms, previous_ms)
                && !matches!(entry, Entry::Run(_))
            {
                history.took_ms += u64::saturating_sub(at, previous);
            }
            previous_ms = at_ms.or(previous_ms);
            history.apply(entry)?;
        }
        Ok(history)
    }

    fn apply(&mut self, entry: Entry) -> Result<(), HistoryError> {
        match entry {
            Entry::Run(run) => {
                if run.format > FORMAT {
                    return Err(HistoryError::Later { program: run.program });
                }
                (self.end, _) = (None, self.runs.push(run));
            }
            Entry::Writing(writing) => {
                let files = self.writings.entry(writing.input).or_default();
                if !files.contains(&writing.file) {
                    files.push(writing.file);
                }
            }
            Entry::Photo(photo) => {
                let key = photo.input.as_ref().map_or(&photo.name, |input| &input.path).clone();
                self.photos.insert(key, *photo);
            }
            Entry::End(end) => self.end = Some(end),
        }
        Ok(())
    }

    /// The folders below `output` that files were written to, and `output` itself.
    pub fn folders(&self, output: &Path) -> BTreeSet<std::path::PathBuf> {
        let files = self.writings.values().flatten().filter_map(|file| file.path.below(output));
        files.filter_map(|path| Some(path.parent()?.to_owned())).chain([output.to_owned()]).collect()
    }
}

/// Reads a journal, which may be in use by a run; an incomplete last line is ignored.
///
/// # Errors
/// Fails if the file cannot be read or is not a journal.
pub fn read_history(path: &Path) -> Result<History, HistoryError> {
    check_is_file(path)?;
    let bytes = read_if_journal(&mut File::open(path)?)?.ok_or(HistoryError::NoHeader)?;
    let (lines, _) = complete_lines(&bytes);
    History::read(lines)
}

/// True if the file at `path` starts with a run entry.
pub fn is_journal(path: &Path) -> bool {
    read_start_of(path).is_ok_and(|start| start == RUN_START)
}

/// True if the file at `path` can be read and is not a journal.
pub(super) fn is_foreign(path: &Path) -> bool {
    read_start_of(path).is_ok_and(|start| !RUN_START.starts_with(&start))
}

fn read_start_of(path: &Path) -> io::Result<Vec<u8>> {
    check_is_file(path)?;
    read_start(&mut File::open(path)?)
}

/// The first bytes of every journal.
const RUN_START: &[u8] = br#"{"kind":"run","format":"#;

/// All bytes of `file` if it is a journal: empty, or starting with a run entry, possibly truncated by a killed process.
/// `None` for any other file, of which only the start is read.
pub(super) fn read_if_journal(file: &mut File) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = read_start(file)?;
    if !RUN_START.starts_with(&bytes) {
        return Ok(None);
    }
    file.read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// As many bytes from the start of `file` as are needed to recognise a journal.
fn read_start(file: &mut File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.by_ref().take(RUN_START.len() as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// The complete lines and the offset of their end. An incomplete last line, or one with zeros from a power failure, is not
/// included.
pub(super) fn complete_lines(bytes: &[u8]) -> (&[u8], u64) {
    let mut end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    // A power failure can leave a block of zeros before the last newline.
    while end > 0 {
        let start = bytes[..end - 1].iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        if serde_json::from_slice::<Entry>(&bytes[start..end]).is_ok() {
            break;
        }
        if !bytes[start..end].contains(&0) {
            break;
        }
        end = start;
    }
    (&bytes[..end], end as u64)
}

#[cfg(test)]
mod tests;
