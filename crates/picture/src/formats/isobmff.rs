//! Boxes of ISO base media files (ISO/IEC 14496-12), and the picture items that HEIF and AVIF keep in them (ISO/IEC 23008-12).

mod items;
mod sequence;

pub(super) use items::{Item, Items, from_tiff_header};

/// One box: its type and what is in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct IsoBox<'a> {
    /// The four letters of its type.
    pub(super) kind: [u8; 4],
    /// Everything behind its header. Shorter than the header says where the file is cut.
    pub(super) content: &'a [u8],
}

impl<'a> IsoBox<'a> {
    /// Version and flags of a full box, and what follows them.
    pub(super) fn full(&self) -> Option<(u8, u32, &'a [u8])> {
        let (head, rest) = self.content.split_first_chunk::<4>()?;
        Some((head[0], u32::from_be_bytes(*head) & 0x00ff_ffff, rest))
    }
}

/// The boxes that follow each other in `bytes`; ends at what is no box.
pub(super) fn boxes(bytes: &[u8]) -> impl Iterator<Item = IsoBox<'_>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (head, mut behind) = rest.split_first_chunk::<8>()?;
        let kind = [head[4], head[5], head[6], head[7]];
        let mut header = 8_u64;
        let short = u32::from_be_bytes([head[0], head[1], head[2], head[3]]);
        let length = match short {
            0 => rest.len() as u64, // To the end of the file.
            1 => {
                let (long, further) = behind.split_first_chunk::<8>()?;
                (header, behind) = (16, further);
                u64::from_be_bytes(*long)
            }
            length => u64::from(length),
        };
        let inside = usize::try_from(length.checked_sub(header)?).unwrap_or(usize::MAX).min(behind.len());
        let (content, further) = behind.split_at(inside);
        rest = further;
        Some(IsoBox { kind, content })
    })
}

/// What is in the first box of type `kind`.
pub(super) fn find<'a>(bytes: &'a [u8], kind: &[u8; 4]) -> Option<IsoBox<'a>> {
    boxes(bytes).find(|inner| inner.kind == *kind)
}

/// Brands of the file type box: the major one, then the compatible ones.
pub(crate) fn brands(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> + '_ {
    let content = boxes(bytes).next().filter(|first| first.kind == *b"ftyp").map_or(&[][..], |ftyp| ftyp.content);
    let (brands, _) = content.as_chunks::<4>();
    // The second of the four-byte words is the minor version.
    brands.iter().enumerate().filter(|(index, _)| *index != 1).take(64).map(|(_, brand)| *brand)
}

/// Reads numbers off the front of bytes.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn u8(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.number(2).map(|value| value as u16)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.number(4).map(|value| value as u32)
    }

    /// A big-endian number of 0 to 8 bytes.
    pub(super) fn number(&mut self, bytes: usize) -> Option<u64> {
        let value = self.take(bytes)?.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
        Some(value)
    }

    pub(super) fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    /// Bytes up to the next zero, which is stepped over.
    pub(super) fn text(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let text = self.take(end)?;
        self.0 = &self.0[1..];
        Some(text)
    }
}

#[cfg(test)]
pub(super) mod tests;
