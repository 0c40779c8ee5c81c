//! Raw files of cameras: the image is the largest embedded JPEG preview.
//!
//! Raw files are detected by content. Fuji's RAF and Canon's CR3 have their own signatures; all others are TIFF files
//! or variants. A file with the magic number of TIFF counts as raw only if one of its directories indicates it: a DNG
//! version, a colour filter array or linear raw, a maker's own compression, or Canon's signature after the header. All
//! others are plain TIFF.

mod directories;
mod exif;
mod jpeg;
mod preview;

use exif::Source;
use preview::Preview;

use geometry::Orientation;
use outcome::{DecodeError, PictureNote};
use recipe::DecodeLimits;

use super::{Decoded, Header, jpeg as jpeg_format};
use crate::iso_boxes::brands;
use crate::request::StoredRequest;
use crate::tiff_directory::{self, Tiff};

const NAME: &str = "raw";

/// The signature of Fuji's files.
const FUJI: &[u8] = b"FUJIFILMCCD-RAW";

/// True for supported raw files.
pub(crate) fn is_raw(bytes: &[u8]) -> bool {
    match Container::of(bytes) {
        None => false,
        Some(Container::Fuji | Container::Canon3) => true,
        Some(Container::Tiff(tiff)) => {
            tiff.magic != tiff_directory::CLASSIC
                || bytes.get(8..10) == Some(b"CR")
                || directories::is_raw_format(&tiff)
        }
    }
}

pub(super) fn header(bytes: &[u8], limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let preview = find(bytes)?;
    let header = jpeg_format::header(preview.bytes, limits)?;
    let orientation = preview.orientation().or_else(|| Source::of(bytes).orientation());
    Ok(Header { orientation: orientation.map(Orientation::from_exif), note: Some(PictureNote::RawPreview), ..header })
}

pub(super) fn pixels(
    bytes: &[u8],
    header: &Header,
    request: StoredRequest,
    limits: &DecodeLimits,
    index: &jpeg_format::Index,
) -> Result<Decoded, DecodeError> {
    jpeg_format::pixels(find(bytes)?.bytes, header, request, limits, index)
}

/// True if decoding the preview takes long.
pub(super) fn is_slow(bytes: &[u8]) -> bool {
    preview::largest(bytes).is_some_and(|preview| jpeg_format::is_slow(preview.bytes))
}

/// The EXIF block and the XMP packet: those of the preview, or those of the raw file itself.
pub(crate) fn metadata(bytes: &[u8]) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    let preview = preview::largest(bytes);
    let source = Source::of(bytes);
    let exif = preview.and_then(|preview| preview.exif).map(<[u8]>::to_vec).or_else(|| source.exif());
    let xmp = preview.and_then(|preview| preview.xmp).map(<[u8]>::to_vec).or_else(|| source.xmp());
    (exif, xmp)
}

fn find(bytes: &[u8]) -> Result<Preview<'_>, DecodeError> {
    preview::largest(bytes).ok_or_else(|| DecodeError::Unsupported {
        format: NAME,
        reason: "it contains no JPEG preview; develop it to JPEG or TIFF first".to_owned(),
    })
}

/// The container of a raw file.
enum Container<'a> {
    Fuji,
    Canon3,
    /// May be plain TIFF as well.
    Tiff(Tiff<'a>),
}

impl<'a> Container<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
        if bytes.starts_with(FUJI) {
            return Some(Self::Fuji);
        }
        if brands(bytes).next() == Some(*b"crx ") {
            return Some(Self::Canon3);
        }
        Tiff::new(bytes).filter(directories::is_known).map(Self::Tiff)
    }
}

#[cfg(test)]
pub(super) mod tests;
