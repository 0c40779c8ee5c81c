//! Resampling of rotated crops: every output pixel is interpolated at its position in the source.
//!
//! If the source has more than [`MAX_DIRECT_REDUCTION`] pixels per output pixel, it is first reduced upright to that
//! many, with the filter of upright crops, because the support of a rotated filter grows with the square of the
//! reduction. A reduction to the output's scale would be faster still, but filtering twice would lose a quarter of the
//! finest detail. The work is done tile by tile, so that memory use does not grow with the crop.

use std::borrow::Cow;

use geometry::{Size, Transform};
use outcome::{Channels, RenderError};
use picture::{Filter, Picture, Pixels, Samples, SourceBox, resize};
use plan::PlannedCrop;

use super::kernel::{Kernel, max_reduction};
use super::sample::{Premultiplied, Sample, SampleOp, apply_to_samples, blank_like, read, write};

/// Maximum reduction, in source pixels per output pixel along each axis, for sampling the source directly.
const MAX_DIRECT_REDUCTION: f64 = max_reduction(MAX_TAPS);

/// Weights per axis of the widest filter.
const MAX_TAPS: usize = 8;

/// Side of a tile in output pixels.
const TILE: u32 = 48;

/// Extrapolation beyond the edge of the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extrapolation {
    /// The edge pixels repeated.
    Repeated,
    /// The intersection of image and frame, mirrored.
    Mirrored,
}

/// Renders `planned` from the pixels of `picture`; `extrapolation` applies beyond the image. `None` if the frame does not
/// overlap the image.
pub(super) fn rotated(
    picture: &Picture,
    planned: &PlannedCrop,
    extrapolation: Extrapolation,
) -> Result<Option<Pixels>, RenderError> {
    let around = visible_part(picture, planned, 0.0);
    if !(around.width > 0.0 && around.height > 0.0) {
        return Ok(None);
    }
    let reduction = f64::from(picture.place.reduction.max(1));
    let [x, y] = [picture.place.x, picture.place.y].map(|start| -f64::from(start) / reduction);
    let source_from_picture = Transform::scale_then_move(1.0 / reduction, 1.0 / reduction, x, y);
    let source_from_crop = planned.image_from_crop().then(&source_from_picture);
    let density = scale_of(&source_from_crop);
    if !(density.is_finite() && density > 0.0) {
        return Ok(None);
    }
    let mut source = Source { pixels: Cow::Borrowed(&picture.pixels), source_from_crop, mirror: None };
    let mut mirror = around;
    if density > MAX_DIRECT_REDUCTION {
        let part = visible_part(picture, planned, 4.0 * density);
        let pixels_for = |length: f64| ((length / density * MAX_DIRECT_REDUCTION).round() as u32).max(1);
        let to = Size::new(pixels_for(part.width), pixels_for(part.height));
        let small =
            resize(&picture.pixels, part, to, Filter::Lanczos3).map_err(|reason| RenderError::Resize { reason })?;
        let (across, down) = (f64::from(to.width) / part.width, f64::from(to.height) / part.height);
        let smaller = Transform::scale_then_move(across, down, -part.x * across, -part.y * down);
        source.pixels = Cow::Owned(small);
        source.source_from_crop = source.source_from_crop.then(&smaller);
        mirror.x = (mirror.x - part.x) * across;
        mirror.y = (mirror.y - part.y) * down;
        mirror.width *= across;
        mirror.height *= down;
    }
    source.mirror = (extrapolation == Extrapolation::Mirrored).then_some(mirror);
    Ok(source.sampled(planned.output))
}

