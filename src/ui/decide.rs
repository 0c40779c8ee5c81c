//! Decisions about several photos and about what is shown of them, as commands for menus, keys and buttons; `None` where there
//! is nothing to decide.

use std::path::PathBuf;

use batch::settings::{ListSort, WindowSettings};
use batch::worker::ItemId;
use recipe::{Overrides, PhotoEdits};

use super::command::{Command, ProjectCommand};
use super::state::{AppState, Filter, Mark, Photo};

/// Leaves the photos out of exports; takes them in again where all are left out.
pub(crate) fn leave_out(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let leave = !are_excluded(state, items);
    some(items, |items| Command::SetExcluded(items, leave))
}

/// True where there are photos and all are left out.
pub(crate) fn are_excluded(state: &AppState, items: &[ItemId]) -> bool {
    !items.is_empty() && photos(state, items).all(|photo| photo.edits().excluded)
}

/// Has the photos shown as needing a look again.
pub(crate) fn no_longer_accept(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let accepted = those(state, items, |photo| photo.edits().accepted);
    some(&accepted, |items| Command::SetAccepted(items, false))
}

/// Opens the photos that are held back after all.
pub(crate) fn read_after_all(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let held = photos(state, items).filter(|photo| state.settings.is_quarantined(&photo.path));
    let held: Vec<PathBuf> = held.filter_map(|photo| std::path::absolute(&photo.path).ok()).collect();
    if held.is_empty() { None } else { Some(Command::Project(ProjectCommand::ReadAfterAll(held))) }
}

/// Gives the photos that have none settings of their own, which are at first those of the list.
pub(crate) fn own_settings(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let without = those(state, items, |photo| photo.edits().overrides.is_none());
    some(&without, |items| Command::SetOverrides(items, Some(Box::new(of_list(state)))))
}

/// Gives the photos the own settings of the one on the canvas.
pub(crate) fn same_settings(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let own = state.current()?.edits().overrides.as_ref()?;
    let others = those(state, items, |photo| photo.edits().overrides.as_ref() != Some(own));
    some(&others, |items| Command::SetOverrides(items, Some(own.clone())))
}

/// Lets the photos follow the settings of the list again.
pub(crate) fn list_settings(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let with = those(state, items, |photo| photo.edits().overrides.is_some());
    some(&with, |items| Command::SetOverrides(items, None))
}

/// Forgets everything that was decided about the photos.
pub(crate) fn reset(state: &AppState, items: &[ItemId]) -> Option<Command> {
    let decided = those(state, items, |photo| *photo.edits() != PhotoEdits::default());
    some(&decided, Command::ResetPhotos)
}

/// Shows the photos side by side, or as a list.
pub(crate) fn show_grid(state: &AppState, grid: bool) -> Command {
    Command::SetWindow(WindowSettings { grid, ..state.settings.window })
}

/// Shows the photos in this order.
pub(crate) fn sort_by(state: &AppState, sort: ListSort) -> Command {
    Command::SetWindow(WindowSettings { sort, ..state.settings.window })
}

/// Shows the photos with this mark as well, or no longer.
pub(crate) fn toggle_mark(state: &AppState, mark: Mark) -> Command {
    let filter = state.list.library.filter();
    Command::SetFilter(Filter { marks: filter.marks.toggled(mark), ..filter.clone() })
}

/// Opens the field for names.
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

fn those(state: &AppState, items: &[ItemId], are: impl Fn(&Photo) -> bool) -> Vec<ItemId> {
    photos(state, items).filter(|photo| are(photo)).map(|photo| photo.id).collect()
}

fn some(items: &[ItemId], command: impl FnOnce(Vec<ItemId>) -> Command) -> Option<Command> {
    (!items.is_empty()).then(|| command(items.to_vec()))
}
