//! Which part of a JPEG file is decoded for what is wanted, and the bytes that make the reader decode no more.
//!
//! The reader decodes the entropy-coded data of every row that the header promises, also of rows below a crop. So it gets a
//! header that promises fewer rows.

use std::borrow::Cow;

use geometry::Size;

use super::structure::Structure;
use crate::want::StoredWant;

/// What is decoded: stored pixels from `left`, `top` to `right`, `bottom`, at 1/`reduction`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// A multiple of the MCU's width.
    pub(super) left: u32,
    /// A multiple of the MCU's height.
    pub(super) top: u32,
    /// A multiple of the MCU's width, or the picture's.
    pub(super) right: u32,
    /// A multiple of the MCU's height, or the picture's.
    pub(super) bottom: u32,
    /// 1, 2, 4 or 8.
    pub(super) reduction: u32,
}

impl Part {
    /// The part that serves `want`: whole MCUs, and one more on every side, because colour at the edge of what is decoded is
    /// interpolated from less than it is in the whole picture.
    pub(super) fn serving(want: StoredWant, stored: Size, mcu: Size) -> Self {
        let along = |start: i32, length: u32, mcu: u32, end: u32| {
            let start = u32::try_from(start).unwrap_or(0).min(end);
            let from = (start / mcu).saturating_sub(1) * mcu;
            let to = (start.saturating_add(length).div_ceil(mcu) + 1).saturating_mul(mcu).min(end);
            (from, to)
        };
        let (left, right) = along(want.region.x, want.region.width, mcu.width, stored.width);
        let (top, bottom) = along(want.region.y, want.region.height, mcu.height, stored.height);
        let reduction = if matches!(want.reduction, 2 | 4 | 8) { want.reduction } else { 1 };
        Self { left, top, right, bottom, reduction }
    }

    /// All of the picture at 1/`reduction`.
    pub(super) fn whole(stored: Size, reduction: u32) -> Self {
        Self { left: 0, top: 0, right: stored.width, bottom: stored.height, reduction }
    }

    /// The same or more, so that its sides lie at multiples of `across` pixels, or at the picture's right side.
    pub(super) fn with_columns(self, across: u32, stored: Size) -> Self {
        let right = self.right.div_ceil(across).saturating_mul(across).min(stored.width);
        Self { left: self.left / across * across, right, ..self }
    }

    /// Pixels that come out.
    pub(super) fn size(&self) -> Size {
        let along = |from: u32, to: u32| (to - from).div_ceil(self.reduction);
        Size::new(along(self.left, self.right), along(self.top, self.bottom))
    }
}

/// A file for the reader, made of another.
#[derive(Debug)]
pub(super) struct Cut<'a> {
    /// The file.
    pub(super) bytes: Cow<'a, [u8]>,
    /// Rows that its header promises.
    pub(super) height: u32,
    /// True where it promises rows beyond those of the picture.
    pub(super) is_beyond: bool,
}

impl<'a> Cut<'a> {
    /// All of the rows, in a file that is well formed: one without its end gets an end marker.
    pub(super) fn sound(bytes: &'a [u8], structure: &Structure) -> Self {
        let height = structure.frame.size.height;
        if structure.is_complete {
            return Self { bytes: bytes.into(), height, is_beyond: false };
        }
        let mut sound = bytes.get(..structure.sound_end).unwrap_or(bytes).to_vec();
        sound.extend_from_slice(b"\xff\xd9");
        Self { bytes: sound.into(), height, is_beyond: false }
    }

    /// The same with rows left out that `part` does not need, or with `more` rows than there are.
    pub(super) fn for_part(bytes: &'a [u8], structure: &Structure, part: &Part, more: u32) -> Self {
        let mut cut = Self::sound(bytes, structure);
        let stored = structure.frame.size.height;
        // A file without its end is read to that end, so that its damage is known.
        if structure.is_complete && part.bottom < stored {
            // One more row of MCUs, to interpolate colour from.
            cut.promise(structure, (part.bottom + structure.frame.mcu().height).min(stored));
        } else if more > 0 {
            cut.is_beyond = cut.promise(structure, stored.saturating_add(more));
        }
        cut
    }

    /// The first of several scans alone, in a file that promises `more` rows than the picture has.
    pub(super) fn first_scan(bytes: &[u8], structure: &Structure, more: u32) -> Option<Self> {
        let start = bytes.get(..structure.scans.first()?.data.end)?;
        let height = structure.frame.size.height;
        let bytes = [start, b"\xff\xd9"].concat().into();
        let mut cut = Self { bytes, height, is_beyond: false };
        cut.is_beyond = more > 0 && cut.promise(structure, height.saturating_add(more));
        Some(cut)
    }

    /// Writes `height` into the header; false where it does not fit there.
    fn promise(&mut self, structure: &Structure, height: u32) -> bool {
        let at = structure.frame.height_at;
        let Ok(rows) = u16::try_from(height) else { return false };
        let Some(place) = self.bytes.to_mut().get_mut(at..at + 2) else { return false };
        place.copy_from_slice(&rows.to_be_bytes());
        self.height = height;
        true
    }
}
