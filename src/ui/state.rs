//! The state of the window: plain data, without egui types and without channels.

mod batch;
mod camera;
mod cards;
mod compare;
mod failures;
mod folding;
mod groups;
mod history;
mod library;
mod list_view;
mod marks;
mod names;
mod notices;
mod output_folder;
mod outputs;
mod pending;
mod photo;
mod previews;
mod project;
mod review;
mod runtimes;
mod tiles;
mod tools;
mod unfinished;
mod view;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use ::batch::settings::Settings;
use ::batch::worker::{ItemId, PhotoRef, Request, RequestId, SecondaryDetection};
use geometry::{PixelRect, Size};
use import::PathCompletions;
use outcome::{Detection, DisplayCopy, StageTimes};
use plan::PlannedCrop;
use recipe::{DetectSpec, Preset, built_in_presets};

use super::dialogs::PickerKind;
use super::wishes::Wishes;

pub(crate) use batch::{Batch, BatchEnd, BatchLine, Counts, ExportScope};
pub(crate) use camera::CameraGroup;
pub(crate) use cards::{CardReading, CardsGroup};
pub(crate) use compare::{CompareEnd, CompareObstacle, CompareRun};
pub(crate) use failures::{PhotoFailure, Unanswered, Unavailable};
pub(crate) use folding::Foldable;
pub(crate) use groups::{CanvasGroup, DialogGroup, ExportGroup, ListGroup, RuntimeGroup};
pub(crate) use history::{Change, Gesture, ListChange, Step, Values};
pub(crate) use library::{Navigation, SelectHow, Selection, Showing};
pub(crate) use list_view::Filter;
pub(crate) use marks::{Mark, Marks, ReviewBy};
pub(crate) use names::{KnownNames, NamesGroup, RequestedNames};
pub(crate) use notices::{Notice, NoticeButton, NoticeKind, Notices};
pub(crate) use outputs::{Framings, OutputMut, changed_output};
pub(crate) use pending::Pending;
pub(crate) use photo::{ExportMark, Photo, PhotoStatus};
pub(crate) use previews::{PREVIEW_SIDE, Preview, PreviewKey};
pub(crate) use project::{Leaving, Opening, ProjectRequests, Watched};
pub(crate) use runtimes::{Copied, DescribedModel, KnownRuntimes, RuntimeStatus, Secondary};
pub(crate) use tiles::{CROPS_SHOWN, Sheet, TileKey};
pub(crate) use tools::{AspectLock, ShownFrame};
pub(crate) use unfinished::{UnfinishedRun, usable_folder};
pub(crate) use view::CanvasView;

/// Longer side of a thumbnail in pixels: as embedded by cameras, and enough for a tile of the grid.
pub(crate) const THUMBNAIL_SIDE: u32 = 160;

/// The whole state of the window.
pub(crate) struct AppState {
    pub settings: Settings,
    pub runtime: RuntimeGroup,
    pub list: ListGroup,
    pub canvas: CanvasGroup,
    pub export: ExportGroup,
    pub names: NamesGroup,
    pub cards: CardsGroup,
    pub camera: CameraGroup,
    pub dialogs: DialogGroup,
    /// The side panel to show if only one has room.
    pub front_side: Foldable,
    /// True if the window has room for both side panels.
    pub has_room_for_sides: bool,
    /// Requests without their final event.
    pub pending: HashMap<RequestId, Pending>,
    pub worker_alive: bool,
    /// True if files cannot be dropped on the window.
    pub without_drops: bool,
    /// What the system wishes for accessibility.
    pub wishes: Wishes,
    /// The renderer, if known.
    pub renderer: Option<String>,
    /// The display server, if known.
    pub display: Option<String>,
}

/// A page over the main window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Shortcuts,
    Messages,
    About,
    Runtimes,
    Model,
    /// Question about unsaved changes.
    Leaving,
    /// Question about a project's requests that the export would follow.
    ProjectRequests {
        scope: ExportScope,
        resume: bool,
    },
    /// The rows of the name list without a photo.
    RowsWithoutPhoto,
    /// Field for typing a path, in place of a dialog.
    TypePath(PickerKind),
}

/// Completions of a typed path.
#[derive(Default)]
pub(crate) struct Completions {
    /// The latest request; other answers are ignored.
    pub request: Option<RequestId>,
    pub found: PathCompletions,
}

/// Kind of a written text file, for messages about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SavedText {
    #[default]
    Comparison,
    Presets,
}

/// The photo on the canvas, beyond its entry in the library.
#[derive(Default)]
pub(crate) struct Inspection {
    /// True until the worker has answered.
    pub waiting: bool,
    pub display: Option<DisplayCopy>,
    pub stages: StageTimes,
    /// The detection that `stages` belong to. That of the photo may be another one, for the list.
    pub found: Option<Arc<Detection>>,
    /// Result of the secondary runtime.
    pub secondary: Option<SecondaryDetection>,
    pub failure: Option<PhotoFailure>,
    /// The part that a zoomed-in canvas needs in more detail than `display` has.
    pub wanted_detail: Option<Detail>,
    /// The last such part received.
    pub detail: Option<(PixelRect, DisplayCopy)>,
}

