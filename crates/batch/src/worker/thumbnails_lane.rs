//! The lane that finds existing thumbnails and reads cards.

use std::sync::mpsc::Receiver;

use outcome::DisplayCopy;
use pipeline::embedded_thumbnail;

use super::cards;
use super::lane::answer_each;
use super::outbox::Outbox;
use super::pending::Queued;
use super::thumbnails::ThumbnailStore;
use super::{Event, PhotoRef, ThumbnailsRequest};
use crate::platform;

/// Answers requests until the lane is closed.
#[deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants,
    reason = "every request must be handled"
)]
pub(super) fn run(inbox: &Receiver<Queued<ThumbnailsRequest>>, outbox: &Outbox, store: Option<&ThumbnailStore>) {
    answer_each(inbox, outbox, |id, request, cancel| match request {
        ThumbnailsRequest::FindThumbnail { .. } if cancel.is_cancelled() => Event::Superseded,
        ThumbnailsRequest::FindThumbnail { photo, side } => {
            Event::ThumbnailFound { item: photo.item, thumbnail: find(&photo, side, store) }
        }
        ThumbnailsRequest::ReadCards { photos } => {
            cards::read_all(&photos, cancel, &|item, codes| outbox.send(id, Event::CardRead { item, codes }));
            Event::CardsRead
        }
    });
}

/// The cached thumbnail, or else the one embedded in the photo's file.
fn find(photo: &PhotoRef, side: u32, store: Option<&ThumbnailStore>) -> Option<DisplayCopy> {
    let _processing = platform::processing(&photo.path);
    let cached = store.and_then(|store| store.find(&photo.path, side));
    cached.or_else(|| embedded_thumbnail(&photo.path, side))
}
