//! Filter and order of the list.

use std::collections::{HashMap, HashSet};

use batch::settings::ListSort;
use batch::worker::ItemId;
use import::natural_cmp;

use super::marks::{Mark, Marks};
use super::photo::Photo;

/// Marks the absence of an index.
const NO_INDEX: u32 = u32::MAX;

/// Filter of the list.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Filter {
    /// Empty for all. Marks of one kind are alternatives; `NeedsReview` and different kinds are combined.
    pub marks: Marks,
    /// Text that the photo's name or that of its crops must contain, ignoring case; `None` while the search field is closed.
    pub text: Option<String>,
    /// Number of requests for the search field: each one gives it the focus.
    pub finds: u32,
}

impl Filter {
    /// True if every photo is shown.
    pub(crate) fn shows_all(&self) -> bool {
        self.marks.is_empty() && self.text.as_ref().is_none_or(|text| text.trim().is_empty())
    }

    /// True if neither marks nor a name are filtered.
    pub(crate) fn is_default(&self) -> bool {
        self.marks.is_empty() && self.text.is_none()
    }

    fn matches(&self, marks: Marks) -> bool {
        let kinds = [Mark::REASONS, Mark::NAMES, Mark::STATES].map(|kind| self.marks.among(kind));
        let review = !self.marks.has(Mark::NeedsReview) || marks.has(Mark::NeedsReview);
        review && kinds.into_iter().all(|kind| kind.is_empty() || marks.meets(kind))
    }
}

/// The photos in order, and those that pass the filter.
#[derive(Default)]
pub(super) struct ListView {
    filter: Filter,
    sort: ListSort,
    /// List indices, in display order.
    order: Vec<u32>,
    /// Those of `order` that pass the filter.
    rows: Vec<u32>,
    /// By list index: position in `order` and in `rows`.
    in_order: Vec<u32>,
    in_rows: Vec<u32>,
    /// Selected photos with marks and rank frozen at the time of selection, so that none moves or disappears while it is
    /// edited.
    frozen: HashMap<ItemId, (Marks, u32)>,
    order_is_old: bool,
    rows_are_old: bool,
}

