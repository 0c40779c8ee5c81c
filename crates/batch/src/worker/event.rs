//! What front ends are told.

use std::path::PathBuf;
use std::sync::Arc;

use cancel::Generation;
use geometry::PixelRect;
use import::{PathCompletions, WalkProblem};
use inference::onnx::ModelSummary;
use outcome::{
    Detection, DisplayCopy, ItemReport, OpenError, PhotoInfo, RuntimeFault, RuntimeInUse, StageError, StageTimes,
};
use plan::PlannedCrop;
use recipe::{BackendKind, RuntimeChoice};

use super::faults::{DescribeError, PasteError, RunNote, StopReason, TextError, WatchProblem};
use super::{ItemId, PreviousRun, ProjectEvent, RequestId};
use crate::diagnostics::Diagnosis;
use crate::latency::{ComparisonTable, RuntimeTable};
use crate::report::{ReportError, Summary as ReportSummary};
use crate::settings::SettingsError;

/// An answer: the request it belongs to and what there is to tell.
#[derive(Debug)]
pub struct Reply {
    /// The request.
    pub id: RequestId,
    /// What there is to tell.
    pub event: Event,
}

/// What the worker tells.
#[derive(Debug)]
pub enum Event {
    /// A runtime is open.
    RuntimeReady {
        /// What was asked for and what runs.
        runtime: RuntimeInUse,
        /// Milliseconds to load and optimise the model.
        load_ms: f64,
    },
    /// The runtime asked for cannot be used.
    RuntimeFailed {
        /// What was asked for.
        requested: RuntimeChoice,
        /// Why not.
        error: Arc<OpenError>,
    },
    /// Pictures found by an import so far, a handful at a time. Not terminal.
    ImportFound {
        /// Their paths, in walking order.
        paths: Vec<PathBuf>,
    },
    /// Something an import could not walk. Not terminal.
    ImportProblem {
        /// Where.
        path: PathBuf,
        /// Why.
        problem: WalkProblem,
    },
    /// A folder that was named was walked, or is. Not terminal.
    ImportFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A watched folder that is waited for cannot be read at the moment, or can be again. Not terminal.
    WatchAway {
        /// Why not; `None` once it is back.
        problem: Option<WatchProblem>,
    },
    /// A watch has ended.
    WatchEnded {
        /// Why; `None` where it was cancelled.
        problem: Option<WatchProblem>,
    },
    /// A pasted picture was written, or why not.
    PastedWritten(Result<PathBuf, PasteError>),
    /// Something about a project was done.
    Project(ProjectEvent),
    /// An import has ended.
    ImportFinished {
        /// Pictures found.
        found: usize,
        /// Files in folders passed over because their extension is not a picture's.
        passed_over: usize,
    },
    /// A small copy of a photo was found, or there is none yet.
    ThumbnailFound {
        /// The photo.
        item: ItemId,
        /// The copy, upright; `None` where only decoding the photo gives one.
        thumbnail: Option<DisplayCopy>,
    },
    /// A photo was looked at for the list.
    PhotoIndexed {
        /// The photo.
        item: ItemId,
        /// A small upright copy.
        thumbnail: DisplayCopy,
        /// Size, format, damage.
        info: PhotoInfo,
        /// Its faces; `None` where no runtime is open.
        detection: Option<Arc<Detection>>,
        /// Time spent in each stage.
        stages: StageTimes,
    },
    /// A photo was looked at for the canvas.
    PhotoOpened {
        /// The photo.
        item: ItemId,
        /// From the request.
        generation: Generation,
        /// An upright copy for the screen.
        display: DisplayCopy,
        /// Size, format, damage.
        info: PhotoInfo,
        /// Its faces; `None` where no runtime is open.
        detection: Option<Arc<Detection>>,
        /// Time spent in each stage.
        stages: StageTimes,
        /// What the runtime pinned beside took for the same photo.
        secondary: Option<SecondaryDetection>,
    },
    /// A part of a photo was decoded for a canvas that is zoomed in.
    DetailRendered {
        /// The photo.
        item: ItemId,
        /// From the request.
        generation: Generation,
        /// The part it shows, in pixels of the upright picture.
        part: PixelRect,
        /// Its pixels.
        image: DisplayCopy,
    },
    /// A crop was rendered for the preview.
    PreviewRendered {
        /// The photo.
        item: ItemId,
        /// From the request.
        generation: Generation,
        /// The crop it shows.
        crop: PlannedCrop,
        /// Its pixels.
        image: DisplayCopy,
    },
    /// One photo of a batch is done. Not terminal.
    ExportProgress {
        /// The photo.
        item: ItemId,
        /// Photos done, this one among them.
        done: usize,
        /// Photos of the batch.
        total: usize,
        /// What became of it.
        report: Arc<ItemReport>,
    },
    /// A batch has ended.
    ExportFinished {
        /// True where it was cancelled before its last photo.
        cancelled: bool,
        /// Photos done.
        done: usize,
        /// Photos of the batch.
        total: usize,
        /// Why it ended early by itself; what was written stays.
        stopped: Option<Arc<StopReason>>,
        /// What else a person should know of it.
        notes: Arc<[RunNote]>,
        /// Its journal.
        journal: Option<PathBuf>,
    },
    /// The companion is open, or closed.
    SecondaryReady {
        /// The runtime; `None` after closing.
        runtime: Option<BackendKind>,
    },
    /// Every runtime was tried.
    RuntimesTried(RuntimeTable),
    /// A comparison as it stands. Not terminal.
    CompareProgress(Arc<ComparisonTable>),
    /// A comparison has ended.
    CompareFinished {
        /// What it showed.
        table: Arc<ComparisonTable>,
        /// True where it was cancelled before its last look.
        cancelled: bool,
    },
    /// A model was summed up, or why not.
    ModelDescribed(Result<Box<ModelPage>, DescribeError>),
    /// The run that was asked for, or there is none.
    RunFound(Option<Box<PreviousRun>>),
    /// What those who help need to know.
    Diagnosed(Box<Diagnosis>),
    /// A report was written, or why not.
    ReportWritten(Result<Box<ReportSummary>, ReportError>),
    /// The settings file was written, or why not.
    SettingsSaved(Result<(), SettingsError>),
    /// A text file was written, or why not.
    TextSaved(Result<(), TextError>),
    /// A text file was read, or why not.
    TextLoaded(Result<String, TextError>),
    /// What a path may become; nothing where its folder cannot be read.
    PathCompleted(PathCompletions),
    /// A later request took this one's place before it was begun, or it was cancelled.
    Superseded,
    /// The request failed.
    Failed {
        /// The photo it was about.
        item: Option<ItemId>,
        /// Why.
        error: StageError,
    },
}

