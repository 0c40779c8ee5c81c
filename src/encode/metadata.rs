//! What of a photo's metadata goes into its crop.

use super::MetadataPolicy;
use crate::decode::Metadata;
use crate::geometry::Size;

/// Blocks ready to be put into a file. Missing ones are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Blocks {
    /// An EXIF block from its TIFF header on: orientation 1, the crop's size and resolution, no thumbnail.
    pub(super) exif: Option<Vec<u8>>,
    /// An XMP packet.
    pub(super) xmp: Option<Vec<u8>>,
    /// IPTC-IIM datasets.
    pub(super) iptc: Option<Vec<u8>>,
}

/// What goes into a crop of `size` pixels at `dpi` dots an inch.
pub(super) fn blocks(_metadata: &Metadata, _policy: MetadataPolicy, _size: Size, _dpi: u16) -> Blocks {
    Blocks::default()
}
