//! The requests of front ends to the worker.
//!
//! Every request has an id and is answered by exactly one terminal event: see [`Event::is_terminal`]. Requests are divided
//! into five lanes, each with its own thread, so that no lane waits for another.

use std::path::PathBuf;
use std::sync::Arc;

use cancel::Generation;
use geometry::{PixelRect, Size};
use import::{PathQuery, WatchSpec};
use naming::Roster;
use outcome::DisplayCopy;
use plan::PlannedCrop;
use recipe::{BackendKind, DetectSpec, RenderSpec, RuntimeChoice, RuntimeOptions};

#[cfg(doc)]
use super::Event;
use super::{CameraFrame, ExportJob, NamesQuery, PhotoRef, ProjectTask, RunQuery};
use crate::diagnostics::DiagnosisSpec;
use crate::latency::CompareSpec;
use crate::settings::Settings;

/// A request to the worker, by lane.
#[derive(Clone, Debug)]
pub enum Request {
    /// Uses the open runtime.
    Session(SessionRequest),
    /// Reads and writes the user's files.
    Files(FilesRequest),
    /// Tests runtimes and models.
    Probes(ProbesRequest),
    /// Finds existing thumbnails.
    Thumbnails(ThumbnailsRequest),
    /// Shows a camera.
    Camera(CameraRequest),
}

impl From<SessionRequest> for Request {
    fn from(request: SessionRequest) -> Self {
        Self::Session(request)
    }
}

impl From<FilesRequest> for Request {
    fn from(request: FilesRequest) -> Self {
        Self::Files(request)
    }
}

impl From<ProbesRequest> for Request {
    fn from(request: ProbesRequest) -> Self {
        Self::Probes(request)
    }
}

impl From<ThumbnailsRequest> for Request {
    fn from(request: ThumbnailsRequest) -> Self {
        Self::Thumbnails(request)
    }
}

impl From<CameraRequest> for Request {
    fn from(request: CameraRequest) -> Self {
        Self::Camera(request)
    }
}

/// Requests that use the open runtime. Interactive requests take precedence over batches and indexing.
#[derive(Clone, Debug)]
pub enum SessionRequest {
    /// Open a runtime; the current one stays open until the new one is ready. Ends with [`Event::RuntimeReady`] or
    /// [`Event::RuntimeFailed`]; after a failure no runtime is open, so that nothing runs on a runtime that was not chosen.
    OpenRuntime {
        /// The requested runtime.
        choice: RuntimeChoice,
        /// The model file; `None` for the bundled one.
        model: Option<PathBuf>,
        /// Options for its session.
        options: RuntimeOptions,
        /// Under Auto, true to open a built-in runtime at once if the runtimes have not been tested: the answer then says
        /// that it is untested. False to test them first.
        at_once: bool,
    },
    /// Open a secondary runtime, which then also runs on every opened photo, for its timings only; `None` closes it. Ends
    /// with [`Event::SecondaryReady`] or [`Event::RuntimeFailed`].
    OpenSecondary {
        runtime: Option<BackendKind>,
        /// The model file; `None` for the bundled one.
        model: Option<PathBuf>,
        /// Options for its session.
        options: RuntimeOptions,
    },
    /// Decode a photo and detect faces for the canvas. Latest wins: a request not yet started is [`Event::Superseded`] by
    /// the next. Ends with [`Event::PhotoOpened`], [`Event::Superseded`] or [`Event::Failed`].
    OpenPhoto {
        photo: PhotoRef,
        /// Returned in the answer.
        generation: Generation,
    },
    /// Render a region of a photo at display size, for a zoomed canvas. Latest wins.
    /// Ends with [`Event::DetailRendered`], [`Event::Superseded`] or [`Event::Failed`].
    RenderDetail {
        photo: PhotoRef,
        /// Returned in the answer.
        generation: Generation,
        /// The region, in pixels of the upright image.
        part: PixelRect,
        /// Display size in pixels.
        size: Size,
    },
    /// Render one crop exactly as it would be exported, scaled to at most `max_side`. Latest wins.
    /// Ends with [`Event::PreviewRendered`], [`Event::Superseded`] or [`Event::Failed`].
    RenderPreview {
        photo: PhotoRef,
        /// Returned in the answer.
        generation: Generation,
        crop: PlannedCrop,
        /// Fill, shape and adjustments.
        render: RenderSpec,
        /// Maximum length of the preview's longer side, in pixels.
        max_side: u32,
    },
    /// Render one crop of a photo of the list as it would be exported, scaled to at most `max_side`. Queued behind all
    /// interactive requests and running comparisons, before indexing.
    /// Ends with [`Event::TileRendered`], [`Event::Superseded`] if it was cancelled, or [`Event::Failed`].
    RenderTile {
        photo: PhotoRef,
        crop: PlannedCrop,
        /// Fill, shape and adjustments.
        render: RenderSpec,
        /// Maximum length of the image's longer side, in pixels.
        max_side: u32,
    },
    /// Detect the faces of a camera's frame, as in a photo. Latest wins.
    /// Ends with [`Event::FrameSearched`], [`Event::Superseded`] or [`Event::Failed`].
    SearchFrame { frame: CameraFrame, detect: DetectSpec },
    /// Decode a photo for the list: thumbnail and faces. Queued behind all interactive requests.
    /// Ends with [`Event::PhotoIndexed`] or [`Event::Failed`].
    IndexPhoto {
        photo: PhotoRef,
        /// Length of the thumbnail's longer side, in pixels.
        thumbnail_side: u32,
    },
    /// Export a list of photos. [`Event::ExportProgress`] follows each photo; ends with [`Event::ExportFinished`], also when
    /// cancelled.
    Export(Arc<ExportJob>),
    /// Benchmark runtimes side by side. Sends [`Event::CompareProgress`]; ends with [`Event::CompareFinished`], also when
    /// cancelled. Interactive requests are handled in between.
    Compare(Arc<CompareSpec>),
}

