//! The state of both eyes, from the measurements of a face mesh.

use geometry::Face;

use super::{PROFILE_YAW, is_blurred};

/// Mean opening of both eyes below which they are closed.
pub const EYES_CLOSED_BELOW: f32 = 0.17;

/// Mean opening of both eyes below which they are nearly closed.
pub const EYES_NEARLY_CLOSED_BELOW: f32 = 0.19;

/// Opening of one eye below which it is closed if the other one is open.
pub const EYE_CLOSED_BELOW: f32 = 0.14;
const OTHER_EYE_OPEN: f32 = 0.22;

/// Absolute yaw in degrees up to which the openings of both eyes can be compared.
const COMPARABLE_YAW: f32 = 15.0;

/// The state of both eyes. `contrast` is that of [`EyeMeasures`](geometry::EyeMeasures).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EyeState {
    /// Both are open and visible.
    Open,
    /// Both are closed.
    Closed {
        /// Mean opening: distance of the lids over the distance of the corners.
        opening: f32,
    },
    /// Both are nearly closed.
    NearlyClosed {
        /// Mean opening.
        opening: f32,
    },
    /// One is closed.
    OneClosed {
        /// Its opening.
        opening: f32,
    },
    /// Something covers one.
    OneHidden {
        /// Its contrast.
        contrast: f32,
    },
    /// Something covers both.
    Covered {
        /// Mean contrast.
        contrast: f32,
    },
    /// Both are behind dark glasses.
    DarkGlasses {
        /// Mean contrast.
        contrast: f32,
    },
    /// The face has too few pixels, is blurred or a profile, or was not measured.
    Unknown,
}

impl EyeState {
    /// Rank for a comparison of portraits: 0 not open, 1 nearly closed or unknown, 2 open and visible.
    pub(super) const fn rank(self) -> u8 {
        match self {
            Self::Closed { .. }
            | Self::OneClosed { .. }
            | Self::OneHidden { .. }
            | Self::Covered { .. }
            | Self::DarkGlasses { .. } => 0,
            Self::NearlyClosed { .. } | Self::Unknown => 1,
            Self::Open => 2,
        }
    }
}

/// The state of the eyes of `face`.
pub fn eye_state(face: &Face) -> EyeState {
    // The farther eye of a profile is not visible.
    let Some(mesh) = face.mesh.filter(|mesh| mesh.is_sure() && mesh.yaw.abs() < PROFILE_YAW) else {
        return EyeState::Unknown;
    };
    let [right, left] = mesh.eyes;
    // Blur makes closed eyes look open and visible eyes look covered, but never open eyes closed.
    let is_blurred = face.measures.and_then(|measures| measures.sharpness).is_some_and(is_blurred);
    let contrasts = [right, left].map(|eye| eye.contrast.unwrap_or(0.0));
    let contrast = f32::midpoint(contrasts[0], contrasts[1]);
    match [right.is_hidden, left.is_hidden] {
        [false, false] => {}
        _ if is_blurred => return EyeState::Unknown,
        [true, true] if mesh.dark_glasses => return EyeState::DarkGlasses { contrast },
        [true, true] => return EyeState::Covered { contrast },
        [_, is_left] => return EyeState::OneHidden { contrast: contrasts[usize::from(is_left)] },
    }
    let Some((right, left)) = right.opening.zip(left.opening) else { return EyeState::Unknown };
    let (opening, min, max) = (f32::midpoint(right, left), right.min(left), right.max(left));
    let one_is_closed = min < EYE_CLOSED_BELOW && max > OTHER_EYE_OPEN && mesh.yaw.abs() <= COMPARABLE_YAW;
    match opening {
        _ if opening < EYES_CLOSED_BELOW => EyeState::Closed { opening },
        _ if opening < EYES_NEARLY_CLOSED_BELOW => EyeState::NearlyClosed { opening },
        _ if one_is_closed => EyeState::OneClosed { opening: min },
        _ if is_blurred => EyeState::Unknown,
        _ => EyeState::Open,
    }
}

