//! Search for the largest JPEG inside a raw file.

use super::jpeg::Head;
use super::{Container, directories, exif};
use crate::deadline;
use crate::iso_boxes::{Reader, boxes, find};
use crate::tiff_directory::{CLASSIC, Field, Tiff};

/// Previews with fewer pixels do not end the search.
const SUFFICIENT_PIXELS: u64 = 1_000_000;

/// A JPEG inside a raw file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preview<'a> {
    /// Starts with its SOI marker; bytes may follow its end.
    pub(super) bytes: &'a [u8],
    pub(super) exif: Option<&'a [u8]>,
    pub(super) xmp: Option<&'a [u8]>,
    pixels: u64,
}

impl<'a> Preview<'a> {
    /// Its own EXIF orientation.
    pub(super) fn orientation(&self) -> Option<u16> {
        exif::orientation(&Tiff::new(self.exif?).filter(directories::is_known)?)
    }

    fn read(bytes: &'a [u8]) -> Option<Self> {
        let head = Head::read(bytes)?;
        Some(Self { bytes, exif: head.exif, xmp: head.xmp, pixels: head.size.pixels() })
    }
}

/// The JPEG with the most pixels.
pub(super) fn largest(bytes: &[u8]) -> Option<Preview<'_>> {
    let parts = match Container::of(bytes)? {
        Container::Fuji => of_fuji(bytes).into_iter().collect(),
        Container::Canon3 => of_canon3(bytes),
        Container::Tiff(tiff) => {
            directories::all(&tiff).iter().filter_map(|fields| of_directory(bytes, &tiff, fields)).collect()
        }
    };
    let named = best(parts.into_iter().filter_map(Preview::read));
    if named.is_some_and(|preview| preview.pixels >= SUFFICIENT_PIXELS) {
        return named;
    }
    // Some makers reference the large preview only in maker notes.
    best(named.into_iter().chain(scan_all(bytes)))
}

fn best<'a>(previews: impl Iterator<Item = Preview<'a>>) -> Option<Preview<'a>> {
    previews.reduce(|best, preview| if preview.pixels > best.pixels { preview } else { best })
}

/// The JPEG that a TIFF directory references.
fn of_directory<'a>(bytes: &'a [u8], tiff: &Tiff<'a>, fields: &[Field<'a>]) -> Option<&'a [u8]> {
    const PANASONIC_JPEG: u16 = 0x002e;
    const PHOTOMETRIC: u16 = 0x0106;
    const STRIP_OFFSETS: u16 = 0x0111;
    const STRIP_LENGTHS: u16 = 0x0117;
    const JPEG_OFFSET: u16 = 0x0201;
    const JPEG_LENGTH: u16 = 0x0202;
    let field = |tag| fields.iter().find(|field: &&Field<'_>| field.tag == tag);
    let number = |tag| directories::number(tiff, fields, tag);
    if let Some(jpeg) = field(PANASONIC_JPEG).filter(|_| tiff.magic != CLASSIC) {
        return Some(jpeg.value);
    }
    if let (Some(offset), Some(length)) = (number(JPEG_OFFSET), number(JPEG_LENGTH)) {
        return part(bytes, offset.into(), length.into());
    }
    // Sensor data may be compressed as JPEG too, but is no image.
    let is_one_strip = field(STRIP_OFFSETS).is_some_and(|field| field.count == 1);
    if !is_one_strip || number(PHOTOMETRIC).is_some_and(directories::is_sensor_data) {
        return None;
    }
    part(bytes, number(STRIP_OFFSETS)?.into(), number(STRIP_LENGTHS)?.into())
}

fn of_fuji(bytes: &[u8]) -> Option<&[u8]> {
    let mut place = Reader(bytes.get(84..)?);
    part(bytes, place.u32()?.into(), place.u32()?.into())
}

/// The full-size JPEG of the first track, and the previews in Canon's own boxes.
fn of_canon3(bytes: &[u8]) -> Vec<&[u8]> {
    const UUID_BYTES: usize = 16;
    let moov = find(bytes, b"moov").map_or(&[][..], |moov| moov.content);
    let mut parts: Vec<&[u8]> = of_track(bytes, moov).into_iter().collect();
    for uuid in boxes(bytes).chain(boxes(moov)).filter(|found| found.kind == *b"uuid").take(64) {
        // The content starts after the identifier; the preview has eight more bytes before it.
        for skipped in [UUID_BYTES, UUID_BYTES + 8] {
            let inside = uuid.content.get(skipped..).unwrap_or_default();
            for preview in boxes(inside).filter(|found| matches!(&found.kind, b"PRVW" | b"THMB")).take(8) {
                // A few numbers precede the JPEG.
                let head = &preview.content[..preview.content.len().min(64)];
                let start = head.windows(3).position(|bytes| bytes == b"\xff\xd8\xff");
                parts.extend(start.and_then(|start| preview.content.get(start..)));
            }
        }
    }
    parts
}

fn of_track<'a>(bytes: &'a [u8], moov: &'a [u8]) -> Option<&'a [u8]> {
    let mut inside = moov;
    for kind in [b"trak", b"mdia", b"minf", b"stbl"] {
        inside = find(inside, kind)?.content;
    }
    let (_, _, sizes) = find(inside, b"stsz")?.full()?;
    let mut sizes = Reader(sizes);
    let (each, _count) = (sizes.u32()?, sizes.u32()?);
    let length = if each == 0 { sizes.u32()? } else { each };
    let (wide, offsets) = match find(inside, b"co64") {
        Some(offsets) => (8, offsets),
        None => (4, find(inside, b"stco")?),
    };
    let (_, _, offsets) = offsets.full()?;
    let mut offsets = Reader(offsets);
    let _count = offsets.u32()?;
    part(bytes, offsets.number(wide)?, length.into())
}

/// JPEGs at any position.
fn scan_all(bytes: &[u8]) -> impl Iterator<Item = Preview<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let found = bytes.get(at..)?.windows(3).position(|bytes| bytes == b"\xff\xd8\xff")?;
            let start = at + found;
            at = start + 2;
            // A file may start a JPEG at every byte; results after the deadline are discarded.
            if deadline::check().is_err() {
                return None;
            }
            if let Some(preview) = Preview::read(&bytes[start..]) {
                return Some(preview);
            }
        }
    })
}

/// `length` bytes at `offset`, or as many as are present.
fn part(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let rest = bytes.get(usize::try_from(offset).ok()?..)?;
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(rest.len());
    Some(&rest[..length])
}
