//! Applies [`Command`]s to the state and returns [`Effect`]s. Only this module and `handle_event` change the state.

mod bursts;
mod camera;
mod cards;
mod detection;
mod edits;
mod export;
mod names;
mod notify;
mod outputs;
mod presets;
mod previews;
mod project;
mod quarantine;
mod review;
mod runtimes;

use std::path::PathBuf;
use std::time::Instant;

use batch::worker::FilesRequest;
use geometry::Rect;
use import::PathQuery;
use recipe::{OnConflict, PhotoEdits};

use super::command::{CameraCommand, Command, Effect, NamesCommand};
use super::diagnostics::diagnosis_spec;
use super::dialogs::{Picked, PickerKind};
use super::language::tr;
use super::state::{
    AppState, CanvasView, Foldable, Inspection, NoticeKind, Page, Photo, Preview, RuntimeStatus, SavedText,
};

pub(crate) use camera::{handle_camera, handle_no_camera};
pub(crate) use cards::{handle_card, handle_cards_end};
pub(crate) use detection::{index_photo, open_photo};
pub(crate) use export::{handle_report_written, handle_run_found};
pub(crate) use names::{handle_names, handle_no_names, handle_rows};
pub(crate) use notify::{notify_comparison, notify_export};
pub(crate) use presets::handle_loaded_presets;
pub(crate) use project::{handle_project_event, note_place, on_close, without_own_crops};
pub(crate) use runtimes::{
    check_runtimes, handle_diagnosis, keep_faces, open_runtime, open_tested_runtime, stop_comparing_with_itself,
};

/// Applies `command` and records an undo step.
pub(crate) fn apply(state: &mut AppState, command: Command, now: Instant, effects: &mut Vec<Effect>) {
    let before = edits::Before::of(state, &command);
    apply_command(state, command, now, effects);
    if let Some(before) = before {
        before.note(state, now);
    }
    state.dialogs.notices.dismiss_old_steps(state.list.history.state());
}

