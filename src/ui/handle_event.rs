//! Applies the worker's events to the state and returns [`Effect`]s. Only this module and `apply` change the state.

mod unanswered;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use batch::worker::{Event, ItemId, ModelPage, Reply, RequestId, TextError};
use outcome::{DisplayCopy, ItemReport, OutcomeKind};

use super::apply::{
    change_current, check_runtimes, handle_camera, handle_card, handle_cards_end, handle_diagnosis,
    handle_loaded_presets, handle_names, handle_project_event, handle_report_written, handle_rows, handle_run_found,
    index_photo, keep_faces, notify_comparison, notify_export, open_photo, open_tested_runtime,
    stop_comparing_with_itself, without_own_crops,
};
use super::command::Effect;
use super::language::{mark, say, tr};
use super::messages;
use super::state::{
    AppState, BatchEnd, BatchLine, Change, CompareEnd, DescribedModel, ExportMark, Gesture, ListChange, NoticeButton,
    NoticeKind, Pending, RuntimeStatus, SavedText, Secondary, SelectHow, Step, Unavailable,
};
use unanswered::{drop_pending, end_export, end_watch, handle_failure};

/// Handles an event from the worker.
pub(crate) fn handle_event(state: &mut AppState, reply: Reply, now: Instant, effects: &mut Vec<Effect>) {
    let Reply { id, event } = reply;
    let pending = if event.is_terminal() { state.take_pending(id) } else { state.pending.get(&id).copied() };
    let Some(pending) = pending else {
        tracing::debug!(request = id.0, "unexpected answer from the worker");
        return;
    };
    apply_event(state, id, event, pending, now, effects);
    if state.tests_are_due() {
        check_runtimes(state, false, effects);
    }
}

