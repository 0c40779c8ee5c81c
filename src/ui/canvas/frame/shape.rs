//! A frame on the screen: where it can be taken hold of, and how that looks.

use egui::{Align2, Pos2, Rect, Shape, Stroke, Ui, Vec2, vec2};

use geometry::Grip;

use super::super::super::language::{decimal, whole};
use super::super::super::state::ShownFrame;
use super::super::super::theme::palette;
use super::super::super::widgets::tag;
use super::super::super::words;
use super::{Hold, nearest};

/// Points from the frame's side to the dot that turns it.
const TURNER: f32 = 26.0;

/// A side shorter than this many points has no square in its middle: those at the corners would lie beside it.
const MIN_SIDE: f32 = 44.0;

/// Points of a square's side, and of one in hand.
const SQUARE: f32 = 9.0;
const SQUARE_IN_HAND: f32 = 13.0;

/// Corners on the screen, with the frame's own axes.
pub(super) struct Outline {
    /// Those that become top left, top right, bottom right and bottom left.
    corners: [Pos2; 4],
    turner: Turner,
}

/// Where the dot that turns is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turner {
    Above,
    Below,
    /// Below the top side, beside its middle: the dot that turns the head is above the crown.
    Within,
}

impl Outline {
    /// The outline of a frame, of which `seen` is the part of the window to draw in.
    pub(super) fn new(corners: [Pos2; 4], visible: Rect) -> Self {
        // A frame as high as the window has no room above or below it.
        let places = [Turner::Above, Turner::Below, Turner::Within].map(|turner| Self { corners, turner });
        let in_sight = places.into_iter().find(|outline| visible.shrink(4.0).contains(outline.turner()));
        in_sight.unwrap_or(Self { corners, turner: Turner::Above })
    }

    fn middle(&self) -> Pos2 {
        self.corners[0] + (self.corners[2] - self.corners[0]) / 2.0
    }

    /// From the left side to the right one.
    fn across(&self) -> Vec2 {
        self.corners[1] - self.corners[0]
    }

    /// From the top to the bottom.
    fn down(&self) -> Vec2 {
        self.corners[3] - self.corners[0]
    }

    /// The square for `grip`.
    pub(super) fn grip(&self, grip: Grip) -> Pos2 {
        self.middle() + (self.across() * f32::from(grip.x) + self.down() * f32::from(grip.y)) / 2.0
    }

    /// The way in which pulling at `grip` makes the frame larger.
    pub(super) fn outward(&self, grip: Grip) -> Vec2 {
        self.across().normalized() * f32::from(grip.x) + self.down().normalized() * f32::from(grip.y)
    }

    /// True where there is room for the square.
    pub(super) fn has(&self, grip: Grip) -> bool {
        grip.is_corner() || (if grip.x == 0 { self.across() } else { self.down() }).length() >= MIN_SIDE
    }

    /// The end of the stem of the dot that turns.
    fn stem(&self) -> Pos2 {
        match self.turner {
            Turner::Above => self.grip(Grip { x: 0, y: -1 }),
            Turner::Below => self.grip(Grip { x: 0, y: 1 }),
            Turner::Within => self.corners[0] + self.across() * 0.75,
        }
    }

    /// The dot that turns.
    pub(super) fn turner(&self) -> Pos2 {
        let sign = if self.turner == Turner::Above { -1.0 } else { 1.0 };
        self.stem() + self.down().normalized() * (sign * TURNER)
    }

    /// Where the whole frame is taken hold of while the pointer is elsewhere: on its top side, beside the middle.
    pub(super) fn at_rest(&self) -> Pos2 {
        self.corners[0] + self.across() * 0.25
    }

    /// The point of the border that is nearest to `pointer`, where it is within `reach`.
    pub(super) fn border_near(&self, pointer: Pos2, reach: f32) -> Option<Pos2> {
        let sides = (0..4).map(|side| nearest(pointer, self.corners[side], self.corners[(side + 1) % 4]));
        let near = sides.min_by(|a, b| a.distance(pointer).total_cmp(&b.distance(pointer)))?;
        (near.distance(pointer) <= reach).then_some(near)
    }

