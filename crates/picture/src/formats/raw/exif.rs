//! An EXIF block from the directories of a raw file, without sensor data and maker notes.

use super::{Container, directories};
use crate::exif_block::{Entry, Exif};
use crate::iso_boxes::{boxes, find};
use crate::tags;
use crate::tiff_directory::{ByteOrder, Field, Tiff};

/// Tags of the first directory that describe the photo: description, make, model, orientation, software, date, artist,
/// copyright.
const COPIED_TAGS: [u16; 8] = [0x010e, 0x010f, 0x0110, tags::ORIENTATION, 0x0131, 0x0132, 0x013b, 0x8298];

/// Maker notes, and the interoperability directory.
const EXCLUDED_TAGS: [u16; 2] = [tags::MAKER_NOTE, tags::INTEROP_DIRECTORY];

/// Maximum bytes of a copied value.
const MAX_VALUE: usize = 4096;

/// Directories of a raw file.
pub(super) struct Source<'a> {
    order: ByteOrder,
    first: Vec<Field<'a>>,
    exif: Vec<Field<'a>>,
    gps: Vec<Field<'a>>,
    orientation: Option<u16>,
}

/// The orientation in a file's first directory.
pub(super) fn orientation(tiff: &Tiff<'_>) -> Option<u16> {
    let value = directories::number(tiff, &directories::first(tiff), tags::ORIENTATION)?;
    u16::try_from(value).ok().filter(|value| (1..=8).contains(value))
}

impl<'a> Source<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        match Container::of(bytes) {
            Some(Container::Tiff(tiff)) => Self {
                order: tiff.order,
                first: directories::first(&tiff),
                exif: directories::subdirectory_of_first(&tiff, tags::EXIF_DIRECTORY),
                gps: directories::subdirectory_of_first(&tiff, tags::GPS_DIRECTORY),
                orientation: orientation(&tiff),
            },
            Some(Container::Canon3) => Self::of_canon3(bytes),
            // Fuji's previews contain all of it.
            Some(Container::Fuji) | None => Self::empty(),
        }
    }

    fn empty() -> Self {
        let (first, exif, gps) = (Vec::new(), Vec::new(), Vec::new());
        Self { order: ByteOrder::Little, first, exif, gps, orientation: None }
    }

    /// Canon stores each directory as a separate TIFF.
    fn of_canon3(bytes: &'a [u8]) -> Self {
        let moov = find(bytes, b"moov").map_or(&[][..], |moov| moov.content);
        let own = find(moov, b"uuid").and_then(|uuid| uuid.content.get(16..)).unwrap_or_default();
        let tiff = |kind: &[u8; 4]| {
            let found = boxes(own).find(|found| found.kind == *kind)?;
            Tiff::new(found.content).filter(directories::is_known)
        };
        let Some(first) = tiff(b"CMT1") else { return Self::empty() };
        let below = |kind| {
            let tiff = tiff(kind).filter(|tiff| tiff.order == first.order);
            tiff.map_or_else(Vec::new, |tiff| directories::first(&tiff))
        };
        Self {
            order: first.order,
            first: directories::first(&first),
            exif: below(b"CMT2"),
            gps: below(b"CMT4"),
            orientation: orientation(&first),
        }
    }

    pub(super) fn orientation(&self) -> Option<u16> {
        self.orientation
    }

    pub(super) fn xmp(&self) -> Option<Vec<u8>> {
        let packet = self.first.iter().find(|field| field.tag == tags::XMP)?;
        Some(packet.value.to_vec())
    }

    /// The EXIF block; `None` if there are no tags.
    pub(super) fn exif(&self) -> Option<Vec<u8>> {
        let kept = |fields: &[Field<'a>], is_kept: fn(u16) -> bool| -> Vec<Entry<'a>> {
            let kept = fields.iter().filter(|field| is_kept(field.tag) && is_copied(field));
            kept.map(Entry::from).collect()
        };
        let below = |tag| !EXCLUDED_TAGS.contains(&tag);
        let block = Exif {
            primary: kept(&self.first, |tag| COPIED_TAGS.contains(&tag)),
            exif: kept(&self.exif, below),
            gps: kept(&self.gps, below),
            ..Exif::empty(self.order)
        };
        let is_empty = block.primary.is_empty() && block.exif.is_empty() && block.gps.is_empty();
        block.write().filter(|_| !is_empty)
    }
}

/// True if all values of a field are present and within the maximum size.
fn is_copied(field: &Field<'_>) -> bool {
    field.is_whole() && !field.value.is_empty() && field.value.len() <= MAX_VALUE
}
