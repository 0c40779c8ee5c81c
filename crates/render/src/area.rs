//! The area of a crop that shows the photo.

use geometry::{Size, Transform};
use plan::PlannedCrop;

use super::rotated::scale_of;

/// The photo as an axis-aligned rectangle in units of about one crop pixel, and the transform from crop pixels to it.
#[derive(Clone, Debug)]
pub(super) struct PhotoArea {
    photo_from_crop: Transform,
    x: [f64; 2],
    y: [f64; 2],
}

impl PhotoArea {
    /// The area of an upright crop: pixels from `columns[0]` to `columns[1]` and from `rows[0]` to `rows[1]`.
    pub(super) fn upright(columns: [u32; 2], rows: [u32; 2]) -> Self {
        Self { photo_from_crop: Transform::IDENTITY, x: columns.map(f64::from), y: rows.map(f64::from) }
    }

    /// The area of a rotated crop that shows a photo of `picture` pixels, grown by `slack` photo pixels on every side.
    pub(super) fn rotated(planned: &PlannedCrop, picture: Size, slack: f64) -> Self {
        let image_from_crop = planned.image_from_crop();
        let per_pixel = scale_of(&image_from_crop);
        let smaller = Transform::scale_then_move(1.0 / per_pixel, 1.0 / per_pixel, 0.0, 0.0);
        let ends = |length: u32| [-slack / per_pixel, (f64::from(length) + slack) / per_pixel];
        let (x, y) = (ends(picture.width), ends(picture.height));
        Self { photo_from_crop: image_from_crop.then(&smaller), x, y }
    }

    /// True if every pixel of a crop of `output` pixels is completely inside the photo.
    pub(super) fn fills(&self, output: Size) -> bool {
        let (width, height) = (f64::from(output.width), f64::from(output.height));
        [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)].into_iter().all(|(x, y)| {
            let (x, y) = self.at(x, y);
            let inside = |at: f64, [start, end]: [f64; 2]| at > start - 1e-6 && at < end + 1e-6;
            inside(x, self.x) && inside(y, self.y)
        })
    }

    /// Coverage of a crop pixel by the photo, 0 to 1.
    #[inline]
    pub(super) fn share(&self, x: u32, y: u32) -> f32 {
        let (x, y) = self.at(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let along = |at: f64, [start, end]: [f64; 2]| ((at + 0.5).min(end) - (at - 0.5).max(start)).clamp(0.0, 1.0);
        (along(x, self.x) * along(y, self.y)) as f32
    }

    /// Distance in crop pixels from the photo's edge to a pixel outside it; 0 inside.
    #[inline]
    pub(super) fn distance(&self, x: u32, y: u32) -> f32 {
        let (x, y) = self.at(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let along = |at: f64, [start, end]: [f64; 2]| (start - at).max(at - end).max(0.0);
        along(x, self.x).hypot(along(y, self.y)) as f32
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let [[a, b, c], [d, e, f]] = self.photo_from_crop.rows();
        (a * x + b * y + c, d * x + e * y + f)
    }
}

#[cfg(test)]
mod tests {
    use geometry::PixelRect;

    use super::*;

    #[test]
    fn coverage_and_distance_are_in_crop_pixels() {
        // A photo of 100 x 50 pixels at half size; the frame starts 20 pixels left of it.
        let planned = PlannedCrop::upright(PixelRect::new(-20, 0, 100, 50), Size::new(50, 25));
        let area = PhotoArea::rotated(&planned, Size::new(100, 50), 0.0);
        assert_eq!((area.share(9, 3), area.share(10, 3)), (0.0, 1.0));
        assert_eq!((area.distance(0, 3), area.distance(30, 3)), (9.5, 0.0));
        assert!(!area.fills(planned.output));
        let inside = PlannedCrop::upright(PixelRect::new(0, 0, 100, 50), Size::new(50, 25));
        assert!(PhotoArea::rotated(&inside, Size::new(100, 50), 0.0).fills(inside.output));
    }
}
