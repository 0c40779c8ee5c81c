//! How a frame changes when a person moves it, turns it, or pulls at one of its sides.

use super::super::{Point, Size, Transform};
use super::ManualFrame;

/// What of a frame is pulled at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grip {
    /// -1 for its left side, 1 for its right one, 0 for neither.
    pub x: i8,
    /// -1 for its top, 1 for its bottom, 0 for neither.
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

    /// True where two sides are pulled at.
    pub const fn is_corner(self) -> bool {
        self.x != 0 && self.y != 0
    }
}

/// A side is not pulled below this many pixels: there is no face in less.
const MIN: f32 = 16.0;

/// A frame's longer side is at most so many times the picture's longer side.
const MAX_OF_PICTURE: f32 = 4.0;

/// A turned frame keeps so many pixels off the picture's edge: its corners move by less when it is brought to whole pixels.
const TURNED_MARGIN: f32 = 1.0;

/// Halvings in the search for how far a side can be pulled: to a thousandth of a pixel of any photo.
const HALVINGS: usize = 24;

impl ManualFrame {
    /// This frame moved by `by` pixels of the picture.
    #[must_use]
    pub fn moved(&self, by: Point) -> Self {
        Self { center: Point::new(self.center.x + by.x, self.center.y + by.y), ..*self }
    }

    /// This frame turned about its middle, to `angle` degrees.
    #[must_use]
    pub fn turned(&self, angle: f32) -> Self {
        let turned = (angle + 180.0).rem_euclid(360.0) - 180.0;
        Self { angle: if turned == -180.0 { 180.0 } else { turned }, ..*self }
    }

    /// This frame pulled at `grip` by `by` pixels of the picture, with the sides that are not pulled at left where they are.
    /// With an `aspect` (width over height) it keeps that: then a pulled side has its neighbours follow on both ends.
    #[must_use]
    pub fn pulled(&self, grip: Grip, by: Point, aspect: Option<f32>) -> Self {
        let own = self.own(by);
        self.pulled_in_own(grip, own, aspect)
    }