/// The visible part of the image in the bounding box of the frame, grown by `margin`; in decoded pixels.
fn visible_part(picture: &Picture, planned: &PlannedCrop, margin: f64) -> SourceBox {
    let Size { width, height } = planned.output;
    let (width, height) = (f64::from(width), f64::from(height));
    let rows = planned.image_from_crop().rows();
    let corners = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)];
    let margin = margin * f64::from(picture.place.reduction.max(1));
    let along = |row: [f64; 3]| {
        let ends = corners.map(|(x, y)| row[0] * x + row[1] * y + row[2]);
        let min = ends.into_iter().fold(f64::INFINITY, f64::min) - margin;
        (min, ends.into_iter().fold(f64::NEG_INFINITY, f64::max) + margin - min)
    };
    let ((x, width), (y, height)) = (along(rows[0]), along(rows[1]));
    // Clip to the image first: the last pixels of a reduced image may extend beyond it.
    let size = picture.size();
    let cut = |start: f64, length: f64, end: u32| {
        let from = start.clamp(0.0, f64::from(end));
        (from, (start + length).clamp(from, f64::from(end)) - from)
    };
    let ((x, width), (y, height)) = (cut(x, width, size.width), cut(y, height, size.height));
    picture.source_box(SourceBox { x, y, width, height })
}

/// The length, in output units of `map`, of one input unit.
pub(super) fn scale_of(map: &Transform) -> f64 {
    let [[a, b, _], [d, e, _]] = map.rows();
    (a * e - b * d).abs().sqrt()
}

struct Source<'a> {
    pixels: Cow<'a, Pixels>,
    source_from_crop: Transform,
    mirror: Option<SourceBox>,
}

impl Source<'_> {
    fn sampled(&self, output: Size) -> Option<Pixels> {
        let channels = self.pixels.channels();
        let samples = blank_like(self.pixels.samples(), output.pixels() as usize * channels.count());
        let mut crop = Pixels::new(output, channels, samples)?;
        let density = scale_of(&self.source_from_crop);
        if density <= max_reduction(6) {
            self.fill(&mut crop, &Kernel::<6>::new(density));
        } else {
            self.fill(&mut crop, &Kernel::<MAX_TAPS>::new(density));
        }
        Some(crop)
    }

    fn fill<const TAPS: usize>(&self, crop: &mut Pixels, kernel: &Kernel<TAPS>) {
        let output = crop.size();
        let mut tile = Tile::default();
        for top in (0..output.height).step_by(TILE as usize) {
            for left in (0..output.width).step_by(TILE as usize) {
                let (right, bottom) = ((left + TILE).min(output.width), (top + TILE).min(output.height));
                let cut = TileRect { left, top, right, bottom };
                tile.gather(self, &cut, TAPS);
                let row = output.width as usize;
                apply_to_samples(crop, Fill { tile: &tile, cut, kernel, row, map: &self.source_from_crop });
            }
        }
    }
}

/// A tile in output pixels.
#[derive(Clone, Copy)]
struct TileRect {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

/// The source pixels of a tile.
#[derive(Default)]
struct Tile {
    x: i64,
    y: i64,
    width: usize,
    columns: Vec<usize>,
    rows: Vec<usize>,
    pixels: Vec<Premultiplied>,
}

impl Tile {
    fn gather(&mut self, source: &Source<'_>, cut: &TileRect, taps: usize) {
        let size = source.pixels.size();
        let corners = [(cut.left, cut.top), (cut.right, cut.top), (cut.left, cut.bottom), (cut.right, cut.bottom)];
        let [across, down] = source.source_from_crop.rows().map(|row| {
            let ends = corners.map(|(x, y)| row[0] * f64::from(x) + row[1] * f64::from(y) + row[2]);
            let margin = (taps + 1) as i64;
            let min = ends.into_iter().fold(f64::INFINITY, f64::min).floor() as i64 - margin;
            let max = ends.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil() as i64 + margin;
            min..max
        });
        (self.x, self.y, self.width) = (across.start, down.start, (across.end - across.start) as usize);
        let place = |at: i64, mirror: Option<(f64, f64)>, length: u32| {
            let at = mirror.map_or(at, |(start, length)| reflected(at, start, length));
            at.clamp(0, i64::from(length) - 1) as usize
        };
        let mirror = source.mirror;
        self.columns.clear();
        self.columns.extend(across.map(|x| place(x, mirror.map(|mirror| (mirror.x, mirror.width)), size.width)));
        self.rows.clear();
        self.rows.extend(down.map(|y| place(y, mirror.map(|mirror| (mirror.y, mirror.height)), size.height)));
        self.pixels.clear();
        let channels = source.pixels.channels();
        match source.pixels.samples() {
            Samples::U8(samples) => self.read(samples, channels, size.width as usize),
            Samples::U16(samples) => self.read(samples, channels, size.width as usize),
        }
    }

