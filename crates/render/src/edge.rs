//! Padding of a crop beyond the photo's edge.

use std::sync::Arc;

use geometry::Size;
use outcome::Channels;
use picture::{Pixels, Samples, from_srgb, to_srgb};
use recipe::Color;

use super::area::PhotoArea;
use super::sample::{Sample, SampleOp, apply_to_samples, blank_like, read, write};

/// Output pixels along one axis that show the photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) length: u32,
}

impl Span {
    pub(super) fn ends(self) -> [u32; 2] {
        [self.start, self.start + self.length]
    }
}

/// The part of an upright crop that shows the photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VisibleSpans {
    pub(super) columns: Span,
    pub(super) rows: Span,
}

/// A fill colour in the colour space of the filled pixels: 0 to 65,535 per channel; grey uses the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill {
    colour: [u16; 3],
    /// Alpha of the fill in pixels with alpha, 0 or 1.
    alpha: f32,
}

impl Fill {
    /// Transparent, in pixels with alpha.
    pub(super) const NOTHING: Self = Self { colour: [0; 3], alpha: 0.0 };
}

/// Converts `pixels` to a layout that can hold `fill`, and returns the colour in their colour space: their own profile
/// if they are in colour.
pub(super) fn convert_for_fill(mut pixels: Pixels, profile: &mut Option<Arc<[u8]>>, fill: Color) -> (Pixels, Fill) {
    let [red, green, blue] = fill.rgb;
    if pixels.channels().is_grey() {
        // A grey profile does not define colours; with the sRGB curve, grey stays grey in RGB.
        pixels = to_srgb(pixels, profile.take().as_deref());
        if red != green || green != blue {
            let in_colour = pixels.channels().in_colour();
            pixels = pixels.into_channels(in_colour);
        }
    }
    let fill = Fill { colour: from_srgb(fill.rgb, profile.as_deref()), alpha: 1.0 };
    (pixels, fill)
}

impl VisibleSpans {
    /// `pixels` at their position in a crop of `output` pixels, surrounded by `fill`.
    pub(super) fn padded(&self, pixels: &Pixels, output: Size, fill: Fill) -> Option<Pixels> {
        let channels = pixels.channels();
        let samples = match pixels.samples() {
            Samples::U8(samples) => {
                let pixel = fill_pixel(channels, fill);
                Samples::U8(self.padded_as(samples, channels.count(), output, &pixel))
            }
            Samples::U16(samples) => {
                let pixel = fill_pixel(channels, fill);
                Samples::U16(self.padded_as(samples, channels.count(), output, &pixel))
            }
        };
        Pixels::new(output, channels, samples)
    }

    fn padded_as<T: Copy>(&self, shown: &[T], count: usize, output: Size, pixel: &[T]) -> Vec<T> {
        let row_samples = output.width as usize * count;
        let mut samples = pixel.repeat(output.pixels() as usize);
        let start = self.columns.start as usize * count;
        let length = self.columns.length as usize * count;
        let rows = samples.chunks_exact_mut(row_samples).skip(self.rows.start as usize);
        for (row, shown) in rows.zip(shown.chunks_exact(length)) {
            row[start..start + length].copy_from_slice(shown);
        }
        samples
    }

    /// `pixels` at their position in a crop of `output` pixels, with the edge pixels repeated around them.
    pub(super) fn extended(&self, pixels: &Pixels, output: Size) -> Option<Pixels> {
        self.continued(pixels, output, |at, run| at.saturating_sub(run.start).min(run.length - 1))
    }

    /// `pixels` at their position in a crop of `output` pixels, mirrored around them as often as necessary.
    pub(super) fn mirrored(&self, pixels: &Pixels, output: Size) -> Option<Pixels> {
        self.continued(pixels, output, |at, run| {
            let (length, at) = (i64::from(run.length), i64::from(at) - i64::from(run.start));
            let reflected = at.rem_euclid(2 * length);
            reflected.min(2 * length - 1 - reflected) as u32
        })
    }

    fn continued(&self, pixels: &Pixels, output: Size, from: impl Fn(u32, Span) -> u32) -> Option<Pixels> {
        let columns: Vec<usize> = (0..output.width).map(|x| from(x, self.columns) as usize).collect();
        let rows: Vec<usize> = (0..output.height).map(|y| from(y, self.rows) as usize).collect();
        let (channels, width) = (pixels.channels(), self.columns.length as usize);
        let mut samples = blank_like(pixels.samples(), output.pixels() as usize * channels.count());
        match (pixels.samples(), &mut samples) {
            (Samples::U8(from), Samples::U8(to)) => copied(from, to, channels.count(), width, &columns, &rows),
            (Samples::U16(from), Samples::U16(to)) => copied(from, to, channels.count(), width, &columns, &rows),
            _ => return None,
        }
        Pixels::new(output, channels, samples)
    }
}

fn copied<T: Copy>(from: &[T], to: &mut [T], count: usize, width: usize, columns: &[usize], rows: &[usize]) {
    for (row, to) in rows.iter().zip(to.chunks_exact_mut(columns.len() * count)) {
        let from = &from[row * width * count..(row + 1) * width * count];
        for (column, to) in columns.iter().zip(to.chunks_exact_mut(count)) {
            to.copy_from_slice(&from[column * count..(column + 1) * count]);
        }
    }
}

fn fill_pixel<T: Sample>(channels: Channels, fill: Fill) -> Vec<T> {
    let mut pixel = fill.colour.map(T::from_deep)[..channels.without_alpha().count()].to_vec();
    if channels.has_alpha() {
        pixel.push(T::from_share(fill.alpha));
    }
    pixel
}

/// Blends every pixel with `fill`; `share` returns the fraction, 0 to 1, of the pixel that is kept.
pub(super) fn fill_around(pixels: &mut Pixels, fill: Fill, share: impl Fn(u32, u32) -> f32) {
    let width = pixels.size().width as usize;
    apply_to_samples(pixels, BlendFill { fill, width, share });
}

struct BlendFill<F> {
    fill: Fill,
    width: usize,
    share: F,
}

impl<F: Fn(u32, u32) -> f32> SampleOp for BlendFill<F> {
    type Output = ();

    fn apply<T: Sample>(self, samples: &mut [T], channels: Channels) {
        let plain = fill_pixel::<T>(channels, self.fill);
        let fill = read(&plain, channels);
        let count = channels.count();
        for (y, row) in (0..).zip(samples.chunks_exact_mut(self.width * count)) {
            for (x, pixel) in (0..).zip(row.chunks_exact_mut(count)) {
                let share = (self.share)(x, y);
                if share <= 0.0 {
                    pixel.copy_from_slice(&plain);
                } else if share < 1.0 {
                    let own = read(pixel, channels);
                    write(pixel, channels, std::array::from_fn(|at| fill[at] + (own[at] - fill[at]) * share));
                }
            }
        }
    }
}

/// True if at least one pixel of a crop of `output` pixels shows a visible fraction of the photo.
pub(super) fn overlaps_photo(area: &PhotoArea, output: Size) -> bool {
    const MIN: f32 = 1.0 / 255.0;
    (0..output.height).any(|y| (0..output.width).any(|x| area.share(x, y) >= MIN))
}
