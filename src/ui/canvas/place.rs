//! Where the photo's pixels are on the screen.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use super::super::state::CanvasView;
use crate::geometry::{PixelRect, Point, Rect as PictureRect, Size};

/// Points kept free around a photo that is fitted.
const MARGIN: f32 = 16.0;

/// The room a fitted photo may take.
pub(super) fn usable(room: Vec2) -> Vec2 {
    (room - Vec2::splat(2.0 * MARGIN)).max(Vec2::splat(1.0))
}

/// Maps pixels of the upright picture to points of the window.
pub(super) struct Placement {
    middle: Pos2,
    center: Point,
    /// Points a picture pixel.
    scale: f32,
    /// Where the whole photo is, in points.
    pub(super) photo: Rect,
}

impl Placement {
    pub(super) fn new(room: Rect, pixels_per_point: f32, view: CanvasView, picture: Size) -> Self {
        let pixels = usable(room.size()) * pixels_per_point;
        let (scale, center) = view.resolve(picture, pixels.x, pixels.y);
        let mut placement =
            Self { middle: room.center(), center, scale: scale / pixels_per_point, photo: Rect::NOTHING };
        placement.photo = placement.rect(PictureRect::new(0.0, 0.0, picture.width as f32, picture.height as f32));
        placement
    }

    pub(super) fn point(&self, point: Point) -> Pos2 {
        self.middle + vec2(point.x - self.center.x, point.y - self.center.y) * self.scale
    }

    pub(super) fn rect(&self, rect: PictureRect) -> Rect {
        Rect::from_min_max(self.point(Point::new(rect.x, rect.y)), self.point(Point::new(rect.right(), rect.bottom())))
    }

    /// Points a picture pixel.
    pub(super) fn scale(&self) -> f32 {
        self.scale
    }

    /// The picture pixels that lie in `room`, in whole pixels; `None` where none do.
    pub(super) fn part_in(&self, room: Rect, picture: Size) -> Option<PixelRect> {
        let seen = room.intersect(self.photo);
        if !seen.is_positive() {
            return None;
        }
        let across = |at: f32| ((at - self.photo.left()) / self.scale).max(0.0);
        let down = |at: f32| ((at - self.photo.top()) / self.scale).max(0.0);
        let (left, top) = (across(seen.left()).floor() as i32, down(seen.top()).floor() as i32);
        let (right, bottom) = (across(seen.right()).ceil() as i32, down(seen.bottom()).ceil() as i32);
        let (width, height) = (right.saturating_sub(left), bottom.saturating_sub(top));
        PixelRect::new(left, top, width.max(1) as u32, height.max(1) as u32).clipped_to(picture)
    }

    pub(super) fn frame(&self, frame: PixelRect) -> Rect {
        self.rect(frame.to_rect())
    }
}

/// The parts of `outer` that none of `holes` covers, as rectangles that touch but do not overlap.
pub(super) fn outside(outer: Rect, holes: &[Rect]) -> Vec<Rect> {
    let holes: Vec<Rect> = holes.iter().map(|hole| hole.intersect(outer)).filter(Rect::is_positive).collect();
    let mut edges: Vec<f32> = holes.iter().flat_map(|hole| [hole.top(), hole.bottom()]).collect();
    edges.extend([outer.top(), outer.bottom()]);
    edges.sort_by(f32::total_cmp);
    edges.dedup();
    let mut parts = Vec::new();
    for band in edges.windows(2) {
        let (top, bottom) = (band[0], band[1]);
        let mut covered: Vec<Rect> =
            holes.iter().filter(|hole| hole.top() < bottom && hole.bottom() > top).copied().collect();
        covered.sort_by(|a, b| a.left().total_cmp(&b.left()));
        let mut left = outer.left();
        for hole in covered {
            if hole.left() > left {
                parts.push(Rect::from_min_max(pos2(left, top), pos2(hole.left(), bottom)));
            }
            left = left.max(hole.right());
        }
        if outer.right() > left {
            parts.push(Rect::from_min_max(pos2(left, top), pos2(outer.right(), bottom)));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect::from_min_size(pos2(x, y), vec2(width, height))
    }

    #[test]
    fn what_is_outside_covers_everything_but_the_holes_once() {
        let outer = rect(0.0, 0.0, 20.0, 10.0);
        let holes = [rect(2.0, 2.0, 6.0, 4.0), rect(5.0, 3.0, 8.0, 9.0), rect(-5.0, 0.0, 6.0, 1.0)];
        let parts = outside(outer, &holes);
        for (x, y) in (0..20).flat_map(|x| (0..10).map(move |y| (x as f32 + 0.5, y as f32 + 0.5))) {
            let point = pos2(x, y);
            let inside_hole = holes.iter().any(|hole| hole.contains(point));
            let covered = parts.iter().filter(|part| part.contains(point)).count();
            assert_eq!(covered, usize::from(!inside_hole), "{point:?}");
        }
    }

    #[test]
    fn without_holes_everything_is_outside() {
        let outer = rect(0.0, 0.0, 20.0, 10.0);
        assert_eq!(outside(outer, &[]), [outer]);
    }

    #[test]
    fn the_part_in_sight_is_what_the_canvas_shows() {
        let room = rect(0.0, 0.0, 400.0, 200.0);
        let picture = Size::new(1000, 1000);
        let view = CanvasView::Free { scale: 1.0, center: Point::new(500.0, 500.0) };
        let part = |view| Placement::new(room, 2.0, view, picture).part_in(room, picture);
        assert_eq!(part(view), Some(PixelRect::new(100, 300, 800, 400)));
        assert_eq!(part(CanvasView::Fit), Some(PixelRect::new(0, 0, 1000, 1000)));
        let away = rect(-90.0, -90.0, 10.0, 10.0);
        assert_eq!(Placement::new(room, 2.0, CanvasView::Fit, picture).part_in(away, picture), None);
    }

    #[test]
    fn a_fitted_photo_lies_in_the_middle() {
        let room = rect(0.0, 0.0, 432.0, 232.0);
        let placement = Placement::new(room, 2.0, CanvasView::Fit, Size::new(1000, 1000));
        assert!((placement.photo.height() - 200.0).abs() < 1e-3);
        assert!((placement.photo.center() - room.center()).length() < 1e-3);
    }
}
