//! What a photo on its way down the corridor needs of the run it belongs to.

use std::path::Path;

use outcome::{EncodeError, Written};
use picture::write_new;

use crate::name_book::NameBook;
use crate::options::ReserveMemory;

/// What became of a wish to claim names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The names were claimed.
    Claimed,
    /// Photos before this one wait for memory: let go of the picture, then ask again.
    Release,
    /// The run was cancelled.
    Cancelled,
}

/// The side of a run that a photo meets: room in memory, its turn at the names, and the disk.
///
/// Photos may be on their way at the same time. Names are claimed in the order of the list all the same, so that they never
/// depend on which photo was quicker.
pub trait ExportContext {
    /// Told how many bytes are about to be decoded, in place of those told before; may wait until other photos let go of
    /// theirs. The photo holds no picture while it waits.
    fn reserve_memory(&mut self, bytes: u64);

    /// Waits until the photos before this one have claimed their names, then lets `work` claim those of this one.
    /// `holds_picture` says whether there is something to let go of.
    fn claim(&mut self, holds_picture: bool, work: &mut dyn FnMut(&mut NameBook)) -> Admission;

    /// The names once more, where another program has taken one that was claimed.
    fn names(&mut self, work: &mut dyn FnMut(&mut NameBook));

    /// Writes a file whole under its name, as [`write_new`] does.
    ///
    /// # Errors
    /// As [`write_new`].
    fn write(&mut self, bytes: &[u8], path: &Path, replace: bool) -> Result<Written, EncodeError>;
}

/// The desk of photos that come one after the other.
pub struct SequentialContext<'a> {
    names: &'a mut NameBook,
    reserve: ReserveMemory<'a>,
}

impl<'a> SequentialContext<'a> {
    /// A desk with these names; `room` is told of what is about to be decoded.
    pub fn new(names: &'a mut NameBook, reserve: ReserveMemory<'a>) -> Self {
        Self { names, reserve }
    }
}

impl ExportContext for SequentialContext<'_> {
    fn reserve_memory(&mut self, bytes: u64) {
        (self.reserve)(bytes);
    }

    fn claim(&mut self, _holds_picture: bool, work: &mut dyn FnMut(&mut NameBook)) -> Admission {
        work(self.names);
        Admission::Claimed
    }

    fn names(&mut self, work: &mut dyn FnMut(&mut NameBook)) {
        work(self.names);
    }

    fn write(&mut self, bytes: &[u8], path: &Path, replace: bool) -> Result<Written, EncodeError> {
        write_new(bytes, path, replace)
    }
}
