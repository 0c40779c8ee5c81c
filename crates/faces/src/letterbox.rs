//! The letterbox: placement of an image in the model's input tensor.

use geometry::{Face, Point, Rect, Size, Transform};

/// The placement of an image in the model's input: resized, then rotated, at the top left. The rest of the input is
/// black.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Letterbox {
    /// Size of the upright image in pixels.
    pub image: Size,
    /// Size of the model's input in pixels.
    pub input: Size,
    /// Size of the resized image in pixels, before rotation.
    pub resized: Size,
    /// Clockwise rotation of the image in degrees, 0 to 359.
    pub rotation: u16,
}

impl Letterbox {
    /// Fits `image` upright into `input`. An image smaller than the input is not enlarged. `None` if either size is
    /// empty.
    pub fn new(image: Size, input: Size) -> Option<Self> {
        Self::rotated(image, input, 0, 1.0)
    }

    /// Fits `image`, rotated clockwise by `degrees`, into `input`, scaled up by `max_scale` at most. `None` if either
    /// size is empty.
    pub(super) fn rotated(image: Size, input: Size, degrees: u16, max_scale: f64) -> Option<Self> {
        if image.pixels() == 0 || input.pixels() == 0 {
            return None;
        }
        let (bounds, rotation) = (rotated_size(image, degrees), degrees % 360);
        let ratio = |space: u32, length: u32| f64::from(space) / f64::from(length.max(1));
        let mut scale = ratio(input.width, bounds.width).min(ratio(input.height, bounds.height)).min(max_scale);
        let scaled = |length: u32, scale: f64| ((f64::from(length) * scale).round() as u32).max(1);
        loop {
            let resized = Size::new(scaled(image.width, scale), scaled(image.height, scale));
            let covered = rotated_size(resized, rotation);
            if covered.width <= input.width && covered.height <= input.height {
                return Some(Self { image, input, resized, rotation });
            }
            // Rounding up the bounds of a rotated image may exceed the input by a pixel.
            if resized.long_side() <= 1 {
                return None;
            }
            scale *= 1.0 - 1.0 / f64::from(resized.long_side());
        }
    }

    /// Size, in input pixels, of the upright bounding rectangle of the rotated image.
    pub(super) fn covered(&self) -> Size {
        rotated_size(self.resized, self.rotation)
    }

    /// Input pixels for each pixel of the image.
    pub fn scale(&self) -> f32 {
        let ratio = |resized: u32, length: u32| resized as f32 / length.max(1) as f32;
        ratio(self.resized.width, self.image.width).max(ratio(self.resized.height, self.image.height))
    }

    /// Maps points of the model's input to points of the upright image.
    pub fn image_from_model(&self) -> Transform {
        let (width, height) = (f64::from(self.resized.width), f64::from(self.resized.height));
        let covered = self.covered();
        let (x, y) = (f64::from(covered.width) / 2.0, f64::from(covered.height) / 2.0);
        // Rounding to whole pixels makes the horizontal and vertical scales differ slightly, so each has its own
        // factor.
        Transform::scale_then_move(1.0, 1.0, -x, -y)
            .then(&Transform::rotate_about(Point::default(), -f64::from(self.rotation)))
            .then(&Transform::scale_then_move(1.0, 1.0, width / 2.0, height / 2.0))
            .then(&Transform::scale_then_move(
                f64::from(self.image.width) / width,
                f64::from(self.image.height) / height,
                0.0,
                0.0,
            ))
    }

    /// Maps a face from input pixels to pixels of the upright image.
    pub(super) fn face_in_image(&self, face: &Face) -> Face {
        let map = self.image_from_model();
        Face::new(rotated_box(face.bbox, &map), face.landmarks.map(|point| map.apply(point)), face.score)
    }
}

/// Size of the upright bounding rectangle of a rectangle of `size` rotated by `degrees`; exact for quarter turns.
pub(super) fn rotated_size(size: Size, degrees: u16) -> Size {
    match degrees % 180 {
        0 => size,
        90 => size.transposed(),
        _ => {
            let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
            let (width, height) = (f64::from(size.width), f64::from(size.height));
            let around = |across: f64, down: f64| (width * across.abs() + height * down.abs()).ceil() as u32;
            Size::new(around(cos, sin), around(sin, cos))
        }
    }
}

