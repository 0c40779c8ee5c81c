//! Tests of encoded files with independent decoders.

mod embedded;
mod limits;
mod pixels;
mod sheet;

use std::io::Cursor;
use std::sync::Arc;

use image::{DynamicImage, ImageDecoder, ImageReader};
use moxcms::ColorProfile;

use geometry::Size;
use outcome::Channels;
use recipe::{Compression, Subsampling};

use super::*;
use crate::Samples;

const SIZE: Size = Size::new(40, 24);
const KINDS: [(Channels, bool); 7] = [
    (Channels::Rgb, false),
    (Channels::Rgba, false),
    (Channels::L, false),
    (Channels::La, false),
    (Channels::Rgb, true),
    (Channels::Rgba, true),
    (Channels::L, true),
];

fn messages(notes: &[CropNote]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

fn crop_of(pixels: Pixels) -> Crop {
    Crop { pixels, icc_profile: None, metadata: Arc::default() }
}

/// A crop with slow, different gradients in every channel, with alpha from nearly clear to opaque.
fn slope(channels: Channels, deep: bool) -> Crop {
    let count = channels.count() as u32;
    let samples = (0..SIZE.height).flat_map(|y| {
        (0..SIZE.width).flat_map(move |x| {
            (0..count).map(move |channel| {
                let alpha = channels.has_alpha() && channel == count - 1;
                let level = if alpha { 15 + x * 6 } else { 40 + x * (3 - channel) + y * (1 + channel) };
                (level * 257 + x * 3 + y) as u16
            })
        })
    });
    let pixels = Pixels::from_u16(SIZE, channels, samples.collect()).expect("fits");
    crop_of(if deep { pixels } else { pixels.into_8_bits() })
}

/// A crop of one colour.
fn flat(channels: Channels, pixel: &[u8]) -> Crop {
    crop_of(Pixels::from_u8(SIZE, channels, pixel.repeat(SIZE.pixels() as usize)).expect("fits"))
}

fn spec(format: OutputFormat) -> EncodeSpec {
    EncodeSpec { format, quality: 95, lossless: true, avif_speed: 10, ..EncodeSpec::default() }
}

fn encode(crop: &Crop, spec: &EncodeSpec) -> Encoded {
    encode_crop(crop, spec, Color::WHITE).expect("encodes")
}

/// Any format but AVIF.
fn read(file: &[u8]) -> DynamicImage {
    image::load_from_memory(file).expect("decodes")
}

/// The profile of a file of any format but AVIF.
fn profile_of(file: &[u8]) -> Option<Vec<u8>> {
    if file.starts_with(b"II") || file.starts_with(b"MM") {
        // The decoder of `image` does not support a profile that is larger than the image.
        let mut decoder = ::tiff::decoder::Decoder::new(Cursor::new(file)).expect("a TIFF");
        let profile = decoder.find_tag(::tiff::tags::Tag::IccProfile).expect("readable");
        return profile.map(|profile| profile.into_u8_vec().expect("bytes"));
    }
    let reader = ImageReader::new(Cursor::new(file)).with_guessed_format().expect("known");
    reader.into_decoder().expect("decodes").icc_profile().expect("readable")
}

fn display_p3() -> Arc<[u8]> {
    ColorProfile::new_display_p3().encode().expect("encodes").into()
}

fn grey_gamma(gamma: f32) -> Arc<[u8]> {
    ColorProfile::new_gray_with_gamma(gamma).encode().expect("encodes").into()
}

/// Segments of a JPEG before its pixels: marker and content.
fn segments(file: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let jpeg = img_parts::jpeg::Jpeg::from_bytes(file.to_vec().into()).expect("a JPEG");
    jpeg.segments().iter().map(|segment| (segment.marker(), segment.contents().to_vec())).collect()
}

fn png_chunk(file: &[u8], kind: [u8; 4]) -> Option<Vec<u8>> {
    let png = img_parts::png::Png::from_bytes(file.to_vec().into()).expect("a PNG");
    png.chunk_by_type(kind).map(|chunk| chunk.contents().to_vec())
}

fn webp_chunk(file: &[u8], id: [u8; 4]) -> Option<Vec<u8>> {
    let webp = img_parts::webp::WebP::from_bytes(file.to_vec().into()).expect("a WebP");
    webp.chunk_by_id(id).map(|chunk| chunk.content().data().expect("data").to_vec())
}
