//! Box and landmarks -> head: crown, chin, eye line, midline and roll.
//!
//! The model and its measured error are in `docs/dev/heads.md`.

use super::{Face, Head, Landmark, Point};

/// What box and landmarks say of the head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadEstimate {
    /// The head: as a person has set it, else estimated. Not usable where neither box nor landmarks have a size.
    pub head: Head,
    /// How far the face is turned aside, -1 to 1: 0 frontal, near 1 or -1 a profile; positive where the nose points to the
    /// person's left, which is the right of an upright picture.
    pub yaw: f32,
    /// Why the estimate should not be trusted; `None` where nothing speaks against it, and where a person has set the head.
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

impl HeadEstimate {
    /// Yaw, without its sign, from which on a face counts as a profile: the tip of the nose is more than half way from the
    /// middle between the eyes to one of them.
    pub const PROFILE_YAW: f32 = 0.6;
}

// Eye line to chin, in lengths that a detector gives: means over seven portraits in nine tilts and five sizes, each with a
// spread of 4 to 5 %. The trimmed mean of the four has 3 %.
const CHIN_PER_EYES_TO_MOUTH: f32 = 1.75;
const CHIN_PER_EYES_APART: f32 = 1.77;
const CHIN_PER_BOX_DIAGONAL: f32 = 0.492;
const CHIN_PER_EYES_TO_BOX_EDGE: f32 = 0.99;

/// Eye line to crown, in lengths from eye line to chin: the eyes lie half way between crown and chin of an adult.
const CROWN_PER_CHIN: f32 = 1.0;

/// Where in an upright box the eye line is, from its top, where the landmarks do not tell.
const EYE_LINE_IN_BOX: f32 = 0.36;

/// Below this distance between the eyes, in lengths from eye line to mouth, the line through them no longer tells the roll:
/// the face is seen from the side. From [`EYES_WIDE`] on it alone does.
const EYES_NARROW: f32 = 0.3;
const EYES_WIDE: f32 = 0.6;

/// The head of `face`. Anything may be put in: what makes no sense gives a doubt, or a head that is not usable.
pub fn estimate_head(face: &Face) -> HeadEstimate {
    let estimated = match Points::of(face) {
        Some(points) => from_points(face, &points),
        None => from_box(face),
    };
    let estimated = HeadEstimate { head: within_reach(estimated.head), ..estimated };
    match face.head.filter(Head::is_usable) {
        Some(head) => HeadEstimate { head, doubt: None, ..estimated },
        None => estimated,
    }
}

/// Landmarks that are those of a face in size and place; they may still be in the wrong order.
struct Points {
    eyes: Point,
    /// From the person's right eye to the left one.
    across_eyes: Point,
    /// From the person's right corner of the mouth to the left one.
    across_mouth: Point,
    /// From the middle between the eyes to that of the mouth.
    down: Point,
    /// From the middle between the eyes to the tip of the nose.
    nose: Point,
}

impl Points {
    fn of(face: &Face) -> Option<Self> {
        let at = |which| face.landmark(which);
        let (eyes, mouth) = (face.eye_center(), at(Landmark::RightMouthCorner).midpoint(at(Landmark::LeftMouthCorner)));
        let points = Self {
            eyes,
            across_eyes: minus(at(Landmark::LeftEye), at(Landmark::RightEye)),
            across_mouth: minus(at(Landmark::LeftMouthCorner), at(Landmark::RightMouthCorner)),
            down: minus(mouth, eyes),
            nose: minus(at(Landmark::NoseTip), eyes),
        };
        points.are_of_a_face(face).then_some(points)
    }

    fn are_of_a_face(&self, face: &Face) -> bool {
        if !face.landmarks.iter().all(|point| point.is_finite()) {
            return false;
        }
        let (apart, down) = (length(self.across_eyes), length(self.down));
        // In one spot, on one line of the face, or strewn about: no head has such points from any side.
        if !(down > 0.0 && down.is_finite() && apart < down * 3.0 && length(self.nose) < (down + apart) * 2.0) {
            return false;
        }
        if !face.bbox.is_usable() {
            return apart > down * EYES_NARROW;
        }
        let (size, center) = (diagonal(face), face.bbox.center());
        down > size * 0.08 && down < size && face.landmarks.iter().all(|point| point.distance(center) < size)
    }

    /// Degrees the head is turned clockwise, and true where the points agree on it.
    fn roll(&self) -> (f32, bool) {
        let upright = degrees(self.across_eyes);
        let by_mouth_below = degrees(Point::new(self.down.y, -self.down.x));
        let (apart, down) = (length(self.across_eyes), length(self.down));
        let trust = ((apart / down - EYES_NARROW) / (EYES_WIDE - EYES_NARROW)).clamp(0.0, 1.0);
        if trust <= 0.0 {
            return (by_mouth_below, true);
        }
        let mouth = (length(self.across_mouth) > down * EYES_NARROW).then(|| degrees(self.across_mouth));
        let agree = |a: f32, b: f32| turned_between(a, b) < 60.0;
        let by_eyes = match mouth {
            // Both eyes and both corners are in the same order, and it is the mouth that is above the eyes. Either the sides
            // are swapped or eyes and mouth are: nobody can tell which, so the one that leaves the head more upright.
            Some(mouth) if agree(mouth, upright) && !agree(by_mouth_below, upright) => {
                if upright.abs() <= 90.0 {
                    upright
                } else {
                    turned(upright, 180.0)
                }
            }
            _ if agree(by_mouth_below, upright) => upright,
            // The eyes alone are swapped.
            _ if agree(by_mouth_below, turned(upright, 180.0)) => turned(upright, 180.0),
            // The eyes say nothing.
            _ => by_mouth_below,
        };
        let agreed = agree(by_mouth_below, upright) && mouth.is_none_or(|mouth| agree(mouth, upright));
        if !agreed || trust >= 1.0 {
            return (by_eyes, agreed);
        }
        let between = (by_mouth_below - by_eyes + 180.0).rem_euclid(360.0) - 180.0;
        (turned(by_eyes, between * (1.0 - trust)), true)
    }

