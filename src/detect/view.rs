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
    /// Degrees it is turned clockwise: 0, 90, 180 or 270.
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

    /// The whole picture turned clockwise by `degrees`: 90, 180 or 270.
    pub(super) fn turned(picture: Size, input: Size, degrees: u16) -> Option<Self> {
        let across = degrees % 180 == 90;
        let fitted = Fit::new(if across { picture.transposed() } else { picture }, input)?.fitted;
        let fitted = if across { fitted.transposed() } else { fitted };
        Some(Self { kind: LookKind::Turned, turned: degrees, fitted, ..Self::whole(picture, input)? })
    }

    /// The part `part` of the picture at `scale` pixels of the input a pixel of the picture, at most `space` pixels.
    pub(super) fn tile(part: PixelRect, space: Size, scale: f64) -> Self {
        let scaled = |length: u32, space: u32| ((f64::from(length) * scale).round() as u32).clamp(1, space.max(1));
        let fitted = Size::new(scaled(part.width, space.width), scaled(part.height, space.height));
        Self { kind: LookKind::Tile, part, turned: 0, fitted, at: (0, 0) }
    }

    /// Pixels of the input it takes, turned.
    pub(super) fn covered(&self) -> Size {
        if self.turned % 180 == 90 { self.fitted.transposed() } else { self.fitted }
    }

    /// True where `point` of the input is in the part or not far outside: a face that the picture's edge cuts off may have
    /// its middle there.
    pub(super) fn shows(&self, point: Point) -> bool {
        let covered = self.covered();
        let (dx, dy) = (covered.width as f32 * BESIDE, covered.height as f32 * BESIDE);
        let (x, y) = (self.at.0 as f32, self.at.1 as f32);
        let reach = Rect::new(x - dx, y - dy, covered.width as f32 + 2.0 * dx, covered.height as f32 + 2.0 * dy);
        reach.contains(point)
    }

    /// The share of `rect`, in the input, that the part shows; 1 where it ends at an edge of the `picture` itself.
    pub(super) fn share_seen(&self, rect: Rect, picture: Size) -> f32 {
        if self.kind != LookKind::Tile || rect.area() <= 0.0 {
            return 1.0;
        }
        let Size { width, height } = self.fitted;
        let (left, top) = (self.at.0 as f32, self.at.1 as f32);
        let ends = |start: i32, length: u32, all: u32| i64::from(start) + i64::from(length) >= i64::from(all);
        // What lies beyond an edge of the picture is hidden for every look.
        let far = 2.0 * (rect.width + rect.height);
        let low = |at_edge: bool, edge: f32| if at_edge { edge - far } else { edge };
        let high = |at_edge: bool, edge: f32| if at_edge { edge + far } else { edge };
        let seen = Rect::from_corners(
            Point::new(low(self.part.x <= 0, left), low(self.part.y <= 0, top)),
            Point::new(
                high(ends(self.part.x, self.part.width, picture.width), left + width as f32),
                high(ends(self.part.y, self.part.height, picture.height), top + height as f32),
            ),
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
        // A turn about the corner leaves the part beside it; this brings it back.
        let (dx, dy) = match self.turned {
            90 => (0.0, height),
            180 => (width, height),
            270 => (width, 0.0),
            _ => (0.0, 0.0),
        };
        let ratio = |length: u32, fitted: f64| f64::from(length) / fitted.max(1.0);
        Transform::scale_then_move(1.0, 1.0, -f64::from(self.at.0), -f64::from(self.at.1))
            .then(&Transform::rotate_about(Point::default(), -f64::from(self.turned)))
            .then(&Transform::scale_then_move(1.0, 1.0, dx, dy))
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
        Face::new(map.apply_rect(face.bbox), face.landmarks.map(|point| map.apply(point)), face.score)
    }
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
        views.push(View { at: (0, 320), ..View::tile(PixelRect::new(300, 100, 640, 320), INPUT, 1.0) });
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
    }
}
