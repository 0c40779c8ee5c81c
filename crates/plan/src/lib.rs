//! Faces, a picture's size and a [`CropSpec`] to a [`CropPlan`]: which faces are cropped, and where.
//!
//! Pure: no pixels, no files, no clock. The window plans again in every frame, so that a slider is felt at once; a batch plans with the
//! same functions, so that what was shown is what is written.
//!
//! - [`choose_faces`] picks faces by score, size and place; [`faces_that_count`] leaves out those below the limits asked for.
//! - [`plan_crops`] frames them: by the head, or as a person has drawn it. A [`PlannedCrop`] is a frame in the upright picture, turned by
//!   its angle, and the size in pixels that it becomes.
//! - [`check_rules`] measures a plan against the rules of a document; [`check_file`] does it for the file's size and format.
//! - [`review_crops`] and [`review_photo`] say what needs a look, and why.
//!
//! Frames are in pixels of the upright picture and may reach beyond it if the edge policy allows that.

mod choose;
mod frame;
mod planned;
mod quality;
mod review;
mod rule_check;
mod rule_found;
mod warning;

pub use choose::{choose_faces, faces_that_count, portrait_quality};
pub use planned::PlannedCrop;
pub use quality::{
    BLACK_SHARE, BRIGHT_FROM, CUT_OFF_FROM, DARK_BELOW, FRONTAL_YAW, Facing, HEAD_WIDTH, Light, PROFILE_YAW,
    SHARP_FROM, SOFT_BELOW, Sharpness, WHITE_SHARE, is_burnt_out, is_dark, is_soft, share_cut_off,
};
pub use review::{
    FacesSeen, PhotoFacts, Reason, ReasonGroup, ReasonKind, Review, Severity, review_crops, review_photo,
};
pub use rule_check::{HeadInCrop, RangeLines, check_file, check_rules, head_in_crop, range_lines};
pub use rule_found::{FileFault, InRange, RuleCheck, RuleFound, RuleKind, SizeFault};
pub use warning::{Warning, WarningKind};

use geometry::{Face, Size};
use recipe::CropSpec;

/// What a picture's crops will be: one entry a chosen face.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CropPlan {
    /// The crops, from left to right or in a person's order.
    pub crops: Vec<PlannedCrop>,
}

/// Chooses faces as `spec` says and frames each of them.
pub fn plan_crops(faces: &[Face], picture: Size, spec: &CropSpec) -> CropPlan {
    plan_chosen(faces, &choose_faces(faces, picture, spec), picture, spec)
}

/// Frames the faces at `chosen` (indices into `faces`), from left to right; unusable faces and indices past the end are passed
/// over.
pub fn plan_chosen(faces: &[Face], chosen: &[usize], picture: Size, spec: &CropSpec) -> CropPlan {
    let mut plan = plan_in_order(faces, chosen, picture, spec);
    plan.crops.sort_by(|a, b| left_to_right(&faces[a.face_index], &faces[b.face_index]));
    plan
}

/// The same in the order of `chosen`, which is a person's.
pub fn plan_in_order(faces: &[Face], chosen: &[usize], picture: Size, spec: &CropSpec) -> CropPlan {
    let crops = chosen.iter().filter_map(|&face_index| {
        let face = faces.get(face_index).filter(|face| face.is_usable())?;
        if let Some(frame) = &face.frame {
            return PlannedCrop::manual(face_index, frame, picture, spec.output);
        }
        let (frame, angle) = frame::frame_face(face, picture, spec)?;
        let mut crop = PlannedCrop { face_index, frame, angle, output: spec.output, padding_share: 0.0 };
        crop.padding_share = crop.share_outside(picture);
        Some(crop)
    });
    CropPlan { crops: crops.collect() }
}

/// The order in which faces are numbered unless a person says otherwise.
pub fn left_to_right(a: &Face, b: &Face) -> std::cmp::Ordering {
    let (a, b) = (a.bbox.center(), b.bbox.center());
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

#[cfg(test)]
mod tests;
