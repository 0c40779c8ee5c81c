//! What front ends ask.
//!
//! Every request has an id, and exactly one terminal event follows each: see [`Event::is_terminal`]. Requests go in four
//! lanes, each with a thread of its own, so that no lane waits for another.

use std::path::PathBuf;
use std::sync::Arc;

use cancel::Generation;
use geometry::{PixelRect, Size};
use import::{PathQuery, WatchSpec};
use outcome::DisplayCopy;
use plan::PlannedCrop;
use recipe::{BackendKind, RenderSpec, RuntimeChoice, RuntimeOptions};

#[cfg(doc)]
use super::Event;
use super::{ExportJob, PhotoRef, ProjectTask, RunQuery};
use crate::diagnostics::DiagnosisSpec;
use crate::latency::CompareSpec;
use crate::settings::Settings;

/// What a front end asks of the worker, by its lane.
#[derive(Clone, Debug)]
pub enum Request {
    /// What is asked of the runtime that is open.
    Session(SessionRequest),
    /// What reads and writes the person's files.
    Files(FilesRequest),
    /// What tries runtimes and models.
    Probes(ProbesRequest),
    /// What finds small copies of photos.
    Thumbnails(ThumbnailsRequest),
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

/// What is asked of the runtime that is open. What a person waits for goes ahead of batches and surveys.
#[derive(Clone, Debug)]
pub enum SessionRequest {
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
    /// `None` closes it. Ends with [`Event::SecondaryReady`] or [`Event::RuntimeFailed`].
    OpenSecondary {
        /// The runtime.
        runtime: Option<BackendKind>,
        /// The model file; `None` for the bundled one.
        model: Option<PathBuf>,
        /// How its session is opened.
        options: RuntimeOptions,
    },
    /// Decode a photo for the canvas. Latest wins: one not yet begun is [`Event::Superseded`] by the next.
    /// Ends with [`Event::PhotoOpened`], [`Event::Superseded`] or [`Event::Failed`].
    OpenPhoto {
        /// The photo.
        photo: PhotoRef,
        /// Given back in the answer.
        generation: Generation,
    },
    /// Decode a part of a photo at the size it is looked at, for a canvas that is zoomed in. Latest wins.
    /// Ends with [`Event::DetailRendered`], [`Event::Superseded`] or [`Event::Failed`].
    RenderDetail {
        /// The photo.
        photo: PhotoRef,
        /// Given back in the answer.
        generation: Generation,
        /// The part, in pixels of the upright picture.
        part: PixelRect,
        /// Pixels it is shown with.
        size: Size,
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
        /// Fill, shape and adjustments.
        render: RenderSpec,
        /// Most pixels of the preview's longer side.
        max_side: u32,
    },
    /// Decode a photo for the list: a thumbnail, its faces. Queued, after everything interactive.
    /// Ends with [`Event::PhotoIndexed`] or [`Event::Failed`].
    IndexPhoto {
        /// The photo.
        photo: PhotoRef,
        /// Pixels of the thumbnail's longer side.
        thumbnail_side: u32,
    },
    /// Export a list of photos. [`Event::ExportProgress`] follows each photo; ends with [`Event::ExportFinished`], also when
    /// cancelled.
    Export(Arc<ExportJob>),
    /// Time runtimes side by side. [`Event::CompareProgress`] streams in; ends with [`Event::CompareFinished`], also when
    /// cancelled. Interactive requests come in between.
    Compare(Arc<CompareSpec>),
}

/// What reads and writes the person's files, apart from photos and crops. One after the other.
#[derive(Clone, Debug)]
pub enum FilesRequest {
    /// Walk files and folders for pictures. [`Event::ImportFolder`], [`Event::ImportFound`] and [`Event::ImportProblem`] stream
    /// in; ends with [`Event::ImportFinished`].
    Import {
        /// Files and folders; folders are walked recursively.
        roots: Vec<PathBuf>,
    },
    /// Watch a folder and the folders in it for photos, between the other requests of this lane. [`Event::ImportFound`] follows
    /// each that is whole; ends with [`Event::WatchEnded`] once it is cancelled, or the folder is gone and not waited for.
    Watch(WatchSpec),
    /// Write a pasted picture as a PNG into the person's folder of such. Ends with [`Event::PastedWritten`].
    WritePasted(DisplayCopy),
    /// Something about a project. Ends with [`Event::Project`].
    Project(ProjectTask),
    /// Look for an earlier run into an output folder. Ends with [`Event::RunFound`].
    FindRun(RunQuery),
    /// Put the journals of runs together and write a report. Ends with [`Event::ReportWritten`].
    WriteReport {
        /// The journals.
        journals: Vec<PathBuf>,
        /// The file, its format told by its ending; `None` only to sum up.
        output: Option<PathBuf>,
    },
    /// Write the settings file. Ends with [`Event::SettingsSaved`].
    SaveSettings(Box<Settings>),
    /// Write a text file whole. Ends with [`Event::TextSaved`].
    SaveText {
        /// The file.
        path: PathBuf,
        /// What goes into it.
        text: String,
        /// True to replace a file that is there.
        replace: bool,
    },
    /// Read a text file. Ends with [`Event::TextLoaded`].
    LoadText {
        /// The file.
        path: PathBuf,
        /// A longer file is refused.
        max_bytes: u64,
    },
    /// List what a path that is being typed may become. Ends with [`Event::PathCompleted`].
    CompletePath(PathQuery),
}

/// What tries runtimes and models, which takes seconds. One after the other.
#[derive(Clone, Debug)]
pub enum ProbesRequest {
    /// Try every runtime in a process of its own. Ends with [`Event::RuntimesTried`].
    TryRuntimes {
        /// The model file; `None` for the bundled one.
        model: Option<PathBuf>,
        /// How sessions are opened.
        options: RuntimeOptions,
        /// True to try again what is known already.
        afresh: bool,
    },
    /// Sum up a model file and try every runtime's loader on it. Ends with [`Event::ModelDescribed`].
    DescribeModel {
        /// The model file; `None` for the bundled one.
        model: Option<PathBuf>,
        /// How sessions are opened.
        options: RuntimeOptions,
    },
    /// Find out what those who help need to know. Ends with [`Event::Diagnosed`].
    Diagnose(Box<DiagnosisSpec>),
}

/// What fills the list before its photos are decoded. One after the other.
#[derive(Clone, Debug)]
pub enum ThumbnailsRequest {
    /// Find a small copy of a photo without decoding it: one kept from an earlier look, or the one inside the file. Ends with
    /// [`Event::ThumbnailFound`].
    FindThumbnail {
        /// The photo.
        photo: PhotoRef,
        /// Pixels of the thumbnail's longer side.
        side: u32,
    },
}
