//! Reviews of all photos, updated incrementally, and the marks they result in.

use std::collections::VecDeque;

use batch::worker::ItemId;
use naming::NamedBy;
use plan::Review;
use recipe::{Masks, Select};

use super::ExportMark;
use super::marks::{Mark, Marks, ReviewBy};
use super::outputs::Framings;
use super::photo::Photo;

/// Outdated reviews, and counts per mark.
#[derive(Default)]
pub(super) struct Reviews {
    pub(super) by: ReviewBy,
    /// Incremented when every review is outdated.
    now: u64,
    /// Photos that have changed.
    queue: VecDeque<ItemId>,
    /// Next index of the sweep over the list after `by` has changed, and the number left.
    sweep: (usize, usize),
    counts: [usize; Mark::ALL.len()],
    /// True if some photo's marks, or rank, have changed since the last query.
    pub(super) marks_changed: bool,
    pub(super) ranks_changed: bool,
    /// Photos with a crop that lacks its person mask.
    pub(super) lacking_masks: Vec<ItemId>,
}

impl Reviews {
    pub(super) fn count(&self, mark: Mark) -> usize {
        self.counts[mark as usize]
    }

    /// Records that a photo may have changed.
    pub(super) fn touch(&mut self, photo: &mut Photo) {
        if photo.reviewed_at != 0 {
            photo.reviewed_at = 0;
            self.queue.push_back(photo.id);
        }
    }

    /// Adds a photo without a review.
    pub(super) fn insert(&mut self, photo: &mut Photo) {
        photo.reviewed_at = 0;
        self.queue.push_back(photo.id);
    }

    /// Removes a photo.
    pub(super) fn remove(&mut self, photo: &mut Photo) {
        self.recount(photo.marks, Marks::default());
        (photo.marks, photo.rank, photo.reviewed_at) = (Marks::default(), 0, 0);
    }

    /// Marks every review as outdated if the inputs have changed; `len` is that of the list.
    pub(super) fn set_inputs(&mut self, by: &ReviewBy, len: usize) {
        if self.now == 0 || self.by != *by {
            self.by.clone_from(by);
            self.now += 1;
            self.sweep.1 = len;
        }
    }

    /// The next changed photo.
    pub(super) fn next_changed(&mut self) -> Option<ItemId> {
        self.queue.pop_front()
    }

    /// The next index of the sweep over a list of `len` photos.
    pub(super) fn next_place(&mut self, len: usize) -> Option<usize> {
        let (place, left) = &mut self.sweep;
        *left = (*left).min(len).checked_sub(1)?;
        *place = (*place + 1) % len.max(1);
        Some(*place)
    }

    pub(super) fn is_done(&self) -> bool {
        self.queue.is_empty() && self.sweep.1 == 0
    }

    /// Reviews a photo unless it is up to date.
    pub(super) fn refresh(&mut self, photo: &mut Photo) {
        if photo.reviewed_at == self.now {
            return;
        }
        photo.reviewed_at = self.now;
        if photo.lacks_mask(&self.by.framings()) {
            self.lacking_masks.push(photo.id);
        }
        let review = photo.review_by(&self.by);
        let edits = photo.edits();
        let reviewed_warnings = if edits.accepted { &edits.reviewed_warnings[..] } else { &[] };
        let unseen = review.unreviewed(reviewed_warnings).map(|reason| reason.severity as u32);
        let (worst, number) = unseen.fold((0, 0), |(worst, number), severity| (severity.max(worst), number + 1));
        let marks = marks_of(photo, &review, number > 0, self.by.cards);
        let rank = if edits.excluded { 0 } else { (worst * 100 + number).min(999) };
        self.recount(photo.marks, marks);
        self.ranks_changed |= rank != photo.rank;
        (photo.review, photo.marks, photo.rank) = (review, marks, rank);
    }

    fn recount(&mut self, old: Marks, new: Marks) {
        if old == new {
            return;
        }
        self.marks_changed = true;
        for mark in Mark::ALL {
            match (old.has(mark), new.has(mark)) {
                (true, false) => self.counts[mark as usize] -= 1,
                (false, true) => self.counts[mark as usize] += 1,
                _ => {}
            }
        }
    }
}

impl Photo {
    /// The person masks that its crops of any output need.
    pub(crate) fn masks(&self, framings: &Framings<'_>) -> Masks {
        let crop = self.crop(framings.own());
        let is_needed = crop.needs_mask() || framings.variants().iter().any(|variant| variant.needs_mask());
        match (is_needed, self.manual()) {
            (false, _) => Masks::None,
            (true, Some(_)) => Masks::Selected(Select::All),
            (true, None) => Masks::Selected(crop.select),
        }
    }

    /// True if a crop needs a person mask that was never requested.
    pub(super) fn lacks_mask(&self, framings: &Framings<'_>) -> bool {
        let masks = self.masks(framings);
        let has_none = |index: &usize| self.faces().get(*index).is_some_and(|face| face.mask.is_none());
        masks != Masks::None
            && masks != self.masks_requested
            && !self.detection_pending
            && self.detection.is_some()
            && self.chosen(framings.own()).iter().any(has_none)
    }
}

/// Marks that follow from a photo and its review.
fn marks_of(photo: &Photo, review: &Review, needs_review: bool, reads_cards: bool) -> Marks {
    let edits = photo.edits();
    let written = matches!(photo.export, Some(ExportMark::Written));
    let mut marks = Marks::default();
    let mut when = |is_so: bool, mark: Mark| {
        if is_so {
            marks = marks.with(mark);
        }
    };
    when(!edits.leaves_crops_unchanged(), Mark::Edited);
    when(edits.accepted, Mark::Accepted);
    when(written, Mark::Written);
    if photo.is_excluded() {
        // It is not exported, so its warnings do not matter.
        when(true, Mark::Excluded);
        return marks;
    }
    when(!written, Mark::NotWritten);
    when(needs_review, Mark::NeedsReview);
    let shows_card = reads_cards && photo.card_text().is_some();
    when(shows_card, Mark::Card);
    if let Some(naming) = &photo.naming {
        when(shows_card && naming.has_unlisted_card(), Mark::UnlistedCard);
        when(naming.lacks_row, Mark::NoRow);
        when(matches!(naming.by, NamedBy::FileName(Some(_))), Mark::LooseMatch);
        when(naming.clashes, Mark::SameName);
        when(edits.edits_name(), Mark::NamedByHand);
    }
    for reason in &review.reasons {
        when(true, Mark::of(reason.kind.group()));
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_grouped_by_kind() {
        assert_eq!((Mark::REASONS.first(), Mark::REASONS.last()), (Some(&Mark::Broken), Some(&Mark::Edges)));
        assert_eq!((Mark::NAMES.first(), Mark::NAMES.last()), (Some(&Mark::NoRow), Some(&Mark::UnlistedCard)));
        assert_eq!(Mark::STATES.first(), Some(&Mark::Edited));
        for (place, mark) in Mark::ALL.into_iter().enumerate() {
            assert_eq!(mark as usize, place);
            assert!(Marks::default().with(mark).has(mark) && Marks::default().with(mark).toggled(mark).is_empty());
        }
    }
}
