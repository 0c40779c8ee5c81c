//! Crop planning: from faces, image size and a [`CropSpec`] to a [`CropPlan`] with the crop frame of each selected
//! face.
//!
//! Pure computation: no pixels, no files, no clock. The window plans again in every frame, so that a slider takes
//! effect at once; a batch plans with the same functions, so that the preview and the written crop agree.
//!
//! - `choose.rs`: [`choose_faces`] selects faces by score, size and place; [`eligible_faces`] applies the minimum score
//!   and size.
//! - `frame.rs`, `planned.rs`: [`plan_crops`] computes the frames, from the head or from a frame set by the user. A
//!   [`PlannedCrop`] is a frame in the upright image, its rotation, and the output size in pixels.
//! - `rule_check.rs`, `rule_result.rs`: [`check_rules`] checks a crop against the rules of a document, [`check_file`]
//!   the size and format of the file.
//! - `quality.rs`: thresholds and labels of the measurements, such as [`is_blurred`].
//! - `eyes.rs`, `shot_rank.rs`: [`eye_state`] says whether eyes are open, [`ShotRank`] ranks shots of one person.
//! - `review.rs`, `warning.rs`: [`review_crops`] returns the warnings of the crops, [`review_photo`] all reasons to
//!   review a photo.
//!
//! Frames are in pixels of the upright image and may extend beyond it if the edge policy allows that.

mod choose;
mod eyes;
mod frame;
mod planned;
mod quality;
mod review;
mod rule_check;
mod rule_result;
mod shot_rank;
#[cfg(test)]
mod test_faces;
mod warning;
mod warning_text;

pub use choose::{choose_faces, eligible_faces, portrait_quality};
pub use eyes::{EYE_CLOSED_BELOW, EYES_CLOSED_BELOW, EYES_NEARLY_CLOSED_BELOW, EyeState, eye_state};
pub use planned::PlannedCrop;
pub use quality::{
    BLURRED_BELOW, BRIGHT_FROM, CUT_OFF_FROM, FRONTAL_YAW, Facing, HEAD_WIDTH, Light, MAX_OVEREXPOSED_SHARE,
    MAX_UNDEREXPOSED_SHARE, PROFILE_YAW, SHARP_FROM, Sharpness, UNDEREXPOSED_BELOW, is_blurred, is_overexposed,
    is_underexposed, share_cut_off,
};
pub use review::{
    PhotoFacts, PlannedFaces, Reason, ReasonGroup, ReasonKind, Review, Severity, review_crops, review_photo,
};
pub use rule_check::{HeadInCrop, RangeLines, check_file, check_rules, head_in_crop, range_lines};
pub use rule_result::{FileFault, InRange, RuleCheck, RuleKind, RuleResult, SizeFault};
pub use shot_rank::ShotRank;
pub use warning::{Warning, WarningKind};

use std::borrow::Cow;

use geometry::{Face, ManualFrame, Size};
use recipe::CropSpec;

/// The crops of an image: one entry for each selected face.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CropPlan {
    /// The crops, from left to right or in the user's order.
    pub crops: Vec<PlannedCrop>,
}

/// Selects faces by `spec` and frames each of them.
pub fn plan_crops(faces: &[Face], picture: Size, spec: &CropSpec) -> CropPlan {
    plan_chosen(faces, &choose_faces(faces, picture, spec), picture, spec)
}

/// Frames the faces at `chosen` (indices into `faces`), from left to right; unusable faces and invalid indices are
/// skipped.
pub fn plan_chosen(faces: &[Face], chosen: &[usize], picture: Size, spec: &CropSpec) -> CropPlan {
    let mut plan = plan_in_order(faces, chosen, picture, spec);
    plan.crops.sort_by(|a, b| left_to_right(&faces[a.face_index], &faces[b.face_index]));
    plan
}

/// Like [`plan_chosen`], in the order of `chosen`.
pub fn plan_in_order(faces: &[Face], chosen: &[usize], picture: Size, spec: &CropSpec) -> CropPlan {
    let crops = chosen.iter().filter_map(|&face_index| {
        let face = faces.get(face_index).filter(|face| face.is_usable())?;
        let mut crop = match &face.frame {
            Some(frame) => PlannedCrop::manual((face_index, face), frame, picture, spec.output)?,
            None => {
                let (frame, angle) = frame::frame_face(face, picture, spec)?;
                let (output, padding_share) = (spec.output, 0.0);
                let mut crop = PlannedCrop { face_index, frame, angle, output, padding_share, face: Some(face.bbox) };
                crop.padding_share = crop.share_outside(picture);
                crop
            }
        };
        if spec.original_size {
            crop.output = planned::original_size(crop.frame);
        }
        Some(crop)
    });
    CropPlan { crops: crops.collect() }
}

/// The faces as the output with the index `output` frames them; `sizes` are those of all outputs. A frame set by the user
/// applies to the outputs with its aspect ratio, or to the first one if no output has it; other crops follow the head.
pub fn faces_of_output<'a>(faces: &'a [Face], sizes: &[Size], output: usize) -> Cow<'a, [Face]> {
    let has = |size: &Size, frame: &ManualFrame| planned::has_aspect(frame, *size);
    let applies = |frame: &ManualFrame| {
        sizes.get(output).is_some_and(|size| has(size, frame))
            || (output == 0 && !sizes.iter().any(|size| has(size, frame)))
    };
    if faces.iter().all(|face| face.frame.as_ref().is_none_or(applies)) {
        return Cow::Borrowed(faces);
    }
    let follows_head = |face: &Face| Face { frame: face.frame.filter(applies), ..*face };
    Cow::Owned(faces.iter().map(follows_head).collect())
}

/// The default numbering order of faces.
pub fn left_to_right(a: &Face, b: &Face) -> std::cmp::Ordering {
    let (a, b) = (a.bbox.center(), b.bbox.center());
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

#[cfg(test)]
mod tests;
