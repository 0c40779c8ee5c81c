//! Codes on cards that photos show.

use geometry::Rect;
use serde::{Deserialize, Serialize};

/// The kind of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CodeKind {
    QrCode,
    DataMatrix,
    Code128,
    Code39,
}

impl CodeKind {
    /// The name of the kind, the same in every language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::QrCode => "QR code",
            Self::DataMatrix => "Data Matrix",
            Self::Code128 => "Code 128",
            Self::Code39 => "Code 39",
        }
    }
}

/// A code that was read in a photo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardCode {
    pub kind: CodeKind,
    /// The text on one line, without control characters; not empty, at most 512 characters.
    pub text: String,
    /// The upright rectangle around the code, in pixels of the upright image. Its edges are approximate.
    pub region: Rect,
}