    /// True where `at` lies inside.
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

/// The squares, the dot and, in hand, what they set; the frame's line is drawn already.
pub(super) fn paint(ui: &Ui, outline: &Outline, held: Option<Hold>, shown: &ShownFrame) {
    let palette = palette(ui);
    let painter = ui.painter();
    let halo = Stroke::new(1.5, palette.tag);
    if held == Some(Hold::Whole) {
        let corners = outline.corners.to_vec();
        painter.add(Shape::closed_line(corners, Stroke::new(3.5, palette.face_chosen)));
    }
    let stem = [outline.stem(), outline.turner()];
    painter.line_segment(stem, Stroke::new(3.0, palette.halo));
    painter.line_segment(stem, Stroke::new(1.5, palette.on_tag));
    let (fill, radius) = if held == Some(Hold::Turn) { (palette.face_chosen, 7.5) } else { (palette.on_tag, 5.5) };
    painter.circle(outline.turner(), radius, fill, halo);
    for grip in Grip::ALL.into_iter().filter(|grip| outline.has(*grip)) {
        let dragged = held == Some(Hold::Pull(grip));
        let (fill, side) = if dragged { (palette.face_chosen, SQUARE_IN_HAND) } else { (palette.on_tag, SQUARE) };
        painter.add(Shape::convex_polygon(outline.square(outline.grip(grip), side), fill, halo));
    }
    let Some(held) = held else { return };
    let frame = &shown.frame;
    let text = match held {
        Hold::Whole => words::listed(&[whole(shown.crop.frame.x), whole(shown.crop.frame.y)]),
        Hold::Turn => format!("{}°", decimal(frame.angle, 1)),
        Hold::Pull(_) => shown.crop.frame.size().to_string(),
    };
    // Below the lowest corner, out of the hand's way.
    let bounds = Rect::from_points(&outline.corners);
    let at = bounds.center_bottom() + vec2(0.0, if outline.turner == Turner::Below { TURNER + 12.0 } else { 10.0 });
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
    fn the_border_is_near_on_both_sides_and_the_middle_is_not() {
        let outline = outline();
        assert_eq!(outline.border_near(pos2(104.0, 150.0), 5.0), Some(pos2(100.0, 150.0)));
        assert_eq!(outline.border_near(pos2(96.0, 150.0), 5.0), Some(pos2(100.0, 150.0)));
        assert_eq!(outline.border_near(pos2(200.0, 180.0), 5.0), None);
        assert!(outline.contains(pos2(200.0, 180.0)) && !outline.contains(pos2(96.0, 150.0)));
    }

    #[test]
    fn the_dot_that_turns_is_where_it_can_be_seen() {
        let outline = outline();
        assert_eq!(outline.turner(), pos2(200.0, 100.0 - TURNER));
        let low = Rect::from_min_size(pos2(0.0, 90.0), vec2(800.0, 600.0));
        assert_eq!(Outline::new(outline.corners, low).turner(), pos2(200.0, 260.0 + TURNER));
        let no_higher = Rect::from_min_size(pos2(0.0, 95.0), vec2(800.0, 170.0));
        assert_eq!(Outline::new(outline.corners, no_higher).turner(), pos2(250.0, 100.0 + TURNER), "within");
        let elsewhere = Rect::from_min_size(pos2(900.0, 900.0), vec2(50.0, 50.0));
        assert_eq!(Outline::new(outline.corners, elsewhere).turner(), pos2(200.0, 100.0 - TURNER));
    }

    #[test]
    fn short_sides_have_squares_at_their_corners_alone() {
        let corners = [pos2(0.0, 0.0), pos2(20.0, 0.0), pos2(20.0, 90.0), pos2(0.0, 90.0)];
        let outline = Outline::new(corners, Rect::EVERYTHING);
        assert!(!outline.has(Grip { x: 0, y: -1 }) && outline.has(Grip { x: 1, y: 0 }));
        assert!(outline.has(Grip { x: 1, y: 1 }));
    }
}
