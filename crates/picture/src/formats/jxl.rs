//! JPEG XL, decoded by jxl-oxide, which is written in Rust.
//!
//! The decoder applies the orientation. The output is in the colour space of the file; high dynamic range images, and
//! lossy ones whose ICC profile the decoder cannot convert to, are returned in sRGB.

mod memory;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use jxl_oxide::color::{ColourEncoding, ColourSpace};
use jxl_oxide::image::ExtraChannelInfo;
use jxl_oxide::{
    AllocTracker, EnumColourEncoding, FrameBufferSample, InitializeResult, JxlImage, PixelFormat, Render,
    RenderingIntent,
};

use geometry::{Orientation, Size};
use outcome::{Channels, DecodeError, PictureNote, PixelLayout};
use recipe::DecodeLimits;

use super::isobmff::from_tiff_header;
use super::parts::{FIRST_FRAME, TRUNCATED};
use super::{Decoded, Header};
use crate::iso_boxes::boxes;
use crate::request::StoredRequest;
use crate::{Pixels, Samples};

const NAME: &str = "JPEG XL";

/// The note for an image of high dynamic range.
const HDR_NOTE: PictureNote = PictureNote::Hdr;

/// Memory limit for the decoder's fixed overhead.
const OVERHEAD_BYTES: u64 = 64 << 20;

/// Working memory in bytes per sample: decoding uses 32-bit floats in several steps.
const BYTES_PER_SAMPLE: u64 = 32;

/// Maximum number of extra channels: alpha, depth, spot colours.
const MAX_EXTRA_CHANNELS: usize = 16;

/// The signature of a container file; a bare codestream starts with `ff 0a`.
const CONTAINER: &[u8] = b"\0\0\0\x0cJXL \r\n\x87\n";

pub(crate) fn is_jxl(bytes: &[u8]) -> bool {
    bytes.starts_with(CONTAINER) || bytes.starts_with(b"\xff\x0a")
}

pub(super) fn header(bytes: &[u8], _limits: &DecodeLimits) -> Result<Header, DecodeError> {
    let image = Reading::start(bytes, OVERHEAD_BYTES)?.image;
    let metadata = &image.image_header().metadata;
    if metadata.ec_info.len() > MAX_EXTRA_CHANNELS {
        return Err(unsupported(format!("{} extra channels", metadata.ec_info.len())));
    }
    let channels = match image.pixel_format() {
        PixelFormat::Gray => Channels::L,
        PixelFormat::Graya => Channels::La,
        PixelFormat::Rgb => Channels::Rgb,
        PixelFormat::Rgba => Channels::Rgba,
        PixelFormat::Cmyk | PixelFormat::Cmyka => return Err(unsupported("print colours (CMYK)")),
    };
    if let ColourEncoding::Enum(encoding) = &metadata.colour_encoding
        && encoding.colour_space == ColourSpace::Xyb
    {
        return Err(unsupported("values in the format's internal colour space (XYB)"));
    }
    let deep = metadata.bit_depth.bits_per_sample() > 8;
    let note =
        if image.hdr_type().is_some() { Some(HDR_NOTE) } else { metadata.animation.as_ref().map(|_| FIRST_FRAME) };
    Ok(Header {
        stored: Size::new(image.width(), image.height()),
        orientation: Some(Orientation::Upright),
        layout: PixelLayout { channels, deep },
        icc_profile: profile(&image),
        decodes_in_part: false,
        note,
    })
}

/// Peak memory in bytes per pixel.
pub(super) fn bytes_per_pixel(bytes: &[u8], header: &Header) -> u64 {
    memory::bytes_per_pixel(bytes, header.layout)
}

pub(super) fn pixels(
    bytes: &[u8],
    header: &Header,
    _request: StoredRequest,
    limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let samples = header.stored.pixels().saturating_mul((3 + MAX_EXTRA_CHANNELS.min(extra_channels(bytes))) as u64);
    let memory = samples.saturating_mul(BYTES_PER_SAMPLE).min(limits.memory_budget).saturating_add(OVERHEAD_BYTES);
    let mut reading = Reading::start(bytes, memory)?;
    let problem = reading.read_first_frame().err();
    let image = reading.image;
    if image.num_loaded_keyframes() == 0 {
        return Err(broken(problem.unwrap_or_else(|| TRUNCATED.to_owned())));
    }
    let render = image.render_frame(0).map_err(|error| broken(error.to_string()))?;
    let premultiplied = image.image_header().metadata.ec_info.iter().find_map(ExtraChannelInfo::alpha_associated);
    let channels = header.layout.channels;
    let samples = if header.layout.deep {
        Samples::U16(read(&render, header, premultiplied == Some(true), 65_535.0, |value| value as u16)?)
    } else {
        Samples::U8(read(&render, header, premultiplied == Some(true), 255.0, |value| value as u8)?)
    };
    let pixels = Pixels::new(header.stored, channels, samples)
        .ok_or_else(|| broken("its number of pixels does not match its header"))?;
    Ok(Decoded::whole(pixels))
}

