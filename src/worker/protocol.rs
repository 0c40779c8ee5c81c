//! What front ends ask and what they are told.
//!
//! Every request has an id, and exactly one terminal event follows each: see [`Event::is_terminal`].

use std::path::PathBuf;
use std::sync::Arc;

use crate::backend::onnx::ModelSummary;
use crate::backend::{BackendKind, RuntimeChoice, RuntimeInUse, RuntimeOptions};
use crate::cancel::Generation;
use crate::decode::{DecodeLimits, DisplayCopy, PictureInfo};
use crate::detect::{DetectSpec, Detection};
use crate::encode::{EncodeSpec, OutputSpec};
use crate::latency::{CompareSpec, ComparisonTable, OpenFailure, RuntimeTable};
use crate::pipeline::{Depth, FaceChoice, ItemReport, StageError, StageTimes};
use crate::plan::{Color, CropSpec, PlannedCrop};
use crate::settings::Settings;

/// Names one request; unique for the life of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// Names one photo of a front end's list; chosen by the front end, never reused by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(pub u64);

/// What a front end asks of the worker.
#[derive(Clone, Debug)]
pub enum Request {
    /// Open a runtime; the one in use stays until the new one is ready. Ends with [`Event::RuntimeReady`] or
    /// [`Event::RuntimeFailed`]; after a failure no runtime is open, so that nothing runs on another than the one chosen.
    OpenRuntime {
        /// The runtime asked for.
        choice: RuntimeChoice,
        /// The model file; `None` for the bundled one.
        model: Option<PathBuf>,
        /// How its session is opened.
        options: RuntimeOptions,
    },
    /// Open a second runtime beside the first, which then looks at every inspected photo as well, for its times alone;
    /// `None` closes it. Ends with [`Event::CompanionReady`] or [`Event::RuntimeFailed`].
    PinCompanion {
        /// The runtime.
        runtime: Option<BackendKind>,
        /// The model file; `None` for the bundled one.
        model: Option<PathBuf>,
        /// How its session is opened.
        options: RuntimeOptions,
    },
    /// Try every runtime in a process of its own, on a thread of its own. Ends with [`Event::RuntimesTried`].
    TryRuntimes {
        /// The model file; `None` for the bundled one.
        model: Option<PathBuf>,
        /// How sessions are opened.
        options: RuntimeOptions,
        /// True to try again what is known already.
        afresh: bool,
    },
    /// Time runtimes side by side. [`Event::CompareProgress`] streams in; ends with [`Event::CompareFinished`], also when
    /// cancelled. Interactive requests come in between.
    Compare(Arc<CompareSpec>),
    /// Sum up a model file and try every runtime's loader on it, on a thread of its own. Ends with
    /// [`Event::ModelDescribed`].
    DescribeModel {
        /// The model file; `None` for the bundled one.
        model: Option<PathBuf>,
        /// How sessions are opened.
        options: RuntimeOptions,
    },
    /// Walk files and folders for pictures, on a thread of its own. [`Event::ImportFound`] and
    /// [`Event::ImportProblem`] stream in; ends with [`Event::ImportFinished`].
    Import {
        /// Files and folders; folders are walked recursively.
        roots: Vec<PathBuf>,
    },
    /// Decode a photo for the list: a thumbnail, its faces. Queued, after everything interactive.
    /// Ends with [`Event::Surveyed`] or [`Event::Failed`].
    Survey {
        /// The photo.
        photo: PhotoRef,
        /// Pixels of the thumbnail's longer side.
        thumbnail_side: u32,
    },
    /// Decode a photo for the canvas. Latest wins: one not yet begun is [`Event::Superseded`] by the next.
    /// Ends with [`Event::Inspected`], [`Event::Superseded`] or [`Event::Failed`].
    Inspect {
        /// The photo.
        photo: PhotoRef,
        /// Given back in the answer.
        generation: Generation,
    },
    /// Render one crop exactly as it would be exported, scaled to at most `max_side`. Latest wins.
    /// Ends with [`Event::PreviewRendered`], [`Event::Superseded`] or [`Event::Failed`].
    RenderPreview {
        /// The photo.
        photo: PhotoRef,
        /// Given back in the answer.
        generation: Generation,
        /// The crop.
        crop: PlannedCrop,
        /// What fills padding.
        fill: Color,
        /// Most pixels of the preview's longer side.
        max_side: u32,
    },
    /// Walk a list of photos down the corridor. [`Event::ExportProgress`] follows each photo; ends with
    /// [`Event::ExportFinished`], also when cancelled.
    Export(Arc<ExportJob>),
    /// Write the settings file, on a thread of its own. Ends with [`Event::SettingsSaved`].
    SaveSettings(Box<Settings>),
    /// Write a text file whole, replacing what is there, on the thread of the settings. Ends with [`Event::TextSaved`].
    SaveText {
        /// The file.
        path: PathBuf,
        /// What goes into it.
        text: String,
    },
}

