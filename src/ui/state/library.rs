//! The list of photos: entries, selection and visible rows.

mod naming;
mod replace;
mod visible;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use batch::settings::ListSort;
use batch::worker::ItemId;
use outcome::StageError;

use super::list_view::{Filter, ListView};
use super::marks::{Mark, ReviewBy};
use super::photo::{ExportMark, Photo};
use super::review::Reviews;

pub(crate) use visible::{Navigation, Showing};

/// How a click changes the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SelectHow {
    /// Selects this photo only.
    Only,
    /// Adds or removes this photo.
    Toggle,
    /// Selects every photo from the last click to this one.
    Range,
}

/// Which photos are selected.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    selected: HashSet<ItemId>,
    anchor: Option<ItemId>,
    current: Option<ItemId>,
}

#[derive(Default)]
pub(crate) struct Library {
    photos: Vec<Photo>,
    places: HashMap<ItemId, usize>,
    known: HashSet<PathBuf>,
    last_id: u64,
    selected: HashSet<ItemId>,
    anchor: Option<ItemId>,
    /// The photo on the canvas.
    pub current: Option<ItemId>,
    reviews: Reviews,
    shown: ListView,
    /// True if the selection has changed since `shown` was updated.
    selection_changed: bool,
    /// Number of selected photos that are not excluded.
    selected_to_export: usize,
    showing: Showing,
    /// Bytes of all thumbnails, and a counter of scroll changes.
    thumbnail_bytes: usize,
    sights: u64,
    /// Number of changes of the list: photos added, removed or moved.
    changes: u64,
}

impl Library {
    pub(crate) fn photos(&self) -> &[Photo] {
        &self.photos
    }

    pub(crate) fn len(&self) -> usize {
        self.photos.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.photos.is_empty()
    }

    pub(crate) fn get(&self, id: ItemId) -> Option<&Photo> {
        self.photos.get(*self.places.get(&id)?)
    }

    /// Mutable access to a photo; it will be reviewed again.
    pub(crate) fn get_mut(&mut self, id: ItemId) -> Option<&mut Photo> {
        let photo = self.photos.get_mut(*self.places.get(&id)?)?;
        self.reviews.touch(photo);
        Some(photo)
    }

    /// Index of the photo in the list.
    pub(crate) fn place(&self, id: ItemId) -> Option<usize> {
        self.places.get(&id).copied()
    }

    /// Appends a photo; `None` if the list already has this path.
    pub(crate) fn add(&mut self, path: &Path) -> Option<ItemId> {
        if !self.known.insert(path.to_owned()) {
            return None;
        }
        self.last_id += 1;
        let id = ItemId(self.last_id);
        self.places.insert(id, self.photos.len());
        let mut photo = Photo::new(id, path.to_owned());
        self.reviews.insert(&mut photo);
        self.photos.push(photo);
        self.changed();
        Some(id)
    }

    pub(crate) fn is_selected(&self, id: ItemId) -> bool {
        self.selected.contains(&id)
    }

    pub(crate) fn selected_count(&self) -> usize {
        self.selected.len()
    }

    /// The selected photos in list order.
    pub(crate) fn selected(&self) -> impl Iterator<Item = &Photo> {
        self.photos.iter().filter(|photo| self.is_selected(photo.id))
    }

    /// Ids of the selected photos in list order.
    pub(crate) fn selected_ids(&self) -> Vec<ItemId> {
        self.selected().map(|photo| photo.id).collect()
    }

    /// Number of selected photos that an export would include; excluded ones are skipped.
    pub(crate) fn selected_to_export(&self) -> usize {
        self.selected_to_export
    }

    /// Number of photos that an export of all would include.
    pub(crate) fn all_to_export(&self) -> usize {
        self.photos.len() - self.count(Mark::Excluded).min(self.photos.len())
    }

