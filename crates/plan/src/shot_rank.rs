//! The rank of a portrait among shots of the same person.

use geometry::{Face, estimate_head};

use super::{FRONTAL_YAW, PROFILE_YAW, Sharpness, eye_state};

/// Weights of the expression; their sum is 1. An open mouth is noticed first.
const MOUTH: f32 = 0.5;
const GAZE: f32 = 0.3;
const FRONTAL: f32 = 0.2;

/// Opening of the mouth up to which nothing is deducted, so that a smile is no fault, and from which nothing is left.
const SMILE: f32 = 0.3;
const WIDE_OPEN: f32 = 0.5;

/// Gaze up to which nothing is deducted, since it is within the spread of people who look at the camera, and from which
/// nothing is left.
const STRAIGHT_GAZE: f32 = 0.04;
const GAZE_ASIDE: f32 = 0.12;

/// Error of the yaw in degrees; nothing is deducted up to it.
const YAW_ERROR: f32 = 3.0;

/// Neutral value of what was not measured.
const UNKNOWN: f32 = 0.5;

/// The rank of a portrait among shots of the same person, for `max`: open eyes first, then the label of the sharpness,
/// then the expression, then the measured sharpness.
///
/// The sharpness is compared by its label first, since otherwise the expression would never decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShotRank {
    /// 0 not open, 1 nearly closed or unknown, 2 open.
    eyes: u8,
    sharpness: Sharpness,
    /// Expression in thousandths: 1000 with the mouth closed or smiling, looking at the camera, frontal.
    expression: u16,
    /// Sharpness in thousandths.
    measured: u16,
}

impl ShotRank {
    /// The rank of `face`. Values that were not measured count as medium ones.
    pub fn of(face: &Face) -> Self {
        let sharpness = face.measures.and_then(|measures| measures.sharpness).unwrap_or(UNKNOWN);
        Self {
            eyes: eye_state(face).rank(),
            sharpness: Sharpness::of(sharpness),
            expression: thousandths(expression(face)),
            measured: thousandths(sharpness),
        }
    }
}

/// 1 for a frontal face, 0 for a profile or an unreliable head.
pub(super) fn frontal(face: &Face) -> f32 {
    let estimate = estimate_head(face);
    if estimate.doubt.is_some() { 0.0 } else { falling(estimate.yaw.abs(), 0.0, PROFILE_YAW) }
}

/// The value in 0 to 1; 0 if it is not finite.
pub(super) fn share(value: f32) -> f32 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 }
}

/// 1 up to `from`, falling to 0 at `to`.
fn falling(value: f32, from: f32, to: f32) -> f32 {
    share((to - value) / (to - from))
}

/// Expression, 0 to 1.
fn expression(face: &Face) -> f32 {
    let mesh = face.mesh.filter(geometry::FaceMesh::is_sure);
    let part = |value: Option<f32>, from, to| value.map_or(UNKNOWN, |value| falling(value.abs(), from, to));
    MOUTH * part(mesh.and_then(|mesh| mesh.mouth_opening), SMILE, WIDE_OPEN)
        + GAZE * part(mesh.and_then(|mesh| mesh.gaze), STRAIGHT_GAZE, GAZE_ASIDE)
        + FRONTAL * part(mesh.map(|mesh| mesh.yaw), YAW_ERROR, FRONTAL_YAW)
}

fn thousandths(value: f32) -> u16 {
    (share(value) * 1000.0).round() as u16
}

#[cfg(test)]
mod tests {
    use geometry::{FaceMeasures, FaceMesh};

    use super::*;
    use crate::test_faces::with_mesh;

    fn shot(sharpness: f32, change: impl Fn(&mut FaceMesh)) -> ShotRank {
        let measures = FaceMeasures { sharpness: Some(sharpness), lightness: 0.5, underexposed: 0.0, overexposed: 0.0 };
        ShotRank::of(&Face { measures: Some(measures), ..with_mesh(change) })
    }

    fn eyes(mesh: &mut FaceMesh, opening: f32) {
        mesh.eyes.iter_mut().for_each(|eye| eye.opening = Some(opening));
    }

    #[test]
    fn open_eyes_win_then_sharpness_then_expression() {
        let ideal = shot(0.9, |_| ());
        let closed = shot(1.0, |mesh| eyes(mesh, 0.05));
        let blurred = shot(0.4, |_| ());
        let nearly = shot(1.0, |mesh| eyes(mesh, 0.18));
        let fair = shot(0.7, |_| ());
        let yawning = shot(0.8, |mesh| mesh.mouth_opening = Some(0.6));
        let aside = shot(0.9, |mesh| mesh.gaze = Some(-0.1));
        let turned = shot(0.9, |mesh| mesh.yaw = 9.0);
        assert!(closed < blurred && blurred < nearly && nearly < fair && fair < yawning && yawning < ideal);
        assert!(fair < aside && aside < ideal && fair < turned && turned < ideal);
    }

    #[test]
    fn a_smile_is_no_fault_and_a_little_sharpness_only_decides_between_equals() {
        assert_eq!(shot(0.9, |mesh| mesh.mouth_opening = Some(0.25)), shot(0.9, |_| ()));
        assert!(shot(0.9, |_| ()) > shot(0.8, |_| ()));
        assert!(shot(0.8, |_| ()) > shot(0.95, |mesh| mesh.mouth_opening = Some(0.45)));
    }

    #[test]
    fn faces_without_a_mesh_rank_between_open_and_closed_eyes() {
        let plain = ShotRank::of(&Face { mesh: None, ..with_mesh(|_| ()) });
        assert!(plain < shot(0.6, |_| ()) && plain > shot(1.0, |mesh| eyes(mesh, 0.05)));
        assert!(shot(f32::NAN, |mesh| mesh.mouth_opening = Some(f32::NAN)) < shot(0.9, |_| ()));
        assert_eq!(MOUTH + GAZE + FRONTAL, 1.0);
    }
}
