//! A file's bytes as a decoder reads them, with a look at the clock in between.

use std::io::{BufRead, Cursor, Read, Result, Seek, SeekFrom};

use crate::patience::look_at;

/// The bytes of a file. Reading them fails once the time is up or nobody waits any more.
pub(super) struct Source<'a> {
    bytes: Cursor<&'a [u8]>,
    next_look: usize,
}

impl<'a> Source<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: Cursor::new(bytes), next_look: 0 }
    }
}

impl BufRead for Source<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        look_at(usize::try_from(self.bytes.position()).unwrap_or(usize::MAX), &mut self.next_look)?;
        self.bytes.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.bytes.consume(count);
    }
}

impl Read for Source<'_> {
    fn read(&mut self, target: &mut [u8]) -> Result<usize> {
        let count = self.fill_buf()?.read(target)?;
        self.consume(count);
        Ok(count)
    }
}

impl Seek for Source<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.bytes.seek(to)
    }
}