impl Event {
    /// True if this event is the last of its request.
    #[deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants,
        reason = "a new event has to be put on one side"
    )]
    pub fn is_terminal(&self) -> bool {
        match self {
            Self::ImportFound { .. }
            | Self::ImportProblem { .. }
            | Self::ImportFolder { .. }
            | Self::WatchAway { .. }
            | Self::ExportProgress { .. }
            | Self::CompareProgress(_) => false,
            Self::RuntimeReady { .. }
            | Self::RuntimeFailed { .. }
            | Self::WatchEnded { .. }
            | Self::PastedWritten(_)
            | Self::Project(_)
            | Self::ImportFinished { .. }
            | Self::ThumbnailFound { .. }
            | Self::PhotoIndexed { .. }
            | Self::PhotoOpened { .. }
            | Self::DetailRendered { .. }
            | Self::PreviewRendered { .. }
            | Self::ExportFinished { .. }
            | Self::SecondaryReady { .. }
            | Self::RuntimesTried(_)
            | Self::CompareFinished { .. }
            | Self::ModelDescribed(_)
            | Self::RunFound(_)
            | Self::Diagnosed(_)
            | Self::ReportWritten(_)
            | Self::SettingsSaved(_)
            | Self::TextSaved(_)
            | Self::TextLoaded(_)
            | Self::PathCompleted(_)
            | Self::Superseded
            | Self::Failed { .. } => true,
        }
    }
}

/// What a companion runtime made of an inspected photo.
#[derive(Debug)]
pub struct SecondaryDetection {
    /// The runtime.
    pub runtime: BackendKind,
    /// Faces found and the times it took, or why it failed.
    pub look: Result<SecondaryTimes, StageError>,
}

/// Times of a companion's look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondaryTimes {
    /// Faces at the score floor.
    pub faces: usize,
    /// Milliseconds of the engine's run.
    pub inference_ms: f64,
    /// Milliseconds of the whole look: fit, run and heads.
    pub total_ms: f64,
}

/// A model file, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPage {
    /// Its path, or the name of the bundled one.
    pub name: String,
    /// What the file says of itself.
    pub summary: ModelSummary,
    /// Each runtime of this program that needs no library, and ONNX Runtime's CPU: whether it loads the model, or why not.
    pub loads: Vec<(BackendKind, Result<(), RuntimeFault>)>,
}
