//! A small sRGB copy of a part of an image.

use geometry::{Rect, Size, Transform};
use outcome::Channels;
use picture::{Filter, Picture, Pixels, SourceBox, resize, to_srgb};

/// Maximum side of a copy in pixels; only boxes that are not faces would exceed it.
const MAX_SIDE: f64 = 512.0;

/// Background of transparent pixels: middle grey, as in preprocessing.
const UNDER_ALPHA: u16 = 128;

/// A resampled part of an image in sRGB.
pub(crate) struct Patch {
    size: Size,
    /// Red, green and blue of each pixel, 0 to 255, and 0: four values are interpolated in one instruction.
    pixels: Vec<[f32; 4]>,
    /// Top left corner of the patch in the upright image, and patch pixels for each image pixel in x and y.
    origin: (f64, f64),
    scale: (f64, f64),
}

impl Patch {
    /// Resamples the decoded part of `part` to `scale` patch pixels for each pixel of the upright image, never
    /// enlarging. `None` if nothing of `part` was decoded.
    pub(crate) fn of(picture: &Picture, part: Rect, scale: f32) -> Option<Self> {
        let reduction = f64::from(picture.place.reduction.max(1));
        let part_box =
            SourceBox { x: part.x.into(), y: part.y.into(), width: part.width.into(), height: part.height.into() };
        let source = picture.source_box(part_box);
        let scale = f64::from(scale).min(1.0 / reduction).min(MAX_SIDE / f64::from(part.width.max(part.height)));
        let (width, height) = (source.width * reduction * scale, source.height * reduction * scale);
        // Also false for NaN.
        if !(width >= 1.0 && height >= 1.0) {
            return None;
        }
        let size = Size::new(width.round().min(MAX_SIDE) as u32, height.round().min(MAX_SIDE) as u32);
        let small = resize(&picture.pixels, source, size, Filter::Area).ok()?;
        let origin =
            (f64::from(picture.place.x) + source.x * reduction, f64::from(picture.place.y) + source.y * reduction);
        let per = |pixels: u32, length: f64| f64::from(pixels) / (length * reduction);
        let scale = (per(size.width, source.width), per(size.height, source.height));
        let rgb = rgb_of(small, picture.info.icc_profile.as_deref())?;
        let pixels =
            rgb.as_chunks::<3>().0.iter().map(|&[red, green, blue]| [red, green, blue, 0].map(f32::from)).collect();
        Some(Self { size, pixels, origin, scale })
    }

    /// RGB of each pixel, row by row.
    pub(crate) fn rgb(&self) -> impl Iterator<Item = [u8; 3]> {
        self.pixels.iter().map(|&[red, green, blue, _]| [red, green, blue].map(|value| value as u8))
    }

    /// The bilinearly interpolated RGB (and 0) at a position in patch pixels; outside the patch, that of its edge.
    #[inline]
    pub(crate) fn between(&self, x: f32, y: f32) -> [f32; 4] {
        let (width, height) = (self.size.width as usize, self.size.height as usize);
        let (x, y) = ((x - 0.5).max(0.0), (y - 0.5).max(0.0));
        let (x, y) = (x.min((width - 1) as f32), y.min((height - 1) as f32));
        let (left, top) = (x as usize, y as usize);
        let (right, below) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
        let (across, down) = (x - left as f32, y - top as f32);
        let mix =
            |a: [f32; 4], b: [f32; 4], share: f32| std::array::from_fn(|lane| a[lane] + (b[lane] - a[lane]) * share);
        let (upper, lower) = (&self.pixels[top * width..][..width], &self.pixels[below * width..][..width]);
        mix(mix(upper[left], upper[right], across), mix(lower[left], lower[right], across), down)
    }

    /// Maps pixels of the upright image to patch pixels.
    pub(crate) fn patch_from_image(&self) -> Transform {
        let (x, y) = self.scale;
        Transform::scale_then_move(x, y, -self.origin.0 * x, -self.origin.1 * y)
    }

    /// Logarithm of each pixel's luma: doubling the light adds the same amount everywhere.
    pub(super) fn log_luma(&self) -> LogLuma {
        let values = self.rgb().map(|pixel| (luma(pixel) + 8.0).ln()).collect();
        LogLuma { size: self.size, values }
    }
}

/// One value for each pixel.
pub(super) struct LogLuma {
    size: Size,
    values: Vec<f32>,
}

impl LogLuma {
    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// The values, row by row.
    pub(super) fn values(&self) -> &[f32] {
        &self.values
    }
}

/// Rec. 601 luma of an sRGB pixel, 0 to 255.
fn luma([red, green, blue]: [u8; 3]) -> f32 {
    0.299 * f32::from(red) + 0.587 * f32::from(green) + 0.114 * f32::from(blue)
}

fn rgb_of(pixels: Pixels, profile: Option<&[u8]>) -> Option<Vec<u8>> {
    let srgb = to_srgb(pixels, profile).into_8_bits();
    let in_colour = srgb.channels().in_colour();
    let srgb = srgb.into_channels(in_colour);
    let samples = srgb.as_u8()?;
    if srgb.channels() == Channels::Rgb {
        return Some(samples.to_vec());
    }
    let over = |[red, green, blue, alpha]: [u8; 4]| {
        let alpha = u16::from(alpha);
        [red, green, blue].map(|v| ((u16::from(v) * alpha + UNDER_ALPHA * (255 - alpha)) / 255) as u8)
    };
    Some(samples.as_chunks::<4>().0.iter().flat_map(|&pixel| over(pixel)).collect())
}
