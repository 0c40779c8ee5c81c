//! Edits of a manual frame: moving, rotating, and resizing by its handles.

use super::super::{Point, Size, Transform};
use super::ManualFrame;

/// A handle of a frame: a side or a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grip {
    /// -1 for the left side, 1 for the right one, 0 for neither.
    pub x: i8,
    /// -1 for the top, 1 for the bottom, 0 for neither.
    pub y: i8,
}

impl Grip {
    /// The sides, then the corners.
    pub const ALL: [Self; 8] = [
        Self { x: 0, y: -1 },
        Self { x: 1, y: 0 },
        Self { x: 0, y: 1 },
        Self { x: -1, y: 0 },
        Self { x: -1, y: -1 },
        Self { x: 1, y: -1 },
        Self { x: 1, y: 1 },
        Self { x: -1, y: 1 },
    ];

    /// True for a corner.
    pub const fn is_corner(self) -> bool {
        self.x != 0 && self.y != 0
    }
}

/// Minimum side in pixels that dragging can reach.
const MIN: f32 = 16.0;

/// Maximum longer side of a frame, in longer sides of the image.
const MAX_OF_IMAGE: f32 = 4.0;

/// Distance in pixels that a rotated frame keeps from the image's edge: rounding to whole pixels moves its corners by
/// less.
const ROTATED_MARGIN: f32 = 1.0;

/// Bisection steps when a side is limited by the image's edge: precise to a thousandth of a pixel in any photo.
const HALVINGS: usize = 24;

impl ManualFrame {
    /// This frame moved by `by` image pixels.
    #[must_use]
    pub fn moved(&self, by: Point) -> Self {
        Self { center: Point::new(self.center.x + by.x, self.center.y + by.y), ..*self }
    }

    /// This frame rotated about its center to `angle` degrees.
    #[must_use]
    pub fn rotated(&self, angle: f32) -> Self {
        let angle = (angle + 180.0).rem_euclid(360.0) - 180.0;
        Self { angle: if angle == -180.0 { 180.0 } else { angle }, ..*self }
    }

    /// This frame resized by dragging `grip` by `by` image pixels; the opposite sides stay in place. With an `aspect`
    /// (width over height) the aspect ratio is kept: dragging a side then changes both neighbouring sides
    /// symmetrically.
    #[must_use]
    pub fn resized(&self, grip: Grip, by: Point, aspect: Option<f32>) -> Self {
        let own = self.in_own_axes(by);
        self.resized_in_own_axes(grip, own, aspect)
    }

    /// Like [`ManualFrame::resized`], limited so that the frame stays inside an image of `picture` pixels.
    #[must_use]
    pub fn resized_inside(&self, grip: Grip, by: Point, aspect: Option<f32>, picture: Size) -> Self {
        let start = if self.is_inside(picture) { *self } else { self.clamped_inside(picture) };
        let own = start.in_own_axes(by);
        let farthest = |start: Self, grip: Grip, own: Point| {
            let at = |share: f32| start.resized_in_own_axes(grip, Point::new(own.x * share, own.y * share), aspect);
            if at(1.0).is_inside(picture) {
                return at(1.0);
            }
            let (mut min, mut max) = (0.0, 1.0);
            for _ in 0..HALVINGS {
                let middle = (min + max) / 2.0;
                *(if at(middle).is_inside(picture) { &mut min } else { &mut max }) = middle;
            }
            at(min)
        };
        if aspect.is_some() {
            return farthest(start, grip, own);
        }
        // Without an aspect ratio each side is limited separately.
        let across = farthest(start, Grip { y: 0, ..grip }, own);
        farthest(across, Grip { x: 0, ..grip }, own)
    }

    /// This frame limited so that its center is inside the image and its size is not excessive.
    #[must_use]
    pub fn clamped_near(&self, picture: Size) -> Self {
        let max = (picture.long_side() as f32 * MAX_OF_IMAGE).clamp(MIN, Self::MAX);
        let scale = (max / self.width.max(self.height)).min(1.0);
        let at = |at: f32, length: u32| at.clamp(0.0, length as f32);
        Self {
            center: Point::new(at(self.center.x, picture.width), at(self.center.y, picture.height)),
            width: (self.width * scale).max(Self::MIN_SIDE),
            height: (self.height * scale).max(Self::MIN_SIDE),
            angle: self.angle,
        }
    }

