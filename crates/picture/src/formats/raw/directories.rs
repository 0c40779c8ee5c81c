//! Directories of raw files: TIFF and its variants.

use crate::tiff_directory::{CLASSIC, Directory, Field, Tiff};

/// Written by Olympus ("RO", "RS") and Panasonic ("U") instead of TIFF's magic number.
const VARIANTS: [u16; 3] = [0x4f52, 0x5352, 0x0055];

/// Maximum number of directories in a file.
const MAX_DIRECTORIES: usize = 64;

const SUB_DIRECTORIES: u16 = 0x014a;
const EXIF_DIRECTORY: u16 = 0x8769;

/// True for TIFF and its supported variants.
pub(super) fn is_known(tiff: &Tiff<'_>) -> bool {
    tiff.magic == CLASSIC || VARIANTS.contains(&tiff.magic)
}

/// The first directory.
pub(super) fn first<'a>(tiff: &Tiff<'a>) -> Vec<Field<'a>> {
    tiff.first().and_then(|start| tiff.directory(start)).map_or_else(Vec::new, |directory| directory.fields)
}

/// The directory that an entry of the first one points to.
pub(super) fn subdirectory_of_first<'a>(tiff: &Tiff<'a>, tag: u16) -> Vec<Field<'a>> {
    let start = number(tiff, &first(tiff), tag);
    start.and_then(|start| tiff.directory(start)).map_or_else(Vec::new, |directory| directory.fields)
}

/// The first value of the entry with this tag, if it is an integer.
pub(super) fn number(tiff: &Tiff<'_>, fields: &[Field<'_>], tag: u16) -> Option<u32> {
    let field = fields.iter().find(|field| field.tag == tag)?;
    tiff.order.numbers(field.kind, field.value).next()
}

/// All reachable directories, each once.
pub(super) fn all<'a>(tiff: &Tiff<'a>) -> Vec<Vec<Field<'a>>> {
    let mut waiting: Vec<u32> = tiff.first().into_iter().collect();
    let mut seen = Vec::new();
    let mut directories = Vec::new();
    while let Some(start) = waiting.pop() {
        if start == 0 || seen.contains(&start) || seen.len() >= MAX_DIRECTORIES {
            continue;
        }
        seen.push(start);
        let Some(Directory { fields, next, .. }) = tiff.directory(start) else { continue };
        waiting.push(next);
        for field in fields.iter().filter(|field| matches!(field.tag, SUB_DIRECTORIES | EXIF_DIRECTORY)) {
            waiting.extend(tiff.order.numbers(field.kind, field.value).take(MAX_DIRECTORIES));
        }
        directories.push(fields);
    }
    directories
}

/// True if a directory identifies the file as a raw one.
pub(super) fn is_raw_format(tiff: &Tiff<'_>) -> bool {
    const PHOTOMETRIC: u16 = 0x0106;
    const COMPRESSION: u16 = 0x0103;
    const DNG_VERSION: u16 = 0xc612;
    const DNG_PRIVATE: u16 = 0xc634;
    const MOSAIC_PATTERN: u16 = 0x828e;
    all(tiff).iter().flatten().any(|field| {
        let number = || tiff.order.numbers(field.kind, field.value).next();
        match field.tag {
            DNG_VERSION | DNG_PRIVATE | MOSAIC_PATTERN => true,
            PHOTOMETRIC => number().is_some_and(is_sensor_data),
            // Of Sony, Samsung (two), Nikon, Pentax.
            COMPRESSION => matches!(number(), Some(32_767 | 32_769 | 32_770 | 34_713 | 65_535)),
            _ => false,
        }
    })
}

/// True for photometric interpretations of a colour filter array or linear raw.
pub(super) fn is_sensor_data(photometric: u32) -> bool {
    matches!(photometric, 32_803 | 34_892)
}
