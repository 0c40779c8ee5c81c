//! Detection settings.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Select;

/// Detection settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DetectSpec {
    /// Minimum confidence score of a detected box. Kept low: the user's minimum score is applied later, in planning.
    #[serde(alias = "score_floor")]
    pub score_threshold: f32,
    /// NMS threshold: of two boxes with a higher IoU, the one with the lower score is dropped. 0.3 as in OpenCV's
    /// FaceDetectorYN.
    #[serde(alias = "max_overlap")]
    pub nms_threshold: f32,
    /// How many detection passes are run.
    pub thoroughness: Thoroughness,
    /// The faces whose person mask is measured, besides those that an export selects; follows from the recipe.
    #[serde(skip)]
    pub masks: Masks,
}

/// The faces whose person mask is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Masks {
    /// None: nothing needs it.
    #[default]
    None,
    /// Those that this criterion selects among the faces with the default minimum score.
    Selected(Select),
}

impl Default for DetectSpec {
    fn default() -> Self {
        Self { score_threshold: 0.3, nms_threshold: 0.3, thoroughness: Thoroughness::Balanced, masks: Masks::None }
    }
}

/// How many detection passes are run on a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thoroughness {
    /// One pass.
    Fast,
    /// More passes if the first one is inconclusive: nothing found, small faces, or no clear face.
    #[default]
    Balanced,
    /// All passes that may find a face.
    Thorough,
}

impl Thoroughness {
    /// All values, fastest first.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Balanced, Self::Thorough];

    /// The name used on the command line.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Balanced => "balanced",
            Self::Thorough => "thorough",
        }
    }
}

impl fmt::Display for Thoroughness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
