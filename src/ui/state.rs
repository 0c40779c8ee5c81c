//! What the window knows: plain data, without egui types and without channels.

mod batch;
mod compare;
mod groups;
mod history;
mod library;
mod marks;
mod notices;
mod pending;
mod photo;
mod project;
mod review;
mod runtimes;
mod shown;
mod tools;
mod trouble;
mod unfinished;
mod view;

use std::collections::HashMap;
use std::time::Instant;

use ::batch::settings::Settings;
use ::batch::worker::{ItemId, PhotoRef, Request, RequestId, SecondaryDetection};
use cancel::Generation;
use geometry::{PixelRect, Size};
use import::PathCompletions;
use outcome::{DisplayCopy, StageTimes};
use plan::{CropPlan, PlannedCrop};
use recipe::{CropSpec, FinishSpec, Preset, RenderSpec, built_in_presets};

use super::dialogs::PickerKind;

pub(crate) use batch::{Batch, BatchEnd, BatchLine, Counts, ExportScope};
pub(crate) use compare::{CompareEnd, CompareRun};
pub(crate) use groups::{CanvasGroup, DialogGroup, ExportGroup, ListGroup, RuntimeGroup};
pub(crate) use history::{Change, Gesture, ListChange, Step, Values};
pub(crate) use library::{Navigation, SelectHow, Showing};
pub(crate) use marks::{Mark, Marks, ReviewBy};
pub(crate) use notices::{Notice, NoticeKind, Notices};
pub(crate) use pending::Pending;
pub(crate) use photo::{ExportMark, Photo, PhotoStatus};
pub(crate) use project::{Asks, Leaving, Opening, Watched};
pub(crate) use runtimes::{Copied, DescribedModel, KnownRuntimes, RuntimeStatus, Secondary};
pub(crate) use shown::Filter;
pub(crate) use tools::ShownFrame;
pub(crate) use trouble::{PhotoFailure, Trouble, Unanswered};
pub(crate) use unfinished::{UnfinishedRun, usable_folder};
pub(crate) use view::CanvasView;

/// Pixels of a thumbnail's longer side: what cameras put into their files, and enough for a tile of the grid.
pub(crate) const THUMBNAIL_SIDE: u32 = 160;

/// Pixels of the exact preview's longer side, where nothing larger is on the screen.
pub(crate) const PREVIEW_SIDE: u32 = 640;

/// Everything the window knows.
pub(crate) struct AppState {
    pub settings: Settings,
    pub runtime: RuntimeGroup,
    pub list: ListGroup,
    pub canvas: CanvasGroup,
    pub export: ExportGroup,
    pub dialogs: DialogGroup,
    /// Requests without their last answer yet.
    pub pending: HashMap<RequestId, Pending>,
    pub worker_alive: bool,
    /// True if files cannot be dropped on the window.
    pub without_drops: bool,
    /// What draws the window, if that is known.
    pub renderer: Option<String>,
}

/// A small window over the main one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Shortcuts,
    Messages,
    About,
    Runtimes,
    Model,
    /// What is not saved would be lost.
    Leaving,
    /// An export would do what the project asks for and nobody has agreed to.
    ProjectAsks {
        scope: ExportScope,
        resume: bool,
    },
    /// A path is typed, since no dialog asks for it.
    TypePath(PickerKind),
}

/// What a path that is being typed may become.
#[derive(Default)]
pub(crate) struct Completions {
    /// What was asked last; its answer alone counts.
    pub request: Option<RequestId>,
    pub found: PathCompletions,
}

/// What a text file is, for words about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SavedText {
    #[default]
    Comparison,
    Presets,
}

/// What is known of the photo on the canvas beyond its entry in the library.
#[derive(Default)]
pub(crate) struct Inspection {
    /// True until the worker's answer is there.
    pub waiting: bool,
    pub display: Option<DisplayCopy>,
    pub stages: StageTimes,
    /// What the runtime pinned beside made of it.
    pub secondary: Option<SecondaryDetection>,
    pub failure: Option<PhotoFailure>,
    /// The part that a zoomed-in canvas wants to show more sharply than `display` has it.
    pub wanted_detail: Option<Detail>,
    /// The last such part that came.
    pub detail: Option<(PixelRect, DisplayCopy)>,
}

/// A part of a photo as a zoomed-in canvas shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Detail {
    pub item: ItemId,
    /// In pixels of the upright picture.
    pub part: PixelRect,
    /// Pixels it is shown with.
    pub size: Size,
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
    pub render: RenderSpec,
    /// Pixels of its longer side, at most.
    pub side: u32,
}

