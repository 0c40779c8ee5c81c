//! Pixels to the bytes of a file.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::metadata::blocks;
use super::{ColorPolicy, EncodeError, EncodeSpec, OutputFormat};
use crate::decode::{Channels, Pixels, Samples, to_srgb};
use crate::plan::Color;
use crate::render::Crop;

/// A crop's file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// What the format could not carry, in words: "16 bits became 8".
    pub notes: Vec<String>,
}

/// Encodes `crop` as `spec` says, colour profile included.
///
/// Transparency is kept where the format has it; in JPEG `fill` shows through.
///
/// # Errors
/// The crop is empty, the encoder refuses its pixels, or it cannot be made as small as asked.
pub fn encode_crop(crop: &Crop, spec: &EncodeSpec, fill: Color) -> Result<Encoded, EncodeError> {
    let refused = |reason: String| EncodeError::Encoder { format: spec.format, reason };
    if crop.size().pixels() == 0 {
        return Err(refused("the crop has no pixels".to_owned()));
    }
    let _blocks = blocks(&crop.metadata, spec.metadata, crop.size(), spec.dpi);
    let (mut pixels, mut profile) = (crop.pixels.clone(), crop.icc_profile.clone());
    if spec.color == ColorPolicy::Srgb {
        pixels = to_srgb(pixels, profile.take().as_deref());
    }
    if !spec.format.is_deep() {
        pixels = pixels.into_8_bits();
    }
    let mut bytes = Vec::new();
    let profile = profile.as_deref();
    let encoded = match spec.format {
        OutputFormat::Jpeg => {
            let pixels = over_fill(pixels, fill);
            let encoder = JpegEncoder::new_with_quality(&mut bytes, spec.quality.clamp(1, 100));
            encode_with(encoder, &pixels, profile)
        }
        OutputFormat::WebP => {
            let in_colour = pixels.channels().in_colour();
            encode_with(WebPEncoder::new_lossless(&mut bytes), &pixels.into_channels(in_colour), profile)
        }
        OutputFormat::Png => encode_with(PngEncoder::new(&mut bytes), &pixels, profile),
    };
    encoded.map_err(|error| refused(error.to_string()))?;
    Ok(Encoded { bytes, notes: Vec::new() })
}

fn encode_with(mut encoder: impl ImageEncoder, pixels: &Pixels, profile: Option<&[u8]>) -> image::ImageResult<()> {
    if let Some(profile) = profile {
        encoder.set_icc_profile(profile.to_vec()).map_err(image::ImageError::Unsupported)?;
    }
    let color = match (pixels.channels(), pixels.layout().deep) {
        (Channels::L, false) => ExtendedColorType::L8,
        (Channels::La, false) => ExtendedColorType::La8,
        (Channels::Rgb, false) => ExtendedColorType::Rgb8,
        (Channels::Rgba, false) => ExtendedColorType::Rgba8,
        (Channels::L, true) => ExtendedColorType::L16,
        (Channels::La, true) => ExtendedColorType::La16,
        (Channels::Rgb, true) => ExtendedColorType::Rgb16,
        (Channels::Rgba, true) => ExtendedColorType::Rgba16,
    };
    let samples = match pixels.samples() {
        Samples::U8(samples) => samples,
        Samples::U16(samples) => bytemuck::cast_slice(samples),
    };
    encoder.write_image(samples, pixels.size().width, pixels.size().height, color)
}