fn apply_event(
    state: &mut AppState,
    id: RequestId,
    event: Event,
    pending: Pending,
    now: Instant,
    effects: &mut Vec<Effect>,
) {
    match (event, pending) {
        (Event::RuntimeReady { runtime, load_ms }, Pending::Runtime) => {
            let was_untested = state.runtime.is_untested();
            state.runtime.status = RuntimeStatus::Ready { runtime: Box::new(runtime), load_ms };
            if was_untested {
                keep_faces(state, effects);
            } else {
                detect_again(state, effects);
            }
            state.list.tiles.retry();
            state.list.library.forget_missing_runtime();
            stop_comparing_with_itself(state, effects);
            check_once(state, effects);
        }
        (Event::RuntimeFailed { requested, error }, Pending::Runtime) => {
            state.runtime.status = RuntimeStatus::Failed { requested, error: Unavailable::Answer(error) };
            check_once(state, effects);
        }
        (Event::SecondaryReady { runtime }, Pending::Secondary) => {
            state.runtime.secondary = runtime.map_or(Secondary::None, Secondary::Ready);
            if runtime.is_some() && state.list.library.current.is_some() {
                open_photo(state, effects);
            }
        }
        (Event::RuntimeFailed { requested, error }, Pending::Secondary) => {
            state.runtime.secondary = Secondary::None;
            let (runtime, reason) = (messages::choice_name(requested), messages::open_error(&error));
            let text = say!("Cannot compare with {runtime}: {reason}", runtime = runtime, reason = reason);
            state.dialogs.notices.add(NoticeKind::Error, text);
        }
        (Event::RuntimesTried(table), Pending::Trial) => {
            (state.runtime.known.table, state.runtime.known.checking) = (Some(table), false);
            open_tested_runtime(state, effects);
        }
        (Event::CompareProgress(table), Pending::Compare) => {
            if let Some(run) = state.runtime.compare.running(id) {
                run.table = table;
            }
        }
        (Event::CompareFinished { table, cancelled }, Pending::Compare) => {
            if let Some(run) = state.runtime.compare.running(id) {
                let end = if cancelled { CompareEnd::Cancelled } else { CompareEnd::Completed };
                (run.table, run.end) = (table, Some(end));
                notify_comparison(cancelled, effects);
            }
        }
        (Event::ModelDescribed(pages), Pending::Describe) => {
            state.runtime.model_view.waiting = false;
            state.runtime.model_view.described =
                pages.into_iter().map(|page| page.map(describe).map_err(Unavailable::Answer)).collect();
        }
        (Event::Diagnosed(diagnosis), _) => handle_diagnosis(state, &diagnosis, effects),
        (Event::TextSaved(saved), _) => handle_text_saved(state, &saved),
        (Event::PathCompleted(found), _) => {
            if state.dialogs.completions.request == Some(id) {
                (state.dialogs.completions.request, state.dialogs.completions.found) = (None, found);
            }
        }
        (Event::TextLoaded(loaded), _) => handle_loaded_presets(state, loaded),
        (Event::Project(event), _) => handle_project_event(state, event, effects),
        (Event::PhotosNamed(names), _) => handle_names(state, *names, now, effects),
        (Event::RowsFound { typed, rows }, _) => {
            if state.names.search.request == Some(id) {
                handle_rows(state, typed, rows);
            }
        }
        (Event::CardRead { item, codes }, _) => handle_card(state, item, codes),
        (Event::CardsRead, _) => handle_cards_end(state),
        (Event::ImportFolder { path }, _) => {
            state.names.add_root(&path);
            // The samples have a button of their own, so they are not added to the recent folders.
            if state.list.samples.as_ref() != Some(&path) {
                state.settings.recent.add_folder(&path);
            }
        }
        (Event::ImportFound { paths }, Pending::Watch) => add_watched_photos(state, id, &paths, now, effects),
        (Event::WatchEnded { problem }, _) => {
            end_watch(state, id, problem.as_ref().map(messages::watch_problem));
        }
        (Event::PastedWritten(Ok(path)), pending) => {
            state.camera.taken += usize::from(pending == Pending::Shot);
            add_photos(state, id, std::slice::from_ref(&path), now, effects);
            show_last(state, effects);
        }
        (Event::PastedWritten(Err(error)), pending) => {
            let reason = messages::paste_error(&error);
            let text = match pending {
                Pending::Shot => say!("Could not save the photo: {reason}", reason = reason),
                _ => say!("Could not paste the image: {reason}", reason = reason),
            };
            state.dialogs.notices.add(NoticeKind::Error, text);
        }
        (Event::ImportFound { paths }, _) => add_photos(state, id, &paths, now, effects),
        (Event::ImportProblem { path, problem }, _) => {
            let mut line = format!("{}: {}", path.display(), messages::walk_problem(&problem));
            if state.settings.recent.forget(&path) {
                line = say!("{what}; removed from the recent folders", what = line);
            }
            state.dialogs.notices.add_import_problem(id, line);
        }
        (Event::ImportFinished { found, ignored }, _) => {
            if found == 0 {
                state.dialogs.notices.add(NoticeKind::Info, messages::nothing_found(ignored));
            }
        }
        (Event::PhotoIndexed { item, thumbnail, info, detection, .. }, _) => {
            let waits = state.awaits_detection(item);
            state.list.library.set_thumbnail(item, Some(thumbnail));
            if let Some(photo) = state.list.library.get_mut(item) {
                (photo.detection_pending, photo.failure) = (waits, None);
                photo.info = Some(info);
                if let Some(detection) = detection {
                    photo.set_detection(detection);
                }
            }
        }
        (Event::ThumbnailFound { item, thumbnail }, _) => {
            set_thumbnail(state, item, thumbnail, effects);
        }
        (Event::DetailRendered { generation, part, image, .. }, Pending::RenderDetail(_)) => {
            if generation == state.canvas.generation {
                state.canvas.inspection.detail = Some((part, image));
            }
        }
        (Event::PhotoOpened { item, generation, display, info, detection, stages, secondary }, _) => {
            if generation != state.canvas.generation {
                return;
            }
            let inspection = &mut state.canvas.inspection;
            (inspection.waiting, inspection.failure) = (false, None);
            (inspection.display, inspection.stages) = (Some(display), stages);
            inspection.secondary = secondary;
            inspection.found.clone_from(&detection);
            if let Some(photo) = state.list.library.get_mut(item) {
                photo.failure = None;
                photo.info = Some(info);
                if let Some(detection) = detection {
                    photo.set_detection(detection);
                }
            }
        }
        (Event::PreviewRendered { image, .. }, Pending::Preview(key)) => {
            if key.generation == state.canvas.generation {
                state.store_preview(key, Ok(image));
            }
        }
        (Event::TileRendered { image, .. }, Pending::Tile(key)) => {
            state.list.tiles.store(key, Some(image), &state.list.library.showing().items);
        }
        (Event::ExportProgress { item, done, report, .. }, Pending::Export) => {
            record_progress(state, id, item, done, &report, now);
        }
        (Event::ExportFinished { cancelled, stopped, notes, journal, .. }, Pending::Export) => {
            let end = match (&stopped, cancelled) {
                (Some(_), _) => BatchEnd::Stopped,
                (None, true) => BatchEnd::Cancelled,
                (None, false) => BatchEnd::Completed,
            };
            if let Some(batch) = state.export.batch.as_mut().filter(|batch| batch.request == Some(id)) {
                (batch.stopped, batch.notes, batch.journal) = (stopped, notes, journal);
            }
            end_export(state, id, end, now);
            notify_export(state, effects);
        }
        (Event::FrameSearched(detection), _) => state.camera.set_faces(detection),
        (Event::ReportWritten(written), _) => {
            handle_report_written(state, written.map(drop).map_err(Unavailable::Answer));
        }
        (Event::RunFound(found), _) => handle_run_found(state, found),
        (Event::SettingsSaved(Err(error)), _) => {
            let reason = messages::settings_error(&error);
            let text = say!("Could not save the settings: {reason}", reason = reason);
            state.dialogs.notices.add(NoticeKind::Warning, text);
        }
        (Event::Superseded, pending) => drop_pending(state, id, pending, now),
        (Event::Failed { error, .. }, pending) => handle_failure(state, id, pending, error, now),
        (event, Pending::Camera) => handle_camera(state, id, event, effects),
        (_, _) => {}
    }
}

