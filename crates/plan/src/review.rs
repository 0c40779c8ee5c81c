//! Plan -> concerns: what a person should have a look at before the crops are used. `photo` adds all else that is known.

mod photo;

pub use photo::{FacesSeen, PhotoFacts, Reason, ReasonGroup, ReasonKind, Review, Severity, review_photo};

use geometry::{Face, Head, Size, estimate_head};
use recipe::{CropSpec, EdgePolicy, Position, Select};

use super::frame::Turn;
use super::warning::{Warning, WarningKind};
use super::{
    CUT_OFF_FROM, CropPlan, HeadInCrop, PlannedCrop, check_rules, faces_that_count, head_in_crop, is_burnt_out,
    is_dark, is_soft, share_cut_off,
};

/// Crops enlarged by more than this look soft beside others; less is hardly seen.
const ENLARGED_FROM: f32 = 1.5;

/// Heads higher in the crop than asked for by more than this share are told.
const TOO_HIGH_FROM: f32 = 0.1;

/// Heads that stand off their place by more than this share of the crop's side are told.
const OFF_PLACE_FROM: f32 = 0.05;

/// Heads of which the crop's own frame cuts off more than this are told: hair is often cut on purpose.
const CUT_BY_FRAME_FROM: f32 = 0.1;

/// Faces that score less are told: textures without a face score 0.6 to 0.8 (docs/dev/detection.md).
const LOW_SCORE_BELOW: f32 = 0.8;

/// Faces less high than this in the photo, in pixels, are told: their landmarks are off by a good part of the head.
const SMALL_BELOW: f32 = 48.0;

/// The choice of one face is close if another is at least this share of its height: people behind or beside the one a photo is of
/// are mostly smaller.
const CLOSE_FROM: f32 = 0.7;

/// Padding is told only where it is more than allowed by this share: numbers in a spec are written with a few places.
const PADDING_TOLERANCE: f32 = 1e-4;

/// How many faces there were to pick one from, and whether another is about as large as the one picked; `None` if nothing had to
/// be picked.
fn picked_one(faces: &[Face], plan: &CropPlan, spec: &CropSpec) -> Option<(usize, bool)> {
    if spec.select == Select::All {
        return None;
    }
    let counted = faces_that_count(faces, spec);
    let picked = plan.crops.first().filter(|_| counted.len() > 1)?.face_index;
    let height = faces.get(picked)?.bbox.height;
    let close = counted.iter().any(|&index| index != picked && faces[index].bbox.height >= height * CLOSE_FROM);
    Some((counted.len(), close))
}

