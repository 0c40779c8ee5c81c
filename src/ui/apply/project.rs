//! Projects, recovered lists, watched folders and pasted images.

use std::path::{Path, PathBuf};

use batch::project::{EXTENSION, Opened, is_project};
use batch::settings::Settings;
use batch::worker::{FilesRequest, ItemId, ProjectEvent, ProjectFault, ProjectTask};
use import::{WatchSpec, is_whole_disk};
use naming::NamesSpec;
use recipe::OnConflict;

use super::super::command::{Command, Effect, ProjectCommand};
use super::super::dialogs::{Picked, PickerKind};
use super::super::language::{say, tr};
use super::super::messages;
use super::super::state::{
    AppState, CardsGroup, Inspection, Leaving, NamesGroup, NoticeKind, Opening, Page, Pending, Photo, ProjectRequests,
    SelectHow, Watched,
};
use super::quarantine::{open_anyway, set_crashed_session};
use super::{change_current, export, index_photo, open_photo};

pub(super) fn apply_command(state: &mut AppState, command: ProjectCommand, effects: &mut Vec<Effect>) {
    match command {
        ProjectCommand::New => leave(state, Leaving::New, effects),
        ProjectCommand::Open(path) => leave(state, Leaving::Open(Opening { path, recoverable: false }), effects),
        ProjectCommand::Save => save(state, effects),
        ProjectCommand::SaveAs => effects.push(Effect::Pick(PickerKind::SaveProject)),
        ProjectCommand::SaveAndLeave => {
            state.dialogs.page = None;
            state.list.project.after_save = state.list.project.leaving.take();
            save(state, effects);
        }
        ProjectCommand::LeaveAnyway => {
            state.dialogs.page = None;
            if let Some(leaving) = state.list.project.leaving.take() {
                go(state, leaving, effects);
            }
        }
        ProjectCommand::CancelLeaving => (state.dialogs.page, state.list.project.leaving) = (None, None),
        ProjectCommand::Autosave => autosave(state, effects),
        ProjectCommand::FindRecoverable => send(ProjectTask::FindRecoverable, effects),
        ProjectCommand::Recover(path) => {
            leave(state, Leaving::Open(Opening { path, recoverable: true }), effects);
        }
        ProjectCommand::DeleteRecoverable(path) => {
            state.list.project.recoverable.retain(|list| list.path != path);
            state.list.project.crashed = None;
            send(ProjectTask::DeleteRecoverable(path), effects);
        }
        ProjectCommand::BeginSession => send(ProjectTask::BeginSession, effects),
        ProjectCommand::DismissQuarantine => state.list.project.crashed = None,
        ProjectCommand::OpenAnyway(paths) => open_anyway(state, &paths, effects),
        ProjectCommand::HideMissing => state.list.project.shows_missing = false,
        ProjectCommand::StopWatching => stop_watching(state, effects),
        ProjectCommand::EndForSystem => end_for_system(state, effects),
        ProjectCommand::Paste(picture) => effects.push(Effect::send(FilesRequest::WritePasted(picture))),
    }
}

/// Imports photos, and opens the first project among the paths.
pub(super) fn import(state: &mut AppState, roots: Vec<PathBuf>, effects: &mut Vec<Effect>) {
    let (projects, roots): (Vec<_>, Vec<_>) = roots.into_iter().partition(|path| is_project(path));
    if let Some(path) = projects.into_iter().next() {
        // It is stored among the recent projects, and the next start may be from another folder.
        let path = std::path::absolute(&path).unwrap_or(path);
        leave(state, Leaving::Open(Opening { path, recoverable: false }), effects);
    }
    let (disks, roots): (Vec<_>, Vec<_>) = roots.into_iter().partition(|path| is_whole_disk(path));
    if !disks.is_empty() {
        let text = tr("Whole disks are not searched for photos. Add a folder instead.");
        state.dialogs.notices.add(NoticeKind::Warning, text);
    }
    if !roots.is_empty() {
        effects.push(Effect::send(FilesRequest::Import { roots }));
    }
}

/// Closes the window unless changes would be lost.
pub(super) fn quit(state: &mut AppState, effects: &mut Vec<Effect>) {
    leave(state, Leaving::Quit, effects);
}

