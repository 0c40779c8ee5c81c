//! Selection of a photo's metadata for its crop.
//!
//! A crop is a different image from its photo: tags that describe the photo's pixel layout are corrected or removed
//! under every policy, and so is every small copy of the whole photo (thumbnails, previews, gain maps, layers).

mod exif;
mod iptc;
mod xmp;

use geometry::Size;
use outcome::CropNote;
use recipe::MetadataPolicy;

use crate::Metadata;

/// Blocks ready for a file; `None` if there is nothing to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Blocks {
    /// An EXIF block from its TIFF header on: orientation 1, the crop's size and resolution, no thumbnail.
    pub(super) exif: Option<Vec<u8>>,
    pub(super) xmp: Option<Vec<u8>>,
    pub(super) iptc: Option<Vec<u8>>,
    /// Losses of metadata that the policy would keep.
    pub(super) notes: Vec<CropNote>,
}

/// The blocks of a crop of `size` pixels at `dpi` dots per inch; `is_srgb` if its samples are sRGB.
///
/// Unless everything is stripped, there is an EXIF block even if the photo has none: in WebP and AVIF only EXIF can
/// hold the resolution.
pub(super) fn blocks(metadata: &Metadata, policy: MetadataPolicy, size: Size, dpi: u16, is_srgb: bool) -> Blocks {
    let keep_all = match policy {
        MetadataPolicy::Strip => return Blocks::default(),
        MetadataPolicy::Safe => false,
        MetadataPolicy::All => true,
    };
    let mut notes = Vec::new();
    let exif = exif::make(metadata.exif.as_deref(), keep_all, size, dpi, is_srgb, &mut notes);
    let xmp = metadata.xmp.as_deref().and_then(|packet| {
        if keep_all { xmp::corrected(packet, size, dpi, &mut notes) } else { xmp::safe(packet, &mut notes) }
    });
    let iptc = metadata.iptc.as_deref().and_then(|datasets| iptc::make(datasets, keep_all, &mut notes));
    Blocks { exif, xmp, iptc, notes }
}

#[cfg(test)]
mod tests;
