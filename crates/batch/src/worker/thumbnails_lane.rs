//! The lane that finds small copies of photos.

use std::sync::mpsc::Receiver;

use outcome::DisplayCopy;
use pipeline::embedded_thumbnail;

use super::lane::answer_each;
use super::outbox::Outbox;
use super::thumbnails::ThumbnailStore;
use super::tickets::Ticketed;
use super::{Event, PhotoRef, ThumbnailsRequest};
use crate::platform;

/// Answers requests until the lane is closed.
#[deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants,
    reason = "no request is passed over"
)]
pub(super) fn run(inbox: &Receiver<Ticketed<ThumbnailsRequest>>, outbox: &Outbox, store: Option<&ThumbnailStore>) {
    answer_each(inbox, outbox, |request, cancel| match request {
        ThumbnailsRequest::FindThumbnail { .. } if cancel.is_cancelled() => Event::Superseded,
        ThumbnailsRequest::FindThumbnail { photo, side } => {
            Event::ThumbnailFound { item: photo.item, thumbnail: find(&photo, side, store) }
        }
    });
}

/// The copy kept of an earlier look, else the one that the camera put into the file.
fn find(photo: &PhotoRef, side: u32, store: Option<&ThumbnailStore>) -> Option<DisplayCopy> {
    let _handling = platform::handling(&photo.path);
    let kept = store.and_then(|store| store.find(&photo.path, side));
    kept.or_else(|| embedded_thumbnail(&photo.path, side))
}