/// Requests that read and write the user's files, other than photos and crops. Handled one after the other.
#[derive(Clone, Debug)]
pub enum FilesRequest {
    /// Walk files and folders for photos. Sends [`Event::ImportFolder`], [`Event::ImportFound`] and
    /// [`Event::ImportProblem`]; ends with [`Event::ImportFinished`].
    Import {
        /// Files and folders; folders are walked recursively.
        roots: Vec<PathBuf>,
    },
    /// Watch a folder recursively, between the other requests of this lane. Sends [`Event::ImportFound`] for photos that are
    /// completely written; ends with [`Event::WatchEnded`] once cancelled, or if the folder disappears and is not waited for.
    Watch(WatchSpec),
    /// Write a pasted image as a PNG file into the user's folder for pasted images. Ends with [`Event::PastedWritten`].
    WritePasted(DisplayCopy),
    /// Write a frame of a camera as a PNG file of its full size into the user's folder for photos taken with the window. Ends
    /// with [`Event::PastedWritten`].
    WriteShot(CameraFrame),
    /// Run a project task. Ends with [`Event::Project`].
    Project(ProjectTask),
    /// Search for a previous run into an output folder. Ends with [`Event::RunFound`].
    FindRun(RunQuery),
    /// Merge the journals of runs and write a report. Ends with [`Event::ReportWritten`].
    WriteReport {
        journals: Vec<PathBuf>,
        /// The file; its extension determines the format. `None` for the summary only.
        output: Option<PathBuf>,
    },
    /// Write the settings file. Ends with [`Event::SettingsSaved`].
    SaveSettings(Box<Settings>),
    /// Write a text file atomically. Ends with [`Event::TextSaved`].
    SaveText {
        path: PathBuf,
        text: String,
        /// True to replace an existing file.
        replace: bool,
    },
    /// Read a text file. Ends with [`Event::TextLoaded`].
    LoadText {
        path: PathBuf,
        /// Larger files are rejected.
        max_bytes: u64,
    },
    /// Name the crops of photos; reads the name list if its file has changed. Ends with [`Event::PhotosNamed`].
    NamePhotos {
        query: Arc<NamesQuery>,
        /// True to read the name list even if its file seems unchanged.
        reread: bool,
    },
    /// Search the rows of a name list. Ends with [`Event::RowsFound`], or with [`Event::Superseded`] if it was cancelled.
    FindRows {
        roster: Arc<Roster>,
        /// Text that the rows must contain.
        typed: String,
        /// Maximum number of rows.
        max: usize,
    },
    /// Complete a partly typed path. Ends with [`Event::PathCompleted`].
    CompletePath(PathQuery),
}

/// Requests that test runtimes and models, which takes seconds. Handled one after the other.
#[derive(Clone, Debug)]
pub enum ProbesRequest {
    /// Test every runtime in a child process. Ends with [`Event::RuntimesTried`].
    TryRuntimes {
        /// The model file; `None` for the bundled one.
        model: Option<PathBuf>,
        /// Options for the sessions.
        options: RuntimeOptions,
        /// True to ignore cached results.
        afresh: bool,
    },
    /// Summarise a model file and test which runtimes can load it. Ends with [`Event::ModelDescribed`].
    DescribeModel {
        /// The model file; `None` for the bundled detector.
        model: Option<PathBuf>,
        /// True to describe the models that describe faces as well.
        face_models: bool,
        /// Options for the sessions.
        options: RuntimeOptions,
    },
    /// Gather diagnostics for a bug report. Ends with [`Event::Diagnosed`].
    Diagnose(Box<DiagnosisSpec>),
}

/// Requests that fill the list, without a runtime. Handled one after the other.
#[derive(Clone, Debug)]
pub enum ThumbnailsRequest {
    /// Find a thumbnail without decoding the photo: a cached one, or the one embedded in the file. Ends with
    /// [`Event::ThumbnailFound`].
    FindThumbnail {
        photo: PhotoRef,
        /// Length of the thumbnail's longer side, in pixels.
        side: u32,
    },
    /// Read the cards that photos show. Sends [`Event::CardRead`] for each; ends with [`Event::CardsRead`], also when
    /// cancelled.
    ReadCards { photos: Vec<PhotoRef> },
}

/// Open a camera and send its frames. Sends [`Event::CameraOpened`] and [`Event::CameraFrame`]; ends with
/// [`Event::CameraClosed`], also when cancelled. The next such request waits until this one has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CameraRequest {
    /// Id of the camera; the first one is opened if `None`, or if it is not connected any more.
    pub camera: Option<String>,
}
