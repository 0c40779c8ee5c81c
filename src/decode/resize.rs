//! Resampling pixels.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8, U8x2, U8x3, U8x4, U16, U16x2, U16x3, U16x4};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};

use super::{Channels, Pixels, Samples};
use crate::geometry::Size;

/// How new pixels are computed from old ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Source pixels count by distance, all of them or, where they are very many, enough: good for the detector and for
    /// thumbnails.
    Area,
    /// Three-lobed Lanczos: the sharpest, for crops.
    Lanczos3,
}

/// Source pixels a pixel along each side from which on not all of them are looked at.
const SPARSE_FROM: f64 = 9.0;

/// The part of a picture that is resampled, with fractions of a pixel; must lie inside the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SourceBox {
    /// Left edge in pixels.
    pub x: f64,
    /// Top edge in pixels.
    pub y: f64,
    /// Pixels from left to right.
    pub width: f64,
    /// Pixels from top to bottom.
    pub height: f64,
}

impl SourceBox {
    /// All of a picture of `size`.
    pub fn whole(size: Size) -> Self {
        Self { x: 0.0, y: 0.0, width: f64::from(size.width), height: f64::from(size.height) }
    }
}

/// Resamples the part `from` of `pixels` to `to` pixels of the same layout.
///
/// Transparent pixels count by their alpha, so that colour hidden under them does not bleed out.
///
/// # Errors
/// The resizer's words: an empty size, or a box outside the pixels.
pub fn resize(pixels: &Pixels, from: SourceBox, to: Size, filter: Filter) -> Result<Pixels, String> {
    let (size, channels) = (pixels.size(), pixels.channels());
    let count = to.pixels() as usize * channels.count();
    let samples = match pixels.samples() {
        Samples::U8(samples) => {
            let mut target = vec![0; count];
            match channels {
                Channels::L => resize_as::<U8>(samples, size, from, &mut target, to, filter),
                Channels::La => resize_as::<U8x2>(samples, size, from, &mut target, to, filter),
                Channels::Rgb => resize_as::<U8x3>(samples, size, from, &mut target, to, filter),
                Channels::Rgba => resize_as::<U8x4>(samples, size, from, &mut target, to, filter),
            }?;
            Samples::U8(target)
        }
        Samples::U16(samples) => {
            let mut target = vec![0; count];
            let (source, bytes) = (bytemuck::cast_slice(samples), bytemuck::cast_slice_mut(&mut target));
            match channels {
                Channels::L => resize_as::<U16>(source, size, from, bytes, to, filter),
                Channels::La => resize_as::<U16x2>(source, size, from, bytes, to, filter),
                Channels::Rgb => resize_as::<U16x3>(source, size, from, bytes, to, filter),
                Channels::Rgba => resize_as::<U16x4>(source, size, from, bytes, to, filter),
            }?;
            Samples::U16(target)
        }
    };
    Pixels::new(to, channels, samples).ok_or_else(|| "the size is too large".to_owned())
}

/// Naming the pixel type keeps the resizer's code for the many others out of the program.
fn resize_as<P: PixelTrait>(
    pixels: &[u8],
    size: Size,
    from: SourceBox,
    target: &mut [u8],
    to: Size,
    filter: Filter,
) -> Result<(), String> {
    let words = |error: &dyn std::error::Error| error.to_string();
    let source = TypedImageRef::<P>::from_buffer(size.width, size.height, pixels).map_err(|error| words(&error))?;
    let mut target = TypedImage::<P>::from_buffer(to.width, to.height, target).map_err(|error| words(&error))?;
    let reduction = (from.width / f64::from(to.width.max(1))).min(from.height / f64::from(to.height.max(1)));
    let algorithm = match filter {
        // Of so many source pixels every second or third one serves as well, in a quarter of the time.
        Filter::Area if reduction >= SPARSE_FROM => ResizeAlg::SuperSampling(FilterType::Bilinear, 2),
        Filter::Area => ResizeAlg::Convolution(FilterType::Bilinear),
        Filter::Lanczos3 => ResizeAlg::Convolution(FilterType::Lanczos3),
    };
    let options = ResizeOptions::new().resize_alg(algorithm).crop(from.x, from.y, from.width, from.height);
    Resizer::new().resize_typed(&source, &mut target, &options).map_err(|error| words(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_averages_and_hidden_colour_does_not_bleed() {
        // Left half opaque white, right half transparent red.
        let size = Size::new(64, 4);
        let samples: Vec<u8> =
            (0..size.pixels()).flat_map(|i| if i % 64 < 32 { [255, 255, 255, 255] } else { [255, 0, 0, 0] }).collect();
        let pixels = Pixels::from_u8(size, Channels::Rgba, samples).expect("fits");
        let small = resize(&pixels, SourceBox::whole(size), Size::new(3, 1), Filter::Area).expect("resizes");
        let middle = &small.as_u8().expect("8 bits")[4..8];
        assert!(middle[3] > 64 && middle[3] < 192, "half covered, got alpha {}", middle[3]);
        assert!(middle[1] > 250 && middle[2] > 250, "stays white, got {middle:?}");
    }

    #[test]
    fn an_empty_target_and_a_box_outside_are_refused() {
        let size = Size::new(2, 2);
        let pixels = Pixels::from_u8(size, Channels::Rgb, vec![0; 12]).expect("fits");
        let whole = SourceBox::whole(size);
        let beyond = SourceBox { x: 1.0, ..whole };
        assert!(resize(&pixels, beyond, Size::new(1, 1), Filter::Area).is_err());
        let empty = resize(&pixels, whole, Size::new(0, 1), Filter::Area);
        assert!(empty.map_or(true, |pixels| pixels.byte_size() == 0));
    }

    #[test]
    fn every_layout_is_resampled_alike() {
        let size = Size::new(8, 8);
        for channels in [Channels::L, Channels::La, Channels::Rgb, Channels::Rgba] {
            let count = size.pixels() as usize * channels.count();
            let (shallow, deep) = (vec![200; count], vec![51_400; count]);
            let shallow = Pixels::from_u8(size, channels, shallow).expect("fits");
            let deep = Pixels::from_u16(size, channels, deep).expect("fits");
            let to = Size::new(3, 5);
            let shallow = resize(&shallow, SourceBox::whole(size), to, Filter::Lanczos3).expect("resizes");
            let deep = resize(&deep, SourceBox::whole(size), to, Filter::Lanczos3).expect("resizes");
            assert!(shallow.as_u8().expect("8 bits").iter().all(|sample| sample.abs_diff(200) <= 1), "{channels:?}");
            assert!(deep.as_u16().expect("16 bits").iter().all(|sample| sample.abs_diff(51_400) <= 2), "{channels:?}");
        }
    }
}
