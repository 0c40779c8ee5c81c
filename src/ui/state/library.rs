//! The list of photos: which there are, which are selected, which are shown.

mod other;
mod shown_now;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use batch::settings::ListSort;
use batch::worker::ItemId;

use super::marks::{Mark, ReviewBy};
use super::photo::Photo;
use super::review::Reviews;
use super::shown::{Filter, Shown};

pub(crate) use shown_now::{Navigation, Showing};

/// How a click changes the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SelectHow {
    /// This one alone.
    Only,
    /// This one in or out.
    Toggle,
    /// Every one from the last click to this one.
    Range,
}

/// The list of photos.
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
    shown: Shown,
    /// True where other photos are in hand than `shown` knows of.
    selection_changed: bool,
    /// How many of the selected photos are not left out.
    selected_to_export: usize,
    showing: Showing,
    /// Bytes of all thumbnails, and the count of changes of what is in sight.
    thumbnail_bytes: usize,
    sights: u64,
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

    /// The photo, to be changed: it will be reviewed again.
    pub(crate) fn get_mut(&mut self, id: ItemId) -> Option<&mut Photo> {
        let photo = self.photos.get_mut(*self.places.get(&id)?)?;
        self.reviews.touch(photo);
        Some(photo)
    }

    /// Where the photo stands in the list.
    pub(crate) fn place(&self, id: ItemId) -> Option<usize> {
        self.places.get(&id).copied()
    }

    /// Appends a photo; `None` where the list has this path already.
    pub(crate) fn add(&mut self, path: &Path) -> Option<ItemId> {
        if !self.known.insert(path.to_owned()) {
            return None;
        }
        self.last_id += 1;
        let id = ItemId(self.last_id);
        self.places.insert(id, self.photos.len());
        let mut photo = Photo::new(id, path.to_owned());
        self.reviews.take_in(&mut photo);
        self.photos.push(photo);
        self.shown.list_changed();
        Some(id)
    }

    pub(crate) fn is_selected(&self, id: ItemId) -> bool {
        self.selected.contains(&id)
    }

    pub(crate) fn selected_count(&self) -> usize {
        self.selected.len()
    }

    /// The selected photos in the list's order.
    pub(crate) fn selected(&self) -> impl Iterator<Item = &Photo> {
        self.photos.iter().filter(|photo| self.is_selected(photo.id))
    }

    /// The ids of the selected photos in the list's order.
    pub(crate) fn selected_ids(&self) -> Vec<ItemId> {
        self.selected().map(|photo| photo.id).collect()
    }

    /// How many of the selected photos an export would take: those left out stay so.
    pub(crate) fn selected_to_export(&self) -> usize {
        self.selected_to_export
    }

    /// How many photos an export of all would take.
    pub(crate) fn all_to_export(&self) -> usize {
        self.photos.len() - self.count(Mark::Excluded).min(self.photos.len())
    }

    /// Changes the selection and what is on the canvas.
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

    /// Selects every photo that is shown.
    pub(crate) fn select_all(&mut self) {
        self.arrange();
        self.selected = self.rows().map(|photo| photo.id).collect();
        let is_among = self.current.is_some_and(|current| self.selected.contains(&current));
        if !is_among && let Some(first) = self.row(0).map(|photo| photo.id) {
            self.current = Some(first);
        }
        self.selection_changed = true;
    }

    /// Takes photos off the list, each with its place, and selects the one that moves up.
    pub(crate) fn take(&mut self, ids: &HashSet<ItemId>) -> Vec<(usize, Photo)> {
        self.arrange();
        let heir = self.shown.heir(&self.photos, ids);
        let mut gone = Vec::new();
        for (place, mut photo) in std::mem::take(&mut self.photos).into_iter().enumerate() {
            if ids.contains(&photo.id) {
                self.known.remove(&photo.path);
                self.reviews.release(&mut photo);
                // It is found again when it comes back into sight; kept, it would not be bounded.
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
            if let Some(next) = heir {
                self.select(next, SelectHow::Only);
            }
        }
        gone
    }

    /// Puts photos back where they were, and selects them; gives their ids. One whose path has come back since stays away.
    pub(crate) fn put_back(&mut self, photos: Vec<(usize, Photo)>) -> Vec<ItemId> {
        let mut ids = Vec::new();
        for (place, mut photo) in photos {
            if self.known.insert(photo.path.clone()) {
                ids.push(photo.id);
                self.reviews.take_in(&mut photo);
                let place = place.min(self.photos.len());
                self.photos.insert(place, photo);
            }
        }
        self.number();
        if let Some(&first) = ids.first() {
            self.selected = ids.iter().copied().collect();
            (self.anchor, self.current) = (Some(first), Some(first));
            self.selection_changed = true;
        }
        ids
    }

    fn number(&mut self) {
        self.places = self.photos.iter().enumerate().map(|(place, photo)| (photo.id, place)).collect();
        self.shown.list_changed();
    }

    /// How many photos have this mark, of those reviewed so far.
    pub(crate) fn count(&self, mark: Mark) -> usize {
        self.reviews.count(mark)
    }

    /// Reviews photos that have changed, those in sight first, until `until`. True where some are left.
    pub(crate) fn review_until(&mut self, by: &ReviewBy, until: Instant) -> bool {
        self.reviews.follow(by, self.photos.len());
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

    /// Reviews one photo, where it or what it depends on has changed.
    pub(crate) fn refresh_by(&mut self, by: &ReviewBy, id: ItemId) {
        self.reviews.follow(by, self.photos.len());
        self.refresh(id);
    }

    fn refresh(&mut self, id: ItemId) {
        if let Some(photo) = self.place(id).and_then(|place| self.photos.get_mut(place)) {
            self.reviews.refresh(photo);
        }
    }

    /// Brings order and rows up to date with what was added, selected and reviewed.
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
            self.shown.hold(dragged.filter_map(|id| get(*id)), get);
        }
        if marks_changed || selection_changed {
            let excluded = |id: &&ItemId| self.get(**id).is_some_and(Photo::is_excluded);
            self.selected_to_export = self.selected.len() - self.selected.iter().filter(excluded).count();
        }
        if self.shown.is_old() {
            self.shown.arrange(&self.photos);
        }
    }

    /// The next photo that needs a look after the one on the canvas, in the order shown but whether shown or not; `back` for
    /// the one before. From the end it goes on at the beginning.
    pub(crate) fn next_to_review(&mut self, by: &ReviewBy, back: bool) -> Option<ItemId> {
        self.arrange();
        self.reviews.follow(by, self.photos.len());
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
