//! The EXIF block of a crop.

use geometry::Size;
use outcome::CropNote;

use crate::exif_block::{Entry, Exif};
use crate::tags;
use crate::tiff_directory::{ByteOrder, Kind};

/// Safe text tags of the first directory: Make, Model, DateTime, Artist, Copyright. Not `ImageDescription`: it names
/// people and places.
const SAFE_TEXTS: [u16; 5] = [0x010f, 0x0110, 0x0132, 0x013b, 0x8298];

/// Safe text tags of the EXIF directory: dates with their time zones and fractions, LensMake, LensModel.
const SAFE_EXIF_TEXTS: [u16; 10] = [0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292, 0xa433, 0xa434];

/// Safe numeric tags of the EXIF directory: exposure and processing.
const SAFE_EXIF_NUMBERS: [u16; 36] = [
    0x829a, // ExposureTime
    0x829d, // FNumber
    0x8822, // ExposureProgram
    0x8827, // PhotographicSensitivity
    0x8830, // SensitivityType
    0x8831, // StandardOutputSensitivity
    0x8832, // RecommendedExposureIndex
    0x8833, // ISOSpeed
    0x9000, // ExifVersion
    0x9201, // ShutterSpeedValue
    0x9202, // ApertureValue
    0x9203, // BrightnessValue
    0x9204, // ExposureBiasValue
    0x9205, // MaxApertureValue
    0x9207, // MeteringMode
    0x9208, // LightSource
    0x9209, // Flash
    0x920a, // FocalLength
    0xa001, // ColorSpace
    0xa215, // ExposureIndex
    0xa217, // SensingMethod
    0xa300, // FileSource
    0xa301, // SceneType
    0xa401, // CustomRendered
    0xa402, // ExposureMode
    0xa403, // WhiteBalance
    0xa404, // DigitalZoomRatio
    0xa405, // FocalLengthIn35mmFilm
    0xa406, // SceneCaptureType
    0xa407, // GainControl
    0xa408, // Contrast
    0xa409, // Saturation
    0xa40a, // Sharpness
    0xa432, // LensSpecification
    0xa460, // CompositeImage
    0xa500, // Gamma
];

/// Maximum length of a safe text in bytes, and of a safe array of numbers: longer ones may hide other data.
const MAX_TEXT: usize = 4096;
const MAX_NUMBERS: usize = 64;

/// The EXIF version to write if the photo has none.
const VERSION: &[u8; 4] = b"0232";

/// The ColorSpace tag: sRGB (1) or another space (65,535).
const COLOR_SPACE: u16 = 0xa001;

/// The block of a crop of `size` pixels at `dpi`, from the photo's block: all its tags or the safe ones. If the crop
/// `is_srgb`, ColorSpace is set accordingly.
///
/// Maker notes are copied unchanged. Some makers store offsets from the start of the block in them; those become
/// invalid.
pub(super) fn make(
    source: Option<&[u8]>,
    keep_all: bool,
    size: Size,
    dpi: u16,
    is_srgb: bool,
    notes: &mut Vec<CropNote>,
) -> Option<Vec<u8>> {
    let read = source.map(Exif::parse);
    if matches!(read, Some(None)) {
        let message = "the photo's EXIF block cannot be read: its dates, camera and author are not in the crop";
        notes.push(message.to_owned().into());
    }
    let mut exif = read.flatten().unwrap_or_else(|| Exif::empty(ByteOrder::Little));
    if exif.unreadable.iter().any(|&tag| is_kept(tag, keep_all)) {
        notes.push(CropNote::ExifPart);
    }
    if keep_all {
        remove_file_specific(&mut exif, source.map_or(0, <[u8]>::len), notes);
    } else {
        keep_safe(&mut exif);
    }
    correct(&mut exif, size, dpi);
    if is_srgb && exif.exif.iter().any(|entry| entry.tag == COLOR_SPACE) {
        let value = exif.order.bytes_of_u16(1).to_vec();
        replace(&mut exif.exif, Entry::new(COLOR_SPACE, Kind::SHORT, value));
    }
    let written = exif.write();
    if written.is_none() {
        notes.push("the photo's EXIF block is too long to be written into the crop".to_owned().into());
    }
    written
}

/// True if the loss of this tag must be reported.
fn is_kept(tag: u16, keep_all: bool) -> bool {
    if matches!(tag, Exif::FIRST | tags::EXIF_DIRECTORY) {
        return true;
    }
    if keep_all {
        // Some cameras write zeros.
        return tag == tags::GPS_DIRECTORY
            || tag != 0 && !(tags::is_file_specific(tag) || tags::is_file_specific_in_exif(tag));
    }
    SAFE_TEXTS.contains(&tag) || SAFE_EXIF_TEXTS.contains(&tag) || SAFE_EXIF_NUMBERS.contains(&tag)
}