fn apply_command(state: &mut AppState, command: Command, now: Instant, effects: &mut Vec<Effect>) {
    match command {
        Command::Import(paths) => {
            let roots = names::take_list(state, paths, now, effects);
            project::import(state, roots, effects);
        }
        Command::Names(command) => names::apply_command(state, command, now, effects),
        Command::Project(command) => project::apply_command(state, command, effects),
        Command::Camera(command) => camera::apply_command(state, command, effects),
        Command::Pick(kind) => effects.push(Effect::Pick(kind)),
        Command::Select(item, how) => change_current(state, effects, |state| state.list.library.select(item, how)),
        Command::SelectBy(navigate, extend) => {
            change_current(state, effects, |state| state.list.library.select_by(navigate, extend));
        }
        Command::SetFilter(filter) => {
            if filter.finds != state.list.library.filter().finds {
                state.fold(Foldable::List, false);
            }
            state.list.library.set_filter(filter);
        }
        Command::NoteShowing(showing) => review::note_showing(state, showing, effects),
        Command::NextToReview(back) => review::next_to_review(state, back, effects),
        Command::AcceptAndGoOn => review::accept_and_go_on(state, effects),
        Command::CopyPaths(items) => review::copy_paths(state, &items, effects),
        Command::ShowInFolder(path) => effects.push(Effect::ShowInFolder(path)),
        Command::SelectAll => change_current(state, effects, |state| state.list.library.select_all()),
        Command::RemoveSelected => {
            let selected = state.list.library.selected().map(|photo| photo.id).collect();
            edits::remove(state, &selected, now, effects);
        }
        Command::ToggleFace(index) => edits::keep_previewed_face(state, |state| toggle_face(state, index)),
        Command::SetHead(index, head) => {
            with_face(state, index, |edits, face| edits.set_head(face, Some(head)));
        }
        Command::SetFrame(index, frame) => with_face(state, index, |edits, face| edits.set_frame(face, frame)),
        Command::DrawFace(head) => edits::draw_face(state, head),
        Command::EraseFace(index) => {
            edits::keep_previewed_face(state, |state| with_face(state, index, PhotoEdits::erase));
        }
        Command::MoveFace { from, to } => {
            let spec = state.settings.recipe.crop.clone();
            edits::keep_previewed_face(state, |state| {
                with_current(state, |photo| edits::move_face(photo, from, to, &spec));
            });
        }
        Command::ResetFaces => with_current(state, |photo| photo.edit(PhotoEdits::reset_faces)),
        Command::ResetPhotos(items) => edits::edit_all(state, &items, |edits| *edits = PhotoEdits::default()),
        Command::SetExcluded(items, excluded) => review::set_excluded(state, &items, excluded),
        Command::ExcludeAndGoOn => review::exclude_and_go_on(state, effects),
        Command::KeepBestShots(items) => bursts::keep_best_shots(state, &items, now, effects),
        Command::SetAccepted(items, accepted) => review::set_accepted(state, &items, accepted),
        Command::SetOverrides(items, overrides) => edits::set_overrides(state, &items, overrides.as_deref()),
        Command::Undo => edits::step(state, false, effects),
        Command::Redo => edits::step(state, true, effects),
        Command::SetView(view) => state.canvas.view = view,
        Command::SetDrawing(drawing) => state.canvas.tools.drawing = drawing,
        Command::SetFreeAspect(free) => state.canvas.tools.free_aspect = free,
        Command::SetBeforeAfter(shown) => edits::set_before_after(state, shown),
        Command::SetAfterView(view) => state.canvas.tools.after_view = view,
        Command::SetPreviewSide(side) => state.canvas.tools.preview_side = side,
        Command::FocusFrame(wanted) => state.canvas.tools.focus_frame = wanted,
        Command::SetCrop(spec) => edits::set_crop(state, spec),
        Command::SetFinish(spec) => edits::set_finish(state, spec),
        Command::SetSheet(sheet) => *state.output_mut().sheet = sheet,
        Command::SetSelection(spec) => edits::set_selection(state, &spec),
        Command::Outputs(command) => outputs::apply_command(state, command),
        Command::SetThoroughness(thoroughness) => detection::set_thoroughness(state, thoroughness, effects),
        Command::ChoosePreset(id) => presets::choose(state, &id),
        Command::SavePreset(name) => presets::save(state, &name),
        Command::DuplicatePreset(id) => presets::duplicate(state, &id),
        Command::RenamePreset { id, name } => presets::rename(state, &id, &name),
        Command::DeletePreset(id) => state.settings.presets.retain(|preset| preset.id != id),
        Command::ExportPresets(ids) => {
            state.dialogs.presets_to_export = ids;
            effects.push(Effect::Pick(PickerKind::ExportPresets));
        }
        Command::SetEncode(spec) => *state.output_mut().encode = spec,
        Command::SetOnConflict(policy) => {
            state.list.project.requests.replacing &= policy != OnConflict::Overwrite;
            state.settings.on_conflict = policy;
        }
        Command::SetOutputFolder(folder) => set_output_folder(state, folder),
        Command::SetTheme(theme) => state.settings.window.theme = theme,
        Command::SetLanguage(language) => state.settings.window.language = language,
        Command::Fold(panel, folded) => state.fold(panel, folded),
        Command::NoteRoom(has_room) => state.has_room_for_sides = has_room,
        Command::SetShowFaces(show) => state.settings.window.show_faces = show,
        Command::SetShowHeadLines(show) => state.settings.window.show_head_lines = show,
        Command::SetGuides(guides) => state.settings.window.guides = guides,
        Command::SetTextScale(scale) => state.settings.window.text_scale = scale,
        Command::FocusPanel(next) => effects.push(Effect::FocusPanel(next)),
        Command::ShowSetting(setting) => {
            state.fold(Foldable::Settings, false);
            effects.push(Effect::ShowSetting(setting));
        }
        Command::SetReduceMotion(reduce) => state.settings.window.reduce_motion = reduce,
        Command::SetCell(width) => state.settings.window.cell = width,
        Command::SetListWidth(width) => match &mut state.settings.window {
            window if window.grid => window.grid_width = width,
            window => window.list_width = width,
        },
        Command::SetSettingsWidth(width) => state.settings.window.settings_width = width,
        Command::SetWindow(window) => state.settings.window = window,
        Command::ChooseRuntime(choice) => {
            (state.settings.runtime, state.runtime.choice) = (choice, choice);
            open_runtime(state, effects);
        }
        Command::NoteSlowOpening => {
            if let RuntimeStatus::Opening { slow } = &mut state.runtime.status {
                *slow = true;
            }
        }
        Command::CheckRuntimes => check_runtimes(state, true, effects),
        Command::SetRuntimeOptions(options) => runtimes::set_options(state, options),
        Command::SetModel(model) => runtimes::set_model(state, model, effects),
        Command::ReopenRuntime => runtimes::reopen(state, effects),
        Command::SetSecondary(runtime) => runtimes::open_secondary(state, runtime, effects),
        Command::ShowCompare(shown) => {
            state.runtime.compare.shown = shown;
            // While hidden, a comparison would only delay detection for the list.
            if !shown {
                runtimes::cancel_compare(state, effects);
            } else if state.camera.shown {
                camera::apply_command(state, CameraCommand::Show(false), effects);
            }
        }
        Command::Tick(kind, ticked) => _ = state.runtime.compare.ticks.insert(kind, ticked),
        Command::SetCompareRuns { warmup, repeats } => {
            (state.runtime.compare.warmup, state.runtime.compare.repeats) = (warmup, repeats);
        }
        Command::StartCompare => runtimes::start_compare(state, effects),
        Command::CancelCompare => runtimes::cancel_compare(state, effects),
        Command::CopyComparison => runtimes::copy_comparison(state, effects),
        Command::CopyDiagnostics => effects.push(Effect::Diagnose(Box::new(diagnosis_spec(state)))),
        Command::ShowCrop(index) => state.canvas.preview_index = index,
        Command::RenderPreview(key) => previews::render_preview(state, key, effects),
        Command::RenderTiles(keys) => previews::render_tiles(state, &keys, effects),
        Command::SetDetail(detail) => state.canvas.inspection.wanted_detail = detail,
        Command::RenderDetail(detail) => previews::render_detail(state, detail, effects),
        Command::SetLimits(limits) => state.settings.limits = limits,
        Command::RetryFailed => detection::retry_failed(state, effects),
        Command::MeasureMasks(items) => items.into_iter().for_each(|item| index_photo(state, item, effects)),
        Command::SetIncludeDamaged(include) => state.settings.recipe.include_damaged = include,
        Command::SaveSettings => save_settings(state, effects),
        Command::Export(scope) => export::begin(state, scope, now, effects),
        Command::AgreeAndExport { scope, resume } => export::agree(state, scope, resume, now, effects),
        Command::CancelExport => export::cancel(state, effects),
        Command::PauseExport(paused) => export::pause(state, paused, now, effects),
        Command::ResumeExport => export::resume(state, now, effects),
        Command::FindUnfinished => export::find_unfinished(state, effects),
        Command::AnswerUnfinished { resume } => export::answer_unfinished(state, resume, now, effects),
        Command::CloseExport => state.export.batch = state.export.batch.take().filter(|batch| batch.end.is_none()),
        Command::ShowMessage(text) => state.dialogs.notices.add(NoticeKind::Warning, text),
        Command::DismissNotice(id) => state.dialogs.notices.dismiss(id),
        Command::OpenPage(page) => runtimes::open_page(state, page, effects),
        Command::ClosePage => {
            if matches!(state.dialogs.page.take(), Some(Page::TypePath(_))) {
                apply_no_answer(state);
            }
        }
        Command::ShowPalette(shown) => state.dialogs.palette = shown,
        Command::CompletePath(query) => complete_path(state, query, effects),
        Command::EnterPath(kind, path) => {
            apply_path(state, Picked { kind, paths: vec![path], problem: None }, false, now, effects);
        }
        Command::LeaveDialog => {
            apply_no_answer(state);
            effects.push(Effect::LeaveDialog);
        }
        Command::SetDisplay(choice) => state.settings.window.display = choice,
        Command::SetNotify(notify) => state.settings.window.notify = notify,
        Command::Quit => project::quit(state, effects),
    }
}

