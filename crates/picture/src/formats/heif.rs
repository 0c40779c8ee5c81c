//! HEIC and other images in a HEIF container, decoded by libheif if it is installed.
//!
//! HEVC decoders are subject to patents in some countries, so none is built in: the library is loaded at run time and
//! used through the few functions in [`library`]. It applies the rotation, mirroring and cropping of the file. Colour
//! profile and metadata are read from the container here.

mod library;

use std::sync::Arc;

use library::{Image, Opened};

use geometry::Orientation;
use outcome::{Channels, DecodeError, LibraryProblem, PictureFormat, PixelLayout};
use recipe::DecodeLimits;

use super::isobmff::Items;
use super::parts::STILL_PICTURE;
use super::{Decoded, Header, avif};
use crate::iso_boxes::brands;
use crate::request::StoredRequest;
use crate::{Pixels, Samples};

const NAME: &str = "HEIC";

/// Brands of animations.
const SEQUENCES: [[u8; 4]; 5] = [*b"msf1", *b"hevc", *b"hevx", *b"hevm", *b"hevs"];

/// The environment variable with the path of the library.
const LIBRARY_VARIABLE: &str = "IRON_CROPPER_LIBHEIF";

/// Detects AVIF and HEIC among ISO media files by their brands, and if these are ambiguous, by the type of the image
/// item.
pub(crate) fn sniff(bytes: &[u8]) -> Option<PictureFormat> {
    let mut is_heif = false;
    for brand in brands(bytes) {
        match &brand {
            b"avif" | b"avis" => return Some(PictureFormat::Avif),
            b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"hevm" | b"hevs" => {
                return Some(PictureFormat::Heic);
            }
            b"mif1" | b"mif2" | b"msf1" => is_heif = true,
            _ => {}
        }
    }
    if !is_heif {
        return None;
    }
    let kind = Items::read(bytes).and_then(|items| {
        let primary = items.primary()?;
        let tile = items.referred(primary.id, b"dimg").first().and_then(|tile| items.item(*tile));
        Some(tile.unwrap_or(primary).kind)
    });
    Some(if kind == Some(*b"av01") { PictureFormat::Avif } else { PictureFormat::Heic })
}

pub(super) fn header(bytes: &[u8], _limits: &DecodeLimits) -> Result<Header, DecodeError> {
    header_with(library::get(), bytes)
}

pub(super) fn pixels(
    bytes: &[u8],
    header: &Header,
    _request: StoredRequest,
    _limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let image = Opened::new(library::get()?, bytes)?.decode(header.layout.channels.has_alpha(), header.layout.deep)?;
    if image.size() != header.stored {
        return Err(broken(format!("its header gives {} pixels, its data {}", header.stored, image.size())));
    }
    let channels = header.layout.channels;
    let samples = if header.layout.deep {
        Samples::U16(deep_samples(&image, channels)?)
    } else {
        Samples::U8(shallow_samples(&image, channels)?)
    };
    let pixels = Pixels::new(header.stored, channels, samples)
        .ok_or_else(|| broken("its number of pixels does not match its header"))?;
    Ok(Decoded::whole(pixels))
}

/// Peak memory in bytes per pixel, as measured: libheif's samples, always three colours, the output, and the remaining
/// planes of its decoder.
pub(super) fn bytes_per_pixel(layout: PixelLayout) -> u64 {
    let interleaved = PixelLayout { channels: layout.channels.in_colour(), ..layout };
    let planes = if layout.deep { 7 } else { 1 };
    (interleaved.bytes() + layout.bytes() + planes) as u64
}

/// The library is missing or unusable, or only its HEVC decoder is missing.
pub(crate) fn needs_library(problem: LibraryProblem) -> DecodeError {
    library::library_error(problem)
}

/// The EXIF block from its TIFF header on, and the XMP packet.
pub(crate) fn metadata(bytes: &[u8]) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    Items::read(bytes).map_or((None, None), |items| items.metadata())
}

