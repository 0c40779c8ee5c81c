//! A zero-copy reader of TIFF directories (TIFF 6.0, section 2), in EXIF blocks and raw files too.
//!
//! Every directory ends after a fixed number of entries, so that malicious files cost no more than valid ones. For
//! BigTIFF, only the position of a value is supported.

/// The magic number of TIFF.
pub(crate) const CLASSIC: u16 = 42;
/// The magic number of BigTIFF.
const BIG: u16 = 43;

/// Maximum number of entries per directory. Cameras write fewer than a hundred.
const MAX_ENTRIES: usize = 1024;

/// Byte order of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    /// `II`: little-endian.
    Little,
    /// `MM`: big-endian.
    Big,
}

impl ByteOrder {
    /// `value` in this byte order.
    pub(crate) fn bytes_of_u16(self, value: u16) -> [u8; 2] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    /// `value` in this byte order.
    pub(crate) fn bytes_of_u32(self, value: u32) -> [u8; 4] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    /// The values of an entry in this byte order, if they are integers of two or four bytes.
    pub(crate) fn numbers(self, kind: Kind, value: &[u8]) -> impl Iterator<Item = u32> + '_ {
        let size = match kind {
            Kind::SHORT => 2,
            Kind::LONG | Kind::DIRECTORY => 4,
            _ => usize::MAX, // Not an integer.
        };
        value.chunks_exact(size).map(move |bytes| {
            let add = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
            if self == Self::Big { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
        })
    }

    fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(if self == Self::Little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    }

    fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(if self == Self::Little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }
}

/// The type of an entry's values, by TIFF's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind(pub(crate) u16);

impl Kind {
    #[cfg(test)]
    pub(crate) const BYTE: Self = Self(1);
    pub(crate) const ASCII: Self = Self(2);
    pub(crate) const SHORT: Self = Self(3);
    pub(crate) const LONG: Self = Self(4);
    pub(crate) const RATIONAL: Self = Self(5);
    pub(crate) const UNDEFINED: Self = Self(7);
    pub(crate) const DIRECTORY: Self = Self(13);
    /// UTF-8 text of EXIF 3.
    pub(crate) const UTF8: Self = Self(129);

    /// Bytes per value; `None` for undefined types.
    pub(crate) fn bytes(self) -> Option<usize> {
        match self.0 {
            1 | 2 | 6 | 7 | 129 => Some(1),
            3 | 8 => Some(2),
            4 | 9 | 11 | 13 => Some(4),
            5 | 10 | 12 => Some(8),
            _ => None,
        }
    }
}

/// One entry of a directory, as stored in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) tag: u16,
    pub(crate) kind: Kind,
    /// The declared number of values.
    pub(crate) count: u32,
    /// The bytes of its values in the file's byte order: fewer than declared if the file ends before, none if their
    /// type is undefined.
    pub(crate) value: &'a [u8],
}

impl Field<'_> {
    /// True if all its values are present.
    pub(crate) fn is_whole(&self) -> bool {
        let size = self.kind.bytes().map(|size| size as u64 * u64::from(self.count));
        size == Some(self.value.len() as u64)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Directory<'a> {
    /// Its entries, in file order.
    pub(crate) fields: Vec<Field<'a>>,
    /// Offset of the next directory; 0 if there is none.
    pub(crate) next: u32,
    /// True if it declares more entries than were read.
    pub(crate) is_cut: bool,
}

/// A file with directories.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiff<'a> {
    bytes: &'a [u8],
    /// The byte order of its numbers.
    pub(crate) order: ByteOrder,
    /// The number after the byte order: [`CLASSIC`], or that of a variant.
    pub(crate) magic: u16,
}

impl<'a> Tiff<'a> {
    /// Accepts anything that starts with a byte order mark and any magic number.
    pub(crate) fn new(bytes: &'a [u8]) -> Option<Self> {
        let order = match bytes.get(..2)? {
            b"II" => ByteOrder::Little,
            b"MM" => ByteOrder::Big,
            _ => return None,
        };
        Some(Self { bytes, order, magic: order.u16(bytes, 2)? })
    }

    /// Offset of the first directory.
    pub(crate) fn first(&self) -> Option<u32> {
        self.order.u32(self.bytes, 4)
    }

