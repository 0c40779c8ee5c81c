//! The services of a run that the pipeline needs for each photo.

use std::path::Path;

use outcome::{EncodeError, Written};
use picture::write_new;

use crate::name_book::NameBook;
use crate::options::ReserveMemory;

/// The outcome of [`ExportContext::claim`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The names were claimed.
    Claimed,
    /// Earlier photos wait for memory: drop the image, then claim again.
    Release,
    /// The run was cancelled.
    Cancelled,
}

/// Memory reservation, names in list order, and file writes for the photos of a run.
///
/// Photos may be processed in parallel. Names are still claimed in list order, so that they never depend on timing.
pub trait ExportContext {
    /// Reserves `bytes` of memory for the next decode, replacing this photo's previous reservation; may block until other
    /// photos release theirs. The photo holds no image while it waits.
    fn reserve_memory(&mut self, bytes: u64);

    /// Waits until all earlier photos of the list have claimed their names, then lets `work` claim this photo's.
    /// `holds_picture` is true if this photo holds an image that it could release.
    fn claim(&mut self, holds_picture: bool, work: &mut dyn FnMut(&mut NameBook)) -> Admission;

    /// Gives access to the name book again, if another program has created a file under a claimed name.
    fn names(&mut self, work: &mut dyn FnMut(&mut NameBook));

    /// Writes a file atomically, as [`write_new`] does.
    ///
    /// # Errors
    /// As [`write_new`].
    fn write(&mut self, bytes: &[u8], path: &Path, replace: bool) -> Result<Written, EncodeError>;
}

/// The context of photos that are processed one after the other.
pub struct SequentialContext<'a> {
    names: &'a mut NameBook,
    reserve: ReserveMemory<'a>,
}

impl<'a> SequentialContext<'a> {
    /// A context with this name book; `reserve` is called with the bytes of each decode.
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
