//! The crop frame of one face.

use geometry::{Face, Head, HeadEstimate, PixelRect, Point, Size, Transform, estimate_head};
use recipe::{CropSpec, EdgePolicy, Position};

use super::PlannedCrop;

/// A frame's side is never longer than this, so that sums of positions and sides stay inside `i32`.
const MAX_FRAME_SIDE: f32 = 1e8;

/// Heads tilted by less than this many degrees count as level: turning by so little would soften every pixel for nothing.
const LEVEL_ENOUGH: f32 = 0.5;

/// The frame around `face` and the degrees it is turned clockwise; `None` for an empty picture, for numbers that give no
/// frame, and where no part of the frame would show the picture.
pub(super) fn frame_face(face: &Face, picture: Size, spec: &CropSpec) -> Option<(PixelRect, f32)> {
    if picture.pixels() == 0 || spec.output.pixels() == 0 || !spec.head_height.is_finite() {
        return None;
    }
    let estimate = estimate_head(face);
    if !estimate.head.is_usable() {
        return None;
    }
    let angle = Turn::of(&estimate.head, spec).angle();
    let aspect = spec.aspect();
    let height = estimate.head.height() / spec.head_height.clamp(CropSpec::MIN_HEAD_HEIGHT, 1.0);
    let height = height.min(MAX_FRAME_SIDE).min(MAX_FRAME_SIDE / aspect);
    let wanted = Frame { height, aspect, angle, anchor: anchor(face, &estimate, angle, spec) };
    let frame = match spec.edge {
        EdgePolicy::Shrink => moved_inside(&wanted, picture)?,
        EdgePolicy::Pad | EdgePolicy::Extend | EdgePolicy::Blur => wanted.in_place()?,
    };
    let crop = PlannedCrop { angle, ..PlannedCrop::upright(frame, spec.output) };
    (crop.share_outside(picture) < 1.0).then_some((frame, angle))
}

/// How a head lies in the picture, and what is done about it. Degrees clockwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// The quarter turns that the head lies by: -180, -90, 0, 90 or 180.
    pub(super) lies: f32,
    /// True where these are undone.
    pub(super) turns_upright: bool,
    /// The tilt that is left, -45 to 45.
    pub(super) tilt: f32,
    /// True where that is undone.
    pub(super) levels: bool,
}

impl Turn {
    pub(super) fn of(head: &Head, spec: &CropSpec) -> Self {
        let roll = half_turn(head.roll);
        // Half way between two quarters the head counts as tilted, not as lying.
        let lies = if roll.abs() <= 45.0 { 0.0 } else { (roll / 90.0).round() * 90.0 };
        let tilt = roll - lies;
        let turns_upright = spec.turn_upright && lies != 0.0;
        let stands = lies == 0.0 || turns_upright;
        let levels = spec.level && stands && tilt.abs() > LEVEL_ENOUGH && tilt.abs() <= spec.level_limit;
        Self { lies, turns_upright, tilt, levels }
    }

    /// Degrees, above -180 to 180, that the frame is turned so that its top is where the head's is.
    fn angle(self) -> f32 {
        let (quarters, tilt) =
            (if self.turns_upright { self.lies } else { 0.0 }, if self.levels { self.tilt } else { 0.0 });
        half_turn(quarters + tilt)
    }
}

