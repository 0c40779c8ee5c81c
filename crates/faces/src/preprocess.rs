//! Preprocessing: from decoded pixels to the model's input tensor.

use std::borrow::Cow;

use ndarray::{Array4, ArrayView4};

use geometry::{Point, Size, Transform};
use outcome::{DetectError, PixelLayout};
use picture::{Filter, Picture, Pixels, SourceBox, resize, to_srgb};

use super::Letterbox;
use super::letterbox::rotated_size;

/// Background of transparent pixels: middle grey, so that neither light nor dark hair disappears in it.
const UNDER_ALPHA: u16 = 128;

/// A model's input tensor, reused from image to image: shape `[1, 3, height, width]`. For the detector, planes blue,
/// green, red, values 0 to 255, zero outside the image.
#[derive(Debug)]
pub struct InputTensor {
    tensor: Array4<f32>,
}

impl InputTensor {
    /// A zero tensor for an input of `input` pixels.
    pub fn new(input: Size) -> Self {
        Self { tensor: Array4::zeros((1, 3, input.height as usize, input.width as usize)) }
    }

    /// The tensor for [`inference::Session::run`].
    pub fn view(&self) -> ArrayView4<'_, f32> {
        self.tensor.view()
    }

    /// The values of all planes, row by row.
    pub(crate) fn values_mut(&mut self) -> Option<&mut [f32]> {
        self.tensor.as_slice_mut()
    }

    /// Fills the tensor with zeros.
    fn clear(&mut self) {
        self.tensor.fill(0.0);
    }

    /// Writes 8-bit sRGB pixels, with or without alpha, to the top left; pixels outside the tensor are ignored.
    fn write(&mut self, pixels: &Pixels) {
        let (_, _, height, width) = self.tensor.dim();
        let channels = pixels.channels().count();
        let columns = pixels.size().width as usize;
        let Some(samples) = pixels.as_u8() else { return };
        let Some(values) = self.tensor.as_slice_mut() else { return };
        for (plane, values) in values.chunks_exact_mut(height * width).enumerate() {
            let channel = 2 - plane; // Planes are BGR, pixels RGB.
            let source_rows = samples.chunks_exact((columns * channels).max(1));
            for (row, source) in values.chunks_exact_mut(width).zip(source_rows) {
                if channels == 4 {
                    for (value, pixel) in row.iter_mut().zip(source.chunks_exact(4)) {
                        let alpha = u16::from(pixel[3]);
                        let over = u16::from(pixel[channel]) * alpha + UNDER_ALPHA * (255 - alpha);
                        *value = f32::from(over) / 255.0;
                    }
                } else {
                    for (value, pixel) in row.iter_mut().zip(source.chunks_exact(3)) {
                        *value = f32::from(pixel[channel]);
                    }
                }
            }
        }
    }
}

/// Resizes and rotates `picture` as in `letterbox`, converts it to sRGB and writes it to `tensor`, which must have been
/// created for `letterbox.input`.
///
/// # Errors
/// Resizing failed.
pub fn preprocess(picture: &Picture, letterbox: &Letterbox, tensor: &mut InputTensor) -> Result<(), DetectError> {
    tensor.clear();
    let from = picture.source_box(SourceBox::whole(letterbox.image));
    let is_resized = letterbox.resized == picture.pixels.size() && from == SourceBox::whole(letterbox.resized);
    let small = if is_resized {
        Cow::Borrowed(&picture.pixels)
    } else {
        let small = resize(&picture.pixels, from, letterbox.resized, Filter::Area);
        Cow::Owned(small.map_err(|reason| DetectError::Resize { reason })?)
    };
    let profile = picture.info.icc_profile.as_deref();
    if profile.is_none() && [PixelLayout::RGB8, PixelLayout::RGBA8].contains(&small.layout()) {
        tensor.write(&rotate(&small, letterbox.rotation));
        return Ok(());
    }
    // The network was trained on sRGB. Converting after resizing costs next to nothing.
    let srgb = to_srgb(small.into_owned(), profile).into_8_bits();
    let in_colour = srgb.channels().in_colour();
    tensor.write(&rotate(&srgb.into_channels(in_colour), letterbox.rotation));
    Ok(())
}

/// `pixels`, of 8 bits, rotated clockwise by `degrees`; black in the corners of the bounding rectangle.
fn rotate(pixels: &Pixels, degrees: u16) -> Cow<'_, Pixels> {
    let (size, count) = (pixels.size(), pixels.channels().count());
    let (width, height) = (size.width as usize, size.height as usize);
    let rotated_size = rotated_size(size, degrees);
    let Some(samples) = pixels.as_u8().filter(|_| !degrees.is_multiple_of(360)) else {
        return Cow::Borrowed(pixels);
    };
    let mut rotated = Vec::with_capacity(rotated_size.pixels() as usize * count);
    let back = Transform::scale_then_move(
        1.0,
        1.0,
        0.5 - f64::from(rotated_size.width) / 2.0,
        0.5 - f64::from(rotated_size.height) / 2.0,
    )
    .then(&Transform::rotate_about(Point::default(), -f64::from(degrees)))
    .then(&Transform::scale_then_move(1.0, 1.0, width as f64 / 2.0, height as f64 / 2.0));
    for y in 0..rotated_size.height as usize {
        for x in 0..rotated_size.width as usize {
            let (column, row) = match degrees {
                90 => (y, height - 1 - x),
                180 => (width - 1 - x, height - 1 - y),
                270 => (width - 1 - y, x),
                _ => {
                    push_interpolated(samples, size, count, back.apply(Point::new(x as f32, y as f32)), &mut rotated);
                    continue;
                }
            };
            rotated.extend_from_slice(&samples[(row * width + column) * count..][..count]);
        }
    }
    Pixels::from_u8(rotated_size, pixels.channels(), rotated).map_or(Cow::Borrowed(pixels), Cow::Owned)
}

