//! What a file carries beside pixels and colour profile.

use std::io::Cursor;
use std::sync::Arc;

use image::{ImageDecoder, ImageReader};

use super::PictureFormat;
use crate::geometry::Orientation;

/// Blocks of metadata as the file has them; a block that is missing or cannot be read is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The EXIF block, from its TIFF header (`II` or `MM`) on.
    pub exif: Option<Arc<[u8]>>,
    /// The XMP packet, UTF-8.
    pub xmp: Option<Arc<[u8]>>,
    /// IPTC-IIM datasets, as in Photoshop's resource 0x0404.
    pub iptc: Option<Arc<[u8]>>,
}

impl Metadata {
    /// How the EXIF block says the stored pixels are turned; upright where it says nothing sensible.
    pub fn orientation(&self) -> Orientation {
        let value = self.exif.as_deref().and_then(image::metadata::Orientation::from_exif_chunk);
        Orientation::from_exif(value.map_or(1, |value| u16::from(value.to_exif())))
    }
}

/// Reads the blocks of a file; one that cannot be read is as good as none.
pub(super) fn read(_format: PictureFormat, bytes: &[u8]) -> Metadata {
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok();
    let mut decoder = reader.and_then(|reader| reader.into_decoder().ok());
    let exif = decoder.as_mut().and_then(|decoder| decoder.exif_metadata().ok().flatten());
    Metadata { exif: exif.map(Into::into), ..Metadata::default() }
}
