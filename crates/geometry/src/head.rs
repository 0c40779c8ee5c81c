//! A head: crown, chin and eye line on its midline.

use serde::{Deserialize, Serialize};

use super::Point;

/// A head in pixels of the upright image: distances along a midline of any direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// Intersection of eye line and midline: the midpoint between the eyes of a frontal face.
    pub eyes: Point,
    /// Pixels along the midline from the eye line to the crown, the top of the skull under flat hair.
    pub eyes_to_crown: f32,
    /// Pixels along the midline from the eye line to the chin.
    pub eyes_to_chin: f32,
    /// In-plane rotation, clockwise in degrees, -180 to 180: 0 upright, 90 with the crown to the right, 180 upside
    /// down.
    pub roll: f32,
}

impl Head {
    /// The head between a crown and a chin, with the eyes half way, as in an adult.
    pub fn between(crown: Point, chin: Point) -> Self {
        let half = crown.distance(chin) / 2.0;
        let roll = (crown.x - chin.x).atan2(chin.y - crown.y).to_degrees();
        Self { eyes: crown.midpoint(chin), eyes_to_crown: half, eyes_to_chin: half, roll }
    }

    /// Distance from chin to crown in pixels.
    pub fn height(&self) -> f32 {
        self.eyes_to_crown + self.eyes_to_chin
    }

    /// Unit vector from chin to crown.
    pub fn up(&self) -> Point {
        let (sin, cos) = self.roll.to_radians().sin_cos();
        Point::new(sin, -cos)
    }

    /// The point on the midline `distance` pixels above the eye line; below it if negative.
    pub fn above_eyes(&self, distance: f32) -> Point {
        let up = self.up();
        Point::new(self.eyes.x + up.x * distance, self.eyes.y + up.y * distance)
    }

    /// Intersection of midline and crown.
    pub fn crown(&self) -> Point {
        self.above_eyes(self.eyes_to_crown)
    }

    /// Intersection of midline and chin.
    pub fn chin(&self) -> Point {
        self.above_eyes(-self.eyes_to_chin)
    }

    /// The midpoint between crown and chin.
    pub fn center(&self) -> Point {
        self.crown().midpoint(self.chin())
    }

    /// True if every number is finite and both distances are positive.
    pub fn is_usable(&self) -> bool {
        let lengths = [self.eyes_to_crown, self.eyes_to_chin];
        self.eyes.is_finite() && self.roll.is_finite() && lengths.iter().all(|l| l.is_finite() && *l > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crown_follows_the_roll() {
        let head = |roll| Head { eyes: Point::new(100.0, 100.0), eyes_to_crown: 40.0, eyes_to_chin: 50.0, roll };
        for (roll, x, y) in [(0.0, 100.0, 60.0), (90.0, 140.0, 100.0), (180.0, 100.0, 140.0), (-90.0, 60.0, 100.0)] {
            assert!(head(roll).crown().distance(Point::new(x, y)) < 1e-3, "{roll}");
        }
        assert!((head(30.0).crown().distance(head(30.0).chin()) - 90.0).abs() < 1e-3);
    }

    #[test]
    fn a_head_is_made_from_crown_and_chin() {
        let (crown, chin) = (Point::new(140.0, 60.0), Point::new(100.0, 160.0));
        let head = Head::between(crown, chin);
        assert!(head.crown().distance(crown) < 1e-3 && head.chin().distance(chin) < 1e-3, "{head:?}");
        assert!(!Head::between(crown, crown).is_usable());
    }

    #[test]
    fn a_head_with_a_negative_height_is_not_usable() {
        let head = Head { eyes: Point::default(), eyes_to_crown: 1.0, eyes_to_chin: 1.0, roll: 0.0 };
        assert!(head.is_usable());
        assert!(!Head { eyes_to_chin: -1.0, ..head }.is_usable());
        assert!(!Head { roll: f32::NAN, ..head }.is_usable());
    }
}
