//! Pixels to the bytes of a file.

use std::borrow::Cow;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::{EncodeError, EncodeSpec, OutputFormat};
use crate::decode::PixelLayout;
use crate::plan::Color;
use crate::render::Crop;

/// Encodes `crop` as `spec` says, colour profile included.
///
/// Transparency is kept where the format has it; in JPEG `fill` shows through.
///
/// # Errors
/// The crop is empty, its pixels are not as many as its size says, or the encoder refuses them.
pub fn encode_crop(crop: &Crop, spec: &EncodeSpec, fill: Color) -> Result<Vec<u8>, EncodeError> {
    let refused = |reason: String| EncodeError::Encoder { format: spec.format, reason };
    let expected = crop.size.pixels().saturating_mul(crop.layout.channels() as u64);
    if expected == 0 || expected != crop.pixels.len() as u64 {
        return Err(refused(format!("{} bytes of pixels for a size of {}", crop.pixels.len(), crop.size)));
    }
    let mut file = Vec::new();
    let encoded = match spec.format {
        OutputFormat::Jpeg => {
            let pixels = over_fill(crop, fill);
            let encoder = JpegEncoder::new_with_quality(&mut file, spec.quality.clamp(1, 100));
            encode_with(encoder, crop, &pixels, ExtendedColorType::Rgb8)
        }
        OutputFormat::Png => encode_with(PngEncoder::new(&mut file), crop, &crop.pixels, color_type(crop.layout)),
        OutputFormat::WebP => {
            encode_with(WebPEncoder::new_lossless(&mut file), crop, &crop.pixels, color_type(crop.layout))
        }
    };
    encoded.map_err(|error| refused(error.to_string()))?;
    Ok(file)
}

fn encode_with(
    mut encoder: impl ImageEncoder,
    crop: &Crop,
    pixels: &[u8],
    color: ExtendedColorType,
) -> image::ImageResult<()> {
    if let Some(profile) = &crop.icc_profile {
        encoder.set_icc_profile(profile.to_vec()).map_err(image::ImageError::Unsupported)?;
    }
    encoder.write_image(pixels, crop.size.width, crop.size.height, color)
}

fn color_type(layout: PixelLayout) -> ExtendedColorType {
    match layout {
        PixelLayout::Rgb8 => ExtendedColorType::Rgb8,
        PixelLayout::Rgba8 => ExtendedColorType::Rgba8,
    }
}

/// The crop's colours with `fill` beneath whatever is transparent.
fn over_fill(crop: &Crop, fill: Color) -> Cow<'_, [u8]> {
    match crop.layout {
        PixelLayout::Rgb8 => Cow::Borrowed(&crop.pixels),
        PixelLayout::Rgba8 => {
            let mix = |above: u8, below: u8, alpha: u8| {
                let (above, below, alpha) = (u32::from(above), u32::from(below), u32::from(alpha));
                ((above * alpha + below * (255 - alpha) + 127) / 255) as u8
            };
            let [red, green, blue] = fill.rgb;
            let mixed = crop.pixels.chunks_exact(4).flat_map(|pixel| {
                let alpha = pixel[3];
                [mix(pixel[0], red, alpha), mix(pixel[1], green, alpha), mix(pixel[2], blue, alpha)]
            });
            Cow::Owned(mixed.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;
    use image::ImageDecoder;
    use std::io::Cursor;
    use std::sync::Arc;

    fn crop(layout: PixelLayout, pixel: &[u8]) -> Crop {
        let size = Size::new(20, 12);
        Crop { size, layout, pixels: pixel.repeat(size.pixels() as usize), icc_profile: None }
    }

    fn spec(format: OutputFormat) -> EncodeSpec {
        EncodeSpec { format, quality: 95 }
    }

    #[test]
    fn each_format_is_what_it_says_and_keeps_its_pixels() {
        let crop = crop(PixelLayout::Rgba8, &[200, 100, 50, 128]);
        for (format, expected) in [
            (OutputFormat::Jpeg, image::ImageFormat::Jpeg),
            (OutputFormat::Png, image::ImageFormat::Png),
            (OutputFormat::WebP, image::ImageFormat::WebP),
        ] {
            let file = encode_crop(&crop, &spec(format), Color::WHITE).expect("encodes");
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
        let hidden = crop(PixelLayout::Rgba8, &[255, 0, 0, 0]);
        let file = encode_crop(&hidden, &spec(OutputFormat::Jpeg), Color { rgb: [0, 0, 255] }).expect("encodes");
        let pixel = image::load_from_memory(&file).expect("decodes").to_rgb8().get_pixel(5, 5).0;
        assert!(pixel[0] < 6 && pixel[1] < 6 && pixel[2] > 249, "{pixel:?}");
    }

    #[test]
    fn mixing_is_exact_at_both_ends() {
        let mixed = |alpha| over_fill(&crop(PixelLayout::Rgba8, &[10, 20, 30, alpha]), Color::WHITE)[..3].to_vec();
        assert_eq!(mixed(255), [10, 20, 30]);
        assert_eq!(mixed(0), [255, 255, 255]);
        assert_eq!(mixed(51), [206, 208, 210]);
    }

    #[test]
    fn the_colour_profile_is_carried_by_every_format() {
        let profile: Arc<[u8]> = (0..70_000_u32).map(|i| i as u8).collect();
        let crop = Crop { icc_profile: Some(Arc::clone(&profile)), ..crop(PixelLayout::Rgb8, &[9, 8, 7]) };
        for format in OutputFormat::ALL {
            let file = encode_crop(&crop, &spec(format), Color::WHITE).expect("encodes");
            let mut decoder = image::ImageReader::new(Cursor::new(&file))
                .with_guessed_format()
                .expect("known")
                .into_decoder()
                .expect("decodes");
            assert_eq!(decoder.icc_profile().expect("readable").as_deref(), Some(&*profile), "{}", format.name());
        }
    }

    #[test]
    fn a_lower_quality_is_a_smaller_file() {
        let size = Size::new(64, 64);
        let pixels = (0..size.pixels() * 3).map(|i| (i * i % 251) as u8).collect();
        let crop = Crop { size, layout: PixelLayout::Rgb8, pixels, icc_profile: None };
        let bytes = |quality| {
            encode_crop(&crop, &EncodeSpec { format: OutputFormat::Jpeg, quality }, Color::WHITE)
                .expect("encodes")
                .len()
        };
        assert!(bytes(20) < bytes(60) && bytes(60) < bytes(100));
    }

    #[test]
    fn pixels_that_do_not_match_the_size_are_refused() {
        let mut short = crop(PixelLayout::Rgb8, &[1, 2, 3]);
        short.pixels.pop();
        let empty = Crop { size: Size::new(0, 5), pixels: Vec::new(), ..short.clone() };
        for wrong in [short, empty] {
            let refused = encode_crop(&wrong, &spec(OutputFormat::Png), Color::WHITE);
            assert!(matches!(refused, Err(EncodeError::Encoder { .. })));
        }
    }
}
