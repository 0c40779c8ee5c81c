//! AVIF: AV1 images in a HEIF container.
//!
//! [`isobmff`](super::isobmff) parses the container, and rav1d, which is written in Rust, decodes the images. Grids of
//! tiles, alpha, rotation, mirroring and cropping are supported. If the container does not define the colour space, the
//! AV1 data does.

mod av1;
mod coding;
mod container;
mod planes;

use std::sync::Arc;

use av1::Frame;
use coding::{Coding, Subsampling};
use container::{Container, Source};
use planes::{Alpha, Matrix, Planes};

use geometry::Size;
use outcome::{Channels, DecodeError, PixelLayout};
use recipe::DecodeLimits;

use super::isobmff::Items;
use super::{Decoded, Header};
use crate::color;
use crate::request::StoredRequest;

const NAME: &str = "AVIF";

/// High dynamic range transfer functions: PQ and HLG.
const HDR_TRANSFERS: [u8; 2] = [16, 18];

pub(super) fn header(bytes: &[u8], _limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let container = Container::read(bytes)?;
    let icc_profile = match &container.icc_profile {
        Some(profile) => Some(Arc::from(*profile)),
        None => container.coding.map_or(Ok(None), |coding| profile_of(NAME, coding))?,
    };
    Ok(Header {
        stored: container.crop.map_or(container.picture.size, |crop| Size::new(crop.width, crop.height)),
        orientation: Some(container.orientation),
        layout: layout(&container, icc_profile.as_deref()),
        icc_profile,
        decodes_in_part: false,
        note: container.note,
    })
}

pub(super) fn pixels(
    bytes: &[u8],
    header: &Header,
    _request: StoredRequest,
    _limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let container = Container::read(bytes)?;
    let (planes, stream) = decode(&container, &container.picture)?;
    // The container takes precedence over the AV1 data, unless it does not specify a coding.
    let coding =
        container.coding.or(stream.coding).unwrap_or(Coding { primaries: 2, transfer: 2, matrix: 2, full_range: true });
    let in_colour = !header.layout.channels.is_grey();
    let matrix = match stream.subsampling {
        // Grey with a colour profile: luma becomes all three channels.
        Subsampling::Grey => in_colour.then_some(Matrix::Weighted { red: 0.0, blue: 0.0 }),
        subsampling => Some(Matrix::of(coding, subsampling).map_err(unsupported)?),
    };
    let alpha = match &container.alpha {
        None => None,
        Some((source, premultiplied)) => {
            let (planes, stream) = decode(&container, source)?;
            let full_range = stream.coding.is_none_or(|coding| coding.full_range);
            if planes.size() != container.picture.size {
                return Err(unsupported("the alpha channel has a different size than the image"));
            }
            Some(Alpha { planes, full_range, premultiplied: *premultiplied })
        }
    };
    let deep = planes.depth() > 8 || alpha.as_ref().is_some_and(|alpha| alpha.planes.depth() > 8);
    let pixels = planes::to_pixels(&planes, coding.full_range, matrix, alpha.as_ref(), deep)
        .ok_or_else(|| broken("its number of pixels does not match its header"))?;
    let pixels = match container.crop {
        Some(crop) => container::cropped(&pixels, crop).ok_or_else(|| broken("its crop is outside the image"))?,
        None => pixels,
    };
    let mut decoded = Decoded::whole(pixels);
    if container.icc_profile.is_none() && container.coding.is_none() && matrix.is_some() {
        decoded.icc_profile = Some(profile_of(NAME, coding)?);
    }
    Ok(decoded)
}

/// The EXIF block from its TIFF header on, and the XMP packet.
pub(crate) fn metadata(bytes: &[u8]) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    Items::read(bytes).map_or((None, None), |items| items.metadata())
}

/// The ICC profile and the coding in an image's container; a profile that does not match the image is ignored.
pub(super) fn colour<'a>(items: &Items<'a>, id: u32, is_grey: bool) -> (Option<&'a [u8]>, Option<Coding>) {
    let (mut icc_profile, mut coding) = (None, None);
    for colr in items.properties(id).filter(|property| property.kind == *b"colr") {
        match colr.content.split_first_chunk::<4>() {
            Some((b"prof" | b"rICC", profile)) => icc_profile = Some(profile),
            Some((b"nclx", rest)) => coding = container::nclx(rest),
            _ => {}
        }
    }
    let icc_profile = icc_profile.filter(|profile| match profile.get(16..20) {
        Some(b"RGB ") => true,
        Some(b"GRAY") => is_grey,
        _ => false,
    });
    (icc_profile, coding)
}

/// The ICC profile of `coding`; `None` for sRGB and if nothing is specified.
pub(super) fn profile_of(format: &'static str, coding: Coding) -> Result<Option<Arc<[u8]>>, DecodeError> {
    let profile = color::profile_from_cicp(coding.primaries, coding.transfer, true);
    if profile.is_none() && HDR_TRANSFERS.contains(&coding.transfer) {
        let reason = "it has a high dynamic range (HDR); export it in standard range".to_owned();
        return Err(DecodeError::Unsupported { format, reason });
    }
    Ok(profile.map(Into::into))
}

/// True for an RGB profile. A grey image with such a profile is decoded to RGB.
pub(super) fn is_of_colour(profile: Option<&[u8]>) -> bool {
    profile.is_some_and(|profile| profile.get(16..20) != Some(b"GRAY"))
}

/// Properties of an image from its AV1 data.
struct StreamInfo {
    coding: Option<Coding>,
    subsampling: Subsampling,
}

/// Decodes all tiles of `source`.
fn decode(container: &Container<'_>, source: &Source) -> Result<(Planes, StreamInfo), DecodeError> {
    let mut whole: Option<(Planes, StreamInfo)> = None;
    for (index, tile) in source.tiles.iter().enumerate() {
        let data = container.items.data(*tile).map_err(broken)?;
        let max = u32::try_from(source.tile_size.pixels()).map_err(|_| broken("a tile is too large"))?;
        let frame = Frame::decode(&data, max).map_err(broken)?;
        if frame.size() != source.tile_size {
            return Err(broken(format!("its header gives {} pixels, its data {}", source.tile_size, frame.size())));
        }
        let (planes, _) = whole.get_or_insert_with(|| {
            let stream = StreamInfo { coding: frame.coding(), subsampling: frame.subsampling() };
            (Planes::like(&frame, source.size), stream)
        });
        let (column, row) = (index as u32 % source.columns, index as u32 / source.columns);
        if !planes.put(&frame, column * source.tile_size.width, row * source.tile_size.height) {
            return Err(broken("its tiles have different formats"));
        }
    }
    whole.ok_or_else(|| broken("it has no tiles"))
}

/// The pixel layout according to the container.
fn layout(container: &Container<'_>, profile: Option<&[u8]>) -> PixelLayout {
    let grey = container.is_grey && !is_of_colour(profile);
    let channels = match (grey, container.alpha.is_some()) {
        (true, false) => Channels::L,
        (true, true) => Channels::La,
        (false, false) => Channels::Rgb,
        (false, true) => Channels::Rgba,
    };
    PixelLayout { channels, deep: container.is_deep }
}

fn broken(reason: impl Into<String>) -> DecodeError {
    DecodeError::Broken { format: NAME, reason: reason.into() }
}

fn unsupported(reason: impl Into<String>) -> DecodeError {
    DecodeError::Unsupported { format: NAME, reason: reason.into() }
}

#[cfg(test)]
mod tests;
