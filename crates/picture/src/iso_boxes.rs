//! The boxes of ISO base media files (ISO/IEC 14496-12).

use std::ops::Range;

/// Position of a box in the source bytes.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The four-character type.
    pub(crate) kind: [u8; 4],
    /// The byte range including the header. Shorter than the header declares if the box is truncated.
    pub(crate) range: Range<usize>,
    /// Header size in bytes: 8, or 16 for a 64-bit length.
    pub(crate) header: usize,
    /// True if the bytes end before the box does.
    pub(crate) is_cut: bool,
}

/// A box: type and content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IsoBox<'a> {
    /// The four-character type.
    pub(crate) kind: [u8; 4],
    /// Everything after the header. Shorter than the header declares if the file is truncated.
    pub(crate) content: &'a [u8],
}

impl<'a> IsoBox<'a> {
    /// Version and flags of a full box, and the remaining content.
    pub(crate) fn full(&self) -> Option<(u8, u32, &'a [u8])> {
        let (head, rest) = self.content.split_first_chunk::<4>()?;
        Some((head[0], u32::from_be_bytes(*head) & 0x00ff_ffff, rest))
    }
}

/// The positions of consecutive boxes in the range `inside` of `bytes`; stops at anything that is not a box.
pub(crate) fn places(bytes: &[u8], inside: Range<usize>) -> impl Iterator<Item = Place> + '_ {
    let mut at = inside.start;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..inside.end)?;
        let (head, behind) = rest.split_first_chunk::<8>()?;
        let kind = [head[4], head[5], head[6], head[7]];
        let (header, length) = match u32::from_be_bytes([head[0], head[1], head[2], head[3]]) {
            0 => (8, rest.len() as u64), // Extends to the end of the file.
            1 => (16, u64::from_be_bytes(*behind.first_chunk::<8>()?)),
            length => (8, u64::from(length)),
        };
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length < header {
            return None;
        }
        let range = at..at + length.min(rest.len());
        at = range.end;
        Some(Place { kind, range, header, is_cut: length > rest.len() })
    })
}

/// Consecutive boxes in `bytes`; stops at anything that is not a box.
pub(crate) fn boxes(bytes: &[u8]) -> impl Iterator<Item = IsoBox<'_>> {
    places(bytes, 0..bytes.len()).map(|place| {
        let Place { kind, range, header, .. } = place;
        IsoBox { kind, content: &bytes[range.start + header..range.end] }
    })
}

/// The content of the first box of type `kind`.
pub(crate) fn find<'a>(bytes: &'a [u8], kind: &[u8; 4]) -> Option<IsoBox<'a>> {
    boxes(bytes).find(|inner| inner.kind == *kind)
}

/// Brands of the file type box: the major one, then the compatible ones.
pub(crate) fn brands(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> + '_ {
    let content = boxes(bytes).next().filter(|first| first.kind == *b"ftyp").map_or(&[][..], |ftyp| ftyp.content);
    let (brands, _) = content.as_chunks::<4>();
    // The second four-byte word is the minor version.
    brands.iter().enumerate().filter(|(index, _)| *index != 1).take(64).map(|(_, brand)| *brand)
}

/// Reads numbers from the start of a byte slice.
pub(crate) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn u8(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.number(2).map(|value| value as u16)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.number(4).map(|value| value as u32)
    }

    /// A big-endian number of 0 to 8 bytes.
    pub(crate) fn number(&mut self, bytes: usize) -> Option<u64> {
        let value = self.take(bytes)?.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
        Some(value)
    }

    pub(crate) fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    /// Bytes up to the next zero, which is skipped.
    pub(crate) fn text(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let text = self.take(end)?;
        self.0 = &self.0[1..];
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_have_header_size_and_truncation() {
        let bytes = [&b"\0\0\0\x09freeA"[..], b"\0\0\0\x01wide\0\0\0\0\0\0\0\x11B", b"\0\0\0\x0amdatC"].concat();
        let read: Vec<_> =
            places(&bytes, 0..bytes.len()).map(|place| (place.kind, place.range, place.header, place.is_cut)).collect();
        assert_eq!(read, [(*b"free", 0..9, 8, false), (*b"wide", 9..26, 16, false), (*b"mdat", 26..35, 8, true)]);
        // The end of the range acts as the end of the file.
        assert!(places(&bytes, 9..25).next().is_some_and(|place| place.is_cut && place.range == (9..25)));
        assert!(places(&bytes, 0..bytes.len() + 1).next().is_none());
        assert_eq!(boxes(&bytes).map(|inside| inside.content).collect::<Vec<_>>(), [b"A", b"B", b"C"]);
    }
}