/// The upright bounding box of the ellipse in `bbox` after `map`: a face is closer to an ellipse than to a rectangle.
fn rotated_box(bbox: Rect, map: &Transform) -> Rect {
    let [[a, b, _], [d, e, _]] = map.rows().map(|row| row.map(|value| value as f32));
    let (across, down) = (bbox.width / 2.0, bbox.height / 2.0);
    let (half_width, half_height) = ((a * across).hypot(b * down), (d * across).hypot(e * down));
    let center = map.apply(bbox.center());
    Rect::new(center.x - half_width, center.y - half_height, 2.0 * half_width, 2.0 * half_height)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: Size = Size::new(640, 640);

    #[test]
    fn the_aspect_ratio_is_kept_and_corners_map_back() {
        for image in [Size::new(6000, 4000), Size::new(4000, 6000), Size::new(3000, 1000), Size::new(641, 640)] {
            for (rotation, corner) in [(0, (0.0, 0.0)), (90, (1.0, 0.0)), (180, (1.0, 1.0)), (270, (0.0, 1.0))] {
                let letterbox = Letterbox::rotated(image, INPUT, rotation, 1.0).expect("fits");
                assert_eq!(letterbox.resized.long_side(), 640);
                assert!((letterbox.resized.aspect() / image.aspect() - 1.0).abs() < 0.01);
                // The image's top left corner after the clockwise rotation.
                let covered = letterbox.covered();
                let at = Point::new(corner.0 * covered.width as f32, corner.1 * covered.height as f32);
                assert!(
                    letterbox.image_from_model().apply(at).distance(Point::default()) < 0.01,
                    "{image} by {rotation}"
                );
            }
        }
    }

    #[test]
    fn small_images_are_enlarged_only_on_request_and_thin_ones_keep_one_pixel() {
        assert_eq!(Letterbox::new(Size::new(200, 100), INPUT).expect("fits").resized, Size::new(200, 100));
        let enlarged = Letterbox::rotated(Size::new(200, 100), INPUT, 0, f64::INFINITY).expect("fits");
        assert_eq!((enlarged.resized, enlarged.scale()), (Size::new(640, 320), 3.2));
        assert_eq!(Letterbox::new(Size::new(10_000, 1), INPUT).expect("fits").resized, Size::new(640, 1));
        assert!(Letterbox::new(Size::new(0, 5), INPUT).is_none());
    }

    #[test]
    fn a_rotated_image_fits_the_input_and_points_map_back() {
        let image = Size::new(1000, 600);
        for degrees in [45, 135, 225, 315] {
            let letterbox = Letterbox::rotated(image, INPUT, degrees, 1.0).expect("fits");
            let covered = letterbox.covered();
            assert!(covered.width <= 640 && covered.height <= 640 && covered.long_side() > 620, "{covered}");
            let map = letterbox.image_from_model();
            let back = map.inverse().expect("a map back");
            for (x, y) in [(0.0, 0.0), (1000.0, 0.0), (0.0, 600.0), (1000.0, 600.0), (700.0, 20.0)] {
                let mapped = back.apply(Point::new(x, y));
                assert!((-1.0..=641.0).contains(&mapped.x) && (-1.0..=641.0).contains(&mapped.y), "{mapped:?}");
                assert!(map.apply(mapped).distance(Point::new(x, y)) < 1e-2);
            }
            // After a clockwise rotation, points right of the center move down.
            let (right, middle) = (back.apply(Point::new(900.0, 300.0)), back.apply(Point::new(500.0, 300.0)));
            let (sin, cos) = f32::from(degrees).to_radians().sin_cos();
            assert!((right.x - middle.x) * cos + (right.y - middle.y) * sin > 100.0, "{degrees}: {right:?}");
        }
        let round = rotated_box(Rect::new(0.0, 0.0, 40.0, 40.0), &Transform::rotate_about(Point::default(), 45.0));
        assert!((round.width - 40.0).abs() < 1e-3, "the bounds of a circle do not depend on the rotation");
    }

    #[test]
    fn landmarks_of_an_upside_down_face_map_to_the_image() {
        let letterbox = Letterbox::rotated(Size::new(1000, 600), INPUT, 180, 1.0).expect("fits");
        // The face as the model detects it: upright, at the top left of the rotated image.
        let points = [(40.0, 40.0), (60.0, 40.0), (50.0, 50.0), (42.0, 60.0), (58.0, 60.0)];
        let detected = Face::new(Rect::new(30.0, 20.0, 40.0, 50.0), points.map(|(x, y)| Point::new(x, y)), 0.9);
        let face = letterbox.face_in_image(&detected);
        let scale = 1000.0 / 640.0;
        assert!(face.landmarks[0].distance(Point::new(1000.0 - 40.0 * scale, 600.0 - 40.0 * scale)) < 1e-2);
        assert!(face.landmarks[0].x > face.landmarks[1].x && face.landmarks[0].y > face.landmarks[3].y);
        assert!((face.bbox.right() - (1000.0 - 30.0 * scale)).abs() < 1e-2);
    }
}
