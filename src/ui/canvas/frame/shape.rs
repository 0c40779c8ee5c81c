//! A frame on the screen: its handles and how they are drawn.

use egui::{Align2, Pos2, Rect, Shape, Stroke, Ui, Vec2, vec2};

use geometry::Grip;

use super::super::super::language::{decimal, integer};
use super::super::super::messages;
use super::super::super::state::ShownFrame;
use super::super::super::theme::palette;
use super::super::super::widgets::tag;
use super::{FrameHandle, nearest};

/// Distance from the frame's side to the rotation handle, in points.
const ROTATION_HANDLE: f32 = 26.0;

/// Below this side length, in points, there is no handle in the middle of the side: it would overlap those at the corners.
const MIN_SIDE: f32 = 44.0;

/// Side of a handle, in points, and of one being dragged.
const HANDLE_SIZE: f32 = 9.0;
const DRAGGED_HANDLE_SIZE: f32 = 13.0;

/// The corners on the screen, with the frame's own axes.
pub(super) struct Outline {
    /// Top left, top right, bottom right and bottom left of the crop.
    corners: [Pos2; 4],
    rotation_handle: RotationHandle,
}

/// Position of the rotation handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RotationHandle {
    Above,
    Below,
    /// Below the top side and beside its middle, because the head's rotation handle is above the crown.
    Within,
}

impl Outline {
    /// The outline of a frame; `visible` is the part of the window it is drawn in.
    pub(super) fn new(corners: [Pos2; 4], visible: Rect) -> Self {
        // A frame as high as the window leaves no space above or below it.
        let places = [RotationHandle::Above, RotationHandle::Below, RotationHandle::Within]
            .map(|rotation_handle| Self { corners, rotation_handle });
        let in_sight = places.into_iter().find(|outline| visible.shrink(4.0).contains(outline.rotation_handle()));
        in_sight.unwrap_or(Self { corners, rotation_handle: RotationHandle::Above })
    }

    fn middle(&self) -> Pos2 {
        self.corners[0] + (self.corners[2] - self.corners[0]) / 2.0
    }

    /// Vector from the left side to the right one.
    fn across(&self) -> Vec2 {
        self.corners[1] - self.corners[0]
    }

    /// Vector from the top to the bottom.
    fn down(&self) -> Vec2 {
        self.corners[3] - self.corners[0]
    }

    /// Position of the handle for `grip`.
    pub(super) fn grip(&self, grip: Grip) -> Pos2 {
        self.middle() + (self.across() * f32::from(grip.x) + self.down() * f32::from(grip.y)) / 2.0
    }

    /// Direction in which dragging `grip` enlarges the frame.
    pub(super) fn outward(&self, grip: Grip) -> Vec2 {
        self.across().normalized() * f32::from(grip.x) + self.down().normalized() * f32::from(grip.y)
    }

    /// True if there is space for the handle.
    pub(super) fn has(&self, grip: Grip) -> bool {
        grip.is_corner() || (if grip.x == 0 { self.across() } else { self.down() }).length() >= MIN_SIDE
    }

    /// End of the rotation handle's stem.
    fn stem(&self) -> Pos2 {
        match self.rotation_handle {
            RotationHandle::Above => self.grip(Grip { x: 0, y: -1 }),
            RotationHandle::Below => self.grip(Grip { x: 0, y: 1 }),
            RotationHandle::Within => self.corners[0] + self.across() * 0.75,
        }
    }

    /// Position of the rotation handle.
    pub(super) fn rotation_handle(&self) -> Pos2 {
        let sign = if self.rotation_handle == RotationHandle::Above { -1.0 } else { 1.0 };
        self.stem() + self.down().normalized() * (sign * ROTATION_HANDLE)
    }

    /// Position of the handle that moves the frame while the pointer is elsewhere: on the top side, beside the middle.
    pub(super) fn idle_point(&self) -> Pos2 {
        self.corners[0] + self.across() * 0.25
    }

    /// The point of the border nearest to `pointer`, if within `reach`.
    pub(super) fn border_near(&self, pointer: Pos2, reach: f32) -> Option<Pos2> {
        let sides = (0..4).map(|side| nearest(pointer, self.corners[side], self.corners[(side + 1) % 4]));
        let near = sides.min_by(|a, b| a.distance(pointer).total_cmp(&b.distance(pointer)))?;
        (near.distance(pointer) <= reach).then_some(near)
    }

    /// True if `at` is inside.
    pub(super) fn contains(&self, at: Pos2) -> bool {
        let from = at - self.corners[0];
        let share = |axis: Vec2| from.dot(axis) / axis.length_sq();
        [self.across(), self.down()].into_iter().all(|axis| (0.0..=1.0).contains(&share(axis)))
    }

