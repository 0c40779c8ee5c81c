//! Looks: how often and how a picture is put before the network.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::geometry::Rect;

/// How many looks a photo is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thoroughness {
    /// One look at the whole photo.
    Fast,
    /// More looks where the first one leaves a doubt: nothing found, a face cut off, or small faces only.
    #[default]
    Balanced,
    /// All looks that may find something.
    Thorough,
}

/// One look at a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// What was looked at.
    pub kind: LookKind,
    /// The part that was looked at, in pixels of the upright picture.
    pub part: Rect,
    /// Degrees the picture was turned clockwise for it, a multiple of 45; 0 for a mosaic, whose cells are turned each its own way.
    pub turned: u16,
    /// Pixels of the network's input a pixel of the upright picture.
    pub scale: f32,
    /// Candidates at the score floor, before they were merged with those of other looks.
    pub candidates: usize,
    /// Milliseconds of the engine's run.
    pub run_ms: f64,
}

/// What a look is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LookKind {
    /// The whole picture, as large as the network's input.
    Whole,
    /// The whole picture, smaller, with a border around it: for faces that fill it.
    Smaller,
    /// A part, enlarged against the first look: for small faces.
    Tile,
    /// The whole picture turned by eighths of a turn: for faces that lie.
    Turned,
    /// Doubtful faces that other looks found, levelled and brought to one size, each in a cell of its own.
    Mosaic,
}

impl LookKind {
    /// The name used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Smaller => "smaller",
            Self::Tile => "tile",
            Self::Turned => "turned",
            Self::Mosaic => "mosaic",
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
