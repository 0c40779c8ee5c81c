//! Box and landmarks -> head: crown, chin, eye line, midline and roll.

use crate::geometry::{Face, Head, Landmark, Point};

/// What box and landmarks say of the head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadEstimate {
    /// The head: as a person has set it, else estimated.
    pub head: Head,
    /// How far the face is turned aside, -1 to 1: 0 frontal, near 1 or -1 a profile; positive where the nose points to the
    /// right of the picture.
    pub yaw: f32,
    /// Why the estimate should not be trusted; `None` where nothing speaks against it.
    pub doubt: Option<HeadDoubt>,
}

/// Why the estimate of a head should not be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadDoubt {
    /// The landmarks contradict each other, such as eyes that are swapped or lie below the mouth.
    Landmarks,
    /// The face is seen from the side.
    Profile,
}

/// Yaw from which on a face counts as a profile.
const PROFILE_YAW: f32 = 0.6;

/// The head of `face`, which must be usable.
pub fn estimate_head(face: &Face) -> HeadEstimate {
    let (eyes, mouth) = (face.eye_center(), mouth_center(face));
    let [right_eye, left_eye] = [face.landmark(Landmark::RightEye), face.landmark(Landmark::LeftEye)];
    let across = Point::new(left_eye.x - right_eye.x, left_eye.y - right_eye.y);
    let down = Point::new(mouth.x - eyes.x, mouth.y - eyes.y);
    let eyes_apart = across.x.hypot(across.y);
    let roll_by_eyes = across.y.atan2(across.x).to_degrees();
    let roll_by_mouth = (-down.x).atan2(down.y).to_degrees();
    let contradict = turned_between(roll_by_eyes, roll_by_mouth) > 60.0;
    let roll = if contradict { roll_by_mouth } else { roll_by_eyes };
    let nose = face.landmark(Landmark::NoseTip);
    let yaw = if eyes_apart > 0.0 {
        let aside = ((nose.x - eyes.x) * across.x + (nose.y - eyes.y) * across.y) / eyes_apart;
        (aside / (eyes_apart / 2.0)).clamp(-1.0, 1.0)
    } else {
        0.0
    };
    let below = face.bbox.height * 0.6;
    let head = Head { eyes, eyes_to_crown: below, eyes_to_chin: below, roll };
    let doubt =
        if contradict { Some(HeadDoubt::Landmarks) } else { (yaw.abs() > PROFILE_YAW).then_some(HeadDoubt::Profile) };
    HeadEstimate { head: face.head.filter(Head::is_usable).unwrap_or(head), yaw, doubt }
}

fn mouth_center(face: &Face) -> Point {
    face.landmark(Landmark::RightMouthCorner).midpoint(face.landmark(Landmark::LeftMouthCorner))
}

/// Degrees between two directions, 0 to 180.
pub(super) fn turned_between(a: f32, b: f32) -> f32 {
    ((a - b + 180.0).rem_euclid(360.0) - 180.0).abs()
}
