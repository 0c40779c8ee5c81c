//! WebP encoder, lossy and lossless.

use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};
use img_parts::Bytes;
use img_parts::riff::{RiffChunk, RiffContent};
use img_parts::webp::{CHUNK_ALPH, CHUNK_EXIF, CHUNK_ICCP, CHUNK_VP8L, CHUNK_VP8X, CHUNK_XMP, WebP};
use webp::{Encoder, PixelLayout, WebPConfig};

use geometry::Size;
use outcome::Channels;
use recipe::Compression;

use super::Content;
use crate::Pixels;

/// Encodes 8-bit colour lossily; alpha losslessly.
pub(super) fn lossy(content: &Content<'_>, quality: u8) -> Result<Vec<u8>, String> {
    let mut config = config()?;
    config.quality = f32::from(quality);
    config.method = 4;
    config.alpha_compression = 1;
    config.alpha_quality = 100;
    with_chunks(with_libwebp(&content.pixels, &config)?, content)
}

/// Encodes 8-bit colour losslessly, including the colour of transparent pixels.
pub(super) fn lossless(content: &Content<'_>, compression: Compression) -> Result<Vec<u8>, String> {
    let (method, effort) = match compression {
        Compression::Fast => return with_chunks(encode_fast(&content.pixels)?, content),
        Compression::Balanced => (1, 25.0),
        Compression::Small => (4, 75.0),
    };
    let mut config = config()?;
    config.lossless = 1;
    config.exact = 1;
    config.method = method;
    config.quality = effort;
    with_chunks(with_libwebp(&content.pixels, &config)?, content)
}

fn config() -> Result<WebPConfig, String> {
    WebPConfig::new().map_err(|()| "unexpected version of libwebp".to_owned())
}

fn with_libwebp(pixels: &Pixels, config: &WebPConfig) -> Result<Vec<u8>, String> {
    let layout = if pixels.channels().has_alpha() { PixelLayout::Rgba } else { PixelLayout::Rgb };
    let encoder = Encoder::new(colour(pixels)?, layout, pixels.size().width, pixels.size().height);
    let file = encoder.encode_advanced(config).map_err(|error| format!("libwebp: {error:?}"))?;
    Ok(file.to_vec())
}

/// A lossless encoder several times as fast as libwebp's, with slightly larger files.
fn encode_fast(pixels: &Pixels) -> Result<Vec<u8>, String> {
    let mut file = Vec::new();
    let color = if pixels.channels().has_alpha() { ExtendedColorType::Rgba8 } else { ExtendedColorType::Rgb8 };
    WebPEncoder::new_lossless(&mut file)
        .write_image(colour(pixels)?, pixels.size().width, pixels.size().height, color)
        .map_err(|error| error.to_string())?;
    Ok(file)
}

fn colour(pixels: &Pixels) -> Result<&[u8], String> {
    let samples = pixels.as_u8().ok_or("16 bits were not made 8")?;
    match pixels.channels() {
        Channels::Rgb | Channels::Rgba => Ok(samples),
        Channels::L | Channels::La => Err("grey was not made colour".to_owned()),
    }
}

/// Adds profile and metadata to `file` in the order of the format; unchanged if there are none.
fn with_chunks(file: Vec<u8>, content: &Content<'_>) -> Result<Vec<u8>, String> {
    let embedded = content.embedded;
    if content.profile.is_none() && embedded.exif.is_none() && embedded.xmp.is_none() {
        return Ok(file);
    }
    let mut webp = WebP::from_bytes(Bytes::from(file)).map_err(|error| error.to_string())?;
    webp.remove_chunks_by_id(CHUNK_VP8X);
    let header = chunk(CHUNK_VP8X, &extended_header(&webp, content));
    let chunks = webp.chunks_mut();
    chunks.insert(0, header);
    if let Some(profile) = content.profile {
        chunks.insert(1, chunk(CHUNK_ICCP, profile));
    }
    chunks.extend(embedded.exif.map(|exif| chunk(CHUNK_EXIF, exif)));
    chunks.extend(embedded.xmp.map(|xmp| chunk(CHUNK_XMP, xmp)));
    Ok(webp.encoder().bytes().to_vec())
}

fn chunk(id: [u8; 4], data: &[u8]) -> RiffChunk {
    RiffChunk::new(id, RiffContent::Data(Bytes::copy_from_slice(data)))
}

/// The extended header: feature flags and size.
fn extended_header(webp: &WebP, content: &Content<'_>) -> [u8; 10] {
    // Bit 4 of the fifth byte of lossless pixels is set if alpha is used.
    let lossless = webp.chunk_by_id(CHUNK_VP8L).and_then(|chunk| chunk.content().data());
    let has_alpha =
        webp.has_chunk(CHUNK_ALPH) || lossless.and_then(|pixels| pixels.get(4)).is_some_and(|byte| byte & 0x10 != 0);
    let flags = [
        (content.profile.is_some(), 0x20),
        (has_alpha, 0x10),
        (content.embedded.exif.is_some(), 0x08),
        (content.embedded.xmp.is_some(), 0x04),
    ];
    let Size { width, height } = content.pixels.size();
    let (width, height) = ((width - 1).to_le_bytes(), (height - 1).to_le_bytes());
    let mut header = [0; 10];
    header[0] = flags.into_iter().filter(|(set, _)| *set).map(|(_, bit)| bit).sum();
    header[4..7].copy_from_slice(&width[..3]);
    header[7..10].copy_from_slice(&height[..3]);
    header
}