    /// The directory at `start`. `None` if not even its count is present; other damage affects only the entries
    /// concerned.
    pub(crate) fn directory(&self, start: u32) -> Option<Directory<'a>> {
        let start = usize::try_from(start).ok()?;
        let count = usize::from(self.order.u16(self.bytes, start)?);
        let start = start.checked_add(2)?;
        let rows = self.bytes.get(start..).unwrap_or_default().chunks_exact(12).take(count.min(MAX_ENTRIES));
        let fields: Vec<_> = rows.filter_map(|row| self.field(row)).collect();
        let next = start.checked_add(count * 12).and_then(|at| self.order.u32(self.bytes, at)).unwrap_or(0);
        Some(Directory { is_cut: fields.len() < count, fields, next })
    }

    fn field(&self, row: &'a [u8]) -> Option<Field<'a>> {
        let order = self.order;
        let (tag, kind, count) = (order.u16(row, 0)?, Kind(order.u16(row, 2)?), order.u32(row, 4)?);
        let length = kind.bytes().map_or(0, |size| usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(size));
        let value = if length <= 4 {
            row.get(8..8 + length)?
        } else {
            let rest = self.bytes.get(order.u32(row, 8)? as usize..).unwrap_or_default();
            &rest[..length.min(rest.len())]
        };
        Some(Field { tag, kind, count, value })
    }

    /// The offset of the value, or of the pointer to the values, of the entry with `tag` in the directory at
    /// `directory`. Supports BigTIFF too.
    pub(crate) fn place_of_value(&self, directory: u64, tag: u16) -> Option<usize> {
        let is_big = self.magic == BIG;
        let directory = usize::try_from(directory).ok()?;
        // The count of entries fits 16 bits in all valid files.
        let count_place = if is_big && self.order == ByteOrder::Big { directory.checked_add(6)? } else { directory };
        let (head, length, value) = if is_big { (8, 20, 12) } else { (2, 12, 8) };
        (0..usize::from(self.order.u16(self.bytes, count_place)?))
            .map(|index| directory + head + index * length)
            .find(|at| self.order.u16(self.bytes, *at) == Some(tag))
            .map(|at| at + value)
    }

    /// The offset of the header's pointer to the first directory, and the bytes of a pointer to `directory`. Supports
    /// BigTIFF too.
    pub(crate) fn pointer_to(&self, directory: u64) -> (usize, Vec<u8>) {
        let (place, length) = if self.magic == BIG { (8, 8) } else { (4, 4) };
        let bytes = match self.order {
            ByteOrder::Big => directory.to_be_bytes()[8 - length..].to_vec(),
            ByteOrder::Little => directory.to_le_bytes()[..length].to_vec(),
        };
        (place, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A little-endian file with one directory of these rows, which declares `count` of them.
    fn file(count: u16, rows: &[[u8; 12]]) -> Vec<u8> {
        [&b"II*\0\x08\0\0\0"[..], &count.to_le_bytes(), &rows.concat(), b"\x99\0\0\0"].concat()
    }

    #[test]
    fn truncated_values_are_detected() {
        let rows = [
            *b"\x12\x01\x03\0\x01\0\0\0\x06\0\0\0",       // One SHORT in the row.
            *b"\x0f\x01\x02\0\xff\0\0\0\x08\0\0\0",       // 255 letters from byte 8 on.
            *b"\x10\x01\x04\0\xff\xff\xff\xff\0\0\0\x7f", // Far beyond the end.
            *b"\x11\x01\x63\0\x01\0\0\0\x06\0\0\0",       // An undefined type.
        ];
        let bytes = file(4, &rows);
        let tiff = Tiff::new(&bytes).expect("a header");
        let read = tiff.directory(tiff.first().expect("a pointer")).expect("a directory");
        assert_eq!((read.fields.len(), read.next, read.is_cut), (4, 0x99, false));
        assert_eq!(read.fields.iter().map(Field::is_whole).collect::<Vec<_>>(), [true, false, false, false]);
        assert_eq!(read.fields.iter().map(|field| field.value.len()).collect::<Vec<_>>(), [2, bytes.len() - 8, 0, 0]);
        let first = &read.fields[0];
        assert_eq!(tiff.order.numbers(first.kind, first.value).collect::<Vec<_>>(), [6]);
        assert_eq!(tiff.place_of_value(8, 0x0110), Some(10 + 2 * 12 + 8));
    }

    #[test]
    fn missing_rows_are_detected() {
        let bytes = file(3, &[[0; 12]]);
        let tiff = Tiff::new(&bytes).expect("a header");
        let read = tiff.directory(8).expect("a directory");
        assert_eq!((read.fields.len(), read.next, read.is_cut), (1, 0, true));
        assert!(tiff.directory(bytes.len() as u32).is_none() && tiff.directory(u32::MAX).is_none());
        let many = [&b"MM\0*\0\0\0\x08\x04\x01"[..], &[0; 12 * 1025 + 4]].concat();
        let read = Tiff::new(&many).and_then(|tiff| tiff.directory(8)).expect("a directory");
        assert_eq!((read.fields.len(), read.is_cut), (1024, true));
    }
}
