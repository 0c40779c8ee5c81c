//! Faces + picture size + [`CropSpec`] -> [`CropPlan`]: which faces are cropped, and where.
//!
//! Pure: no pixels, no files, no clock. The window plans again in every frame, so a slider is felt at once; the batch
//! plans with the same functions, so what was shown is what is written.

mod choose;
mod color;
mod frame;
mod presets;
mod spec;

pub use choose::{choose_faces, filter_by_score};
pub use color::{Color, ColorError};
pub use presets::{PRESETS, Preset, find_preset};
pub use spec::{CropSpec, EdgePolicy, Position, Select, SpecError};

use crate::geometry::{Face, PixelRect, Size};

/// Where one face's crop is taken from and how large it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedCrop {
    /// Index of the face in the list that was planned from.
    pub face_index: usize,
    /// The part of the upright picture to show; reaches beyond the picture only under [`EdgePolicy::Pad`].
    pub frame: PixelRect,
    /// Pixels of the written crop.
    pub output: Size,
    /// Share of the crop, 0 to 1, that lies outside the picture and is filled.
    pub padding_share: f32,
}

impl PlannedCrop {
    /// Output pixels per source pixel, above 1 where the crop is enlarged.
    pub fn enlargement(&self) -> f32 {
        self.output.height as f32 / self.frame.height.max(1) as f32
    }
}

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
            let frame = frame::frame_face(face, picture, spec)?;
            Some(PlannedCrop { face_index, frame, output: spec.output, padding_share: frame.share_outside(picture) })
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