/// What speaks against the crops of `plan`, made from `faces` of a photo of `picture` pixels by `spec`: first what is about
/// the photo, then crop by crop. `manual` says that a person has chosen the faces.
pub fn review_crops(faces: &[Face], plan: &CropPlan, picture: Size, spec: &CropSpec, manual: bool) -> Vec<Warning> {
    // Faces picked or drawn by hand count, however small they are.
    let found = faces_that_count(faces, spec).len().max(plan.crops.len());
    let number = u32::try_from(found).unwrap_or(u32::MAX);
    let min = spec.expected.min.unwrap_or(1);
    let few = (number < min).then_some(WarningKind::FewFaces { found, min });
    let many = spec.expected.max.filter(|max| number > *max).map(|max| WarningKind::ManyFaces { found, max });
    let picked = picked_one(faces, plan, spec).filter(|(_, close)| *close && !manual && many.is_none());
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
    let mut when = |is_so: bool, kind: WarningKind| {
        if is_so {
            kinds.push(kind);
        }
    };
    let estimate = estimate_head(face);
    let turn = Turn::of(&estimate.head, spec);
    let degrees = (-turn.lies).rem_euclid(360.0) as u16;
    let tilt = if turn.lies == 0.0 || turn.turns_upright { turn.tilt } else { 0.0 };
    // Where a person has set the frame, how it lies is their doing.
    let by_spec = face.frame.is_none();
    // Whoever set its head has seen that it is one.
    let is_estimated = by_spec && face.head.is_none();
    when(is_estimated && face.score < LOW_SCORE_BELOW, WarningKind::LowScore { score: face.score });
    let height = face.bbox.height;
    when(is_estimated && height < SMALL_BELOW, WarningKind::Small { height });
    when(by_spec && turn.turns_upright, WarningKind::Turned { degrees });
    when(by_spec && turn.lies != 0.0 && !turn.turns_upright, WarningKind::Sideways { degrees });
    let is_left_tilted = by_spec && spec.level && tilt.abs() > spec.level_limit;
    when(is_left_tilted, WarningKind::Tilted { tilt, limit: spec.level_limit });
    if let Some(doubt) = estimate.doubt.filter(|_| by_spec) {
        when(true, WarningKind::Doubtful(doubt));
    }
    let share = share_cut_off(&estimate.head, picture);
    let cut_by_photo = share >= CUT_OFF_FROM;
    when(cut_by_photo, WarningKind::CutOff { share });
    if let Some(seen) = HeadSeen::of(&estimate.head, crop) {
        let share = share_cut_off(&seen.head, crop.output);
        when(share > CUT_BY_FRAME_FROM && !cut_by_photo, WarningKind::CutByFrame { share });
        // A document's own bands say it better.
        let has_bands = spec.rules.as_ref().is_some_and(|rules| rules.head.is_some() || rules.eye_line.is_some());
        if by_spec && spec.edge == EdgePolicy::Shrink && !has_bands {
            let (head, asked) = (seen.lines.height, spec.head_height);
            let too_close = head > asked * (1.0 + TOO_HIGH_FROM);
            when(too_close, WarningKind::TooClose { head, asked });
            let by = seen.off_place(face, spec);
            when(by > OFF_PLACE_FROM && !too_close && !cut_by_photo, WarningKind::OffCenter { by });
        }
    }
    let (share, max) = (crop.padding_share, spec.max_padding);
    when((spec.edge.invents() || !by_spec) && share > max + PADDING_TOLERANCE, WarningKind::Padded { share, max });
    for check in spec.rules.iter().flat_map(|rules| check_rules(crop, &estimate.head, rules)) {
        when(!check.met, WarningKind::Rule(check));
    }
    if let Some(measures) = &face.measures {
        if let Some(sharpness) = measures.sharpness {
            when(is_soft(sharpness), WarningKind::Soft { sharpness });
        }
        when(is_dark(measures), WarningKind::Dark { lightness: measures.lightness });
        when(is_burnt_out(measures), WarningKind::Bright { share: measures.overexposed });
    }
    let times = crop.enlargement();
    when(times > ENLARGED_FROM, WarningKind::Enlarged { times });
    kinds
}

/// A head as its crop shows it.
struct HeadSeen {
    lines: HeadInCrop,
    /// In pixels of the crop.
    head: Head,
    /// From the crop's left edge to the head's middle, as a share of the crop's width.
    across: f32,
}

impl HeadSeen {
    fn of(head: &Head, crop: &PlannedCrop) -> Option<Self> {
        let lines = head_in_crop(crop, head)?;
        let crop_from_picture = crop.picture_from_crop().inverse()?;
        let at = |point| crop_from_picture.apply(point);
        let eyes = at(head.eyes);
        let seen = Head {
            eyes,
            eyes_to_crown: at(head.crown()).distance(eyes),
            eyes_to_chin: at(head.chin()).distance(eyes),
            roll: head.roll - crop.angle,
        };
        let across = at(head.center()).x / crop.output.width.max(1) as f32;
        Some(Self { lines, head: seen, across })
    }

    /// How far the head stands from where `spec` puts it, as a share of the crop's height or width, whichever is more.
    fn off_place(&self, face: &Face, spec: &CropSpec) -> f32 {
        let lines = &self.lines;
        let hair = spec.follow_hair && face.measures.is_some_and(|measures| measures.eyes_to_hair.is_some());
        let down = match spec.position {
            Position::Middle => f32::midpoint(lines.crown, lines.chin) - 0.5,
            Position::EyeLine { from_bottom } => lines.eye_line() - from_bottom,
            // Measured from the hair, the room above the crown is whatever the hair leaves.
            Position::Headroom { .. } if hair => 0.0,
            Position::Headroom { share } => lines.crown - share,
        };
        down.abs().max((self.across - 0.5 - spec.shift_right).abs())
    }
}

#[cfg(test)]
mod tests;
