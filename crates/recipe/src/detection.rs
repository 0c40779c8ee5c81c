//! How faces are looked for.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How faces are found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DetectSpec {
    /// Boxes below this score are dropped at once. Kept low: the least score a person asks for acts later, in the plan.
    #[serde(alias = "score_floor")]
    pub score_threshold: f32,
    /// Of two boxes with more than this intersection over union the lower score is dropped. 0.3 as in OpenCV's FaceDetectorYN.
    #[serde(alias = "max_overlap")]
    pub nms_threshold: f32,
    /// How many looks a photo is given.
    pub thoroughness: Thoroughness,
}

impl Default for DetectSpec {
    fn default() -> Self {
        Self { score_threshold: 0.3, nms_threshold: 0.3, thoroughness: Thoroughness::Balanced }
    }
}

/// How many passes a photo is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thoroughness {
    /// One pass.
    Fast,
    /// More passes if the first leaves a doubt: nothing found, small faces, or none that is clear.
    #[default]
    Balanced,
    /// All passes that may find something.
    Thorough,
}

impl Thoroughness {
    /// All, from the quickest.
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
