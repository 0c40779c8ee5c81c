//! Cards that photos show: what was read, and what is being read.

use batch::worker::{ItemId, PhotoRef};
use outcome::CardCode;
use recipe::CropSpec;

use super::{AppState, ExportScope, Pending, Photo, PhotoStatus};

/// Maximum number of photos in a request: thumbnails wait for it.
const MAX_REQUESTED: usize = 16;

/// What was read of a photo.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum CardReading {
    #[default]
    Unread,
    /// The codes, the largest first; none if the photo shows no card.
    Codes(Vec<CardCode>),
    /// The photo could not be read.
    Failed,
}

/// Reading cards.
#[derive(Default)]
pub(crate) struct CardsGroup {
    /// The photos of the pending request, and whether it was cancelled.
    pub requested: Vec<ItemId>,
    pub cancelled: bool,
    /// Number of requests after which names may have to be computed again.
    pub readings: u64,
    /// The export that waits for cards: its scope, and whether it continues the latest run.
    pub waiting_export: Option<(ExportScope, bool)>,
    /// The state for which the next request was looked for last.
    pub looked_for: Option<(bool, u64)>,
}

impl CardReading {
    /// The code that counts: the largest.
    pub(crate) fn code(&self) -> Option<&CardCode> {
        if let Self::Codes(codes) = self { codes.first() } else { None }
    }
}

impl Photo {
    /// The text of its card: the user's correction, or else what was read.
    pub(crate) fn card_text(&self) -> Option<&str> {
        let corrected = self.edits().card.as_deref();
        let text = corrected.or_else(|| Some(self.card.code()?.text.as_str()));
        text.map(str::trim).filter(|text| !text.is_empty())
    }

    /// True if it shows a card and no face; a card needs none.
    pub(super) fn shows_only_card(&self, of_list: &CropSpec) -> bool {
        self.card_text().is_some() && matches!(self.status(of_list), PhotoStatus::NoFace)
    }

    /// True if it shows a card and no face was found, or none yet: its name is no crop's.
    pub(super) fn is_likely_only_card(&self, of_list: &CropSpec) -> bool {
        self.card_text().is_some() && !matches!(self.status(of_list), PhotoStatus::Faces(_))
    }

    /// True if it is cropped with another photo of the list.
    pub(crate) fn is_paired(&self) -> bool {
        self.paired
    }

    /// True if its card is still to be read.
    fn awaits_card(&self) -> bool {
        self.card == CardReading::Unread && self.edits().card.is_none() && !self.quarantined && !self.is_missing()
    }
}

impl AppState {
    /// The text of the card that a photo shows, if cards are read.
    pub(crate) fn card_of<'a>(&self, photo: &'a Photo) -> Option<&'a str> {
        photo.card_text().filter(|_| self.settings.names.cards)
    }

    /// True if the photo shows a card and gives no crop, as far as is known.
    pub(crate) fn is_only_card(&self, photo: &Photo) -> bool {
        self.settings.names.cards && photo.is_likely_only_card(&self.settings.recipe.crop)
    }

    /// True while cards are read.
    pub(crate) fn reading_cards(&self) -> bool {
        self.pending.values().any(|pending| *pending == Pending::Cards)
    }

    /// True if a card of the list is still to be read.
    pub(crate) fn has_unread_cards(&self) -> bool {
        self.settings.names.cards && self.worker_alive && self.list.library.photos().iter().any(Photo::awaits_card)
    }

    /// The photos of the next request, in list order.
    pub(crate) fn next_cards(&self) -> Vec<PhotoRef> {
        let unread = self.list.library.photos().iter().filter(|photo| photo.awaits_card());
        unread.take(MAX_REQUESTED).map(|photo| self.photo_ref(photo)).collect()
    }

    /// The number of photos whose cards were read, and of all photos; `None` while none are read.
    pub(crate) fn card_progress(&self) -> Option<(usize, usize)> {
        if !self.settings.names.cards || !self.reading_cards() {
            return None;
        }
        let photos = self.list.library.photos();
        Some((photos.iter().filter(|photo| !photo.awaits_card()).count(), photos.len()))
    }

    /// What the next request for cards depends on: whether they are read, and the changes of the list.
    pub(crate) fn cards_key(&self) -> (bool, u64) {
        (self.settings.names.cards, self.list.library.changes())
    }

    /// True if cards may have to be requested or cancelled.
    pub(crate) fn cards_are_due(&self) -> bool {
        self.cards.looked_for != Some(self.cards_key())
    }
}
