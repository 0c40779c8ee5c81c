//! Marks that photos are filtered by, and the inputs of reviews.

use plan::ReasonGroup;
use recipe::CropSpec;

use super::outputs::Framings;

/// A filter criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mark {
    NeedsReview,
    Broken,
    /// No runtime was open to find faces.
    NotSearched,
    NoFace,
    Several,
    Uncertain,
    Eyes,
    Pose,
    Background,
    Light,
    Small,
    Head,
    Edges,
    /// Not in the name list.
    NoRow,
    /// Its row does not match exactly.
    LooseMatch,
    /// Another photo has the same name.
    SameName,
    /// Its name or row was set by the user.
    NamedByHand,
    /// It shows a card.
    Card,
    /// It shows a card that is not in the name list.
    UnlistedCard,
    Edited,
    Accepted,
    Excluded,
    Written,
    NotWritten,
}

impl Mark {
    pub(crate) const ALL: [Self; 24] = [
        Self::NeedsReview,
        Self::Broken,
        Self::NotSearched,
        Self::NoFace,
        Self::Several,
        Self::Uncertain,
        Self::Eyes,
        Self::Pose,
        Self::Background,
        Self::Light,
        Self::Small,
        Self::Head,
        Self::Edges,
        Self::NoRow,
        Self::LooseMatch,
        Self::SameName,
        Self::NamedByHand,
        Self::Card,
        Self::UnlistedCard,
        Self::Edited,
        Self::Accepted,
        Self::Excluded,
        Self::Written,
        Self::NotWritten,
    ];

    /// Groups of warnings.
    pub(crate) const REASONS: &[Self] = Self::ALL.split_at(13).0.split_at(1).1;

    /// Facts about names.
    pub(crate) const NAMES: &[Self] = Self::ALL.split_at(19).0.split_at(13).1;

    /// Marks of edits.
    pub(crate) const STATES: &[Self] = Self::ALL.split_at(19).1;

    pub(super) const fn of(group: ReasonGroup) -> Self {
        match group {
            ReasonGroup::Broken => Self::Broken,
            ReasonGroup::NotSearched => Self::NotSearched,
            ReasonGroup::NoFace => Self::NoFace,
            ReasonGroup::Several => Self::Several,
            ReasonGroup::Uncertain => Self::Uncertain,
            ReasonGroup::Eyes => Self::Eyes,
            ReasonGroup::Pose => Self::Pose,
            ReasonGroup::Background => Self::Background,
            ReasonGroup::Light => Self::Light,
            ReasonGroup::Small => Self::Small,
            ReasonGroup::Head => Self::Head,
            ReasonGroup::Edges => Self::Edges,
        }
    }
}

/// A set of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Marks(u32);

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

    /// The intersection with `marks`.
    pub(super) fn among(self, marks: &[Mark]) -> Self {
        marks.iter().filter(|mark| self.has(**mark)).fold(Self::default(), |among, mark| among.with(*mark))
    }

    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Inputs of reviews, apart from the photo.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct ReviewBy {
    /// The shared framing.
    pub crop: CropSpec,
    /// That of each variant.
    pub variants: Vec<CropSpec>,
    /// True if there is no runtime for detection.
    pub has_no_runtime: bool,
    /// True if cards are read.
    pub cards: bool,
}

impl ReviewBy {
    pub(super) fn framings(&self) -> Framings<'_> {
        Framings::new(&self.crop, &self.variants)
    }
}
