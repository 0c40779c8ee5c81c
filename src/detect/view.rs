//! How a part of a picture is put before the network: scaled, turned, placed in the input.

use super::{Fit, LookKind};
use crate::geometry::{Face, PixelRect, Point, Rect, Size, Transform};

/// How large the picture is in the quarters of an input against the first look. Less than a half, so that a face that fills
/// the picture has a border around it.
const SMALLER: f64 = 0.45;

/// The share of a part's side that the middle of a face may lie outside of it.
const BESIDE: f32 = 0.05;

/// A part of the upright picture as one look sees it. What of the input it does not cover is black.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    /// What it is for.
    pub(super) kind: LookKind,
    /// The part, in pixels of the upright picture; lies inside it.
    pub(super) part: PixelRect,
    /// Degrees it is turned clockwise, 0 to 359.
    pub(super) turned: u16,
    /// Pixels of the input that the part takes, before it is turned.
    pub(super) fitted: Size,
    /// Pixels of the input left of it and above it.
    pub(super) at: (u32, u32),
}

impl View {
    /// The whole picture at the top left, as large as `input` but not enlarged. `None` for an empty picture.
    pub(super) fn whole(picture: Size, input: Size) -> Option<Self> {
        let fitted = Fit::new(picture, input)?.fitted;
        Some(Self { kind: LookKind::Whole, part: all_of(picture), turned: 0, fitted, at: (0, 0) })
    }

    /// The whole picture at [`SMALLER`] of that size, in each of the four quarter turns, each in the middle of its quarter of
    /// the input: four looks for one run.
    pub(super) fn quarters(picture: Size, input: Size) -> Vec<Self> {
        let Some(whole) = Self::whole(picture, input) else { return Vec::new() };
        let shrunk = |length: u32| ((f64::from(length) * SMALLER).round() as u32).max(1);
        let fitted = Size::new(shrunk(whole.fitted.width), shrunk(whole.fitted.height));
        let quarter = Size::new(input.width / 2, input.height / 2);
        let places = [(0, 0, 0), (90, 1, 0), (270, 0, 1), (180, 1, 1)];
        let views = places.map(|(turned, column, row)| {
            let kind = if turned == 0 { LookKind::Smaller } else { LookKind::Turned };
            let view = Self { kind, turned, fitted, ..whole };
            let covered = view.covered();
            let start = |index: u32, space: u32, taken: u32| index * space + space.saturating_sub(taken) / 2;
            let at = (start(column, quarter.width, covered.width), start(row, quarter.height, covered.height));
            Self { at, ..view }
        });
        // In an input that is far from square a turned picture may not fit its quarter.
        views
            .into_iter()
            .filter(|view| view.covered().width <= quarter.width && view.covered().height <= quarter.height)
            .collect()
    }

    /// The whole picture turned clockwise by `degrees`, as large as `input` but not enlarged.
    pub(super) fn turned(picture: Size, input: Size, degrees: u16) -> Option<Self> {
        let whole = Self { kind: LookKind::Turned, turned: degrees, ..Self::whole(picture, picture)? };
        let fitted = Fit::new(whole.covered(), input)?.fitted;
        let ratio = |space: u32, length: u32| f64::from(space) / f64::from(length.max(1));
        let covered = whole.covered();
        let scale = ratio(fitted.width, covered.width).min(ratio(fitted.height, covered.height));
        let scaled = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
        let view = Self { fitted: Size::new(scaled(picture.width), scaled(picture.height)), ..whole };
        let covered = view.covered();
        (covered.width <= input.width && covered.height <= input.height).then_some(view)
    }

    /// The part `part` of the picture at `scale` pixels of the input a pixel of the picture, at most `space` pixels.
    pub(super) fn tile(part: PixelRect, space: Size, scale: f64) -> Self {
        let scaled = |length: u32, space: u32| ((f64::from(length) * scale).round() as u32).clamp(1, space.max(1));
        let fitted = Size::new(scaled(part.width, space.width), scaled(part.height, space.height));
        Self { kind: LookKind::Tile, part, turned: 0, fitted, at: (0, 0) }
    }

    /// This view once the whole input, a square, is turned clockwise by `degrees`: 90, 180 or 270.
    pub(super) fn turned_with(self, input: Size, degrees: u16) -> Self {
        let (across, down) = self.at;
        let Size { width, height } = self.covered();
        let (right, below) = (input.width - across - width, input.height - down - height);
        let at = match degrees {
            90 => (below, across),
            180 => (right, below),
            270 => (down, right),
            _ => self.at,
        };
        Self { turned: (self.turned + degrees) % 360, at, ..self }
    }

