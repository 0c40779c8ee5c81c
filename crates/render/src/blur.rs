//! Mirrored surroundings whose blur grows with the distance from the photo.
//!
//! At the photo's edge they equal the mirrored photo, so that there is no visible seam. The blur depends on the
//! distance in crop pixels, so that a smaller crop has the same appearance.

use geometry::Size;
use outcome::{Channels, RenderError};
use picture::{Filter, Pixels, Samples, SourceBox, resize};

use super::area::PhotoArea;
use super::sample::{Premultiplied, Sample, SampleOp, apply_to_samples, read, write};

/// Blur radius (standard deviation in pixels) per pixel of distance.
const GROWTH: f32 = 0.5;

/// Maximum blur radius, as a fraction of the crop's shorter side.
const MAX_BLUR: f32 = 0.1;

/// Blur radius in pixels of the first pyramid level: halving with a triangle filter, then a spline of three pixels each
/// way.
const FIRST_BLUR: f32 = 1.36;

/// Blurs the pixels of `crop` outside `area`, which are mirrored already.
pub(super) fn blur_outside(crop: &mut Pixels, area: &PhotoArea) -> Result<(), RenderError> {
    let size = crop.size();
    let max = (MAX_BLUR * size.short_side() as f32).max(1.0);
    let mut levels = Vec::new();
    let mut blur = FIRST_BLUR;
    let mut side = size.short_side();
    while side >= 2 && (levels.is_empty() || blur < max) {
        let from = levels.last().unwrap_or(crop);
        let half = Size::new(from.size().width.div_ceil(2), from.size().height.div_ceil(2));
        let smaller = resize(from, SourceBox::whole(from.size()), half, Filter::Area)
            .map_err(|reason| RenderError::Resize { reason })?;
        levels.push(smaller);
        blur = if levels.len() == 1 { blur } else { blur * 2.0 };
        side = half.short_side();
    }
    if !levels.is_empty() {
        apply_to_samples(crop, BlurOutside { area, levels: &levels, size, max });
    }
    Ok(())
}

struct BlurOutside<'a> {
    area: &'a PhotoArea,
    levels: &'a [Pixels],
    size: Size,
    max: f32,
}

impl SampleOp for BlurOutside<'_> {
    type Output = ();

    fn apply<T: Sample>(self, samples: &mut [T], channels: Channels) {
        let count = channels.count();
        for (y, row) in (0..).zip(samples.chunks_exact_mut(self.size.width as usize * count)) {
            for (x, pixel) in (0..).zip(row.chunks_exact_mut(count)) {
                let distance = self.area.distance(x, y);
                if distance > 0.0 {
                    let sharp = read(pixel, channels);
                    write(pixel, channels, self.blurred(x, y, distance, sharp));
                }
            }
        }
    }
}

impl BlurOutside<'_> {
    fn blurred(&self, x: u32, y: u32, distance: f32, sharp: Premultiplied) -> Premultiplied {
        // Approaches the maximum asymptotically, so that the blur itself has no visible edge.
        let blur = self.max * (1.0 - (-GROWTH * distance / self.max).exp());
        if blur <= FIRST_BLUR {
            return mix(sharp, self.level_at(0, x, y), blur / FIRST_BLUR);
        }
        let level = (blur / FIRST_BLUR).log2();
        let whole = (level as usize).min(self.levels.len() - 1);
        let next = (whole + 1).min(self.levels.len() - 1);
        mix(self.level_at(whole, x, y), self.level_at(next, x, y), (level - whole as f32).min(1.0))
    }

    /// The value of pyramid level `index` at the crop pixel `x`, `y`.
    fn level_at(&self, index: usize, x: u32, y: u32) -> Premultiplied {
        let level = &self.levels[index];
        let along = |at: u32, from: u32, to: u32| (at as f32 + 0.5) * (to as f32 / from as f32);
        let Size { width, height } = level.size();
        let (across, down) = (along(x, self.size.width, width), along(y, self.size.height, height));
        match level.samples() {
            Samples::U8(samples) => splined(samples, level.channels(), level.size(), across, down),
            Samples::U16(samples) => splined(samples, level.channels(), level.size(), across, down),
        }
    }
}

/// Samples the pixels with a quadratic B-spline, 3 x 3 pixels wide.
fn splined<T: Sample>(samples: &[T], channels: Channels, size: Size, x: f32, y: f32) -> Premultiplied {
    let (column, across) = spline_weights(x);
    let (row, down) = spline_weights(y);
    let count = channels.count();
    let inside = |at: i64, length: u32| at.clamp(0, i64::from(length) - 1) as usize;
    let mut sum = [0.0; 4];
    for (dy, weight_down) in (-1..).zip(down) {
        let start = inside(row + dy, size.height) * size.width as usize;
        for (dx, weight) in (-1..).zip(across) {
            let at = (start + inside(column + dx, size.width)) * count;
            let pixel = read(&samples[at..at + count], channels);
            sum = std::array::from_fn(|channel| sum[channel] + pixel[channel] * weight * weight_down);
        }
    }
    sum
}

/// The index of the pixel that contains `at`, and the weights of the previous pixel, of that pixel and of the next one.
fn spline_weights(at: f32) -> (i64, [f32; 3]) {
    let whole = at.floor();
    let off = at - whole - 0.5;
    let [before, after] = [0.5 - off, 0.5 + off].map(|share| share * share / 2.0);
    (whole as i64, [before, 0.75 - off * off, after])
}

fn mix(a: Premultiplied, b: Premultiplied, share: f32) -> Premultiplied {
    std::array::from_fn(|channel| a[channel] + (b[channel] - a[channel]) * share)
}
