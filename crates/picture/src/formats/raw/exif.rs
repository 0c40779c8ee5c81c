//! An EXIF block made of what a raw file says of itself, without the sensor's data and the maker's notes.

use super::Container;
use super::tiff::{EXIF_DIRECTORY, Entry, GPS_DIRECTORY, Tiff};
use crate::formats::isobmff::{boxes, find};

const ORIENTATION: u16 = 0x0112;
const XMP: u16 = 0x02bc;

/// Tags of the first directory that say something of the photo: description, make, model, orientation, software, date,
/// artist, copyright.
const KEPT: [u16; 8] = [0x010e, 0x010f, 0x0110, ORIENTATION, 0x0131, 0x0132, 0x013b, 0x8298];

/// Maker's notes, and the directory of how readers get along.
const LEFT_OUT: [u16; 2] = [0x927c, 0xa005];

/// Most bytes of a value that is kept.
const MAX_VALUE: usize = 4096;

/// Directories of a raw file.
#[derive(Default)]
pub(super) struct Source<'a> {
    is_big_endian: bool,
    first: Vec<Entry<'a>>,
    exif: Vec<Entry<'a>>,
    gps: Vec<Entry<'a>>,
    orientation: Option<u16>,
}

/// The orientation that a file's first directory has.
pub(super) fn orientation(tiff: &Tiff<'_>) -> Option<u16> {
    let first = tiff.first();
    let value = first.iter().find(|entry| entry.tag == ORIENTATION).and_then(|entry| tiff.number(entry))?;
    u16::try_from(value).ok().filter(|value| (1..=8).contains(value))
}

impl<'a> Source<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        match Container::of(bytes) {
            Some(Container::Tiff(tiff)) => Self {
                is_big_endian: tiff.is_big_endian(),
                first: tiff.first(),
                exif: tiff.below_first(EXIF_DIRECTORY),
                gps: tiff.below_first(GPS_DIRECTORY),
                orientation: orientation(&tiff),
            },
            Some(Container::Canon3) => Self::of_canon3(bytes),
            // Fuji's previews have it all.
            Some(Container::Fuji) | None => Self::default(),
        }
    }

    /// Canon keeps each directory as a TIFF of its own.
    fn of_canon3(bytes: &'a [u8]) -> Self {
        let moov = find(bytes, b"moov").map_or(&[][..], |moov| moov.content);
        let own = find(moov, b"uuid").and_then(|uuid| uuid.content.get(16..)).unwrap_or_default();
        let tiff =
            |kind: &[u8; 4]| boxes(own).find(|found| found.kind == *kind).and_then(|found| Tiff::new(found.content));
        let Some(first) = tiff(b"CMT1") else { return Self::default() };
        let below = |kind| {
            let tiff = tiff(kind).filter(|tiff| tiff.is_big_endian() == first.is_big_endian());
            tiff.map_or_else(Vec::new, |tiff| tiff.first())
        };
        Self {
            is_big_endian: first.is_big_endian(),
            first: first.first(),
            exif: below(b"CMT2"),
            gps: below(b"CMT4"),
            orientation: orientation(&first),
        }
    }

    pub(super) fn orientation(&self) -> Option<u16> {
        self.orientation
    }

    pub(super) fn xmp(&self) -> Option<Vec<u8>> {
        let packet = self.first.iter().find(|entry| entry.tag == XMP)?;
        Some(packet.value.to_vec())
    }

    /// The EXIF block; `None` where nothing is said.
    pub(super) fn exif(&self) -> Option<Vec<u8>> {
        let first: Vec<_> = self.first.iter().filter(|entry| KEPT.contains(&entry.tag) && is_whole(entry)).collect();
        let below = |entries: &'_ [Entry<'a>]| -> Vec<Entry<'a>> {
            entries.iter().filter(|entry| !LEFT_OUT.contains(&entry.tag) && is_whole(entry)).copied().collect()
        };
        let (exif, gps) = (below(&self.exif), below(&self.gps));
        if first.is_empty() && exif.is_empty() && gps.is_empty() {
            return None;
        }
        let mut block = Block::new(self.is_big_endian);
        let pointers = [(EXIF_DIRECTORY, &exif), (GPS_DIRECTORY, &gps)];
        let pointers: Vec<_> = pointers.into_iter().filter(|(_, entries)| !entries.is_empty()).collect();
        let mut open = block.directory(&first, pointers.iter().map(|(tag, _)| *tag));
        for (_, entries) in &pointers {
            let here = block.bytes.len() as u32;
            if let Some(at) = open.next() {
                block.set_u32(at, here);
            }
            block.directory(&entries.iter().collect::<Vec<_>>(), std::iter::empty());
        }
        Some(block.bytes)
    }
}

/// True where all of an entry's values are there, and are not many.
fn is_whole(entry: &&Entry<'_>) -> bool {
    let size = match entry.kind {
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 => 8,
        _ => 1,
    };
    !entry.value.is_empty() && entry.value.len() <= MAX_VALUE && entry.value.len() == entry.count as usize * size
}

/// A TIFF being written, in the byte order of the values that are copied.
struct Block {
    bytes: Vec<u8>,
    is_big_endian: bool,
}

impl Block {
    fn new(is_big_endian: bool) -> Self {
        let head: &[u8] = if is_big_endian { b"MM\0*\0\0\0\x08" } else { b"II*\0\x08\0\0\0" };
        Self { bytes: head.to_vec(), is_big_endian }
    }

    /// Adds a directory, with places for what `pointers` will point at; these places come back.
    fn directory(&mut self, entries: &[&Entry<'_>], pointers: impl Iterator<Item = u16>) -> std::vec::IntoIter<usize> {
        let mut fields: Vec<(u16, Option<&Entry<'_>>)> =
            entries.iter().map(|entry| (entry.tag, Some(*entry))).collect();
        fields.extend(pointers.map(|tag| (tag, None)));
        fields.sort_by_key(|(tag, _)| *tag);
        fields.dedup_by_key(|(tag, _)| *tag);
        let mut places = Vec::new();
        let mut data_at = self.bytes.len() + 2 + 12 * fields.len() + 4;
        let mut data = Vec::new();
        self.put_u16(fields.len() as u16);
        for (tag, entry) in fields {
            self.put_u16(tag);
            let Some(entry) = entry else {
                self.put_u16(4);
                self.put_u32(1);
                places.push(self.bytes.len());
                self.put_u32(0);
                continue;
            };
            self.put_u16(entry.kind);
            self.put_u32(entry.count);
            if entry.value.len() <= 4 {
                let mut value = [0; 4];
                value[..entry.value.len()].copy_from_slice(entry.value);
                self.bytes.extend(value);
                continue;
            }
            self.put_u32(data_at as u32);
            data.extend_from_slice(entry.value);
            data_at += entry.value.len();
            if entry.value.len() % 2 == 1 {
                data.push(0); // Values start at even places.
                data_at += 1;
            }
        }
        self.put_u32(0);
        self.bytes.extend(data);
        places.into_iter()
    }

    fn put_u16(&mut self, value: u16) {
        self.bytes.extend(if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    fn put_u32(&mut self, value: u32) {
        self.bytes.extend(self.u32(value));
    }

    fn set_u32(&mut self, at: usize, value: u32) {
        let value = self.u32(value);
        self.bytes[at..at + 4].copy_from_slice(&value);
    }

    fn u32(&self, value: u32) -> [u8; 4] {
        if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }
}
