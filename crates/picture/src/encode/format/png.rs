//! PNG encoder.

use std::borrow::Cow;

use png::text_metadata::ITXtChunk;
use png::{BitDepth, ColorType, Encoder, Info, PixelDimensions, SrgbRenderingIntent, Unit};

use geometry::Size;
use outcome::Channels;
use recipe::Compression;

use super::Content;
use crate::Samples;

/// Encodes pixels of every layout.
pub(super) fn encode(content: &Content<'_>, compression: Compression) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    write(content, compression, &mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn write(content: &Content<'_>, compression: Compression, bytes: &mut Vec<u8>) -> Result<(), png::EncodingError> {
    let Size { width, height } = content.pixels.size();
    let mut info = Info::with_size(width, height);
    info.color_type = match content.pixels.channels() {
        Channels::L => ColorType::Grayscale,
        Channels::La => ColorType::GrayscaleAlpha,
        Channels::Rgb => ColorType::Rgb,
        Channels::Rgba => ColorType::Rgba,
    };
    let samples = match content.pixels.samples() {
        Samples::U8(samples) => Cow::Borrowed(samples.as_slice()),
        Samples::U16(samples) => {
            info.bit_depth = BitDepth::Sixteen;
            Cow::Owned(samples.iter().copied().flat_map(u16::to_be_bytes).collect())
        }
    };
    let per_metre = (f64::from(content.dpi) / 0.0254).round() as u32;
    info.pixel_dims = Some(PixelDimensions { xppu: per_metre, yppu: per_metre, unit: Unit::Meter });
    info.icc_profile = content.profile.map(Cow::Borrowed);
    if content.marked_srgb {
        info.srgb = Some(SrgbRenderingIntent::Perceptual);
    }
    info.exif_metadata = content.embedded.exif.map(Cow::Borrowed);
    if let Some(xmp) = content.embedded.xmp {
        info.utf8_text.push(ITXtChunk::new("XML:com.adobe.xmp", String::from_utf8_lossy(xmp)));
    }
    let mut encoder = Encoder::with_info(bytes, info)?;
    encoder.set_compression(match compression {
        Compression::Fast => png::Compression::Fast,
        Compression::Balanced => png::Compression::Balanced,
        Compression::Small => png::Compression::High,
    });
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&samples)?;
    writer.finish()
}
