//! Grey images to search, at several sizes.

use geometry::{Point, Rect, Size};
use outcome::Channels;
use picture::{Pixels, Samples};

/// Images with a longer side of this many pixels are searched at a reduced size only: a search takes time in proportion to
/// the pixels, and codes that only the largest size would show are smaller than a card held by a person.
pub const LONG_SIDE_LIMIT: u32 = 6000;
/// Minimum longer side of a reduced size in pixels.
const MIN_LONG_SIDE: u32 = 350;
/// Minimum shorter side of a size in pixels: a QR code has at least 21 modules.
const MIN_SHORT_SIDE: u32 = 21;

/// An image of 8-bit grey samples, row by row.
pub(crate) struct Luma {
    pub(crate) size: Size,
    pub(crate) samples: Vec<u8>,
}

impl Luma {
    /// The grey levels of `pixels`; transparent ones are white, as paper.
    fn of(pixels: &Pixels) -> Self {
        let samples = match pixels.samples() {
            Samples::U8(samples) => grey_levels(samples, pixels.channels(), u32::from),
            Samples::U16(samples) => grey_levels(samples, pixels.channels(), |sample| u32::from(sample >> 8)),
        };
        Self { size: pixels.size(), samples }
    }

    /// The image at half its size: each sample is the mean of four.
    fn halved(&self) -> Self {
        let stride = self.size.width as usize;
        let size = Size::new(self.size.width / 2, self.size.height / 2);
        let mut samples = Vec::with_capacity(size.pixels() as usize);
        for rows in self.samples.chunks_exact(2 * stride).take(size.height as usize) {
            let (above, below) = rows.split_at(stride);
            let sum = |pair: &[u8]| u32::from(pair[0]) + u32::from(pair[1]);
            let pairs = above.chunks_exact(2).zip(below.chunks_exact(2));
            samples.extend(pairs.map(|(above, below)| ((sum(above) + sum(below) + 2) / 4) as u8));
        }
        Self { size, samples }
    }

    /// Makes the pixels in `region` grey.
    pub(crate) fn paint_over(&mut self, region: Rect) {
        let Size { width, height } = self.size;
        let within = |from: f32, to: f32, length: u32| {
            let end = (to.ceil().max(0.0) as usize).min(length as usize);
            (from.max(0.0) as usize).min(end)..end
        };
        let columns = within(region.x, region.right(), width);
        for row in within(region.y, region.bottom(), height) {
            let row = row * width as usize;
            self.samples[row + columns.start..row + columns.end].fill(u8::MAX / 2);
        }
    }

