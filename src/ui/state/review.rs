//! The reviews of the photos of the list, kept up to date a little at a time, and what photos can be found by.

use std::collections::VecDeque;

use batch::worker::ItemId;
use plan::{ReasonGroup, Review};
use recipe::CropSpec;

use super::ExportMark;
use super::photo::Photo;

/// Something a photo can be found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mark {
    NeedsLook,
    Broken,
    NoFace,
    Several,
    Uncertain,
    Light,
    Small,
    Head,
    Edges,
    Edited,
    Accepted,
    LeftOut,
    Written,
    NotWritten,
}

impl Mark {
    pub(crate) const ALL: [Self; 14] = [
        Self::NeedsLook,
        Self::Broken,
        Self::NoFace,
        Self::Several,
        Self::Uncertain,
        Self::Light,
        Self::Small,
        Self::Head,
        Self::Edges,
        Self::Edited,
        Self::Accepted,
        Self::LeftOut,
        Self::Written,
        Self::NotWritten,
    ];

    /// The reasons, by group.
    pub(crate) const REASONS: &[Self] = Self::ALL.split_at(9).0.split_at(1).1;

    /// What was done to a photo.
    pub(crate) const STATES: &[Self] = Self::ALL.split_at(9).1;

    const fn of(group: ReasonGroup) -> Self {
        match group {
            ReasonGroup::Broken => Self::Broken,
            ReasonGroup::NoFace => Self::NoFace,
            ReasonGroup::Several => Self::Several,
            ReasonGroup::Uncertain => Self::Uncertain,
            ReasonGroup::Light => Self::Light,
            ReasonGroup::Small => Self::Small,
            ReasonGroup::Head => Self::Head,
            ReasonGroup::Edges => Self::Edges,
        }
    }
}

/// A set of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Marks(u16);

impl Marks {
    pub(crate) const fn with(self, mark: Mark) -> Self {
        Self(self.0 | 1 << mark as u8)
    }

    pub(crate) const fn has(self, mark: Mark) -> bool {
        self.0 & 1 << mark as u8 != 0
    }

    pub(crate) const fn toggled(self, mark: Mark) -> Self {
        Self(self.0 ^ 1 << mark as u8)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those of `marks` that are in it.
    pub(super) fn among(self, marks: &[Mark]) -> Self {
        marks.iter().filter(|mark| self.has(**mark)).fold(Self::default(), |among, mark| among.with(*mark))
    }

    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn of(photo: &Photo, review: &Review, needs_look: bool) -> Self {
        let edits = photo.edits();
        let written = matches!(photo.export, Some(ExportMark::Written));
        let mut marks = Self::default();
        let mut when = |is_so: bool, mark: Mark| {
            if is_so {
                marks = marks.with(mark);
            }
        };
        when(!edits.leaves_crops(), Mark::Edited);
        when(edits.accepted, Mark::Accepted);
        when(written, Mark::Written);
        if photo.is_left_out() {
            // Nothing will be made of it, so nothing speaks against that.
            when(true, Mark::LeftOut);
            return marks;
        }
        when(!written, Mark::NotWritten);
        when(needs_look, Mark::NeedsLook);
        for reason in &review.reasons {
            when(true, Mark::of(reason.kind.group()));
        }
        marks
    }
}

/// What reviews depend on beside the photo.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct ReviewBy {
    /// The spec of the list.
    pub crop: CropSpec,
    /// True where there is no runtime to look for faces.
    pub has_no_runtime: bool,
}

/// Which reviews are out of date, and how many photos have each mark.
#[derive(Default)]
pub(super) struct Reviews {
    pub(super) by: ReviewBy,
    /// Bumped when every review is out of date.
    now: u64,
    /// Photos that have changed.
    queue: VecDeque<ItemId>,
    /// The next place of the walk through the list after `by` has changed, and how many are left.
    sweep: (usize, usize),
    counts: [usize; Mark::ALL.len()],
    /// True where some photo has other marks, and where one has another rank, since someone asked.
    pub(super) marks_changed: bool,
    pub(super) ranks_changed: bool,
}

impl Reviews {
    pub(super) fn count(&self, mark: Mark) -> usize {
        self.counts[mark as usize]
    }

    /// Notes that a photo may have changed.
    pub(super) fn touch(&mut self, photo: &mut Photo) {
        if photo.reviewed_at != 0 {
            photo.reviewed_at = 0;
            self.queue.push_back(photo.id);
        }
    }

    /// Takes in a photo without a review.
    pub(super) fn take_in(&mut self, photo: &mut Photo) {
        photo.reviewed_at = 0;
        self.queue.push_back(photo.id);
    }

    /// Forgets a photo that goes off the list.
    pub(super) fn let_go(&mut self, photo: &mut Photo) {
        self.recount(photo.marks, Marks::default());
        (photo.marks, photo.rank, photo.reviewed_at) = (Marks::default(), 0, 0);
    }

    /// Has every review made anew where they depend on something else now; `len` is that of the list.
    pub(super) fn follow(&mut self, by: &ReviewBy, len: usize) {
        if self.now == 0 || self.by != *by {
            self.by.clone_from(by);
            self.now += 1;
            self.sweep.1 = len;
        }
    }

    /// A photo that was noted as changed.
    pub(super) fn next_changed(&mut self) -> Option<ItemId> {
        self.queue.pop_front()
    }

    /// The next place of a list of `len` photos that is to be walked over.
    pub(super) fn next_place(&mut self, len: usize) -> Option<usize> {
        let (place, left) = &mut self.sweep;
        *left = (*left).min(len).checked_sub(1)?;
        *place = (*place + 1) % len.max(1);
        Some(*place)
    }

    pub(super) fn is_done(&self) -> bool {
        self.queue.is_empty() && self.sweep.1 == 0
    }

    /// Reviews a photo, unless that was done since it last changed.
    pub(super) fn refresh(&mut self, photo: &mut Photo) {
        if photo.reviewed_at == self.now {
            return;
        }
        photo.reviewed_at = self.now;
        let review = photo.review_by(&self.by);
        let edits = photo.edits();
        let seen = if edits.accepted { &edits.seen[..] } else { &[] };
        let unseen = review.unseen(seen).map(|reason| reason.severity as u32);
        let (worst, number) = unseen.fold((0, 0), |(worst, number), severity| (severity.max(worst), number + 1));
        let marks = Marks::of(photo, &review, number > 0);
        let rank = if edits.left_out { 0 } else { (worst * 100 + number).min(999) };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_told_apart_by_kind() {
        assert_eq!((Mark::REASONS.first(), Mark::REASONS.last()), (Some(&Mark::Broken), Some(&Mark::Edges)));
        assert_eq!(Mark::STATES.first(), Some(&Mark::Edited));
        for (place, mark) in Mark::ALL.into_iter().enumerate() {
            assert_eq!(mark as usize, place);
            assert!(Marks::default().with(mark).has(mark) && Marks::default().with(mark).toggled(mark).is_empty());
        }
    }
}
