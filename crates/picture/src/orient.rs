//! Turning stored pixels upright.

use geometry::{Orientation, Size};

use super::{Pixels, Samples};

/// Pixels of a tile's side: small enough that rows and columns of it stay in the cache while it is turned.
const TILE: usize = 32;

/// `pixels` as they stand upright.
pub fn upright(pixels: Pixels, orientation: Orientation) -> Pixels {
    if orientation == Orientation::Upright {
        return pixels;
    }
    let (stored, channels) = (pixels.size(), pixels.channels());
    let size = orientation.upright_size(stored);
    let walk = Walk::new(orientation, stored);
    let samples = match pixels.samples() {
        Samples::U8(samples) => Samples::U8(turned(samples, channels.count(), size, &walk)),
        Samples::U16(samples) => Samples::U16(turned(samples, channels.count(), size, &walk)),
    };
    Pixels::new(size, channels, samples).unwrap_or(pixels)
}

/// Index of a stored pixel: `start` for the upright picture's top left, then so many pixels on for each step.
struct Walk {
    start: isize,
    right: isize,
    down: isize,
}

impl Walk {
    fn new(orientation: Orientation, stored: Size) -> Self {
        let (width, height) = (stored.width as isize, stored.height as isize);
        let (last_column, last_row) = (width - 1, (height - 1) * width);
        let (start, right, down) = match orientation {
            Orientation::Upright => (0, 1, width),
            Orientation::MirroredHorizontally => (last_column, -1, width),
            Orientation::TurnedHalf => (last_row + last_column, -1, -width),
            Orientation::MirroredVertically => (last_row, 1, -width),
            Orientation::Transposed => (0, width, 1),
            Orientation::QuarterClockwise => (last_row, -width, 1),
            Orientation::Transversed => (last_row + last_column, -width, -1),
            Orientation::QuarterCounterClockwise => (last_column, width, -1),
        };
        Self { start, right, down }
    }
}

fn turned<T: Copy + Default>(stored: &[T], channels: usize, size: Size, walk: &Walk) -> Vec<T> {
    match channels {
        1 => turned_as::<T, 1>(stored, size, walk),
        2 => turned_as::<T, 2>(stored, size, walk),
        3 => turned_as::<T, 3>(stored, size, walk),
        _ => turned_as::<T, 4>(stored, size, walk),
    }
}

fn turned_as<T: Copy + Default, const CHANNELS: usize>(stored: &[T], size: Size, walk: &Walk) -> Vec<T> {
    let (width, height) = (size.width as usize, size.height as usize);
    let (stored, _) = stored.as_chunks::<CHANNELS>();
    let mut upright = vec![T::default(); width * height * CHANNELS];
    let (pixels, _) = upright.as_chunks_mut::<CHANNELS>();
    for top in (0..height).step_by(TILE) {
        for left in (0..width).step_by(TILE) {
            for y in top..(top + TILE).min(height) {
                let row = walk.start + y as isize * walk.down;
                for x in left..(left + TILE).min(width) {
                    pixels[y * width + x] = stored[(row + x as isize * walk.right) as usize];
                }
            }
        }
    }
    upright
}

#[cfg(test)]
mod tests {
    use outcome::Channels;

    use super::*;

    #[test]
    fn every_orientation_lands_where_its_rectangles_do() {
        // More than a tile, and not a whole number of them.
        let stored = Size::new(70, 41);
        let samples = (0..stored.pixels()).flat_map(|i| [i as u16, 1, 2]).collect();
        let pixels = Pixels::from_u16(stored, Channels::Rgb, samples).expect("fits");
        for value in 1..=8 {
            let orientation = Orientation::from_exif(value);
            let turned = upright(pixels.clone(), orientation);
            assert_eq!(turned.size(), orientation.upright_size(stored));
            for (x, y) in [(0, 0), (69, 0), (0, 40), (69, 40), (33, 7)] {
                let one = geometry::PixelRect::new(x, y, 1, 1);
                let there = orientation.upright_part(one, stored);
                let at = (there.y as usize * turned.size().width as usize + there.x as usize) * 3;
                let samples = turned.as_u16().expect("deep");
                assert_eq!(i32::from(samples[at]), y * 70 + x, "{value} at {x}, {y}");
            }
            assert_eq!(upright(turned, orientation.undone()), pixels, "{value}");
        }
    }
}
