//! The parts of the state, each passed to the panels that need it.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use ::batch::settings::Settings;
use ::batch::worker::{ItemId, RequestId};
use cancel::Generation;
use outcome::Device;
use recipe::{BackendKind, RuntimeChoice, RuntimeOptions};

use super::super::dialogs::PickerKind;
use super::batch::{Batch, ExportScope};
use super::compare::Compare;
use super::history::History;
use super::library::Library;
use super::notices::Notices;
use super::output_folder::ProposedFolder;
use super::project::{ProjectState, Watched};
use super::runtimes::{Copied, KnownRuntimes, ModelView, RuntimeStatus, Secondary};
use super::tiles::Tiles;
use super::tools::CanvasTools;
use super::unfinished::Unfinished;
use super::view::CanvasView;
use super::{Completions, Inspection, Page, Preview, SavedText};

/// The runtime in use, the available ones, and the model.
pub(crate) struct RuntimeGroup {
    /// The chosen runtime; the command line may override the settings for one session.
    pub choice: RuntimeChoice,
    /// The model file, likewise.
    pub model: Option<PathBuf>,
    /// Runtime options, likewise.
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

impl RuntimeGroup {
    /// The open runtime; `None` while it opens, and if it cannot be used.
    pub(crate) fn in_use(&self) -> Option<BackendKind> {
        let RuntimeStatus::Ready { runtime, .. } = &self.status else { return None };
        Some(runtime.actual.kind)
    }

    /// True while a built-in runtime is used for Auto because the runtimes are still being tested.
    pub(crate) fn is_untested(&self) -> bool {
        let RuntimeStatus::Ready { runtime, .. } = &self.status else { return false };
        runtime.why.as_ref().is_some_and(|why| why.is_untested)
    }

    /// The devices to choose from, and the runtime that numbers them so: the chosen one or else the one in use, if it
    /// chooses a device, and otherwise the first that lists any. `None` if the names are unknown.
    pub(crate) fn listed_devices(&self) -> Option<(BackendKind, &[Device])> {
        let in_use = match self.choice {
            RuntimeChoice::Named(kind) => Some(kind),
            RuntimeChoice::Auto => self.in_use(),
        };
        let in_use = in_use.filter(|kind| kind.chooses_device());
        let reports = self.known.table.iter().flat_map(|table| &table.reports);
        let mut listing = reports.filter(|report| !report.devices.is_empty());
        let report = listing.find(|report| in_use.is_none_or(|kind| report.kind == kind))?;
        Some((report.kind, &report.devices))
    }
}

/// The photos, their edits, and the project.
#[derive(Default)]
pub(crate) struct ListGroup {
    pub library: Library,
    pub history: History,
    pub project: ProjectState,
    /// Photos waiting for detection, with the number of requests.
    pub passes: HashMap<ItemId, u32>,
    /// Pending thumbnail requests.
    pub thumbnails: HashMap<ItemId, RequestId>,
    /// Rendered crops of the contact sheet.
    pub tiles: Tiles,
    pub watched: Option<Watched>,
    /// The folder of sample photos, if found.
    pub samples: Option<PathBuf>,
}

/// The photo on the canvas and its view.
#[derive(Default)]
pub(crate) struct CanvasGroup {
    pub inspection: Inspection,
    /// Incremented whenever pending requests for the photo on the canvas are superseded.
    pub generation: Generation,
    pub preview: Preview,
    /// Index of the previewed crop.
    pub preview_index: usize,
    pub view: CanvasView,
    pub tools: CanvasTools,
}

/// The running or last export, and the state for the next one.
#[derive(Default)]
pub(crate) struct ExportGroup {
    pub batch: Option<Batch>,
    /// Id of the preset chosen last for the recipe's own output: several presets may match the framing.
    pub preset: Option<String>,
    /// Index of the output that the panels edit; see [`AppState::active_output`](super::AppState::active_output).
    pub active_output: usize,
    /// Output folder to use while the user has set none.
    pub proposed: ProposedFolder,
    /// True once an export was requested without a usable output folder.
    pub folder_wanted: bool,
    /// Export to start once the folder dialog is answered.
    pub after_folder: Option<ExportScope>,
    pub unfinished: Unfinished,
    /// Files written by exports of this session.
    pub written: HashSet<PathBuf>,
}

/// Pages over the window, and messages.
#[derive(Default)]
pub(crate) struct DialogGroup {
    pub page: Option<Page>,
    /// The open file dialog.
    pub picking: Option<PickerKind>,
    /// True while the command palette is open.
    pub palette: bool,
    /// Completions of the path being typed.
    pub completions: Completions,
    pub notices: Notices,
    /// Presets to write once the dialog is answered.
    pub presets_to_export: Vec<String>,
    /// Kind of the text file written last.
    pub saved: SavedText,
    /// The comparison, report or presets written last.
    pub saved_to: PathBuf,
    pub copied: Option<Copied>,
}
