//! The crop frame of one face.

use geometry::{Face, Head, PixelRect, Point, Size, Transform, estimate_head};
use recipe::{CropSpec, EdgePolicy, Position};

use super::PlannedCrop;

/// Maximum side of a frame, so that sums of positions and sides stay inside `i32`.
const MAX_FRAME_SIDE: f32 = 1e8;

/// Heads tilted by less than this many degrees count as level: resampling for a smaller rotation would only blur the
/// crop.
const LEVEL_ENOUGH: f32 = 0.5;

/// Space between the frame's top edge and hair that is kept in it, as a share of the frame's height.
const HAIR_MARGIN: f32 = 0.02;

/// A frame is enlarged by at most this factor to contain the hair: the head would become too small.
const MAX_ENLARGEMENT: f32 = 1.6;

/// The frame around `face` and its clockwise rotation in degrees. `None` for an empty image, for numbers that give no
/// frame, and if no part of the frame would overlap the image.
pub(super) fn frame_face(face: &Face, picture: Size, spec: &CropSpec) -> Option<(PixelRect, f32)> {
    if picture.pixels() == 0 || spec.output.pixels() == 0 || !spec.head_height.is_finite() {
        return None;
    }
    let estimate = estimate_head(face);
    if !estimate.head.is_usable() {
        return None;
    }
    let requested = Frame::requested(face, &estimate.head, spec);
    let angle = requested.angle;
    let frame = match spec.edge {
        EdgePolicy::Shrink => moved_inside(&requested, picture)?,
        EdgePolicy::Pad | EdgePolicy::Extend | EdgePolicy::Blur => requested.in_place()?,
    };
    let crop = PlannedCrop { angle, ..PlannedCrop::upright(frame, spec.output) };
    (crop.share_outside(picture) < 1.0).then_some((frame, angle))
}

/// The in-plane rotation of a head and its correction. Degrees clockwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RollCorrection {
    /// The multiple of 90 degrees nearest to the roll: -180, -90, 0, 90 or 180.
    pub(super) quarter_roll: f32,
    /// True if the quarter turns are corrected.
    pub(super) rotates: bool,
    /// The remaining tilt, -45 to 45.
    pub(super) tilt: f32,
    /// True if the tilt is corrected.
    pub(super) levels: bool,
}

impl RollCorrection {
    pub(super) fn of(head: &Head, spec: &CropSpec) -> Self {
        let roll = normalized(head.roll);
        // Exactly half way between two quarters the head counts as tilted, not as sideways.
        let quarter_roll = if roll.abs() <= 45.0 { 0.0 } else { (roll / 90.0).round() * 90.0 };
        let tilt = roll - quarter_roll;
        let rotates = spec.turn_upright && quarter_roll != 0.0;
        let is_upright = quarter_roll == 0.0 || rotates;
        let levels = spec.level && is_upright && tilt.abs() > LEVEL_ENOUGH && tilt.abs() <= spec.level_limit;
        Self { quarter_roll, rotates, tilt, levels }
    }

    /// Rotation of the frame in degrees, above -180 to 180.
    fn angle(self) -> f32 {
        let (quarters, tilt) =
            (if self.rotates { self.quarter_roll } else { 0.0 }, if self.levels { self.tilt } else { 0.0 });
        normalized(quarters + tilt)
    }
}

/// The same angle in the range above -180 to 180 degrees.
fn normalized(degrees: f32) -> f32 {
    let turned = degrees.rem_euclid(360.0);
    if turned > 180.0 { turned - 360.0 } else { turned }
}

/// Distance from the eye line to the top of the hair that `spec` keeps in the frame; `None` if the crown counts. A crown
/// set by the user wins over the hair.
pub(super) fn kept_hair(face: &Face, head: &Head, spec: &CropSpec) -> Option<f32> {
    // No hair or hat is higher than another head.
    let heights = head.eyes_to_crown..=head.eyes_to_crown + head.height();
    let hair = face.eyes_to_hair().filter(|hair| heights.contains(hair));
    hair.filter(|_| spec.keep_hair && !face.head.is_some_and(|head| head.is_usable()))
}

