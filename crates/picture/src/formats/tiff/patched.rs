//! A patched view of the file for the decoder: with another first directory, and with samples that it does not
//! interpret.

use std::io::{Read, Result as IoResult, Seek, SeekFrom};

use crate::formats::source::Source;
use crate::tiff_directory::Tiff;

/// Bytes that replace those of the file.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    place: usize,
    bytes: Vec<u8>,
}

impl Patch {
    /// Makes the directory at `directory` the first one.
    pub(super) fn first_directory(tiff: &Tiff<'_>, directory: u64) -> Self {
        let (place, bytes) = tiff.pointer_to(directory);
        Self { place, bytes }
    }

    /// Sets the photometric interpretation to grey, so that the decoder returns all samples unchanged; `place` is the
    /// offset of its value.
    pub(super) fn grey(tiff: &Tiff<'_>, place: usize) -> Self {
        Self { place, bytes: tiff.order.bytes_of_u16(1).to_vec() }
    }
}

/// The file with patches applied.
pub(super) struct RawSamples<'a> {
    source: Source<'a>,
    patches: Vec<Patch>,
}

impl<'a> RawSamples<'a> {
    pub(super) fn new(bytes: &'a [u8], patches: Vec<Patch>) -> Self {
        Self { source: Source::new(bytes), patches }
    }
}

impl Read for RawSamples<'_> {
    fn read(&mut self, target: &mut [u8]) -> IoResult<usize> {
        let at = self.source.stream_position()? as usize;
        let count = self.source.read(target)?;
        for Patch { place, bytes } in &self.patches {
            for (offset, byte) in bytes.iter().enumerate() {
                let place = (place + offset).checked_sub(at);
                if let Some(slot) = place.and_then(|place| target[..count].get_mut(place)) {
                    *slot = *byte;
                }
            }
        }
        Ok(count)
    }
}

impl Seek for RawSamples<'_> {
    fn seek(&mut self, to: SeekFrom) -> IoResult<u64> {
        self.source.seek(to)
    }
}
