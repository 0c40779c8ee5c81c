//! JPEG: read whole or in part, at full or reduced size.
//!
//! The first reader is `libjpeg-turbo-rs`, which can leave out rows and columns and decode at 1/2, 1/4 and 1/8. What it refuses
//! or panics on is tried with the `image` crate's reader. CMYK comes out as sRGB.

mod cmyk;
mod coding;
mod damage;
mod excerpt;
mod first_reader;
mod huffman;
mod icc;
mod part;
mod quick;
mod reading;
mod reduced;
mod scan;
mod structure;
#[cfg(test)]
mod tests;
mod walk;

use std::panic::{AssertUnwindSafe, catch_unwind};

use icc::Icc;

use outcome::{Channels, Damage, DecodeError, PictureFormat, PixelLayout};

use super::{Decoded, Header, plain};
use crate::want::StoredWant;
pub(crate) use quick::Kept;
use structure::{Frame, MAX_SCANS, Structure};
use walk::Walked;

use recipe::DecodeLimits;

const NAME: &str = PictureFormat::Jpeg.name();

/// Pixels, counted once for each scan, from which on decoding takes a second or more.
const SLOW_PIXELS: u64 = 1_500_000_000;

/// Said where no frame header followed by a scan is found.
const NO_HEADER: &str = "it ends, or is damaged, before its pixels";

/// Reads the header of a JPEG file.
pub(super) fn header(bytes: &[u8], limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let Some(structure) = Structure::read(bytes) else {
        return plain::header(PictureFormat::Jpeg, bytes, limits).map_err(|error| match error {
            DecodeError::Broken { format, .. } => DecodeError::Broken { format, reason: NO_HEADER.to_owned() },
            other => other,
        });
    };
    let frame = &structure.frame;
    if let Some(reason) = refusal(&structure) {
        return Err(DecodeError::Unsupported { format: NAME, reason });
    }
    let channels = if frame.components.len() == 1 { Channels::L } else { Channels::Rgb };
    let profile = match frame.components.len() {
        1 => structure.icc.profile(b"GRAY"),
        3 => structure.icc.profile(b"RGB "),
        _ => None,
    };
    Ok(Header {
        stored: frame.size,
        orientation: None,
        layout: PixelLayout { channels, deep: false },
        icc_profile: profile.map(Into::into),
        decodes_in_part: frame.is_sequential() && !cmyk::needs_all_pixels(&structure) && !frame.has_uneven_inks(),
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
    want: StoredWant,
    limits: &DecodeLimits,
    kept: &Kept,
) -> Result<Decoded, DecodeError> {
    if header.stored.pixels() > limits.max_pixels {
        return Err(DecodeError::TooManyPixels { size: header.stored, limit: limits.max_pixels });
    }
    let structure = Structure::read(bytes);
    let reason = match &structure {
        Some(structure) => {
            // The reader is young and has vector code of its own: a panic in it is one file's trouble, not the program's.
            let read = catch_unwind(AssertUnwindSafe(|| match quick::read(bytes, structure, want, limits, kept) {
                Some(decoded) => Ok(decoded),
                None => first_reader::read(bytes, structure, want, limits, kept.walked(bytes, structure)),
            }));
            match read {
                Ok(Ok(decoded)) => return Ok(decoded),
                Ok(Err(reason)) => reason,
                Err(_) => "the reader failed".to_owned(),
            }
        }
        None => NO_HEADER.to_owned(),
    };
    let mut decoded = plain::pixels(PictureFormat::Jpeg, bytes, header, want, limits).map_err(|error| match error {
        // The first reader's words are the better ones.
        DecodeError::Broken { format, .. } => DecodeError::Broken { format, reason: reason.clone() },
        other => other,
    })?;
    tracing::debug!(reason, "read by the second JPEG reader");
    decoded.damage = match structure.filter(|structure| structure.is_complete) {
        Some(structure) => damage::of_walked(kept.walked(bytes, &structure), &structure),
        None => {
            let reason = "the end of the file is missing".to_owned();
            Some(Damage { missing_rows: 0, rows: header.stored.height, reason })
        }
    };
    Ok(decoded)
}

/// True where decoding takes long: many scans of many pixels, each of which goes through all of the picture.
pub(super) fn is_slow(bytes: &[u8]) -> bool {
    let pixels = |structure: &Structure| structure.frame.size.pixels().saturating_mul(structure.scans.len() as u64);
    Structure::read(bytes).is_some_and(|structure| pixels(&structure) > SLOW_PIXELS)
}

/// True where the file has its end marker.
pub(super) fn has_end(bytes: &[u8]) -> bool {
    Structure::read(bytes).is_some_and(|structure| structure.is_complete)
}

/// What is wrong with a file whose pixels another reader has read. `None` also where nothing can be said.
pub(super) fn damage(bytes: &[u8]) -> Option<Damage> {
    let structure = Structure::read(bytes)?;
    if refusal(&structure).is_some() {
        return None;
    }
    let walked = Kept::default().walked(bytes, &structure);
    if walked == Walked::Sound {
        return None;
    }
    let damage = catch_unwind(AssertUnwindSafe(|| first_reader::judge(bytes, &structure))).ok().flatten();
    damage.or_else(|| damage::of_walked(walked, &structure))
}

/// Why a sound file is of a kind that is not read here.
fn refusal(structure: &Structure) -> Option<String> {
    let Frame { kind, precision, size, components, .. } = &structure.frame;
    let reason = match kind {
        0xc3 | 0xcb => "lossless JPEG; save it as an ordinary JPEG or as PNG".to_owned(),
        0xc5..=0xc7 | 0xcd..=0xcf => "hierarchical JPEG".to_owned(),
        0xf7 => "JPEG-LS; save it as an ordinary JPEG or as PNG".to_owned(),
        _ if *precision != 8 => format!("{precision} bits a sample; save it with 8"),
        _ if !matches!(components.len(), 1 | 3 | 4) => format!("{} colour components", components.len()),
        _ if !structure.frame.is_usual() => "colours stored in an unusual way; save it anew".to_owned(),
        _ if structure.scans.iter().any(|scan| structure.frame.is_mixed(scan)) => {
            "light and colours are stored in scans of two; save it anew".to_owned()
        }
        _ if size.height == 0 => "its height is only said behind the pixels".to_owned(),
        _ if structure.scans.len() > MAX_SCANS => format!("more than {MAX_SCANS} scans"),
        _ => return None,
    };
    Some(reason)
}
