//! Copies of images for display.

use geometry::Size;
use outcome::{Channels, DecodeError, DisplayCopy};

use crate::{Filter, Picture, Pixels, SourceBox, resize, to_srgb};

/// Copies the whole image, scaled so that its longer side is at most `max_side` pixels; never enlarged.
///
/// # Errors
/// Resizing failed.
pub fn display_copy(picture: &Picture, max_side: u32) -> Result<DisplayCopy, DecodeError> {
    let size = picture.pixels.size();
    let to = picture.size().fit_within(max_side.min(size.long_side()));
    let profile = picture.info.icc_profile.as_deref();
    let whole = picture.whole_box();
    if to == size && whole == SourceBox::whole(size) {
        return Ok(display_pixels(picture.pixels.clone(), profile));
    }
    let small = resize(&picture.pixels, whole, to, Filter::Area)
        .map_err(|reason| DecodeError::Broken { format: picture.info.format.name(), reason })?;
    Ok(display_pixels(small, profile))
}

/// A display copy of `pixels`, which are in `profile`.
pub fn display_pixels(pixels: Pixels, profile: Option<&[u8]>) -> DisplayCopy {
    let size: Size = pixels.size();
    let rgba = to_srgb(pixels, profile).into_8_bits().into_channels(Channels::Rgba);
    DisplayCopy { size, rgba: rgba.as_u8().unwrap_or_default().into() }
}

/// Encodes a display copy as PNG. Its colours are taken as premultiplied by alpha, as on a clipboard.
///
/// # Errors
/// Encoding failed.
pub fn display_png(picture: &DisplayCopy) -> Result<Vec<u8>, png::EncodingError> {
    let straight: Vec<u8> = picture.rgba.chunks_exact(4).flat_map(straight).collect();
    let opaque = straight.chunks_exact(4).all(|pixel| pixel[3] == u8::MAX);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.size.width, picture.size.height);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    if opaque {
        encoder.set_color(png::ColorType::Rgb);
        let rgb: Vec<u8> = straight.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        encoder.write_header()?.write_image_data(&rgb)?;
    } else {
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header()?.write_image_data(&straight)?;
    }
    Ok(bytes)
}

/// A pixel with straight (not premultiplied) alpha.
fn straight(pixel: &[u8]) -> [u8; 4] {
    let alpha = u32::from(pixel[3]);
    let color = |value: u8| match alpha {
        0 | 255 => value,
        _ => ((u32::from(value) * 255 + alpha / 2) / alpha).min(255) as u8,
    };
    [color(pixel[0]), color(pixel[1]), color(pixel[2]), pixel[3]]
}

#[cfg(test)]
mod tests {
    use outcome::PictureFormat;

    use super::*;
    use crate::PictureInfo;

    #[test]
    fn display_copies_are_srgb() {
        let profile = moxcms::ColorProfile::new_display_p3().encode().expect("encodes");
        for deep in [false, true] {
            let size = Size::new(8, 6);
            let samples = [200, 120, 60].repeat(48);
            let pixels = if deep {
                Pixels::from_u16(size, Channels::Rgb, samples.iter().map(|sample| sample * 257).collect())
            } else {
                Pixels::from_u8(size, Channels::Rgb, samples.iter().map(|sample| *sample as u8).collect())
            };
            let pixels = pixels.expect("fits");
            let mut info = PictureInfo::plain(size, PictureFormat::Png, pixels.layout());
            info.icc_profile = Some(profile.clone().into());
            let picture = Picture::whole(info, pixels);
            for max_side in [8, 4] {
                let copy = display_copy(&picture, max_side).expect("copies");
                assert_eq!(copy.size.long_side(), max_side);
                for pixel in copy.rgba.chunks_exact(4) {
                    // Display P3 200, 120, 60 is sRGB 213, 115, 42 (LittleCMS).
                    assert!(pixel.iter().zip([213, 115, 42, 255]).all(|(a, b)| a.abs_diff(b) <= 1), "{pixel:?}");
                }
            }
        }
    }
}
