//! What libjpeg-turbo-rs is given of a file: well formed, and with a number of lines that makes it decode no more than is needed.
//!
//! It decodes the entropy-coded data of every line that the frame header promises, also of lines below a crop.

use std::borrow::Cow;

use crate::marker::EOI;
use crate::region::McuRegion;
use crate::structure::Structure;

/// A file made of another.
#[derive(Debug)]
pub(crate) struct Substream<'a> {
    /// The file.
    pub(crate) bytes: Cow<'a, [u8]>,
    /// Lines that its frame header promises.
    pub(crate) height: u32,
    /// True if it promises lines beyond those of the picture.
    pub(crate) is_beyond: bool,
}

impl<'a> Substream<'a> {
    /// All of the lines, in a file that is well formed: one without its end gets EOI.
    pub(crate) fn whole(bytes: &'a [u8], structure: &Structure) -> Self {
        let height = structure.frame.height;
        if structure.is_complete {
            return Self { bytes: bytes.into(), height, is_beyond: false };
        }
        Self::up_to(bytes.get(..structure.whole_until).unwrap_or(bytes), structure)
    }

    /// `bytes`, which start a file, with EOI behind them.
    pub(crate) fn up_to(bytes: &[u8], structure: &Structure) -> Self {
        let bytes = [bytes, &[0xff, EOI]].concat().into();
        Self { bytes, height: structure.frame.height, is_beyond: false }
    }

    /// The file with lines left out that `region` does not need, or with `more` lines than there are.
    pub(crate) fn for_region(bytes: &'a [u8], structure: &Structure, region: &McuRegion, more: u32) -> Self {
        let mut substream = Self::whole(bytes, structure);
        let height = structure.frame.height;
        // A file without its end is read to that end, so that its damage is known.
        if structure.is_complete && region.bottom < height {
            // One more row of MCUs, to interpolate chroma from.
            substream.promise(structure, (region.bottom + structure.frame.mcu().1).min(height));
        } else if more > 0 {
            substream.is_beyond = substream.promise(structure, height.saturating_add(more));
        }
        substream
    }

    /// The first of several scans alone, with `more` lines than the picture has.
    pub(crate) fn first_scan(bytes: &'a [u8], structure: &Structure, more: u32) -> Option<Self> {
        let mut substream = Self::up_to(bytes.get(..structure.scans.first()?.data.end)?, structure);
        substream.is_beyond = more > 0 && substream.promise(structure, structure.frame.height.saturating_add(more));
        Some(substream)
    }

    /// Writes `height` into the frame header; false if it does not fit there.
    fn promise(&mut self, structure: &Structure, height: u32) -> bool {
        let at = structure.frame.height_offset;
        let Ok(lines) = u16::try_from(height) else { return false };
        let Some(place) = self.bytes.to_mut().get_mut(at..at + 2) else { return false };
        place.copy_from_slice(&lines.to_be_bytes());
        self.height = height;
        true
    }
}