    /// How far the face is turned aside, for a head turned by `roll`.
    fn yaw(&self, roll: f32) -> f32 {
        let (sin, cos) = roll.to_radians().sin_cos();
        let aside = self.nose.x * cos + self.nose.y * sin;
        // In a profile both eyes may be at the same place.
        let half = length(self.across_eyes).max(length(self.down) * EYES_NARROW) / 2.0;
        (aside / half).clamp(-1.0, 1.0)
    }
}

fn from_points(face: &Face, points: &Points) -> HeadEstimate {
    let (roll, agreed) = points.roll();
    let yaw = points.yaw(roll);
    let eyes_to_chin = eyes_to_chin(face, points, roll);
    let head = Head { eyes: points.eyes, eyes_to_crown: eyes_to_chin * CROWN_PER_CHIN, eyes_to_chin, roll };
    let profile = yaw.abs() >= HeadEstimate::PROFILE_YAW;
    let doubt = if agreed { profile.then_some(HeadDoubt::Profile) } else { Some(HeadDoubt::Landmarks) };
    HeadEstimate { head, yaw, doubt }
}

/// What four lengths say, without the least and the most: a smile shortens one, a head turned aside another, a cut box two.
fn eyes_to_chin(face: &Face, points: &Points, roll: f32) -> f32 {
    let by_mouth = length(points.down) * CHIN_PER_EYES_TO_MOUTH;
    let by_eyes = length(points.across_eyes) * CHIN_PER_EYES_APART;
    if !face.bbox.is_usable() {
        return f32::midpoint(by_mouth, by_eyes.max(by_mouth * 0.8));
    }
    let by_box = diagonal(face) * CHIN_PER_BOX_DIAGONAL;
    let by_edge = to_box_edge(face, points.eyes, roll) * CHIN_PER_EYES_TO_BOX_EDGE;
    let mut all = [by_mouth, by_eyes, by_box, by_edge];
    all.sort_by(f32::total_cmp);
    f32::midpoint(all[1], all[2])
}

/// From the eyes to the edge of the box on the chin's side. The box is upright in the look that found it and the chin lies
/// on its edge only where the head is upright, too; in between, the box counts as the one around an ellipse.
fn to_box_edge(face: &Face, eyes: Point, roll: f32) -> f32 {
    let (sin, cos) = roll.to_radians().sin_cos();
    let center = face.bbox.center();
    let below = (eyes.x - center.x) * sin - (eyes.y - center.y) * cos;
    // Half the length of an ellipse's long axis, of which the other is this share, from the box around it at any turn.
    const WIDTH: f32 = 0.77;
    let tilt = (2.0 * roll).to_radians().sin().abs();
    let nearest_quarter = if sin.abs() > cos.abs() { face.bbox.width } else { face.bbox.height };
    let by_diagonal = diagonal(face) / (1.0 + WIDTH * WIDTH).sqrt();
    below + (nearest_quarter + (by_diagonal - nearest_quarter) * tilt) / 2.0
}

/// Numbers so large that the head's ends are beyond them make a head that is not usable.
fn within_reach(head: Head) -> Head {
    let reached = head.crown().is_finite() && head.chin().is_finite() && head.height().is_finite();
    if reached { head } else { Head { eyes_to_crown: 0.0, eyes_to_chin: 0.0, roll: 0.0, eyes: Point::default() } }
}

/// The head that an upright box alone speaks of.
fn from_box(face: &Face) -> HeadEstimate {
    let bbox = face.bbox;
    let head = if bbox.is_usable() {
        let eyes = Point::new(bbox.center().x, bbox.y + bbox.height * EYE_LINE_IN_BOX);
        let eyes_to_chin = bbox.height * (1.0 - EYE_LINE_IN_BOX) * CHIN_PER_EYES_TO_BOX_EDGE;
        Head { eyes, eyes_to_crown: eyes_to_chin * CROWN_PER_CHIN, eyes_to_chin, roll: 0.0 }
    } else {
        Head { eyes: Point::default(), eyes_to_crown: 0.0, eyes_to_chin: 0.0, roll: 0.0 }
    };
    HeadEstimate { head, yaw: 0.0, doubt: Some(HeadDoubt::Landmarks) }
}

fn minus(a: Point, b: Point) -> Point {
    Point::new(a.x - b.x, a.y - b.y)
}

fn length(vector: Point) -> f32 {
    vector.x.hypot(vector.y)
}

/// The box's diagonal, which changes little as a head turns in it.
fn diagonal(face: &Face) -> f32 {
    face.bbox.width.hypot(face.bbox.height)
}

/// Degrees from straight right, clockwise, above -180 to 180.
fn degrees(vector: Point) -> f32 {
    turned(vector.y.atan2(vector.x).to_degrees(), 0.0)
}

/// `angle` turned on by `by` degrees, above -180 to 180.
fn turned(angle: f32, by: f32) -> f32 {
    let sum = (angle + by + 180.0).rem_euclid(360.0) - 180.0;
    if sum <= -180.0 { 180.0 } else { sum }
}

/// Degrees between two directions, 0 to 180.
fn turned_between(a: f32, b: f32) -> f32 {
    ((a - b + 180.0).rem_euclid(360.0) - 180.0).abs()
}

#[cfg(test)]
mod tests;
