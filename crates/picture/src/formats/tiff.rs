//! TIFF: the first full page, strip by strip or tile by tile.
//!
//! The decoder returns raw samples (see [`page`]), which are interpreted here, since it does not support palettes, grey
//! with alpha, or white-is-zero with alpha.

mod chunks;
mod convert;
mod integrity;
mod page;
mod patched;

use outcome::{Channels, DecodeError, PictureNote, PixelLayout};
use recipe::DecodeLimits;

use self::chunks::Grid;
use self::convert::Converter;
use self::page::{Alpha, Ink, Page};
use super::parts::broken;
use super::{Decoded, Header, describes};
use crate::request::StoredRequest;

const NAME: &str = "TIFF";

pub(super) fn header(bytes: &[u8], limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let (page, mut decoder) = Page::open(bytes, limits)?;
    let layout = layout(&page);
    let note = if page.sample.is_float() {
        Some(PictureNote::FloatSamples)
    } else {
        page.is_one_of_several.then_some(PictureNote::FirstPage)
    };
    // CMYK is converted through its profile, so the result has none.
    let profile = page.profile.filter(|profile| !matches!(page.ink, Ink::Cmyk) && describes(profile, layout.channels));
    Ok(Header {
        stored: page.size,
        orientation: page::orientation(&mut decoder, page.is_in_subdirectory),
        layout,
        icc_profile: profile.map(Into::into),
        decodes_in_part: false,
        note,
    })
}

pub(super) fn pixels(
    bytes: &[u8],
    header: &Header,
    _request: StoredRequest,
    limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let (page, mut decoder) = Page::open(bytes, limits)?;
    let grid = Grid::of(&page, &mut decoder, bytes)?;
    let mut converter = Converter::new(&page, header);
    grid.read(&page, &mut decoder, &mut converter)?;
    let pixels = converter.finish(&page, header, page.profile.as_deref());
    let pixels = pixels.ok_or_else(|| broken(NAME, "the number of samples is wrong"))?;
    Ok(Decoded::whole(pixels))
}

/// Peak memory in bytes per pixel: the samples of the image, plus the largest strip or tile, or the converted samples.
pub(super) fn bytes_per_pixel(bytes: &[u8], header: &Header) -> u64 {
    let out = header.layout.bytes() as u64;
    let Ok((page, decoder)) = Page::open(bytes, &DecodeLimits::default()) else { return out };
    let sample = if header.layout.deep { 2 } else { 1 };
    let kept = (page.ink.count() + usize::from(page.alpha != Alpha::None)) as u64 * sample;
    let at_the_end = if matches!(page.ink, Ink::Cmyk | Ink::Palette(_)) { out } else { 0 };
    let (width, height) = decoder.chunk_dimensions();
    let in_chunk = u64::from(width).saturating_mul(u64::from(height)).min(header.stored.pixels());
    // The decoder's output is converted to 8 or 16 bits if necessary.
    let bits = page.sample.bits() as u64 + if matches!(page.sample.bits(), 8 | 16) { 0 } else { 8 * sample };
    let samples = if page.is_planar { 1 } else { page.samples as u64 };
    // JPEG data is decoded completely before it is copied.
    let times = if page.compression == 7 { 2 } else { 1 };
    let chunk = in_chunk.saturating_mul(samples * bits * times).div_ceil(8).div_ceil(header.stored.pixels().max(1));
    kept + chunk.max(at_the_end)
}

/// The pixel layout after conversion.
fn layout(page: &Page) -> PixelLayout {
    let grey = matches!(page.ink, Ink::Grey { .. });
    let channels = match (grey, page.alpha != Alpha::None) {
        (true, false) => Channels::L,
        (true, true) => Channels::La,
        (false, false) => Channels::Rgb,
        (false, true) => Channels::Rgba,
    };
    let deep = page.sample.is_deep() && !matches!(page.ink, Ink::Cmyk | Ink::Palette(_));
    PixelLayout { channels, deep }
}

#[cfg(test)]
mod tests;
