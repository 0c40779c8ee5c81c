//! The head model: from box and landmarks to crown, chin, eye line, midline and roll.
//!
//! `docs/dev/heads.md` describes the model, `docs/dev/measurements.md` its measured error.

use super::{Face, FaceMesh, Head, Landmark, Point};

/// The head estimated from box and landmarks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadEstimate {
    /// The head set by the user, otherwise the estimated one. Not usable if neither box nor landmarks have a size.
    pub head: Head,
    /// Head yaw in degrees, -90 to 90: 0 frontal, positive if the face points to the person's left, which is the right of
    /// an upright image.
    pub yaw: f32,
    /// Why the estimate is unreliable; `None` if it is reliable or if the user has set the head.
    pub doubt: Option<HeadDoubt>,
}

/// Why the estimate of a head is unreliable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadDoubt {
    /// The landmarks contradict each other, for example because the eyes are swapped or below the mouth.
    Landmarks,
    /// The face is in profile.
    Profile,
}

impl HeadEstimate {
    /// Absolute yaw in degrees above which a face counts as a profile.
    pub const PROFILE_YAW: f32 = 24.0;
}

// Distance from eye line to chin, in multiples of distances in a detection: means over seven portraits in nine tilts
// and five sizes, each with a spread of 4 to 5 %. The trimmed mean of the four has 3 %.
const CHIN_PER_EYES_TO_MOUTH: f32 = 1.75;
const CHIN_PER_EYES_APART: f32 = 1.77;
const CHIN_PER_BOX_DIAGONAL: f32 = 0.492;
const CHIN_PER_EYES_TO_BOX_EDGE: f32 = 0.99;

/// Distance from eye line to crown in multiples of that from eye line to chin: an adult's eyes are half way between
/// crown and chin.
const CROWN_PER_CHIN: f32 = 1.0;

/// Minimum confidence of the top of the hair for it to lower the crown.
const CERTAIN_HAIR: f32 = 0.5;

/// Minimum height of the top of the hair above the eye line for it to lower the crown, in multiples of the height of the
/// crown: a lower one would be on the forehead.
const LOWEST_HAIR: f32 = 0.5;

/// Height of the eye line in an upright box, from its top, if there are no usable landmarks.
const EYE_LINE_IN_BOX: f32 = 0.36;

/// Yaw in degrees for an offset of the tip of the nose from the eye center by half the distance between the eyes.
const DEGREES_PER_OFFSET: f32 = 37.5;

/// Below this distance between the eyes, in multiples of the distance from eye line to mouth, the face is a profile and
/// the line through the eyes does not give the roll. From [`EYES_WIDE`] on it alone determines the roll.
const EYES_NARROW: f32 = 0.3;
const EYES_WIDE: f32 = 0.6;

/// The head of `face`: the one set by the user, otherwise that of its mesh, otherwise an estimate from its box and five
/// landmarks. Accepts any input: implausible numbers give a doubt, or a head that is not usable.
pub fn estimate_head(face: &Face) -> HeadEstimate {
    let estimated = match (face.mesh.filter(|mesh| mesh.head.is_usable()), Landmarks::of(face)) {
        (Some(mesh), _) => from_mesh(face, &mesh),
        (None, Some(points)) => from_points(face, &points),
        (None, None) => from_box(face),
    };
    let estimated = HeadEstimate { head: without_overflow(estimated.head), ..estimated };
    match face.head.filter(Head::is_usable) {
        Some(head) => HeadEstimate { head, doubt: None, ..estimated },
        None => estimated,
    }
}

/// Landmarks with plausible distances and places; their order may still be wrong.
struct Landmarks {
    eyes: Point,
    /// From the person's right eye to the left one.
    across_eyes: Point,
    /// From the person's right corner of the mouth to the left one.
    across_mouth: Point,
    /// From the eye center to the mouth center.
    down: Point,
    /// From the eye center to the tip of the nose.
    nose: Point,
}

