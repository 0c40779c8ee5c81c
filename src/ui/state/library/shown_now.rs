//! What of the list is shown: rows, what is in sight, walking from one to the next, thumbnails.

use std::collections::HashSet;

use batch::worker::ItemId;
use outcome::DisplayCopy;

use super::{Filter, Library, ListSort, Photo, SelectHow};

/// Most bytes of thumbnails that are kept; beyond it those out of sight the longest go, and are found again when they are
/// wanted. Some 850 of 160 x 120 pixels.
const MAX_THUMBNAIL_BYTES: usize = 64 << 20;

/// What of the list is in sight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Showing {
    /// The photos, from the first to the last.
    pub items: Vec<ItemId>,
    /// Photos side by side.
    pub columns: usize,
    /// Rows that fit.
    pub rows: usize,
}

impl Default for Showing {
    fn default() -> Self {
        Self { items: Vec::new(), columns: 1, rows: 1 }
    }
}

/// A step from the photo on the canvas to another one that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Navigation {
    /// So many photos further on; negative is back.
    By(isize),
    /// So many rows further down; negative is up.
    Rows(isize),
    /// So many windowfuls further down; negative is up.
    Pages(isize),
    First,
    Last,
}

impl Library {
    /// What is shown, as asked for.
    pub(crate) fn filter(&self) -> &Filter {
        self.shown.filter()
    }

    pub(crate) fn set_filter(&mut self, filter: Filter) {
        self.shown.set_filter(filter);
        // What is in hand is taken up again as it is now.
        self.selection_changed = true;
    }

    pub(crate) fn set_sort(&mut self, sort: ListSort) {
        self.shown.set_sort(sort);
    }

    /// How many photos are shown.
    pub(crate) fn row_count(&self) -> usize {
        self.shown.rows().len()
    }

    /// The photo shown at `row`.
    pub(crate) fn row(&self, row: usize) -> Option<&Photo> {
        self.photos.get(*self.shown.rows().get(row)? as usize)
    }

    /// The photos shown, in order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Photo> {
        self.shown.rows().iter().filter_map(|&place| self.photos.get(place as usize))
    }

    /// Where among those shown a photo is.
    pub(crate) fn row_of(&self, id: ItemId) -> Option<usize> {
        self.shown.row_of(self.place(id)?)
    }

    /// The photos shown between two places of the list, both among them.
    pub(super) fn between(&self, a: usize, b: usize) -> HashSet<ItemId> {
        let row = |place| self.shown.row_of(place);
        let (Some(a), Some(b)) = (row(a).or(row(b)), row(b)) else {
            return self.photos.get(b).map(|photo| photo.id).into_iter().collect();
        };
        (a.min(b)..=a.max(b)).filter_map(|row| self.row(row)).map(|photo| photo.id).collect()
    }

    /// Where a walk from the photo on the canvas ends; from one that is not shown it begins at the first.
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
        // Up from the first row or down from the last one leads nowhere, and not to the first or last photo.
        let stays = |here: usize| match here.checked_add_signed(by) {
            None => true,
            Some(to) => to > last && here / columns == last / columns,
        };
        let row = here.filter(|here| matches!(navigate, Navigation::Rows(_)) && stays(*here)).unwrap_or(row);
        Some(self.row(row)?.id)
    }

    /// Selects where `walk` leads; `extend` for all from the last click to there.
    pub(crate) fn select_by(&mut self, navigate: Navigation, extend: bool) {
        if let Some(item) = self.navigate(navigate) {
            self.select(item, if extend { SelectHow::Range } else { SelectHow::Only });
        }
    }

    /// What is in sight.
    pub(crate) fn showing(&self) -> &Showing {
        &self.showing
    }

    /// Notes what is in sight now; gives those photos that want a thumbnail.
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

    /// Takes a thumbnail; those out of sight the longest go where they are too many bytes.
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
        // Of those never in sight the last of the list go first: they are the farthest away.
        out_of_sight.sort_unstable_by_key(|&(seen_at, place)| (seen_at, usize::MAX - place));
        for (_, place) in out_of_sight {
            if self.thumbnail_bytes <= MAX_THUMBNAIL_BYTES / 4 * 3 {
                break;
            }
            self.thumbnail_bytes -= self.photos[place].thumbnail.take().map_or(0, |copy| copy.rgba.len());
        }
    }
}