    /// Changes the selection and the photo on the canvas.
    pub(crate) fn select(&mut self, id: ItemId, how: SelectHow) {
        let Some(place) = self.place(id) else { return };
        match how {
            SelectHow::Only => {
                self.selected = HashSet::from([id]);
                (self.anchor, self.current) = (Some(id), Some(id));
            }
            SelectHow::Toggle => {
                self.anchor = Some(id);
                if self.selected.remove(&id) {
                    if self.current == Some(id) {
                        let first = self.selected().next().map(|photo| photo.id);
                        self.current = first;
                    }
                } else {
                    self.selected.insert(id);
                    self.current = Some(id);
                }
            }
            SelectHow::Range => {
                self.arrange();
                let anchor = self.anchor.and_then(|id| self.place(id)).unwrap_or(place);
                self.selected = self.between(anchor, place);
                self.current = Some(id);
            }
        }
        self.selection_changed = true;
    }

    pub(crate) fn selection(&self) -> Selection {
        Selection { selected: self.selected.clone(), anchor: self.anchor, current: self.current }
    }

    /// Selects these photos again, as far as they are in the list. Changes nothing if none of them is.
    pub(crate) fn restore_selection(&mut self, selection: &Selection) {
        let listed = |id: &ItemId| self.places.contains_key(id);
        let selected: HashSet<ItemId> = selection.selected.iter().copied().filter(listed).collect();
        let current = selection.current.filter(listed);
        if current.is_some() || !selected.is_empty() {
            let anchor = selection.anchor.filter(listed);
            let first = self.photos.iter().map(|photo| photo.id).find(|id| selected.contains(id));
            (self.current, self.anchor, self.selected) = (current.or(first), anchor, selected);
            self.selection_changed = true;
        }
    }

    /// Selects all visible rows.
    pub(crate) fn select_all(&mut self) {
        self.arrange();
        self.selected = self.rows().map(|photo| photo.id).collect();
        let is_among = self.current.is_some_and(|current| self.selected.contains(&current));
        if !is_among && let Some(first) = self.row(0).map(|photo| photo.id) {
            self.current = Some(first);
        }
        self.selection_changed = true;
    }

    /// Removes photos and returns them with their indices; selects the next one.
    pub(crate) fn take(&mut self, ids: &HashSet<ItemId>) -> Vec<(usize, Photo)> {
        self.arrange();
        let next_selection = self.shown.next_selection(&self.photos, ids);
        let mut gone = Vec::new();
        for (place, mut photo) in std::mem::take(&mut self.photos).into_iter().enumerate() {
            if ids.contains(&photo.id) {
                self.known.remove(&photo.path);
                self.reviews.remove(&mut photo);
                // Thumbnails are loaded again when visible; keeping them here would be unbounded.
                self.thumbnail_bytes -= photo.thumbnail.take().map_or(0, |copy| copy.rgba.len());
                gone.push((place, photo));
            } else {
                self.photos.push(photo);
            }
        }
        self.number();
        self.selected.retain(|id| !ids.contains(id));
        self.selection_changed = true;
        if self.current.is_some_and(|current| ids.contains(&current)) {
            (self.anchor, self.current) = (None, None);
            if let Some(next) = next_selection {
                self.select(next, SelectHow::Only);
            }
        }
        gone
    }

    /// Restores removed photos and shows the first; returns their ids. Paths that have been added again since are skipped.
    pub(crate) fn put_back(&mut self, photos: Vec<(usize, Photo)>) -> Vec<ItemId> {
        let mut ids = Vec::new();
        for (place, mut photo) in photos {
            if self.known.insert(photo.path.clone()) {
                ids.push(photo.id);
                self.reviews.insert(&mut photo);
                let place = place.min(self.photos.len());
                self.photos.insert(place, photo);
            }
        }
        self.number();
        if let Some(&first) = ids.first() {
            self.select(first, SelectHow::Only);
        }
        ids
    }

    fn number(&mut self) {
        self.places = self.photos.iter().enumerate().map(|(place, photo)| (photo.id, place)).collect();
        self.changed();
    }

    fn changed(&mut self) {
        self.changes += 1;
        self.shown.list_changed();
    }

    /// Number of changes of the list.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Number of photos with this mark, among those reviewed so far.
    pub(crate) fn count(&self, mark: Mark) -> usize {
        self.reviews.count(mark)
    }

