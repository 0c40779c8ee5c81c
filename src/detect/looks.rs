//! The passes of the network that a picture is given.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::geometry::Size;

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

/// One pass of the network over the whole picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// How large the picture was.
    pub kind: LookKind,
    /// Degrees the picture was turned clockwise, a multiple of 45.
    pub turned: u16,
    /// Pixels of the network's input.
    pub input: Size,
    /// Pixels of an input that the engine refused, so that `input` was used instead.
    pub refused: Option<Size>,
    /// Pixels of the network's input for each pixel of the upright picture.
    pub scale: f32,
    /// Boxes at the score floor, before they were merged with those of other passes.
    pub candidates: usize,
    /// Milliseconds of the engine's run.
    pub run_ms: f64,
}

/// How large the picture is in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LookKind {
    /// Half as large as in the first pass: for faces that fill it.
    Smaller,
    /// As large as the detector's own input, not enlarged: the first pass, and the turned ones.
    Whole,
    /// Two and a half times as large: for small faces.
    Larger,
    /// Four times as large: for faces that are small even there.
    Largest,
}

impl LookKind {
    /// The name used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Smaller => "smaller",
            Self::Whole => "whole",
            Self::Larger => "larger",
            Self::Largest => "largest",
        }
    }
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