    /// The same, as far as the frame stays inside a picture of `picture` pixels.
    #[must_use]
    pub fn pulled_inside(&self, grip: Grip, by: Point, aspect: Option<f32>, picture: Size) -> Self {
        let start = if self.is_inside(picture) { *self } else { self.kept_inside(picture) };
        let own = start.own(by);
        let farthest = |start: Self, grip: Grip, own: Point| {
            let at = |share: f32| start.pulled_in_own(grip, Point::new(own.x * share, own.y * share), aspect);
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
        // Free sides stop one by one.
        let across = farthest(start, Grip { y: 0, ..grip }, own);
        farthest(across, Grip { x: 0, ..grip }, own)
    }

    /// The frame where a part of the picture is surely seen in it, and not beyond what can be of use.
    #[must_use]
    pub fn kept_near(&self, picture: Size) -> Self {
        let max = (picture.long_side() as f32 * MAX_OF_PICTURE).clamp(MIN, Self::MAX);
        let scale = (max / self.width.max(self.height)).min(1.0);
        let at = |at: f32, length: u32| at.clamp(0.0, length as f32);
        Self {
            center: Point::new(at(self.center.x, picture.width), at(self.center.y, picture.height)),
            width: (self.width * scale).max(Self::MIN_SIDE),
            height: (self.height * scale).max(Self::MIN_SIDE),
            angle: self.angle,
        }
    }

    /// The frame inside the picture that is as large as this one, or as the picture allows, and as near to it as can be.
    #[must_use]
    pub fn kept_inside(&self, picture: Size) -> Self {
        let margin = self.margin();
        let room = [picture.width, picture.height].map(|length| (length as f32 - 2.0 * margin).max(Self::MIN_SIDE));
        let (across, down) = self.around();
        let scale = (room[0] / across).min(room[1] / down).min(1.0);
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

    /// True where no corner lies outside a picture of `picture` pixels, nor would after rounding to whole pixels.
    pub fn is_inside(&self, picture: Size) -> bool {
        // The rounding of sums of large numbers.
        let min = self.margin() - 0.01;
        let (across, down) = self.around();
        let fits =
            |at: f32, around: f32, length: u32| at - around / 2.0 >= min && at + around / 2.0 <= length as f32 - min;
        fits(self.center.x, across, picture.width) && fits(self.center.y, down, picture.height)
    }

    fn margin(&self) -> f32 {
        if self.angle % 90.0 == 0.0 { 0.0 } else { TURNED_MARGIN }
    }

    /// Width and height of the upright rectangle around it.
    fn around(&self) -> (f32, f32) {
        let [[cos, sin, _], _] = Transform::rotate_about(Point::default(), f64::from(self.angle)).rows();
        let (sin, cos) = (sin.abs() as f32, cos.abs() as f32);
        (self.width * cos + self.height * sin, self.width * sin + self.height * cos)
    }

    /// A step in the picture along the frame's own axes.
    fn own(&self, by: Point) -> Point {
        let (sin, cos) = self.angle.to_radians().sin_cos();
        Point::new(by.x * cos + by.y * sin, by.y * cos - by.x * sin)
    }

    fn pulled_in_own(&self, grip: Grip, own: Point, aspect: Option<f32>) -> Self {
        let (x, y) = (f32::from(grip.x), f32::from(grip.y));
        let (mut width, mut height) = (self.width + x * own.x, self.height + y * own.y);
        match aspect {
            Some(aspect) => {
                height = match (grip.x, grip.y) {
                    (0, 0) => return *self,
                    (0, _) => height,
                    (_, 0) => width / aspect,
                    // The point of the diagonal that is nearest to where the corner was pulled.
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

    /// Where the corner at `x` and `y` (-1 or 1) is in the picture.
    fn corner(frame: &ManualFrame, x: f32, y: f32) -> Point {
        let (sin, cos) = frame.angle.to_radians().sin_cos();
        let (across, down) = (x * frame.width / 2.0, y * frame.height / 2.0);
        Point::new(frame.center.x + across * cos - down * sin, frame.center.y + across * sin + down * cos)
    }

    #[test]
    fn a_pulled_corner_goes_where_it_is_pulled_and_the_other_stays() {
        for angle in [0.0, 25.0, 90.0, -140.0] {
            let before = frame(angle);
            let by = Point::new(33.0, 21.0);
            let after = before.pulled(Grip { x: 1, y: 1 }, by, None);
            let (from, to) = (corner(&before, 1.0, 1.0), corner(&after, 1.0, 1.0));
            assert!(to.distance(Point::new(from.x + by.x, from.y + by.y)) < 1e-2, "{angle}");
            assert!(corner(&before, -1.0, -1.0).distance(corner(&after, -1.0, -1.0)) < 1e-2, "{angle}");
        }
    }

    #[test]
    fn a_kept_aspect_is_kept_at_sides_and_corners() {
        for grip in Grip::ALL {
            for angle in [0.0, 30.0] {
                let after = frame(angle).pulled(grip, Point::new(37.0, -21.0), Some(0.75));
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
    fn a_side_is_pulled_alone_where_the_aspect_is_free_and_never_through_the_other() {
        let after = frame(0.0).pulled(Grip { x: -1, y: 0 }, Point::new(-50.0, 70.0), None);
        assert_eq!((after.width, after.height, after.center), (350.0, 400.0, Point::new(475.0, 400.0)));
        let through = frame(0.0).pulled(Grip { x: -1, y: -1 }, Point::new(5000.0, 5000.0), None);
        assert_eq!((through.width, through.height), (MIN, MIN));
        assert!((corner(&through, 1.0, 1.0).distance(corner(&frame(0.0), 1.0, 1.0))) < 1e-2);
    }

    #[test]
    fn pulled_inside_it_stops_at_the_edge_and_its_other_side_stays() {
        let far = Point::new(900.0, 900.0);
        let free = frame(0.0).pulled_inside(Grip { x: 1, y: 1 }, far, None, PICTURE);
        assert!((corner(&free, 1.0, 1.0).distance(Point::new(1000.0, 800.0))) < 0.1, "{free:?}");
        assert!((corner(&free, -1.0, -1.0).distance(corner(&frame(0.0), -1.0, -1.0))) < 0.1);
        for angle in [0.0, 30.0, 45.0] {
            for grip in Grip::ALL {
                let start = frame(angle).kept_inside(PICTURE);
                for aspect in [None, Some(start.width / start.height)] {
                    let by = Point::new(f32::from(grip.x) * 900.0, f32::from(grip.y) * 900.0);
                    let after = start.pulled_inside(grip, by, aspect, PICTURE);
                    assert!(after.is_inside(PICTURE), "{angle} {grip:?} {after:?}");
                    assert!(after.width >= start.width - 0.1 && after.height >= start.height - 0.1, "{grip:?}");
                }
            }
        }
    }

    #[test]
    fn kept_inside_it_is_moved_before_it_is_made_smaller() {
        let aside = frame(0.0).moved(Point::new(900.0, -900.0)).kept_inside(PICTURE);
        assert_eq!(aside, ManualFrame { center: Point::new(850.0, 200.0), ..frame(0.0) });
        let large = ManualFrame { width: 3000.0, height: 4000.0, ..frame(0.0) }.kept_inside(PICTURE);
        assert_eq!((large.width, large.height, large.center), (600.0, 800.0, Point::new(500.0, 400.0)));
        let turned = ManualFrame { width: 900.0, height: 700.0, ..frame(33.0) }.kept_inside(PICTURE);
        assert!(turned.is_inside(PICTURE) && !frame(0.0).moved(Point::new(900.0, 0.0)).is_inside(PICTURE));
        assert!(frame(10.0).kept_inside(Size::new(1, 1)).is_usable());
    }

    #[test]
    fn near_the_picture_it_may_reach_out_but_not_leave() {
        let gone = frame(0.0).moved(Point::new(9e5, -9e5)).kept_near(PICTURE);
        assert_eq!((gone.center, gone.width), (Point::new(1000.0, 0.0), 300.0));
        let huge = ManualFrame { width: 3e5, height: 4e5, ..frame(0.0) }.kept_near(PICTURE);
        assert_eq!((huge.width, huge.height), (3000.0, 4000.0));
    }

    #[test]
    fn angles_stay_within_half_a_turn() {
        assert_eq!(frame(0.0).turned(190.0).angle, -170.0);
        assert_eq!(frame(0.0).turned(-180.0).angle, 180.0);
        assert_eq!(frame(0.0).turned(12.5).angle, 12.5);
    }
}
