//! Quarantine: photos that were being read when the program crashed are not opened until the user confirms.

use std::path::PathBuf;

use batch::worker::{CrashedSessions, ItemId};

use super::super::command::Effect;
use super::super::state::{AppState, Inspection, PhotoFailure};
use super::{index_photo, open_photo};

/// Stores the report on a crashed session and quarantines the files it was reading.
pub(super) fn set_crashed_session(state: &mut AppState, crashed: Option<CrashedSessions>) {
    if let Some(crashed) = &crashed {
        state.settings.quarantine(&crashed.files);
    }
    state.list.project.crashed = crashed;
}

/// Marks a photo as quarantined if its path is; returns whether it is.
pub(super) fn mark_if_quarantined(state: &mut AppState, item: ItemId) -> bool {
    let is_quarantined = state.list.library.get(item).is_some_and(|photo| state.settings.is_quarantined(&photo.path));
    if is_quarantined && let Some(photo) = state.list.library.get_mut(item) {
        (photo.quarantined, photo.detection_pending, photo.failure) = (true, false, Some(PhotoFailure::Quarantined));
    }
    is_quarantined
}

/// The canvas in place of a quarantined photo.
pub(super) fn quarantined_inspection() -> Inspection {
    Inspection { failure: Some(PhotoFailure::Quarantined), ..Inspection::default() }
}

/// Lifts the quarantine of these paths and opens the photos.
pub(super) fn open_anyway(state: &mut AppState, paths: &[PathBuf], effects: &mut Vec<Effect>) {
    let quarantined = state.list.library.photos().iter().filter(|photo| state.settings.is_quarantined(&photo.path));
    let quarantined: Vec<ItemId> = quarantined.map(|photo| photo.id).collect();
    state.settings.quarantined.retain(|path| !paths.contains(path));
    if state.list.project.crashed.as_ref().is_some_and(|crashed| crashed.files.iter().all(|file| paths.contains(file)))
    {
        state.list.project.crashed = None;
    }
    for item in quarantined {
        let Some(photo) = state.list.library.get_mut(item) else { continue };
        if state.settings.is_quarantined(&photo.path) {
            continue;
        }
        (photo.quarantined, photo.failure) = (false, None);
        index_photo(state, item, effects);
        if state.list.library.current == Some(item) {
            open_photo(state, effects);
        }
    }
}
