//! The EXIF block, a small TIFF file of tags: read where it lies, and written.
//!
//! Nothing is copied while reading, a block has five directories at most and each is read once, so that a block made to
//! hurt costs no more than an honest one.

mod write;

use std::borrow::Cow;

use super::tags;

/// Entries read of one directory. Cameras write fewer than a hundred.
const MAX_ENTRIES: usize = 1024;

/// The order of the bytes of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    /// `II`: lowest first.
    Little,
    /// `MM`: highest first.
    Big,
}

impl ByteOrder {
    fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        let bytes = bytes.get(at..)?.first_chunk()?;
        Some(if self == Self::Little { u16::from_le_bytes(*bytes) } else { u16::from_be_bytes(*bytes) })
    }

    fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let bytes = bytes.get(at..)?.first_chunk()?;
        Some(if self == Self::Little { u32::from_le_bytes(*bytes) } else { u32::from_be_bytes(*bytes) })
    }

    /// `value` in this order.
    pub(crate) fn bytes_of_u16(self, value: u16) -> [u8; 2] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    /// `value` in this order.
    pub(crate) fn bytes_of_u32(self, value: u32) -> [u8; 4] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
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
    /// Text beyond ASCII, of EXIF 3.
    pub(crate) const UTF8: Self = Self(129);

    /// Bytes of one value; `None` for types that nobody has defined.
    fn bytes(self) -> Option<usize> {
        match self.0 {
            1 | 2 | 6 | 7 | 129 => Some(1),
            3 | 8 => Some(2),
            4 | 9 | 11 | 13 => Some(4),
            5 | 10 | 12 => Some(8),
            _ => None,
        }
    }
}

/// One tag and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    /// The tag's number.
    pub(crate) tag: u16,
    /// The type of its values.
    pub(crate) kind: Kind,
    /// The values, in the byte order of the block.
    pub(crate) value: Cow<'a, [u8]>,
}

impl Entry<'_> {
    /// An entry of values that are already in the block's byte order.
    pub(crate) fn new(tag: u16, kind: Kind, value: Vec<u8>) -> Self {
        Self { tag, kind, value: Cow::Owned(value) }
    }

    /// The first value where the type is SHORT.
    pub(crate) fn short(&self, order: ByteOrder) -> Option<u16> {
        if self.kind == Kind::SHORT { order.u16(&self.value, 0) } else { None }
    }

    /// The first value where the type is LONG, SHORT or a pointer.
    pub(crate) fn long(&self, order: ByteOrder) -> Option<u32> {
        match self.kind {
            Kind::LONG | Kind::DIRECTORY => order.u32(&self.value, 0),
            _ => self.short(order).map(u32::from),
        }
    }
}

/// The tags of a block, by directory. Pointers between directories are left out: the directories are here.
#[derive(Clone, Debug)]
pub(crate) struct Exif<'a> {
    /// The order of the bytes of numbers.
    pub(crate) order: ByteOrder,
    /// The first directory: camera, author, orientation.
    pub(crate) primary: Vec<Entry<'a>>,
    /// The EXIF directory: exposure, lens, dates.
    pub(crate) exif: Vec<Entry<'a>>,
    /// The GPS directory.
    pub(crate) gps: Vec<Entry<'a>>,
    /// The interoperability directory.
    pub(crate) interop: Vec<Entry<'a>>,
    /// The directory of the thumbnail; of the second page in a TIFF file.
    pub(crate) thumbnail: Vec<Entry<'a>>,
    /// Tags whose values lie beyond the block's end or have a type that nobody has defined. For a directory that is cut or
    /// not there, the tag that points to it; for the first one, [`Exif::FIRST`].
    pub(crate) unreadable: Vec<u16>,
}

impl<'a> Exif<'a> {
    /// Stands for the first directory, to which no tag points.
    pub(crate) const FIRST: u16 = u16::MAX;

    /// A block without tags.
    pub(crate) fn empty(order: ByteOrder) -> Self {
        Self {
            order,
            primary: Vec::new(),
            exif: Vec::new(),
            gps: Vec::new(),
            interop: Vec::new(),
            thumbnail: Vec::new(),
            unreadable: Vec::new(),
        }
    }

    /// Reads a block from its TIFF header on. `None` where that is not one or the first directory is beyond the end; other
    /// damage costs only the entries it hits.
    pub(crate) fn parse(block: &'a [u8]) -> Option<Self> {
        let order = byte_order(block)?;
        let mut read = Self::empty(order);
        let first = order.u32(block, 4)?;
        let (primary, next) = directory(block, order, first, Self::FIRST, &mut read.unreadable)?;
        read.primary = primary;
        read.exif = read.take_directory(block, |read| &mut read.primary, tags::EXIF_DIRECTORY);
        read.gps = read.take_directory(block, |read| &mut read.primary, tags::GPS_DIRECTORY);
        read.interop = read.take_directory(block, |read| &mut read.exif, tags::INTEROP_DIRECTORY);
        // A thumbnail that cannot be read is no loss to tell of.
        if let Some((thumbnail, _)) = directory(block, order, next, Self::FIRST, &mut Vec::new()).filter(|_| next != 0)
        {
            read.thumbnail = thumbnail;
        }
        Some(read)
    }