/// Appends the bilinearly interpolated pixel of `count` samples at `at` to `to`; opaque black outside the image.
fn push_interpolated(samples: &[u8], size: Size, count: usize, at: Point, to: &mut Vec<u8>) {
    let (width, height) = (size.width as usize, size.height as usize);
    if !(at.x >= 0.0 && at.y >= 0.0 && at.x < width as f32 && at.y < height as f32) {
        to.extend((0..count).map(|channel| if channel == 3 { 255 } else { 0 }));
        return;
    }
    let (x, y) = ((at.x - 0.5).max(0.0), (at.y - 0.5).max(0.0));
    let (left, top) = (x as usize, y as usize);
    let (right, below) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
    let (across, down) = (x - left as f32, y - top as f32);
    to.extend((0..count).map(|channel| {
        let value = |column: usize, row: usize| f32::from(samples[(row * width + column) * count + channel]);
        let upper = value(left, top) + (value(right, top) - value(left, top)) * across;
        let lower = value(left, below) + (value(right, below) - value(left, below)) * across;
        (upper + (lower - upper) * down).round() as u8
    }));
}

#[cfg(test)]
mod tests {
    use outcome::{Channels, PictureFormat};
    use picture::PictureInfo;

    use super::*;

    fn picture(size: Size, channels: Channels, pixel: &[u8]) -> Picture {
        let samples = pixel.repeat(size.pixels() as usize);
        let pixels = Pixels::from_u8(size, channels, samples).expect("fits");
        Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels)
    }

    #[test]
    fn planes_are_bgr_at_the_top_left_and_zero_elsewhere() {
        let input = Size::new(32, 32);
        let mut tensor = InputTensor::new(input);
        // A full image first: none of it may be left in the tensor.
        for (size, pixel) in [(input, [9, 9, 9]), (Size::new(3, 2), [10, 20, 30])] {
            let picture = picture(size, Channels::Rgb, &pixel);
            let letterbox = Letterbox::new(size, input).expect("fits");
            preprocess(&picture, &letterbox, &mut tensor).expect("packs");
        }
        let tensor = tensor.view();
        for (plane, value) in [30.0, 20.0, 10.0].into_iter().enumerate() {
            assert_eq!(tensor[[0, plane, 1, 2]], value);
            assert_eq!(tensor[[0, plane, 1, 3]], 0.0);
            assert_eq!(tensor[[0, plane, 2, 2]], 0.0);
        }
    }

    #[test]
    fn the_input_tensor_is_srgb() {
        let size = Size::new(4, 4);
        let mut picture = picture(size, Channels::Rgb, &[200, 120, 60]);
        picture.info.icc_profile = Some(moxcms::ColorProfile::new_display_p3().encode().expect("encodes").into());
        let mut tensor = InputTensor::new(Size::new(32, 32));
        preprocess(&picture, &Letterbox::new(size, Size::new(32, 32)).expect("fits"), &mut tensor).expect("packs");
        // Display P3 200, 120, 60 is sRGB 213, 115, 42 (LittleCMS).
        for (plane, value) in [42.0_f32, 115.0, 213.0].into_iter().enumerate() {
            let tensor = tensor.view()[[0, plane, 1, 1]];
            assert!((tensor - value).abs() <= 1.0, "{plane}: {tensor}");
        }
    }

    #[test]
    fn the_colour_of_transparent_pixels_is_ignored() {
        let size = Size::new(4, 4);
        let mut tensor = InputTensor::new(Size::new(32, 32));
        let letterbox = Letterbox::new(size, Size::new(32, 32)).expect("fits");
        preprocess(&picture(size, Channels::Rgba, &[255, 0, 0, 0]), &letterbox, &mut tensor).expect("packs");
        assert_eq!([tensor.view()[[0, 0, 0, 0]], tensor.view()[[0, 2, 0, 0]]], [128.0, 128.0]);
    }

    #[test]
    fn an_image_is_rotated_clockwise() {
        // Red on the left, blue on the right.
        let size = Size::new(8, 4);
        let samples = (0..32).flat_map(|i| if i % 8 < 4 { [250, 0, 0] } else { [0, 0, 250] }).collect();
        let pixels = Pixels::from_u8(size, Channels::Rgb, samples).expect("fits");
        let picture = Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels);
        let input = Size::new(32, 32);
        let mut tensor = InputTensor::new(input);
        for (rotation, red, blue) in [
            (0, (0, 0), (7, 3)),
            (90, (0, 0), (3, 7)),
            (180, (7, 3), (0, 0)),
            (270, (0, 7), (3, 0)),
            // Left becomes up, right becomes down; the corners are black.
            (45, (2, 2), (6, 6)),
        ] {
            let letterbox = Letterbox::rotated(size, input, rotation, 1.0).expect("fits");
            preprocess(&picture, &letterbox, &mut tensor).expect("packs");
            let at = |(x, y): (usize, usize)| [tensor.view()[[0, 0, y, x]], tensor.view()[[0, 2, y, x]]];
            assert_eq!((at(red), at(blue)), ([0.0, 250.0], [250.0, 0.0]), "{rotation}");
            let corner = if rotation == 45 { [0.0; 2] } else { at((0, 0)) };
            assert_eq!(at((0, 0)), corner, "{rotation}");
        }
    }
}
