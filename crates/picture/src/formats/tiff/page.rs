//! The selection of a page, and its sample format.

use tiff::decoder::{Decoder, Limits};
use tiff::tags::{IfdPointer, Tag};
use tiff::{TiffError, TiffFormatError, TiffUnsupportedError};

use geometry::{Orientation, Size};
use outcome::DecodeError;
use recipe::DecodeLimits;

use super::NAME;
use super::patched::{Patch, RawSamples};
use crate::formats::parts::{TRUNCATED, broken, unsupported};
use crate::tiff_directory::Tiff;

/// Maximum number of pages that are checked for one that is not marked as a reduced copy.
const MAX_PAGES: usize = 64;

/// Maximum bytes of one entry, such as a colour profile or the offsets of all strips.
const ENTRY_BYTES: usize = 64 << 20;

/// Memory limit for the decoder in addition to a strip or tile of the image's size.
const OVERHEAD_BYTES: usize = 64 << 20;

pub(super) type PageDecoder<'a> = Decoder<RawSamples<'a>>;

/// The colour channels of a pixel; alpha and other extra samples follow them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Grey {
        /// True if 0 is white.
        white_is_zero: bool,
    },
    /// Red, green, blue.
    Rgb,
    /// A colour index, with colours of 8 bits each.
    Palette(Vec<[u8; 3]>),
    /// Cyan, magenta, yellow, black; 0 is no ink.
    Cmyk,
    /// Luma and two colour differences, with the luma weights of red, green and blue.
    YCbCr([u16; 3]),
}

impl Ink {
    /// Samples per pixel.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Grey { .. } | Self::Palette(_) => 1,
            Self::Rgb | Self::YCbCr(_) => 3,
            Self::Cmyk => 4,
        }
    }
}

/// The type of the first extra sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alpha {
    /// None or unknown.
    None,
    /// Premultiplied alpha.
    Associated,
    /// Straight alpha.
    Unassociated,
}

/// The storage format of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    /// 1, 2, 4 or 8 bits.
    Bits(u8),
    /// 16 bits.
    Short,
    /// 32 bits.
    Long,
    /// 16-bit floating point.
    Half,
    /// 32-bit floating point.
    Float,
}

impl Sample {
    pub(super) fn is_deep(self) -> bool {
        !matches!(self, Self::Bits(_))
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::Half | Self::Float)
    }

    /// Bits per sample.
    pub(super) fn bits(self) -> usize {
        match self {
            Self::Bits(bits) => usize::from(bits),
            Self::Short | Self::Half => 16,
            Self::Long | Self::Float => 32,
        }
    }
}

/// The selected page.
#[derive(Clone, Debug)]
pub(super) struct Page {
    pub(super) size: Size,
    pub(super) ink: Ink,
    pub(super) alpha: Alpha,
    pub(super) sample: Sample,
    /// Samples per pixel, including extra ones.
    pub(super) samples: usize,
    /// True if each channel is stored separately.
    pub(super) is_planar: bool,
    pub(super) compression: u16,
    pub(super) is_one_of_several: bool,
    /// True if the page is in a subdirectory of a small copy.
    pub(super) is_in_subdirectory: bool,
    /// The colour profile, or that of the small copy that the page belongs to.
    pub(super) profile: Option<Vec<u8>>,
}