/// Applies a path picked for a project or a watched folder; returns whether it was one. An existing file is replaced only
/// if `confirmed`.
pub(super) fn apply_path(state: &mut AppState, picked: &Picked, confirmed: bool, effects: &mut Vec<Effect>) -> bool {
    let path = picked.paths.first();
    match picked.kind {
        PickerKind::OpenProject => {
            if let Some(path) = path {
                leave(state, Leaving::Open(Opening { path: path.clone(), recoverable: false }), effects);
            }
        }
        PickerKind::SaveProject => match path {
            Some(path) => {
                let named = named(path);
                let confirmed = confirmed && named == *path;
                save_to(state, named, confirmed, effects);
            }
            None => state.list.project.after_save = None,
        },
        PickerKind::FindMissing => {
            if let Some(folder) = path {
                let task = ProjectTask::FindPhotos { folder: folder.clone(), wanted: state.missing() };
                send(task, effects);
            }
        }
        PickerKind::WatchFolder => {
            if let Some(folder) = path {
                watch(state, folder, effects);
            }
        }
        _ => return false,
    }
    true
}

/// Handles an event about a project.
pub(crate) fn handle_project_event(state: &mut AppState, event: ProjectEvent, effects: &mut Vec<Effect>) {
    match event {
        ProjectEvent::Opened(opened) => handle_opened(state, opened, effects),
        ProjectEvent::Saved(saved) => handle_saved(state, saved, effects),
        ProjectEvent::Autosaved(Ok(())) => {}
        ProjectEvent::Autosaved(Err(fault)) => {
            let text =
                say!("Could not back up the list for recovery: {reason}", reason = messages::project_fault(&fault));
            state.dialogs.notices.add(NoticeKind::Warning, text);
        }
        ProjectEvent::SessionStarted(crashed) => set_crashed_session(state, crashed),
        ProjectEvent::Recoverable(lists) => state.list.project.recoverable = lists,
        ProjectEvent::Found(found) => relink_photos(state, found, effects),
    }
}

/// Runs an action, or asks first if changes would be lost.
fn leave(state: &mut AppState, leaving: Leaving, effects: &mut Vec<Effect>) {
    if state.would_lose_work() || (leaving == Leaving::Quit && state.exporting()) {
        (state.list.project.leaving, state.dialogs.page) = (Some(leaving), Some(Page::Leaving));
    } else {
        go(state, leaving, effects);
    }
}

fn go(state: &mut AppState, leaving: Leaving, effects: &mut Vec<Effect>) {
    note_place(state);
    match leaving {
        Leaving::Quit => {
            state.list.project.may_close = true;
            effects.push(Effect::Quit);
        }
        Leaving::New => {
            discard_requests(state);
            state.settings.names.list = None;
            begin(state, Vec::new(), None, effects);
        }
        Leaving::Open(opening) => {
            let path = opening.path.clone();
            let task = if opening.recoverable { ProjectTask::OpenRecoverable(path) } else { ProjectTask::Open(path) };
            state.list.project.opening = Some(opening);
            send(task, effects);
        }
    }
}

/// Records the photo at which the project is left.
pub(crate) fn note_place(state: &mut AppState) {
    let photo = state.current().map(|photo| photo.path.clone());
    if let (Some(project), Some(photo)) = (&state.list.project.path, photo) {
        state.settings.recent.leave_project_at(project, &photo);
    }
}

fn send(task: ProjectTask, effects: &mut Vec<Effect>) {
    effects.push(Effect::send(FilesRequest::Project(task)));
}

fn save(state: &mut AppState, effects: &mut Vec<Effect>) {
    match state.list.project.path.clone() {
        Some(path) => save_to(state, path, false, effects),
        None => effects.push(Effect::Pick(PickerKind::SaveProject)),
    }
}

fn save_to(state: &mut AppState, path: PathBuf, confirmed: bool, effects: &mut Vec<Effect>) {
    state.list.project.saving = Some((path.clone(), state.list.history.state()));
    let save = if confirmed { ProjectTask::SaveOver } else { ProjectTask::Save };
    send(save(path, state.snapshot()), effects);
}

