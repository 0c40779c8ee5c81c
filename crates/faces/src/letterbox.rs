//! How a picture lies in the model's input.

use geometry::{Face, Point, Rect, Size, Transform};

/// A picture scaled, and perhaps turned, into the model's input, at the top left; the rest of the input is black.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Letterbox {
    /// Pixels of the upright picture.
    pub picture: Size,
    /// Pixels of the model's input.
    pub input: Size,
    /// Pixels of the scaled picture before it is turned.
    pub fitted: Size,
    /// Degrees the picture is turned clockwise, 0 to 359.
    pub turned: u16,
}

impl Letterbox {
    /// Fits `picture` upright into `input`. A picture that is smaller is not enlarged. `None` if either is empty.
    pub fn new(picture: Size, input: Size) -> Option<Self> {
        Self::turned(picture, input, 0, 1.0)
    }

    /// Fits `picture`, turned clockwise by `degrees`, into `input`, enlarged by `max_scale` at most. `None` if either is
    /// empty.
    pub(super) fn turned(picture: Size, input: Size, degrees: u16, max_scale: f64) -> Option<Self> {
        if picture.pixels() == 0 || input.pixels() == 0 {
            return None;
        }
        let (around, turned) = (turned_size(picture, degrees), degrees % 360);
        let ratio = |space: u32, length: u32| f64::from(space) / f64::from(length.max(1));
        let mut scale = ratio(input.width, around.width).min(ratio(input.height, around.height)).min(max_scale);
        let scaled = |length: u32, scale: f64| ((f64::from(length) * scale).round() as u32).max(1);
        loop {
            let fitted = Size::new(scaled(picture.width, scale), scaled(picture.height, scale));
            let covered = turned_size(fitted, turned);
            if covered.width <= input.width && covered.height <= input.height {
                return Some(Self { picture, input, fitted, turned });
            }
            // Rounding up what a tilted picture covers may take a pixel too many.
            if fitted.long_side() <= 1 {
                return None;
            }
            scale *= 1.0 - 1.0 / f64::from(fitted.long_side());
        }
    }

    /// Pixels of the input that the picture covers, turned: an upright rectangle around it.
    pub(super) fn covered(&self) -> Size {
        turned_size(self.fitted, self.turned)
    }

    /// Pixels of the input for each pixel of the picture.
    pub fn scale(&self) -> f32 {
        let ratio = |fitted: u32, length: u32| fitted as f32 / length.max(1) as f32;
        ratio(self.fitted.width, self.picture.width).max(ratio(self.fitted.height, self.picture.height))
    }

    /// Takes points of the model's input to points of the upright picture.
    pub fn image_from_model(&self) -> Transform {
        let (width, height) = (f64::from(self.fitted.width), f64::from(self.fitted.height));
        let covered = self.covered();
        let (x, y) = (f64::from(covered.width) / 2.0, f64::from(covered.height) / 2.0);
        // Rounding to whole pixels makes the two scales differ slightly; each side uses its own.
        Transform::scale_then_move(1.0, 1.0, -x, -y)
            .then(&Transform::rotate_about(Point::default(), -f64::from(self.turned)))
            .then(&Transform::scale_then_move(1.0, 1.0, width / 2.0, height / 2.0))
            .then(&Transform::scale_then_move(
                f64::from(self.picture.width) / width,
                f64::from(self.picture.height) / height,
                0.0,
                0.0,
            ))
    }

    /// A face of the model's input in pixels of the upright picture.
    pub(super) fn face_in_picture(&self, face: &Face) -> Face {
        let map = self.image_from_model();
        Face::new(turned_box(face.bbox, &map), face.landmarks.map(|point| map.apply(point)), face.score)
    }
}

