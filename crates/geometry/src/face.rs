//! One detected face.

use serde::{Deserialize, Serialize};

use super::{Head, ManualFrame, Point, Rect};

// Where box and points of a drawn face lie, in lengths from eye line to chin: the proportions of the head model
// (`docs/dev/heads.md`), the other way round.
const HALF_EYES: f32 = 0.28;
const HALF_MOUTH: f32 = 0.23;
const HALF_FACE: f32 = 0.64;
const BROW: f32 = 0.57;
const NOSE: f32 = 0.34;
const MOUTH: f32 = 0.57;

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
    /// (see `docs/dev/detection.md`).
    pub score: f32,
    /// What its pixels show; `None` where they were not looked at.
    #[serde(default)]
    pub measures: Option<FaceMeasures>,
    /// The head as a person has set it; `None` where it is estimated.
    #[serde(default)]
    pub head: Option<Head>,
    /// The frame of its crop as a person has set it; `None` where the crop follows the head.
    #[serde(default)]
    pub frame: Option<ManualFrame>,
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
        Self { bbox, landmarks, score, measures: None, head: None, frame: None }
    }

    /// A face where a person says that a head is: its box and points lie where an upright, frontal adult's would, turned with
    /// the head. Its score is 1: there is nothing to doubt.
    pub fn drawn(head: Head) -> Self {
        let unit = head.eyes_to_chin;
        let up = head.up();
        let at = |right: f32, above: f32| {
            Point::new(
                head.eyes.x - up.y * right * unit + up.x * above * unit,
                head.eyes.y + up.x * right * unit + up.y * above * unit,
            )
        };
        let [right_eye, left_eye] = [at(-HALF_EYES, 0.0), at(HALF_EYES, 0.0)];
        let [right_mouth, left_mouth] = [at(-HALF_MOUTH, -MOUTH), at(HALF_MOUTH, -MOUTH)];
        let center = at(0.0, -(1.0 - BROW) / 2.0);
        let (width, height) = (2.0 * HALF_FACE * unit, (1.0 + BROW) * unit);
        let bbox = Rect::new(center.x - width / 2.0, center.y - height / 2.0, width, height);
        let landmarks = [right_eye, left_eye, at(0.0, -NOSE), right_mouth, left_mouth];
        Self { head: Some(head), ..Self::new(bbox, landmarks, 1.0) }
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

#[cfg(test)]
mod tests {
    use super::super::estimate_head;
    use super::*;

    #[test]
    fn the_head_of_a_drawn_face_is_what_was_drawn_and_its_points_agree_with_it() {
        for roll in [0.0, 20.0, -90.0, 180.0] {
            let head = Head { eyes: Point::new(200.0, 150.0), eyes_to_crown: 60.0, eyes_to_chin: 62.0, roll };
            let drawn = Face::drawn(head);
            assert!(drawn.is_usable() && drawn.score == 1.0);
            assert_eq!(estimate_head(&drawn).head, head);
            let estimated = estimate_head(&Face { head: None, ..drawn });
            assert_eq!(estimated.doubt, None, "{roll}");
            assert!((estimated.head.eyes_to_chin / 62.0 - 1.0).abs() < 0.06, "{roll}: {}", estimated.head.eyes_to_chin);
            assert!(
                (estimated.head.roll - roll).rem_euclid(360.0).min((roll - estimated.head.roll).rem_euclid(360.0))
                    < 0.5
            );
        }
    }
}