    /// Pixels of the input it takes, turned: an upright rectangle around it.
    pub(super) fn covered(&self) -> Size {
        turned_size(self.fitted, self.turned)
    }

    /// True where `point` of the input is in the part or not far outside: a face that the picture's edge cuts off may have
    /// its middle there.
    pub(super) fn shows(&self, point: Point) -> bool {
        let point = self.picture_from_model().apply(point);
        let part = self.part_rect();
        let (dx, dy) = (part.width * BESIDE, part.height * BESIDE);
        Rect::new(part.x - dx, part.y - dy, part.width + 2.0 * dx, part.height + 2.0 * dy).contains(point)
    }

    /// The share of `rect`, in the input, that the part shows; 1 where it ends at an edge of the `picture` itself.
    pub(super) fn share_seen(&self, rect: Rect, picture: Size) -> f32 {
        if self.kind != LookKind::Tile || rect.area() <= 0.0 {
            return 1.0;
        }
        let rect = turned_box(rect, &self.picture_from_model());
        let part = self.part_rect();
        // What lies beyond an edge of the picture is hidden for every look.
        let far = 2.0 * (rect.width + rect.height);
        let low = |start: f32| if start <= 0.0 { start - far } else { start };
        let high = |end: f32, all: u32| if end >= all as f32 { end + far } else { end };
        let seen = Rect::from_corners(
            Point::new(low(part.x), low(part.y)),
            Point::new(high(part.right(), picture.width), high(part.bottom(), picture.height)),
        );
        rect.overlap(seen) / rect.area()
    }

    /// Pixels of the input a pixel of the upright picture.
    pub(super) fn scale(&self) -> f32 {
        let ratio = |fitted: u32, length: u32| fitted as f32 / length.max(1) as f32;
        ratio(self.fitted.width, self.part.width).max(ratio(self.fitted.height, self.part.height))
    }

    /// The part with fractions.
    pub(super) fn part_rect(&self) -> Rect {
        self.part.to_rect()
    }

    /// Takes points of the model's input to points of the upright picture.
    pub(super) fn picture_from_model(&self) -> Transform {
        let (width, height) = (f64::from(self.fitted.width), f64::from(self.fitted.height));
        let covered = self.covered();
        let middle = |start: u32, length: u32| f64::from(start) + f64::from(length) / 2.0;
        let (x, y) = (middle(self.at.0, covered.width), middle(self.at.1, covered.height));
        let ratio = |length: u32, fitted: f64| f64::from(length) / fitted.max(1.0);
        Transform::scale_then_move(1.0, 1.0, -x, -y)
            .then(&Transform::rotate_about(Point::default(), -f64::from(self.turned)))
            .then(&Transform::scale_then_move(1.0, 1.0, width / 2.0, height / 2.0))
            .then(&Transform::scale_then_move(
                ratio(self.part.width, width),
                ratio(self.part.height, height),
                f64::from(self.part.x),
                f64::from(self.part.y),
            ))
    }