/// One photo and how it is read.
#[derive(Clone, Debug, PartialEq)]
pub struct PhotoRef {
    /// The front end's name for it.
    pub item: ItemId,
    /// Its file.
    pub path: PathBuf,
    /// How large it may be.
    pub limits: DecodeLimits,
    /// How faces are found.
    pub detect: DetectSpec,
}

/// A batch.
#[derive(Clone, Debug)]
pub struct ExportJob {
    /// The photos, in order.
    pub items: Vec<ExportItem>,
    /// How far to go.
    pub depth: Depth,
    /// How faces are chosen and framed.
    pub crop: CropSpec,
    /// What a crop's file is like.
    pub encode: EncodeSpec,
    /// Where crops go; only looked at from [`Depth::Plan`] on.
    pub output: OutputSpec,
    /// Photos that no crop may replace beside those of the batch: the rest of a front end's list.
    pub originals: Vec<PathBuf>,
}

/// One photo of a batch.
#[derive(Clone, Debug)]
pub struct ExportItem {
    /// The photo.
    pub photo: PhotoRef,
    /// Which of its faces are cropped.
    pub faces: FaceChoice,
}

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
        error: OpenError,
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
        /// Why, in words.
        reason: String,
    },
    /// An import has ended.
    ImportFinished {
        /// Pictures found.
        found: usize,
        /// Files in folders passed over because their extension is not a picture's.
        passed_over: usize,
    },
    /// A photo was looked at for the list.
    Surveyed {
        /// The photo.
        item: ItemId,
        /// A small upright copy.
        thumbnail: DisplayCopy,
        /// Size, format, damage.
        info: PictureInfo,
        /// Its faces; `None` where no runtime is open.
        detection: Option<Arc<Detection>>,
        /// Time spent in each stage.
        stages: StageTimes,
    },
    /// A photo was looked at for the canvas.
    Inspected {
        /// The photo.
        item: ItemId,
        /// From the request.
        generation: Generation,
        /// An upright copy for the screen.
        display: DisplayCopy,
        /// Size, format, damage.
        info: PictureInfo,
        /// Its faces; `None` where no runtime is open.
        detection: Option<Arc<Detection>>,
        /// Time spent in each stage.
        stages: StageTimes,
        /// What the runtime pinned beside took for the same photo.
        companion: Option<CompanionLook>,
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
    },
    /// The companion is open, or closed.
    CompanionReady {
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
    /// A model was summed up, or why not, in words.
    ModelDescribed(Result<Box<ModelPage>, String>),
    /// The settings file was written, or why not, in words.
    SettingsSaved(Result<(), String>),
    /// A text file was written, or why not, in words.
    TextSaved(Result<(), String>),
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
    /// True where this event is the last of its request.
    pub fn is_terminal(&self) -> bool {
        !matches!(
            self,
            Self::ImportFound { .. }
                | Self::ImportProblem { .. }
                | Self::ExportProgress { .. }
                | Self::CompareProgress(_)
        )
    }
}

/// What a companion runtime made of an inspected photo.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanionLook {
    /// The runtime.
    pub runtime: BackendKind,
    /// Faces found and the times it took, or why it failed, in words.
    pub look: Result<CompanionTimes, String>,
}

/// Times of a companion's look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompanionTimes {
    /// Faces at the score floor.
    pub faces: usize,
    /// Milliseconds of the engine's run.
    pub run_ms: f64,
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
    pub loads: Vec<(BackendKind, Result<(), String>)>,
}

/// Why a runtime could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The engine, its library, or the model.
    #[error(transparent)]
    Failure(#[from] OpenFailure),
    /// The engine panicked.
    #[error("the runtime met a fault of its own: {message}")]
    Panicked {
        /// The panic's message.
        message: String,
    },
}

/// What the front ends need of a worker; [`WorkerHandle`](super::WorkerHandle) is the real one, tests script their own.
pub trait WorkerPort {
    /// Queues a request; never blocks.
    fn send(&self, request: Request) -> RequestId;

    /// The next answer that is there, without waiting.
    fn try_recv(&self) -> Option<Reply>;

    /// Asks the request to stop; its terminal event still comes. Unknown or ended ids are passed over.
    fn cancel(&self, id: RequestId);

    /// False once the worker has died; nothing sent from then on is answered.
    fn is_alive(&self) -> bool;
}
