//! The warnings of planned crops. `portrait` has those on eyes, pose and background, `photo` adds the other reasons to
//! review a photo.

mod photo;
mod portrait;

pub use photo::{PhotoFacts, PlannedFaces, Reason, ReasonGroup, ReasonKind, Review, Severity, review_photo};

use geometry::{Face, Head, Size, estimate_head};
use recipe::{CropSpec, EdgePolicy, Select};

use super::frame::{Frame, RollCorrection, kept_hair};
use super::warning::{Warning, WarningKind};
use super::{
    CUT_OFF_FROM, CropPlan, HeadInCrop, PlannedCrop, check_rules, eligible_faces, head_in_crop, is_blurred,
    is_overexposed, is_underexposed, share_cut_off,
};

/// Crops enlarged by more than this appear blurred beside others.
const ENLARGED_FROM: f32 = 1.5;

/// A warning is given if the head is higher in the crop than requested by more than this share.
const TOO_HIGH_FROM: f32 = 0.1;

/// A warning is given if the head is off its place by more than this share of the crop's side.
const OFF_CENTER_FROM: f32 = 0.05;

/// A warning is given if the crop's frame cuts off more than this share of the head; hair is often cut deliberately.
const CUT_BY_FRAME_FROM: f32 = 0.1;

/// A warning is given if the crop cuts off more of the hair than this share of the head; less is rounding.
const HAIR_CUT_FROM: f32 = 0.01;

/// A warning is given for lower scores: textures without a face score 0.6 to 0.8 (docs/dev/detection.md).
const LOW_SCORE_BELOW: f32 = 0.8;

/// A warning is given for faces below this height in pixels of the photo: their landmarks have a large error.
const SMALL_BELOW: f32 = 48.0;

/// The selection of one face is ambiguous if another one has at least this share of its height: people in the
/// background are usually smaller.
const CLOSE_FROM: f32 = 0.7;

/// Tolerance of the padding limit: values in a spec are written with few digits.
const PADDING_TOLERANCE: f32 = 1e-4;

/// The number of faces to select from, and whether another is about as large as the selected one; `None` if no
/// selection was necessary.
fn selection(faces: &[Face], plan: &CropPlan, spec: &CropSpec) -> Option<(usize, bool)> {
    if spec.select == Select::All {
        return None;
    }
    let counted = eligible_faces(faces, spec);
    let picked = plan.crops.first().filter(|_| counted.len() > 1)?.face_index;
    let height = faces.get(picked)?.bbox.height;
    let close = counted.iter().any(|&index| index != picked && faces[index].bbox.height >= height * CLOSE_FROM);
    Some((counted.len(), close))
}

/// The warnings of the crops of `plan`, made from `faces` of a photo of `picture` pixels by `spec`: those of the photo
/// first, then crop by crop. `manual` is true if the user selected the faces.
pub fn review_crops(faces: &[Face], plan: &CropPlan, picture: Size, spec: &CropSpec, manual: bool) -> Vec<Warning> {
    // Faces selected or drawn manually count regardless of their size.
    let found = eligible_faces(faces, spec).len().max(plan.crops.len());
    let number = u32::try_from(found).unwrap_or(u32::MAX);
    let min = spec.expected.min.unwrap_or(1);
    let few = (number < min).then_some(WarningKind::FewFaces { found, min });
    let many = spec.expected.max.filter(|max| number > *max).map(|max| WarningKind::ManyFaces { found, max });
    let picked = selection(faces, plan, spec).filter(|(_, close)| *close && !manual && many.is_none());
    let one = picked.map(|(found, _)| WarningKind::OneOfMany { found });
    let mut warnings: Vec<Warning> =
        few.into_iter().chain(many).chain(one).map(|kind| Warning { crop: None, kind }).collect();
    for (index, crop) in plan.crops.iter().enumerate() {
        let Some(face) = faces.get(crop.face_index).filter(|face| face.is_usable()) else { continue };
        let second = portrait::second_person(faces, plan, crop, spec);
        let kinds = second.into_iter().chain(review_crop(face, crop, picture, spec));
        warnings.extend(kinds.map(|kind| Warning { crop: Some(index), kind }));
    }
    warnings
}

