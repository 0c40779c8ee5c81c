//! Measurements of a face. The English texts are those of JSON.

use outcome::Detection;
use plan::{EyeState, Facing, Light, Sharpness};

use super::super::language::{count, decimal, say, tr, tr_in};
use super::ms;
use super::parts::listed;

/// The detection passes and their time: `3 passes, 212 ms`; `None` if the passes were not reported.
pub(crate) fn passes(found: &Detection, whole_ms: f64) -> Option<String> {
    let count = found.passes.len();
    (count > 0).then(|| count!(count, "{n} pass, {time}", "{n} passes, {time}", time = ms(whole_ms)))
}

pub(crate) fn sharpness(sharpness: Sharpness) -> &'static str {
    match sharpness {
        Sharpness::Blurred => tr("blurred"),
        Sharpness::Fair => tr("fairly sharp"),
        Sharpness::Sharp => tr("sharp"),
    }
}

pub(crate) fn light(light: Light) -> &'static str {
    match light {
        Light::Overexposed => tr("overexposed"),
        Light::Underexposed => tr("underexposed"),
        Light::Bright => tr("bright"),
        Light::Good => tr("well lit"),
    }
}

/// Direction of the face.
fn facing(facing: Facing) -> &'static str {
    match facing {
        Facing::Frontal => tr("frontal"),
        Facing::Turned => tr("turned"),
        Facing::Profile => tr("profile"),
    }
}

/// The state of both eyes; their opening is not part of it.
pub(crate) fn eyes(eyes: EyeState) -> &'static str {
    match eyes {
        EyeState::Open => tr_in("of_eyes", "open"),
        EyeState::NearlyClosed { .. } => tr_in("of_eyes", "nearly closed"),
        EyeState::Closed { .. } => tr_in("of_eyes", "closed"),
        EyeState::OneClosed { .. } => tr_in("of_eyes", "one closed"),
        EyeState::OneHidden { .. } => tr_in("of_eyes", "one hidden"),
        EyeState::Covered { .. } => tr_in("of_eyes", "covered"),
        EyeState::DarkGlasses { .. } => tr_in("of_eyes", "behind dark glasses"),
        EyeState::Unknown => tr_in("of_eyes", "unknown"),
    }
}

/// Pose of a head in degrees, for example "frontal, 4° left, 2° up, tilted 3°". Yaw and pitch below half a degree are
/// omitted.
pub(crate) fn pose(yaw: f32, pitch: Option<f32>, roll: f32) -> String {
    let whole = |degrees: f32| degrees.abs().round() as u16;
    let aside = match whole(yaw) {
        0 => None,
        degrees if yaw < 0.0 => Some(say!("{degrees}° left", degrees = degrees)),
        degrees => Some(say!("{degrees}° right", degrees = degrees)),
    };
    let up = pitch.and_then(|pitch| match whole(pitch) {
        0 => None,
        degrees if pitch < 0.0 => Some(say!("{degrees}° down", degrees = degrees)),
        degrees => Some(say!("{degrees}° up", degrees = degrees)),
    });
    let tilt = say!("tilted {degrees}°", degrees = decimal(roll, 0));
    let phrases: Vec<String> =
        [Some(facing(Facing::of(yaw)).to_owned()), aside, up, Some(tilt)].into_iter().flatten().collect();
    listed(&phrases)
}

#[cfg(test)]
mod tests {
    use super::super::super::language::{Language, set_current};
    use super::*;

    const EYES: [EyeState; 8] = [
        EyeState::Open,
        EyeState::NearlyClosed { opening: 0.2 },
        EyeState::Closed { opening: 0.1 },
        EyeState::OneClosed { opening: 0.1 },
        EyeState::OneHidden { contrast: 0.2 },
        EyeState::Covered { contrast: 0.2 },
        EyeState::DarkGlasses { contrast: 0.2 },
        EyeState::Unknown,
    ];

    #[test]
    fn measurements_are_translated() {
        let all = || {
            [Sharpness::Blurred, Sharpness::Fair, Sharpness::Sharp]
                .map(sharpness)
                .into_iter()
                .chain([Light::Overexposed, Light::Underexposed, Light::Bright, Light::Good].map(light))
                .chain([Facing::Frontal, Facing::Turned, Facing::Profile].map(facing))
                .chain(EYES.map(eyes))
                .collect::<Vec<_>>()
        };
        let english = all();
        assert_eq!(english[0], Sharpness::Blurred.id());
        assert_eq!((english[3], english[8]), (Light::Overexposed.id(), Facing::Turned.id()));
        set_current(Language::German);
        let german = all();
        set_current(Language::English);
        assert!(english.iter().zip(&german).all(|(english, german)| english != german), "{german:?}");
        assert_eq!(german[1..5], ["ziemlich scharf", "scharf", "überbelichtet", "unterbelichtet"]);
    }

    #[test]
    fn a_pose_has_directions_instead_of_signs() {
        assert_eq!(pose(0.4, None, 0.0), "frontal, tilted 0°");
        assert_eq!(pose(-4.2, Some(2.0), -3.0), "frontal, 4° left, 2° up, tilted -3°");
        set_current(Language::German);
        let german = pose(20.0, Some(-7.6), 3.0);
        set_current(Language::English);
        assert_eq!(german, "gedreht, 20° rechts, 8° abwärts, 3° geneigt");
    }
}
