//! Where in a crop the photo lies.

use geometry::{Size, Transform};
use plan::PlannedCrop;

use super::turned::scale_of;

/// The photo as an upright rectangle whose unit is about one pixel of the crop, and the way there from the crop.
#[derive(Clone, Debug)]
pub(super) struct PhotoArea {
    photo_from_crop: Transform,
    x: [f64; 2],
    y: [f64; 2],
}

impl PhotoArea {
    /// The pixels of an upright crop from `columns` start to end and `rows` start to end.
    pub(super) fn upright(columns: [u32; 2], rows: [u32; 2]) -> Self {
        Self { photo_from_crop: Transform::IDENTITY, x: columns.map(f64::from), y: rows.map(f64::from) }
    }

    /// Where a photo of `picture` pixels lies in a turned crop, made larger by `slack` of its own pixels on every side.
    pub(super) fn turned(planned: &PlannedCrop, picture: Size, slack: f64) -> Self {
        let picture_from_crop = planned.picture_from_crop();
        let per_pixel = scale_of(&picture_from_crop);
        let smaller = Transform::scale_then_move(1.0 / per_pixel, 1.0 / per_pixel, 0.0, 0.0);
        let ends = |length: u32| [-slack / per_pixel, (f64::from(length) + slack) / per_pixel];
        let (x, y) = (ends(picture.width), ends(picture.height));
        Self { photo_from_crop: picture_from_crop.then(&smaller), x, y }
    }

    /// True where every pixel of a crop of `output` pixels shows the photo and nothing else.
    pub(super) fn fills(&self, output: Size) -> bool {
        let (width, height) = (f64::from(output.width), f64::from(output.height));
        [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)].into_iter().all(|(x, y)| {
            let (x, y) = self.at(x, y);
            let inside = |at: f64, [start, end]: [f64; 2]| at > start - 1e-6 && at < end + 1e-6;
            inside(x, self.x) && inside(y, self.y)
        })
    }

    /// The share of a pixel of the crop, 0 to 1, that shows the photo.
    #[inline]
    pub(super) fn share(&self, x: u32, y: u32) -> f32 {
        let (x, y) = self.at(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let along = |at: f64, [start, end]: [f64; 2]| ((at + 0.5).min(end) - (at - 0.5).max(start)).clamp(0.0, 1.0);
        (along(x, self.x) * along(y, self.y)) as f32
    }

    /// Pixels of the crop from the photo's edge to a pixel outside; 0 inside.
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
    fn shares_and_distances_are_counted_in_pixels_of_the_crop() {
        // A photo of 100 x 50, seen from a frame that begins 20 pixels left of it, at half its size.
        let planned = PlannedCrop::upright(PixelRect::new(-20, 0, 100, 50), Size::new(50, 25));
        let area = PhotoArea::turned(&planned, Size::new(100, 50), 0.0);
        assert_eq!((area.share(9, 3), area.share(10, 3)), (0.0, 1.0));
        assert_eq!((area.distance(0, 3), area.distance(30, 3)), (9.5, 0.0));
        assert!(!area.fills(planned.output));
        let inside = PlannedCrop::upright(PixelRect::new(0, 0, 100, 50), Size::new(50, 25));
        assert!(PhotoArea::turned(&inside, Size::new(100, 50), 0.0).fills(inside.output));
    }
}
