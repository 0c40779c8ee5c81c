//! Resampling 8-bit pixels.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8x3, U8x4};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};

use super::PixelLayout;
use crate::geometry::Size;

/// How new pixels are computed from old ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Every source pixel counts by distance: good for the detector and for thumbnails.
    Area,
    /// Three-lobed Lanczos: the sharpest, for crops.
    Lanczos3,
}

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

/// Resamples the part `from` of `pixels` (rows without gaps, `size` pixels of `layout`) to `to` pixels.
///
/// Transparent pixels count by their alpha, so that colour hidden under them does not bleed out.
///
/// # Errors
/// The resizer's words: an empty size, or a box outside the picture.
pub fn resize(
    pixels: &[u8],
    layout: PixelLayout,
    size: Size,
    from: SourceBox,
    to: Size,
    filter: Filter,
) -> Result<Vec<u8>, String> {
    let mut target = vec![0; to.pixels() as usize * layout.channels()];
    match layout {
        PixelLayout::Rgb8 => resize_as::<U8x3>(pixels, size, from, &mut target, to, filter),
        PixelLayout::Rgba8 => resize_as::<U8x4>(pixels, size, from, &mut target, to, filter),
    }?;
    Ok(target)
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
    let filter_type = match filter {
        Filter::Area => FilterType::Bilinear,
        Filter::Lanczos3 => FilterType::Lanczos3,
    };
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(filter_type)).crop(
        from.x,
        from.y,
        from.width,
        from.height,
    );
    Resizer::new().resize_typed(&source, &mut target, &options).map_err(|error| words(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_averages_and_hidden_colour_does_not_bleed() {
        // Left half opaque white, right half transparent red.
        let size = Size::new(64, 4);
        let pixels: Vec<u8> =
            (0..size.pixels()).flat_map(|i| if i % 64 < 32 { [255, 255, 255, 255] } else { [255, 0, 0, 0] }).collect();
        let to = Size::new(3, 1);
        let small =
            resize(&pixels, PixelLayout::Rgba8, size, SourceBox::whole(size), to, Filter::Area).expect("resizes");
        let middle = &small[4..8];
        assert!(middle[3] > 64 && middle[3] < 192, "half covered, got alpha {}", middle[3]);
        assert!(middle[1] > 250 && middle[2] > 250, "stays white, got {middle:?}");
    }

    #[test]
    fn an_empty_target_and_a_box_outside_are_refused() {
        let size = Size::new(2, 2);
        let pixels = [0; 12];
        let whole = SourceBox::whole(size);
        let beyond = SourceBox { x: 1.0, ..whole };
        assert!(resize(&pixels, PixelLayout::Rgb8, size, beyond, Size::new(1, 1), Filter::Area).is_err());
        let empty = resize(&pixels, PixelLayout::Rgb8, size, whole, Size::new(0, 1), Filter::Area);
        assert!(empty.map_or(true, |pixels| pixels.is_empty()));
    }
}
