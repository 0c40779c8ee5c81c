//! The answer of a child: the length of its facts, the facts as JSON, the bytes of a profile, samples in native byte
//! order.
//!
//! A compromised decoder may write anything here, so every number is checked.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use geometry::{Orientation, Size};
use outcome::{Damage, DecodeError, LibraryProblem, PictureFormat, PictureNote, PixelLayout};

use crate::formats::{Decoded, Header};
use crate::{Pixels, Samples, formats, memory};

/// Maximum bytes of the facts; error messages are the longest of them.
const MAX_FACTS_BYTES: u64 = 1 << 16;

/// Maximum bytes of a profile.
const MAX_PROFILE_BYTES: u64 = 64 << 20;

/// The result of a request.
pub(super) enum Answer {
    /// A header, and the peak memory in bytes per decoded pixel.
    Header(Header, u64),
    Pixels(Decoded),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Facts {
    Header {
        stored: Size,
        layout: PixelLayout,
        profile: Profile,
        note: Option<PictureNote>,
        bytes_per_pixel: u64,
    },
    Pixels {
        size: Size,
        layout: PixelLayout,
        corner: (u32, u32),
        reduction: u32,
        damage: Option<Damage>,
        profile: Profile,
    },
    Refused(RemoteError),
}

/// A profile; its bytes follow the facts.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Profile {
    AsBefore,
    None,
    Bytes(u64),
}

/// An error, without the data that the parent has itself.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum RemoteError {
    Broken(String),
    Unsupported(String),
    NeedsLibrary(LibraryProblem),
    TooMuchMemory { bytes: u64, limit: u64 },
    NoMemory(u64),
    Failed(String),
}

impl Profile {
    fn of(profile: Option<&[u8]>) -> Self {
        profile.map_or(Self::None, |profile| Self::Bytes(profile.len() as u64))
    }

    /// Reads the bytes; the outer `None` is [`Profile::AsBefore`].
    fn read(&self, file: &mut File) -> io::Result<Option<Option<Arc<[u8]>>>> {
        match self {
            Self::AsBefore => Ok(None),
            Self::None => Ok(Some(None)),
            Self::Bytes(length) if *length > MAX_PROFILE_BYTES => Err(io::ErrorKind::InvalidData.into()),
            Self::Bytes(length) => {
                let mut bytes = Vec::new();
                file.take(*length).read_to_end(&mut bytes)?;
                Ok(Some(Some(bytes.into())))
            }
        }
    }
}

impl RemoteError {
    fn of(error: DecodeError) -> Self {
        match error {
            DecodeError::Broken { reason, .. } => Self::Broken(reason),
            DecodeError::Unsupported { reason, .. } => Self::Unsupported(reason),
            DecodeError::NeedsLibrary { problem, .. } => Self::NeedsLibrary(problem),
            DecodeError::TooMuchMemory { bytes, limit } => Self::TooMuchMemory { bytes, limit },
            DecodeError::NoMemory { bytes } => Self::NoMemory(bytes),
            DecodeError::DecoderFailed { how, .. } => Self::Failed(how),
            other => Self::Failed(other.to_string()),
        }
    }

    fn into_error(self, format: PictureFormat) -> DecodeError {
        let format = format.name();
        match self {
            Self::Broken(reason) => DecodeError::Broken { format, reason },
            Self::Unsupported(reason) => DecodeError::Unsupported { format, reason },
            Self::NeedsLibrary(problem) => formats::heif::needs_library(problem),
            Self::TooMuchMemory { bytes, limit } => DecodeError::TooMuchMemory { bytes, limit },
            Self::NoMemory(bytes) => DecodeError::NoMemory { bytes },
            Self::Failed(how) => DecodeError::DecoderFailed { format, how },
        }
    }
}

pub(super) fn invalid_answer(format: PictureFormat) -> DecodeError {
    DecodeError::DecoderFailed { format: format.name(), how: "its answer is invalid".to_owned() }
}

/// True if the decoded region is within an image of `stored` pixels.
pub(super) fn is_inside(decoded: &Decoded, stored: Size) -> bool {
    let fits = |start: u32, length: u32, side: u32| {
        let end = u64::from(start) + u64::from(length) * u64::from(decoded.reduction);
        // Blocks at the right and the bottom edge may extend beyond it.
        end <= u64::from(side) + 64
    };
    let size = decoded.pixels.size();
    matches!(decoded.reduction, 1 | 2 | 4 | 8)
        && fits(decoded.corner.0, size.width, stored.width)
        && fits(decoded.corner.1, size.height, stored.height)
}