/// The worker has exited: requests sent from now on get no answer.
pub(crate) fn handle_worker_exit(state: &mut AppState, now: Instant) {
    state.worker_alive = false;
    if let Some(request) = state.export.batch.as_ref().and_then(|batch| batch.request) {
        end_export(state, request, BatchEnd::Broken, now);
    }
    let waiting: Vec<RequestId> = state.pending.keys().copied().collect();
    for id in waiting {
        if let Some(pending) = state.take_pending(id) {
            drop_pending(state, id, pending, now);
        }
    }
    state
        .dialogs
        .notices
        .add(NoticeKind::Error, tr("Photo loading has stopped. Close the window and restart Iron Cropper."));
}

/// Probes every runtime, unless that was done with the current options and model.
fn check_once(state: &mut AppState, effects: &mut Vec<Effect>) {
    if !state.runtime.known.requested && !state.runtime.is_untested() {
        check_runtimes(state, false, effects);
    }
}

fn describe(page: ModelPage) -> DescribedModel {
    DescribedModel { multiply_adds: page.summary.multiply_adds(page.input), page }
}

/// After a new runtime was opened: restarts detection for all photos that have been processed. Queued ones use it anyway.
fn detect_again(state: &mut AppState, effects: &mut Vec<Effect>) {
    let detected: Vec<ItemId> =
        state.list.library.photos().iter().filter(|photo| !photo.detection_pending).map(|photo| photo.id).collect();
    if state.list.library.current.is_some() && !state.canvas.inspection.waiting {
        open_photo(state, effects);
    }
    for item in detected {
        index_photo(state, item, effects);
    }
}

fn handle_text_saved(state: &mut AppState, saved: &Result<(), TextError>) {
    let text = match (state.dialogs.saved, saved) {
        (SavedText::Comparison, Ok(())) => tr("Comparison saved.").to_owned(),
        (SavedText::Presets, Ok(())) => tr("Presets saved.").to_owned(),
        (SavedText::Comparison, Err(error)) => {
            say!("Could not save the comparison: {reason}", reason = messages::text_error(error))
        }
        (SavedText::Presets, Err(error)) => {
            say!("Could not save the presets: {reason}", reason = messages::text_error(error))
        }
    };
    match saved {
        Ok(()) => {
            let button = NoticeButton::ShowInFolder(state.dialogs.saved_to.clone());
            state.dialogs.notices.add_with_button(text, button);
        }
        Err(_) => state.dialogs.notices.add(NoticeKind::Error, text),
    }
}

