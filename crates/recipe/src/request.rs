//! The faces to crop in one photo, and the last stage to run.

use geometry::Face;

use crate::PhotoEdits;

/// The selection of the faces to crop in one photo.
#[derive(Clone, Debug, PartialEq)]
pub enum FaceChoice {
    /// Detect faces, then select by the spec.
    BySpec,
    /// Exactly these faces in this order, selected or drawn manually, in pixels of the upright image; nothing is
    /// detected. If empty, nothing is cropped.
    Manual(Vec<Face>),
    /// Detect faces, then apply the user's edits: for photos whose faces are not known yet.
    Edited(Box<PhotoEdits>),
}

impl FaceChoice {
    /// True if no face is selected, so that no detection is needed.
    pub fn chooses_none(&self) -> bool {
        match self {
            Self::BySpec => false,
            Self::Manual(faces) => faces.is_empty(),
            Self::Edited(edits) => edits.chooses_none(),
        }
    }
}

/// The last stage a batch runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Up to detection: `iron-cropper detect`.
    Detect,
    /// Up to crop frames and output names, without writing: `--dry-run`.
    Plan,
    /// All stages, up to the written files.
    Write,
}
