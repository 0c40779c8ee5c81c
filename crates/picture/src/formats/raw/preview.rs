//! Finding the largest JPEG inside a raw file.

use super::jpeg::Head;
use super::{Container, directories, exif};
use crate::iso_boxes::{Reader, boxes, find};
use crate::patience;
use crate::tiff_directory::{CLASSIC, Field, Tiff};

/// A preview of fewer pixels is not enough to stop looking.
const ENOUGH_PIXELS: u64 = 1_000_000;

/// A JPEG inside a raw file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preview<'a> {
    /// From its start marker on; bytes may follow its end.
    pub(super) bytes: &'a [u8],
    pub(super) exif: Option<&'a [u8]>,
    pub(super) xmp: Option<&'a [u8]>,
    pixels: u64,
}

impl<'a> Preview<'a> {
    /// The EXIF orientation that it has itself.
    pub(super) fn orientation(&self) -> Option<u16> {
        exif::orientation(&Tiff::new(self.exif?).filter(directories::is_known)?)
    }

    fn read(bytes: &'a [u8]) -> Option<Self> {
        let head = Head::read(bytes)?;
        Some(Self { bytes, exif: head.exif, xmp: head.xmp, pixels: head.size.pixels() })
    }
}

/// The JPEG of the most pixels.
pub(super) fn largest(bytes: &[u8]) -> Option<Preview<'_>> {
    let parts = match Container::of(bytes)? {
        Container::Fuji => of_fuji(bytes).into_iter().collect(),
        Container::Canon3 => of_canon3(bytes),
        Container::Tiff(tiff) => {
            directories::all(&tiff).iter().filter_map(|fields| of_directory(bytes, &tiff, fields)).collect()
        }
    };
    let named = best(parts.into_iter().filter_map(Preview::read));
    if named.is_some_and(|preview| preview.pixels >= ENOUGH_PIXELS) {
        return named;
    }
    // Some makers say where the large preview is in notes of their own only.
    best(named.into_iter().chain(anywhere(bytes)))
}

fn best<'a>(previews: impl Iterator<Item = Preview<'a>>) -> Option<Preview<'a>> {
    previews.reduce(|best, preview| if preview.pixels > best.pixels { preview } else { best })
}

/// The JPEG that a TIFF directory names.
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
    // A sensor's data may be packed as JPEG too, but is no picture.
    let is_one_strip = field(STRIP_OFFSETS).is_some_and(|field| field.count == 1);
    if !is_one_strip || number(PHOTOMETRIC).is_some_and(directories::is_of_a_sensor) {
        return None;
    }
    part(bytes, number(STRIP_OFFSETS)?.into(), number(STRIP_LENGTHS)?.into())
}

fn of_fuji(bytes: &[u8]) -> Option<&[u8]> {
    let mut place = Reader(bytes.get(84..)?);
    part(bytes, place.u32()?.into(), place.u32()?.into())
}

/// The full-size JPEG of the first track, and the previews in boxes of Canon's own.
fn of_canon3(bytes: &[u8]) -> Vec<&[u8]> {
    const UUID_BYTES: usize = 16;
    let moov = find(bytes, b"moov").map_or(&[][..], |moov| moov.content);
    let mut parts: Vec<&[u8]> = of_track(bytes, moov).into_iter().collect();
    for uuid in boxes(bytes).chain(boxes(moov)).filter(|found| found.kind == *b"uuid").take(64) {
        // What is inside starts behind the identifier; before the preview stand eight bytes more.
        for skipped in [UUID_BYTES, UUID_BYTES + 8] {
            let inside = uuid.content.get(skipped..).unwrap_or_default();
            for preview in boxes(inside).filter(|found| matches!(&found.kind, b"PRVW" | b"THMB")).take(8) {
                // A few numbers stand before the JPEG.
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

/// JPEGs wherever they start.
fn anywhere(bytes: &[u8]) -> impl Iterator<Item = Preview<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let found = bytes.get(at..)?.windows(3).position(|bytes| bytes == b"\xff\xd8\xff")?;
            let start = at + found;
            at = start + 2;
            // A file may begin a JPEG at every byte; what is found after the time is up counts for nothing.
            if patience::look().is_err() {
                return None;
            }
            if let Some(preview) = Preview::read(&bytes[start..]) {
                return Some(preview);
            }
        }
    })
}

/// `length` bytes at `offset`, or as many of them as there are.
fn part(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let rest = bytes.get(usize::try_from(offset).ok()?..)?;
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(rest.len());
    Some(&rest[..length])
}