#[cfg(test)]
mod tests {
    use geometry::{FaceMeasures, FaceMesh};

    use super::*;
    use crate::test_faces::{mesh, with_mesh};

    fn face(openings: [f32; 2], hidden: [bool; 2]) -> Face {
        with_mesh(|mesh| {
            for ((eye, opening), is_hidden) in mesh.eyes.iter_mut().zip(openings).zip(hidden) {
                let contrast = Some(if is_hidden { 0.2 } else { 0.95 });
                (eye.opening, eye.is_hidden, eye.contrast) = (Some(opening), is_hidden, contrast);
            }
        })
    }

    fn changed(face: Face, change: impl Fn(&mut FaceMesh)) -> EyeState {
        let mut mesh = face.mesh.expect("set");
        change(&mut mesh);
        eye_state(&Face { mesh: Some(mesh), ..face })
    }

    const VISIBLE: [bool; 2] = [false; 2];

    #[test]
    fn the_opening_of_both_eyes_counts_before_that_of_one() {
        let state = |openings| eye_state(&face(openings, VISIBLE));
        assert_eq!(state([0.3, 0.34]), EyeState::Open);
        assert!(matches!(state([0.05, 0.09]), EyeState::Closed { opening } if opening < 0.08));
        assert!(matches!(state([0.05, 0.25]), EyeState::Closed { .. }));
        assert!(matches!(state([0.17, 0.19]), EyeState::NearlyClosed { opening } if opening > 0.17));
        assert_eq!(state([0.36, 0.1]), EyeState::OneClosed { opening: 0.1 });
        assert_eq!(state([0.3, 0.15]), EyeState::Open, "one narrow eye");
        let turned = changed(face([0.36, 0.1], VISIBLE), |mesh| mesh.yaw = -18.0);
        assert_eq!(turned, EyeState::Open, "the farther eye looks narrower");
    }

    #[test]
    fn hidden_eyes_are_not_called_closed() {
        let closed = [0.05; 2];
        assert!(matches!(eye_state(&face(closed, [true; 2])), EyeState::Covered { contrast } if contrast < 0.21));
        assert_eq!(eye_state(&face(closed, [true, false])), EyeState::OneHidden { contrast: 0.2 });
        assert_eq!(eye_state(&face(closed, [false, true])), EyeState::OneHidden { contrast: 0.2 });
        let glasses = changed(face(closed, [true; 2]), |mesh| mesh.dark_glasses = true);
        assert!(matches!(glasses, EyeState::DarkGlasses { contrast } if contrast < 0.21));
    }

    #[test]
    fn blur_hides_open_eyes_but_closed_ones_stay_closed() {
        let measures = FaceMeasures { sharpness: Some(0.4), lightness: 0.5, underexposed: 0.0, overexposed: 0.0 };
        let blurred = |openings, hidden| eye_state(&Face { measures: Some(measures), ..face(openings, hidden) });
        assert_eq!(blurred([0.3; 2], VISIBLE), EyeState::Unknown);
        assert_eq!(blurred([0.3; 2], [true, false]), EyeState::Unknown);
        assert!(matches!(blurred([0.05; 2], VISIBLE), EyeState::Closed { .. }));
    }

    #[test]
    fn small_and_doubtful_faces_and_profiles_are_unknown() {
        let closed = face([0.05; 2], VISIBLE);
        assert_eq!(changed(closed, |mesh| mesh.eyes[1].opening = None), EyeState::Unknown);
        assert_eq!(changed(closed, |mesh| mesh.yaw = -50.0), EyeState::Unknown);
        assert_eq!(changed(closed, |mesh| mesh.presence = 0.3), EyeState::Unknown);
        assert_eq!(eye_state(&Face { mesh: None, ..closed }), EyeState::Unknown);
        assert!(mesh().is_sure());
    }
}