fn header_with(library: Result<&library::Library, DecodeError>, bytes: &[u8]) -> Result<Header, DecodeError> {
    let opened = Opened::new(library?, bytes)?;
    let items = Items::read(bytes);
    let primary = items.as_ref().and_then(Items::primary);
    let (mut icc_profile, mut is_grey) = (None, false);
    if let (Some(items), Some(primary)) = (&items, primary) {
        is_grey = has_no_chroma(items, primary.id);
        let (profile, coding) = avif::colour(items, primary.id, is_grey);
        icc_profile = match (profile, coding) {
            (Some(profile), _) => Some(Arc::from(profile)),
            (None, Some(coding)) => avif::profile_of(NAME, coding)?,
            (None, None) => None,
        };
    }
    let grey = is_grey && !avif::is_of_colour(icc_profile.as_deref());
    let channels = match (grey, opened.has_alpha()) {
        (true, false) => Channels::L,
        (true, true) => Channels::La,
        (false, false) => Channels::Rgb,
        (false, true) => Channels::Rgba,
    };
    let is_sequence = brands(bytes).next().is_some_and(|brand| SEQUENCES.contains(&brand));
    Ok(Header {
        stored: opened.size(),
        orientation: Some(Orientation::Upright),
        layout: PixelLayout { channels, deep: opened.depth() > 8 },
        icc_profile,
        decodes_in_part: false,
        note: is_sequence.then_some(STILL_PICTURE),
    })
}

/// True if the HEVC data of an item, or of the first tile of a grid, is grey.
fn has_no_chroma(items: &Items<'_>, id: u32) -> bool {
    let tile = items.referred(id, b"dimg").first().copied().unwrap_or(id);
    // The chroma format is in the low bits of byte 17 of the configuration (ISO/IEC 14496-15).
    let configuration = items.property(tile, b"hvcC");
    configuration.and_then(|configuration| configuration.content.get(16)).is_some_and(|byte| byte & 3 == 0)
}

fn shallow_samples(image: &Image<'_>, channels: Channels) -> Result<Vec<u8>, DecodeError> {
    let mut samples = Vec::with_capacity(image.size().pixels() as usize * channels.count());
    for y in 0..image.size().height {
        let row = image.row(y).ok_or_else(|| broken("its rows are shorter than its width"))?;
        push_row(row, channels, &mut samples, u8::MAX, image.is_premultiplied());
    }
    Ok(samples)
}

fn deep_samples(image: &Image<'_>, channels: Channels) -> Result<Vec<u16>, DecodeError> {
    let depth = image.depth();
    if !(8..=16).contains(&depth) {
        return Err(broken(format!("it has {depth} bits per sample")));
    }
    let max = (1_u32 << depth) - 1;
    let mut samples = Vec::with_capacity(image.size().pixels() as usize * channels.count());
    let mut scaled: Vec<u16> = Vec::new();
    for y in 0..image.size().height {
        let row = image.row(y).ok_or_else(|| broken("its rows are shorter than its width"))?;
        let (pairs, _) = row.as_chunks::<2>();
        scaled.clear();
        scaled.extend(pairs.iter().map(|pair| {
            let sample = u32::from(u16::from_le_bytes(*pair)).min(max);
            ((sample * u32::from(u16::MAX) + max / 2) / max) as u16
        }));
        push_row(&scaled, channels, &mut samples, u16::MAX, image.is_premultiplied());
    }
    Ok(samples)
}

/// Appends a row of red, green, blue and optional alpha, converted to `channels`.
fn push_row<T>(row: &[T], channels: Channels, samples: &mut Vec<T>, max: T, premultiplied: bool)
where
    T: Copy + Into<u32> + TryFrom<u32>,
{
    let colours = if channels.is_grey() { 1 } else { 3 };
    for pixel in row.chunks_exact(if channels.has_alpha() { 4 } else { 3 }) {
        match pixel.get(3) {
            Some(alpha) if premultiplied => {
                let (max, level): (u32, u32) = (max.into(), (*alpha).into());
                // Invisible pixels keep their values.
                let undone = |value: T| match ((value.into() * max + level / 2).checked_div(level)).map(|v| v.min(max))
                {
                    Some(undone) => T::try_from(undone).unwrap_or(value),
                    None => value,
                };
                samples.extend(pixel[..colours].iter().map(|value| undone(*value)));
            }
            _ => samples.extend_from_slice(&pixel[..colours]),
        }
        samples.extend(pixel.get(3));
    }
}

fn broken(reason: impl Into<String>) -> DecodeError {
    DecodeError::Broken { format: NAME, reason: reason.into() }
}

#[cfg(test)]
mod tests;