    fn square(&self, at: Pos2, side: f32) -> Vec<Pos2> {
        let (right, down) = (self.across().normalized() * side / 2.0, self.down().normalized() * side / 2.0);
        vec![at - right - down, at + right - down, at + right + down, at - right + down]
    }
}

/// Draws the handles and, while one is dragged, the value it sets. The frame's line is drawn elsewhere.
pub(super) fn paint(ui: &Ui, outline: &Outline, active: Option<FrameHandle>, shown: &ShownFrame) {
    let palette = palette(ui);
    let painter = ui.painter();
    let halo = Stroke::new(1.5, palette.tag);
    if active == Some(FrameHandle::Move) {
        let corners = outline.corners.to_vec();
        painter.add(Shape::closed_line(corners, Stroke::new(3.5, palette.face_chosen)));
    }
    let stem = [outline.stem(), outline.rotation_handle()];
    painter.line_segment(stem, Stroke::new(3.0, palette.halo));
    painter.line_segment(stem, Stroke::new(1.5, palette.on_tag));
    let (fill, radius) =
        if active == Some(FrameHandle::Rotate) { (palette.face_chosen, 7.5) } else { (palette.on_tag, 5.5) };
    painter.circle(outline.rotation_handle(), radius, fill, halo);
    for grip in Grip::ALL.into_iter().filter(|grip| outline.has(*grip)) {
        let dragged = active == Some(FrameHandle::Resize(grip));
        let (fill, side) =
            if dragged { (palette.face_chosen, DRAGGED_HANDLE_SIZE) } else { (palette.on_tag, HANDLE_SIZE) };
        painter.add(Shape::convex_polygon(outline.square(outline.grip(grip), side), fill, halo));
    }
    let Some(active) = active else { return };
    let frame = &shown.frame;
    let text = match active {
        FrameHandle::Move => messages::listed(&[integer(shown.crop.frame.x), integer(shown.crop.frame.y)]),
        FrameHandle::Rotate => format!("{}°", decimal(frame.angle, 1)),
        FrameHandle::Resize(_) => shown.crop.frame.size().to_string(),
    };
    // Below the lowest corner, so that the pointer does not cover it.
    let bounds = Rect::from_points(&outline.corners);
    let at = bounds.center_bottom()
        + vec2(0.0, if outline.rotation_handle == RotationHandle::Below { ROTATION_HANDLE + 12.0 } else { 10.0 });
    let space = ui.clip_rect().shrink(4.0);
    let at = Pos2::new(at.x.clamp(space.left(), space.right()), at.y.min(space.bottom() - 20.0));
    tag(painter, palette, at, Align2::CENTER_TOP, &text);
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    fn outline() -> Outline {
        let rect = Rect::from_min_size(pos2(100.0, 100.0), vec2(200.0, 160.0));
        let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
        Outline::new(corners, Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0)))
    }

    #[test]
    fn the_border_is_hit_from_both_sides() {
        let outline = outline();
        assert_eq!(outline.border_near(pos2(104.0, 150.0), 5.0), Some(pos2(100.0, 150.0)));
        assert_eq!(outline.border_near(pos2(96.0, 150.0), 5.0), Some(pos2(100.0, 150.0)));
        assert_eq!(outline.border_near(pos2(200.0, 180.0), 5.0), None);
        assert!(outline.contains(pos2(200.0, 180.0)) && !outline.contains(pos2(96.0, 150.0)));
    }

    #[test]
    fn the_rotation_handle_is_visible() {
        let outline = outline();
        assert_eq!(outline.rotation_handle(), pos2(200.0, 100.0 - ROTATION_HANDLE));
        let low = Rect::from_min_size(pos2(0.0, 90.0), vec2(800.0, 600.0));
        assert_eq!(Outline::new(outline.corners, low).rotation_handle(), pos2(200.0, 260.0 + ROTATION_HANDLE));
        let no_higher = Rect::from_min_size(pos2(0.0, 95.0), vec2(800.0, 170.0));
        assert_eq!(
            Outline::new(outline.corners, no_higher).rotation_handle(),
            pos2(250.0, 100.0 + ROTATION_HANDLE),
            "within"
        );
        let elsewhere = Rect::from_min_size(pos2(900.0, 900.0), vec2(50.0, 50.0));
        assert_eq!(Outline::new(outline.corners, elsewhere).rotation_handle(), pos2(200.0, 100.0 - ROTATION_HANDLE));
    }

    #[test]
    fn short_sides_have_corner_handles_only() {
        let corners = [pos2(0.0, 0.0), pos2(20.0, 0.0), pos2(20.0, 90.0), pos2(0.0, 90.0)];
        let outline = Outline::new(corners, Rect::EVERYTHING);
        assert!(!outline.has(Grip { x: 0, y: -1 }) && outline.has(Grip { x: 1, y: 0 }));
        assert!(outline.has(Grip { x: 1, y: 1 }));
    }
}
