//! The part of an image that shows people.

use geometry::{Point, Transform};

/// A soft mask over a square part of an image: how much of each mask pixel is a person.
///
/// Mask coordinates are like those of images: (0, 0) is the top left corner of the top left pixel, whose centre is at
/// (0.5, 0.5).
#[derive(Clone, Debug, PartialEq)]
pub struct PersonMask {
    side: u32,
    values: Vec<u8>,
    image_from_mask: Transform,
    mask_from_image: Transform,
}

impl PersonMask {
    /// A mask of `side` x `side` pixels: `values` in rows from top to bottom, 0 for background to 255 for a person;
    /// `image_from_mask` maps mask pixels to pixels of the upright image.
    ///
    /// `None` if the number of values does not match `side`, the mask is empty, or the map has no inverse.
    pub fn new(side: u32, values: Vec<u8>, image_from_mask: Transform) -> Option<Self> {
        let matches = side > 0 && values.len() as u64 == u64::from(side).pow(2);
        let mask_from_image = image_from_mask.inverse().filter(|_| matches)?;
        Some(Self { side, values, image_from_mask, mask_from_image })
    }

    /// Width and height in mask pixels.
    pub fn side(&self) -> u32 {
        self.side
    }

    /// How much of each mask pixel is a person, 0 to 255, in rows from top to bottom.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// Maps mask pixels to pixels of the upright image.
    pub fn image_from_mask(&self) -> &Transform {
        &self.image_from_mask
    }

    /// Maps pixels of the upright image to mask pixels.
    pub fn mask_from_image(&self) -> &Transform {
        &self.mask_from_image
    }

    /// How much of the upright image is a person at `point`, 0 to 1: bilinear between the centres of mask pixels;
    /// outside the mask, the nearest value of its edge.
    pub fn sample(&self, point: Point) -> f32 {
        let Point { x, y } = self.mask_from_image.apply(point);
        self.at(x, y)
    }

    /// Like [`PersonMask::sample`], at a position in mask pixels.
    #[inline]
    pub fn at(&self, x: f32, y: f32) -> f32 {
        let last = self.side as usize - 1;
        let along = |at: f32| {
            let at = (at - 0.5).max(0.0).min(last as f32);
            let before = at as usize;
            (before, (before + 1).min(last), at - before as f32)
        };
        let ((left, right, across), (top, bottom, down)) = (along(x), along(y));
        let value = |column: usize, row: usize| f32::from(self.values[row * (last + 1) + column]);
        let row = |row: usize| value(left, row) + (value(right, row) - value(left, row)) * across;
        (row(top) + (row(bottom) - row(top)) * down) / 255.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_of_another_size_or_without_inverse_are_rejected() {
        let map = Transform::IDENTITY;
        assert!(PersonMask::new(2, vec![0; 4], map).is_some());
        assert!(PersonMask::new(2, vec![0; 3], map).is_none());
        assert!(PersonMask::new(0, Vec::new(), map).is_none());
        assert!(PersonMask::new(2, vec![0; 4], Transform::scale_then_move(0.0, 1.0, 0.0, 0.0)).is_none());
    }

    #[test]
    fn samples_are_interpolated_inside_and_repeated_outside() {
        // Mask pixels of 10 image pixels, from (100, 50).
        let map = Transform::scale_then_move(10.0, 10.0, 100.0, 50.0);
        let mask = PersonMask::new(2, vec![0, 255, 51, 102], map).expect("fits");
        let near = |x: f32, y: f32, expected: f32| {
            let sample = mask.sample(Point::new(x, y));
            assert!((sample - expected).abs() < 1e-3, "{sample} at {x}, {y}, not {expected}");
        };
        near(105.0, 55.0, 0.0);
        near(115.0, 55.0, 1.0);
        near(110.0, 55.0, 0.5);
        near(110.0, 60.0, 0.4);
        near(-900.0, 900.0, 0.2);
        near(900.0, -900.0, 1.0);
        near(f32::NAN, 55.0, 0.0);
    }
}