    /// The grey level at `point`, 0 to 255, interpolated between pixel centres; outside the image that of the nearest
    /// pixel.
    pub(crate) fn sample(&self, point: Point) -> f32 {
        let (x, y) = (point.x - 0.5, point.y - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (right_share, lower_share) = (x - left, y - top);
        let inside = |value: f32, length: u32| value.clamp(0.0, length.saturating_sub(1) as f32) as usize;
        let (left, right) = (inside(left, self.size.width), inside(left + 1.0, self.size.width));
        let row = |y: f32| {
            let row = inside(y, self.size.height) * self.size.width as usize;
            let at = |x: usize| f32::from(self.samples.get(row + x).copied().unwrap_or_default());
            at(left) * (1.0 - right_share) + at(right) * right_share
        };
        row(top) * (1.0 - lower_share) + row(top + 1.0) * lower_share
    }
}

/// The sizes to search, the smallest first, each with its reduction: half, a quarter and so on. Those with a longer side of at
/// most `finer_than` pixels and of [`LONG_SIDE_LIMIT`] or more are left out.
pub(crate) fn sizes(pixels: &Pixels, finer_than: u32) -> Vec<(Luma, u32)> {
    let long_side = pixels.size().long_side();
    if pixels.size().short_side() < MIN_SHORT_SIDE || long_side <= finer_than {
        return Vec::new();
    }
    let (mut luma, mut reduction) = (Luma::of(pixels), 1);
    let mut sizes = Vec::new();
    loop {
        let side = luma.size.long_side();
        let is_last = side / 2 < MIN_LONG_SIDE.max(finer_than + 1) || luma.size.short_side() / 2 < MIN_SHORT_SIDE;
        let half = (!is_last).then(|| luma.halved());
        if side < LONG_SIDE_LIMIT {
            sizes.push((luma, reduction));
        }
        match half {
            Some(half) => (luma, reduction) = (half, reduction * 2),
            None => break,
        }
    }
    sizes.reverse();
    sizes
}

/// One grey level for each pixel; `to_8_bits` converts a sample.
fn grey_levels<T: Copy>(samples: &[T], channels: Channels, to_8_bits: impl Fn(T) -> u32) -> Vec<u8> {
    let colour = channels.without_alpha().count();
    samples
        .chunks_exact(channels.count())
        .map(|pixel| {
            let grey = match pixel[..colour] {
                [red, green, blue] => (77 * to_8_bits(red) + 150 * to_8_bits(green) + 29 * to_8_bits(blue)) >> 8,
                _ => to_8_bits(pixel[0]),
            };
            let alpha = pixel.get(colour).map_or(255, |alpha| to_8_bits(*alpha));
            ((grey * alpha + 255 * (255 - alpha)) / 255) as u8
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long_sides(width: u32, height: u32, finer_than: u32) -> Vec<u32> {
        let size = Size::new(width, height);
        let pixels = Pixels::from_u8(size, Channels::L, vec![0; size.pixels() as usize]).expect("fits");
        sizes(&pixels, finer_than).iter().map(|(luma, _)| luma.size.long_side()).collect()
    }

    #[test]
    fn sizes_begin_with_the_smallest_and_skip_what_was_searched() {
        assert_eq!(long_sides(1500, 1000, 0), [375, 750, 1500]);
        assert_eq!(long_sides(3000, 2000, 1500), [3000]);
        assert_eq!(long_sides(1500, 1000, 1500), [0; 0]);
        assert_eq!(long_sides(6000, 30, 0), [0; 0], "as high as a half of it, no code fits");
        assert_eq!(long_sides(6000, 400, 3000), [0; 0], "too large");
        assert_eq!(long_sides(300, 200, 0), [300]);
        assert_eq!(long_sides(300, 20, 0), [0; 0]);
    }

    #[test]
    fn grey_levels_are_those_seen_on_paper() {
        let level = |channels, samples: &[u8]| {
            Luma::of(&Pixels::from_u8(Size::new(1, 1), channels, samples.to_vec()).expect("fits")).samples
        };
        assert_eq!(level(Channels::L, &[90]), [90]);
        assert_eq!(level(Channels::La, &[90, 0]), [255], "transparent");
        assert_eq!(level(Channels::Rgb, &[0, 255, 0]), [149]);
        assert_eq!(level(Channels::Rgba, &[40, 40, 40, 255]), [40]);
        let deep = Pixels::from_u16(Size::new(1, 1), Channels::L, vec![0x5aff]).expect("fits");
        assert_eq!(Luma::of(&deep).samples, [0x5a]);
    }

    #[test]
    fn halving_keeps_the_mean_and_sampling_interpolates() {
        let luma = Luma { size: Size::new(5, 2), samples: vec![0, 4, 8, 8, 1, 8, 4, 8, 8, 1] };
        let half = luma.halved();
        assert_eq!((half.size, half.samples), (Size::new(2, 1), vec![4, 8]));
        assert_eq!(luma.sample(Point::new(1.0, 0.5)), 2.0);
        assert_eq!(luma.sample(Point::new(0.5, 1.0)), 4.0);
        assert_eq!(luma.sample(Point::new(-9.0, 9.0)), 8.0, "the nearest pixel");
    }
}
