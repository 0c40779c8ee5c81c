//! The worker's replies to front ends.

use std::path::PathBuf;
use std::sync::Arc;

use cancel::Generation;
use geometry::{PixelRect, Size};
use import::{PathCompletions, WalkProblem};
use inference::onnx::ModelSummary;
use outcome::{
    CardCode, Detection, DisplayCopy, FaceModelFault, ItemReport, OpenError, PhotoInfo, RuntimeInUse, StageError,
    StageTimes,
};
use plan::PlannedCrop;
use recipe::{BackendKind, ModelKind, RuntimeChoice};
use webcam::{Camera, CameraError};

use super::faults::{DescribeError, PasteError, RunNote, StopReason, TextError, WatchProblem};
use super::{CameraFrame, ItemId, Names, PreviousRun, ProjectEvent, RequestId};
use crate::diagnostics::Diagnosis;
use crate::latency::{ComparisonTable, Loads, RuntimeTable};
use crate::report::{ReportError, Summary as ReportSummary};
use crate::settings::SettingsError;

/// A reply to a request.
#[derive(Debug)]
pub struct Reply {
    /// The request it belongs to.
    pub id: RequestId,
    pub event: Event,
}

/// An event of a request. Each request ends with exactly one terminal event.
#[derive(Debug)]
pub enum Event {
    /// A runtime is open.
    RuntimeReady {
        /// The requested and the actual runtime.
        runtime: RuntimeInUse,
        /// Milliseconds to load and optimise the model.
        load_ms: f64,
    },
    /// The requested runtime cannot be used.
    RuntimeFailed {
        requested: RuntimeChoice,
        /// Why it cannot be used.
        error: Arc<OpenError>,
    },
    /// Photos found by an import or a watch, in batches. Not terminal.
    ImportFound {
        /// Their paths, in walking order.
        paths: Vec<PathBuf>,
    },
    /// A file or folder that an import could not read. Not terminal.
    ImportProblem {
        /// Path of the file or folder.
        path: PathBuf,
        problem: WalkProblem,
    },
    /// A folder among the roots of an import. Not terminal.
    ImportFolder { path: PathBuf },
    /// A watched folder that is waited for has become unreadable, or readable again. Not terminal.
    WatchUnavailable {
        /// Why it is unreadable; `None` once it is readable again.
        problem: Option<WatchProblem>,
    },
    WatchEnded {
        /// Why; `None` if it was cancelled.
        problem: Option<WatchProblem>,
    },
    /// A pasted image or a frame of a camera was written, or why it was not.
    PastedWritten(Result<PathBuf, PasteError>),
    /// The result of a project task.
    Project(ProjectEvent),
    ImportFinished {
        /// Number of photos found.
        found: usize,
        /// Files in folders skipped because of their extension.
        ignored: usize,
    },
    /// An existing thumbnail was searched for.
    ThumbnailFound {
        item: ItemId,
        /// The thumbnail, upright; `None` if the photo has to be decoded for one.
        thumbnail: Option<DisplayCopy>,
    },
    /// A photo was searched for the codes of cards. Not terminal.
    CardRead {
        item: ItemId,
        /// The codes, the largest first; empty if the photo shows no card.
        codes: Result<Vec<CardCode>, StageError>,
    },
    /// All photos of the request were searched, unless it was cancelled.
    CardsRead,
    /// A photo was decoded and its faces detected for the list.
    PhotoIndexed {
        item: ItemId,
        /// The thumbnail, upright.
        thumbnail: DisplayCopy,
        /// Size, format, damage.
        info: PhotoInfo,
        /// The detected faces; `None` if no runtime is open.
        detection: Option<Arc<Detection>>,
        /// Time spent in each stage.
        stages: StageTimes,
    },
    /// A photo was decoded and its faces detected for the canvas.
    PhotoOpened {
        item: ItemId,
        /// The generation of the request.
        generation: Generation,
        /// A copy for the screen, upright.
        display: DisplayCopy,
        /// Size, format, damage.
        info: PhotoInfo,
        /// The detected faces; `None` if no runtime is open.
        detection: Option<Arc<Detection>>,
        /// Time spent in each stage.
        stages: StageTimes,
        /// The result of the secondary runtime for the same photo.
        secondary: Option<SecondaryDetection>,
    },
    /// A region of a photo was rendered for a zoomed canvas.
    DetailRendered {
        item: ItemId,
        /// The generation of the request.
        generation: Generation,
        /// The region, in pixels of the upright image.
        part: PixelRect,
        image: DisplayCopy,
    },
    /// A crop was rendered for the preview.
    PreviewRendered {
        item: ItemId,
        /// The generation of the request.
        generation: Generation,
        /// The crop shown.
        crop: PlannedCrop,
        image: DisplayCopy,
    },
    /// A crop was rendered for the contact sheet in the window.
    TileRendered { item: ItemId, image: DisplayCopy },
    /// A camera was opened. Not terminal.
    CameraOpened {
        /// All cameras.
        cameras: Vec<Camera>,
        /// The id of the opened one.
        opened: String,
    },
    /// The newest frame of the camera. Not terminal. The next one follows once [`CameraFrame::note_shown`] was called.
    CameraFrame(CameraFrame),
    /// The camera is free again, or could not be opened.
    CameraClosed(CameraEnd),
    /// The faces of a camera's frame; `None` if no runtime is open.
    FrameSearched(Option<Arc<Detection>>),
    /// A photo of a batch is done. Not terminal.
    ExportProgress {
        item: ItemId,
        /// Photos done, including this one.
        done: usize,
        /// Photos of the batch.
        total: usize,
        /// The result for the photo.
        report: Arc<ItemReport>,
    },
    ExportFinished {
        /// True if it was cancelled before its last photo.
        cancelled: bool,
        /// Photos done.
        done: usize,
        /// Photos of the batch.
        total: usize,
        /// Why the batch stopped early; files already written are kept.
        stopped: Option<Arc<StopReason>>,
        /// Notes on the batch as a whole.
        notes: Arc<[RunNote]>,
        journal: Option<PathBuf>,
    },
    /// The secondary runtime was opened or closed.
    SecondaryReady {
        /// The runtime; `None` after closing.
        runtime: Option<BackendKind>,
    },
    /// All runtimes were tested.
    RuntimesTried(RuntimeTable),
    /// The intermediate state of a comparison. Not terminal.
    CompareProgress(Arc<ComparisonTable>),
    CompareFinished {
        /// Its results.
        table: Arc<ComparisonTable>,
        /// True if it was cancelled before its last run.
        cancelled: bool,
    },
    /// The summary of each model, or why there is none; the requested one first.
    ModelDescribed(Vec<Result<ModelPage, DescribeError>>),
    /// The previous run that was searched for; `None` if there is none.
    RunFound(Option<Box<PreviousRun>>),
    /// Diagnostics for a bug report.
    Diagnosed(Box<Diagnosis>),
    /// A report was written, or why it was not.
    ReportWritten(Result<Box<ReportSummary>, ReportError>),
    /// The settings file was written, or why it was not.
    SettingsSaved(Result<(), SettingsError>),
    /// A text file was written, or why it was not.
    TextSaved(Result<(), TextError>),
    /// A text file was read, or why it was not.
    TextLoaded(Result<String, TextError>),
    /// The names of the crops of photos.
    PhotosNamed(Box<Names>),
    /// The rows of a name list that contain the typed text, best first.
    RowsFound {
        typed: String,
        /// Their indices.
        rows: Vec<usize>,
    },
    /// The completions of a path; empty if its folder cannot be read.
    PathCompleted(PathCompletions),
    /// The request was replaced by a later one before it was started, or it was cancelled.
    Superseded,
    Failed {
        /// The photo it was about.
        item: Option<ItemId>,
        error: StageError,
    },
}

