//! The desk of one photo of a batch.

use std::path::{Path, PathBuf};

use outcome::{EncodeError, Written};
use picture::write_new;
use pipeline::{Desk, NameBook, Turn};
use recipe::{OnConflict, OutputSpec};

use super::ready::Ready;
use crate::journal::FileEntry;
use crate::worker::floor::Floor;

/// Stands between a photo and the others of its batch; gives everything back when it is dropped.
pub(super) struct HandDesk<'a> {
    floor: &'a Floor,
    output: &'a OutputSpec,
    ready: &'a Ready,
    index: usize,
    input: &'a Path,
    /// The files written, where there is a journal.
    pub(super) files: Vec<(PathBuf, FileEntry)>,
}

impl<'a> HandDesk<'a> {
    pub(super) fn new(
        floor: &'a Floor,
        output: &'a OutputSpec,
        ready: &'a Ready,
        index: usize,
        input: &'a Path,
    ) -> Self {
        Self { floor, output, ready, index, input, files: Vec::new() }
    }
}

impl Desk for HandDesk<'_> {
    fn make_room(&mut self, bytes: u64) {
        self.floor.make_room(self.index, bytes);
    }

    fn claim(&mut self, holds_picture: bool, work: &mut dyn FnMut(&mut NameBook)) -> Turn {
        let turn = self.floor.wait_for_turn(self.index, holds_picture);
        if turn == Turn::Claimed {
            work(&mut self.ready.names());
            self.floor.pass(self.index);
        }
        turn
    }

    fn names(&mut self, work: &mut dyn FnMut(&mut NameBook)) {
        work(&mut self.ready.names());
    }

    fn write(&mut self, bytes: &[u8], path: &Path, replace: bool) -> Result<Written, EncodeError> {
        self.ready.check_folder(&self.output.folder)?;
        let is_lost = || self.ready.earlier.as_ref().is_some_and(|earlier| earlier.own.have_lost(path));
        let replace = replace && (self.output.on_conflict == OnConflict::Overwrite || !is_lost());
        let written = match &self.ready.ledger {
            None => write_new(bytes, path, replace)?,
            Some(ledger) => {
                let (written, file) = ledger.write(self.input, bytes, path, replace)?;
                self.files.push((written.path.clone(), file));
                written
            }
        };
        self.ready.folder_is_there();
        Ok(written)
    }
}

impl Drop for HandDesk<'_> {
    fn drop(&mut self) {
        self.floor.leave(self.index);
    }
}