    fn read<T: Sample>(&mut self, samples: &[T], channels: Channels, source_width: usize) {
        match channels {
            Channels::L => self.read_as::<T, 1>(samples, channels, source_width),
            Channels::La => self.read_as::<T, 2>(samples, channels, source_width),
            Channels::Rgb => self.read_as::<T, 3>(samples, channels, source_width),
            Channels::Rgba => self.read_as::<T, 4>(samples, channels, source_width),
        }
    }

    fn read_as<T: Sample, const COUNT: usize>(&mut self, samples: &[T], channels: Channels, source_width: usize) {
        let (pixels, _) = samples.as_chunks::<COUNT>();
        for &row in &self.rows {
            let Some(row) = pixels.get(row * source_width..(row + 1) * source_width) else { continue };
            self.pixels.extend(self.columns.iter().map(|&column| read(&row[column], channels)));
        }
    }
}

/// The pixel at `at`, reflected into `start..start + length`.
fn reflected(at: i64, start: f64, length: f64) -> i64 {
    let from_start = (at as f64 + 0.5 - start).rem_euclid(2.0 * length);
    (start + from_start.min(2.0 * length - from_start)).floor() as i64
}

struct Fill<'a, const TAPS: usize> {
    tile: &'a Tile,
    cut: TileRect,
    kernel: &'a Kernel<TAPS>,
    row: usize,
    map: &'a Transform,
}

impl<const TAPS: usize> SampleOp for Fill<'_, TAPS> {
    type Output = ();

    fn apply<T: Sample>(self, samples: &mut [T], channels: Channels) {
        match channels {
            Channels::L => self.fill::<T, 1>(samples, channels),
            Channels::La => self.fill::<T, 2>(samples, channels),
            Channels::Rgb => self.fill::<T, 3>(samples, channels),
            Channels::Rgba => self.fill::<T, 4>(samples, channels),
        }
    }
}

impl<const TAPS: usize> Fill<'_, TAPS> {
    fn fill<T: Sample, const COUNT: usize>(&self, samples: &mut [T], channels: Channels) {
        let (pixels, _) = samples.as_chunks_mut::<COUNT>();
        let [[a, b, c], [d, e, f]] = self.map.rows();
        let (c, f) = (c - self.tile.x as f64, f - self.tile.y as f64);
        let TileRect { left, top, right, bottom } = self.cut;
        for y in top..bottom {
            let row = &mut pixels[y as usize * self.row..][left as usize..right as usize];
            let middle = f64::from(y) + 0.5;
            for (pixel, x) in row.iter_mut().zip(left..) {
                let across = f64::from(x) + 0.5;
                let value = self.sample_at(a * across + b * middle + c, d * across + e * middle + f);
                write(pixel, channels, value);
            }
        }
    }

    /// Not inlined: the optimiser would drop the unused channels, and four at a time are faster than three.
    #[inline(never)]
    fn sample_at(&self, x: f64, y: f64) -> Premultiplied {
        let (column, across) = self.kernel.at(x);
        let (row, down) = self.kernel.at(y);
        let mut sum = [0.0f32; 4];
        let mut start = row * self.tile.width + column;
        for weight in down {
            let Some(taps) = self.tile.pixels.get(start..).and_then(|pixels| pixels.first_chunk::<TAPS>()) else {
                break;
            };
            let mut line = [0.0f32; 4];
            for (pixel, weight) in taps.iter().zip(across) {
                for (line, sample) in line.iter_mut().zip(pixel) {
                    *line += weight * sample;
                }
            }
            for (sum, line) in sum.iter_mut().zip(line) {
                *sum += weight * line;
            }
            start += self.tile.width;
        }
        sum
    }
}
