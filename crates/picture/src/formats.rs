//! One file a format, or a family of formats: header and pixels as stored, not yet upright.

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

/// What a file's header says, read without decoding pixels or taking memory for them.
#[derive(Clone, Debug)]
pub(super) struct Header {
    /// Pixels as stored.
    pub(super) stored: Size,
    /// How the stored pixels are turned to stand upright, where the format itself says so or the decoder has turned them.
    /// `None` for what the EXIF block says.
    pub(super) orientation: Option<Orientation>,
    /// What one decoded pixel is made of.
    pub(super) layout: PixelLayout,
    /// The ICC profile of the decoded numbers, as in [`PictureInfo`](super::PictureInfo).
    pub(super) icc_profile: Option<Arc<[u8]>>,
    /// True where a reduced or partial picture costs much less than the whole.
    pub(super) decodes_in_part: bool,
    /// What a person should know of how the picture is got.
    pub(super) note: Option<PictureNote>,
}

/// What a file's reader of pixels has found out and need not find out again when it is asked for others.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    jpeg: jpeg::Index,
}

/// Pixels as stored, and where they lie.
#[derive(Debug)]
pub(super) struct Decoded {
    /// The pixels.
    pub(super) pixels: Pixels,
    /// The left and top edge of the first pixel, in pixels of the whole picture as stored.
    pub(super) corner: (u32, u32),
    /// Stored pixels along each side of one of these: 1, 2, 4 or 8.
    pub(super) reduction: u32,
    /// What is missing.
    pub(super) damage: Option<Damage>,
    /// Where the numbers turned out to mean something else than the header said.
    pub(super) icc_profile: Option<Option<Arc<[u8]>>>,
}

impl Decoded {
    /// All of a sound picture.
    pub(super) fn whole(pixels: Pixels) -> Self {
        Self { pixels, corner: (0, 0), reduction: 1, damage: None, icc_profile: None }
    }
}

/// Reads the header of `bytes`, which are of `format`.
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

/// Bytes of memory for a pixel of the whole picture while it is decoded, as measured: some decoders hold it more than once.
pub(super) fn bytes_per_pixel(format: PictureFormat, bytes: &[u8], header: &Header) -> u64 {
    let pixel = header.layout.bytes() as u64;
    match format {
        PictureFormat::Jxl => jxl::bytes_per_pixel(bytes, header),
        // Where later scans refine earlier ones, coefficients of two bytes are held for all of the picture.
        PictureFormat::Jpeg | PictureFormat::Raw if !header.decodes_in_part => pixel * 3,
        // Its own four bytes, and ours.
        PictureFormat::WebP => pixel + 4,
        PictureFormat::Heic => heif::bytes_per_pixel(header.layout),
        PictureFormat::Gif => gif::bytes_per_pixel(bytes),
        PictureFormat::Tiff => tiff::bytes_per_pixel(bytes, header),
        // Its planes, and ours.
        PictureFormat::Avif => pixel * 2,
        _ => pixel,
    }
}

/// True where a file's header is read by a decoder that may crash, or take long over it.
pub(super) fn is_header_isolated(format: PictureFormat) -> bool {
    matches!(format, PictureFormat::Heic | PictureFormat::Jxl)
}

/// Pixels from which on a decoder that cannot be interrupted takes a second or more.
const SLOW_PIXELS: u64 = 50_000_000;

/// True where a file's pixels are read by a decoder that may crash, or that takes long and cannot be interrupted.
pub(super) fn is_isolated(format: PictureFormat, bytes: &[u8], header: &Header) -> bool {
    match format {
        PictureFormat::Heic | PictureFormat::Jxl | PictureFormat::Avif => true,
        PictureFormat::WebP => header.stored.pixels() > SLOW_PIXELS,
        PictureFormat::Jpeg if !header.decodes_in_part => jpeg::is_slow(bytes),
        PictureFormat::Raw if !header.decodes_in_part => raw::is_slow(bytes),
        _ => false,
    }
}

/// Decodes at least what `want` says. `kept` belongs to `bytes`.
pub(super) fn read_pixels(
    format: PictureFormat,
    bytes: &[u8],
    header: &Header,
    request: StoredRequest,
    limits: &DecodeLimits,
    kept: &Kept,
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