fn add_photos(state: &mut AppState, request: RequestId, paths: &[PathBuf], now: Instant, effects: &mut Vec<Effect>) {
    let (mut added, selection) = (Vec::new(), state.list.library.selection());
    for path in paths {
        let Some(item) = state.list.library.add(path) else { continue };
        added.push(item);
        if state.list.library.current.is_none() {
            change_current(state, effects, |state| state.list.library.select(item, SelectHow::Only));
        }
        index_photo(state, item, effects);
    }
    if !added.is_empty() {
        let change = Change::List(ListChange::In(added), selection);
        state.list.history.add(Step::new(mark("add photos"), Gesture::Import(request), now, change));
    }
}

/// Stores a thumbnail, or that there is none without decoding the photo. If the photo was decoded before but its thumbnail
/// is gone, detection is repeated: the thumbnail cache may be lost.
fn set_thumbnail(state: &mut AppState, item: ItemId, thumbnail: Option<DisplayCopy>, effects: &mut Vec<Effect>) {
    let Some(photo) = state.list.library.get(item).filter(|photo| photo.thumbnail().is_none()) else { return };
    let is_lost = thumbnail.is_none() && photo.info.is_some() && !photo.detection_pending && photo.failure.is_none();
    state.list.library.set_thumbnail(item, thumbnail);
    if is_lost {
        index_photo(state, item, effects);
    }
}

/// Adds photos from a watched folder. If the last photo was on the canvas, the new last one is opened.
fn add_watched_photos(
    state: &mut AppState,
    request: RequestId,
    paths: &[PathBuf],
    now: Instant,
    effects: &mut Vec<Effect>,
) {
    if state.list.watched.as_ref().is_none_or(|watched| watched.request != Some(request)) {
        return;
    }
    let follows = state.list.library.current == state.list.library.photos().last().map(|photo| photo.id);
    let before = state.list.library.len();
    let paths = without_own_crops(state, paths);
    add_photos(state, request, &paths, now, effects);
    if let Some(watched) = &mut state.list.watched {
        watched.added += state.list.library.len() - before;
    }
    if follows {
        show_last(state, effects);
    }
}

/// Opens the last photo.
fn show_last(state: &mut AppState, effects: &mut Vec<Effect>) {
    if let Some(last) = state.list.library.photos().last().map(|photo| photo.id) {
        change_current(state, effects, |state| state.list.library.select(last, SelectHow::Only));
    }
}

fn record_progress(
    state: &mut AppState,
    request: RequestId,
    item: ItemId,
    done: usize,
    report: &Arc<ItemReport>,
    now: Instant,
) {
    let folder = state.export.batch.as_ref().map(|batch| &*batch.folder);
    let what = messages::outcome(report, folder);
    let mark = match report.outcome {
        OutcomeKind::Cropped | OutcomeKind::Detected | OutcomeKind::AlreadyDone => Some(ExportMark::Written),
        OutcomeKind::Card => None,
        OutcomeKind::NoFace => Some(ExportMark::NoFace),
        OutcomeKind::Damaged => Some(ExportMark::Damaged),
        OutcomeKind::Skipped | OutcomeKind::Excluded => Some(ExportMark::Skipped),
        OutcomeKind::Failed => Some(ExportMark::Failed(Arc::clone(report))),
    };
    let files = report.crops.iter().flat_map(|crop| crop.written.iter().chain(&crop.sheet));
    let file = files.clone().next();
    state.export.written.extend(files.cloned());
    if let Some(photo) = state.list.library.get_mut(item) {
        photo.export = mark;
    }
    let name = report.path.file_name().unwrap_or(report.path.as_os_str()).to_string_lossy().into_owned();
    if let Some(batch) = state.export.batch.as_mut().filter(|batch| batch.request == Some(request)) {
        batch.note(BatchLine { item, name, outcome: report.outcome, what, file: file.cloned() }, report, done, now);
    }
}
