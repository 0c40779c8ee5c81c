//! The warnings of planned crops. `photo` adds the other reasons to review a photo.

mod photo;

pub use photo::{PhotoFacts, PlannedFaces, Reason, ReasonGroup, ReasonKind, Review, Severity, review_photo};

use geometry::{Face, Head, Size, estimate_head};
use recipe::{CropSpec, EdgePolicy, Position, Select};

use super::frame::RollCorrection;
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
        let kinds = review_crop(face, crop, picture, spec).into_iter();
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
    add_if(is_estimated && face.score < LOW_SCORE_BELOW, WarningKind::LowScore { score: face.score });
    let height = face.bbox.height;
    add_if(is_estimated && height < SMALL_BELOW, WarningKind::Small { height });
    add_if(by_spec && roll.rotates, WarningKind::Rotated { degrees });
    add_if(by_spec && roll.quarter_roll != 0.0 && !roll.rotates, WarningKind::Sideways { degrees });
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
        add_if(share > CUT_BY_FRAME_FROM && !cut_by_photo, WarningKind::CutByFrame { share });
        // The document's own rules are more specific.
        let has_ranges = spec.rules.as_ref().is_some_and(|rules| rules.head.is_some() || rules.eye_line.is_some());
        if by_spec && spec.edge == EdgePolicy::Shrink && !has_ranges {
            let (head, asked) = (cropped.lines.height, spec.head_height);
            let too_close = head > asked * (1.0 + TOO_HIGH_FROM);
            add_if(too_close, WarningKind::TooClose { head, asked });
            let by = cropped.offset(face, spec);
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

/// A head in crop coordinates.
struct CroppedHead {
    lines: HeadInCrop,
    /// The head in pixels of the crop.
    head: Head,
    /// Distance from the crop's left edge to the head's center, as a share of the crop's width.
    across: f32,
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
        let across = at(head.center()).x / crop.output.width.max(1) as f32;
        Some(Self { lines, head: cropped, across })
    }

    /// Distance of the head from its requested place, as a share of the crop's height or width, whichever is larger.
    fn offset(&self, face: &Face, spec: &CropSpec) -> f32 {
        let lines = &self.lines;
        let hair = spec.follow_hair && face.measures.is_some_and(|measures| measures.eyes_to_hair.is_some());
        let down = match spec.position {
            Position::Middle => f32::midpoint(lines.crown, lines.chin) - 0.5,
            Position::EyeLine { from_bottom } => lines.eye_line() - from_bottom,
            // With headroom measured from the hair, the space above the crown depends on the hair.
            Position::Headroom { .. } if hair => 0.0,
            Position::Headroom { share } => lines.crown - share,
        };
        down.abs().max((self.across - 0.5 - spec.shift_right).abs())
    }
}

#[cfg(test)]
mod tests;
