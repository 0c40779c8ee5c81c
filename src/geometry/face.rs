//! One detected face.

use serde::{Deserialize, Serialize};

use super::{Head, Point, Rect};

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
    /// The five points in the order of [`Landmark`]: as the detector gave them, turned to the face's own axis where its pixels
    /// were measured and show one.
    pub landmarks: [Point; 5],
    /// Confidence, 0 to 1: the square root of the class score times the objectness; of further looks, what that is worth there
    /// (see `docs/detection.md`).
    pub score: f32,
    /// What its pixels show; `None` where they were not looked at.
    #[serde(default)]
    pub measures: Option<FaceMeasures>,
    /// The head as a person has set it; `None` where it is estimated.
    #[serde(default)]
    pub head: Option<Head>,
}

/// What the pixels of a face show.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaceMeasures {
    /// Sharpness, 0 to 1, measured at one fixed height of the face so that faces can be compared; `None` where the pixels
    /// looked at are too few for that height.
    pub sharpness: Option<f32>,
    /// Mean lightness of the face, 0 to 1: CIE L* of its sRGB pixels over 100.
    pub lightness: f32,
    /// Share of the face's pixels, 0 to 1, that are black or nearly so.
    pub underexposed: f32,
    /// Share of the face's pixels, 0 to 1, that are burnt out to white or nearly so.
    pub overexposed: f32,
    /// Pixels of the upright picture from the middle between the eyes up to the top of the hair along the head's own axis;
    /// `None` where the background is not plain enough to tell them apart.
    pub eyes_to_hair: Option<f32>,
}

impl Face {
    /// A face as a detector gives it.
    pub const fn new(bbox: Rect, landmarks: [Point; 5], score: f32) -> Self {
        Self { bbox, landmarks, score, measures: None, head: None }
    }

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
