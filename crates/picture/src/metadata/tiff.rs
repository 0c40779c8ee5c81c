//! Metadata of a TIFF file, whose own tags are the EXIF block.

use super::exif_block::{Entry, Exif};
use super::{MAX_BLOCK, Metadata, photoshop, tags};
use crate::tiff_directory::Kind;

/// Maximum size of a value. Private tags of instruments contain whole images.
const MAX_VALUE: usize = 1 << 20;

/// Reads the blocks of a TIFF file. Its EXIF block is a new one: the tags of the first page that describe the photo,
/// not this file's pixels. None for BigTIFF.
pub(super) fn read(file: &[u8]) -> Metadata {
    let mut found = Metadata::default();
    let Some(mut read) = Exif::parse(file) else { return found };
    if let Some(packet) = read.primary_entry(tags::XMP) {
        found.offer_xmp(&packet.value);
    }
    if let Some(datasets) = read.primary_entry(tags::IPTC).filter(|datasets| datasets.value.len() <= MAX_BLOCK) {
        found.offer_iptc(&unswapped(datasets));
    }
    if let Some(resources) = read.primary_entry(tags::PHOTOSHOP) {
        found.offer_iptc(photoshop::iptc_in(&resources.value).unwrap_or_default());
    }
    read.primary.retain(|entry| !tags::is_file_specific(entry.tag));
    let mut has_entries = false;
    for directory in [&mut read.primary, &mut read.exif, &mut read.gps, &mut read.interop] {
        directory.retain(|entry| entry.value.len() <= MAX_VALUE);
        has_entries |= !directory.is_empty();
    }
    if let Some(block) = read.write().filter(|_| has_entries) {
        found.offer_exif(&block);
    }
    found
}

/// IPTC datasets are bytes, but were long written as 32-bit numbers, which some writers then byte-swapped.
fn unswapped(datasets: &Entry<'_>) -> Vec<u8> {
    /// The first byte of every dataset.
    const MARK: u8 = 0x1c;
    let mut bytes = datasets.value.to_vec();
    if datasets.kind == Kind::LONG && bytes.first() != Some(&MARK) && bytes.get(3) == Some(&MARK) {
        bytes.chunks_exact_mut(4).for_each(<[u8]>::reverse);
    }
    bytes
}
