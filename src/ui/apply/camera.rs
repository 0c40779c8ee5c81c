//! Opening and closing of the camera, its frames, and photos taken with it.

use batch::worker::{CameraEnd, CameraError, CameraRequest, Event, FilesRequest, RequestId, SessionRequest};

use super::super::command::{CameraCommand, Effect};
use super::super::messages;
use super::super::state::{AppState, Pending, Unanswered};

pub(super) fn apply_command(state: &mut AppState, command: CameraCommand, effects: &mut Vec<Effect>) {
    match command {
        CameraCommand::Show(shown) => {
            close(state, effects);
            state.camera.shown = shown && state.camera.offered;
            state.camera.taken = 0;
            if state.camera.shown {
                state.runtime.compare.shown = false;
                super::runtimes::cancel_compare(state, effects);
                open(state, effects);
            }
        }
        CameraCommand::Open => {
            if state.camera.shown && state.camera.request.is_none() {
                open(state, effects);
            }
        }
        CameraCommand::Choose(id) => {
            close(state, effects);
            state.camera.chosen = Some(id);
            open(state, effects);
        }
        CameraCommand::Shoot => {
            // Several at once would be the same frame.
            let is_writing = state.pending.values().any(|pending| *pending == Pending::Shot);
            if let (Some(frame), false) = (&state.camera.frame, is_writing) {
                effects.push(Effect::send(FilesRequest::WriteShot(frame.clone())));
            }
        }
    }
}

fn open(state: &mut AppState, effects: &mut Vec<Effect>) {
    state.camera.failure = None;
    effects.push(Effect::send(CameraRequest { camera: state.camera.chosen.clone() }));
}

fn close(state: &mut AppState, effects: &mut Vec<Effect>) {
    effects.extend(state.camera.request.map(Effect::Cancel));
    state.camera.failure = None;
    state.camera.clear();
}

/// Handles an event of the request that sends frames. Those of an earlier one have no effect.
pub(crate) fn handle_camera(state: &mut AppState, id: RequestId, event: Event, effects: &mut Vec<Effect>) {
    if state.camera.request != Some(id) {
        return;
    }
    match event {
        Event::CameraOpened { cameras, opened } => {
            (state.camera.cameras, state.camera.chosen) = (cameras, Some(opened));
        }
        Event::CameraFrame(frame) => {
            state.camera.set_frame(frame.clone());
            if !state.searches_frame() {
                let detect = state.frame_detection();
                effects.push(Effect::send(SessionRequest::SearchFrame { frame, detect }));
            }
        }
        Event::CameraClosed(end) => {
            state.camera.clear();
            state.camera.failure = match end {
                CameraEnd::Failed(error) => Some(error),
                // It is opened again when the window is drawn again.
                CameraEnd::Closed | CameraEnd::Unseen => None,
            };
        }
        _ => {}
    }
}

/// Handles the end of that request without an answer.
pub(crate) fn handle_no_camera(state: &mut AppState, id: RequestId, why: &Unanswered) {
    if state.camera.request == Some(id) {
        state.camera.clear();
        state.camera.failure = Some(CameraError::Other(messages::unanswered(why)));
    }
}
