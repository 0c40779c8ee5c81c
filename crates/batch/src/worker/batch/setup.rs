//! The preparation of a batch before its first photo.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use outcome::EncodeError;
use picture::Steps;
use pipeline::NameBook;
use recipe::Depth;

use super::journal_writer::{JournalWriter, ResumeState};
use super::package::has_package;
use crate::journal::JournalPlace;
use crate::worker::ExportJob;
use crate::worker::faults::RunNote;
use crate::worker::scheduler::BatchScheduler;
use crate::worker::sessions::Opened;

/// Name book, journal and resume state, prepared before the first photo.
pub(super) struct BatchSetup {
    names: Mutex<NameBook>,
    pub(super) journal_writer: Option<JournalWriter>,
    pub(super) resume: Option<ResumeState>,
    /// True once the output folder is known to exist.
    folder_seen: AtomicBool,
    notes: Mutex<Vec<RunNote>>,
}

impl BatchSetup {
    /// Opens the journal and loads the state of an earlier part of the run. Stops the batch if a required journal cannot be
    /// opened.
    pub(super) fn prepare(spec: &ExportJob, opened: Option<&Opened>, steps: Steps, scheduler: &BatchScheduler) -> Self {
        let mut names = NameBook::new(spec.output.clone(), spec.not_to_replace()).with_template(spec.template.clone());
        let (mut journal_writer, mut resume, mut notes) = (None, None, Vec::new());
        let journal = spec.journal.as_ref().filter(|_| spec.depth == Depth::Write);
        if let Some(journal) = journal {
            match JournalWriter::open(journal, spec, opened, &mut names, steps) {
                Ok((writer, state)) => {
                    if !state.done.is_empty() {
                        notes.push(RunNote::AlreadyDone { photos: state.done.len() });
                    }
                    if state.removed > 0 {
                        notes.push(RunNote::Removed { files: state.removed });
                    }
                    notes.extend(state.own.note());
                    (journal_writer, resume) = (Some(writer), Some(state));
                }
                // The journal was not explicitly requested and no package needs it, so the batch runs without one.
                Err(error)
                    if !journal.resume
                        && matches!(journal.place, JournalPlace::Beside { .. })
                        && !has_package(&spec.recipe) =>
                {
                    notes.push(RunNote::NoJournal(error));
                }
                Err(error) => scheduler.stop(error.into()),
            }
        }
        let folder_seen = AtomicBool::new(spec.output.folder.is_dir());
        Self { names: Mutex::new(names), journal_writer, resume, folder_seen, notes: Mutex::new(notes) }
    }

    pub(super) fn add_notes(&self, notes: impl IntoIterator<Item = RunNote>) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).extend(notes);
    }

    /// The notes so far, once.
    pub(super) fn take_notes(&self) -> Arc<[RunNote]> {
        std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner)).into()
    }

    pub(super) fn names(&self) -> MutexGuard<'_, NameBook> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails if the output folder has disappeared: after a disk was unplugged, it would be created in the empty mount point.
    pub(super) fn check_folder(&self, folder: &Path) -> Result<(), EncodeError> {
        if self.folder_seen.load(Ordering::Acquire) && !folder.is_dir() {
            return Err(EncodeError::FolderGone { path: folder.to_owned() });
        }
        Ok(())
    }

    /// Creates `folder` in the output folder. Once the output folder has been seen it is not created again, so that no file is
    /// written to an empty mount point.
    pub(super) fn create_folder(&self, output: &Path, folder: &Path) -> Result<(), EncodeError> {
        let Ok(below) = folder.strip_prefix(output) else { return picture::create_folder(folder) };
        if !self.folder_seen.load(Ordering::Acquire) {
            return picture::create_folder(folder);
        }
        let mut path = output.to_owned();
        for name in below {
            path.push(name);
            match fs::create_dir(&path) {
                Err(_) if path.is_dir() => {}
                created => created.map_err(|source| EncodeError::making_folder(&path, source))?,
            }
        }
        Ok(())
    }

    pub(super) fn mark_folder_seen(&self) {
        self.folder_seen.store(true, Ordering::Release);
    }
}
