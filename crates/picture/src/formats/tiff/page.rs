//! Which page of a file is read, and what its samples are.

use tiff::decoder::{Decoder, Limits};
use tiff::tags::{IfdPointer, Tag};
use tiff::{TiffError, TiffFormatError, TiffUnsupportedError};

use geometry::{Orientation, Size};
use outcome::DecodeError;
use recipe::DecodeLimits;

use super::NAME;
use super::patched::{Patch, RawSamples};
use crate::formats::parts::{CUT, broken, unsupported};
use crate::tiff_directory::Tiff;

/// Pages looked at for one that is not marked as a reduced copy.
const MAX_PAGES: usize = 64;

/// Bytes of one entry, such as a colour profile or the places of all strips.
const ENTRY_BYTES: usize = 64 << 20;

/// Bytes that the decoder may take for a strip or a tile beside what the picture's size asks for.
const BESIDE_BYTES: usize = 64 << 20;

pub(super) type PageDecoder<'a> = Decoder<RawSamples<'a>>;

/// What the samples of a pixel say; alpha and other extra samples come behind them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    /// Grey.
    Grey {
        /// True where 0 is white.
        white_is_zero: bool,
    },
    /// Red, green, blue.
    Rgb,
    /// The index of a colour, 8 bits each.
    Palette(Vec<[u8; 3]>),
    /// Cyan, magenta, yellow, black; 0 is no ink.
    Cmyk,
    /// Luma and two colour differences, with the luma weights of red, green and blue.
    YCbCr([u16; 3]),
}

impl Ink {
    /// Samples a pixel.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Grey { .. } | Self::Palette(_) => 1,
            Self::Rgb | Self::YCbCr(_) => 3,
            Self::Cmyk => 4,
        }
    }
}

/// What the first extra sample is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alpha {
    /// Nothing known.
    None,
    /// Alpha that colour is multiplied by.
    Associated,
    /// Alpha that colour is not multiplied by.
    Unassociated,
}

/// How a sample is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    /// 1, 2, 4 or 8 bits.
    Bits(u8),
    /// 16 bits.
    Short,
    /// 32 bits.
    Long,
    /// A floating-point number of 16 bits.
    Half,
    /// A floating-point number of 32 bits.
    Float,
}

impl Sample {
    pub(super) fn is_deep(self) -> bool {
        !matches!(self, Self::Bits(_))
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::Half | Self::Float)
    }

    /// Bits a sample.
    pub(super) fn bits(self) -> usize {
        match self {
            Self::Bits(bits) => usize::from(bits),
            Self::Short | Self::Half => 16,
            Self::Long | Self::Float => 32,
        }
    }
}

/// The page that is read.
#[derive(Clone, Debug)]
pub(super) struct Page {
    pub(super) size: Size,
    pub(super) ink: Ink,
    pub(super) alpha: Alpha,
    pub(super) sample: Sample,
    /// Samples a pixel, extra ones among them.
    pub(super) samples: usize,
    /// True where each sample of all pixels is stored on its own.
    pub(super) is_planar: bool,
    pub(super) compression: u16,
    pub(super) is_one_of_several: bool,
    /// True where the page hangs below a small copy of it.
    pub(super) is_below_another: bool,
    /// The colour profile, or that of the small copy that the page belongs to.
    pub(super) profile: Option<Vec<u8>>,
}

