//! What a journal tells.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::plain_file::check_is_file;
use super::{EndEntry, Entry, FORMAT, FileEntry, PhotoEntry, RunEntry, StoredPath};

/// Why a file is not read as a journal.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The system refuses.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// It does not begin as a journal does.
    #[error("it does not begin with the line of a run")]
    NotBegun,
    /// It has no line.
    #[error("no run has written into it")]
    Empty,
    /// Its first line is none of a run.
    #[error("its first line does not say which run it is of")]
    NoRun,
    /// A line is none of a journal.
    #[error("line {number}: {error}")]
    Line {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// A later version wrote it.
    #[error("it was written by a later version ({program})")]
    Later {
        /// The program that wrote it.
        program: String,
    },
}

/// What the lines of a journal come to.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The runs, in order.
    pub runs: Vec<RunEntry>,
    /// The last line of each photo, by its absolute path, or its path as given where it could not be looked at.
    pub photos: HashMap<StoredPath, PhotoEntry>,
    /// The files that were about to be written for each photo, with every content they had.
    pub writings: HashMap<StoredPath, Vec<FileEntry>>,
    /// How the last run ended; `None` where it was killed.
    pub end: Option<EndEntry>,
    /// Milliseconds that the runs took together, as far as lines tell.
    pub took_ms: u64,
}

impl History {
    /// Reads whole lines.
    ///
    /// # Errors
    /// A line is no line of a journal.
    pub(super) fn read(lines: &[u8]) -> Result<Self, HistoryError> {
        let mut history = Self::default();
        let mut begun_ms = None;
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
            if let (Some(at), Some(begun)) = (at_ms, begun_ms)
                && !matches!(entry, Entry::Run(_))
            {
                history.took_ms += u64::saturating_sub(at, begun);
            }
            begun_ms = at_ms.or(begun_ms);
            history.take(entry)?;
        }
        Ok(history)
    }

    fn take(&mut self, entry: Entry) -> Result<(), HistoryError> {
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

    /// The folders that files were written to, below `output` where they lie in it.
    pub fn folders(&self, output: &Path) -> BTreeSet<std::path::PathBuf> {
        let files = self.writings.values().flatten().filter_map(|file| file.path.below(output));
        files.filter_map(|path| Some(path.parent()?.to_owned())).chain([output.to_owned()]).collect()
    }
}

/// Reads a journal that may be written to at this moment; a last line that is not whole is passed over.
///
/// # Errors
/// It cannot be read, or is no journal.
pub fn read_history(path: &Path) -> Result<History, HistoryError> {
    check_is_file(path)?;
    let bytes = read_if_ours(&mut File::open(path)?)?.ok_or(HistoryError::NotBegun)?;
    let (lines, _) = whole_lines(&bytes);
    History::read(lines)
}

/// True if the file at `path` begins as a journal does: with the line of a run.
pub fn is_journal(path: &Path) -> bool {
    start_of(path).is_ok_and(|start| start == RUN_START)
}

/// True if the file at `path` can be read and is no journal.
pub(super) fn is_foreign(path: &Path) -> bool {
    start_of(path).is_ok_and(|start| !RUN_START.starts_with(&start))
}

fn start_of(path: &Path) -> io::Result<Vec<u8>> {
    check_is_file(path)?;
    read_start(&mut File::open(path)?)
}

/// How each journal begins: the kind of its first entry and that entry's first field.
const RUN_START: &[u8] = br#"{"kind":"run","format":"#;

/// All bytes of `file` if it is a journal: empty, or begun with the line of a run, of which a killed process may have
/// written only a part. `None` for any other file, of which nothing more than the start is read.
pub(super) fn read_if_ours(file: &mut File) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = read_start(file)?;
    if !RUN_START.starts_with(&bytes) {
        return Ok(None);
    }
    file.read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// As many bytes from the start of `file` as show whether it is a journal.
fn read_start(file: &mut File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.by_ref().take(RUN_START.len() as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// The lines that end, and where the last of them does. A last line that is only half there, or holds what a disk fills gaps
/// with, is none.
pub(super) fn whole_lines(bytes: &[u8]) -> (&[u8], u64) {
    let mut end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    // A power cut can leave a block of zeros before the last newline.
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
