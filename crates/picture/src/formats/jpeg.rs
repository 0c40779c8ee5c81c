//! JPEG: read whole or in part, at full or reduced size, by `jpeg-region`.
//!
//! What it cannot read is tried with the `image` crate's reader. CMYK comes out as sRGB.

mod cmyk;
mod icc;
#[cfg(test)]
mod tests;

use geometry::{PixelRect, Size};
pub(crate) use jpeg_region::Index;
use jpeg_region::{DamageCause, Error, Jpeg, Region, SampleFormat, Scale, Unsupported};
use outcome::{Channels, Damage, DecodeError, PictureFormat, PixelLayout};
use recipe::DecodeLimits;

use super::{Decoded, Header, plain};
use crate::Pixels;
use crate::request::StoredRequest;

const NAME: &str = PictureFormat::Jpeg.name();

/// Pixels, counted once for each scan, from which on decoding takes a second or more.
const SLOW_PIXELS: u64 = 1_500_000_000;

/// Reads the header of a JPEG file.
pub(super) fn header(bytes: &[u8], limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let jpeg = match Jpeg::open(bytes) {
        Ok(jpeg) => jpeg,
        Err(error) => return plain::header(PictureFormat::Jpeg, bytes, limits).map_err(with_reason(&error)),
    };
    let unsupported = jpeg.unsupported();
    if let Some(unsupported) = unsupported.filter(|unsupported| *unsupported != Unsupported::UnevenInks) {
        return Err(DecodeError::Unsupported { format: NAME, reason: unsupported.to_string() });
    }
    let frame = jpeg.frame();
    let (channels, profile) = match frame.components.len() {
        1 => (Channels::L, icc::profile(&jpeg, b"GRAY")),
        3 => (Channels::Rgb, icc::profile(&jpeg, b"RGB ")),
        _ => (Channels::Rgb, None),
    };
    Ok(Header {
        stored: Size::new(frame.width, frame.height),
        orientation: None,
        layout: PixelLayout { channels, deep: false },
        icc_profile: profile.map(Into::into),
        decodes_in_part: frame.is_sequential() && !cmyk::needs_all_pixels(&jpeg) && unsupported.is_none(),
        note: None,
    })
}

/// Decodes at least what `want` says. Progressive and arithmetic-coded files may be decoded in part as well, though it saves
/// them less.
///
/// Damage is not seen if it leaves as much data as the picture needs and no light or colour beyond what there is: the format has
/// no checksums. In an arithmetic-coded file it is seen only if it lies above the end of the part.
pub(super) fn pixels(
    bytes: &[u8],
    header: &Header,
    request: StoredRequest,
    limits: &DecodeLimits,
    index: &Index,
) -> Result<Decoded, DecodeError> {
    if header.stored.pixels() > limits.max_pixels {
        return Err(DecodeError::TooManyPixels { size: header.stored, limit: limits.max_pixels });
    }
    let jpeg = Jpeg::open(bytes).map(|jpeg| jpeg.with_index(index));
    let error = match jpeg.as_ref().map_err(Error::clone).and_then(|jpeg| decode(jpeg, request)) {
        Ok(decoded) => return Ok(decoded),
        Err(error) => error,
    };
    let mut decoded =
        plain::pixels(PictureFormat::Jpeg, bytes, header, request, limits).map_err(with_reason(&error))?;
    tracing::debug!(%error, "read by the second JPEG reader");
    decoded.damage = match jpeg {
        Ok(jpeg) => jpeg.damage_without_rows().map(damage_of),
        Err(_) => {
            let reason = DamageCause::EndMissing.to_string();
            Some(Damage { missing_rows: 0, rows: header.stored.height, reason })
        }
    };
    Ok(decoded)
}

fn decode(jpeg: &Jpeg<'_>, request: StoredRequest) -> Result<Decoded, Error> {
    let frame = jpeg.frame();
    let side = |start: i32| u32::try_from(start).unwrap_or(0);
    let region = if cmyk::needs_all_pixels(jpeg) {
        Region { left: 0, top: 0, width: frame.width, height: frame.height }
    } else {
        let PixelRect { x, y, width, height } = request.region;
        Region { left: side(x), top: side(y), width, height }
    };
    let decoded = jpeg.decode(region, Scale::from_reduction(request.reduction).unwrap_or_default())?;
    let (channels, samples) = match decoded.format {
        SampleFormat::Grey => (Channels::L, decoded.samples),
        SampleFormat::Rgb => (Channels::Rgb, decoded.samples),
        SampleFormat::Cmyk => (Channels::Rgb, cmyk::to_srgb(decoded.samples, jpeg)),
    };
    let pixels = Pixels::from_u8(Size::new(decoded.width, decoded.height), channels, samples)
        .ok_or_else(|| Error::Decoder("it gave another number of pixels than promised".to_owned()))?;
    Ok(Decoded {
        pixels,
        corner: (decoded.left, decoded.top),
        reduction: decoded.scale.reduction(),
        damage: decoded.damage.map(damage_of),
        icc_profile: None,
    })
}

/// Puts the words of the first reader in place of those of the second, since they are the better ones.
fn with_reason(first: &Error) -> impl Fn(DecodeError) -> DecodeError {
    move |second| match second {
        DecodeError::Broken { format, .. } => DecodeError::Broken { format, reason: first.to_string() },
        other => other,
    }
}

fn damage_of(damage: jpeg_region::Damage) -> Damage {
    let jpeg_region::Damage { missing_rows, rows, cause } = damage;
    Damage { missing_rows, rows, reason: cause.to_string() }
}

/// True where decoding takes long: many scans of many pixels, each of which goes through all of the picture.
pub(super) fn is_slow(bytes: &[u8]) -> bool {
    Jpeg::open(bytes).is_ok_and(|jpeg| jpeg.frame().pixels().saturating_mul(jpeg.scan_count() as u64) > SLOW_PIXELS)
}

/// True where the file has its end marker.
pub(super) fn has_end(bytes: &[u8]) -> bool {
    Jpeg::open(bytes).is_ok_and(|jpeg| jpeg.is_complete())
}

/// What is wrong with a file whose pixels another reader has read. `None` also where nothing can be said.
pub(super) fn damage(bytes: &[u8]) -> Option<Damage> {
    Jpeg::open(bytes).ok()?.damage().map(damage_of)
}
