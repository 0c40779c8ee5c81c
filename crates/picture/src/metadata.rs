//! Metadata of a file, apart from pixels and colour profile.
//!
//! Blocks are found by parsing the container, never by searching, and are copied only if found; blocks longer than 16
//! MiB are ignored.

pub(crate) mod exif_block;
mod jpeg;
mod photoshop;
mod png;
pub(crate) mod tags;
mod tiff;
mod webp;
pub(crate) mod xmp_packet;

use std::sync::Arc;

use exif_block::Exif;

use geometry::{Orientation, Size};
use outcome::{Moment, PictureFormat};

use super::formats;
use super::tiff_directory::Kind;

/// Maximum size of a block in bytes. JPEG files are limited to 64 KiB.
const MAX_BLOCK: usize = 16 << 20;

/// Metadata blocks as stored in the file; missing blocks are `None`. They may be damaged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The EXIF block, starting with its TIFF header (`II` or `MM`). For a TIFF file, its tags that describe the photo.
    pub exif: Option<Arc<[u8]>>,
    /// The XMP packet, usually UTF-8.
    pub xmp: Option<Arc<[u8]>>,
    /// IPTC-IIM datasets, as in Photoshop's resource 0x0404.
    pub iptc: Option<Arc<[u8]>>,
}

impl Metadata {
    /// The orientation of the stored pixels from the EXIF block, or from the XMP packet if the EXIF block has none;
    /// upright for invalid values.
    pub fn orientation(&self) -> Orientation {
        let in_exif = self.exif.as_deref().and_then(Exif::parse).and_then(|exif| {
            let entry = exif.primary_entry(tags::ORIENTATION)?;
            Some(entry.short(exif.order).unwrap_or(1))
        });
        let orientation_tag = in_exif.or_else(|| xmp_packet::orientation(self.xmp.as_deref()?));
        Orientation::from_exif(orientation_tag.unwrap_or(1))
    }

    /// When the photo was taken, or else digitised, by the camera's clock, from the EXIF block. `None` without a valid date.
    pub fn taken(&self) -> Option<Moment> {
        let exif = Exif::parse(self.exif.as_deref()?)?;
        let text = |tag| {
            let entry = exif.exif.iter().find(|entry| entry.tag == tag && entry.kind == Kind::ASCII)?;
            Some(String::from_utf8_lossy(&entry.value))
        };
        let moment = |date, fraction| {
            let moment = Moment::from_exif(&text(date)?)?;
            Some(moment.with_fraction(&text(fraction).unwrap_or_default()))
        };
        moment(tags::DATE_TAKEN, tags::FRACTION_TAKEN)
            .or_else(|| moment(tags::DATE_DIGITIZED, tags::FRACTION_DIGITIZED))
    }

    /// The JPEG thumbnail of the EXIF block, with the orientation of the stored pixels. It shows the whole photo, or
    /// something else if other software edited the photo without updating it: see [`Metadata::thumbnail_fits`].
    pub fn thumbnail(&self) -> Option<&[u8]> {
        let block = self.exif.as_deref()?;
        Exif::parse(block)?.thumbnail_in(block)
    }

    /// True if a thumbnail has the aspect ratio of the image, both as stored: they differ by at most 2 %. Many cameras
    /// letterbox thumbnails to 160 x 120 pixels; those do not match.
    pub fn thumbnail_fits(thumbnail: Size, picture: Size) -> bool {
        if thumbnail.pixels() == 0 || picture.pixels() == 0 {
            return false;
        }
        let across = u64::from(thumbnail.width) * u64::from(picture.height);
        let down = u64::from(thumbnail.height) * u64::from(picture.width);
        u128::from(across.abs_diff(down)) * 50 <= u128::from(across.max(down))
    }

    /// Sets the EXIF block, with or without the `Exif\0\0` prefix of JPEG files, unless there is one with tags already.
    pub(super) fn offer_exif(&mut self, block: &[u8]) {
        let block = block.strip_prefix(b"Exif\0").and_then(|rest| rest.get(1..)).unwrap_or(block);
        if !exif_block::is_block(block) || block.len() > MAX_BLOCK {
            return;
        }
        if self.exif.as_deref().is_none_or(|taken| !exif_block::has_tags(taken) && exif_block::has_tags(block)) {
            self.exif = Some(block.into());
        }
    }

    /// Sets the XMP packet unless there is one already.
    pub(super) fn offer_xmp(&mut self, packet: &[u8]) {
        offer(&mut self.xmp, packet);
    }

    /// Sets the IPTC datasets unless there are some already.
    pub(super) fn offer_iptc(&mut self, datasets: &[u8]) {
        offer(&mut self.iptc, datasets);
    }
}

fn offer(place: &mut Option<Arc<[u8]>>, block: &[u8]) {
    if place.is_none() && !block.is_empty() && block.len() <= MAX_BLOCK {
        *place = Some(block.into());
    }
}

/// Reads the metadata blocks of a file; the cost does not depend on its pixels. Decoders that parse their own
/// containers pass their blocks to the `offer_` functions.
pub(super) fn read(format: PictureFormat, bytes: &[u8]) -> Metadata {
    match format {
        PictureFormat::Jpeg => jpeg::read(bytes),
        PictureFormat::Png => png::read(bytes),
        PictureFormat::WebP => webp::read(bytes),
        PictureFormat::Tiff => tiff::read(bytes),
        PictureFormat::Avif => offered(formats::avif::metadata(bytes)),
        PictureFormat::Heic => offered(formats::heif::metadata(bytes)),
        PictureFormat::Jxl => offered(formats::jxl::metadata(bytes)),
        PictureFormat::Raw => offered(formats::raw::metadata(bytes)),
        PictureFormat::Gif
        | PictureFormat::Bmp
        | PictureFormat::Qoi
        | PictureFormat::Pnm
        | PictureFormat::Tga
        | PictureFormat::Ico => Metadata::default(),
    }
}

/// Metadata from the blocks found by a decoder.
fn offered((exif, xmp): (Option<Vec<u8>>, Option<Vec<u8>>)) -> Metadata {
    let mut metadata = Metadata::default();
    exif.iter().for_each(|block| metadata.offer_exif(block));
    xmp.iter().for_each(|packet| metadata.offer_xmp(packet));
    metadata
}

#[cfg(test)]
mod tests;
