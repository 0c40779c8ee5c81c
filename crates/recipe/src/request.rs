//! What is done with one photo, and how far.

use geometry::Face;

use crate::PhotoEdits;

/// Which of a photo's faces are cropped.
#[derive(Clone, Debug, PartialEq)]
pub enum FaceChoice {
    /// Detect, then choose as the spec says.
    BySpec,
    /// Exactly these, in this order, chosen or drawn by hand, in upright pixels; nothing is detected. May be empty: then nothing
    /// is cropped.
    Manual(Vec<Face>),
    /// Detect, then do as a person has decided: for photos whose faces are not known yet.
    Edited(Box<PhotoEdits>),
}

impl FaceChoice {
    /// True where a person has chosen none: nothing has to be looked for.
    pub fn chooses_none(&self) -> bool {
        match self {
            Self::BySpec => false,
            Self::Manual(faces) => faces.is_empty(),
            Self::Edited(edits) => edits.chooses_none(),
        }
    }
}

/// How far a batch walks the corridor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Up to the faces: `iron-cropper detect`.
    Detect,
    /// Up to the crop frames and output names; writes nothing: `--dry-run`.
    Plan,
    /// All the way to written files.
    Write,
}
