//! The report on one input.

use std::path::PathBuf;

use geometry::{Face, Size};
use plan::{PlannedCrop, Warning};

use crate::{CropNote, Damage, FaceModelFault, ItemNote, PassReport, RuntimeInUse, StageError, StageTimes};

/// The outcome of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OutcomeKind {
    /// Every planned crop was written (in a dry run: would be written).
    Cropped,
    /// Faces were detected; no crops were requested.
    Detected,
    /// No face reached the minimum score, or the selected faces were not found.
    NoFace,
    /// No face was found, and the photo shows a card that names those after it.
    Card,
    /// The user excluded the photo or deselected all of its faces.
    Excluded,
    /// A part of the photo is missing, and damaged photos are not included; nothing was written.
    Damaged,
    /// Every output file exists and the conflict policy is to skip.
    Skipped,
    /// A previous part of the run has cropped it, and the crops exist.
    AlreadyDone,
    /// An error occurred; see [`ItemReport::error`].
    Failed,
}

impl OutcomeKind {
    /// The name used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Cropped => "cropped",
            Self::Detected => "detected",
            Self::NoFace => "no_face",
            Self::Card => "card",
            Self::Excluded => "excluded",
            Self::Damaged => "damaged",
            Self::Skipped => "skipped",
            Self::AlreadyDone => "already_done",
            Self::Failed => "failed",
        }
    }
}

/// One crop of an input.
#[derive(Clone, Debug, PartialEq)]
pub struct CropReport {
    /// Index of its output, 0 for the recipe's own; see [`Recipe::outputs`](recipe::Recipe::outputs).
    pub output: usize,
    /// The paired file that it shows instead of the photo, if any; see [`Recipe::paired`](recipe::Recipe::paired).
    pub paired: Option<PathBuf>,
    /// The source frame in the photo.
    pub planned: PlannedCrop,
    /// The reserved file name: in a dry run the file that would be written, if skipped the existing file. If another
    /// program took the name in the meantime, [`CropReport::written`] differs.
    pub target: Option<PathBuf>,
    /// The file written; `None` if the crop was skipped or not written.
    pub written: Option<PathBuf>,
    /// The print sheet written beside the crop; `None` if none was requested or made, see [`CropReport::notes`] or
    /// [`ItemReport::error`].
    pub sheet: Option<PathBuf>,
    /// Properties that the output format could not store, and other remarks.
    pub notes: Vec<CropNote>,
}

/// The report on one input.
#[derive(Debug)]
pub struct ItemReport {
    pub path: PathBuf,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// Upright size in pixels, once decoded.
    pub size: Option<Size>,
    /// A remark on how the image was read.
    pub note: Option<ItemNote>,
    /// The missing part, if the file is truncated or corrupt.
    pub damage: Option<Damage>,
    /// The faces that reach the minimum score, or the manually selected ones, in pixels of the upright image.
    pub faces: Vec<Face>,
    /// For each face, the index into [`ItemReport::passes`]; empty if nothing was detected.
    pub found_by: Vec<usize>,
    /// The detection passes that were run.
    pub passes: Vec<PassReport>,
    /// The models that describe faces and could not be used.
    pub model_faults: Vec<FaceModelFault>,
    /// The text of the card that the photo shows, if cards are read.
    pub card: Option<String>,
    /// Problems that should be reviewed.
    pub warnings: Vec<Warning>,
    /// Its crops; [`PlannedCrop::face_index`] is the index into [`ItemReport::faces`].
    pub crops: Vec<CropReport>,
    /// Time spent in each stage.
    pub stages: StageTimes,
    /// The runtime used for detection; `None` if none was needed.
    pub runtime: Option<RuntimeInUse>,
    /// Why it failed; crops written before the error are still listed.
    pub error: Option<StageError>,
}

impl ItemReport {
    /// An empty report on `path`.
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            outcome: OutcomeKind::Failed,
            size: None,
            note: None,
            damage: None,
            faces: Vec::new(),
            found_by: Vec::new(),
            passes: Vec::new(),
            model_faults: Vec::new(),
            card: None,
            warnings: Vec::new(),
            crops: Vec::new(),
            stages: StageTimes::default(),
            runtime: None,
            error: None,
        }
    }
}
