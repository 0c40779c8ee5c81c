//! What a batch makes ready before its first photo.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use outcome::EncodeError;
use picture::Steps;
use pipeline::NameBook;
use recipe::Depth;

use super::journal_writer::{JournalWriter, ResumeState};
use crate::journal::JournalPlace;
use crate::worker::ExportJob;
use crate::worker::faults::RunNote;
use crate::worker::scheduler::BatchScheduler;
use crate::worker::sessions::Opened;

/// What stands ready before the first photo.
pub(super) struct Ready {
    names: Mutex<NameBook>,
    pub(super) journal_writer: Option<JournalWriter>,
    pub(super) resume: Option<ResumeState>,
    /// True once the output folder has been seen.
    folder_seen: AtomicBool,
    pub(super) notes: Arc<[RunNote]>,
}

impl Ready {
    /// Opens the journal, and learns from it what an earlier part of the run has done. Stops the batch if it must have a journal
    /// and there can be none.
    pub(super) fn make(spec: &ExportJob, opened: Option<&Opened>, steps: Steps, scheduler: &BatchScheduler) -> Self {
        let mut names = NameBook::new(spec.output.clone(), spec.not_to_replace()).with_template(spec.template.clone());
        let (mut journal_writer, mut resume, mut notes) = (None, None, Vec::new());
        let journal = spec.journal.as_ref().filter(|_| spec.depth == Depth::Write);
        if let Some(journal) = journal {
            match JournalWriter::open(journal, spec, opened, &mut names, steps) {
                Ok((kept, before)) => {
                    if !before.done.is_empty() {
                        notes.push(RunNote::AlreadyDone { photos: before.done.len() });
                    }
                    if before.removed > 0 {
                        notes.push(RunNote::Removed { files: before.removed });
                    }
                    notes.extend(before.own.note());
                    (journal_writer, resume) = (Some(kept), Some(before));
                }
                // Nobody asked for it: the crops matter more.
                Err(error) if !journal.resume && matches!(journal.place, JournalPlace::Beside { .. }) => {
                    notes.push(RunNote::NoJournal(error));
                }
                Err(error) => scheduler.stop(error.into()),
            }
        }
        let folder_seen = AtomicBool::new(spec.output.folder.is_dir());
        Self { names: Mutex::new(names), journal_writer, resume, folder_seen, notes: notes.into() }
    }

    pub(super) fn names(&self) -> MutexGuard<'_, NameBook> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses where the output folder has gone: on an unplugged disk it would be made anew in its empty place.
    pub(super) fn check_folder(&self, folder: &Path) -> Result<(), EncodeError> {
        if self.folder_seen.load(Ordering::Acquire) && !folder.is_dir() {
            return Err(EncodeError::FolderGone { path: folder.to_owned() });
        }
        Ok(())
    }

    pub(super) fn folder_is_there(&self) {
        self.folder_seen.store(true, Ordering::Release);
    }
}
