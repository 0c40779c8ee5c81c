//! JPEG: decoded in whole or in part, at full or reduced size, by `jpeg-region`.
//!
//! The decoder of the `image` crate is the fallback. CMYK is converted to sRGB.

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

/// Number of pixels times scans from which a decode takes a second or more.
const SLOW_PIXELS: u64 = 1_500_000_000;

/// Reads the header of a JPEG file.
pub(super) fn header(bytes: &[u8], limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let jpeg = match Jpeg::open(bytes) {
        Ok(jpeg) => jpeg,
        Err(error) => return plain::header(PictureFormat::Jpeg, bytes, limits).map_err(with_first_error(&error)),
    };
    let unsupported = jpeg.unsupported();
    if let Some(unsupported) = unsupported.filter(|unsupported| *unsupported != Unsupported::UnevenSampling) {
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

/// Decodes at least the requested region. Progressive and arithmetic-coded files can be decoded in part as well, though
/// this saves less.
///
/// Damage is not detected if it leaves the amount of data unchanged and all DC coefficients in range: the format has no
/// checksums. In an arithmetic-coded file it is detected only above the end of the region.
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
        plain::pixels(PictureFormat::Jpeg, bytes, header, request, limits).map_err(with_first_error(&error))?;
    tracing::debug!(%error, "decoded by the fallback JPEG decoder");
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
        .ok_or_else(|| Error::Decoder("its number of pixels does not match its header".to_owned()))?;
    Ok(Decoded {
        pixels,
        corner: (decoded.left, decoded.top),
        reduction: decoded.scale.reduction(),
        damage: decoded.damage.map(damage_of),
        icc_profile: None,
    })
}

/// Replaces the error of the fallback decoder with that of the first, which is more accurate.
fn with_first_error(first: &Error) -> impl Fn(DecodeError) -> DecodeError {
    move |second| match second {
        DecodeError::Broken { format, .. } => DecodeError::Broken { format, reason: first.to_string() },
        other => other,
    }
}

fn damage_of(damage: jpeg_region::Damage) -> Damage {
    let jpeg_region::Damage { missing_rows, rows, cause } = damage;
    Damage { missing_rows, rows, reason: cause.to_string() }
}

/// True if decoding takes long: many scans of many pixels, each of which covers the whole image.
pub(super) fn is_slow(bytes: &[u8]) -> bool {
    Jpeg::open(bytes).is_ok_and(|jpeg| jpeg.frame().pixels().saturating_mul(jpeg.scan_count() as u64) > SLOW_PIXELS)
}

/// True if the file has its end marker.
pub(super) fn has_end(bytes: &[u8]) -> bool {
    Jpeg::open(bytes).is_ok_and(|jpeg| jpeg.is_complete())
}

/// Damage of a file that the fallback decoder has decoded. `None` also if it cannot be determined.
pub(super) fn damage(bytes: &[u8]) -> Option<Damage> {
    Jpeg::open(bytes).ok()?.damage().map(damage_of)
}
