//! Warnings on eyes, mouth, pose, background and other people.

use geometry::{BackgroundMeasures, Face, FaceMesh, HeadEstimate};
use recipe::{Backdrop, CropSpec, DocumentRules, Select};

use crate::{CropPlan, EyeState, PROFILE_YAW, PlannedCrop, WarningKind, eligible_faces, eye_state};

/// Absolute gaze above which the eyes look aside. Nobody of 94 people who looked at the camera measured more than 0.07.
const LOOKING_ASIDE_FROM: f32 = 0.09;

/// Opening from which the mouth is open. Closed mouths measure at most 0.093, open ones usually more than 0.1.
const MOUTH_OPEN_FROM: f32 = 0.1;

/// Errors of the yaw and the pitch in degrees, by which a limit must be exceeded: nine in ten of 35 faces that look
/// frontal measure at most 7.8 and 10.7 degrees.
const YAW_ERROR: f32 = 5.0;
const PITCH_ERROR: f32 = 7.0;

/// Unevenness above which a background is not plain, by its definition.
const MAX_UNEVENNESS: f32 = 1.0;

/// Outside documents, another person in the crop is reported from this share of the height of its face: smaller ones
/// are in the background.
const SECOND_PERSON_FROM: f32 = 0.5;

/// The warnings on eyes, mouth, pose and background. `checks_roll` is false if the tilt is already reported.
pub(super) fn review_portrait(
    face: &Face,
    estimate: &HeadEstimate,
    crop: &PlannedCrop,
    rules: Option<&DocumentRules>,
    checks_roll: bool,
) -> Vec<WarningKind> {
    let mut kinds = Vec::new();
    kinds.extend(eyes(face));
    let mesh = face.mesh.filter(FaceMesh::is_sure);
    if let Some(mesh) = mesh.filter(|_| rules.is_some_and(|rules| rules.neutral_expression)) {
        kinds.extend(expression(&mesh).into_iter().flatten());
    }
    if let Some(limits) = rules.and_then(|rules| rules.pose) {
        if let Some(FaceMesh { yaw, pitch, .. }) = mesh {
            // A profile is already reported.
            let is_turned = yaw.abs() > limits.yaw + YAW_ERROR && estimate.doubt.is_none();
            kinds.extend(is_turned.then_some(WarningKind::HeadTurned { yaw, limit: limits.yaw }));
            let is_pitched = pitch.abs() > limits.pitch + PITCH_ERROR;
            kinds.extend(is_pitched.then_some(WarningKind::HeadPitched { pitch, limit: limits.pitch }));
        }
        let roll = (estimate.head.roll - crop.angle + 180.0).rem_euclid(360.0) - 180.0;
        let is_tilted = checks_roll && roll.abs() > limits.roll;
        kinds.extend(is_tilted.then_some(WarningKind::HeadTilted { roll, limit: limits.roll }));
    }
    let background = face.mask.and_then(|mask| mask.background);
    let backdrop = rules.and_then(|rules| rules.backdrop).zip(background);
    kinds.extend(backdrop.into_iter().flat_map(|(backdrop, measured)| review_background(backdrop, &measured)));
    kinds
}

fn eyes(face: &Face) -> Option<WarningKind> {
    Some(match eye_state(face) {
        EyeState::Open | EyeState::Unknown => return None,
        EyeState::Closed { opening } => WarningKind::EyesClosed { opening },
        EyeState::NearlyClosed { opening } => WarningKind::EyesNearlyClosed { opening },
        EyeState::OneClosed { opening } => WarningKind::EyeClosed { opening },
        EyeState::OneHidden { contrast } => WarningKind::EyeHidden { contrast },
        EyeState::Covered { contrast } => WarningKind::EyesCovered { contrast },
        EyeState::DarkGlasses { contrast } => WarningKind::DarkGlasses { contrast },
    })
}

/// Violations of a neutral expression; none for a profile, whose mouth and gaze cannot be measured.
fn expression(mesh: &FaceMesh) -> [Option<WarningKind>; 2] {
    if mesh.yaw.abs() >= PROFILE_YAW {
        return [None, None];
    }
    let gaze = mesh.gaze.filter(|gaze| gaze.abs() > LOOKING_ASIDE_FROM);
    let opening = mesh.mouth_opening.filter(|opening| *opening > MOUTH_OPEN_FROM);
    [gaze.map(|gaze| WarningKind::LookingAside { gaze }), opening.map(|opening| WarningKind::MouthOpen { opening })]
}

fn review_background(backdrop: Backdrop, measured: &BackgroundMeasures) -> impl Iterator<Item = WarningKind> + use<> {
    let &BackgroundMeasures { lightness, unevenness, shadow, .. } = measured;
    let range = backdrop.lightness().filter(|range| !(range.min..=range.max).contains(&lightness));
    let kinds = [
        (unevenness > MAX_UNEVENNESS).then_some(WarningKind::NotPlain { unevenness }),
        range.map(|range| WarningKind::BackgroundLightness { lightness, range }),
        (shadow > 0.0).then_some(WarningKind::Shadow { shadow }),
    ];
    kinds.into_iter().flatten()
}

/// The highest other face in `crop`: in a document every one counts, otherwise one that is not cropped as well and is
/// not clearly smaller.
pub(super) fn second_person(
    faces: &[Face],
    plan: &CropPlan,
    crop: &PlannedCrop,
    spec: &CropSpec,
) -> Option<WarningKind> {
    let is_document = spec.rules.as_ref().is_some_and(DocumentRules::is_document);
    if !is_document && spec.select == Select::All {
        return None;
    }
    let crop_from_image = crop.image_from_crop().inverse()?;
    let (width, height) = (crop.output.width as f32, crop.output.height as f32);
    let is_inside = |face: &Face| {
        let center = crop_from_image.apply(face.bbox.center());
        (0.0..=width).contains(&center.x) && (0.0..=height).contains(&center.y)
    };
    let has_a_crop = |index| plan.crops.iter().any(|other| other.face_index == index);
    let own_height = faces.get(crop.face_index)?.bbox.height;
    let others = eligible_faces(faces, spec).into_iter().filter(|&index| index != crop.face_index);
    let counted = others.filter(|&index| is_document || !has_a_crop(index));
    let heights = counted.map(|index| &faces[index]).filter(|face| is_inside(face));
    let ratio = heights.map(|face| face.bbox.height / own_height).max_by(f32::total_cmp)?;
    (is_document || ratio >= SECOND_PERSON_FROM).then_some(WarningKind::SecondPerson { height: ratio })
}