    /// The frame inside the image that is closest to this one, reduced in size only if necessary.
    #[must_use]
    pub fn clamped_inside(&self, picture: Size) -> Self {
        let margin = self.margin();
        let space = [picture.width, picture.height].map(|length| (length as f32 - 2.0 * margin).max(Self::MIN_SIDE));
        let (across, down) = self.bounds();
        let scale = (space[0] / across).min(space[1] / down).min(1.0);
        let within = |at: f32, around: f32, length: u32| {
            let (half, length) = (around * scale / 2.0 + margin, length as f32);
            if 2.0 * half >= length { length / 2.0 } else { at.clamp(half, length - half) }
        };
        Self {
            center: Point::new(
                within(self.center.x, across, picture.width),
                within(self.center.y, down, picture.height),
            ),
            width: (self.width * scale).max(Self::MIN_SIDE),
            height: (self.height * scale).max(Self::MIN_SIDE),
            angle: self.angle,
        }
    }

    /// True if all corners are inside an image of `picture` pixels, also after rounding to whole pixels.
    pub fn is_inside(&self, picture: Size) -> bool {
        // Tolerance for rounding errors in sums of large numbers.
        let min = self.margin() - 0.01;
        let (across, down) = self.bounds();
        let fits =
            |at: f32, around: f32, length: u32| at - around / 2.0 >= min && at + around / 2.0 <= length as f32 - min;
        fits(self.center.x, across, picture.width) && fits(self.center.y, down, picture.height)
    }

    fn margin(&self) -> f32 {
        if self.angle % 90.0 == 0.0 { 0.0 } else { ROTATED_MARGIN }
    }

    /// Width and height of the upright bounding rectangle.
    fn bounds(&self) -> (f32, f32) {
        let [[cos, sin, _], _] = Transform::rotate_about(Point::default(), f64::from(self.angle)).rows();
        let (sin, cos) = (sin.abs() as f32, cos.abs() as f32);
        (self.width * cos + self.height * sin, self.width * sin + self.height * cos)
    }

    /// An image vector in the frame's own axes.
    fn in_own_axes(&self, by: Point) -> Point {
        let (sin, cos) = self.angle.to_radians().sin_cos();
        Point::new(by.x * cos + by.y * sin, by.y * cos - by.x * sin)
    }