impl ListView {
    pub(super) fn filter(&self) -> &Filter {
        &self.filter
    }

    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }

    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    pub(super) fn row_of(&self, place: usize) -> Option<usize> {
        self.in_rows.get(place).filter(|row| **row != NO_INDEX).map(|row| *row as usize)
    }

    pub(super) fn order_of(&self, place: usize) -> Option<usize> {
        self.in_order.get(place).map(|at| *at as usize)
    }

    pub(super) fn set_filter(&mut self, filter: Filter) {
        if self.filter != filter {
            self.filter = filter;
            // After a change of the filter, photos are shown with their current marks.
            self.frozen.clear();
            self.rows_are_old = true;
        }
    }

    pub(super) fn set_sort(&mut self, sort: ListSort) {
        if self.sort != sort {
            self.sort = sort;
            self.frozen.clear();
            self.order_is_old = true;
        }
    }

    /// Photos were added or removed.
    pub(super) fn list_changed(&mut self) {
        self.order_is_old = true;
    }

    pub(super) fn marks_changed(&mut self) {
        self.rows_are_old |= !self.filter.shows_all();
    }

    pub(super) fn ranks_changed(&mut self) {
        self.order_is_old |= self.sort == ListSort::Worst;
    }

    /// True if order or rows are out of date.
    pub(super) fn is_old(&self) -> bool {
        self.order_is_old || self.rows_are_old
    }

    /// Freezes the selected photos and releases the others; `get` returns a photo. Order and rows become outdated only if a
    /// released photo has changed meanwhile, so that navigation stays cheap.
    pub(super) fn freeze<'a>(
        &mut self,
        dragged: impl Iterator<Item = &'a Photo>,
        get: impl Fn(ItemId) -> Option<&'a Photo>,
    ) {
        let mut before = std::mem::take(&mut self.frozen);
        self.frozen =
            dragged.map(|photo| (photo.id, before.remove(&photo.id).unwrap_or((photo.marks, photo.rank)))).collect();
        for (id, (marks, rank)) in before {
            let Some(photo) = get(id) else { continue };
            self.rows_are_old |= photo.marks != marks && !self.filter.shows_all();
            self.order_is_old |= photo.rank != rank && self.sort == ListSort::Worst;
        }
    }

    /// Updates order and rows.
    pub(super) fn arrange(&mut self, photos: &[Photo]) {
        if self.order_is_old {
            self.rows_are_old = true;
            self.arrange_order(photos);
        }
        if self.rows_are_old {
            self.arrange_rows(photos);
        }
        (self.order_is_old, self.rows_are_old) = (false, false);
    }

    fn arrange_order(&mut self, photos: &[Photo]) {
        self.order.clear();
        self.order.extend(0..u32::try_from(photos.len()).unwrap_or(NO_INDEX));
        match self.sort {
            ListSort::Added => {}
            ListSort::Name => {
                let name = |place: u32| photos[place as usize].name.as_ref();
                self.order.sort_by(|&a, &b| natural_cmp(name(a), name(b)));
            }
            ListSort::Worst => {
                let rank = |photo: &Photo| self.frozen.get(&photo.id).map_or(photo.rank, |(_, rank)| *rank);
                self.order.sort_by_cached_key(|&place| (u32::MAX - rank(&photos[place as usize]), place));
            }
        }
        self.in_order.clear();
        self.in_order.resize(photos.len(), NO_INDEX);
        for (at, &place) in self.order.iter().enumerate() {
            self.in_order[place as usize] = at as u32;
        }
    }

    fn arrange_rows(&mut self, photos: &[Photo]) {
        let text = self.filter.text.as_ref().map(|text| text.trim().to_lowercase()).filter(|text| !text.is_empty());
        let filter = &self.filter;
        let frozen = &mut self.frozen;
        let mut matches = |photo: &Photo| {
            if text.as_ref().is_some_and(|text| !has_in_names(photo, text)) {
                return false;
            }
            if filter.matches(photo.marks) {
                // It stays visible from now on, even if its marks change while it is edited.
                frozen.entry(photo.id).and_modify(|(marks, _)| *marks = photo.marks);
                return true;
            }
            frozen.get(&photo.id).is_some_and(|(marks, _)| filter.matches(*marks))
        };
        self.rows.clear();
        self.rows.extend(self.order.iter().copied().filter(|&place| matches(&photos[place as usize])));
        self.in_rows.clear();
        self.in_rows.resize(photos.len(), NO_INDEX);
        for (row, &place) in self.rows.iter().enumerate() {
            self.in_rows[place as usize] = row as u32;
        }
    }

    /// The photo to select after those with `ids` were removed: the next visible one, else the last one left.
    pub(super) fn next_selection(&self, photos: &[Photo], ids: &HashSet<ItemId>) -> Option<ItemId> {
        let rows = if self.rows.is_empty() { &self.order } else { &self.rows };
        let ids_in_rows = rows.iter().filter_map(|&place| photos.get(place as usize)).map(|photo| photo.id);
        let ids_in_rows: Vec<ItemId> = ids_in_rows.collect();
        let first = ids_in_rows.iter().position(|id| ids.contains(id)).unwrap_or(0);
        let stays = |id: &&ItemId| !ids.contains(id);
        ids_in_rows[first..].iter().find(stays).or_else(|| ids_in_rows[..first].iter().rev().find(stays)).copied()
    }
}

/// True if the name of the photo, or that of its crops, contains `text`, which is in lower case.
fn has_in_names(photo: &Photo, text: &str) -> bool {
    let of_crops = photo.naming.as_ref().and_then(|naming| naming.name.listed.as_ref());
    std::iter::once(&photo.name).chain(of_crops).any(|name| name.to_lowercase().contains(text))
}
