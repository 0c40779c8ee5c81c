//! The view of the list: visible rows, navigation, thumbnails.

use std::collections::HashSet;

use batch::worker::ItemId;
use outcome::DisplayCopy;

use super::{Filter, Library, ListSort, Photo, SelectHow};

/// Maximum bytes of thumbnails in memory; beyond it, those invisible the longest are dropped and loaded again when needed.
/// About 850 of 160 x 120 pixels.
const MAX_THUMBNAIL_BYTES: usize = 64 << 20;

/// The visible part of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Showing {
    /// The visible photos, in order.
    pub items: Vec<ItemId>,
    /// Columns of the grid.
    pub columns: usize,
    /// Number of rows that fit.
    pub rows: usize,
}

impl Default for Showing {
    fn default() -> Self {
        Self { items: Vec::new(), columns: 1, rows: 1 }
    }
}

/// A step from the photo on the canvas to another row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Navigation {
    /// A number of photos; negative is backwards.
    By(isize),
    /// A number of rows; negative is upwards.
    Rows(isize),
    /// A number of pages; negative is upwards.
    Pages(isize),
    First,
    Last,
}

impl Library {
    pub(crate) fn filter(&self) -> &Filter {
        self.shown.filter()
    }

    pub(crate) fn set_filter(&mut self, filter: Filter) {
        self.shown.set_filter(filter);
        // The selection is frozen again with its current marks.
        self.selection_changed = true;
    }

    pub(crate) fn set_sort(&mut self, sort: ListSort) {
        self.shown.set_sort(sort);
    }

    pub(crate) fn row_count(&self) -> usize {
        self.shown.rows().len()
    }

    /// The photo at `row`.
    pub(crate) fn row(&self, row: usize) -> Option<&Photo> {
        self.photos.get(*self.shown.rows().get(row)? as usize)
    }

    /// The photos of all rows, in order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Photo> {
        self.shown.rows().iter().filter_map(|&place| self.photos.get(place as usize))
    }

    /// Row of a photo.
    pub(crate) fn row_of(&self, id: ItemId) -> Option<usize> {
        self.shown.row_of(self.place(id)?)
    }

    /// The photos between two list indices, inclusive, that pass the filter.
    pub(super) fn between(&self, a: usize, b: usize) -> HashSet<ItemId> {
        let row = |place| self.shown.row_of(place);
        let (Some(a), Some(b)) = (row(a).or(row(b)), row(b)) else {
            return self.photos.get(b).map(|photo| photo.id).into_iter().collect();
        };
        (a.min(b)..=a.max(b)).filter_map(|row| self.row(row)).map(|photo| photo.id).collect()
    }

    /// The photo that navigation from the current one leads to; starts at the first row if the current one is hidden.
    pub(crate) fn navigate(&mut self, navigate: Navigation) -> Option<ItemId> {
        self.arrange();
        let last = self.row_count().checked_sub(1)?;
        let here = self.current.and_then(|id| self.row_of(id));
        let columns = self.showing.columns.max(1);
        let page = columns * self.showing.rows.max(1);
        let by = match navigate {
            Navigation::By(by) => by,
            Navigation::Rows(rows) => rows.saturating_mul(columns as isize),
            Navigation::Pages(pages) => pages.saturating_mul(page as isize),
            Navigation::First => isize::MIN,
            Navigation::Last => isize::MAX,
        };
        let row = match here {
            Some(here) => here.saturating_add_signed(by).min(last),
            None if navigate == Navigation::Last => last,
            None => 0,
        };
        // Up from the first row or down from the last one does nothing.
        let stays = |here: usize| match here.checked_add_signed(by) {
            None => true,
            Some(to) => to > last && here / columns == last / columns,
        };
        let row = here.filter(|here| matches!(navigate, Navigation::Rows(_)) && stays(*here)).unwrap_or(row);
        Some(self.row(row)?.id)
    }

    /// Selects the target of `navigate`; `extend` selects from the last click to it.
    pub(crate) fn select_by(&mut self, navigate: Navigation, extend: bool) {
        if let Some(item) = self.navigate(navigate) {
            self.select(item, if extend { SelectHow::Range } else { SelectHow::Only });
        }
    }

    pub(crate) fn showing(&self) -> &Showing {
        &self.showing
    }

    /// Updates the visible part; returns the photos that need a thumbnail.
    pub(crate) fn set_showing(&mut self, showing: Showing) -> Vec<ItemId> {
        self.sights += 1;
        let mut wanted = Vec::new();
        for &id in &showing.items {
            let Some(photo) = self.place(id).and_then(|place| self.photos.get_mut(place)) else { continue };
            photo.seen_at = self.sights;
            if photo.thumbnail.is_none() && !photo.no_thumbnail && photo.failure.is_none() {
                wanted.push(id);
            }
        }
        self.showing = showing;
        wanted
    }

    /// Stores a thumbnail and drops those invisible the longest if the limit is exceeded.
    pub(crate) fn set_thumbnail(&mut self, id: ItemId, copy: Option<DisplayCopy>) {
        let Some(photo) = self.place(id).and_then(|place| self.photos.get_mut(place)) else { return };
        photo.no_thumbnail = copy.is_none();
        let Some(copy) = copy else { return };
        self.thumbnail_bytes += copy.rgba.len();
        self.thumbnail_bytes -= photo.thumbnail.replace(copy).map_or(0, |old| old.rgba.len());
        if self.thumbnail_bytes > MAX_THUMBNAIL_BYTES {
            self.drop_thumbnails();
        }
    }

    fn drop_thumbnails(&mut self) {
        let sights = self.sights;
        let with =
            self.photos.iter().enumerate().filter(|(_, photo)| photo.thumbnail.is_some() && photo.seen_at < sights);
        let mut out_of_sight: Vec<(u64, usize)> = with.map(|(place, photo)| (photo.seen_at, place)).collect();
        // Of those never visible, the last of the list are dropped first.
        out_of_sight.sort_unstable_by_key(|&(seen_at, place)| (seen_at, usize::MAX - place));
        for (_, place) in out_of_sight {
            if self.thumbnail_bytes <= MAX_THUMBNAIL_BYTES / 4 * 3 {
                break;
            }
            self.thumbnail_bytes -= self.photos[place].thumbnail.take().map_or(0, |copy| copy.rgba.len());
        }
    }
}
