//! Rotation of stored pixels to upright.

use geometry::{Orientation, Size};

use super::{Pixels, Samples};

/// Side of a tile in pixels: small enough for its rows and columns to stay in the CPU cache.
const TILE: usize = 32;

/// Rotates `pixels` to upright.
pub fn upright(pixels: Pixels, orientation: Orientation) -> Pixels {
    if orientation == Orientation::Upright {
        return pixels;
    }
    let (stored, channels) = (pixels.size(), pixels.channels());
    let size = orientation.upright_size(stored);
    let strides = Strides::new(orientation, stored);
    let samples = match pixels.samples() {
        Samples::U8(samples) => Samples::U8(rotated(samples, channels.count(), size, &strides)),
        Samples::U16(samples) => Samples::U16(rotated(samples, channels.count(), size, &strides)),
    };
    Pixels::new(size, channels, samples).unwrap_or(pixels)
}

/// Index of a stored pixel: `start` for the upright image's top left, and the increments for each step.
struct Strides {
    start: isize,
    right: isize,
    down: isize,
}

impl Strides {
    fn new(orientation: Orientation, stored: Size) -> Self {
        let (width, height) = (stored.width as isize, stored.height as isize);
        let (last_column, last_row) = (width - 1, (height - 1) * width);
        let (start, right, down) = match orientation {
            Orientation::Upright => (0, 1, width),
            Orientation::MirroredHorizontally => (last_column, -1, width),
            Orientation::HalfTurn => (last_row + last_column, -1, -width),
            Orientation::MirroredVertically => (last_row, 1, -width),
            Orientation::Transposed => (0, width, 1),
            Orientation::QuarterClockwise => (last_row, -width, 1),
            Orientation::Transversed => (last_row + last_column, -width, -1),
            Orientation::QuarterCounterClockwise => (last_column, width, -1),
        };
        Self { start, right, down }
    }
}

fn rotated<T: Copy + Default>(stored: &[T], channels: usize, size: Size, strides: &Strides) -> Vec<T> {
    match channels {
        1 => rotated_as::<T, 1>(stored, size, strides),
        2 => rotated_as::<T, 2>(stored, size, strides),
        3 => rotated_as::<T, 3>(stored, size, strides),
        _ => rotated_as::<T, 4>(stored, size, strides),
    }
}

fn rotated_as<T: Copy + Default, const CHANNELS: usize>(stored: &[T], size: Size, strides: &Strides) -> Vec<T> {
    let (width, height) = (size.width as usize, size.height as usize);
    let (stored, _) = stored.as_chunks::<CHANNELS>();
    let mut upright = vec![T::default(); width * height * CHANNELS];
    let (pixels, _) = upright.as_chunks_mut::<CHANNELS>();
    for top in (0..height).step_by(TILE) {
        for left in (0..width).step_by(TILE) {
            for y in top..(top + TILE).min(height) {
                let row = strides.start + y as isize * strides.down;
                for x in left..(left + TILE).min(width) {
                    pixels[y * width + x] = stored[(row + x as isize * strides.right) as usize];
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
    fn every_orientation_matches_its_rectangles() {
        // More than a tile, and not a whole number of tiles.
        let stored = Size::new(70, 41);
        let samples = (0..stored.pixels()).flat_map(|i| [i as u16, 1, 2]).collect();
        let pixels = Pixels::from_u16(stored, Channels::Rgb, samples).expect("fits");
        for value in 1..=8 {
            let orientation = Orientation::from_exif(value);
            let rotated = upright(pixels.clone(), orientation);
            assert_eq!(rotated.size(), orientation.upright_size(stored));
            for (x, y) in [(0, 0), (69, 0), (0, 40), (69, 40), (33, 7)] {
                let one = geometry::PixelRect::new(x, y, 1, 1);
                let rotated_part = orientation.upright_part(one, stored);
                let at = (rotated_part.y as usize * rotated.size().width as usize + rotated_part.x as usize) * 3;
                let samples = rotated.as_u16().expect("deep");
                assert_eq!(i32::from(samples[at]), y * 70 + x, "{value} at {x}, {y}");
            }
            assert_eq!(upright(rotated, orientation.inverse()), pixels, "{value}");
        }
    }
}
