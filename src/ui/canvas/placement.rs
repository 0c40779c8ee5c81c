//! Mapping between photo pixels and the screen.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use geometry::{PixelRect, Point, Rect as PictureRect, Size};
use plan::PlannedCrop;

use super::super::state::CanvasView;

/// Margin around a fitted photo, in points.
const MARGIN: f32 = 16.0;

/// The space a fitted photo may take.
pub(super) fn usable(space: Vec2) -> Vec2 {
    (space - Vec2::splat(2.0 * MARGIN)).max(Vec2::splat(1.0))
}

/// Maps pixels of the upright image to points of the window.
pub(super) struct Placement {
    middle: Pos2,
    center: Point,
    /// Points per image pixel.
    scale: f32,
    /// Bounds of the whole photo, in points.
    pub(super) photo: Rect,
}

impl Placement {
    pub(super) fn new(space: Rect, pixels_per_point: f32, view: CanvasView, picture: Size) -> Self {
        let pixels = usable(space.size()) * pixels_per_point;
        let (scale, center) = view.resolve(picture, pixels.x, pixels.y);
        let middle = if scale.fract() == 0.0 {
            // At whole-number scales the image is aligned to screen pixels, so that none is blurred across two.
            let on_pixel = |middle: f32, center: f32| {
                let start = (middle * pixels_per_point - center * scale).round();
                (start + center * scale) / pixels_per_point
            };
            pos2(on_pixel(space.center().x, center.x), on_pixel(space.center().y, center.y))
        } else {
            space.center()
        };
        let mut placement = Self { middle, center, scale: scale / pixels_per_point, photo: Rect::NOTHING };
        placement.photo = placement.rect(PictureRect::new(0.0, 0.0, picture.width as f32, picture.height as f32));
        placement
    }

    pub(super) fn point(&self, point: Point) -> Pos2 {
        self.middle + vec2(point.x - self.center.x, point.y - self.center.y) * self.scale
    }

    /// The image pixel shown at `at`.
    pub(super) fn picture_point(&self, at: Pos2) -> Point {
        let from_middle = (at - self.middle) / self.scale;
        Point::new(self.center.x + from_middle.x, self.center.y + from_middle.y)
    }

    pub(super) fn rect(&self, rect: PictureRect) -> Rect {
        Rect::from_min_max(self.point(Point::new(rect.x, rect.y)), self.point(Point::new(rect.right(), rect.bottom())))
    }

    /// Points per image pixel.
    pub(super) fn scale(&self) -> f32 {
        self.scale
    }

    /// The image pixels within `space`, in whole pixels; `None` if there are none.
    pub(super) fn part_in(&self, space: Rect, picture: Size) -> Option<PixelRect> {
        let visible = space.intersect(self.photo);
        if !visible.is_positive() {
            return None;
        }
        let across = |at: f32| ((at - self.photo.left()) / self.scale).max(0.0);
        let down = |at: f32| ((at - self.photo.top()) / self.scale).max(0.0);
        let (left, top) = (across(visible.left()).floor() as i32, down(visible.top()).floor() as i32);
        let (right, bottom) = (across(visible.right()).ceil() as i32, down(visible.bottom()).ceil() as i32);
        let (width, height) = (right.saturating_sub(left), bottom.saturating_sub(top));
        PixelRect::new(left, top, width.max(1) as u32, height.max(1) as u32).clipped_to(picture)
    }

    pub(super) fn frame(&self, frame: PixelRect) -> Rect {
        self.rect(frame.to_rect())
    }

    /// Corners of a crop's frame: top left, top right, bottom right and bottom left of the crop.
    pub(super) fn corners(&self, crop: &PlannedCrop) -> [Pos2; 4] {
        crop.corners().map(|corner| self.point(corner))
    }
}

/// [`geometry::clip_convex`] for points on the screen.
pub(super) fn clip_convex(subject: &[Pos2], clip: &[Pos2]) -> Vec<Pos2> {
    let points = |polygon: &[Pos2]| polygon.iter().map(|at| Point::new(at.x, at.y)).collect::<Vec<_>>();
    let cut = geometry::clip_convex(&points(subject), &points(clip));
    cut.into_iter().map(|point| pos2(point.x, point.y)).collect()
}

/// Corners of a rectangle, clockwise from the top left.
pub(super) fn corners(rect: Rect) -> [Pos2; 4] {
    [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()]
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    fn rect(x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect::from_min_size(pos2(x, y), vec2(width, height))
    }

    #[test]
    fn screen_points_map_to_image_pixels_and_back() {
        let placement = Placement::new(rect(0.0, 0.0, 432.0, 232.0), 2.0, CanvasView::Fit, Size::new(1000, 800));
        let point = Point::new(120.0, 640.0);
        assert!(placement.picture_point(placement.point(point)).distance(point) < 1e-2);
    }

    #[test]
    fn the_visible_part_matches_the_canvas() {
        let space = rect(0.0, 0.0, 400.0, 200.0);
        let picture = Size::new(1000, 1000);
        let view = CanvasView::Free { scale: 1.0, center: Point::new(500.0, 500.0) };
        let part = |view| Placement::new(space, 2.0, view, picture).part_in(space, picture);
        assert_eq!(part(view), Some(PixelRect::new(100, 300, 800, 400)));
        assert_eq!(part(CanvasView::Fit), Some(PixelRect::new(0, 0, 1000, 1000)));
        let away = rect(-90.0, -90.0, 10.0, 10.0);
        assert_eq!(Placement::new(space, 2.0, CanvasView::Fit, picture).part_in(away, picture), None);
    }

    #[test]
    fn at_100_percent_photo_pixels_match_screen_pixels() {
        let picture = Size::new(4001, 3001);
        for pixels_per_point in [1.0, 1.25, 1.5, 2.0] {
            for scale in [1.0, 2.0] {
                for center in [Point::new(2000.5, 1500.25), Point::new(13.37, 2999.9)] {
                    let space = rect(248.0, 61.3, 803.0, 517.5);
                    let placement =
                        Placement::new(space, pixels_per_point, CanvasView::Free { scale, center }, picture);
                    for at in [placement.photo.min, placement.point(Point::new(1000.0, 999.0))] {
                        let Vec2 { x, y } = at.to_vec2() * pixels_per_point;
                        let off = (x - x.round()).abs().max((y - y.round()).abs());
                        assert!(off < 2e-3, "{pixels_per_point} {scale} {center:?}: {x} {y}");
                    }
                    let width = placement.photo.width() * pixels_per_point;
                    assert!((width - 4001.0 * scale).abs() < 1e-2, "{width}");
                }
            }
        }
    }

    #[test]
    fn a_fitted_photo_is_centred() {
        let space = rect(0.0, 0.0, 432.0, 232.0);
        let placement = Placement::new(space, 2.0, CanvasView::Fit, Size::new(1000, 1000));
        assert!((placement.photo.height() - 200.0).abs() < 1e-3);
        assert!((placement.photo.center() - space.center()).length() < 1e-3);
    }
}
