//! Builds commands on several photos and on the list's view, for menus, keys and buttons; `None` if there is nothing to do.

use std::path::PathBuf;

use batch::settings::{ListSort, WindowSettings};
use batch::worker::ItemId;
use recipe::{Overrides, PhotoEdits};

use super::command::{Command, ProjectCommand};
use super::state::{AppState, Filter, Mark, Photo};

/// Excludes the photos from exports; includes them again if all are excluded.
pub(crate) fn toggle_excluded(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let leave = !are_excluded(state, items);
    some(items, |items| Command::SetExcluded(items, leave))
}

/// True if there are photos and all are excluded.
pub(crate) fn are_excluded(state: &AppState, items: &[ItemId]) -> bool {
    !items.is_empty() && photos(state, items).all(|photo| photo.edits().excluded)
}

/// Excludes all but the best photo of every burst among the photos.
pub(crate) fn keep_best_shots(items: Vec<ItemId>) -> Option<Command> {
    (items.len() > 1).then_some(Command::KeepBestShots(items))
}

/// The selected photos, or all of the list if at most one is selected, since the window selects the photo on the canvas.
pub(crate) fn several_or_all(state: &AppState) -> Vec<ItemId> {
    match state.list.library.selected_count() {
        0 | 1 => state.list.library.photos().iter().map(|photo| photo.id).collect(),
        _ => state.list.library.selected_ids(),
    }
}

/// Undoes accepting the photos.
pub(crate) fn undo_accept(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let accepted = matching(state, items, |photo| photo.edits().accepted);
    some(&accepted, |items| Command::SetAccepted(items, false))
}

/// Lifts the quarantine of the photos.
pub(crate) fn open_anyway(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let quarantined = photos(state, items).filter(|photo| state.settings.is_quarantined(&photo.path));
    let quarantined: Vec<PathBuf> = quarantined.filter_map(|photo| std::path::absolute(&photo.path).ok()).collect();
    if quarantined.is_empty() { None } else { Some(Command::Project(ProjectCommand::OpenAnyway(quarantined))) }
}

/// Gives photos without overrides a copy of the shared settings as overrides; a single one, a copy of the settings that it
/// has from its row of the name list.
pub(crate) fn customize(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let without = matching(state, items, |photo| photo.edits().overrides.is_none());
    let of_row = match without[..] {
        [item] => state.list.library.get(item).and_then(Photo::overrides).cloned(),
        _ => None,
    };
    some(&without, |items| Command::SetOverrides(items, Some(Box::new(of_row.unwrap_or_else(|| of_list(state))))))
}

/// Copies the overrides of the photo on the canvas to these photos.
pub(crate) fn copy_overrides(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let own = state.current()?.edits().overrides.as_ref()?;
    let others = matching(state, items, |photo| photo.edits().overrides.as_ref() != Some(own));
    some(&others, |items| Command::SetOverrides(items, Some(own.clone())))
}

/// Removes the photos' overrides.
pub(crate) fn use_shared_settings(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let with = matching(state, items, |photo| photo.edits().overrides.is_some());
    some(&with, |items| Command::SetOverrides(items, None))
}

/// Discards all edits of the photos.
pub(crate) fn reset(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let edited = matching(state, items, |photo| *photo.edits() != PhotoEdits::default());
    some(&edited, Command::ResetPhotos)
}

/// Shows the first crop of a photo in its folder, or the photo if none was written.
pub(crate) fn show_in_folder(state: &AppState, item: ItemId) -> Option<Command> {
    let photo = state.list.library.get(item)?;
    let written = state.export.batch.as_ref().and_then(|batch| batch.file_of(item));
    Some(Command::ShowInFolder(written.unwrap_or(&photo.path).to_owned()))
}

/// Switches between grid and list view.
pub(crate) fn show_grid(state: &AppState, grid: bool) -> Command {
    Command::SetWindow(WindowSettings { grid, ..state.settings.window })
}

/// Sets the order of the list.
pub(crate) fn sort_by(state: &AppState, sort: ListSort) -> Command {
    Command::SetWindow(WindowSettings { sort, ..state.settings.window })
}

/// Adds a mark to the filter or removes it.
pub(crate) fn toggle_mark(state: &AppState, mark: Mark) -> Command {
    let filter = state.list.library.filter();
    Command::SetFilter(Filter { marks: filter.marks.toggled(mark), ..filter.clone() })
}

/// Opens the search field.
pub(crate) fn find(state: &AppState) -> Command {
    let filter = state.list.library.filter().clone();
    let finds = filter.finds.wrapping_add(1);
    Command::SetFilter(Filter { text: Some(filter.text.unwrap_or_default()), finds, ..filter })
}

fn of_list(state: &AppState) -> Overrides {
    let settings = &state.settings;
    Overrides {
        crop: settings.recipe.crop.clone(),
        finish: settings.recipe.finish,
        preset: state.export.preset.clone(),
    }
}

fn photos<'a>(state: &'a AppState, items: &'a [ItemId]) -> impl Iterator<Item = &'a Photo> {
    items.iter().filter_map(|item| state.list.library.get(*item))
}

fn matching(state: &AppState, items: &[ItemId], are: impl Fn(&Photo) -> bool) -> Vec<ItemId> {
    photos(state, items).filter(|photo| are(photo)).map(|photo| photo.id).collect()
}

fn some(items: &[ItemId], command: impl FnOnce(Vec<ItemId>) -> Command) -> Option<Command> {
    (!items.is_empty()).then(|| command(items.to_vec()))
}