impl Page {
    /// The first page that is not a reduced copy (or that such a copy references as its original), and a decoder that
    /// returns its raw samples.
    pub(super) fn open<'a>(bytes: &'a [u8], limits: &DecodeLimits) -> Result<(Self, PageDecoder<'a>), DecodeError> {
        let mut decoder = Decoder::new(RawSamples::new(bytes, Vec::new())).map_err(|error| refused(&error))?;
        let Chosen { directory, is_one_of_several, is_in_subdirectory, profile } = choose(&mut decoder);
        let missing = || broken(NAME, "its photometric interpretation is missing");
        let file = Tiff::new(bytes).ok_or_else(missing)?;
        let first = Patch::first_directory(&file, directory);
        let mut decoder = Decoder::new(RawSamples::new(bytes, vec![first.clone()])).map_err(|error| refused(&error))?;
        let photometric = tag(&mut decoder, Tag::PhotometricInterpretation).unwrap_or(0);
        let place = file.place_of_value(directory, Tag::PhotometricInterpretation.to_u16()).ok_or_else(missing)?;
        let patches = vec![first, Patch::grey(&file, place)];
        let decoder = Decoder::new(RawSamples::new(bytes, patches)).map_err(|error| refused(&error))?;
        let mut bounds = Limits::default();
        bounds.ifd_value_size = ENTRY_BYTES;
        let max = limits.memory_budget.saturating_mul(2).saturating_add(OVERHEAD_BYTES as u64);
        bounds.decoding_buffer_size = usize::try_from(max).unwrap_or(usize::MAX);
        bounds.intermediate_buffer_size = bounds.decoding_buffer_size;
        let mut decoder = decoder.with_limits(bounds);
        let mut page = Self::read(&mut decoder, photometric)?;
        page.is_one_of_several = is_one_of_several;
        page.is_in_subdirectory = is_in_subdirectory;
        page.profile = icc_profile(&mut decoder).or(profile);
        Ok((page, decoder))
    }

    fn read(decoder: &mut PageDecoder<'_>, photometric: u32) -> Result<Self, DecodeError> {
        let (width, height) = decoder.dimensions().map_err(|error| refused(&error))?;
        let number = |decoder: &mut PageDecoder<'_>, name, default| tag(decoder, name).unwrap_or(default);
        let samples = number(decoder, Tag::SamplesPerPixel, 1) as usize;
        let bits = first(decoder, Tag::BitsPerSample).unwrap_or(1);
        let compression = number(decoder, Tag::Compression, 1) as u16;
        let is_planar = number(decoder, Tag::PlanarConfiguration, 1) == 2;
        let sample = sample(bits, first(decoder, Tag::SampleFormat).unwrap_or(1))?;
        if number(decoder, Tag::FillOrder, 1) == 2 && compression != 7 {
            return Err(unsupported(NAME, "its bits are in reverse order (fill order 2)"));
        }
        let ink = ink(decoder, photometric, bits, compression)?;
        if samples < ink.count() || samples > 32 {
            return Err(broken(NAME, format!("{samples} samples per pixel do not match its colour type")));
        }
        let alpha = alpha(decoder, samples > ink.count(), &ink);
        let fits = match (&ink, sample) {
            (Ink::Palette(_) | Ink::YCbCr(_), sample) => !sample.is_deep(),
            (Ink::Cmyk, sample) => matches!(sample, Sample::Bits(8) | Sample::Short),
            _ => true,
        };
        let is_packed = bits < 8 && samples > 1;
        if !fits || is_packed {
            return Err(unsupported(NAME, format!("{bits} bits per sample with this colour type")));
        }
        Ok(Self {
            size: Size::new(width, height),
            ink,
            alpha,
            sample,
            samples,
            is_planar: is_planar && samples > 1,
            compression,
            is_one_of_several: false,
            is_in_subdirectory: false,
            profile: None,
        })
    }
}

fn sample(bits: u32, format: u32) -> Result<Sample, DecodeError> {
    match (format, bits) {
        (1 | 4, 1 | 2 | 4 | 8) => Ok(Sample::Bits(bits as u8)),
        (1 | 4, 16) => Ok(Sample::Short),
        (1 | 4, 32) => Ok(Sample::Long),
        (3, 16) => Ok(Sample::Half),
        (3, 32) => Ok(Sample::Float),
        (2, _) => Err(unsupported(NAME, "its samples are signed numbers; save it as 16 bits first")),
        (3, _) => Err(unsupported(NAME, format!("floating-point samples of {bits} bits; save it as 16 bits first"))),
        (1 | 4, _) => Err(unsupported(NAME, format!("{bits} bits per sample; save it as 8 or 16 bits first"))),
        _ => Err(unsupported(NAME, "its samples are complex numbers")),
    }
}