    fn resized_in_own_axes(&self, grip: Grip, own: Point, aspect: Option<f32>) -> Self {
        let (x, y) = (f32::from(grip.x), f32::from(grip.y));
        let (mut width, mut height) = (self.width + x * own.x, self.height + y * own.y);
        match aspect {
            Some(aspect) => {
                height = match (grip.x, grip.y) {
                    (0, 0) => return *self,
                    (0, _) => height,
                    (_, 0) => width / aspect,
                    // The point on the diagonal closest to the dragged corner.
                    _ => (width * aspect + height) / (aspect * aspect + 1.0),
                };
                height = height.max(MIN).max(MIN / aspect);
                width = height * aspect;
            }
            None => {
                width = if grip.x == 0 { self.width } else { width.max(MIN) };
                height = if grip.y == 0 { self.height } else { height.max(MIN) };
            }
        }
        let (across, down) = (x * (width - self.width) / 2.0, y * (height - self.height) / 2.0);
        let (sin, cos) = self.angle.to_radians().sin_cos();
        let center = Point::new(self.center.x + across * cos - down * sin, self.center.y + across * sin + down * cos);
        Self { center, width, height, angle: self.angle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: Size = Size::new(1000, 800);

    fn frame(angle: f32) -> ManualFrame {
        ManualFrame { center: Point::new(500.0, 400.0), width: 300.0, height: 400.0, angle }
    }

    /// The image point of the corner at `x` and `y` (-1 or 1).
    fn corner(frame: &ManualFrame, x: f32, y: f32) -> Point {
        let (sin, cos) = frame.angle.to_radians().sin_cos();
        let (across, down) = (x * frame.width / 2.0, y * frame.height / 2.0);
        Point::new(frame.center.x + across * cos - down * sin, frame.center.y + across * sin + down * cos)
    }

    #[test]
    fn a_dragged_corner_follows_and_the_opposite_one_stays() {
        for angle in [0.0, 25.0, 90.0, -140.0] {
            let before = frame(angle);
            let by = Point::new(33.0, 21.0);
            let after = before.resized(Grip { x: 1, y: 1 }, by, None);
            let (from, to) = (corner(&before, 1.0, 1.0), corner(&after, 1.0, 1.0));
            assert!(to.distance(Point::new(from.x + by.x, from.y + by.y)) < 1e-2, "{angle}");
            assert!(corner(&before, -1.0, -1.0).distance(corner(&after, -1.0, -1.0)) < 1e-2, "{angle}");
        }
    }

    #[test]
    fn the_aspect_ratio_is_kept_at_sides_and_corners() {
        for grip in Grip::ALL {
            for angle in [0.0, 30.0] {
                let after = frame(angle).resized(grip, Point::new(37.0, -21.0), Some(0.75));
                assert!((after.width / after.height - 0.75).abs() < 1e-5, "{grip:?}");
                assert_ne!(after, frame(angle), "{grip:?}");
                if !grip.is_corner() {
                    let (x, y) = (f32::from(-grip.x), f32::from(-grip.y));
                    let middle = |frame: &ManualFrame| {
                        let ends = if grip.x == 0 { [(-1.0, y), (1.0, y)] } else { [(x, -1.0), (x, 1.0)] };
                        corner(frame, ends[0].0, ends[0].1).midpoint(corner(frame, ends[1].0, ends[1].1))
                    };
                    assert!(middle(&frame(angle)).distance(middle(&after)) < 1e-2, "{grip:?}: the other side stays");
                }
            }
        }
    }

    #[test]
    fn a_side_moves_alone_without_an_aspect_ratio_and_never_past_the_opposite_one() {
        let after = frame(0.0).resized(Grip { x: -1, y: 0 }, Point::new(-50.0, 70.0), None);
        assert_eq!((after.width, after.height, after.center), (350.0, 400.0, Point::new(475.0, 400.0)));
        let through = frame(0.0).resized(Grip { x: -1, y: -1 }, Point::new(5000.0, 5000.0), None);
        assert_eq!((through.width, through.height), (MIN, MIN));
        assert!((corner(&through, 1.0, 1.0).distance(corner(&frame(0.0), 1.0, 1.0))) < 1e-2);
    }

    #[test]
    fn resizing_inside_stops_at_the_image_edge() {
        let far = Point::new(900.0, 900.0);
        let free = frame(0.0).resized_inside(Grip { x: 1, y: 1 }, far, None, PICTURE);
        assert!((corner(&free, 1.0, 1.0).distance(Point::new(1000.0, 800.0))) < 0.1, "{free:?}");
        assert!((corner(&free, -1.0, -1.0).distance(corner(&frame(0.0), -1.0, -1.0))) < 0.1);
        for angle in [0.0, 30.0, 45.0] {
            for grip in Grip::ALL {
                let start = frame(angle).clamped_inside(PICTURE);
                for aspect in [None, Some(start.width / start.height)] {
                    let by = Point::new(f32::from(grip.x) * 900.0, f32::from(grip.y) * 900.0);
                    let after = start.resized_inside(grip, by, aspect, PICTURE);
                    assert!(after.is_inside(PICTURE), "{angle} {grip:?} {after:?}");
                    assert!(after.width >= start.width - 0.1 && after.height >= start.height - 0.1, "{grip:?}");
                }
            }
        }
    }

    #[test]
    fn clamping_inside_moves_the_frame_before_it_shrinks_it() {
        let aside = frame(0.0).moved(Point::new(900.0, -900.0)).clamped_inside(PICTURE);
        assert_eq!(aside, ManualFrame { center: Point::new(850.0, 200.0), ..frame(0.0) });
        let large = ManualFrame { width: 3000.0, height: 4000.0, ..frame(0.0) }.clamped_inside(PICTURE);
        assert_eq!((large.width, large.height, large.center), (600.0, 800.0, Point::new(500.0, 400.0)));
        let rotated = ManualFrame { width: 900.0, height: 700.0, ..frame(33.0) }.clamped_inside(PICTURE);
        assert!(rotated.is_inside(PICTURE) && !frame(0.0).moved(Point::new(900.0, 0.0)).is_inside(PICTURE));
        assert!(frame(10.0).clamped_inside(Size::new(1, 1)).is_usable());
    }

    #[test]
    fn clamping_near_lets_the_frame_cross_the_edge_but_not_leave_the_image() {
        let gone = frame(0.0).moved(Point::new(9e5, -9e5)).clamped_near(PICTURE);
        assert_eq!((gone.center, gone.width), (Point::new(1000.0, 0.0), 300.0));
        let huge = ManualFrame { width: 3e5, height: 4e5, ..frame(0.0) }.clamped_near(PICTURE);
        assert_eq!((huge.width, huge.height), (3000.0, 4000.0));
    }

    #[test]
    fn angles_are_normalised_to_half_a_turn() {
        assert_eq!(frame(0.0).rotated(190.0).angle, -170.0);
        assert_eq!(frame(0.0).rotated(-180.0).angle, 180.0);
        assert_eq!(frame(0.0).rotated(12.5).angle, 12.5);
    }
}
