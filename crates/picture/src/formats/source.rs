//! Byte sources for decoders that check the deadline.

use std::io::{BufRead, Cursor, Read, Result, Seek, SeekFrom};

use crate::deadline::check_at;

/// The bytes of a file. Reads fail after the deadline or a cancellation.
pub(super) struct Source<'a> {
    bytes: Cursor<&'a [u8]>,
    next_check: usize,
}

impl<'a> Source<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: Cursor::new(bytes), next_check: 0 }
    }
}

impl BufRead for Source<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        check_at(usize::try_from(self.bytes.position()).unwrap_or(usize::MAX), &mut self.next_check)?;
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
