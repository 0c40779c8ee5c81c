//! What front ends ask.
//!
//! Every request has an id, and exactly one terminal event follows each: see [`Event::is_terminal`].

use std::path::PathBuf;
use std::sync::Arc;

#[cfg(doc)]
use super::Event;
use cancel::Generation;
use geometry::{PixelRect, Size};
use import::{PathQuery, WatchSpec};
use naming::{NameTemplate, PhotoName};
use outcome::DisplayCopy;
use plan::PlannedCrop;
use recipe::{
    BackendKind, DecodeLimits, Depth, DetectSpec, FaceChoice, OnConflict, OutputSpec, Recipe, RenderSpec,
    RuntimeChoice, RuntimeOptions,
};

use super::{ProjectErrand, Reply, RunQuery};
use crate::diagnostics::DiagnosisSpec;
use crate::journal::JournalPlace;
use crate::latency::CompareSpec;
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
    /// Find out what those who help need to know, on the thread of the trials. Ends with [`Event::Diagnosed`].
    Diagnose(Box<DiagnosisSpec>),
    /// Walk files and folders for pictures, on a thread of its own. [`Event::ImportFound`] and
    /// [`Event::ImportProblem`] stream in; ends with [`Event::ImportFinished`].
    Import {
        /// Files and folders; folders are walked recursively.
        roots: Vec<PathBuf>,
    },
    /// Watch a folder and the folders in it for photos, on the thread of the imports. [`Event::ImportFound`] follows each that
    /// is whole; ends with [`Event::WatchEnded`] once it is cancelled, or the folder is gone and not waited for.
    Watch(WatchSpec),
    /// Write a pasted picture as a PNG into the person's folder of such, on the thread of the imports. Ends with
    /// [`Event::PastedWritten`].
    WritePasted(DisplayCopy),
    /// Something about a project, on the thread of the settings. Ends with [`Event::Project`].
    Project(ProjectErrand),
    /// Find a small copy of a photo without decoding it: one kept from an earlier look, or the one inside the file, on a
    /// thread of its own. Ends with [`Event::ThumbnailFound`].
    FindThumbnail {
        /// The photo.
        photo: PhotoRef,
        /// Pixels of the thumbnail's longer side.
        side: u32,
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
        /// Fill, shape and adjustments.
        render: RenderSpec,
        /// Most pixels of the preview's longer side.
        max_side: u32,
    },
    /// Decode a part of a photo at the size it is looked at, for a canvas that is zoomed in. Latest wins.
    /// Ends with [`Event::Magnified`], [`Event::Superseded`] or [`Event::Failed`].
    Magnify {
        /// The photo.
        photo: PhotoRef,
        /// Given back in the answer.
        generation: Generation,
        /// The part, in pixels of the upright picture.
        part: PixelRect,
        /// Pixels it is shown with.
        size: Size,
    },
    /// Walk a list of photos down the corridor. [`Event::ExportProgress`] follows each photo; ends with
    /// [`Event::ExportFinished`], also when cancelled.
    Export(Arc<ExportJob>),
    /// Look for an earlier run into an output folder, on the thread of the settings. Ends with [`Event::RunFound`].
    FindRun(RunQuery),
    /// Put the journals of runs together and write a report, on the thread of the settings. Ends with
    /// [`Event::ReportWritten`].
    WriteReport {
        /// The journals.
        journals: Vec<PathBuf>,
        /// The file, its format told by its ending; `None` only to sum up.
        output: Option<PathBuf>,
    },
    /// Write the settings file, on a thread of its own. Ends with [`Event::SettingsSaved`].
    SaveSettings(Box<Settings>),
    /// Write a text file whole, on the thread of the settings. Ends with [`Event::TextSaved`].
    SaveText {
        /// The file.
        path: PathBuf,
        /// What goes into it.
        text: String,
        /// True to replace a file that is there.
        replace: bool,
    },
    /// Read a text file, on the thread of the settings. Ends with [`Event::TextLoaded`].
    LoadText {
        /// The file.
        path: PathBuf,
        /// A longer file is refused.
        most_bytes: u64,
    },
    /// List what a path that is being typed may become, on the thread of the settings. Ends with [`Event::PathCompleted`].
    CompletePath(PathQuery),
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
    /// How photos become crops.
    pub recipe: Recipe,
    /// Where crops go; only looked at from [`Depth::Plan`] on.
    pub output: OutputSpec,
    /// How crops are called.
    pub template: NameTemplate,
    /// What no crop may replace beside the photos of the batch: whatever else was named, found or listed, before anything was
    /// left out of it, and the lists themselves.
    pub originals: Vec<PathBuf>,
    /// Pictures in the output folder, inside a folder that was named, which may be crops of earlier runs or originals: under
    /// [`OnConflict::Overwrite`] only those that the journal knows are replaced.
    pub passed_over: Vec<PathBuf>,
    /// Photos worked on at the same time; 0 for as many as the processor has cores. Crops and their names do not depend on it.
    pub hands: usize,
    /// Where is noted what becomes of each photo; `None` for nowhere. Only looked at with [`Depth::Write`].
    pub journal: Option<JournalSpec>,
}

impl ExportJob {
    /// Everything that no crop may replace.
    pub(super) fn all_originals(&self) -> impl Iterator<Item = &PathBuf> {
        self.items.iter().map(|item| &item.photo.path).chain(&self.originals)
    }

    /// The same, and what the policy for taken names must leave alone.
    pub(super) fn not_to_replace(&self) -> impl Iterator<Item = &PathBuf> {
        // Skipping what an earlier run wrote is what a second run is for; the other policies replace nothing.
        let replaces = self.output.on_conflict == OnConflict::Overwrite;
        self.all_originals().chain(self.passed_over.iter().filter(move |_| replaces))
    }
}

/// The journal of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalSpec {
    /// Where it goes.
    pub place: JournalPlace,
    /// True to take up a run that was broken off: what its journal says is done is not done again.
    pub resume: bool,
}

/// One photo of a batch.
#[derive(Clone, Debug)]
pub struct ExportItem {
    /// The photo.
    pub photo: PhotoRef,
    /// Which of its faces are cropped.
    pub faces: FaceChoice,
    /// What is known of its crops' names beforehand.
    pub name: PhotoName,
    /// What is asked of this photo in place of what is asked of all; `None` for that.
    pub recipe: Option<Arc<Recipe>>,
}

/// What the front ends need of a worker; [`WorkerHandle`](super::WorkerHandle) is the real one, tests script their own.
pub trait WorkerPort {
    /// Queues a request; never blocks.
    fn send(&self, request: Request) -> RequestId;

    /// The next answer that is there, without waiting.
    fn try_recv(&self) -> Option<Reply>;

    /// Asks a batch to begin no new photo, or to go on; what is under way is done. Other requests and unknown ids are passed
    /// over.
    fn pause(&self, id: RequestId, paused: bool);

    /// Asks the request to stop; its terminal event still comes. Unknown or ended ids are passed over.
    fn cancel(&self, id: RequestId);

    /// False once the worker has died; nothing sent from then on is answered.
    fn is_alive(&self) -> bool;
}