/// A part of a photo for a zoomed-in canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Detail {
    pub item: ItemId,
    /// In pixels of the upright image.
    pub part: PixelRect,
    /// Displayed size, in pixels.
    pub size: Size,
}

impl AppState {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            runtime: RuntimeGroup::new(&settings),
            settings,
            list: ListGroup::default(),
            canvas: CanvasGroup::default(),
            export: ExportGroup::default(),
            names: NamesGroup::default(),
            cards: CardsGroup::default(),
            camera: CameraGroup::default(),
            dialogs: DialogGroup::default(),
            front_side: Foldable::default(),
            has_room_for_sides: true,
            pending: HashMap::new(),
            worker_alive: true,
            without_drops: false,
            wishes: Wishes::default(),
            renderer: None,
            display: None,
        }
    }

    /// Records the subject of `request` until its final event. A request that supersedes an older one replaces it.
    pub(crate) fn record_request(&mut self, id: RequestId, request: &Request) {
        let pending = Pending::of(request);
        if pending.latest_counts() {
            self.pending.retain(|_, other| *other != pending);
        }
        match pending {
            Pending::IndexPhoto(item) => *self.list.passes.entry(item).or_default() += 1,
            Pending::Thumbnail(item) => _ = self.list.thumbnails.insert(item, id),
            Pending::Tile(key) => self.list.tiles.begin(&key, id),
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
        if pending == Pending::FindRows {
            self.names.search.request = Some(id);
        }
        if pending == Pending::Camera {
            self.camera.request = Some(id);
        }
        if let (Pending::Watch, Some(watched)) = (pending, &mut self.list.watched) {
            watched.request = Some(id);
        }
        self.pending.insert(id, pending);
    }

    /// Removes and returns a pending request.
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
            Pending::Tile(key) => self.list.tiles.end(&key, id),
            _ => {}
        }
        Some(pending)
    }

    /// True while detection for this photo is pending.
    pub(crate) fn awaits_detection(&self, item: ItemId) -> bool {
        self.list.passes.contains_key(&item)
    }

    /// Number of photos waiting for detection.
    pub(crate) fn pending_detections(&self) -> usize {
        self.list.passes.len().min(self.list.library.len())
    }

    /// Inputs of reviews, apart from the photos.
    pub(crate) fn review_by(&self) -> ReviewBy {
        let has_no_runtime = matches!(self.runtime.status, RuntimeStatus::Failed { .. });
        let variants = self.settings.recipe.variants.iter().map(|variant| variant.crop.clone()).collect();
        ReviewBy { crop: self.settings.recipe.crop.clone(), variants, has_no_runtime, cards: self.settings.names.cards }
    }

    /// Updates reviews and rows within a time budget. Returns true if work is left.
    pub(crate) fn update_list(&mut self, until: Instant) -> bool {
        let by = self.review_by();
        let left = self.list.library.review_until(&by, until);
        self.list.library.set_sort(self.settings.window.sort);
        self.list.library.arrange();
        self.update_proposed_folder();
        left
    }

    /// The photo on the canvas.
    pub(crate) fn current(&self) -> Option<&Photo> {
        self.list.library.get(self.list.library.current?)
    }

    /// Every preset: the built-in ones, then custom ones.
    pub(crate) fn presets(&self) -> impl Iterator<Item = &Preset> {
        built_in_presets().iter().chain(&self.settings.presets)
    }

    /// The previewed crop with its index in the plan.
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
            detect: DetectSpec { masks: photo.masks(&self.framings()), ..self.settings.detect },
        }
    }

    /// The photos of a comparison: the selected ones, else the one on the canvas.
    pub(crate) fn compared_photos(&self) -> Vec<&Photo> {
        let may_open = |photo: &&Photo| !self.settings.is_quarantined(&photo.path);
        match self.list.library.selected_count() {
            0 => self.current().into_iter().filter(may_open).collect(),
            _ => self.list.library.selected().filter(may_open).collect(),
        }
    }

    /// The pending request that opens the runtime.
    pub(crate) fn opening(&self) -> Option<RequestId> {
        self.pending.iter().find(|(_, pending)| **pending == Pending::Runtime).map(|(id, _)| *id)
    }

    /// True while folders are scanned.
    pub(crate) fn importing(&self) -> bool {
        self.pending.values().any(|pending| *pending == Pending::Import)
    }

    /// True while something else is shown in place of the photo.
    pub(crate) fn hides_photo(&self) -> bool {
        self.camera.shown || self.runtime.compare.shown
    }

    /// True while photos are exported.
    pub(crate) fn exporting(&self) -> bool {
        self.export.batch.as_ref().is_some_and(|batch| batch.end.is_none())
    }
}
