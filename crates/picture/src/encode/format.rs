//! Encoding of pixels to the bytes of a file.

mod avif;
mod avif_profile;
mod embedded;
mod fit;
mod jpeg;
mod pdf;
mod png;
mod sheet;
mod target_size;
#[cfg(test)]
mod tests;
mod tiff;
mod tiff_exif;
mod webp;

use std::borrow::Cow;

use embedded::EmbeddedBlocks;

use outcome::{CropNote, EncodeError};
use recipe::{Color, ColorPolicy, EncodeSpec, OutputFormat};

use super::metadata::{Blocks, blocks};
use crate::{Crop, Pixels};
pub use sheet::encode_sheet;
use target_size::Search;

/// An encoded file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Losses of the format, such as "16 bits became 8".
    pub notes: Vec<CropNote>,
}

/// Input of an encoder: pixels that the format supports, and the data stored with them.
struct Content<'a> {
    pixels: Cow<'a, Pixels>,
    /// The ICC profile of the pixels; none for sRGB.
    profile: Option<&'a [u8]>,
    /// True if the pixels were converted to sRGB on request, so that the file may be marked as sRGB.
    marked_srgb: bool,
    embedded: EmbeddedBlocks<'a>,
    /// Dots per inch.
    dpi: u16,
}

/// Encodes `crop` according to `spec`, with colour profile, resolution and metadata.
///
/// Transparency is kept if the format supports it; in JPEG, pixels are composited over `fill`, an sRGB colour. A metadata
/// block that takes more than a quarter of the size limit is dropped, and so is a colour profile, after a conversion to sRGB.
///
/// # Errors
/// A value of the spec is out of range, the crop is empty or too large for the format, the encoder rejects its pixels,
/// or it cannot meet the size limit.
pub fn encode_crop(crop: &Crop, spec: &EncodeSpec, fill: Color) -> Result<Encoded, EncodeError> {
    // Without a profile, the photo's own metadata is authoritative.
    let is_srgb = crop.icc_profile.is_some() && spec.color == ColorPolicy::Srgb;
    let blocks = blocks(&crop.metadata, spec.metadata, crop.size(), spec.dpi, is_srgb);
    encode_with_blocks(crop, spec, fill, &blocks)
}

fn encode_with_blocks(crop: &Crop, spec: &EncodeSpec, fill: Color, blocks: &Blocks) -> Result<Encoded, EncodeError> {
    spec.check()?;
    let refused = |reason: String| EncodeError::Encoder { format: spec.format, reason };
    let size = crop.size();
    if size.pixels() == 0 {
        return Err(refused("the crop has no pixels".to_owned()));
    }
    let longest = spec.format.max_side();
    if size.long_side() > longest {
        return Err(refused(format!(
            "a side can have at most {longest} pixels, the crop has {}; choose a smaller crop or another format",
            size.long_side()
        )));
    }
    let mut notes = blocks.notes.clone();
    let embedded = EmbeddedBlocks::of(blocks, spec, &mut notes);
    let (pixels, profile) = fit::fitted(crop, spec, fill, &mut notes);
    let marked_srgb = spec.color == ColorPolicy::Srgb;
    let content = Content { pixels, profile, marked_srgb, embedded, dpi: spec.dpi };
    let search = find_file(&content, spec, &mut notes).map_err(refused)?;
    match (search, spec.max_kilobytes) {
        (Search::TooLarge { bytes }, Some(limit)) => {
            Err(EncodeError::TooLarge { format: spec.format, kilobytes_needed: bytes.div_ceil(1_000), limit })
        }
        (Search::TooLarge { .. }, None) => Err(refused("no file was produced".to_owned())),
        (Search::Fits { bytes, .. }, _) => Ok(Encoded { bytes, notes }),
    }
}

/// True if `data`, a colour profile or a metadata block, takes more than a quarter of the size limit, which would leave too
/// little for the picture.
fn is_too_much(data: &[u8], spec: &EncodeSpec) -> bool {
    spec.max_kilobytes.is_some_and(|kilobytes| data.len() as u64 > u64::from(kilobytes) * 250)
}

/// Encodes until the file meets the size limit; once if there is none.
fn find_file(content: &Content<'_>, spec: &EncodeSpec, notes: &mut Vec<CropNote>) -> Result<Search, String> {
    let limit = spec.max_kilobytes.map(|kilobytes| u64::from(kilobytes) * 1_000);
    if !spec.is_lossy() {
        return target_size::by_compression(spec.compression, limit, |compression| match spec.format {
            OutputFormat::Tiff => tiff::encode(content, compression),
            OutputFormat::WebP => webp::lossless(content, compression),
            _ => png::encode(content, compression),
        });
    }
    let search = target_size::by_quality(spec.quality, limit, |quality| match spec.format {
        OutputFormat::Avif => avif::encode(content, spec.avif_speed, quality),
        OutputFormat::WebP => webp::lossy(content, quality),
        _ => jpeg::encode(content, spec.subsampling, spec.progressive, quality),
    })?;
    if let (Search::Fits { quality: Some(quality), .. }, Some(limit)) = (&search, spec.max_kilobytes)
        && *quality < spec.quality
    {
        notes.push(CropNote::Quality { asked: spec.quality, taken: *quality, limit });
    }
    Ok(search)
}
