//! Passes a file to the decoder in steps to locate errors.

use std::cell::Cell;
use std::io::{BufRead, Read, Result, Seek, SeekFrom};

use crate::deadline::check_at;

/// Bytes read in steps. The position is stored outside, since the decoder owns its reader.
#[derive(Clone, Copy)]
pub(super) struct Feed<'a> {
    bytes: &'a [u8],
    at: &'a Cell<usize>,
    step: usize,
    bytewise_from: usize,
    next_check: usize,
}

impl<'a> Feed<'a> {
    /// Returns `bytes` from the start, at most `step` at a time; `at` holds the index of the next one.
    pub(super) fn new(bytes: &'a [u8], at: &'a Cell<usize>, step: usize) -> Self {
        Self { bytes, at, step, bytewise_from: usize::MAX, next_check: 0 }.rewound()
    }

    /// The same from the start, byte by byte from index `bytewise_from` on.
    pub(super) fn bytewise_from(self, bytewise_from: usize) -> Self {
        Self { bytewise_from, ..self }.rewound()
    }

    fn rewound(self) -> Self {
        self.at.set(0);
        self
    }
}

impl BufRead for Feed<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        let at = self.at.get();
        check_at(at, &mut self.next_check)?;
        let step = if at >= self.bytewise_from { 1 } else { self.step.min(self.bytewise_from - at) };
        let rest = self.bytes.get(at..).unwrap_or_default();
        Ok(&rest[..step.min(rest.len())])
    }

    fn consume(&mut self, count: usize) {
        self.at.set(self.at.get().saturating_add(count));
    }
}

impl Read for Feed<'_> {
    fn read(&mut self, target: &mut [u8]) -> Result<usize> {
        let count = self.fill_buf()?.read(target)?;
        self.consume(count);
        Ok(count)
    }
}

impl Seek for Feed<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => i128::from(place),
            SeekFrom::End(offset) => self.bytes.len() as i128 + i128::from(offset),
            SeekFrom::Current(offset) => self.at.get() as i128 + i128::from(offset),
        };
        let place = usize::try_from(place).map_err(|_| std::io::ErrorKind::InvalidInput)?;
        self.at.set(place);
        Ok(place as u64)
    }
}