    /// A face of the model's input in pixels of the upright picture.
    pub(super) fn in_picture(&self, face: &Face) -> Face {
        let map = self.picture_from_model();
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
pub(super) fn turned_box(bbox: Rect, map: &Transform) -> Rect {
    let [[a, b, _], [d, e, _]] = map.rows().map(|row| row.map(|value| value as f32));
    let (across, down) = (bbox.width / 2.0, bbox.height / 2.0);
    let (half_width, half_height) = ((a * across).hypot(b * down), (d * across).hypot(e * down));
    let center = map.apply(bbox.center());
    Rect::new(center.x - half_width, center.y - half_height, 2.0 * half_width, 2.0 * half_height)
}

fn all_of(picture: Size) -> PixelRect {
    PixelRect::new(0, 0, picture.width, picture.height)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: Size = Size::new(640, 640);
    const PHOTO: Size = Size::new(1000, 600);

    #[test]
    fn the_corners_of_every_view_come_from_the_corners_of_its_part() {
        let mut views = View::quarters(PHOTO, INPUT);
        assert_eq!(views.len(), 4);
        views.extend([90, 180, 270].into_iter().filter_map(|degrees| View::turned(PHOTO, INPUT, degrees)));
        let tile = View { at: (0, 320), ..View::tile(PixelRect::new(300, 100, 640, 320), INPUT, 1.0) };
        views.extend([0, 90, 180, 270].map(|degrees| tile.turned_with(INPUT, degrees)));
        for view in views {
            let (left, top) = (view.at.0 as f32, view.at.1 as f32);
            let Size { width, height } = view.covered();
            let (right, bottom) = (left + width as f32, top + height as f32);
            assert!(right <= 640.0 && bottom <= 640.0, "{view:?}");
            // Where the upright part's top left corner is once it is turned clockwise.
            let corner = match view.turned {
                90 => Point::new(right, top),
                180 => Point::new(right, bottom),
                270 => Point::new(left, bottom),
                _ => Point::new(left, top),
            };
            let map = view.picture_from_model();
            let part = view.part_rect();
            assert!(map.apply(corner).distance(Point::new(part.x, part.y)) < 1e-2, "{view:?}");
            let back = map.apply_rect(Rect::new(left, top, right - left, bottom - top));
            let off = [back.x - part.x, back.y - part.y, back.width - part.width, back.height - part.height];
            assert!(off.iter().all(|off| off.abs() < 1e-2), "{view:?}: {back:?}");
        }
    }

    #[test]
    fn a_view_between_quarter_turns_shows_all_of_the_picture_and_gives_points_back() {
        for degrees in [45, 135, 225, 315] {
            let view = View::turned(PHOTO, INPUT, degrees).expect("a view");
            let covered = view.covered();
            assert!(covered.width <= 640 && covered.height <= 640 && covered.long_side() > 620, "{covered}");
            let map = view.picture_from_model();
            let back = map.inverse().expect("a map back");
            for (x, y) in [(0.0, 0.0), (1000.0, 0.0), (0.0, 600.0), (1000.0, 600.0), (700.0, 20.0)] {
                let seen = back.apply(Point::new(x, y));
                assert!((-1.0..=641.0).contains(&seen.x) && (-1.0..=641.0).contains(&seen.y), "{seen:?}");
                assert!(view.shows(seen) && map.apply(seen).distance(Point::new(x, y)) < 1e-2);
            }
            assert!(!view.shows(Point::new(2.0, 2.0)), "a corner of the input shows nothing");
            // Turned clockwise, what is right of the middle goes down.
            let right = back.apply(Point::new(900.0, 300.0));
            let (sin, cos) = f32::from(degrees).to_radians().sin_cos();
            assert!(((right.x - 320.0) * cos + (right.y - 320.0) * sin) > 100.0, "{degrees}: {right:?}");
        }
        let round = turned_box(Rect::new(0.0, 0.0, 40.0, 40.0), &Transform::rotate_about(Point::default(), 45.0));
        assert!((round.width - 40.0).abs() < 1e-3, "a circle is as wide at any turn");
    }

    #[test]
    fn an_upside_down_face_has_its_right_eye_where_it_is() {
        let view = View::turned(PHOTO, INPUT, 180).expect("a view");
        // As the network sees it upright, at the left top of the turned picture.
        let points = [(40.0, 40.0), (60.0, 40.0), (50.0, 50.0), (42.0, 60.0), (58.0, 60.0)];
        let seen = Face::new(Rect::new(30.0, 20.0, 40.0, 50.0), points.map(|(x, y)| Point::new(x, y)), 0.9);
        let face = view.in_picture(&seen);
        let scale = 1000.0 / 640.0;
        assert!(face.landmarks[0].distance(Point::new(1000.0 - 40.0 * scale, 600.0 - 40.0 * scale)) < 1e-2);
        assert!(face.landmarks[0].x > face.landmarks[1].x && face.landmarks[0].y > face.landmarks[3].y);
        assert!((face.bbox.right() - (1000.0 - 30.0 * scale)).abs() < 1e-2);
    }

    #[test]
    fn what_a_tile_cuts_off_is_told_from_what_the_picture_does() {
        let tile = View::tile(PixelRect::new(0, 0, 500, 600), INPUT, 1.0);
        assert_eq!(tile.share_seen(Rect::new(400.0, 100.0, 50.0, 50.0), PHOTO), 1.0);
        assert!((tile.share_seen(Rect::new(475.0, 100.0, 50.0, 50.0), PHOTO) - 0.5).abs() < 1e-3, "an inner edge");
        assert!((tile.share_seen(Rect::new(-25.0, 575.0, 50.0, 50.0), PHOTO) - 1.0).abs() < 1e-3, "the picture's own");
        let turned = tile.turned_with(INPUT, 90);
        let share = |x: f32, y: f32| turned.share_seen(Rect::new(x, y, 50.0, 50.0), PHOTO);
        assert_eq!(share(300.0, 300.0), 1.0);
        assert!((share(300.0, 475.0) - 0.5).abs() < 1e-2, "its right edge lies below");
        assert!(
            (share(15.0, 300.0) - 1.0).abs() < 1e-2 && (share(300.0, -25.0) - 1.0).abs() < 1e-2,
            "the picture's own"
        );
    }
}
