//! What the window knows: plain data, without egui types and without channels.

mod batch;
mod library;
mod notices;
mod view;

use std::collections::HashMap;
use std::path::PathBuf;

use crate::backend::{BackendKind, RuntimeChoice, RuntimeInUse, runtimes};
use crate::cancel::Generation;
use crate::decode::DisplayCopy;
use crate::pipeline::StageTimes;
use crate::plan::{Color, CropPlan, PlannedCrop};
use crate::settings::Settings;
use crate::worker::{ItemId, PhotoRef, Request, RequestId};

pub(crate) use batch::{Batch, BatchEnd, BatchLine, Counts};
pub(crate) use library::{ExportMark, Library, Photo, PhotoStatus, SelectHow};
pub(crate) use notices::{Notice, NoticeKind, Notices};
pub(crate) use view::CanvasView;

/// Pixels of a thumbnail's longer side: 48 points at 200 %.
pub(crate) const THUMBNAIL_SIDE: u32 = 96;

/// Pixels of the exact preview's longer side.
pub(crate) const PREVIEW_SIDE: u32 = 640;

/// Everything the window knows.
pub(crate) struct AppState {
    pub settings: Settings,
    /// The runtime asked for, which the command line may set for one run without touching the settings.
    pub runtime_choice: RuntimeChoice,
    /// The model file, likewise.
    pub model: Option<PathBuf>,
    pub runtime: RuntimeState,
    /// Every engine that is offered, with the reason why it cannot be used.
    pub engines: Vec<EngineLine>,
    pub library: Library,
    pub inspection: Inspection,
    /// Bumped whenever what was asked about the photo on the canvas is out of date.
    pub generation: Generation,
    pub preview: Preview,
    /// Which of the photo's crops the preview shows.
    pub preview_index: usize,
    pub view: CanvasView,
    pub batch: Option<Batch>,
    pub notices: Notices,
    /// Requests without their last answer yet.
    pub pending: HashMap<RequestId, Pending>,
    /// True once a person wanted to export without an output folder.
    pub folder_wanted: bool,
    /// What to export as soon as the folder dialog has named a folder.
    pub export_after_folder: Option<ExportScope>,
    /// Where the sample photos are, if anywhere.
    pub samples: Option<PathBuf>,
    pub worker_alive: bool,
    pub page: Option<Page>,
}

/// A small window over the main one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Shortcuts,
    Messages,
    About,
}

/// Which photos are exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportScope {
    Selected,
    All,
}

/// What was asked for and what runs.
#[derive(Debug)]
pub(crate) enum RuntimeState {
    Opening,
    Ready { runtime: RuntimeInUse, load_ms: f64 },
    Failed { requested: RuntimeChoice, reason: String },
}

/// One engine of the list.
#[derive(Debug)]
pub(crate) struct EngineLine {
    pub kind: BackendKind,
    /// Why it cannot be used; `None` where it can.
    pub reason: Option<String>,
}

/// What is known of the photo on the canvas beyond its entry in the library.
#[derive(Default)]
pub(crate) struct Inspection {
    /// True until the worker's answer is there.
    pub waiting: bool,
    pub display: Option<DisplayCopy>,
    pub stages: StageTimes,
    pub failure: Option<String>,
}

/// The crop as the worker rendered it.
#[derive(Default)]
pub(crate) struct Preview {
    pub rendered: Option<(PreviewKey, DisplayCopy)>,
}

/// What a rendered preview shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PreviewKey {
    pub item: ItemId,
    pub generation: Generation,
    pub crop: PlannedCrop,
    pub fill: Color,
}

/// What a request without its last answer was about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pending {
    Runtime,
    Import,
    Survey(ItemId),
    Inspect(Generation),
    Preview(PreviewKey),
    Export,
    Save,
}

impl Pending {
    fn of(request: &Request) -> Self {
        match request {
            Request::OpenRuntime { .. } => Self::Runtime,
            Request::Import { .. } => Self::Import,
            Request::Survey { photo, .. } => Self::Survey(photo.item),
            Request::Inspect { generation, .. } => Self::Inspect(*generation),
            Request::RenderPreview { photo, generation, crop, fill, .. } => {
                Self::Preview(PreviewKey { item: photo.item, generation: *generation, crop: *crop, fill: *fill })
            }
            Request::Export(_) => Self::Export,
            Request::SaveSettings(_) => Self::Save,
        }
    }
}

impl AppState {
    pub(crate) fn new(settings: Settings) -> Self {
        let engines = runtimes()
            .into_iter()
            .map(|entry| EngineLine { kind: entry.kind, reason: entry.state.err().map(|error| error.to_string()) });
        Self {
            runtime_choice: settings.runtime,
            model: settings.model.clone(),
            settings,
            runtime: RuntimeState::Opening,
            engines: engines.collect(),
            library: Library::default(),
            inspection: Inspection::default(),
            generation: Generation::default(),
            preview: Preview::default(),
            preview_index: 0,
            view: CanvasView::Fit,
            batch: None,
            notices: Notices::default(),
            pending: HashMap::new(),
            folder_wanted: false,
            export_after_folder: None,
            samples: None,
            worker_alive: true,
            page: None,
        }
    }

    /// Remembers what `request` is about until its last answer. A newer runtime or export takes the older one's place.
    pub(crate) fn note_sent(&mut self, id: RequestId, request: &Request) {
        let pending = Pending::of(request);
        if pending == Pending::Runtime {
            self.pending.retain(|_, other| *other != Pending::Runtime);
        }
        if let (Pending::Export, Some(batch)) = (pending, &mut self.batch) {
            batch.request = Some(id);
        }
        self.pending.insert(id, pending);
    }

    /// The photo on the canvas.
    pub(crate) fn current(&self) -> Option<&Photo> {
        self.library.get(self.library.current?)
    }

    /// The crops of the photo on the canvas; empty until its faces are known.
    pub(crate) fn current_plan(&self) -> CropPlan {
        self.current().map(|photo| photo.plan(&self.settings.crop)).unwrap_or_default()
    }

    /// What the preview has to show now.
    pub(crate) fn preview_key(&self) -> Option<PreviewKey> {
        let item = self.library.current?;
        let plan = self.current_plan();
        let crop = *plan.crops.get(self.preview_index.min(plan.crops.len().saturating_sub(1)))?;
        Some(PreviewKey { item, generation: self.generation, crop, fill: self.settings.crop.fill })
    }

    /// How the worker is to read `photo`.
    pub(crate) fn photo_ref(&self, photo: &Photo) -> PhotoRef {
        PhotoRef {
            item: photo.id,
            path: photo.path.clone(),
            limits: self.settings.limits,
            detect: self.settings.detect,
        }
    }

    /// True while folders are being walked.
    pub(crate) fn importing(&self) -> bool {
        self.pending.values().any(|pending| *pending == Pending::Import)
    }

    /// True while photos are being exported.
    pub(crate) fn exporting(&self) -> bool {
        self.batch.as_ref().is_some_and(|batch| batch.end.is_none())
    }
}
