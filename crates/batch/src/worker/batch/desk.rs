//! The desk of one photo of a batch.

use std::path::{Path, PathBuf};

use outcome::{EncodeError, Written};
use picture::write_new;
use pipeline::{Desk, NameBook, Turn};
use recipe::OnConflict;

use super::{Crew, Ready};
use crate::journal::FileEntry;

/// Stands between a photo and the others of its batch; gives everything back when it is dropped.
pub(super) struct HandDesk<'a> {
    crew: &'a Crew,
    ready: &'a Ready,
    index: usize,
    input: &'a Path,
    /// The files written, where there is a journal.
    pub(super) files: Vec<(PathBuf, FileEntry)>,
}

impl<'a> HandDesk<'a> {
    pub(super) fn new(crew: &'a Crew, ready: &'a Ready, index: usize, input: &'a Path) -> Self {
        Self { crew, ready, index, input, files: Vec::new() }
    }
}

impl Desk for HandDesk<'_> {
    fn make_room(&mut self, bytes: u64) {
        self.crew.floor.make_room(self.index, bytes);
    }

    fn claim(&mut self, holds_picture: bool, work: &mut dyn FnMut(&mut NameBook)) -> Turn {
        let turn = self.crew.floor.wait_for_turn(self.index, holds_picture);
        if turn == Turn::Claimed {
            work(&mut self.ready.names());
            self.crew.floor.pass(self.index);
        }
        turn
    }

    fn names(&mut self, work: &mut dyn FnMut(&mut NameBook)) {
        work(&mut self.ready.names());
    }

    fn write(&mut self, bytes: &[u8], path: &Path, replace: bool) -> Result<Written, EncodeError> {
        let output = &self.crew.spec.output;
        self.ready.check_folder(&output.folder)?;
        let is_lost = || self.ready.earlier.as_ref().is_some_and(|earlier| earlier.own.have_lost(path));
        let replace = replace && (output.on_conflict == OnConflict::Overwrite || !is_lost());
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
        self.crew.floor.leave(self.index);
    }
}