/// Writes an answer at the file's current position.
pub(super) fn write(file: &mut File, answer: Result<Answer, DecodeError>) -> io::Result<()> {
    let (mut profile, mut pixels) = (None, None);
    let facts = match answer {
        Err(error) => Facts::Refused(RemoteError::of(error)),
        Ok(Answer::Header(header, bytes_per_pixel)) => {
            let Header { stored, layout, icc_profile, note, .. } = header;
            profile = icc_profile;
            Facts::Header { stored, layout, profile: Profile::of(profile.as_deref()), note, bytes_per_pixel }
        }
        Ok(Answer::Pixels(Decoded { pixels: decoded, corner, reduction, damage, icc_profile })) => {
            let (size, layout) = (decoded.size(), decoded.layout());
            pixels = Some(decoded.into_samples());
            let found = icc_profile.is_some();
            profile = icc_profile.flatten();
            let profile = if found { Profile::of(profile.as_deref()) } else { Profile::AsBefore };
            Facts::Pixels { size, layout, corner, reduction, damage, profile }
        }
    };
    let facts = serde_json::to_vec(&facts)?;
    file.write_all(&(facts.len() as u64).to_ne_bytes())?;
    file.write_all(&facts)?;
    file.write_all(profile.as_deref().unwrap_or_default())?;
    match pixels {
        Some(Samples::U8(samples)) => file.write_all(&samples),
        Some(Samples::U16(samples)) => file.write_all(bytemuck::cast_slice(&samples)),
        None => Ok(()),
    }
}

/// Reads the answer in `file` from byte `start` on.
pub(super) fn read(file: &mut File, format: PictureFormat, start: u64) -> Result<Answer, DecodeError> {
    read_answer(file, format, start).unwrap_or_else(|_| Err(invalid_answer(format)))
}

fn read_answer(file: &mut File, format: PictureFormat, start: u64) -> io::Result<Result<Answer, DecodeError>> {
    file.seek(SeekFrom::Start(start))?;
    let mut length = [0; 8];
    file.read_exact(&mut length)?;
    let mut facts = Vec::new();
    file.take(u64::from_ne_bytes(length).min(MAX_FACTS_BYTES)).read_to_end(&mut facts)?;
    Ok(match serde_json::from_slice(&facts)? {
        Facts::Refused(refusal) => Err(refusal.into_error(format)),
        Facts::Header { stored, layout, profile, note, bytes_per_pixel } => {
            let header = Header {
                stored,
                orientation: Some(Orientation::Upright),
                layout,
                icc_profile: profile.read(file)?.flatten(),
                decodes_in_part: false,
                note,
            };
            Ok(Answer::Header(header, bytes_per_pixel))
        }
        Facts::Pixels { size, layout, corner, reduction, damage, profile } => {
            let icc_profile = profile.read(file)?;
            match samples(file, size, layout) {
                Ok(samples) => Pixels::new(size, layout.channels, samples)
                    .map(|pixels| Answer::Pixels(Decoded { pixels, corner, reduction, damage, icc_profile }))
                    .ok_or_else(|| invalid_answer(format)),
                Err(error) => Err(error.unwrap_or_else(|| invalid_answer(format))),
            }
        }
    })
}

/// Reads the samples, which must be the rest of the file. The error is `None` if they are not.
fn samples(file: &mut File, size: Size, layout: PixelLayout) -> Result<Samples, Option<DecodeError>> {
    let here = file.stream_position().map_err(|_| None)?;
    let rest = file.metadata().map_err(|_| None)?.len().saturating_sub(here);
    let count = size.pixels().checked_mul(layout.channels.count() as u64).ok_or(None)?;
    let bytes = size.pixels().checked_mul(layout.bytes() as u64).ok_or(None)?;
    if bytes != rest {
        return Err(None);
    }
    let count = usize::try_from(count).map_err(|_| None)?;
    if layout.deep {
        let mut samples = memory::zeroed::<u16>(count).map_err(Some)?;
        file.read_exact(bytemuck::cast_slice_mut(&mut samples)).map_err(|_| None)?;
        Ok(Samples::U16(samples))
    } else {
        let mut samples = memory::zeroed::<u8>(count).map_err(Some)?;
        file.read_exact(&mut samples).map_err(|_| None)?;
        Ok(Samples::U8(samples))
    }
}

#[cfg(test)]
mod tests;