/// The size of the upright rectangle around one of `size` that is turned by `degrees`; exact for quarter turns.
pub(super) fn turned_size(size: Size, degrees: u16) -> Size {
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

/// The upright box around the ellipse in `bbox`, once `map` has turned it: a face is round rather than square.
fn turned_box(bbox: Rect, map: &Transform) -> Rect {
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
    fn the_aspect_is_kept_and_corners_come_back() {
        for picture in [Size::new(6000, 4000), Size::new(4000, 6000), Size::new(3000, 1000), Size::new(641, 640)] {
            for (turned, corner) in [(0, (0.0, 0.0)), (90, (1.0, 0.0)), (180, (1.0, 1.0)), (270, (0.0, 1.0))] {
                let letterbox = Letterbox::turned(picture, INPUT, turned, 1.0).expect("fits");
                assert_eq!(letterbox.fitted.long_side(), 640);
                assert!((letterbox.fitted.aspect() / picture.aspect() - 1.0).abs() < 0.01);
                // Where the picture's top left corner is once it is turned clockwise.
                let covered = letterbox.covered();
                let at = Point::new(corner.0 * covered.width as f32, corner.1 * covered.height as f32);
                assert!(
                    letterbox.image_from_model().apply(at).distance(Point::default()) < 0.01,
                    "{picture} by {turned}"
                );
            }
        }
    }

    #[test]
    fn small_pictures_are_enlarged_only_if_asked_for_and_thin_ones_keep_a_pixel() {
        assert_eq!(Letterbox::new(Size::new(200, 100), INPUT).expect("fits").fitted, Size::new(200, 100));
        let enlarged = Letterbox::turned(Size::new(200, 100), INPUT, 0, f64::INFINITY).expect("fits");
        assert_eq!((enlarged.fitted, enlarged.scale()), (Size::new(640, 320), 3.2));
        assert_eq!(Letterbox::new(Size::new(10_000, 1), INPUT).expect("fits").fitted, Size::new(640, 1));
        assert!(Letterbox::new(Size::new(0, 5), INPUT).is_none());
    }

    #[test]
    fn a_tilted_picture_is_seen_whole_and_points_come_back() {
        let picture = Size::new(1000, 600);
        for degrees in [45, 135, 225, 315] {
            let letterbox = Letterbox::turned(picture, INPUT, degrees, 1.0).expect("fits");
            let covered = letterbox.covered();
            assert!(covered.width <= 640 && covered.height <= 640 && covered.long_side() > 620, "{covered}");
            let map = letterbox.image_from_model();
            let back = map.inverse().expect("a map back");
            for (x, y) in [(0.0, 0.0), (1000.0, 0.0), (0.0, 600.0), (1000.0, 600.0), (700.0, 20.0)] {
                let pass_results = back.apply(Point::new(x, y));
                assert!(
                    (-1.0..=641.0).contains(&pass_results.x) && (-1.0..=641.0).contains(&pass_results.y),
                    "{pass_results:?}"
                );
                assert!(map.apply(pass_results).distance(Point::new(x, y)) < 1e-2);
            }
            // Turned clockwise, what is right of the middle goes down.
            let (right, middle) = (back.apply(Point::new(900.0, 300.0)), back.apply(Point::new(500.0, 300.0)));
            let (sin, cos) = f32::from(degrees).to_radians().sin_cos();
            assert!((right.x - middle.x) * cos + (right.y - middle.y) * sin > 100.0, "{degrees}: {right:?}");
        }
        let round = turned_box(Rect::new(0.0, 0.0, 40.0, 40.0), &Transform::rotate_about(Point::default(), 45.0));
        assert!((round.width - 40.0).abs() < 1e-3, "a circle is as wide at any turn");
    }

    #[test]
    fn an_upside_down_face_has_its_right_eye_where_it_is() {
        let letterbox = Letterbox::turned(Size::new(1000, 600), INPUT, 180, 1.0).expect("fits");
        // As the network sees it upright, at the left top of the turned picture.
        let points = [(40.0, 40.0), (60.0, 40.0), (50.0, 50.0), (42.0, 60.0), (58.0, 60.0)];
        let pass_results = Face::new(Rect::new(30.0, 20.0, 40.0, 50.0), points.map(|(x, y)| Point::new(x, y)), 0.9);
        let face = letterbox.face_in_picture(&pass_results);
        let scale = 1000.0 / 640.0;
        assert!(face.landmarks[0].distance(Point::new(1000.0 - 40.0 * scale, 600.0 - 40.0 * scale)) < 1e-2);
        assert!(face.landmarks[0].x > face.landmarks[1].x && face.landmarks[0].y > face.landmarks[3].y);
        assert!((face.bbox.right() - (1000.0 - 30.0 * scale)).abs() < 1e-2);
    }
}
