//! The desk of one photo of a batch.

use std::path::{Path, PathBuf};

use outcome::{EncodeError, Written};
use picture::write_new;
use pipeline::{Admission, ExportContext, NameBook};
use recipe::{OnConflict, OutputSpec};

use super::ready::Ready;
use crate::journal::FileEntry;
use crate::worker::scheduler::BatchScheduler;

/// Stands between a photo and the others of its batch; gives everything back when it is dropped.
pub(super) struct BatchContext<'a> {
    scheduler: &'a BatchScheduler,
    output: &'a OutputSpec,
    ready: &'a Ready,
    index: usize,
    input: &'a Path,
    /// The files written, where there is a journal.
    pub(super) files: Vec<(PathBuf, FileEntry)>,
}

impl<'a> BatchContext<'a> {
    pub(super) fn new(
        scheduler: &'a BatchScheduler,
        output: &'a OutputSpec,
        ready: &'a Ready,
        index: usize,
        input: &'a Path,
    ) -> Self {
        Self { scheduler, output, ready, index, input, files: Vec::new() }
    }
}

impl ExportContext for BatchContext<'_> {
    fn reserve_memory(&mut self, bytes: u64) {
        self.scheduler.reserve_memory(self.index, bytes);
    }

    fn claim(&mut self, holds_picture: bool, work: &mut dyn FnMut(&mut NameBook)) -> Admission {
        let turn = self.scheduler.wait_for_turn(self.index, holds_picture);
        if turn == Admission::Claimed {
            work(&mut self.ready.names());
            self.scheduler.pass(self.index);
        }
        turn
    }

    fn names(&mut self, work: &mut dyn FnMut(&mut NameBook)) {
        work(&mut self.ready.names());
    }

    fn write(&mut self, bytes: &[u8], path: &Path, replace: bool) -> Result<Written, EncodeError> {
        self.ready.check_folder(&self.output.folder)?;
        let is_lost = || self.ready.resume.as_ref().is_some_and(|resume| resume.own.have_lost(path));
        let replace = replace && (self.output.on_conflict == OnConflict::Overwrite || !is_lost());
        let written = match &self.ready.journal_writer {
            None => write_new(bytes, path, replace)?,
            Some(journal_writer) => {
                let (written, file) = journal_writer.write(self.input, bytes, path, replace)?;
                self.files.push((written.path.clone(), file));
                written
            }
        };
        self.ready.folder_is_there();
        Ok(written)
    }
}

impl Drop for BatchContext<'_> {
    fn drop(&mut self) {
        self.scheduler.leave(self.index);
    }
}