/// An image point and its place in the crop, as shares of the crop's width and height.
pub(super) struct Anchor {
    pub(super) in_image: Point,
    pub(super) share_x: f32,
    pub(super) share_y: f32,
}

impl Anchor {
    fn of(head: &Head, hair: Option<f32>, angle: f32, spec: &CropSpec) -> Self {
        let shift = if spec.shift_right.is_finite() { spec.shift_right.clamp(-0.5, 0.5) } else { 0.0 };
        let share = |share: f32| if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
        let middle = head.center();
        // Horizontally the head's center is placed, whichever line the vertical position refers to. It is measured
        // along the frame's axes, since the crown of a head that stays tilted is off to one side.
        let (sin, cos) = angle.to_radians().sin_cos();
        let aside = |point: Point| (middle.x - point.x) * cos + (middle.y - point.y) * sin;
        let on_the_middle = |point: Point| {
            let by = aside(point);
            Point::new(point.x + by * cos, point.y + by * sin)
        };
        let (in_image, share_y) = match spec.position {
            Position::Middle => (middle, 0.5),
            Position::EyeLine { from_bottom } => (on_the_middle(head.eyes), 1.0 - share(from_bottom)),
            Position::Headroom { share: headroom } => {
                (on_the_middle(head.above_eyes(hair.unwrap_or(head.eyes_to_crown))), share(headroom))
            }
        };
        Self { in_image, share_x: 0.5 + shift, share_y }
    }
}

/// Distances from the anchor along the frame's vertical axis, in pixels.
struct KeptHair {
    /// To the top of the hair.
    above: f32,
    /// To the chin.
    below: f32,
}

/// A requested frame.
pub(super) struct Frame {
    height: f32,
    aspect: f32,
    angle: f32,
    anchor: Anchor,
    hair: Option<KeptHair>,
}

impl Frame {
    /// The frame that `spec` requests for `head`, which is that of `face`.
    pub(super) fn requested(face: &Face, head: &Head, spec: &CropSpec) -> Self {
        let angle = RollCorrection::of(head, spec).angle();
        let hair = kept_hair(face, head, spec);
        let (aspect, anchor) = (spec.aspect(), Anchor::of(head, hair, angle, spec));
        let share = spec.head_height.clamp(CropSpec::MIN_HEAD_HEIGHT, 1.0);
        let (sin, cos) = angle.to_radians().sin_cos();
        let below = |point: Point| (point.y - anchor.in_image.y) * cos - (point.x - anchor.in_image.x) * sin;
        let hair = hair.map(|hair| KeptHair { above: -below(head.above_eyes(hair)), below: below(head.chin()) });
        let mut frame = Self { height: head.height() / share, aspect, angle, anchor, hair };
        let needed = frame.hair.as_ref().map_or(0.0, |hair| match spec.position {
            // The chin may leave the frame as far as it would without hair.
            Position::Headroom { .. } => hair.below / (1.0 - HAIR_MARGIN - frame.anchor.share_y).max(share),
            Position::Middle | Position::EyeLine { .. } => hair.above / (frame.anchor.share_y - frame.margin()),
        });
        if needed > frame.height {
            frame.height = needed.min(frame.height * MAX_ENLARGEMENT);
        }
        frame.height = frame.height.min(MAX_FRAME_SIDE).min(MAX_FRAME_SIDE / aspect);
        frame
    }

    /// The anchor with its place in the frame.
    pub(super) fn placed_anchor(&self) -> Anchor {
        let Anchor { in_image, share_x, share_y } = self.anchor;
        Anchor { in_image, share_x, share_y: share_y + self.lift(self.height) / self.height }
    }

    /// Space above the hair, as a share of the height; less if the user asked for less headroom.
    fn margin(&self) -> f32 {
        HAIR_MARGIN.min(self.anchor.share_y)
    }

    /// Distance by which a frame of `height` with the anchor in its place must move up to contain the hair; limited by
    /// the chin.
    fn lift(&self, height: f32) -> f32 {
        let Some(hair) = &self.hair else { return 0.0 };
        let (place, margin) = (self.anchor.share_y * height, self.margin() * height);
        let needed = margin + hair.above - place;
        let possible = height - margin - hair.below - place;
        needed.min(possible).max(0.0)
    }