impl Landmarks {
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
        points.are_plausible(face).then_some(points)
    }

    fn are_plausible(&self, face: &Face) -> bool {
        if !face.landmarks.iter().all(|point| point.is_finite()) {
            return false;
        }
        let (apart, down) = (length(self.across_eyes), length(self.down));
        // All in one spot, on one line, or scattered: no head has such landmarks from any side.
        if !(down > 0.0 && down.is_finite() && apart < down * 3.0 && length(self.nose) < (down + apart) * 2.0) {
            return false;
        }
        if !face.bbox.is_usable() {
            return apart > down * EYES_NARROW;
        }
        let (size, center) = (diagonal(face), face.bbox.center());
        down > size * 0.08 && down < size && face.landmarks.iter().all(|point| point.distance(center) < size)
    }

    /// Clockwise roll in degrees, and true if the landmarks agree on it.
    fn roll(&self) -> (f32, bool) {
        let upright = degrees(self.across_eyes);
        let by_mouth_below = degrees(Point::new(self.down.y, -self.down.x));
        let (apart, down) = (length(self.across_eyes), length(self.down));
        let trust = ((apart / down - EYES_NARROW) / (EYES_WIDE - EYES_NARROW)).clamp(0.0, 1.0);
        if trust <= 0.0 {
            return (by_mouth_below, true);
        }
        let mouth = (length(self.across_mouth) > down * EYES_NARROW).then(|| degrees(self.across_mouth));
        let agree = |a: f32, b: f32| angle_between(a, b) < 60.0;
        let by_eyes = match mouth {
            // Eyes and mouth corners have the same left-right order, but the mouth is above the eyes. Either left and
            // right are swapped or eyes and mouth are; this cannot be decided, so take the more upright head.
            Some(mouth) if agree(mouth, upright) && !agree(by_mouth_below, upright) => {
                if upright.abs() <= 90.0 {
                    upright
                } else {
                    add_degrees(upright, 180.0)
                }
            }
            _ if agree(by_mouth_below, upright) => upright,
            // Only the eyes are swapped.
            _ if agree(by_mouth_below, add_degrees(upright, 180.0)) => add_degrees(upright, 180.0),
            // The eyes give no usable direction.
            _ => by_mouth_below,
        };
        let agreed = agree(by_mouth_below, upright) && mouth.is_none_or(|mouth| agree(mouth, upright));
        if !agreed || trust >= 1.0 {
            return (by_eyes, agreed);
        }
        let between = (by_mouth_below - by_eyes + 180.0).rem_euclid(360.0) - 180.0;
        (add_degrees(by_eyes, between * (1.0 - trust)), true)
    }

    /// Head yaw in degrees, given the roll.
    fn yaw(&self, roll: f32) -> f32 {
        let (sin, cos) = roll.to_radians().sin_cos();
        let aside = self.nose.x * cos + self.nose.y * sin;
        // In a profile both eyes may be at the same place.
        let half = length(self.across_eyes).max(length(self.down) * EYES_NARROW) / 2.0;
        (aside / half).clamp(-1.0, 1.0) * DEGREES_PER_OFFSET
    }
}

fn from_mesh(face: &Face, mesh: &FaceMesh) -> HeadEstimate {
    let mut head = mesh.head;
    // Hair lies on the skull, so its top is never below the crown.
    let plausible = head.eyes_to_crown * LOWEST_HAIR;
    if let Some(hair) = face.mask.and_then(|mask| mask.hair)
        && hair.confidence >= CERTAIN_HAIR
        && hair.above_eyes >= plausible
    {
        head.eyes_to_crown = head.eyes_to_crown.min(hair.above_eyes);
    }
    let profile = mesh.yaw.abs() >= HeadEstimate::PROFILE_YAW;
    HeadEstimate { head, yaw: mesh.yaw, doubt: profile.then_some(HeadDoubt::Profile) }
}

fn from_points(face: &Face, points: &Landmarks) -> HeadEstimate {
    let (roll, agreed) = points.roll();
    let yaw = points.yaw(roll);
    let eyes_to_chin = eyes_to_chin(face, points, roll);
    let head = Head { eyes: points.eyes, eyes_to_crown: eyes_to_chin * CROWN_PER_CHIN, eyes_to_chin, roll };
    let profile = yaw.abs() >= HeadEstimate::PROFILE_YAW;
    let doubt = if agreed { profile.then_some(HeadDoubt::Profile) } else { Some(HeadDoubt::Landmarks) };
    HeadEstimate { head, yaw, doubt }
}

/// Trimmed mean of four estimates: a smile shortens one, a turned head another, a cropped box two.
fn eyes_to_chin(face: &Face, points: &Landmarks, roll: f32) -> f32 {
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

/// Distance from the eyes to the edge of the box on the chin's side. The box is upright in the pass that found it, so
/// its edge is at the chin only if the head is upright in it too. In between, the box is taken as the bounds of an
/// ellipse.
fn to_box_edge(face: &Face, eyes: Point, roll: f32) -> f32 {
    let (sin, cos) = roll.to_radians().sin_cos();
    let center = face.bbox.center();
    let below = (eyes.x - center.x) * sin - (eyes.y - center.y) * cos;
    // Ratio of the short to the long axis of that ellipse.
    const WIDTH: f32 = 0.77;
    let tilt = (2.0 * roll).to_radians().sin().abs();
    let nearest_quarter = if sin.abs() > cos.abs() { face.bbox.width } else { face.bbox.height };
    let by_diagonal = diagonal(face) / (1.0 + WIDTH * WIDTH).sqrt();
    below + (nearest_quarter + (by_diagonal - nearest_quarter) * tilt) / 2.0
}

/// A head whose crown or chin overflows is replaced by one that is not usable.
fn without_overflow(head: Head) -> Head {
    let reached = head.crown().is_finite() && head.chin().is_finite() && head.height().is_finite();
    if reached { head } else { Head { eyes_to_crown: 0.0, eyes_to_chin: 0.0, roll: 0.0, eyes: Point::default() } }
}

/// The head estimated from the box alone, assumed upright.
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

/// Diagonal of the box, which changes little with the head's roll.
fn diagonal(face: &Face) -> f32 {
    face.bbox.width.hypot(face.bbox.height)
}

/// Direction in degrees, clockwise from the x axis, above -180 to 180.
fn degrees(vector: Point) -> f32 {
    add_degrees(vector.y.atan2(vector.x).to_degrees(), 0.0)
}

/// `angle` plus `by` degrees, normalised to above -180 to 180.
fn add_degrees(angle: f32, by: f32) -> f32 {
    let sum = (angle + by + 180.0).rem_euclid(360.0) - 180.0;
    if sum <= -180.0 { 180.0 } else { sum }
}

/// Angle between two directions in degrees, 0 to 180.
fn angle_between(a: f32, b: f32) -> f32 {
    ((a - b + 180.0).rem_euclid(360.0) - 180.0).abs()
}

#[cfg(test)]
mod tests;
