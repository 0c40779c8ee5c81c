//! What of a photo's metadata goes into its crop.
//!
//! A crop is another picture than its photo: whatever says how the photo's pixels lie is corrected or left out, and so is
//! every small copy of the whole photo (thumbnails, previews, gain maps, layers), under every policy.

mod exif;
mod iptc;
mod xmp;

use geometry::Size;
use outcome::CropNote;
use recipe::MetadataPolicy;

use crate::Metadata;

/// Blocks ready to be put into a file. Missing ones are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Blocks {
    /// An EXIF block from its TIFF header on: orientation 1, the crop's size and resolution, no thumbnail.
    pub(super) exif: Option<Vec<u8>>,
    /// An XMP packet.
    pub(super) xmp: Option<Vec<u8>>,
    /// IPTC-IIM datasets.
    pub(super) iptc: Option<Vec<u8>>,
    /// What the policy keeps but could not be kept, in words.
    pub(super) notes: Vec<CropNote>,
}

/// What goes into a crop of `size` pixels at `dpi` dots an inch, whose numbers are sRGB or not.
///
/// Unless everything is stripped there is an EXIF block even where the photo has none: in WebP and AVIF it alone can say
/// the resolution.
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
