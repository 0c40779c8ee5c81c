//! Requests that ended without an answer: they failed or were dropped.

use std::sync::Arc;
use std::time::Instant;

use batch::worker::RequestId;
use outcome::StageError;

use super::super::apply::{handle_cards_end, handle_no_camera, handle_no_names, handle_report_written};
use super::super::language::{say, tr};
use super::super::messages;
use super::super::state::{
    AppState, BatchEnd, CompareEnd, NoticeKind, Pending, PhotoFailure, RuntimeStatus, Secondary, Unanswered,
    Unavailable,
};

pub(super) fn end_watch(state: &mut AppState, request: RequestId, reason: Option<String>) {
    if state.list.watched.as_ref().is_some_and(|watched| watched.request == Some(request)) {
        state.list.watched = None;
        if let Some(reason) = reason {
            let text = say!("The folder is no longer watched: {reason}", reason = reason);
            state.dialogs.notices.add(NoticeKind::Warning, text);
        }
    }
}

pub(super) fn end_export(state: &mut AppState, request: RequestId, end: BatchEnd, now: Instant) {
    let running = state.export.batch.as_mut().filter(|batch| batch.request == Some(request) && batch.end.is_none());
    if let Some(batch) = running {
        batch.finish(end, now);
    }
}

pub(super) fn drop_pending(state: &mut AppState, id: RequestId, pending: Pending, now: Instant) {
    match pending {
        Pending::IndexPhoto(item) => {
            // Another request for it may be pending.
            let waits = state.awaits_detection(item);
            if let Some(photo) = state.list.library.get_mut(item) {
                photo.detection_pending = waits;
            }
        }
        Pending::OpenPhoto(generation) if generation == state.canvas.generation => {
            state.canvas.inspection.waiting = false;
        }
        Pending::Export => end_export(state, id, BatchEnd::Cancelled, now),
        Pending::Compare => end_compare(state, id, CompareEnd::Cancelled),
        Pending::Watch => end_watch(state, id, Some(tr("no answer was received.").to_owned())),
        Pending::Camera => handle_no_camera(state, id, &Unanswered::Dropped),
        pending => end_question(state, pending, Unanswered::Dropped),
    }
}

pub(super) fn handle_failure(state: &mut AppState, id: RequestId, pending: Pending, error: StageError, now: Instant) {
    let error = Arc::new(error);
    match pending {
        Pending::IndexPhoto(item) => {
            if let Some(photo) = state.list.library.get_mut(item) {
                photo.detection_pending = false;
                photo.failure = Some(PhotoFailure::Failed(error));
            }
        }
        Pending::OpenPhoto(generation) if generation == state.canvas.generation => {
            state.canvas.inspection.waiting = false;
            state.canvas.inspection.failure = Some(PhotoFailure::Failed(error));
        }
        Pending::Export => {
            let text = say!("The export stopped early: {reason}", reason = messages::stage_error(&error));
            state.dialogs.notices.add(NoticeKind::Error, text);
            end_export(state, id, BatchEnd::Cancelled, now);
        }
        Pending::Preview(key) => {
            tracing::debug!(%error, "no exact preview");
            state.store_preview(key, Err(error));
        }
        Pending::Tile(key) => {
            tracing::debug!(%error, "no crop for the contact sheet");
            state.list.tiles.store(key, None, &state.list.library.showing().items);
        }
        Pending::RenderDetail(_) => tracing::debug!(%error, "no detail image"),
        Pending::Thumbnail(_) => {}
        Pending::Compare => end_compare(state, id, CompareEnd::Broken(error)),
        Pending::Camera => handle_no_camera(state, id, &Unanswered::Failed(error)),
        pending => end_question(state, pending, Unanswered::Failed(error)),
    }
}

fn end_compare(state: &mut AppState, request: RequestId, end: CompareEnd) {
    if let Some(run) = state.runtime.compare.running(request) {
        run.end = Some(end);
    }
}

/// A request about runtimes or a model without an answer.
fn end_question(state: &mut AppState, pending: Pending, why: Unanswered) {
    match pending {
        Pending::Runtime => {
            state.runtime.status =
                RuntimeStatus::Failed { requested: state.runtime.choice, error: Unavailable::Unanswered(why) };
        }
        Pending::Secondary => state.runtime.secondary = Secondary::None,
        Pending::Trial => state.runtime.known.checking = false,
        Pending::Names => handle_no_names(state, &why),
        Pending::Cards => handle_cards_end(state),
        Pending::Report => handle_report_written(state, Err(Unavailable::Unanswered(why))),
        Pending::Project => {
            let project = &mut state.list.project;
            (project.saving, project.opening, project.after_save) = (None, None, None);
            let text = say!("Could not read or write the project: {reason}", reason = messages::unanswered(&why));
            state.dialogs.notices.add(NoticeKind::Error, text);
        }
        Pending::Describe => {
            state.runtime.model_view.waiting = false;
            state.runtime.model_view.described = vec![Err(Unavailable::Unanswered(why))];
        }
        _ => {}
    }
}