/// The path a project is written to, with the current extension.
fn named(path: &Path) -> PathBuf {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    if extension.eq_ignore_ascii_case(EXTENSION) {
        return path.to_owned();
    }
    if is_project(path) {
        return path.with_extension(EXTENSION);
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(EXTENSION);
    PathBuf::from(name)
}

fn handle_saved(state: &mut AppState, saved: Result<(), ProjectFault>, effects: &mut Vec<Effect>) {
    let Some((path, at)) = state.list.project.saving.take() else { return };
    let after = state.list.project.after_save.take();
    if let Err(fault) = saved {
        return state.dialogs.notices.add(
            NoticeKind::Error,
            say!("The project was not saved: {reason}", reason = messages::project_fault(&fault)),
        );
    }
    state.settings.recent.add_project(&path);
    (state.list.project.path, state.list.project.saved) = (Some(path), Some(at));
    if let Some(leaving) = after {
        leave(state, leaving, effects);
    }
}

/// Prepares the end that the system requests. Nothing is asked: nobody may be there to answer.
fn end_for_system(state: &mut AppState, effects: &mut Vec<Effect>) {
    (state.dialogs.page, state.list.project.leaving) = (None, None);
    (state.list.project.ending, state.list.project.may_close) = (true, true);
    export::cancel(state, effects);
    autosave(state, effects);
}

/// Autosaves the list for crash recovery, or removes the autosave if the list is saved.
fn autosave(state: &mut AppState, effects: &mut Vec<Effect>) {
    if state.needs_autosave() {
        state.list.project.autosaved = true;
        send(ProjectTask::Autosave(state.snapshot()), effects);
    } else if std::mem::take(&mut state.list.project.autosaved) {
        send(ProjectTask::DeleteAutosave, effects);
    }
}

fn handle_opened(state: &mut AppState, opened: Result<Box<Opened>, ProjectFault>, effects: &mut Vec<Effect>) {
    let Some(Opening { path, recoverable }) = state.list.project.opening.take() else { return };
    let Opened { project, changed, settings_lost, edits_lost, output_outside } = match opened {
        Ok(opened) => *opened,
        Err(fault) => {
            state.settings.recent.forget(&path);
            return state.dialogs.notices.add(NoticeKind::Error, messages::project_fault(&fault));
        }
    };
    let file = if recoverable { project.state_of.clone() } else { Some(named(&path)) };
    discard_requests(state);
    apply_settings(state, &project.settings, output_outside, file.is_some());
    state.export.preset = project.preset;
    begin(state, project.photos, file.as_deref(), effects);
    state.names.roots = project.roots;
    // Shows the settings for names, if any.
    state.names.lists_set += u32::from(state.settings.names != NamesSpec::default());
    if recoverable {
        state.list.project.recoverable.retain(|list| list.path != path);
        state.list.project.crashed = None;
        state.list.project.autosaved = true;
    }
    if recoverable || file.as_ref() != Some(&path) {
        // The recovered list differs from the project's file.
        state.list.project.saved = None;
    }
    if let Some(file) = file {
        state.settings.recent.add_project(&file);
    }
    for text in messages::opened(changed, &settings_lost, edits_lost) {
        state.dialogs.notices.add(NoticeKind::Warning, text);
    }
}

/// Restores the user's folder and policy if the project's requests were not confirmed.
fn discard_requests(state: &mut AppState) {
    (state.settings, state.list.project.requests) = (state.user_settings(), ProjectRequests::default());
}

/// Applies the settings of a list. What a project requests beyond the user's choices is confirmed before an export.
fn apply_settings(state: &mut AppState, work: &Settings, output_outside: bool, is_project: bool) {
    let mut settings = state.settings.with_project_settings_of(work);
    let before = (state.settings.output_folder.take(), state.settings.on_conflict);
    if settings.output_folder.is_none() {
        settings.output_folder.clone_from(&before.0);
    }
    let folder = settings.output_folder.clone().filter(|folder| output_outside && Some(folder) != before.0.as_ref());
    let replacing = is_project && settings.on_conflict == OnConflict::Overwrite && settings.on_conflict != before.1;
    state.list.project.requests = ProjectRequests { folder, replacing, before };
    state.settings = settings;
}

/// Replaces the list. Clears the undo history.
fn begin(
    state: &mut AppState,
    photos: Vec<batch::project::ProjectPhoto>,
    path: Option<&Path>,
    effects: &mut Vec<Effect>,
) {
    let passes = state
        .pending
        .iter()
        .filter(|(_, pending)| matches!(pending, Pending::IndexPhoto(_) | Pending::Thumbnail(_) | Pending::Cards));
    effects.extend(passes.map(|(&id, _)| Effect::Cancel(id)));
    stop_watching(state, effects);
    state.cards = CardsGroup { readings: state.cards.readings, ..CardsGroup::default() };
    state.names = NamesGroup { lists_set: state.names.lists_set, ..NamesGroup::default() };
    let ids = state.list.library.replace(photos);
    state.canvas.inspection = Inspection::default();
    state.export.active_output = 0;
    let left_at = path.and_then(|project| state.settings.recent.photo_of(project));
    let left_at = left_at.and_then(|left_at| state.list.library.photos().iter().find(|photo| photo.path == left_at));
    if let Some(first) = left_at.map(|photo| photo.id).or_else(|| ids.first().copied()) {
        change_current(state, effects, |state| state.list.library.select(first, SelectHow::Only));
    } else {
        open_photo(state, effects);
    }
    for &item in &ids {
        if state.list.library.get(item).is_some_and(|photo| !photo.is_missing()) {
            index_photo(state, item, effects);
        }
    }
    state.export.batch = state.export.batch.take().filter(|batch| batch.end.is_none());
    state.list.history.clear();
    state.list.project.path = path.map(Path::to_owned);
    state.list.project.saved = Some(state.list.history.state());
    state.list.project.shows_missing = state.list.library.photos().iter().any(Photo::is_missing);
}

fn relink_photos(state: &mut AppState, found: Vec<(ItemId, PathBuf)>, effects: &mut Vec<Effect>) {
    let wanted = state.missing().len();
    let mut count = 0;
    for (item, path) in found {
        if !state.list.library.move_to(item, &path) {
            continue;
        }
        count += 1;
        index_photo(state, item, effects);
        if state.list.library.current == Some(item) {
            open_photo(state, effects);
        }
    }
    if count > 0 {
        // The file still lists the old paths.
        state.list.project.saved = None;
    }
    state.list.project.shows_missing = count < wanted;
    state.dialogs.notices.add(NoticeKind::Info, messages::found_again(count, wanted));
}

fn watch(state: &mut AppState, folder: &Path, effects: &mut Vec<Effect>) {
    stop_watching(state, effects);
    state.settings.recent.add_folder(folder);
    state.names.add_root(folder);
    state.list.watched = Some(Watched { folder: folder.to_owned(), request: None, added: 0 });
    effects.push(Effect::send(FilesRequest::Watch(WatchSpec::new_photos(folder.to_owned()))));
}

fn stop_watching(state: &mut AppState, effects: &mut Vec<Effect>) {
    effects.extend(state.list.watched.take().and_then(|watched| watched.request).map(Effect::Cancel));
}

/// The photos in a watched folder that this window has not written itself.
pub(crate) fn without_own_crops(state: &AppState, paths: &[PathBuf]) -> Vec<PathBuf> {
    let watched = state.list.watched.as_ref().map(|watched| &watched.folder);
    // The output folder may be inside the watched one; if it is the watched folder itself, crops are recognised by name.
    let output = state.output_folder().filter(|output| watched.is_none_or(|folder| !folder.starts_with(output)));
    let is_own =
        |path: &PathBuf| state.export.written.contains(path) || output.is_some_and(|output| path.starts_with(output));
    paths.iter().filter(|path| !is_own(path)).cloned().collect()
}

/// The command to run when the window is closed; `None` if it may close.
pub(crate) fn on_close(state: &AppState) -> Option<Command> {
    let must_confirm = !state.list.project.may_close && (state.would_lose_work() || state.exporting());
    must_confirm.then_some(Command::Quit)
}