fn ink(decoder: &mut PageDecoder<'_>, photometric: u32, bits: u32, compression: u16) -> Result<Ink, DecodeError> {
    match photometric {
        0 | 1 => Ok(Ink::Grey { white_is_zero: photometric == 0 }),
        2 => Ok(Ink::Rgb),
        3 => palette(decoder, bits).map(Ink::Palette),
        4 => Err(unsupported(NAME, "it is a mask, not an image")),
        5 if tag(decoder, Tag::Unknown(332)).unwrap_or(1) != 1 => {
            Err(unsupported(NAME, "inks other than cyan, magenta, yellow and black; convert it to RGB first"))
        }
        5 => Ok(Ink::Cmyk),
        6 => {
            let subsampled = decoder.find_tag_unsigned_vec::<u32>(Tag::ChromaSubsampling).ok().flatten();
            if compression != 7 && subsampled.is_none_or(|sides| sides != [1, 1]) {
                return Err(unsupported(NAME, "uncompressed YCbCr with subsampled colours; convert it to RGB first"));
            }
            let weights =
                decoder.find_tag(Tag::Unknown(529)).ok().flatten().and_then(|value| value.into_f32_vec().ok());
            let weights =
                weights.and_then(|weights| <[f32; 3]>::try_from(weights).ok()).unwrap_or([0.299, 0.587, 0.114]);
            Ok(Ink::YCbCr(weights.map(|weight| (weight * 1e4).round().clamp(0.0, 1e4) as u16)))
        }
        8..=10 => Err(unsupported(NAME, "Lab colour; convert it to RGB first")),
        other => Err(unsupported(NAME, format!("an unknown colour type ({other})"))),
    }
}

fn palette(decoder: &mut PageDecoder<'_>, bits: u32) -> Result<Vec<[u8; 3]>, DecodeError> {
    let entries = decoder.find_tag_unsigned_vec::<u16>(Tag::ColorMap).ok().flatten().unwrap_or_default();
    let count = 1_usize << bits.min(8);
    if entries.len() < count * 3 {
        return Err(broken(NAME, "its palette is missing or too short"));
    }
    // Colours have 16 bits, but some writers store 8-bit values.
    let shift = if entries.iter().all(|entry| *entry < 256) { 0 } else { 8 };
    let channel = |start: usize, index: usize| (entries[start * count + index] >> shift) as u8;
    Ok((0..count).map(|index| [channel(0, index), channel(1, index), channel(2, index)]).collect())
}

fn alpha(decoder: &mut PageDecoder<'_>, has_extra: bool, ink: &Ink) -> Alpha {
    if !has_extra {
        return Alpha::None;
    }
    let kinds = decoder.find_tag_unsigned_vec::<u16>(Tag::ExtraSamples).ok().flatten();
    match kinds.as_deref().map(|kinds| kinds.first().copied()) {
        // Unspecified: for grey and RGB, extra samples can only be alpha.
        None if matches!(ink, Ink::Grey { .. } | Ink::Rgb) => Alpha::Unassociated,
        Some(Some(1)) => Alpha::Associated,
        Some(Some(2)) => Alpha::Unassociated,
        _ => Alpha::None,
    }
}

/// The selected page.
struct Chosen {
    /// Offset of its directory.
    directory: u64,
    is_one_of_several: bool,
    is_in_subdirectory: bool,
    /// The profile of the page, or of the small copy that references it.
    profile: Option<Vec<u8>>,
}