fn review_crop(face: &Face, crop: &PlannedCrop, picture: Size, spec: &CropSpec) -> Vec<WarningKind> {
    let mut kinds = Vec::new();
    let mut add_if = |applies: bool, kind: WarningKind| {
        if applies {
            kinds.push(kind);
        }
    };
    let estimate = estimate_head(face);
    let roll = RollCorrection::of(&estimate.head, spec);
    let degrees = (-roll.quarter_roll).rem_euclid(360.0) as u16;
    let tilt = if roll.quarter_roll == 0.0 || roll.rotates { roll.tilt } else { 0.0 };
    // If the user set the frame, its rotation is intended.
    let by_spec = face.frame.is_none();
    // If the user set the head, it is a face.
    let is_estimated = by_spec && face.head.is_none();
    let is_confirmed = face.mesh.is_some_and(|mesh| mesh.is_sure());
    add_if(is_estimated && face.score < LOW_SCORE_BELOW && !is_confirmed, WarningKind::LowScore { score: face.score });
    let height = face.bbox.height;
    add_if(is_estimated && height < SMALL_BELOW, WarningKind::Small { height });
    add_if(by_spec && roll.rotates, WarningKind::Rotated { degrees });
    let is_sideways = by_spec && roll.quarter_roll != 0.0 && !roll.rotates;
    add_if(is_sideways, WarningKind::Sideways { degrees });
    let stays_tilted = by_spec && spec.level && tilt.abs() > spec.level_limit;
    add_if(stays_tilted, WarningKind::Tilted { tilt, limit: spec.level_limit });
    if let Some(doubt) = estimate.doubt.filter(|_| by_spec) {
        add_if(true, WarningKind::Doubtful(doubt));
    }
    let share = share_cut_off(&estimate.head, picture);
    let cut_by_photo = share >= CUT_OFF_FROM;
    add_if(cut_by_photo, WarningKind::CutOff { share });
    if let Some(cropped) = CroppedHead::of(&estimate.head, crop) {
        let share = share_cut_off(&cropped.head, crop.output);
        let cut_by_frame = share > CUT_BY_FRAME_FROM && !cut_by_photo;
        add_if(cut_by_frame, WarningKind::CutByFrame { share });
        if let Some(hair) = kept_hair(face, &estimate.head, spec).filter(|_| by_spec && !cut_by_frame) {
            let share = cropped.hair_cut_off(hair / estimate.head.height(), crop.output);
            add_if(share > HAIR_CUT_FROM, WarningKind::HairCut { share });
        }
        // The document's own rules are more specific.
        let has_ranges = spec.rules.as_ref().is_some_and(|rules| rules.head.is_some() || rules.eye_line.is_some());
        if by_spec && spec.edge == EdgePolicy::Shrink && !has_ranges {
            let (head, asked) = (cropped.lines.height, spec.head_height);
            let too_close = head > asked * (1.0 + TOO_HIGH_FROM);
            add_if(too_close, WarningKind::TooClose { head, asked });
            let by = offset(&Frame::requested(face, &estimate.head, spec), crop);
            add_if(by > OFF_CENTER_FROM && !too_close && !cut_by_photo, WarningKind::OffCenter { by });
        }
    }
    let (share, max) = (crop.padding_share, spec.max_padding);
    add_if(
        (spec.edge.adds_pixels() || !by_spec) && share > max + PADDING_TOLERANCE,
        WarningKind::Padded { share, max },
    );
    for check in spec.rules.iter().flat_map(|rules| check_rules(crop, &estimate.head, rules)) {
        add_if(!check.met, WarningKind::Rule(check));
    }
    // A tilt that is already reported is not reported twice.
    let checks_roll = !is_sideways && !stays_tilted;
    for kind in portrait::review_portrait(face, &estimate, crop, spec.rules.as_ref(), checks_roll) {
        add_if(true, kind);
    }
    if let Some(measures) = &face.measures {
        if let Some(sharpness) = measures.sharpness {
            add_if(is_blurred(sharpness), WarningKind::Blurred { sharpness });
        }
        add_if(is_underexposed(measures), WarningKind::Underexposed { lightness: measures.lightness });
        add_if(is_overexposed(measures), WarningKind::Overexposed { share: measures.overexposed });
    }
    let times = crop.enlargement();
    add_if(times > ENLARGED_FROM, WarningKind::Enlarged { times });
    kinds
}

/// Distance of the head from its requested place, as a share of the crop's height or width, whichever is larger.
fn offset(requested: &Frame, crop: &PlannedCrop) -> f32 {
    let anchor = requested.placed_anchor();
    let Some(crop_from_image) = crop.image_from_crop().inverse() else { return 0.0 };
    let place = crop_from_image.apply(anchor.in_image);
    let (x, y) = (place.x / crop.output.width.max(1) as f32, place.y / crop.output.height.max(1) as f32);
    (x - anchor.share_x).abs().max((y - anchor.share_y).abs())
}

/// A head in crop coordinates.
struct CroppedHead {
    lines: HeadInCrop,
    /// The head in pixels of the crop.
    head: Head,
}

impl CroppedHead {
    fn of(head: &Head, crop: &PlannedCrop) -> Option<Self> {
        let lines = head_in_crop(crop, head)?;
        let crop_from_image = crop.image_from_crop().inverse()?;
        let at = |point| crop_from_image.apply(point);
        let eyes = at(head.eyes);
        let cropped = Head {
            eyes,
            eyes_to_crown: at(head.crown()).distance(eyes),
            eyes_to_chin: at(head.chin()).distance(eyes),
            roll: head.roll - crop.angle,
        };
        Some(Self { lines, head: cropped })
    }

    /// Part of the distance from chin to top of the hair that is beyond an edge of a crop of `output` pixels, 0 to 1.
    /// The top of the hair is `hair` times the head's height above the eye line.
    fn hair_cut_off(&self, hair: f32, output: Size) -> f32 {
        let hair = hair * self.head.height();
        let top = self.head.above_eyes(hair);
        let (width, height) = (output.width as f32, output.height as f32);
        let beyond = (-top.x).max(top.x - width).max(-top.y).max(top.y - height);
        (beyond / (hair + self.head.eyes_to_chin)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests;
