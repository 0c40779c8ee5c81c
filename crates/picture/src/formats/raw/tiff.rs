//! Directories of TIFF and of its variants in raw files.

/// TIFF's own magic number. Olympus writes "RO" or "RS" in its place, Panasonic "U".
pub(super) const PLAIN: u16 = 42;
const VARIANTS: [u16; 3] = [0x4f52, 0x5352, 0x0055];

/// Most directories of a file, and most entries of a directory, that are looked at.
const MAX_DIRECTORIES: usize = 64;
const MAX_ENTRIES: usize = 1024;

pub(super) const SUB_DIRECTORIES: u16 = 0x014a;
pub(super) const EXIF_DIRECTORY: u16 = 0x8769;
pub(super) const GPS_DIRECTORY: u16 = 0x8825;

/// A file with directories.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiff<'a> {
    bytes: &'a [u8],
    is_big_endian: bool,
}

/// One entry of a directory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub(super) tag: u16,
    pub(super) kind: u16,
    pub(super) count: u32,
    /// The bytes of its values.
    pub(super) value: &'a [u8],
    /// Where they are in the file.
    pub(super) at: usize,
}

impl<'a> Tiff<'a> {
    /// Takes a file that starts with the header of TIFF or of a variant of it.
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
        let is_big_endian = match bytes.get(..2)? {
            b"II" => false,
            b"MM" => true,
            _ => return None,
        };
        let tiff = Self { bytes, is_big_endian };
        let magic = tiff.u16_at(2)?;
        (magic == PLAIN || VARIANTS.contains(&magic)).then_some(tiff)
    }

    pub(super) fn is_big_endian(&self) -> bool {
        self.is_big_endian
    }

    pub(super) fn magic(&self) -> u16 {
        self.u16_at(2).unwrap_or(PLAIN)
    }

    /// The first directory.
    pub(super) fn first(&self) -> Vec<Entry<'a>> {
        let start = self.u32_at(4).map_or(0, |start| start as usize);
        self.directory(start).map_or_else(Vec::new, |(entries, _)| entries)
    }

    /// The directory that an entry of the first points at.
    pub(super) fn below_first(&self, tag: u16) -> Vec<Entry<'a>> {
        let start = self.first().iter().find(|entry| entry.tag == tag).and_then(|entry| self.number(entry));
        start.and_then(|start| self.directory(start as usize)).map_or_else(Vec::new, |(entries, _)| entries)
    }

    /// All directories that can be reached, each once.
    pub(super) fn directories(&self) -> Vec<Vec<Entry<'a>>> {
        let mut waiting: Vec<usize> = self.u32_at(4).map(|start| start as usize).into_iter().collect();
        let mut seen = Vec::new();
        let mut directories = Vec::new();
        while let Some(start) = waiting.pop() {
            if start == 0 || seen.contains(&start) || seen.len() >= MAX_DIRECTORIES {
                continue;
            }
            seen.push(start);
            let Some((entries, next)) = self.directory(start) else { continue };
            waiting.extend(next);
            for entry in &entries {
                if matches!(entry.tag, SUB_DIRECTORIES | EXIF_DIRECTORY) {
                    waiting.extend(self.numbers(entry).take(MAX_DIRECTORIES).map(|start| start as usize));
                }
            }
            directories.push(entries);
        }
        directories
    }

    /// The first value of an entry, where it is a whole number.
    pub(super) fn number(&self, entry: &Entry<'a>) -> Option<u32> {
        self.numbers(entry).next()
    }

    /// The values of an entry, where they are whole numbers of two or four bytes.
    pub(super) fn numbers(&self, entry: &Entry<'a>) -> impl Iterator<Item = u32> + 'a {
        let (value, is_big_endian) = (entry.value, self.is_big_endian);
        let size = match entry.kind {
            3 => 2,
            4 | 13 => 4,
            _ => usize::MAX, // Not a whole number.
        };
        value.chunks_exact(size).map(move |bytes| {
            let add = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
            if is_big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
        })
    }

    /// True where a directory says that the file is a raw one.
    pub(super) fn says_raw(&self) -> bool {
        const PHOTOMETRIC: u16 = 0x0106;
        const COMPRESSION: u16 = 0x0103;
        const DNG_VERSION: u16 = 0xc612;
        const DNG_PRIVATE: u16 = 0xc634;
        const MOSAIC_PATTERN: u16 = 0x828e;
        self.directories().iter().flatten().any(|entry| match entry.tag {
            DNG_VERSION | DNG_PRIVATE | MOSAIC_PATTERN => true,
            PHOTOMETRIC => self.number(entry).is_some_and(is_of_a_sensor),
            // Of Sony, Samsung (two), Nikon, Pentax.
            COMPRESSION => matches!(self.number(entry), Some(32_767 | 32_769 | 32_770 | 34_713 | 65_535)),
            _ => false,
        })
    }

    /// The entries of the directory at `start`, and where the next one is.
    fn directory(&self, start: usize) -> Option<(Vec<Entry<'a>>, Option<usize>)> {
        let count = usize::from(self.u16_at(start)?);
        let mut entries = Vec::with_capacity(count.min(MAX_ENTRIES));
        for index in 0..count.min(MAX_ENTRIES) {
            let at = start.checked_add(2 + 12 * index)?;
            let (Some(tag), Some(kind), Some(count)) = (self.u16_at(at), self.u16_at(at + 2), self.u32_at(at + 4))
            else {
                return Some((entries, None));
            };
            let size = match kind {
                1 | 2 | 6 | 7 => 1,
                3 | 8 => 2,
                4 | 9 | 11 | 13 => 4,
                5 | 10 | 12 => 8,
                _ => continue,
            };
            let Some(length) = (count as usize).checked_mul(size) else { continue };
            let place = if length <= 4 { Some(at + 8) } else { self.u32_at(at + 8).map(|place| place as usize) };
            let Some(at) = place else { continue };
            // Of what reaches beyond the end, what is there.
            let value = self.bytes.get(at..).map_or(&[][..], |rest| &rest[..length.min(rest.len())]);
            entries.push(Entry { tag, kind, count, value, at });
        }
        let next = self.u32_at(start.checked_add(2 + 12 * count)?).map(|next| next as usize);
        Some((entries, next))
    }

    fn u16_at(&self, at: usize) -> Option<u16> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.is_big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    fn u32_at(&self, at: usize) -> Option<u32> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }
}

/// True for photometric interpretations that are a sensor's mosaic or linear raw.
pub(super) fn is_of_a_sensor(photometric: u32) -> bool {
    matches!(photometric, 32_803 | 34_892)
}
