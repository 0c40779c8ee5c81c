//! Writer of the EXIF block.

use super::{Entry, Exif};
use crate::metadata::{MAX_BLOCK, tags};
use crate::tiff_directory::{ByteOrder, Kind};

impl Exif<'_> {
    /// The block's bytes: the directories with their pointers, entries sorted by tag, no thumbnail. `None` if it would
    /// exceed the maximum block size.
    pub(crate) fn write(&self) -> Option<Vec<u8>> {
        let mut block = match self.order {
            ByteOrder::Little => b"II\x2a\0\x08\0\0\0".to_vec(),
            ByteOrder::Big => b"MM\0\x2a\0\0\0\x08".to_vec(),
        };
        let (primary, exif) = (sorted(&self.primary), sorted(&self.exif));
        let has_exif = !exif.is_empty() || !self.interop.is_empty();
        let mut pointers = Vec::new();
        for (tag, needed) in [(tags::EXIF_DIRECTORY, has_exif), (tags::GPS_DIRECTORY, !self.gps.is_empty())] {
            pointers.extend(needed.then_some(tag));
        }
        let places = self.append(&mut block, &primary, &pointers)?;
        for (pointer, place) in pointers.into_iter().zip(places) {
            let at = if pointer == tags::EXIF_DIRECTORY {
                let interop = if self.interop.is_empty() { &[][..] } else { &[tags::INTEROP_DIRECTORY] };
                let at = next_even(&block);
                for place in self.append(&mut block, &exif, interop)? {
                    let at = next_even(&block);
                    self.append(&mut block, &sorted(&self.interop), &[])?;
                    self.patch(&mut block, place, at)?;
                }
                at
            } else {
                let at = next_even(&block);
                self.append(&mut block, &sorted(&self.gps), &[])?;
                at
            };
            self.patch(&mut block, place, at)?;
        }
        Some(block)
    }

    /// Appends a directory with its values, and placeholders for `pointers`: returns the positions of their values.
    fn append(&self, block: &mut Vec<u8>, entries: &[&Entry<'_>], pointers: &[u16]) -> Option<Vec<usize>> {
        let placeholders: Vec<Entry<'_>> =
            pointers.iter().map(|&tag| Entry::new(tag, Kind::LONG, vec![0; 4])).collect();
        let mut entries: Vec<&Entry<'_>> = entries.iter().copied().chain(&placeholders).collect();
        entries.sort_by_key(|entry| entry.tag);
        let start = next_even(block);
        let mut at = start.checked_add(2)?;
        block.resize(start + 2 + entries.len() * 12 + 4, 0);
        block.get_mut(start..at)?.copy_from_slice(&self.order.bytes_of_u16(u16::try_from(entries.len()).ok()?));
        let mut places = Vec::new();
        for entry in entries {
            if pointers.contains(&entry.tag) {
                places.push(at + 8);
            }
            let count = u32::try_from(entry.value.len() / entry.kind.bytes()?).ok()?;
            let mut row = Vec::with_capacity(12);
            row.extend_from_slice(&self.order.bytes_of_u16(entry.tag));
            row.extend_from_slice(&self.order.bytes_of_u16(entry.kind.0));
            row.extend_from_slice(&self.order.bytes_of_u32(count));
            if entry.value.len() <= 4 {
                row.extend_from_slice(&entry.value);
                row.resize(12, 0);
            } else {
                let value_at = next_even(block);
                row.extend_from_slice(&self.order.bytes_of_u32(u32::try_from(value_at).ok()?));
                block.resize(value_at, 0);
                block.extend_from_slice(&entry.value);
            }
            if block.len() > MAX_BLOCK {
                return None;
            }
            block.get_mut(at..at + 12)?.copy_from_slice(&row);
            at += 12;
        }
        Some(places)
    }

    fn patch(&self, block: &mut [u8], place: usize, offset: usize) -> Option<()> {
        let offset = self.order.bytes_of_u32(u32::try_from(offset).ok()?);
        block.get_mut(place..place + 4)?.copy_from_slice(&offset);
        Some(())
    }
}

/// Entries sorted by tag, the first of each.
fn sorted<'e, 'a>(entries: &'e [Entry<'a>]) -> Vec<&'e Entry<'a>> {
    let mut entries: Vec<_> = entries.iter().collect();
    entries.sort_by_key(|entry| entry.tag);
    entries.dedup_by_key(|entry| entry.tag);
    entries
}

fn next_even(block: &[u8]) -> usize {
    block.len().next_multiple_of(2)
}
