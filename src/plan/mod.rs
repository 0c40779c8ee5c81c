//! Faces + picture size + [`CropSpec`] -> [`CropPlan`]: which faces are cropped, and where.
//!
//! Pure: no pixels, no files, no clock. The window plans again in every frame, so a slider is felt at once; the batch
//! plans with the same functions, so what was shown is what is written.

mod choose;
mod color;
mod finish;
mod frame;
mod own_preset;
mod planned;
mod preset_file;
mod presets;
mod quality;
mod review;
mod rule_check;
mod rules;
mod sheet;
mod spec;

pub use crate::geometry::{HeadDoubt, HeadEstimate, estimate_head};
pub use choose::{choose_faces, faces_that_count, portrait_quality};
pub use color::{Color, ColorError};
pub use finish::{Adjust, FinishSpec, RenderSpec, Shape};
pub use planned::PlannedCrop;
pub use preset_file::{MAX_PRESET_FILE_BYTES, PresetError, PresetFault, presets_from_toml, presets_to_toml, unused_id};
pub use presets::{FileHints, Preset, PresetGroup, PresetSize, built_in_presets, find_preset};
pub use quality::{
    BLACK_SHARE, BRIGHT_FROM, CUT_OFF_FROM, DARK_BELOW, FRONTAL_YAW, HEAD_WIDTH, PROFILE_YAW, SHARP_FROM, SOFT_BELOW,
    WHITE_SHARE, facing_in_words, is_burnt_out, is_dark, is_soft, light_in_words, share_cut_off, sharpness_in_words,
};
pub use review::{Concern, ConcernKind, review_crops};
pub use rule_check::{BandLines, HeadInCrop, RuleCheck, RuleKind, band_lines, check_file, check_rules, head_in_crop};
pub use rules::{Band, DocumentRules};
pub use sheet::{Paper, SheetError, SheetFormat, SheetLayout, SheetSpec};
pub use spec::{CropSpec, EdgePolicy, Expected, Position, Select, SpecError};

use crate::geometry::{Face, Size};

/// What a picture's crops will be: one entry a chosen face, from left to right in the picture.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CropPlan {
    /// The crops, from left to right.
    pub crops: Vec<PlannedCrop>,
}

/// Chooses faces as `spec` says and frames each of them.
pub fn plan_crops(faces: &[Face], picture: Size, spec: &CropSpec) -> CropPlan {
    plan_chosen(faces, &choose_faces(faces, picture, spec), picture, spec)
}

/// Frames the faces at `chosen` (indices into `faces`); unusable faces and indices past the end are passed over.
pub fn plan_chosen(faces: &[Face], chosen: &[usize], picture: Size, spec: &CropSpec) -> CropPlan {
    let mut crops: Vec<PlannedCrop> = chosen
        .iter()
        .filter_map(|&face_index| {
            let face = faces.get(face_index).filter(|face| face.is_usable())?;
            let (frame, angle) = frame::frame_face(face, picture, spec)?;
            let mut crop = PlannedCrop { face_index, frame, angle, output: spec.output, padding_share: 0.0 };
            crop.padding_share = crop.share_outside(picture);
            Some(crop)
        })
        .collect();
    crops.sort_by(|a, b| {
        let center = |crop: &PlannedCrop| faces[crop.face_index].bbox.center();
        center(a).x.total_cmp(&center(b).x).then(center(a).y.total_cmp(&center(b).y))
    });
    CropPlan { crops }
}

#[cfg(test)]
mod tests;