/// The EXIF block from its TIFF header on, and the XMP packet, unless they are compressed.
pub(crate) fn metadata(bytes: &[u8]) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    if !bytes.starts_with(CONTAINER) {
        return (None, None);
    }
    let find = |kind: &[u8; 4]| boxes(bytes).find(|found| found.kind == *kind).map(|found| found.content);
    (find(b"Exif").and_then(from_tiff_header), find(b"xml ").map(<[u8]>::to_vec))
}

/// An image being decoded.
struct Reading<'a> {
    image: JxlImage,
    rest: &'a [u8],
}

impl<'a> Reading<'a> {
    /// Reads as much as the header needs. The decoder may allocate `memory` bytes.
    fn start(bytes: &'a [u8], memory: u64) -> Result<Self, DecodeError> {
        let tracker = AllocTracker::with_limit(usize::try_from(memory).unwrap_or(usize::MAX));
        let mut waiting = JxlImage::builder().alloc_tracker(tracker).build_uninit();
        let mut rest = bytes;
        // Each piece is larger than the last, since the decoder restarts with each.
        let mut piece = 4096;
        loop {
            let consumed =
                waiting.feed_bytes(&rest[..rest.len().min(piece)]).map_err(|error| broken(error.to_string()))?;
            let is_last = piece >= rest.len();
            rest = &rest[consumed.min(rest.len())..];
            match waiting.try_init().map_err(|error| broken(error.to_string()))? {
                InitializeResult::Initialized(mut image) => {
                    if image.hdr_type().is_some() && !image.pixel_format().is_grayscale() {
                        image.request_color_encoding(EnumColourEncoding::srgb(RenderingIntent::Relative));
                    }
                    return Ok(Self { image, rest });
                }
                InitializeResult::NeedMoreData(_) if is_last => return Err(broken(TRUNCATED)),
                InitializeResult::NeedMoreData(again) => waiting = again,
            }
            piece *= 2;
        }
    }

    /// Continues until a visible frame is complete, or to the end of the file.
    fn read_first_frame(&mut self) -> Result<(), String> {
        let mut piece = 1 << 16;
        while !self.rest.is_empty() && self.image.num_loaded_keyframes() == 0 && !self.image.is_loading_done() {
            let length = self.rest.len().min(piece);
            let consumed = self.image.feed_bytes(&self.rest[..length]).map_err(|error| error.to_string())?;
            if consumed == 0 && length == self.rest.len() {
                break;
            }
            self.rest = &self.rest[consumed.min(length)..];
            piece *= 2;
        }
        Ok(())
    }
}

fn extra_channels(bytes: &[u8]) -> usize {
    Reading::start(bytes, OVERHEAD_BYTES).map_or(0, |reading| reading.image.image_header().metadata.ec_info.len())
}

/// The ICC profile of the output; `None` for sRGB.
///
/// Lossless data is returned in the file's own profile. The decoder would synthesise a profile instead, which differs
/// if that of the file is unusual.
fn profile(image: &JxlImage) -> Option<Arc<[u8]>> {
    const SRGB: [u8; 2] = [1, 13];
    let expected: &[u8] = if image.pixel_format().is_grayscale() { b"GRAY" } else { b"RGB " };
    let fits = |profile: &[u8]| profile.get(16..20) == Some(expected);
    if !image.image_header().metadata.xyb_encoded
        && image.hdr_type().is_none()
        && let Some(profile) = image.original_icc().filter(|profile| fits(profile))
    {
        return Some(profile.into());
    }
    let cicp = image.rendered_cicp();
    if cicp.is_some_and(|cicp| cicp[..2] == SRGB) {
        return None;
    }
    let profile = image.rendered_icc();
    fits(&profile).then(|| profile.into())
}

/// All samples of the image, with straight alpha.
fn read<T: FrameBufferSample + Default + Copy + Into<f32>>(
    render: &Render,
    header: &Header,
    premultiplied: bool,
    max: f32,
    rounded: fn(f32) -> T,
) -> Result<Vec<T>, DecodeError> {
    let channels = header.layout.channels;
    let mut stream = render.stream();
    let size = Size::new(stream.width(), stream.height());
    if size != header.stored || stream.channels() as usize != channels.count() {
        return Err(broken("its frame does not match its header"));
    }
    let mut samples = vec![T::default(); size.pixels() as usize * channels.count()];
    stream.write_to_buffer(&mut samples);
    if premultiplied && channels.has_alpha() {
        for pixel in samples.chunks_exact_mut(channels.count()) {
            let Some((alpha, colours)) = pixel.split_last_mut() else { continue };
            let alpha: f32 = (*alpha).into();
            for colour in colours {
                let value: f32 = (*colour).into();
                *colour = rounded(value * max / alpha.max(1.0) + 0.5);
            }
        }
    }
    Ok(samples)
}

fn broken(reason: impl Into<String>) -> DecodeError {
    DecodeError::Broken { format: NAME, reason: reason.into() }
}

fn unsupported(reason: impl Into<String>) -> DecodeError {
    DecodeError::Unsupported { format: NAME, reason: reason.into() }
}
