//! Requests detection for the photos of the list and for the one on the canvas.

use std::collections::HashSet;

use batch::worker::{ItemId, SessionRequest};
use recipe::Thoroughness;

use super::super::command::Effect;
use super::super::state::{AppState, CardReading, Inspection, Pending, Photo, THUMBNAIL_SIDE};
use super::{quarantine, with_current};

/// Requests detection for a photo of the list.
pub(crate) fn index_photo(state: &mut AppState, item: ItemId, effects: &mut Vec<Effect>) {
    if quarantine::mark_if_quarantined(state, item) {
        return;
    }
    let Some(photo) = state.list.library.get(item).map(|photo| state.photo_ref(photo)) else { return };
    let masks = photo.detect.masks;
    if let Some(photo) = state.list.library.get_mut(item) {
        (photo.detection_pending, photo.masks_requested) = (true, masks);
        if photo.card == CardReading::Failed {
            photo.card = CardReading::Unread;
        }
    }
    state.cards.looked_for = None;
    effects.push(Effect::send(SessionRequest::IndexPhoto { photo, thumbnail_side: THUMBNAIL_SIDE }));
}

/// Requests the photo on the canvas. Earlier requests for it are superseded.
pub(crate) fn open_photo(state: &mut AppState, effects: &mut Vec<Effect>) {
    state.canvas.generation = state.canvas.generation.next();
    let Some(photo) = state.current().map(|photo| state.photo_ref(photo)) else {
        state.canvas.inspection = Inspection::default();
        return;
    };
    if state.settings.is_quarantined(&photo.path) {
        state.canvas.inspection = quarantine::quarantined_inspection();
        return;
    }
    state.canvas.inspection.waiting = true;
    let masks = photo.detect.masks;
    with_current(state, |photo| photo.masks_requested = masks);
    effects.push(Effect::send(SessionRequest::OpenPhoto { photo, generation: state.canvas.generation }));
}

/// Sets the number of detection passes and restarts detection for every photo, including those still queued.
pub(super) fn set_thoroughness(state: &mut AppState, thoroughness: Thoroughness, effects: &mut Vec<Effect>) {
    if state.settings.detect.thoroughness == thoroughness {
        return;
    }
    state.settings.detect.thoroughness = thoroughness;
    let waiting = state.pending.iter().filter(|(_, pending)| matches!(pending, Pending::IndexPhoto(_)));
    effects.extend(waiting.map(|(&id, _)| Effect::Cancel(id)));
    if state.list.library.current.is_some() {
        open_photo(state, effects);
    }
    let all: Vec<ItemId> = state.list.library.photos().iter().map(|photo| photo.id).collect();
    for item in all {
        index_photo(state, item, effects);
    }
}

/// Requests the photos that could not be read again.
pub(super) fn retry_failed(state: &mut AppState, effects: &mut Vec<Effect>) {
    let failed: Vec<ItemId> =
        state.list.library.photos().iter().filter(|photo| photo.failure.is_some()).map(|photo| photo.id).collect();
    for &item in &failed {
        index_photo(state, item, effects);
    }
    if state.list.library.current.is_some_and(|current| failed.contains(&current)) {
        open_photo(state, effects);
    }
}

/// Cancels detection for photos that were removed from the list.
pub(super) fn cancel_detection(state: &AppState, gone: &[(usize, Photo)], effects: &mut Vec<Effect>) {
    let gone: HashSet<ItemId> = gone.iter().map(|(_, photo)| photo.id).collect();
    for (&id, pending) in &state.pending {
        if matches!(pending, Pending::IndexPhoto(item) | Pending::Thumbnail(item) if gone.contains(item)) {
            effects.push(Effect::Cancel(id));
        }
    }
}