/// A file dialog is open: until it is answered, the window takes no input.
pub(crate) fn apply_picker_opened(state: &mut AppState, kind: PickerKind) {
    state.dialogs.picking = Some(kind);
}

/// A file dialog is not waited for any more: the action that waited for its answer is dropped.
fn apply_no_answer(state: &mut AppState) {
    state.dialogs.picking = None;
    (state.export.after_folder, state.list.project.after_save) = (None, None);
}

/// Applies the answer of a file dialog. The dialog has confirmed the replacement of an existing file.
pub(crate) fn apply_picked(state: &mut AppState, picked: Picked, now: Instant, effects: &mut Vec<Effect>) {
    state.dialogs.picking.take_if(|kind| *kind == picked.kind);
    apply_path(state, picked, true, now, effects);
}

/// Applies a path that was picked or typed. An existing file is replaced only if `confirmed`.
fn apply_path(state: &mut AppState, picked: Picked, confirmed: bool, now: Instant, effects: &mut Vec<Effect>) {
    state.dialogs.page = state.dialogs.page.filter(|page| *page != Page::TypePath(picked.kind));
    if project::apply_path(state, &picked, confirmed, effects) {
        return;
    }
    match picked.kind {
        PickerKind::Files | PickerKind::Folder => apply(state, Command::Import(picked.paths), now, effects),
        PickerKind::OutputFolder => {
            let waiting = state.export.after_folder.take();
            if let Some(folder) = picked.paths.into_iter().next() {
                set_output_folder(state, Some(folder));
                if let Some(scope) = waiting {
                    export::begin(state, scope, now, effects);
                }
            }
        }
        kind => {
            let Some(path) = picked.paths.into_iter().next() else { return };
            match kind {
                PickerKind::Model => runtimes::set_model(state, Some(path), effects),
                PickerKind::NameList => apply(state, Command::Names(NamesCommand::SetList(path)), now, effects),
                PickerKind::Library(library) => {
                    let mut options = state.runtime.options.clone();
                    *options.path_of_mut(library) = Some(path);
                    runtimes::set_options(state, options);
                }
                PickerKind::SaveReport => export::save_report(state, path, effects),
                PickerKind::ImportPresets => presets::load(path, effects),
                PickerKind::ExportPresets => presets::export(state, path, confirmed, effects),
                _ => runtimes::save_comparison(state, (kind, path), confirmed, effects),
            }
        }
    }
}

