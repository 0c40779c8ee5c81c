//! The file as the decoder is given it: with another first directory, and with samples that it does not interpret.

use std::io::{Read, Result as IoResult, Seek, SeekFrom};

use crate::formats::source::Source;

/// The index of the value of a SHORT entry in the directory at `directory`.
pub(super) fn value_place(bytes: &[u8], directory: u64, tag: u16) -> Option<usize> {
    let big_endian = bytes.starts_with(b"MM");
    let short = |at: usize| {
        let two = *bytes.get(at..)?.first_chunk::<2>()?;
        Some(if big_endian { u16::from_be_bytes(two) } else { u16::from_le_bytes(two) })
    };
    let is_big = short(2)? == 43;
    let directory = usize::try_from(directory).ok()?;
    // The count of entries fits 16 bits in all files that make sense.
    let count_place = if is_big && big_endian { directory.checked_add(6)? } else { directory };
    let (head, length, value) = if is_big { (8, 20, 12) } else { (2, 12, 8) };
    (0..usize::from(short(count_place)?))
        .map(|index| directory + head + index * length)
        .find(|at| short(*at) == Some(tag))
        .map(|at| at + value)
}

/// Bytes that the decoder is given in place of those in the file.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    place: usize,
    bytes: Vec<u8>,
}

impl Patch {
    /// Makes the directory at `directory` the first one, wherever it hangs in the file.
    pub(super) fn first_directory(bytes: &[u8], directory: u64) -> Self {
        let is_big = bytes.get(2..4).is_some_and(|two| two.contains(&43));
        let (place, length) = if is_big { (8, 8) } else { (4, 4) };
        let bytes = if bytes.starts_with(b"MM") {
            directory.to_be_bytes()[8 - length..].to_vec()
        } else {
            directory.to_le_bytes()[..length].to_vec()
        };
        Self { place, bytes }
    }

    /// Makes the entry that says what samples mean say "grey", so that the decoder gives all samples as they are.
    pub(super) fn grey(bytes: &[u8], place: usize) -> Self {
        Self { place, bytes: if bytes.starts_with(b"MM") { vec![0, 1] } else { vec![1, 0] } }
    }
}

/// The file, patched.
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
