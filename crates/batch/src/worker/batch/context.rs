//! The export context of one photo of a batch.

use std::path::{Path, PathBuf};

use outcome::{EncodeError, Written};
use picture::{Saver, folder_of};
use pipeline::{Admission, ExportContext, NameBook};
use recipe::{OnConflict, OutputSpec};

use super::setup::BatchSetup;
use crate::journal::FileEntry;
use crate::worker::scheduler::BatchScheduler;

/// Connects a photo to the scheduler, names and journal of its batch; releases its reservations on drop.
pub(super) struct BatchContext<'a> {
    scheduler: &'a BatchScheduler,
    output: &'a OutputSpec,
    setup: &'a BatchSetup,
    index: usize,
    input: &'a Path,
    /// The files written, if there is a journal.
    pub(super) files: Vec<(PathBuf, FileEntry)>,
}

impl<'a> BatchContext<'a> {
    pub(super) fn new(
        scheduler: &'a BatchScheduler,
        output: &'a OutputSpec,
        setup: &'a BatchSetup,
        index: usize,
        input: &'a Path,
    ) -> Self {
        Self { scheduler, output, setup, index, input, files: Vec::new() }
    }

    fn write_in_folder(&mut self, bytes: &[u8], path: &Path, replace: bool) -> Result<Written, EncodeError> {
        self.setup.create_folder(&self.output.folder, folder_of(path))?;
        let Some(journal_writer) = &self.setup.journal_writer else {
            return Saver::plain().save(bytes, path, replace, &mut || Ok(()));
        };
        let (written, file) = journal_writer.write(self.input, bytes, path, replace)?;
        self.files.push((written.path.clone(), file));
        Ok(written)
    }
}

impl ExportContext for BatchContext<'_> {
    fn reserve_memory(&mut self, bytes: u64) {
        self.scheduler.reserve_memory(self.index, bytes);
    }

    fn claim(&mut self, holds_picture: bool, work: &mut dyn FnMut(&mut NameBook)) -> Admission {
        let admission = self.scheduler.wait_for_turn(self.index, holds_picture);
        if admission == Admission::Claimed {
            work(&mut self.setup.names());
            self.scheduler.pass_turn(self.index);
        }
        admission
    }

    fn names(&mut self, work: &mut dyn FnMut(&mut NameBook)) {
        work(&mut self.setup.names());
    }

    fn write(&mut self, bytes: &[u8], path: &Path, replace: bool) -> Result<Written, EncodeError> {
        self.setup.check_folder(&self.output.folder)?;
        let was_replaced = || self.setup.resume.as_ref().is_some_and(|resume| resume.own.was_replaced(path));
        let replace = replace && (self.output.on_conflict == OnConflict::Overwrite || !was_replaced());
        // If the folder has disappeared in the meantime, that is the reason for a failure.
        let written = self
            .write_in_folder(bytes, path, replace)
            .map_err(|error| self.setup.check_folder(&self.output.folder).err().unwrap_or(error))?;
        self.setup.mark_folder_seen();
        Ok(written)
    }
}

impl Drop for BatchContext<'_> {
    fn drop(&mut self) {
        self.scheduler.finish(self.index);
    }
}