/// Reports that no dialog can be opened, and how to enter the path instead.
pub(crate) fn apply_no_picker(state: &mut AppState, kind: PickerKind, reason: &str) {
    state.dialogs.picking.take_if(|open| *open == kind);
    state.export.after_folder = None;
    let instead = match kind {
        PickerKind::Files | PickerKind::Folder => {
            tr("Drop files on the window, or paste a path into the field below the list.")
        }
        PickerKind::OutputFolder | PickerKind::Library(_) => tr("Type the path into the field next to the button."),
        _ => {
            state.dialogs.page = Some(Page::TypePath(kind));
            tr("Type the path instead.")
        }
    };
    state.dialogs.notices.add(NoticeKind::Warning, format!("{reason} {instead}"));
}

/// Reports that another dialog is open.
pub(crate) fn apply_picker_busy(state: &mut AppState) {
    state.dialogs.notices.add(NoticeKind::Info, tr("Another file dialog is open. Close it first."));
}

/// Runs `change`, and opens the current photo if it has changed.
pub(crate) fn change_current(state: &mut AppState, effects: &mut Vec<Effect>, change: impl FnOnce(&mut AppState)) {
    let before = state.list.library.current;
    change(state);
    if state.list.library.current != before {
        state.canvas.inspection = Inspection::default();
        state.canvas.preview = Preview::default();
        (state.canvas.preview_index, state.canvas.view) = (0, CanvasView::Fit);
        state.canvas.tools.leave_photo();
        open_photo(state, effects);
    }
}

fn with_current(state: &mut AppState, change: impl FnOnce(&mut Photo)) {
    if let Some(photo) = state.list.library.current.and_then(|id| state.list.library.get_mut(id)) {
        change(photo);
    }
}

/// Edits the photo on the canvas, given the bounding box of one of its faces.
fn with_face(state: &mut AppState, index: usize, change: impl FnOnce(&mut PhotoEdits, Rect)) {
    with_current(state, |photo| {
        if let Some(face) = photo.faces().get(index).map(|face| face.bbox) {
            photo.edit(|edits| change(edits, face));
        }
    });
}

fn toggle_face(state: &mut AppState, index: usize) {
    let spec = state.settings.recipe.crop.clone();
    with_current(state, |photo| photo.toggle_face(index, &spec));
}

/// Requests completions of a path; supersedes earlier requests.
fn complete_path(state: &mut AppState, query: PathQuery, effects: &mut Vec<Effect>) {
    effects.extend(state.dialogs.completions.request.take().map(Effect::Cancel));
    effects.push(Effect::send(FilesRequest::CompletePath(query)));
}

fn set_output_folder(state: &mut AppState, folder: Option<PathBuf>) {
    state.export.folder_wanted = false;
    // A folder chosen by the user counts as confirmed, even if a project requested the same one.
    state.list.project.requests.folder.take_if(|requested| Some(&*requested) == folder.as_ref());
    state.settings.output_folder = folder;
}

/// Writes a text to `path`, adding the extension if missing. The user was not asked about the path with the added
/// extension.
fn save_text(
    state: &mut AppState,
    kind: SavedText,
    mut path: PathBuf,
    extension: &str,
    text: String,
    confirmed: bool,
) -> Effect {
    let replace = confirmed && path.extension().is_some();
    if path.extension().is_none() {
        path.set_extension(extension);
    }
    (state.dialogs.saved, state.dialogs.saved_to) = (kind, path.clone());
    Effect::send(FilesRequest::SaveText { path, text, replace })
}

/// Requests writing of the settings file.
pub(crate) fn save_settings(state: &AppState, effects: &mut Vec<Effect>) {
    effects.push(Effect::send(FilesRequest::SaveSettings(Box::new(state.user_settings()))));
}
