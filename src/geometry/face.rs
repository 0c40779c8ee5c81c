//! One detected face.

use serde::{Deserialize, Serialize};

use super::{Point, Rect};

/// The five points YuNet gives, in the model's order; left and right are the person's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landmark {
    /// The person's right eye, on the left of an unmirrored photo.
    RightEye,
    /// The person's left eye.
    LeftEye,
    /// The tip of the nose.
    NoseTip,
    /// The person's right corner of the mouth.
    RightMouthCorner,
    /// The person's left corner of the mouth.
    LeftMouthCorner,
}

/// A face in pixels of the upright picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Face {
    /// The detector's box, about brow to chin; may reach beyond the picture.
    pub bbox: Rect,
    /// The five points in the order of [`Landmark`].
    pub landmarks: [Point; 5],
    /// Confidence, 0 to 1: the square root of the class score times the objectness.
    pub score: f32,
}

impl Face {
    /// One of the five points.
    pub fn landmark(&self, which: Landmark) -> Point {
        self.landmarks[which as usize]
    }

    /// The point half way between the eyes.
    pub fn eye_center(&self) -> Point {
        self.landmark(Landmark::RightEye).midpoint(self.landmark(Landmark::LeftEye))
    }

    /// True where box, points and score are finite numbers and the box has an area.
    pub fn is_usable(&self) -> bool {
        self.bbox.is_usable() && self.landmarks.iter().all(|point| point.is_finite()) && self.score.is_finite()
    }
}
