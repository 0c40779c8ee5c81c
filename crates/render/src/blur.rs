//! Mirrored surroundings, the more blurred the farther they are from the photo.
//!
//! Right at the photo's edge they are the mirrored photo itself, so that no seam is seen. How blurred they are depends on
//! the distance in pixels of the crop, so that a smaller crop looks the same.

use geometry::Size;
use outcome::{Channels, RenderError};
use picture::{Filter, Pixels, Samples, SourceBox, resize};

use super::area::PhotoArea;
use super::sample::{Premultiplied, Sample, Work, read, work_on, write};

/// Pixels of blur (standard deviation) for a pixel of distance.
const GROWTH: f32 = 0.5;

/// The most blur, as a share of the crop's shorter side.
const MAX: f32 = 0.1;

/// Pixels of blur of the first smaller copy: halving with a triangle filter, then a spline of three pixels each way.
const FIRST_BLUR: f32 = 1.36;

/// Blurs what of `crop` lies outside `area`: mirrored already.
pub(super) fn blur_outside(crop: &mut Pixels, area: &PhotoArea) -> Result<(), RenderError> {
    let size = crop.size();
    let max = (MAX * size.short_side() as f32).max(1.0);
    let mut copies = Vec::new();
    let mut blur = FIRST_BLUR;
    let mut side = size.short_side();
    while side >= 2 && (copies.is_empty() || blur < max) {
        let from = copies.last().unwrap_or(crop);
        let half = Size::new(from.size().width.div_ceil(2), from.size().height.div_ceil(2));
        let smaller = resize(from, SourceBox::whole(from.size()), half, Filter::Area)
            .map_err(|reason| RenderError::Resize { reason })?;
        copies.push(smaller);
        blur = if copies.len() == 1 { blur } else { blur * 2.0 };
        side = half.short_side();
    }
    if !copies.is_empty() {
        work_on(crop, Outside { area, copies: &copies, size, max });
    }
    Ok(())
}

struct Outside<'a> {
    area: &'a PhotoArea,
    copies: &'a [Pixels],
    size: Size,
    max: f32,
}

impl Work for Outside<'_> {
    type Gives = ();

    fn on<T: Sample>(self, samples: &mut [T], channels: Channels) {
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

impl Outside<'_> {
    fn blurred(&self, x: u32, y: u32, distance: f32, sharp: Premultiplied) -> Premultiplied {
        // Growing ever more slowly towards the most, so that the blur has no edge of its own.
        let blur = self.max * (1.0 - (-GROWTH * distance / self.max).exp());
        if blur <= FIRST_BLUR {
            return mixed(sharp, self.copy(0, x, y), blur / FIRST_BLUR);
        }
        let level = (blur / FIRST_BLUR).log2();
        let whole = (level as usize).min(self.copies.len() - 1);
        let next = (whole + 1).min(self.copies.len() - 1);
        mixed(self.copy(whole, x, y), self.copy(next, x, y), (level - whole as f32).min(1.0))
    }

    /// The smaller copy `index` where the crop has its pixel at `x` and `y`.
    fn copy(&self, index: usize, x: u32, y: u32) -> Premultiplied {
        let copy = &self.copies[index];
        let along = |at: u32, from: u32, to: u32| (at as f32 + 0.5) * (to as f32 / from as f32);
        let Size { width, height } = copy.size();
        let (across, down) = (along(x, self.size.width, width), along(y, self.size.height, height));
        match copy.samples() {
            Samples::U8(samples) => splined(samples, copy.channels(), copy.size(), across, down),
            Samples::U16(samples) => splined(samples, copy.channels(), copy.size(), across, down),
        }
    }
}

/// A smooth surface over the pixels: a quadratic spline, of which three pixels each way count.
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

/// The pixel that `at` lies in, and the weights of that before it, of itself and of the next.
fn spline_weights(at: f32) -> (i64, [f32; 3]) {
    let whole = at.floor();
    let off = at - whole - 0.5;
    let [before, after] = [0.5 - off, 0.5 + off].map(|share| share * share / 2.0);
    (whole as i64, [before, 0.75 - off * off, after])
}

fn mixed(a: Premultiplied, b: Premultiplied, share: f32) -> Premultiplied {
    std::array::from_fn(|channel| a[channel] + (b[channel] - a[channel]) * share)
}
