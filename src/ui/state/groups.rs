//! The parts of the window's state, each of which a panel is handed by itself.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use ::batch::settings::Settings;
use ::batch::worker::{ItemId, RequestId};
use cancel::Generation;
use recipe::{RuntimeChoice, RuntimeOptions};

use super::batch::{Batch, ExportScope};
use super::compare::Compare;
use super::history::History;
use super::library::Library;
use super::notices::Notices;
use super::project::{ProjectState, Watched};
use super::runtimes::{Copied, KnownRuntimes, ModelView, RuntimeStatus, Secondary};
use super::tools::CanvasTools;
use super::unfinished::Unfinished;
use super::view::CanvasView;
use super::{Completions, Inspection, Page, Preview, SavedText};

/// The runtime in use, those that could be, and the model.
pub(crate) struct RuntimeGroup {
    /// The runtime asked for, which the command line may set for one run without touching the settings.
    pub choice: RuntimeChoice,
    /// The model file, likewise.
    pub model: Option<PathBuf>,
    /// How runtimes are opened, likewise.
    pub options: RuntimeOptions,
    pub status: RuntimeStatus,
    pub known: KnownRuntimes,
    pub secondary: Secondary,
    pub compare: Compare,
    pub model_view: ModelView,
}

impl RuntimeGroup {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            choice: settings.runtime,
            model: settings.model.clone(),
            options: settings.runtime_options.clone(),
            status: RuntimeStatus::Opening { slow: false },
            known: KnownRuntimes::default(),
            secondary: Secondary::default(),
            compare: Compare::default(),
            model_view: ModelView::default(),
        }
    }
}

/// The photos, what was decided about them, and the project they belong to.
#[derive(Default)]
pub(crate) struct ListGroup {
    pub library: Library,
    pub history: History,
    pub project: ProjectState,
    /// The photos that wait to be looked at for the list, and how often.
    pub passes: HashMap<ItemId, u32>,
    /// The thumbnails that were asked for.
    pub thumbnails: HashMap<ItemId, RequestId>,
    /// The folder that is watched for photos that come.
    pub watched: Option<Watched>,
    /// Where the sample photos are, if anywhere.
    pub samples: Option<PathBuf>,
}

/// The photo on the canvas and how it is shown.
#[derive(Default)]
pub(crate) struct CanvasGroup {
    pub inspection: Inspection,
    /// Bumped whenever what was asked about the photo on the canvas is out of date.
    pub generation: Generation,
    pub preview: Preview,
    /// Which of the photo's crops the preview shows.
    pub preview_index: usize,
    pub view: CanvasView,
    pub tools: CanvasTools,
}

/// The batch that runs or ran last, and what the next one needs.
#[derive(Default)]
pub(crate) struct ExportGroup {
    pub batch: Option<Batch>,
    /// The id of the preset that was chosen last: presets may be alike.
    pub preset: Option<String>,
    /// True once a person wanted to export without an output folder.
    pub folder_wanted: bool,
    /// What to export as soon as the folder dialog has named a folder.
    pub after_folder: Option<ExportScope>,
    pub unfinished: Unfinished,
    /// The files that exports of this run have written.
    pub written: HashSet<PathBuf>,
}

/// What lies over the window, and what was said in it.
#[derive(Default)]
pub(crate) struct DialogGroup {
    pub page: Option<Page>,
    /// True while the field that finds actions by name is open.
    pub palette: bool,
    /// What the path that is being typed may become.
    pub completions: Completions,
    pub notices: Notices,
    /// The presets to write as soon as the dialog has named a file.
    pub presets_to_export: Vec<String>,
    /// What the last text that was written is.
    pub saved: SavedText,
    pub copied: Option<Copied>,
}
