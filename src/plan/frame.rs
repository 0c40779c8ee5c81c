//! The crop frame of one face.

use super::{CropSpec, EdgePolicy, HeadEstimate, Position, estimate_head};
use crate::geometry::{Face, PixelRect, Point, Rect, Size, Transform};

/// A frame's side is never longer than this, so that sums of positions and sides stay inside `i32`.
const MAX_FRAME_SIDE: f32 = 1e8;

/// Heads tilted by less than this many degrees count as level: turning by so little would soften every pixel for nothing.
const LEVEL_ENOUGH: f32 = 0.5;

/// The frame around `face` and the degrees it is turned clockwise; `None` for an empty picture or where no part of the frame
/// would show the picture.
pub(super) fn frame_face(face: &Face, picture: Size, spec: &CropSpec) -> Option<(PixelRect, f32)> {
    if picture.pixels() == 0 || spec.output.pixels() == 0 {
        return None;
    }
    let estimate = estimate_head(face);
    if !estimate.head.is_usable() {
        return None;
    }
    let angle = frame_angle(&estimate, spec);
    let anchor = anchor(face, &estimate, angle, spec);
    let height = estimate.head.height() / spec.head_height.clamp(CropSpec::MIN_HEAD_HEIGHT, 1.0);
    let wanted = Frame { height: height.min(MAX_FRAME_SIDE), aspect: spec.aspect(), angle, anchor };
    let rect = match spec.edge {
        EdgePolicy::Shrink => moved_inside(&wanted, picture),
        EdgePolicy::Pad | EdgePolicy::Extend | EdgePolicy::Blur => wanted.scaled(1.0),
    };
    let frame = to_pixels(rect, spec.edge, angle, picture);
    let seen = bounds(frame, angle).overlap(Rect::new(0.0, 0.0, picture.width as f32, picture.height as f32));
    (seen > 0.0).then_some((frame, angle))
}

/// Degrees, above -180 to 180, that the frame is turned clockwise so that its top is where the head's is.
pub(super) fn frame_angle(estimate: &HeadEstimate, spec: &CropSpec) -> f32 {
    let roll = estimate.head.roll;
    let quarters = (roll / 90.0).round() * 90.0;
    let turned = if spec.turn_upright { quarters } else { 0.0 };
    let tilt = roll - turned;
    let levels = spec.level && tilt.abs() > LEVEL_ENOUGH && tilt.abs() <= spec.level_limit;
    let angle = turned + if levels { tilt } else { 0.0 };
    if angle <= -180.0 { angle + 360.0 } else { angle }
}

/// A point of the picture and the share of the crop's width and height at which it is shown.
struct Anchor {
    in_picture: Point,
    share_x: f32,
    share_y: f32,
}

fn anchor(face: &Face, estimate: &HeadEstimate, angle: f32, spec: &CropSpec) -> Anchor {
    let head = &estimate.head;
    let shift = if spec.shift_right.is_finite() { spec.shift_right.clamp(-0.5, 0.5) } else { 0.0 };
    let share = |share: f32| if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
    let middle = head.center();
    // From left to right the middle of the head counts, whatever line the height is measured at: seen along the frame's own
    // axes, since a tilted head that is left tilted has its crown aside.
    let (sin, cos) = angle.to_radians().sin_cos();
    let aside = |point: Point| (middle.x - point.x) * cos + (middle.y - point.y) * sin;
    let on_the_middle = |point: Point| {
        let by = aside(point);
        Point::new(point.x + by * cos, point.y + by * sin)
    };
    let (in_picture, share_y) = match spec.position {
        Position::Middle => (middle, 0.5),
        Position::EyeLine { from_bottom } => (on_the_middle(head.eyes), 1.0 - share(from_bottom)),
        Position::Headroom { share: headroom } => {
            let hair = face.measures.and_then(|measures| measures.eyes_to_hair).filter(|_| spec.follow_hair);
            let top = hair.map_or(head.eyes_to_crown, |hair| hair.max(head.eyes_to_crown));
            (on_the_middle(head.above_eyes(top)), share(headroom))
        }
    };
    Anchor { in_picture, share_x: 0.5 + shift, share_y }
}

struct Frame {
    height: f32,
    aspect: f32,
    angle: f32,
    anchor: Anchor,
}

impl Frame {
    /// The frame, before it is turned about its middle, made smaller by `scale` with the anchor kept at its share.
    fn scaled(&self, scale: f32) -> Rect {
        let (height, width) = (self.height * scale, self.height * self.aspect * scale);
        let Anchor { in_picture, share_x, share_y } = self.anchor;
        let (sin, cos) = self.angle.to_radians().sin_cos();
        let (across, down) = (width * (0.5 - share_x), height * (0.5 - share_y));
        let center = Point::new(in_picture.x + across * cos - down * sin, in_picture.y + across * sin + down * cos);
        Rect::new(center.x - width / 2.0, center.y - height / 2.0, width, height)
    }
}

/// Width and height of the upright rectangle around one of `width` by `height` that is turned by `angle` degrees.
fn turned_size(width: f32, height: f32, angle: f32) -> (f32, f32) {
    let turn = Transform::rotate_about(Point::default(), f64::from(angle));
    let around = turn.apply_rect(Rect::new(-width / 2.0, -height / 2.0, width, height));
    (around.width, around.height)
}

/// The upright rectangle around a turned frame.
fn bounds(frame: PixelRect, angle: f32) -> Rect {
    let rect = frame.to_rect();
    Transform::rotate_about(rect.center(), f64::from(angle)).apply_rect(rect)
}

/// The frame inside the picture that is as large as asked for, or as the picture allows, and then as near to where it was
/// as it can be: the head keeps its share of the height, and stands off its place only as far as the edge demands.
fn moved_inside(wanted: &Frame, picture: Size) -> Rect {
    let (picture_width, picture_height) = (picture.width as f32, picture.height as f32);
    let full = wanted.scaled(1.0);
    let (width, height) = turned_size(full.width, full.height, wanted.angle);
    let fits = (picture_width / width).min(picture_height / height).min(1.0);
    let rect = wanted.scaled(fits);
    let (width, height) = (width * fits, height * fits);
    let inside = |middle: f32, length: f32, room: f32| {
        let half = (length / 2.0).min(room / 2.0);
        middle.clamp(half, room - half)
    };
    let center = rect.center();
    let center = Point::new(inside(center.x, width, picture_width), inside(center.y, height, picture_height));
    Rect::new(center.x - rect.width / 2.0, center.y - rect.height / 2.0, rect.width, rect.height)
}

fn to_pixels(rect: Rect, edge: EdgePolicy, angle: f32, picture: Size) -> PixelRect {
    let mut frame = PixelRect::new(
        rect.x.round() as i32,
        rect.y.round() as i32,
        (rect.width.round() as u32).max(1),
        (rect.height.round() as u32).max(1),
    );
    if edge == EdgePolicy::Shrink && angle == 0.0 {
        frame.width = frame.width.min(picture.width);
        frame.height = frame.height.min(picture.height);
        frame.x = frame.x.clamp(0, (picture.width - frame.width) as i32);
        frame.y = frame.y.clamp(0, (picture.height - frame.height) as i32);
    }
    frame
}