impl AppState {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            runtime: RuntimeGroup::new(&settings),
            settings,
            list: ListGroup::default(),
            canvas: CanvasGroup::default(),
            export: ExportGroup::default(),
            dialogs: DialogGroup::default(),
            pending: HashMap::new(),
            worker_alive: true,
            without_drops: false,
            renderer: None,
        }
    }

    /// Remembers what `request` is about until its last answer. What replaces an older request takes its place.
    pub(crate) fn note_sent(&mut self, id: RequestId, request: &Request) {
        let pending = Pending::of(request);
        if pending.latest_counts() {
            self.pending.retain(|_, other| *other != pending);
        }
        match pending {
            Pending::IndexPhoto(item) => *self.list.passes.entry(item).or_default() += 1,
            Pending::Thumbnail(item) => _ = self.list.thumbnails.insert(item, id),
            _ => {}
        }
        if let (Pending::Compare, Some(run)) = (pending, &mut self.runtime.compare.run) {
            run.request = Some(id);
        }
        if let (Pending::Export, Some(batch)) = (pending, &mut self.export.batch) {
            batch.request = Some(id);
        }
        if pending == Pending::CompletePath {
            self.dialogs.completions.request = Some(id);
        }
        if let (Pending::Watch, Some(watched)) = (pending, &mut self.list.watched) {
            watched.request = Some(id);
        }
        self.pending.insert(id, pending);
    }

    /// Takes a request off the list of those without their last answer.
    pub(crate) fn take_pending(&mut self, id: RequestId) -> Option<Pending> {
        let pending = self.pending.remove(&id)?;
        match pending {
            Pending::IndexPhoto(item) => {
                if let Some(passes) = self.list.passes.get_mut(&item) {
                    *passes -= 1;
                    if *passes == 0 {
                        self.list.passes.remove(&item);
                    }
                }
            }
            Pending::Thumbnail(item) if self.list.thumbnails.get(&item) == Some(&id) => {
                _ = self.list.thumbnails.remove(&item);
            }
            _ => {}
        }
        Some(pending)
    }

    /// True while a look at this photo is on its way.
    pub(crate) fn awaits_detection(&self, item: ItemId) -> bool {
        self.list.passes.contains_key(&item)
    }

    /// How many photos the worker still has to look at for the list.
    pub(crate) fn looking_count(&self) -> usize {
        self.list.passes.len().min(self.list.library.len())
    }

    /// What the reviews of photos depend on beside the photos.
    pub(crate) fn review_by(&self) -> ReviewBy {
        let has_no_runtime = matches!(self.runtime.status, RuntimeStatus::Failed { .. });
        ReviewBy { crop: self.settings.recipe.crop.clone(), has_no_runtime }
    }

    /// Brings reviews and what is shown of the list up to date, in little time. True where some is left to do.
    pub(crate) fn keep_list(&mut self, until: Instant) -> bool {
        let by = self.review_by();
        let left = self.list.library.review_until(&by, until);
        self.list.library.set_sort(self.settings.window.sort);
        self.list.library.arrange();
        left
    }

    /// The photo on the canvas.
    pub(crate) fn current(&self) -> Option<&Photo> {
        self.list.library.get(self.list.library.current?)
    }

    /// The crops of the photo on the canvas; empty until its faces are known.
    pub(crate) fn current_plan(&self) -> CropPlan {
        self.current().map(|photo| photo.plan(&self.settings.recipe.crop)).unwrap_or_default()
    }

    /// How the photo on the canvas is framed: by its own spec, else by that of the list.
    pub(crate) fn crop_spec(&self) -> &CropSpec {
        self.current().map_or(&self.settings.recipe.crop, |photo| photo.crop(&self.settings.recipe.crop))
    }

    /// Shape and adjustments of the crops of the photo on the canvas.
    pub(crate) fn finish(&self) -> FinishSpec {
        self.current().map_or(self.settings.recipe.finish, |photo| photo.finish(self.settings.recipe.finish))
    }

    /// All that rendering the crops of the photo on the canvas needs to know.
    pub(crate) fn render_spec(&self) -> RenderSpec {
        self.crop_spec().render_spec(self.finish())
    }

    /// What the preview has to show now.
    pub(crate) fn preview_key(&self) -> Option<PreviewKey> {
        let item = self.list.library.current?;
        let (_, crop) = self.shown_crop()?;
        let render = self.render_spec();
        Some(PreviewKey {
            item,
            generation: self.canvas.generation,
            crop,
            render,
            side: self.canvas.tools.preview_side,
        })
    }

    /// Every preset that can be chosen: the built-in ones, then one's own.
    pub(crate) fn presets(&self) -> impl Iterator<Item = &Preset> {
        built_in_presets().iter().chain(&self.settings.presets)
    }

    /// The preset that the framing is from: the one chosen last, else the first that is alike; `None` once it was changed.
    pub(crate) fn current_preset(&self) -> Option<&Preset> {
        let alike = |preset: &&Preset| preset.matches(self.crop_spec());
        let own = self.current().and_then(|photo| photo.edits().overrides.as_ref());
        let id = own.map_or(self.export.preset.as_ref(), |own| own.preset.as_ref());
        let chosen = self.presets().find(|preset| Some(&preset.id) == id);
        chosen.filter(alike).or_else(|| self.presets().find(alike))
    }

    /// The crop that the preview shows, with its place in the plan; `None` where there is none.
    pub(crate) fn shown_crop(&self) -> Option<(usize, PlannedCrop)> {
        let plan = self.current_plan();
        let index = self.canvas.preview_index.min(plan.crops.len().checked_sub(1)?);
        Some((index, plan.crops[index]))
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

    /// The photos a comparison looks at: those selected, else the one on the canvas.
    pub(crate) fn compared_photos(&self) -> Vec<&Photo> {
        let may_open = |photo: &&Photo| !self.settings.is_quarantined(&photo.path);
        match self.list.library.selected_count() {
            0 => self.current().into_iter().filter(may_open).collect(),
            _ => self.list.library.selected().filter(may_open).collect(),
        }
    }

    /// The request that opens the runtime, while it is on its way.
    pub(crate) fn opening(&self) -> Option<RequestId> {
        self.pending.iter().find(|(_, pending)| **pending == Pending::Runtime).map(|(id, _)| *id)
    }

    /// True while folders are being walked.
    pub(crate) fn importing(&self) -> bool {
        self.pending.values().any(|pending| *pending == Pending::Import)
    }

    /// True while photos are being exported.
    pub(crate) fn exporting(&self) -> bool {
        self.export.batch.as_ref().is_some_and(|batch| batch.end.is_none())
    }
}