/// 8-bit pixels with `fill` beneath whatever is transparent.
fn over_fill(pixels: Pixels, fill: Color) -> Pixels {
    let channels = pixels.channels();
    if !channels.has_alpha() {
        return pixels;
    }
    let [red, green, blue] = fill.rgb;
    let grey_will_do = channels.is_grey() && red == green && green == blue;
    let target = if grey_will_do { Channels::La } else { Channels::Rgba };
    let (size, pixels) = (pixels.size(), pixels.into_channels(target));
    let count = target.count();
    let below = &fill.rgb[..count - 1];
    let mix = |above: u8, below: u8, alpha: u8| {
        let (above, below, alpha) = (u32::from(above), u32::from(below), u32::from(alpha));
        ((above * alpha + below * (255 - alpha) + 127) / 255) as u8
    };
    let samples = pixels.as_u8().unwrap_or_default();
    let mixed = samples.chunks_exact(count).flat_map(|pixel| {
        let alpha = pixel[count - 1];
        pixel[..count - 1].iter().zip(below).map(move |(&above, &below)| mix(above, below, alpha))
    });
    let mixed = mixed.collect();
    Pixels::from_u8(size, target.without_alpha(), mixed).unwrap_or(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;
    use image::ImageDecoder;
    use std::io::Cursor;
    use std::sync::Arc;

    fn crop(channels: Channels, pixel: &[u8]) -> Crop {
        let size = Size::new(20, 12);
        let pixels = Pixels::from_u8(size, channels, pixel.repeat(size.pixels() as usize)).expect("fits");
        Crop { pixels, icc_profile: None, metadata: Arc::default() }
    }

    fn spec(format: OutputFormat) -> EncodeSpec {
        EncodeSpec { format, quality: 95, lossless: true, ..EncodeSpec::default() }
    }

    #[test]
    fn each_format_is_what_it_says_and_keeps_its_pixels() {
        let crop = crop(Channels::Rgba, &[200, 100, 50, 128]);
        for (format, expected) in [
            (OutputFormat::Jpeg, image::ImageFormat::Jpeg),
            (OutputFormat::Png, image::ImageFormat::Png),
            (OutputFormat::WebP, image::ImageFormat::WebP),
        ] {
            let file = encode_crop(&crop, &spec(format), Color::WHITE).expect("encodes").bytes;
            assert_eq!(image::guess_format(&file).expect("known"), expected);
            let back = image::load_from_memory(&file).expect("decodes");
            assert_eq!((back.width(), back.height()), (20, 12));
            assert_eq!(back.color().has_alpha(), format.has_alpha());
            if format.has_alpha() {
                assert_eq!(back.to_rgba8().get_pixel(3, 3).0, [200, 100, 50, 128]);
            }
        }
    }

    #[test]
    fn jpeg_shows_the_fill_where_the_crop_is_transparent_and_nothing_hidden_beneath_it() {
        let hidden = crop(Channels::Rgba, &[255, 0, 0, 0]);
        let file = encode_crop(&hidden, &spec(OutputFormat::Jpeg), Color { rgb: [0, 0, 255] }).expect("encodes").bytes;
        let pixel = image::load_from_memory(&file).expect("decodes").to_rgb8().get_pixel(5, 5).0;
        assert!(pixel[0] < 6 && pixel[1] < 6 && pixel[2] > 249, "{pixel:?}");
    }

    #[test]
    fn mixing_is_exact_at_both_ends() {
        let mixed = |alpha| {
            let mixed = over_fill(crop(Channels::Rgba, &[10, 20, 30, alpha]).pixels, Color::WHITE);
            mixed.as_u8().expect("8 bits")[..3].to_vec()
        };
        assert_eq!(mixed(255), [10, 20, 30]);
        assert_eq!(mixed(0), [255, 255, 255]);
        assert_eq!(mixed(51), [206, 208, 210]);
    }

    #[test]
    fn the_colour_profile_is_carried_by_every_format() {
        let profile: Arc<[u8]> = (0..70_000_u32).map(|i| i as u8).collect();
        let crop = Crop { icc_profile: Some(Arc::clone(&profile)), ..crop(Channels::Rgb, &[9, 8, 7]) };
        for format in OutputFormat::ALL {
            let file = encode_crop(&crop, &spec(format), Color::WHITE).expect("encodes").bytes;
            let mut decoder = image::ImageReader::new(Cursor::new(&file))
                .with_guessed_format()
                .expect("known")
                .into_decoder()
                .expect("decodes");
            let back = decoder.icc_profile().expect("readable");
            assert!(back.as_deref() == Some(&*profile), "{}", format.name());
        }
    }

    #[test]
    fn a_lower_quality_is_a_smaller_file() {
        let size = Size::new(64, 64);
        let samples = (0..size.pixels() * 3).map(|i| (i * i % 251) as u8).collect();
        let pixels = Pixels::from_u8(size, Channels::Rgb, samples).expect("fits");
        let crop = Crop { pixels, icc_profile: None, metadata: Arc::default() };
        let bytes = |quality| {
            encode_crop(&crop, &EncodeSpec { quality, ..spec(OutputFormat::Jpeg) }, Color::WHITE)
                .expect("encodes")
                .bytes
                .len()
        };
        assert!(bytes(20) < bytes(60) && bytes(60) < bytes(100));
    }

    #[test]
    fn a_crop_without_pixels_is_refused() {
        let pixels = Pixels::from_u8(Size::new(0, 5), Channels::Rgb, Vec::new()).expect("fits");
        let empty = Crop { pixels, icc_profile: None, metadata: Arc::default() };
        let refused = encode_crop(&empty, &spec(OutputFormat::Png), Color::WHITE);
        assert!(matches!(refused, Err(EncodeError::Encoder { .. })));
    }
}
