//! The input of libjpeg-turbo-rs: a well-formed file that declares only the necessary number of lines.
//!
//! The decoder reads the entropy-coded data of every line in the frame header, including lines below a crop.

use std::borrow::Cow;

use crate::marker::EOI;
use crate::region::McuRegion;
use crate::structure::Structure;

/// A file derived from another one.
#[derive(Debug)]
pub(crate) struct Substream<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    /// Number of lines in its frame header.
    pub(crate) height: u32,
    /// True if it declares more lines than the image has.
    pub(crate) has_extra_lines: bool,
}

impl<'a> Substream<'a> {
    /// All lines, in a well-formed file: EOI is appended to a truncated one.
    pub(crate) fn whole(bytes: &'a [u8], structure: &Structure) -> Self {
        let height = structure.frame.height;
        if structure.is_complete {
            return Self { bytes: bytes.into(), height, has_extra_lines: false };
        }
        Self::up_to(bytes.get(..structure.complete_until).unwrap_or(bytes), structure)
    }

    /// `bytes`, the start of a file, followed by EOI.
    pub(crate) fn up_to(bytes: &[u8], structure: &Structure) -> Self {
        let bytes = [bytes, &[0xff, EOI]].concat().into();
        Self { bytes, height: structure.frame.height, has_extra_lines: false }
    }

    /// The file without the lines below `region`, or with `more` lines than the image has.
    pub(crate) fn for_region(bytes: &'a [u8], structure: &Structure, region: &McuRegion, more: u32) -> Self {
        let mut substream = Self::whole(bytes, structure);
        let height = structure.frame.height;
        // A truncated file is read to its end to detect the damage.
        if structure.is_complete && region.bottom < height {
            // One more MCU row for the chroma interpolation.
            substream.set_height(structure, (region.bottom + structure.frame.mcu().1).min(height));
        } else if more > 0 {
            substream.has_extra_lines = substream.set_height(structure, height.saturating_add(more));
        }
        substream
    }

    /// Only the first of several scans, with `more` lines than the image has.
    pub(crate) fn first_scan(bytes: &'a [u8], structure: &Structure, more: u32) -> Option<Self> {
        let mut substream = Self::up_to(bytes.get(..structure.scans.first()?.data.end)?, structure);
        substream.has_extra_lines =
            more > 0 && substream.set_height(structure, structure.frame.height.saturating_add(more));
        Some(substream)
    }

    /// Writes `height` into the frame header; false if it does not fit.
    fn set_height(&mut self, structure: &Structure, height: u32) -> bool {
        let at = structure.frame.height_offset;
        let Ok(lines) = u16::try_from(height) else { return false };
        let Some(place) = self.bytes.to_mut().get_mut(at..at + 2) else { return false };
        place.copy_from_slice(&lines.to_be_bytes());
        self.height = height;
        true
    }
}