fn keep_safe(exif: &mut Exif<'_>) {
    exif.primary.retain(|entry| SAFE_TEXTS.contains(&entry.tag) && is_text(entry));
    exif.exif.retain(|entry| {
        (SAFE_EXIF_TEXTS.contains(&entry.tag) && is_text(entry))
            || (SAFE_EXIF_NUMBERS.contains(&entry.tag) && are_numbers(entry))
    });
    exif.gps.clear();
    exif.interop.clear();
}

fn is_text(entry: &Entry<'_>) -> bool {
    matches!(entry.kind, Kind::ASCII | Kind::UTF8) && entry.value.len() <= MAX_TEXT && !contains_image(&entry.value)
}

fn are_numbers(entry: &Entry<'_>) -> bool {
    !matches!(entry.kind, Kind::ASCII | Kind::UTF8) && entry.value.len() <= MAX_NUMBERS
}

/// Removes tags that describe the old file. If the total size of the values exceeds the `length` of the source block,
/// they overlap, which no valid file does: values beyond that total are ignored.
fn remove_file_specific(exif: &mut Exif<'_>, length: usize, notes: &mut Vec<CropNote>) {
    exif.primary.retain(|entry| !tags::is_file_specific(entry.tag));
    exif.exif.retain(|entry| !tags::is_file_specific_in_exif(entry.tag));
    // InteroperabilityIndex and its version; other tags of this directory describe the old file's format and size.
    exif.interop.retain(|entry| matches!(entry.tag, 1 | 2));
    let mut left = length;
    let (mut overlong, mut picture, mut makers_picture) = (false, false, false);
    for directory in [&mut exif.primary, &mut exif.exif, &mut exif.gps, &mut exif.interop] {
        directory.retain(|entry| {
            let Some(rest) = left.checked_sub(entry.value.len()) else {
                overlong = true;
                return false;
            };
            left = rest;
            let is_picture = contains_image(&entry.value);
            *if entry.tag == tags::MAKER_NOTE { &mut makers_picture } else { &mut picture } |= is_picture;
            !is_picture
        });
    }
    let losses = [
        (overlong, "part of the photo's EXIF block overlaps other parts and is not in the crop"),
        (picture, "an EXIF tag with a small copy of the whole photo is not in the crop"),
        (makers_picture, "the camera maker's own data contains a small copy of the whole photo and is not in the crop"),
    ];
    notes.extend(losses.into_iter().filter(|(happened, _)| *happened).map(|(_, note)| note.to_owned().into()));
}

/// True if a value contains a JPEG file. Some makers alter the first byte of one, or embed several in other data.
fn contains_image(value: &[u8]) -> bool {
    value.windows(3).any(|bytes| bytes == [0xff, 0xd8, 0xff])
        || value.windows(5).any(|bytes| matches!(bytes, [_, 0xd8, 0xff, 0xe0 | 0xe1 | 0xdb | 0xc0 | 0xc4, 0]))
}

/// Sets the crop's orientation, resolution and size.
fn correct(exif: &mut Exif<'_>, size: Size, dpi: u16) {
    let order = exif.order;
    let short = |tag, value| Entry::new(tag, Kind::SHORT, order.bytes_of_u16(value).to_vec());
    let long = |tag, value| Entry::new(tag, Kind::LONG, order.bytes_of_u32(value).to_vec());
    let ratio = |tag| {
        let value = [order.bytes_of_u32(u32::from(dpi)), order.bytes_of_u32(1)].concat();
        Entry::new(tag, Kind::RATIONAL, value)
    };
    replace(&mut exif.primary, short(tags::ORIENTATION, 1));
    replace(&mut exif.primary, ratio(tags::X_RESOLUTION));
    replace(&mut exif.primary, ratio(tags::Y_RESOLUTION));
    replace(&mut exif.primary, short(tags::RESOLUTION_UNIT, 2));
    replace(&mut exif.exif, long(tags::PIXEL_WIDTH, size.width));
    replace(&mut exif.exif, long(tags::PIXEL_HEIGHT, size.height));
    let has_version = |entry: &Entry<'_>| {
        entry.tag == tags::EXIF_VERSION && entry.value.len() == 4 && entry.value.iter().all(u8::is_ascii_digit)
    };
    if !exif.exif.iter().any(has_version) {
        replace(&mut exif.exif, Entry::new(tags::EXIF_VERSION, Kind::UNDEFINED, VERSION.to_vec()));
    }
}

fn replace<'a>(directory: &mut Vec<Entry<'a>>, entry: Entry<'a>) {
    directory.retain(|old| old.tag != entry.tag);
    directory.push(entry);
}
