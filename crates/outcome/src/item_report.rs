//! What became of one input.

use std::path::PathBuf;

use geometry::{Face, Size};
use plan::{PlannedCrop, Warning};

use crate::{CropNote, Damage, ItemNote, PassReport, RuntimeInUse, StageError, StageTimes};

/// How one input ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OutcomeKind {
    /// Every planned crop was written (or, in a dry run, would be).
    Cropped,
    /// Faces were found and no more was asked.
    Detected,
    /// No face scored high enough, or those that were chosen are not there.
    NoFace,
    /// A person has chosen none of its faces: left out by hand.
    Excluded,
    /// A part of the photo is missing, and damaged photos were not asked for; nothing was written.
    Damaged,
    /// Every output was there already and the policy says skip.
    Skipped,
    /// An earlier part of the run has cropped it, and the crops are there.
    AlreadyDone,
    /// Something failed; [`ItemReport::error`] says what.
    Failed,
}

impl OutcomeKind {
    /// The name used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Cropped => "cropped",
            Self::Detected => "detected",
            Self::NoFace => "no_face",
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
    /// Where the crop was taken from.
    pub planned: PlannedCrop,
    /// The file it was to go to, as it was claimed: in a dry run the one it would go to, where it was skipped the one that is
    /// there. Where another program took that name meanwhile, [`CropReport::written`] is another.
    pub target: Option<PathBuf>,
    /// The file it went to; `None` where it was skipped or not written.
    pub written: Option<PathBuf>,
    /// The sheet to print that was written beside it; `None` where none was asked for or made, as [`CropReport::notes`] or
    /// [`ItemReport::error`] say.
    pub sheet: Option<PathBuf>,
    /// What the output's format could not carry, and what else is worth knowing.
    pub notes: Vec<CropNote>,
}

/// What became of one input.
#[derive(Debug)]
pub struct ItemReport {
    /// The input.
    pub path: PathBuf,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// Upright size, once decoded.
    pub size: Option<Size>,
    /// What a person should know of how the picture was got.
    pub note: Option<ItemNote>,
    /// What is missing, where the file is cut or corrupt.
    pub damage: Option<Damage>,
    /// The faces that score at least the spec's least score, or those chosen by hand, in upright pixels.
    pub faces: Vec<Face>,
    /// For each face the index into [`ItemReport::passes`]; empty where nothing was detected.
    pub found_by: Vec<usize>,
    /// The looks that were taken at the photo.
    pub passes: Vec<PassReport>,
    /// What a person should have a look at.
    pub warnings: Vec<Warning>,
    /// Its crops; [`PlannedCrop::face_index`] is the index into [`ItemReport::faces`].
    pub crops: Vec<CropReport>,
    /// Time spent in each stage.
    pub stages: StageTimes,
    /// The runtime that looked for faces; `None` where none was needed or reached.
    pub runtime: Option<RuntimeInUse>,
    /// Why it failed; crops written before the failure are still listed.
    pub error: Option<StageError>,
}

impl ItemReport {
    /// A report on `path` before anything has happened to it.
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
            warnings: Vec::new(),
            crops: Vec::new(),
            stages: StageTimes::default(),
            runtime: None,
            error: None,
        }
    }
}
