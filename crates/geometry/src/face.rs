//! A detected face.

use serde::{Deserialize, Serialize};

use super::{FaceMesh, Head, ManualFrame, MaskMeasures, Point, Rect};

// Box and landmarks of a drawn face, in multiples of the distance from eye line to chin: the inverse of the head model
// (`docs/dev/heads.md`).
const HALF_EYES: f32 = 0.28;
const HALF_MOUTH: f32 = 0.23;
const HALF_FACE: f32 = 0.64;
const BROW: f32 = 0.57;
const NOSE: f32 = 0.34;
const MOUTH: f32 = 0.57;

/// The five landmarks in YuNet's order. Left and right are the person's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landmark {
    /// On the left of an unmirrored photo.
    RightEye,
    /// On the right of an unmirrored photo.
    LeftEye,
    NoseTip,
    /// The person's right corner of the mouth.
    RightMouthCorner,
    /// The person's left corner of the mouth.
    LeftMouthCorner,
}

/// A face in pixels of the upright image.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Face {
    /// The detector's box, about brow to chin; may extend beyond the image.
    pub bbox: Rect,
    /// The landmarks in the order of [`Landmark`]: as detected, or those of the mesh if there is one.
    pub landmarks: [Point; 5],
    /// Confidence score, 0 to 1: the square root of class score times objectness, lowered if other passes do not
    /// confirm the face (see `docs/dev/detection.md`).
    pub score: f32,
    /// Measurements on the face's pixels; `None` if they were not measured.
    #[serde(default)]
    pub measures: Option<FaceMeasures>,
    /// Measurements on its 468 landmarks; `None` if the face is too small for them, or they are not reliable.
    #[serde(default)]
    pub mesh: Option<FaceMesh>,
    /// Measurements on the person mask; `None` if no mask was made.
    #[serde(default)]
    pub mask: Option<MaskMeasures>,
    /// The head as set by the user; `None` if it is estimated.
    #[serde(default)]
    pub head: Option<Head>,
    /// The crop frame as set by the user; `None` if the crop follows the head.
    #[serde(default)]
    pub frame: Option<ManualFrame>,
}

/// Measurements on the pixels of a face.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaceMeasures {
    /// Sharpness, 0 to 1, measured at one fixed face height so that faces are comparable; `None` if the face has fewer
    /// pixels than that.
    pub sharpness: Option<f32>,
    /// Mean lightness of the face, 0 to 1: CIE L* of its sRGB pixels over 100.
    pub lightness: f32,
    /// Share of the face's pixels, 0 to 1, that are black or nearly so.
    pub underexposed: f32,
    /// Share of the face's pixels, 0 to 1, that are white or nearly so.
    pub overexposed: f32,
}

impl Face {
    /// A face as returned by a detector.
    pub const fn new(bbox: Rect, landmarks: [Point; 5], score: f32) -> Self {
        Self { bbox, landmarks, score, measures: None, mesh: None, mask: None, head: None, frame: None }
    }

    /// A face for a head drawn by the user, with the box and landmarks of an upright, frontal adult rotated with the
    /// head, and a score of 1.
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

    /// Distance from the eye line to the top of the hair along the midline, in pixels of the upright image; `None` if
    /// unknown.
    pub fn eyes_to_hair(&self) -> Option<f32> {
        self.mask.and_then(|mask| mask.hair).map(|hair| hair.above_eyes)
    }

    /// Returns one landmark.
    pub fn landmark(&self, which: Landmark) -> Point {
        self.landmarks[which as usize]
    }

    /// The midpoint between the eyes.
    pub fn eye_center(&self) -> Point {
        self.landmark(Landmark::RightEye).midpoint(self.landmark(Landmark::LeftEye))
    }

    /// True if box, landmarks and score are finite and the box has an area.
    pub fn is_usable(&self) -> bool {
        self.bbox.is_usable() && self.landmarks.iter().all(|point| point.is_finite()) && self.score.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::super::estimate_head;
    use super::*;

    #[test]
    fn a_drawn_face_has_the_drawn_head_and_matching_landmarks() {
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
