//! Decoders: one file per format or family of formats. They return header and pixels as stored, before rotation to
//! upright.

pub(crate) mod avif;
mod gif;
pub(crate) mod heif;
pub(crate) mod isobmff;
mod jpeg;
pub(crate) mod jxl;
mod parts;
mod plain;
mod png;
pub(crate) mod raw;
mod source;
#[cfg(test)]
mod testing;
mod tiff;
mod webp;

use std::sync::Arc;

use geometry::{Orientation, Size};
use outcome::{Damage, DecodeError, PictureFormat, PictureNote, PixelLayout};
use recipe::DecodeLimits;

use super::Pixels;
use super::color::describes;
use super::request::StoredRequest;

/// The header of a file, read without decoding pixels or allocating memory for them.
#[derive(Clone, Debug)]
pub(super) struct Header {
    /// Size as stored.
    pub(super) stored: Size,
    /// The orientation of the stored pixels if the format itself defines it or the decoder has applied it. `None` if
    /// the EXIF block defines it.
    pub(super) orientation: Option<Orientation>,
    /// The layout of a decoded pixel.
    pub(super) layout: PixelLayout,
    /// The ICC profile of the decoded samples, as in [`PictureInfo`](super::PictureInfo).
    pub(super) icc_profile: Option<Arc<[u8]>>,
    /// True if a reduced or partial decode costs much less than a full one.
    pub(super) decodes_in_part: bool,
    /// A note for the user about the source of the pixels.
    pub(super) note: Option<PictureNote>,
}

/// State that a decoder reuses for later requests.
#[derive(Clone, Debug, Default)]
pub(super) struct DecoderState {
    jpeg: jpeg::Index,
}

/// Pixels as stored, and their position.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) pixels: Pixels,
    /// The left and top edge of the first pixel, in stored pixels of the whole image.
    pub(super) corner: (u32, u32),
    /// Stored pixels per decoded pixel along each axis: 1, 2, 4 or 8.
    pub(super) reduction: u32,
    pub(super) damage: Option<Damage>,
    /// Set if the profile of the samples turned out to differ from the header.
    pub(super) icc_profile: Option<Option<Arc<[u8]>>>,
}

impl Decoded {
    /// A complete, undamaged image.
    pub(super) fn whole(pixels: Pixels) -> Self {
        Self { pixels, corner: (0, 0), reduction: 1, damage: None, icc_profile: None }
    }
}

pub(super) fn read_header(format: PictureFormat, bytes: &[u8], limits: &DecodeLimits) -> Result<Header, DecodeError> {
    match format {
        PictureFormat::Jpeg => jpeg::header(bytes, limits),
        PictureFormat::Png => png::header(bytes, limits),
        PictureFormat::Tiff => tiff::header(bytes, limits),
        PictureFormat::WebP => webp::header(bytes, limits),
        PictureFormat::Gif => gif::header(bytes, limits),
        PictureFormat::Avif => avif::header(bytes, limits),
        PictureFormat::Heic => heif::header(bytes, limits),
        PictureFormat::Jxl => jxl::header(bytes, limits),
        PictureFormat::Raw => raw::header(bytes, limits),
        _ => plain::header(format, bytes, limits),
    }
}

/// Peak memory in bytes per pixel of the whole image while it is decoded, as measured: some decoders keep more than one
/// copy.
pub(super) fn bytes_per_pixel(format: PictureFormat, bytes: &[u8], header: &Header) -> u64 {
    let pixel = header.layout.bytes() as u64;
    match format {
        PictureFormat::Jxl => jxl::bytes_per_pixel(bytes, header),
        // Files with refinement scans keep the coefficients of the whole image, two bytes each.
        PictureFormat::Jpeg | PictureFormat::Raw if !header.decodes_in_part => pixel * 3,
        // The decoder's four bytes, plus the output.
        PictureFormat::WebP => pixel + 4,
        PictureFormat::Heic => heif::bytes_per_pixel(header.layout),
        PictureFormat::Gif => gif::bytes_per_pixel(bytes),
        PictureFormat::Tiff => tiff::bytes_per_pixel(bytes, header),
        // The decoder's planes, plus the output.
        PictureFormat::Avif => pixel * 2,
        _ => pixel,
    }
}

/// True if the header is read by a decoder that may crash or take long.
pub(super) fn is_header_isolated(format: PictureFormat) -> bool {
    matches!(format, PictureFormat::Heic | PictureFormat::Jxl)
}

/// Number of pixels from which a decoder that cannot be interrupted takes a second or more.
const SLOW_PIXELS: u64 = 50_000_000;

/// True if the pixels are read by a decoder that may crash, or that takes long and cannot be interrupted.
pub(super) fn is_isolated(format: PictureFormat, bytes: &[u8], header: &Header) -> bool {
    match format {
        PictureFormat::Heic | PictureFormat::Jxl | PictureFormat::Avif => true,
        PictureFormat::WebP => header.stored.pixels() > SLOW_PIXELS,
        PictureFormat::Jpeg if !header.decodes_in_part => jpeg::is_slow(bytes),
        PictureFormat::Raw if !header.decodes_in_part => raw::is_slow(bytes),
        _ => false,
    }
}

/// Decodes at least the requested region. `kept` must belong to `bytes`.
pub(super) fn read_pixels(
    format: PictureFormat,
    bytes: &[u8],
    header: &Header,
    request: StoredRequest,
    limits: &DecodeLimits,
    kept: &DecoderState,
) -> Result<Decoded, DecodeError> {
    match format {
        PictureFormat::Jpeg => jpeg::pixels(bytes, header, request, limits, &kept.jpeg),
        PictureFormat::Png => png::pixels(bytes, header, request, limits),
        PictureFormat::Tiff => tiff::pixels(bytes, header, request, limits),
        PictureFormat::WebP => webp::pixels(bytes, header, request, limits),
        PictureFormat::Gif => gif::pixels(bytes, header, request, limits),
        PictureFormat::Avif => avif::pixels(bytes, header, request, limits),
        PictureFormat::Heic => heif::pixels(bytes, header, request, limits),
        PictureFormat::Jxl => jxl::pixels(bytes, header, request, limits),
        PictureFormat::Raw => raw::pixels(bytes, header, request, limits, &kept.jpeg),
        _ => plain::pixels(format, bytes, header, request, limits),
    }
}