impl Page {
    /// The first page that is not a reduced copy (or that such a copy names as its original), and a decoder that gives its samples raw.
    pub(super) fn open<'a>(bytes: &'a [u8], limits: &DecodeLimits) -> Result<(Self, PageDecoder<'a>), DecodeError> {
        let mut decoder = Decoder::new(RawSamples::new(bytes, Vec::new())).map_err(|error| refused(&error))?;
        let Chosen { directory, is_one_of_several, is_below_another, profile } = choose(&mut decoder);
        let says_nothing = || broken(NAME, "it does not say what its samples mean");
        let file = Tiff::new(bytes).ok_or_else(says_nothing)?;
        let first = Patch::first_directory(&file, directory);
        let mut decoder = Decoder::new(RawSamples::new(bytes, vec![first.clone()])).map_err(|error| refused(&error))?;
        let photometric = tag(&mut decoder, Tag::PhotometricInterpretation).unwrap_or(0);
        let place = file.place_of_value(directory, Tag::PhotometricInterpretation.to_u16()).ok_or_else(says_nothing)?;
        let patches = vec![first, Patch::grey(&file, place)];
        let decoder = Decoder::new(RawSamples::new(bytes, patches)).map_err(|error| refused(&error))?;
        let mut bounds = Limits::default();
        bounds.ifd_value_size = ENTRY_BYTES;
        let max = limits.memory_budget.saturating_mul(2).saturating_add(BESIDE_BYTES as u64);
        bounds.decoding_buffer_size = usize::try_from(max).unwrap_or(usize::MAX);
        bounds.intermediate_buffer_size = bounds.decoding_buffer_size;
        let mut decoder = decoder.with_limits(bounds);
        let mut page = Self::read(&mut decoder, photometric)?;
        page.is_one_of_several = is_one_of_several;
        page.is_below_another = is_below_another;
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
            return Err(unsupported(NAME, "its bits are stored backwards (fill order 2)"));
        }
        let ink = ink(decoder, photometric, bits, compression)?;
        if samples < ink.count() || samples > 32 {
            return Err(broken(NAME, format!("{samples} samples a pixel do not fit its kind of colour")));
        }
        let alpha = alpha(decoder, samples > ink.count(), &ink);
        let fits = match (&ink, sample) {
            (Ink::Palette(_) | Ink::YCbCr(_), sample) => !sample.is_deep(),
            (Ink::Cmyk, sample) => matches!(sample, Sample::Bits(8) | Sample::Short),
            _ => true,
        };
        let is_packed = bits < 8 && samples > 1;
        if !fits || is_packed {
            return Err(unsupported(NAME, format!("{bits} bits a sample with this kind of colour")));
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
            is_below_another: false,
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
        (2, _) => {
            Err(unsupported(NAME, "its samples are signed numbers, as in measurements; save it as 16 bits first"))
        }
        (3, _) => Err(unsupported(NAME, format!("floating-point samples of {bits} bits; save it as 16 bits first"))),
        (1 | 4, _) => Err(unsupported(NAME, format!("{bits} bits a sample; save it as 8 or 16 bits first"))),
        _ => Err(unsupported(NAME, "its samples are complex numbers")),
    }
}

fn ink(decoder: &mut PageDecoder<'_>, photometric: u32, bits: u32, compression: u16) -> Result<Ink, DecodeError> {
    match photometric {
        0 | 1 => Ok(Ink::Grey { white_is_zero: photometric == 0 }),
        2 => Ok(Ink::Rgb),
        3 => palette(decoder, bits).map(Ink::Palette),
        4 => Err(unsupported(NAME, "it is a mask, not a picture")),
        5 if tag(decoder, Tag::Unknown(332)).unwrap_or(1) != 1 => {
            Err(unsupported(NAME, "inks other than cyan, magenta, yellow and black; convert it to RGB first"))
        }
        5 => Ok(Ink::Cmyk),
        6 => {
            let subsampled = decoder.find_tag_unsigned_vec::<u32>(Tag::ChromaSubsampling).ok().flatten();
            if compression != 7 && subsampled.is_none_or(|sides| sides != [1, 1]) {
                return Err(unsupported(NAME, "uncompressed YCbCr with fewer colour samples; convert it to RGB first"));
            }
            let weights =
                decoder.find_tag(Tag::Unknown(529)).ok().flatten().and_then(|value| value.into_f32_vec().ok());
            let weights =
                weights.and_then(|weights| <[f32; 3]>::try_from(weights).ok()).unwrap_or([0.299, 0.587, 0.114]);
            Ok(Ink::YCbCr(weights.map(|weight| (weight * 1e4).round().clamp(0.0, 1e4) as u16)))
        }
        8..=10 => Err(unsupported(NAME, "Lab colour; convert it to RGB first")),
        other => Err(unsupported(NAME, format!("an unknown kind of colour ({other})"))),
    }
}

