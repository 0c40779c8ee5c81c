//! Photos that are not opened because the program ended at them: held back until a person says otherwise.

use std::path::PathBuf;

use batch::worker::{EndedBefore, ItemId};

use super::super::command::Effect;
use super::super::state::{AppState, Inspection, PhotoFailure};
use super::{index_photo, open_photo};

/// Takes what is known of a window that ended without closing: what it was reading is not read again unasked.
pub(super) fn take_ended(state: &mut AppState, ended: Option<EndedBefore>) {
    if let Some(ended) = &ended {
        state.settings.quarantine(&ended.files);
    }
    state.list.project.ended = ended;
}

/// Says of a photo that it is held back; true where it is.
pub(super) fn hold(state: &mut AppState, item: ItemId) -> bool {
    let is_held = state.list.library.get(item).is_some_and(|photo| state.settings.is_quarantined(&photo.path));
    if is_held && let Some(photo) = state.list.library.get_mut(item) {
        (photo.held, photo.looking, photo.failure) = (true, false, Some(PhotoFailure::Quarantined));
    }
    is_held
}

/// The canvas without the photo that is held back.
pub(super) fn held_inspection() -> Inspection {
    Inspection { failure: Some(PhotoFailure::Quarantined), ..Inspection::default() }
}

/// Opens these photos after all, in this list and from now on.
pub(super) fn read_after_all(state: &mut AppState, paths: &[PathBuf], effects: &mut Vec<Effect>) {
    let held = state.list.library.photos().iter().filter(|photo| state.settings.is_quarantined(&photo.path));
    let held: Vec<ItemId> = held.map(|photo| photo.id).collect();
    state.settings.quarantined.retain(|path| !paths.contains(path));
    if state.list.project.ended.as_ref().is_some_and(|ended| ended.files.iter().all(|file| paths.contains(file))) {
        state.list.project.ended = None;
    }
    for item in held {
        let Some(photo) = state.list.library.get_mut(item) else { continue };
        if state.settings.is_quarantined(&photo.path) {
            continue;
        }
        (photo.held, photo.failure) = (false, None);
        index_photo(state, item, effects);
        if state.list.library.current == Some(item) {
            open_photo(state, effects);
        }
    }
}