impl Event {
    /// True if this is the last event of its request.
    #[deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants,
        reason = "a new event must be classified here"
    )]
    pub fn is_terminal(&self) -> bool {
        match self {
            Self::ImportFound { .. }
            | Self::ImportProblem { .. }
            | Self::ImportFolder { .. }
            | Self::WatchUnavailable { .. }
            | Self::ExportProgress { .. }
            | Self::CardRead { .. }
            | Self::CameraOpened { .. }
            | Self::CameraFrame(_)
            | Self::CompareProgress(_) => false,
            Self::RuntimeReady { .. }
            | Self::RuntimeFailed { .. }
            | Self::WatchEnded { .. }
            | Self::PastedWritten(_)
            | Self::Project(_)
            | Self::ImportFinished { .. }
            | Self::ThumbnailFound { .. }
            | Self::CardsRead
            | Self::PhotoIndexed { .. }
            | Self::PhotoOpened { .. }
            | Self::DetailRendered { .. }
            | Self::PreviewRendered { .. }
            | Self::TileRendered { .. }
            | Self::CameraClosed(_)
            | Self::FrameSearched(_)
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
            | Self::PhotosNamed(_)
            | Self::RowsFound { .. }
            | Self::PathCompleted(_)
            | Self::Superseded
            | Self::Failed { .. } => true,
        }
    }
}

/// Why a camera was closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CameraEnd {
    /// The request was cancelled.
    Closed,
    /// The front end has drawn no frame for two seconds.
    Unseen,
    Failed(CameraError),
}

/// The detection of a secondary runtime on an opened photo.
#[derive(Debug)]
pub struct SecondaryDetection {
    pub runtime: BackendKind,
    /// The number of faces and the times, or why it failed.
    pub result: Result<SecondaryTimes, StageError>,
}

/// The number of faces and the times of detection and landmarks on the secondary runtime.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondaryTimes {
    /// Faces above the score threshold.
    pub faces: usize,
    /// Milliseconds of inference of the detector.
    pub inference_ms: f64,
    /// Milliseconds of preprocessing, inference, postprocessing and landmarks together.
    pub total_ms: f64,
    /// The model that cannot be used: the times are without landmarks.
    pub model_fault: Option<FaceModelFault>,
}

/// The description of a model file.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPage {
    /// Its path, or the name of the bundled model.
    pub name: String,
    /// What it is for; `None` if unknown.
    pub kind: Option<ModelKind>,
    /// The input size in pixels for which it was loaded: its own, or the program's for the detector and for models that
    /// accept any.
    pub input: Size,
    /// Summary of the file's content.
    pub summary: ModelSummary,
    /// Whether the model can be loaded by each built-in runtime and by ONNX Runtime's CPU provider.
    pub loads: Loads,
}