/// Finds the first page that is not a reduced copy or a mask. A small copy at the start may have its original in a
/// subdirectory (TIFF/EP, as written by scanners and cameras); if no page is marked as full, the first page is
/// selected.
fn choose(decoder: &mut PageDecoder<'_>) -> Chosen {
    let here = |decoder: &mut PageDecoder<'_>| decoder.ifd_pointer().map_or(0, |pointer| pointer.0);
    let mut chosen =
        Chosen { directory: here(decoder), is_one_of_several: false, is_in_subdirectory: false, profile: None };
    let mut is_found = false;
    for _ in 0..MAX_PAGES {
        let is_full = is_full(tag(decoder, Tag::NewSubfileType), tag(decoder, Tag::SubfileType));
        let found = if is_full { Some(here(decoder)) } else { full_in_subdirectories(decoder) };
        if let Some(directory) = found {
            if is_found {
                return Chosen { is_one_of_several: true, ..chosen };
            }
            is_found = true;
            chosen = Chosen { directory, is_in_subdirectory: !is_full, profile: icc_profile(decoder), ..chosen };
        }
        if !decoder.more_images() || decoder.next_image().is_err() {
            break;
        }
    }
    chosen
}

/// Bit 0 of the new tag, value 2 of the old one: a reduced copy. Bit 2: a mask.
fn is_full(kind: Option<u32>, old_kind: Option<u32>) -> bool {
    kind.unwrap_or(0) & 0b101 == 0 && old_kind != Some(2)
}

/// The largest image in the subdirectories of this page that is not a reduced copy.
fn full_in_subdirectories(decoder: &mut PageDecoder<'_>) -> Option<u64> {
    let below = decoder.find_tag_unsigned_vec::<u64>(Tag::SubIfd).ok().flatten()?;
    let mut best = None;
    for start in below.into_iter().take(MAX_PAGES) {
        let Ok(directory) = decoder.read_directory(IfdPointer(start)) else { continue };
        let mut tags = decoder.read_directory_tags(&directory);
        let mut number = |name| tags.find_tag_unsigned::<u32>(name).ok().flatten();
        let (kind, old_kind) = (number(Tag::NewSubfileType), number(Tag::SubfileType));
        let pixels = Size::new(number(Tag::ImageWidth).unwrap_or(0), number(Tag::ImageLength).unwrap_or(0)).pixels();
        if is_full(kind, old_kind) && pixels > best.map_or(0, |(pixels, _)| pixels) {
            best = Some((pixels, start));
        }
    }
    best.map(|(_, start)| start)
}

fn tag(decoder: &mut PageDecoder<'_>, tag: Tag) -> Option<u32> {
    decoder.find_tag_unsigned::<u32>(tag).ok().flatten()
}

fn first(decoder: &mut PageDecoder<'_>, tag: Tag) -> Option<u32> {
    decoder.find_tag_unsigned_vec::<u32>(tag).ok().flatten()?.first().copied()
}

/// The orientation of a page in a subdirectory; `None` if that of the first page applies.
pub(super) fn orientation(decoder: &mut PageDecoder<'_>, is_in_subdirectory: bool) -> Option<Orientation> {
    let orientation_tag = tag(decoder, Tag::Orientation).filter(|_| is_in_subdirectory)?;
    u16::try_from(orientation_tag).ok().filter(|value| (1..=8).contains(value)).map(Orientation::from_exif)
}

fn icc_profile(decoder: &mut PageDecoder<'_>) -> Option<Vec<u8>> {
    decoder.find_tag(Tag::IccProfile).ok().flatten()?.into_u8_vec().ok()
}

pub(super) fn refused(error: &TiffError) -> DecodeError {
    match error {
        TiffError::UnsupportedError(TiffUnsupportedError::UnknownInterpretation) => {
            unsupported(NAME, "its photometric interpretation is missing or unknown")
        }
        TiffError::UnsupportedError(error) => unsupported(NAME, error.to_string()),
        TiffError::LimitsExceeded => broken(NAME, "it needs too much memory"),
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => broken(NAME, TRUNCATED),
        TiffError::FormatError(TiffFormatError::CompressedDataCorrupt(reason)) => broken(NAME, reason.clone()),
        error => broken(NAME, error.to_string()),
    }
}