    /// Reviews changed photos, visible ones first, until `until`. Returns true if some are left.
    pub(crate) fn review_until(&mut self, by: &ReviewBy, until: Instant) -> bool {
        self.reviews.set_inputs(by, self.photos.len());
        if self.reviews.is_done() {
            return false;
        }
        let first: Vec<ItemId> = self.current.into_iter().chain(self.showing.items.iter().copied()).collect();
        for id in first {
            self.refresh(id);
        }
        while Instant::now() < until {
            let place = match self.reviews.next_changed() {
                Some(id) => self.place(id),
                None => match self.reviews.next_place(self.photos.len()) {
                    Some(place) => Some(place),
                    None => return false,
                },
            };
            if let Some(photo) = place.and_then(|place| self.photos.get_mut(place)) {
                self.reviews.refresh(photo);
            }
        }
        !self.reviews.is_done()
    }

    /// Clears the failures of an export without a runtime: one is open.
    pub(crate) fn forget_missing_runtime(&mut self) {
        for photo in &mut self.photos {
            if let Some(ExportMark::Failed(report)) = &photo.export
                && matches!(report.error, Some(StageError::NoRuntime(_)))
            {
                photo.export = None;
                self.reviews.touch(photo);
            }
        }
    }

    /// The photos found since the last call whose crops lack a person mask.
    pub(crate) fn take_lacking_masks(&mut self) -> Vec<ItemId> {
        std::mem::take(&mut self.reviews.lacking_masks)
    }

    /// Reviews one photo if it or its inputs have changed.
    pub(crate) fn refresh_by(&mut self, by: &ReviewBy, id: ItemId) {
        self.reviews.set_inputs(by, self.photos.len());
        self.refresh(id);
    }

    fn refresh(&mut self, id: ItemId) {
        if let Some(photo) = self.place(id).and_then(|place| self.photos.get_mut(place)) {
            self.reviews.refresh(photo);
        }
    }

    /// Updates order and rows after additions, selections and reviews.
    pub(crate) fn arrange(&mut self) {
        let marks_changed = std::mem::take(&mut self.reviews.marks_changed);
        if marks_changed {
            self.shown.marks_changed();
        }
        if std::mem::take(&mut self.reviews.ranks_changed) {
            self.shown.ranks_changed();
        }
        let selection_changed = std::mem::take(&mut self.selection_changed);
        if selection_changed {
            let (photos, places) = (&self.photos, &self.places);
            let outside = self.current.filter(|current| !self.selected.contains(current));
            let dragged = self.selected.iter().chain(&outside);
            let get = |id: ItemId| photos.get(*places.get(&id)?);
            self.shown.freeze(dragged.filter_map(|id| get(*id)), get);
        }
        if marks_changed || selection_changed {
            let excluded = |id: &&ItemId| self.get(**id).is_some_and(Photo::is_excluded);
            self.selected_to_export = self.selected.len() - self.selected.iter().filter(excluded).count();
        }
        if self.shown.is_old() {
            self.shown.arrange(&self.photos);
        }
    }

    /// The next photo to review after the current one, in display order but regardless of the filter; `back` for the
    /// previous one. Wraps around at the end.
    pub(crate) fn next_to_review(&mut self, by: &ReviewBy, back: bool) -> Option<ItemId> {
        self.arrange();
        self.reviews.set_inputs(by, self.photos.len());
        let len = self.photos.len();
        let here = self.current.and_then(|id| self.shown.order_of(self.place(id)?));
        for step in 1..=len {
            let at = match (here, back) {
                (Some(here), false) => (here + step) % len,
                (Some(here), true) => (here + len - step) % len,
                (None, false) => step - 1,
                (None, true) => len - step,
            };
            let photo = self.photos.get_mut(*self.shown.order().get(at)? as usize)?;
            self.reviews.refresh(photo);
            if photo.marks().has(Mark::NeedsReview) && Some(photo.id) != self.current {
                return Some(photo.id);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
