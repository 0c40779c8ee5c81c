//! The EXIF block, a small TIFF file of tags: read where it lies, and written.
//!
//! Nothing is copied while reading, a block has five directories at most and each is read once, so that a block made to
//! hurt costs no more than an honest one.

mod write;

use std::borrow::Cow;

use super::tags;
use crate::tiff_directory::{ByteOrder, CLASSIC, Field, Kind, Tiff};

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

impl<'a> From<&Field<'a>> for Entry<'a> {
    fn from(field: &Field<'a>) -> Self {
        Self { tag: field.tag, kind: field.kind, value: Cow::Borrowed(field.value) }
    }
}

impl Entry<'_> {
    /// An entry of values that are already in the block's byte order.
    pub(crate) fn new(tag: u16, kind: Kind, value: Vec<u8>) -> Self {
        Self { tag, kind, value: Cow::Owned(value) }
    }

    /// The first value where the type is SHORT.
    pub(crate) fn short(&self, order: ByteOrder) -> Option<u16> {
        self.long(order).filter(|_| self.kind == Kind::SHORT).map(|value| value as u16)
    }

    /// The first value where the type is LONG, SHORT or a pointer.
    pub(crate) fn long(&self, order: ByteOrder) -> Option<u32> {
        order.numbers(self.kind, &self.value).next()
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
        let tiff = tiff(block)?;
        let mut read = Self::empty(tiff.order);
        let (primary, next) = directory(&tiff, tiff.first()?, Self::FIRST, &mut read.unreadable)?;
        read.primary = primary;
        read.exif = read.take_directory(&tiff, |read| &mut read.primary, tags::EXIF_DIRECTORY);
        read.gps = read.take_directory(&tiff, |read| &mut read.primary, tags::GPS_DIRECTORY);
        read.interop = read.take_directory(&tiff, |read| &mut read.exif, tags::INTEROP_DIRECTORY);
        // A thumbnail that cannot be read is no loss to tell of.
        if let Some((thumbnail, _)) = directory(&tiff, next, Self::FIRST, &mut Vec::new()).filter(|_| next != 0) {
            read.thumbnail = thumbnail;
        }
        Some(read)
    }

    /// Reads the directory that `pointer` points to and takes the pointer out.
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

    /// The thumbnail's JPEG file, where there is one and all of it is there.
    pub(crate) fn thumbnail_in(&self, block: &'a [u8]) -> Option<&'a [u8]> {
        let number = |tag| self.thumbnail.iter().find(|entry| entry.tag == tag)?.long(self.order);
        let start = usize::try_from(number(tags::THUMBNAIL_OFFSET)?).ok()?;
        let length = usize::try_from(number(tags::THUMBNAIL_LENGTH)?).ok()?;
        let thumbnail = block.get(start..start.checked_add(length)?)?;
        thumbnail.starts_with(&[0xff, 0xd8]).then_some(thumbnail)
    }
}

/// A block from its TIFF header on.
fn tiff(block: &[u8]) -> Option<Tiff<'_>> {
    Tiff::new(block).filter(|tiff| tiff.magic == CLASSIC)
}

/// True for what starts with a TIFF header.
pub(super) fn is_block(bytes: &[u8]) -> bool {
    tiff(bytes).is_some()
}

/// True where the first directory is there and has an entry; says nothing of values.
pub(super) fn has_tags(block: &[u8]) -> bool {
    let first = tiff(block).and_then(|tiff| tiff.directory(tiff.first()?));
    first.is_some_and(|directory| !directory.fields.is_empty())
}

/// The entries of the directory at `offset`, and the offset of the next one (0 for none). What cannot be read goes into
/// `unreadable`, rows that are not there as `pointer`.
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
