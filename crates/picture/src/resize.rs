//! Resampling of pixels.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8, U8x2, U8x3, U8x4, U16, U16x2, U16x3, U16x4};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};

use geometry::Size;
use outcome::Channels;

use super::{Pixels, Samples};

/// The resampling filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Area averaging, with a subset of the source pixels at very strong reductions: for the detector and for
    /// thumbnails.
    Area,
    /// Lanczos-3: the sharpest, for crops.
    Lanczos3,
}

/// Reduction along each axis from which only a subset of the source pixels is read.
const SPARSE_REDUCTION: f64 = 9.0;

/// Bytes per band when a source with alpha is resampled.
const BAND_BYTES: usize = 8 << 20;

/// The part of an image to resample, in fractional pixels; must be within the image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SourceBox {
    /// Left edge in pixels.
    pub x: f64,
    /// Top edge in pixels.
    pub y: f64,
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
}

impl SourceBox {
    /// The whole of an image of `size`.
    pub fn whole(size: Size) -> Self {
        Self { x: 0.0, y: 0.0, width: f64::from(size.width), height: f64::from(size.height) }
    }
}

/// Resamples the part `from` of `pixels` to `to` pixels of the same layout.
///
/// Colours are weighted by alpha, so that colour hidden under transparency does not bleed.
///
/// # Errors
/// The message of the resizer: an empty size, or a box outside the pixels.
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

/// An explicit pixel type keeps the resizer's code for the many other types out of the binary.
fn resize_as<P: PixelTrait>(
    pixels: &[u8],
    size: Size,
    from: SourceBox,
    target: &mut [u8],
    to: Size,
    filter: Filter,
) -> Result<(), String> {
    let reduction = (from.width / f64::from(to.width.max(1))).min(from.height / f64::from(to.height.max(1)));
    let (algorithm, lobes) = match filter {
        // At such reductions every second or third source pixel suffices, in a quarter of the time.
        Filter::Area if reduction >= SPARSE_REDUCTION => (ResizeAlg::SuperSampling(FilterType::Bilinear, 2), 0.0),
        Filter::Area => (ResizeAlg::Convolution(FilterType::Bilinear), 1.0),
        Filter::Lanczos3 => (ResizeAlg::Convolution(FilterType::Lanczos3), 3.0),
    };
    let has_alpha = matches!(P::count_of_components(), 2 | 4);
    if !has_alpha || lobes == 0.0 {
        return resize_rows::<P>(pixels, size, from, target, to, algorithm);
    }
    // For pixels with alpha, the resizer first copies the whole source, so it receives one band at a time.
    let (source_row, target_row) = (size.width as usize * P::size(), to.width as usize * P::size());
    let scale = from.height / f64::from(to.height.max(1));
    let reach = lobes * scale.max(1.0) + 1.0;
    let rows = (BAND_BYTES / source_row.max(1)) as f64 - 2.0 * reach;
    let rows = ((rows / scale) as usize).max(1);
    for (index, band) in target.chunks_mut((rows * target_row).max(1)).enumerate() {
        let height = band.len() / target_row;
        let top = from.y + (index * rows) as f64 * scale;
        let bottom = top + height as f64 * scale;
        let first = ((top - reach).floor().max(0.0) as usize).min(size.height as usize);
        let end = ((bottom + reach).ceil().max(0.0) as usize).clamp(first, size.height as usize);
        let part = Size::new(size.width, (end - first) as u32);
        let from = SourceBox { y: top - first as f64, height: height as f64 * scale, ..from };
        let to = Size::new(to.width, height as u32);
        resize_rows::<P>(&pixels[first * source_row..end * source_row], part, from, band, to, algorithm)?;
    }
    Ok(())
}

fn resize_rows<P: PixelTrait>(
    pixels: &[u8],
    size: Size,
    from: SourceBox,
    target: &mut [u8],
    to: Size,
    algorithm: ResizeAlg,
) -> Result<(), String> {
    let message = |error: &dyn std::error::Error| error.to_string();
    let source = TypedImageRef::<P>::from_buffer(size.width, size.height, pixels).map_err(|error| message(&error))?;
    let mut target = TypedImage::<P>::from_buffer(to.width, to.height, target).map_err(|error| message(&error))?;
    let options = ResizeOptions::new().resize_alg(algorithm).crop(from.x, from.y, from.width, from.height);
    Resizer::new().resize_typed(&source, &mut target, &options).map_err(|error| message(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn downscaling_averages_without_hidden_colour() {
        // The left half is opaque white, the right half transparent red.
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
    fn banded_resampling_matches_a_single_pass() {
        let size = Size::new(1800, 2500);
        let noise = |index: u64| (index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as u8;
        let samples: Vec<u8> = (0..size.pixels() * 4).map(noise).collect();
        assert!(samples.len() > 2 * BAND_BYTES);
        let from = SourceBox { x: 10.25, y: 20.5, width: 1700.0, height: 2400.75 };
        let to = Size::new(300, 431);
        for (filter, algorithm) in [(Filter::Area, FilterType::Bilinear), (Filter::Lanczos3, FilterType::Lanczos3)] {
            let (mut whole, mut bands) = (vec![0; to.pixels() as usize * 4], vec![0; to.pixels() as usize * 4]);
            let algorithm = ResizeAlg::Convolution(algorithm);
            resize_rows::<U8x4>(&samples, size, from, &mut whole, to, algorithm).expect("resizes");
            resize_as::<U8x4>(&samples, size, from, &mut bands, to, filter).expect("resizes");
            let max = whole.iter().zip(&bands).map(|(whole, band)| whole.abs_diff(*band)).max();
            assert!(max <= Some(1), "{filter:?}: {max:?}");
        }
    }

    #[test]
    fn empty_targets_and_boxes_outside_are_rejected() {
        let size = Size::new(2, 2);
        let pixels = Pixels::from_u8(size, Channels::Rgb, vec![0; 12]).expect("fits");
        let whole = SourceBox::whole(size);
        let beyond = SourceBox { x: 1.0, ..whole };
        assert!(resize(&pixels, beyond, Size::new(1, 1), Filter::Area).is_err());
        let empty = resize(&pixels, whole, Size::new(0, 1), Filter::Area);
        assert!(empty.map_or(true, |pixels| pixels.byte_size() == 0));
    }

    #[test]
    fn every_layout_is_resampled_equally() {
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
