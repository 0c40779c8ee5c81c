//! What a person asks of every crop.

use serde::{Deserialize, Serialize};

use super::{Color, presets::PRESETS};
use crate::geometry::Size;

/// Where the face stands in the crop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Position {
    /// The middle of the face at the middle of the crop.
    Center,
    /// The eyes a third of the crop's height below its top edge, the face in the middle from left to right.
    UpperThird,
    /// The middle of the face away from the middle of the crop.
    Offset {
        /// Share of the crop's width, -0.5 to 0.5; positive puts the face further right.
        right: f32,
        /// Share of the crop's height, -0.5 to 0.5; positive puts the face further down.
        down: f32,
    },
}

/// What happens where the crop would reach beyond the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EdgePolicy {
    /// The frame is made smaller where the picture is smaller, then moved until it lies inside; the aspect is kept, nothing
    /// is invented.
    Shrink,
    /// The frame stays and what lies outside is filled with [`CropSpec::fill`].
    Pad,
}

/// Which of a picture's faces are cropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// The one with the largest box.
    Largest,
    /// The one with the highest score.
    Best,
    /// The one nearest to the middle of the picture.
    Central,
    /// Every face, numbered from left to right.
    All,
}

/// How faces are chosen and framed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CropSpec {
    /// Pixels of every written crop; see [`CropSpec::check`] for the limits.
    pub output: Size,
    /// Height of the face box as a share of the crop's height, 0.05 to 1.
    pub face_height: f32,
    /// Where the face stands in the crop.
    pub position: Position,
    /// What to do past the picture's edge.
    pub edge: EdgePolicy,
    /// What fills padding and, in formats without transparency, what lies under transparent pixels.
    pub fill: Color,
    /// Which faces are cropped.
    pub select: Select,
    /// Faces below this score, 0 to 1, are not faces.
    pub min_score: f32,
}

impl Default for CropSpec {
    fn default() -> Self {
        PRESETS[0].spec()
    }
}

/// A number in a [`CropSpec`] that cannot be worked with.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A side of the output is zero or too long.
    #[error("the output of {width} x {height} pixels has a side outside 1 to {}", CropSpec::MAX_SIDE)]
    Output {
        /// Asked width in pixels.
        width: u32,
        /// Asked height in pixels.
        height: u32,
    },
    /// The face's share of the height is outside its range.
    #[error("a face height of {percent} % is outside 5 to 100 %")]
    FaceHeight {
        /// Asked share in percent.
        percent: f32,
    },
    /// The least score is outside its range.
    #[error("a least score of {score} is outside 0 to 1")]
    MinScore {
        /// Asked score.
        score: f32,
    },
}

impl CropSpec {
    /// The longest side a crop may be written with, in pixels: a 10,000 x 10,000 RGB crop is 300 MB in memory.
    pub const MAX_SIDE: u32 = 10_000;
    /// The least share of the crop's height that a face may take.
    pub const MIN_FACE_HEIGHT: f32 = 0.05;

    /// Checks every number.
    ///
    /// # Errors
    /// The first number that is outside its range.
    pub fn check(&self) -> Result<(), SpecError> {
        let Size { width, height } = self.output;
        if !(1..=Self::MAX_SIDE).contains(&width) || !(1..=Self::MAX_SIDE).contains(&height) {
            return Err(SpecError::Output { width, height });
        }
        if !(Self::MIN_FACE_HEIGHT..=1.0).contains(&self.face_height) {
            return Err(SpecError::FaceHeight { percent: self.face_height * 100.0 });
        }
        if !(0.0..=1.0).contains(&self.min_score) {
            return Err(SpecError::MinScore { score: self.min_score });
        }
        Ok(())
    }

    /// The crop's width over its height.
    pub fn aspect(&self) -> f32 {
        self.output.aspect()
    }
}
