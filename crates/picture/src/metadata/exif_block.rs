//! Zero-copy reader and writer of the EXIF block, a small TIFF file of tags.
//!
//! A block has at most five directories and each is read once, so that malicious blocks cost no more than valid ones.

mod write;

use std::borrow::Cow;

use super::tags;
use crate::tiff_directory::{ByteOrder, CLASSIC, Field, Kind, Tiff};

/// A tag and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    pub(crate) tag: u16,
    pub(crate) kind: Kind,
    /// The values, in the byte order of the block.
    pub(crate) value: Cow<'a, [u8]>,
}

impl<'a> From<&Field<'a>> for Entry<'a> {
    fn from(field: &Field<'a>) -> Self {
        Self { tag: field.tag, kind: field.kind, value: Cow::Borrowed(field.value) }
    }
}

impl Entry<'_> {
    /// An entry with values that are already in the block's byte order.
    pub(crate) fn new(tag: u16, kind: Kind, value: Vec<u8>) -> Self {
        Self { tag, kind, value: Cow::Owned(value) }
    }

    /// The first value if the type is SHORT.
    pub(crate) fn short(&self, order: ByteOrder) -> Option<u16> {
        self.long(order).filter(|_| self.kind == Kind::SHORT).map(|value| value as u16)
    }

    /// The first value if the type is LONG, SHORT or a pointer.
    pub(crate) fn long(&self, order: ByteOrder) -> Option<u32> {
        order.numbers(self.kind, &self.value).next()
    }
}

/// The tags of a block, by directory, without the pointers between directories.
#[derive(Clone, Debug)]
pub(crate) struct Exif<'a> {
    pub(crate) order: ByteOrder,
    /// The first directory: camera, author, orientation.
    pub(crate) primary: Vec<Entry<'a>>,
    /// The EXIF directory: exposure, lens, dates.
    pub(crate) exif: Vec<Entry<'a>>,
    pub(crate) gps: Vec<Entry<'a>>,
    pub(crate) interop: Vec<Entry<'a>>,
    /// The directory of the thumbnail; of the second page in a TIFF file.
    pub(crate) thumbnail: Vec<Entry<'a>>,
    /// Tags whose values are beyond the block's end or have an undefined type. For a truncated or missing directory,
    /// the tag that points to it; for the first one, [`Exif::FIRST`].
    pub(crate) unreadable: Vec<u16>,
}

impl<'a> Exif<'a> {
    /// Represents the first directory, to which no tag points.
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

    /// Parses a block from its TIFF header on. `None` if that is invalid or the first directory is beyond the end;
    /// other damage affects only the entries concerned.
    pub(crate) fn parse(block: &'a [u8]) -> Option<Self> {
        let tiff = tiff(block)?;
        let mut read = Self::empty(tiff.order);
        let (primary, next) = directory(&tiff, tiff.first()?, Self::FIRST, &mut read.unreadable)?;
        read.primary = primary;
        read.exif = read.take_directory(&tiff, |read| &mut read.primary, tags::EXIF_DIRECTORY);
        read.gps = read.take_directory(&tiff, |read| &mut read.primary, tags::GPS_DIRECTORY);
        read.interop = read.take_directory(&tiff, |read| &mut read.exif, tags::INTEROP_DIRECTORY);
        // An unreadable thumbnail is not reported.
        if let Some((thumbnail, _)) = directory(&tiff, next, Self::FIRST, &mut Vec::new()).filter(|_| next != 0) {
            read.thumbnail = thumbnail;
        }
        Some(read)
    }

    /// Reads the directory that `pointer` points to and removes the pointer.
    fn take_directory(
        &mut self,
        tiff: &Tiff<'a>,
        holder: impl Fn(&mut Self) -> &mut Vec<Entry<'a>>,
        pointer: u16,
    ) -> Vec<Entry<'a>> {
        let order = self.order;
        let offset = holder(self).iter().find(|entry| entry.tag == pointer).map(|entry| entry.long(order));
        holder(self).retain(|entry| entry.tag != pointer);
        let Some(offset) = offset else { return Vec::new() };
        match offset.and_then(|offset| directory(tiff, offset, pointer, &mut self.unreadable)) {
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

    /// The JPEG file of the thumbnail, if it is complete.
    pub(crate) fn thumbnail_in(&self, block: &'a [u8]) -> Option<&'a [u8]> {
        let number = |tag| self.thumbnail.iter().find(|entry| entry.tag == tag)?.long(self.order);
        let start = usize::try_from(number(tags::THUMBNAIL_OFFSET)?).ok()?;
        let length = usize::try_from(number(tags::THUMBNAIL_LENGTH)?).ok()?;
        let thumbnail = block.get(start..start.checked_add(length)?)?;
        thumbnail.starts_with(&[0xff, 0xd8]).then_some(thumbnail)
    }
}

/// The TIFF structure of a block.
fn tiff(block: &[u8]) -> Option<Tiff<'_>> {
    Tiff::new(block).filter(|tiff| tiff.magic == CLASSIC)
}

/// True if `bytes` start with a TIFF header.
pub(super) fn is_block(bytes: &[u8]) -> bool {
    tiff(bytes).is_some()
}

/// True if the first directory has an entry; its values may be invalid.
pub(super) fn has_tags(block: &[u8]) -> bool {
    let first = tiff(block).and_then(|tiff| tiff.directory(tiff.first()?));
    first.is_some_and(|directory| !directory.fields.is_empty())
}

/// The entries of the directory at `offset`, and the offset of the next one (0 for none). Unreadable entries are added
/// to `unreadable`, missing rows as `pointer`.
fn directory<'a>(
    tiff: &Tiff<'a>,
    offset: u32,
    pointer: u16,
    unreadable: &mut Vec<u16>,
) -> Option<(Vec<Entry<'a>>, u32)> {
    let read = tiff.directory(offset)?;
    let (whole, broken): (Vec<&Field<'a>>, Vec<&Field<'a>>) = read.fields.iter().partition(|field| field.is_whole());
    unreadable.extend(broken.iter().map(|field| field.tag));
    unreadable.extend(read.is_cut.then_some(pointer));
    Some((whole.into_iter().map(Entry::from).collect(), read.next))
}
