//! Which photos of the list are shown, and in which order.

use std::collections::{HashMap, HashSet};

use batch::settings::ListSort;
use batch::worker::ItemId;
use import::natural_cmp;

use super::marks::{Mark, Marks};
use super::photo::Photo;

/// Stands for no place.
const NOWHERE: u32 = u32::MAX;

/// What is shown of the list.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Filter {
    /// Empty for all. Of several reasons one is enough, of several states likewise; what needs a look is asked for as well.
    pub marks: Marks,
    /// What names have in them, whatever the case; `None` while nobody looks for one.
    pub text: Option<String>,
    /// How often the field for names was asked for: each time it takes the focus.
    pub finds: u32,
}

impl Filter {
    /// True where every photo is shown.
    pub(crate) fn shows_all(&self) -> bool {
        self.marks.is_empty() && self.text.as_ref().is_none_or(|text| text.trim().is_empty())
    }

    /// True where nothing is asked for and nobody looks for a name.
    pub(crate) fn is_default(&self) -> bool {
        self.marks.is_empty() && self.text.is_none()
    }

    fn lets_in(&self, marks: Marks) -> bool {
        let (reasons, states) = (self.marks.among(Mark::REASONS), self.marks.among(Mark::STATES));
        let look = !self.marks.has(Mark::NeedsReview) || marks.has(Mark::NeedsReview);
        look && (reasons.is_empty() || marks.meets(reasons)) && (states.is_empty() || marks.meets(states))
    }
}

/// The photos in order, and those of them that are shown.
#[derive(Default)]
pub(super) struct Shown {
    filter: Filter,
    sort: ListSort,
    /// Places in the list, in the order shown.
    order: Vec<u32>,
    /// Those of `order` that are shown.
    rows: Vec<u32>,
    /// By place in the list: where in `order` and in `rows` it is.
    in_order: Vec<u32>,
    in_rows: Vec<u32>,
    /// Photos in hand: marks and rank as they were when they were taken up, so that none jumps away while it is worked on.
    held: HashMap<ItemId, (Marks, u32)>,
    order_is_old: bool,
    rows_are_old: bool,
}

impl Shown {
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
        self.in_rows.get(place).filter(|row| **row != NOWHERE).map(|row| *row as usize)
    }

    pub(super) fn order_of(&self, place: usize) -> Option<usize> {
        self.in_order.get(place).map(|at| *at as usize)
    }

    pub(super) fn set_filter(&mut self, filter: Filter) {
        if self.filter != filter {
            self.filter = filter;
            // What is in hand is looked at as it is now: it was another list that it was to stay in.
            self.held.clear();
            self.rows_are_old = true;
        }
    }

    pub(super) fn set_sort(&mut self, sort: ListSort) {
        if self.sort != sort {
            self.sort = sort;
            self.held.clear();
            self.order_is_old = true;
        }
    }

    /// Photos came or went.
    pub(super) fn list_changed(&mut self) {
        self.order_is_old = true;
    }

    pub(super) fn marks_changed(&mut self) {
        self.rows_are_old |= !self.filter.shows_all();
    }

    pub(super) fn ranks_changed(&mut self) {
        self.order_is_old |= self.sort == ListSort::Worst;
    }

    /// True where the order or what is shown is out of date.
    pub(super) fn is_old(&self) -> bool {
        self.order_is_old || self.rows_are_old
    }

    /// Takes other photos in hand, and lets go of those that were; `get` finds a photo. Only where one that is let go has
    /// changed in hand are order and rows out of date: a step through the list costs nothing more.
    pub(super) fn hold<'a>(
        &mut self,
        dragged: impl Iterator<Item = &'a Photo>,
        get: impl Fn(ItemId) -> Option<&'a Photo>,
    ) {
        let mut before = std::mem::take(&mut self.held);
        self.held =
            dragged.map(|photo| (photo.id, before.remove(&photo.id).unwrap_or((photo.marks, photo.rank)))).collect();
        for (id, (marks, rank)) in before {
            let Some(photo) = get(id) else { continue };
            self.rows_are_old |= photo.marks != marks && !self.filter.shows_all();
            self.order_is_old |= photo.rank != rank && self.sort == ListSort::Worst;
        }
    }

    /// Brings order and rows up to date.
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
        self.order.extend(0..u32::try_from(photos.len()).unwrap_or(NOWHERE));
        match self.sort {
            ListSort::Added => {}
            ListSort::Name => {
                let name = |place: u32| photos[place as usize].name.as_ref();
                self.order.sort_by(|&a, &b| natural_cmp(name(a), name(b)));
            }
            ListSort::Worst => {
                let rank = |photo: &Photo| self.held.get(&photo.id).map_or(photo.rank, |(_, rank)| *rank);
                self.order.sort_by_cached_key(|&place| (u32::MAX - rank(&photos[place as usize]), place));
            }
        }
        self.in_order.clear();
        self.in_order.resize(photos.len(), NOWHERE);
        for (at, &place) in self.order.iter().enumerate() {
            self.in_order[place as usize] = at as u32;
        }
    }

    fn arrange_rows(&mut self, photos: &[Photo]) {
        let text = self.filter.text.as_ref().map(|text| text.trim().to_lowercase()).filter(|text| !text.is_empty());
        let filter = &self.filter;
        let held = &mut self.held;
        let mut lets_in = |photo: &Photo| {
            if text.as_ref().is_some_and(|text| !photo.name.to_lowercase().contains(text.as_str())) {
                return false;
            }
            if filter.lets_in(photo.marks) {
                // From now on it stays, whatever becomes of it in hand.
                held.entry(photo.id).and_modify(|(marks, _)| *marks = photo.marks);
                return true;
            }
            held.get(&photo.id).is_some_and(|(marks, _)| filter.lets_in(*marks))
        };
        self.rows.clear();
        self.rows.extend(self.order.iter().copied().filter(|&place| lets_in(&photos[place as usize])));
        self.in_rows.clear();
        self.in_rows.resize(photos.len(), NOWHERE);
        for (row, &place) in self.rows.iter().enumerate() {
            self.in_rows[place as usize] = row as u32;
        }
    }

    /// The place of the photo to go to once those with `ids` are gone: the next one shown, else the last that stays.
    pub(super) fn heir(&self, photos: &[Photo], ids: &HashSet<ItemId>) -> Option<ItemId> {
        let rows = if self.rows.is_empty() { &self.order } else { &self.rows };
        let ids_in_rows = rows.iter().filter_map(|&place| photos.get(place as usize)).map(|photo| photo.id);
        let ids_in_rows: Vec<ItemId> = ids_in_rows.collect();
        let first = ids_in_rows.iter().position(|id| ids.contains(id)).unwrap_or(0);
        let stays = |id: &&ItemId| !ids.contains(id);
        ids_in_rows[first..].iter().find(stays).or_else(|| ids_in_rows[..first].iter().rev().find(stays)).copied()
    }
}
