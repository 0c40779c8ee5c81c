//! From a picture's pixels to the model's input tensor.

use std::borrow::Cow;

use ndarray::{Array4, ArrayView4};

use geometry::{Point, Size, Transform};
use outcome::{DetectError, PixelLayout};
use picture::{Filter, Picture, Pixels, SourceBox, resize, to_srgb};

use super::Letterbox;
use super::letterbox::turned_size;

/// What shows through where a picture is transparent: a middle grey, so that neither light nor dark hair is lost in it.
const UNDER_ALPHA: u16 = 128;

/// The model's input, kept from picture to picture so that its memory is reused: `[1, 3, height, width]`, planes blue,
/// green, red, values 0 to 255, zero where the picture does not reach.
#[derive(Debug)]
pub struct InputTensor {
    tensor: Array4<f32>,
}

impl InputTensor {
    /// An empty input of `input` pixels.
    pub fn new(input: Size) -> Self {
        Self { tensor: Array4::zeros((1, 3, input.height as usize, input.width as usize)) }
    }

    /// The tensor.
    pub fn view(&self) -> ArrayView4<'_, f32> {
        self.tensor.view()
    }

    /// Makes it all zero.
    fn clear(&mut self) {
        self.tensor.fill(0.0);
    }

    /// Puts pixels of 8-bit sRGB, with or without alpha, at the top left. What does not fit is left out.
    fn put(&mut self, pixels: &Pixels) {
        let (_, _, height, width) = self.tensor.dim();
        let channels = pixels.channels().count();
        let columns = pixels.size().width as usize;
        let Some(samples) = pixels.as_u8() else { return };
        let Some(values) = self.tensor.as_slice_mut() else { return };
        for (plane, values) in values.chunks_exact_mut(height * width).enumerate() {
            let channel = 2 - plane; // The planes are blue, green, red; the pixels red, green, blue.
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

/// Scales and turns `picture` as `fit` says and packs it into `packed`, which must have been made for `fit.input`.
///
/// # Errors
/// The resizer refused.
pub fn preprocess(picture: &Picture, letterbox: &Letterbox, packed: &mut InputTensor) -> Result<(), DetectError> {
    packed.clear();
    let from = picture.source_box(SourceBox::whole(letterbox.picture));
    let is_fitted = letterbox.fitted == picture.pixels.size() && from == SourceBox::whole(letterbox.fitted);
    let small = if is_fitted {
        Cow::Borrowed(&picture.pixels)
    } else {
        let small = resize(&picture.pixels, from, letterbox.fitted, Filter::Area);
        Cow::Owned(small.map_err(|reason| DetectError::Resize { reason })?)
    };
    let profile = picture.info.icc_profile.as_deref();
    if profile.is_none() && [PixelLayout::RGB8, PixelLayout::RGBA8].contains(&small.layout()) {
        packed.put(&turn(&small, letterbox.turned));
        return Ok(());
    }
    // The network was trained on sRGB; converting what is left after scaling costs next to nothing.
    let srgb = to_srgb(small.into_owned(), profile).into_8_bits();
    let in_colour = srgb.channels().in_colour();
    packed.put(&turn(&srgb.into_channels(in_colour), letterbox.turned));
    Ok(())
}

/// `pixels`, of 8 bits, turned clockwise by `degrees`; black where the rectangle around them shows more than they do.
fn turn(pixels: &Pixels, degrees: u16) -> Cow<'_, Pixels> {
    let (size, count) = (pixels.size(), pixels.channels().count());
    let (width, height) = (size.width as usize, size.height as usize);
    let turned_size = turned_size(size, degrees);
    let Some(samples) = pixels.as_u8().filter(|_| !degrees.is_multiple_of(360)) else {
        return Cow::Borrowed(pixels);
    };
    let mut turned = Vec::with_capacity(turned_size.pixels() as usize * count);
    let back = Transform::scale_then_move(
        1.0,
        1.0,
        0.5 - f64::from(turned_size.width) / 2.0,
        0.5 - f64::from(turned_size.height) / 2.0,
    )
    .then(&Transform::rotate_about(Point::default(), -f64::from(degrees)))
    .then(&Transform::scale_then_move(1.0, 1.0, width as f64 / 2.0, height as f64 / 2.0));
    for y in 0..turned_size.height as usize {
        for x in 0..turned_size.width as usize {
            let (column, row) = match degrees {
                90 => (y, height - 1 - x),
                180 => (width - 1 - x, height - 1 - y),
                270 => (width - 1 - y, x),
                _ => {
                    between(samples, size, count, back.apply(Point::new(x as f32, y as f32)), &mut turned);
                    continue;
                }
            };
            turned.extend_from_slice(&samples[(row * width + column) * count..][..count]);
        }
    }
    Pixels::from_u8(turned_size, pixels.channels(), turned).map_or(Cow::Borrowed(pixels), Cow::Owned)
}

/// Adds to `to` the pixel of `count` samples at `at`, between pixels; beyond them one that is black and not transparent.
fn between(samples: &[u8], size: Size, count: usize, at: Point, to: &mut Vec<u8>) {
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
    fn planes_are_blue_green_red_at_the_top_left_and_zero_elsewhere() {
        let input = Size::new(32, 32);
        let mut packed = InputTensor::new(input);
        // A full picture first: what it leaves behind must not show through.
        for (size, pixel) in [(input, [9, 9, 9]), (Size::new(3, 2), [10, 20, 30])] {
            let picture = picture(size, Channels::Rgb, &pixel);
            let letterbox = Letterbox::new(size, input).expect("fits");
            preprocess(&picture, &letterbox, &mut packed).expect("packs");
        }
        let tensor = packed.view();
        for (plane, value) in [30.0, 20.0, 10.0].into_iter().enumerate() {
            assert_eq!(tensor[[0, plane, 1, 2]], value);
            assert_eq!(tensor[[0, plane, 1, 3]], 0.0);
            assert_eq!(tensor[[0, plane, 2, 2]], 0.0);
        }
    }

    #[test]
    fn the_network_sees_srgb() {
        let size = Size::new(4, 4);
        let mut picture = picture(size, Channels::Rgb, &[200, 120, 60]);
        picture.info.icc_profile = Some(moxcms::ColorProfile::new_display_p3().encode().expect("encodes").into());
        let mut packed = InputTensor::new(Size::new(32, 32));
        preprocess(&picture, &Letterbox::new(size, Size::new(32, 32)).expect("fits"), &mut packed).expect("packs");
        // Display P3 200, 120, 60 is sRGB 213, 115, 42 (LittleCMS).
        for (plane, value) in [42.0_f32, 115.0, 213.0].into_iter().enumerate() {
            let packed = packed.view()[[0, plane, 1, 1]];
            assert!((packed - value).abs() <= 1.0, "{plane}: {packed}");
        }
    }

    #[test]
    fn colour_hidden_under_transparency_is_not_seen() {
        let size = Size::new(4, 4);
        let mut packed = InputTensor::new(Size::new(32, 32));
        let letterbox = Letterbox::new(size, Size::new(32, 32)).expect("fits");
        preprocess(&picture(size, Channels::Rgba, &[255, 0, 0, 0]), &letterbox, &mut packed).expect("packs");
        assert_eq!([packed.view()[[0, 0, 0, 0]], packed.view()[[0, 2, 0, 0]]], [128.0, 128.0]);
    }

    #[test]
    fn a_picture_is_turned_clockwise() {
        // Red at the left, blue at the right.
        let size = Size::new(8, 4);
        let samples = (0..32).flat_map(|i| if i % 8 < 4 { [250, 0, 0] } else { [0, 0, 250] }).collect();
        let pixels = Pixels::from_u8(size, Channels::Rgb, samples).expect("fits");
        let picture = Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels);
        let input = Size::new(32, 32);
        let mut packed = InputTensor::new(input);
        for (turned, red, blue) in [
            (0, (0, 0), (7, 3)),
            (90, (0, 0), (3, 7)),
            (180, (7, 3), (0, 0)),
            (270, (0, 7), (3, 0)),
            // Left is up, right is down; corners show nothing.
            (45, (2, 2), (6, 6)),
        ] {
            let letterbox = Letterbox::turned(size, input, turned, 1.0).expect("fits");
            preprocess(&picture, &letterbox, &mut packed).expect("packs");
            let at = |(x, y): (usize, usize)| [packed.view()[[0, 0, y, x]], packed.view()[[0, 2, y, x]]];
            assert_eq!((at(red), at(blue)), ([0.0, 250.0], [250.0, 0.0]), "{turned}");
            let corner = if turned == 45 { [0.0; 2] } else { at((0, 0)) };
            assert_eq!(at((0, 0)), corner, "{turned}");
        }
    }
}
