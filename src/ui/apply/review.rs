//! Reviewing the list: visible rows, the next photo to review, accepting.

use std::collections::HashSet;

use batch::worker::{ItemId, ThumbnailsRequest};

use super::super::command::Effect;
use super::super::language::{count, tr};
use super::super::state::{AppState, NoticeKind, SelectHow, Showing, THUMBNAIL_SIDE};
use super::change_current;
use super::edits::edit_all;

/// Records the visible rows, requests their thumbnails, and cancels requests for those no longer visible.
pub(super) fn note_showing(state: &mut AppState, showing: Showing, effects: &mut Vec<Effect>) {
    let in_sight: HashSet<ItemId> = showing.items.iter().copied().collect();
    let gone = state.list.thumbnails.extract_if(|item, _| !in_sight.contains(item));
    effects.extend(gone.map(|(_, id)| Effect::Cancel(id)));
    effects.extend(state.list.tiles.out_of_sight(&in_sight).into_iter().map(Effect::Cancel));
    for item in state.list.library.set_showing(showing) {
        if let Some(photo) = state.list.library.get(item).filter(|_| !state.list.thumbnails.contains_key(&item)) {
            if state.settings.is_quarantined(&photo.path) {
                continue;
            }
            let photo = state.photo_ref(photo);
            effects.push(Effect::send(ThumbnailsRequest::FindThumbnail { photo, side: THUMBNAIL_SIDE }));
        }
    }
}

/// Opens the next photo to review, or reports that there is none.
pub(super) fn next_to_review(state: &mut AppState, back: bool, effects: &mut Vec<Effect>) {
    let by = state.review_by();
    if let Some(item) = state.list.library.next_to_review(&by, back) {
        change_current(state, effects, |state| state.list.library.select(item, SelectHow::Only));
        return;
    }
    let text = match state.pending_detections() {
        0 => tr("No other photos to review.").to_owned(),
        waiting => count!(
            waiting,
            "No other photos to review yet; {n} photo is waiting for the runtime.",
            "No other photos to review yet; {n} photos are waiting for the runtime."
        ),
    };
    state.dialogs.notices.add(NoticeKind::Info, text);
}

/// Accepts the selected photos and opens the next one to review.
pub(super) fn accept_and_go_on(state: &mut AppState, effects: &mut Vec<Effect>) {
    let selected = state.list.library.selected_ids();
    set_accepted(state, &selected, true);
    next_to_review(state, false, effects);
}

/// Excludes the selected photos and opens the next one to review.
pub(super) fn exclude_and_go_on(state: &mut AppState, effects: &mut Vec<Effect>) {
    let selected = state.list.library.selected_ids();
    set_excluded(state, &selected, true);
    next_to_review(state, false, effects);
}

/// Excludes photos from exports, which withdraws their acceptance, or includes them.
pub(super) fn set_excluded(state: &mut AppState, items: &[ItemId], excluded: bool) {
    edit_all(state, items, |edits| {
        edits.excluded = excluded;
        if excluded {
            edits.accepted = false;
            edits.reviewed_warnings.clear();
        }
    });
}

/// Accepts photos with their current warnings, which includes them in exports, or undoes that.
pub(super) fn set_accepted(state: &mut AppState, items: &[ItemId], accepted: bool) {
    let by = state.review_by();
    for &item in items {
        state.list.library.refresh_by(&by, item);
        let Some(photo) = state.list.library.get_mut(item) else { continue };
        let ids = photo.review().ids();
        photo.edit(|edits| {
            edits.accepted = accepted;
            edits.excluded &= !accepted;
            edits.reviewed_warnings = if accepted { ids.into_iter().map(str::to_owned).collect() } else { Vec::new() };
        });
    }
}

/// Copies paths to the clipboard, one per line.
pub(super) fn copy_paths(state: &AppState, items: &[ItemId], effects: &mut Vec<Effect>) {
    let photos = items.iter().filter_map(|item| state.list.library.get(*item));
    let paths: Vec<String> = photos.map(|photo| photo.path.display().to_string()).collect();
    if !paths.is_empty() {
        effects.push(Effect::Copy(paths.join("\n")));
    }
}