    /// The requested width and height.
    fn size(&self) -> (f32, f32) {
        (self.height * self.aspect, self.height)
    }

    /// The center of the frame scaled by `scale`, with the anchor at the same share of it unless that cuts the hair.
    fn middle(&self, scale: f32) -> Point {
        let (width, height) = self.size();
        let Anchor { in_image, share_x, share_y } = self.anchor;
        let (sin, cos) = self.angle.to_radians().sin_cos();
        let (across, down) =
            (width * scale * (0.5 - share_x), height * scale * (0.5 - share_y) - self.lift(height * scale));
        Point::new(in_image.x + across * cos - down * sin, in_image.y + across * sin + down * cos)
    }

    /// The requested frame in whole pixels.
    fn in_place(&self) -> Option<PixelRect> {
        let middle = self.middle(1.0);
        let size = whole_size(self.size(), self.aspect);
        let start = |middle: f32, side: u32| (f64::from(middle) - f64::from(side) / 2.0).round() as i32;
        let frame =
            || PixelRect::new(start(middle.x, size.width), start(middle.y, size.height), size.width, size.height);
        middle.is_finite().then(frame)
    }
}

/// The nearest size in whole pixels, at least 1: the longer side is rounded, the other one follows from the aspect
/// ratio.
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

/// Width and height of the upright bounding rectangle of a rectangle rotated by `angle` degrees.
fn rotated_size(width: f64, height: f64, angle: f32) -> (f64, f64) {
    let [[cos, sin, _], _] = Transform::rotate_about(Point::default(), f64::from(angle)).rows();
    let (sin, cos) = (sin.abs(), cos.abs());
    (width * cos + height * sin, width * sin + height * cos)
}

/// The frame moved inside the image, and made smaller only if the image is too small for it. The head keeps its share
/// of the height, and its place as far as the edges allow.
fn moved_inside(requested: &Frame, picture: Size) -> Option<PixelRect> {
    let (width, height) = requested.size();
    let (bounds_width, bounds_height) = rotated_size(width.into(), height.into(), requested.angle);
    let fits = (f64::from(picture.width) / bounds_width).min(f64::from(picture.height) / bounds_height).min(1.0) as f32;
    let middle = requested.middle(fits);
    if !middle.is_finite() {
        return None;
    }
    // Rotated corners and whole pixels rarely meet the image's edge exactly, so the frame is reduced further until it
    // fits.
    let mut less = 0.0;
    loop {
        let long = (width.max(height) * fits - less).max(1.0) / width.max(height);
        let size = whole_size((width * long, height * long), requested.aspect);
        let (across, down) = rotated_size(size.width.into(), size.height.into(), requested.angle);
        let x = start_inside(middle.x, size.width, across, picture.width);
        let y = start_inside(middle.y, size.height, down, picture.height);
        if let (Some(x), Some(y)) = (x, y) {
            return Some(PixelRect::new(x, y, size.width, size.height));
        }
        if size.long_side() <= 1 {
            // An image of a few pixels cannot contain a rotated frame; use the pixel in its center.
            return Some(PixelRect::new((picture.width / 2) as i32, (picture.height / 2) as i32, 1, 1));
        }
        less = less * 2.0 + 0.5;
    }
}

/// The start of a side of `side` pixels with its center near `middle`, such that `bounds` pixels about the center are
/// inside `length`; `None` if no whole pixel fulfils this.
fn start_inside(middle: f32, side: u32, bounds: f64, length: u32) -> Option<i32> {
    // Far below visibility; prevents rounding errors of the sine from costing a pixel.
    const TOLERANCE: f64 = 1e-3;
    let half = f64::from(side) / 2.0;
    let min = (bounds / 2.0 - half - TOLERANCE).ceil();
    let max = (f64::from(length) - bounds / 2.0 - half + TOLERANCE).floor();
    let start = (f64::from(middle) - half).round();
    (min <= max).then(|| start.clamp(min, max) as i32)
}

#[cfg(test)]
mod tests;
