//! A file with made-up bytes behind its end, so that decoders which give nothing of a cut file read it to the end.

use std::io::{BufRead, Read, Result, Seek, SeekFrom};

use crate::patience::look_at;

/// `bytes`, then as many made-up ones as were asked for.
pub(super) struct Padded<'a> {
    bytes: &'a [u8],
    padding: usize,
    pad: Vec<u8>,
    at: usize,
    next_look: usize,
}

impl<'a> Padded<'a> {
    /// `bytes`, then `padding` more, of `pad` over and over.
    pub(super) fn new(bytes: &'a [u8], padding: usize, pad: &[u8]) -> Self {
        Self { bytes, padding, pad: pad.repeat(256 / pad.len().max(1)), at: 0, next_look: 0 }
    }
}

impl BufRead for Padded<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        look_at(self.at, &mut self.next_look)?;
        if let Some(rest) = self.bytes.get(self.at..).filter(|rest| !rest.is_empty()) {
            return Ok(rest);
        }
        let left = self.bytes.len().saturating_add(self.padding).saturating_sub(self.at);
        let phase = self.at.saturating_sub(self.bytes.len()) % self.pad.len().max(1);
        let pad = &self.pad[phase..];
        Ok(&pad[..left.min(pad.len())])
    }

    fn consume(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }
}

impl Read for Padded<'_> {
    fn read(&mut self, target: &mut [u8]) -> Result<usize> {
        let count = self.fill_buf()?.read(target)?;
        self.consume(count);
        Ok(count)
    }
}

impl Seek for Padded<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => i128::from(place),
            SeekFrom::End(offset) => self.bytes.len() as i128 + self.padding as i128 + i128::from(offset),
            SeekFrom::Current(offset) => self.at as i128 + i128::from(offset),
        };
        self.at = usize::try_from(place).map_err(|_| std::io::ErrorKind::InvalidInput)?;
        Ok(self.at as u64)
    }
}