    /// Reads the directory that `pointer` points to and takes the pointer out.
    fn take_directory(
        &mut self,
        block: &'a [u8],
        holder: impl Fn(&mut Self) -> &mut Vec<Entry<'a>>,
        pointer: u16,
    ) -> Vec<Entry<'a>> {
        let order = self.order;
        let offset = holder(self).iter().find(|entry| entry.tag == pointer).map(|entry| entry.long(order));
        holder(self).retain(|entry| entry.tag != pointer);
        let Some(offset) = offset else { return Vec::new() };
        match offset.and_then(|offset| directory(block, order, offset, pointer, &mut self.unreadable)) {
            Some((entries, _)) => entries,
            None => {
                self.unreadable.push(pointer);
                Vec::new()
            }
        }
    }

    /// The first entry of the first directory with this tag.
    pub(crate) fn primary_entry(&self, tag: u16) -> Option<&Entry<'a>> {
        self.primary.iter().find(|entry| entry.tag == tag)
    }

    /// The thumbnail's JPEG file, where there is one and all of it is there.
    pub(crate) fn thumbnail_in(&self, block: &'a [u8]) -> Option<&'a [u8]> {
        let number = |tag| self.thumbnail.iter().find(|entry| entry.tag == tag)?.long(self.order);
        let start = usize::try_from(number(tags::THUMBNAIL_OFFSET)?).ok()?;
        let length = usize::try_from(number(tags::THUMBNAIL_LENGTH)?).ok()?;
        let thumbnail = block.get(start..start.checked_add(length)?)?;
        thumbnail.starts_with(&[0xff, 0xd8]).then_some(thumbnail)
    }
}

/// The byte order of a TIFF header.
pub(super) fn byte_order(block: &[u8]) -> Option<ByteOrder> {
    match block.first_chunk()? {
        b"II\x2a\0" => Some(ByteOrder::Little),
        b"MM\0\x2a" => Some(ByteOrder::Big),
        _ => None,
    }
}

/// True where the first directory is there and has an entry; says nothing of values.
pub(super) fn has_tags(block: &[u8]) -> bool {
    let first_row = || {
        let order = byte_order(block)?;
        let at = usize::try_from(order.u32(block, 4)?).ok()?;
        let has_row = order.u16(block, at)? > 0;
        // The count and one row have 14 bytes.
        block.get(at.checked_add(13)?).map(|_| has_row)
    };
    first_row().unwrap_or(false)
}

/// The entries of the directory at `offset`, and the offset of the next one (0 for none). What cannot be read goes into
/// `unreadable`, rows that are not there as `pointer`.
fn directory<'a>(
    block: &'a [u8],
    order: ByteOrder,
    offset: u32,
    pointer: u16,
    unreadable: &mut Vec<u16>,
) -> Option<(Vec<Entry<'a>>, u32)> {
    let start = usize::try_from(offset).ok()?.checked_add(2)?;
    let count = usize::from(order.u16(block, start - 2)?);
    let mut entries = Vec::new();
    for index in 0..count.min(MAX_ENTRIES) {
        let Some(row) = block.get(start + index * 12..).and_then(<[u8]>::first_chunk::<12>) else {
            unreadable.push(pointer);
            break;
        };
        match read_entry(block, order, row) {
            Some(entry) => entries.push(entry),
            None => unreadable.extend(order.u16(row, 0)),
        }
    }
    if count > MAX_ENTRIES {
        unreadable.push(pointer);
    }
    Some((entries, order.u32(block, start + count * 12).unwrap_or(0)))
}

fn read_entry<'a>(block: &'a [u8], order: ByteOrder, row: &'a [u8; 12]) -> Option<Entry<'a>> {
    let kind = Kind(order.u16(row, 2)?);
    let count = usize::try_from(order.u32(row, 4)?).ok()?;
    let length = count.checked_mul(kind.bytes()?)?;
    let value = if length <= 4 {
        row.get(8..8 + length)?
    } else {
        let start = usize::try_from(order.u32(row, 8)?).ok()?;
        block.get(start..start.checked_add(length)?)?
    };
    Some(Entry { tag: order.u16(row, 0)?, kind, value: Cow::Borrowed(value) })
}