fn palette(decoder: &mut PageDecoder<'_>, bits: u32) -> Result<Vec<[u8; 3]>, DecodeError> {
    let entries = decoder.find_tag_unsigned_vec::<u16>(Tag::ColorMap).ok().flatten().unwrap_or_default();
    let count = 1_usize << bits.min(8);
    if entries.len() < count * 3 {
        return Err(broken(NAME, "its palette is missing or too short"));
    }
    // Colours have 16 bits, but some writers put 8-bit ones there.
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
        // Not said at all: of grey and RGB nothing else comes as a further sample.
        None if matches!(ink, Ink::Grey { .. } | Ink::Rgb) => Alpha::Unassociated,
        Some(Some(1)) => Alpha::Associated,
        Some(Some(2)) => Alpha::Unassociated,
        _ => Alpha::None,
    }
}

/// The page that is read.
struct Chosen {
    /// Where its directory is.
    directory: u64,
    is_one_of_several: bool,
    is_below_another: bool,
    /// The profile of the page, or of the small copy that names it.
    profile: Option<Vec<u8>>,
}

/// Finds the first page that is not a reduced copy or a mask. A small copy that comes first may have the picture it was made of
/// below it (TIFF/EP, and what scanners and cameras write); where nothing is marked as whole, the first page is all there is.
fn choose(decoder: &mut PageDecoder<'_>) -> Chosen {
    let here = |decoder: &mut PageDecoder<'_>| decoder.ifd_pointer().map_or(0, |pointer| pointer.0);
    let mut chosen =
        Chosen { directory: here(decoder), is_one_of_several: false, is_below_another: false, profile: None };
    let mut is_found = false;
    for _ in 0..MAX_PAGES {
        let is_full = is_full(tag(decoder, Tag::NewSubfileType), tag(decoder, Tag::SubfileType));
        let found = if is_full { Some(here(decoder)) } else { full_below(decoder) };
        if let Some(directory) = found {
            if is_found {
                return Chosen { is_one_of_several: true, ..chosen };
            }
            is_found = true;
            chosen = Chosen { directory, is_below_another: !is_full, profile: icc_profile(decoder), ..chosen };
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

/// The largest picture below this page that is not a reduced copy.
fn full_below(decoder: &mut PageDecoder<'_>) -> Option<u64> {
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

/// How a page that hangs below another says it is turned; `None` for what the first page says.
pub(super) fn orientation(decoder: &mut PageDecoder<'_>, is_below_another: bool) -> Option<Orientation> {
    let said = tag(decoder, Tag::Orientation).filter(|_| is_below_another)?;
    u16::try_from(said).ok().filter(|value| (1..=8).contains(value)).map(Orientation::from_exif)
}

fn icc_profile(decoder: &mut PageDecoder<'_>) -> Option<Vec<u8>> {
    decoder.find_tag(Tag::IccProfile).ok().flatten()?.into_u8_vec().ok()
}

pub(super) fn refused(error: &TiffError) -> DecodeError {
    match error {
        TiffError::UnsupportedError(TiffUnsupportedError::UnknownInterpretation) => {
            unsupported(NAME, "it does not say what its samples mean, or something unknown")
        }
        TiffError::UnsupportedError(error) => unsupported(NAME, error.to_string()),
        TiffError::LimitsExceeded => broken(NAME, "it asks for too much memory"),
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => broken(NAME, CUT),
        TiffError::FormatError(TiffFormatError::CompressedDataCorrupt(reason)) => broken(NAME, reason.clone()),
        error => broken(NAME, error.to_string()),
    }
}