/// The same direction, above -180 to 180 degrees.
fn half_turn(degrees: f32) -> f32 {
    let turned = degrees.rem_euclid(360.0);
    if turned > 180.0 { turned - 360.0 } else { turned }
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
    /// Width and height as asked for.
    fn size(&self) -> (f32, f32) {
        (self.height * self.aspect, self.height)
    }

    /// The middle of the frame, made smaller by `scale` with the anchor kept at its share.
    fn middle(&self, scale: f32) -> Point {
        let (width, height) = self.size();
        let Anchor { in_picture, share_x, share_y } = self.anchor;
        let (sin, cos) = self.angle.to_radians().sin_cos();
        let (across, down) = (width * scale * (0.5 - share_x), height * scale * (0.5 - share_y));
        Point::new(in_picture.x + across * cos - down * sin, in_picture.y + across * sin + down * cos)
    }

    /// The frame where it is asked for, in whole pixels.
    fn in_place(&self) -> Option<PixelRect> {
        let middle = self.middle(1.0);
        let size = whole_size(self.size(), self.aspect);
        let start = |middle: f32, side: u32| (f64::from(middle) - f64::from(side) / 2.0).round() as i32;
        let frame =
            || PixelRect::new(start(middle.x, size.width), start(middle.y, size.height), size.width, size.height);
        middle.is_finite().then(frame)
    }
}

/// The size in whole pixels, at least 1, that is nearest to that asked for: the longer side is rounded, and the other one
/// follows from the aspect.
fn whole_size((width, height): (f32, f32), aspect: f32) -> Size {
    let whole = |side: f32| (side.round() as u32).max(1);
    if aspect <= 1.0 {
        let height = whole(height);
        Size::new(whole(height as f32 * aspect), height)
    } else {
        let width = whole(width);
        Size::new(width, whole(width as f32 / aspect))
    }
}

/// Width and height of the upright rectangle around one of `width` by `height` that is turned by `angle` degrees.
fn turned_size(width: f64, height: f64, angle: f32) -> (f64, f64) {
    let [[cos, sin, _], _] = Transform::rotate_about(Point::default(), f64::from(angle)).rows();
    let (sin, cos) = (sin.abs(), cos.abs());
    (width * cos + height * sin, width * sin + height * cos)
}

/// The frame inside the picture that is as large as asked for, or as the picture allows, and then as near to where it was
/// as it can be: the head keeps its share of the height, and stands off its place only as far as the edge demands.
fn moved_inside(wanted: &Frame, picture: Size) -> Option<PixelRect> {
    let (width, height) = wanted.size();
    let (around_width, around_height) = turned_size(width.into(), height.into(), wanted.angle);
    let fits = (f64::from(picture.width) / around_width).min(f64::from(picture.height) / around_height).min(1.0) as f32;
    let middle = wanted.middle(fits);
    if !middle.is_finite() {
        return None;
    }
    // Turned corners and whole pixels seldom meet the picture's edge exactly, so that a little more has to go.
    let mut less = 0.0;
    loop {
        let long = (width.max(height) * fits - less).max(1.0) / width.max(height);
        let size = whole_size((width * long, height * long), wanted.aspect);
        let (across, down) = turned_size(size.width.into(), size.height.into(), wanted.angle);
        let x = start_inside(middle.x, size.width, across, picture.width);
        let y = start_inside(middle.y, size.height, down, picture.height);
        if let (Some(x), Some(y)) = (x, y) {
            return Some(PixelRect::new(x, y, size.width, size.height));
        }
        if size.long_side() <= 1 {
            // A picture of a few pixels holds no turned frame; its middle is shown.
            return Some(PixelRect::new((picture.width / 2) as i32, (picture.height / 2) as i32, 1, 1));
        }
        less = less * 2.0 + 0.5;
    }
}

/// Where a side of `side` pixels with its middle near `middle` starts, so that `around` pixels about its middle lie inside
/// `room`; `None` where no whole pixel does it.
fn start_inside(middle: f32, side: u32, around: f64, room: u32) -> Option<i32> {
    // Far below what can be seen; keeps the rounding of sines from costing a pixel.
    const TOLERANCE: f64 = 1e-3;
    let half = f64::from(side) / 2.0;
    let min = (around / 2.0 - half - TOLERANCE).ceil();
    let max = (f64::from(room) - around / 2.0 - half + TOLERANCE).floor();
    let start = (f64::from(middle) - half).round();
    (min <= max).then(|| start.clamp(min, max) as i32)
}

#[cfg(test)]
mod tests;
