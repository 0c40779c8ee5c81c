//! Pending requests and their cancel and pause tokens.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cancel::{CancelToken, PauseToken};

use super::RequestId;

/// The id and the control tokens of a request.
#[derive(Clone)]
pub(super) struct RequestControl {
    pub(super) id: RequestId,
    pub(super) cancel: CancelToken,
    /// Used by batches only.
    pub(super) pause: PauseToken,
}

/// A request in a lane's queue.
pub(super) struct Queued<R> {
    pub(super) control: RequestControl,
    pub(super) request: R,
}

/// The controls of all requests whose terminal event has not been sent yet.
#[derive(Default)]
pub(super) struct PendingRequests(Mutex<HashMap<RequestId, RequestControl>>);

impl PendingRequests {
    /// Registers a new request.
    pub(super) fn register(&self, id: RequestId) -> RequestControl {
        let control = RequestControl { id, cancel: CancelToken::new(), pause: PauseToken::default() };
        self.lock().insert(id, control.clone());
        control
    }

    /// Removes a request whose terminal event was sent.
    pub(super) fn finished(&self, id: RequestId) {
        self.lock().remove(&id);
    }

    /// Pauses or resumes a waiting or running batch.
    pub(super) fn pause(&self, id: RequestId, paused: bool) {
        if let Some(control) = self.lock().get(&id) {
            control.pause.set(paused);
        }
    }

    /// Cancels a waiting or running request.
    pub(super) fn cancel(&self, id: RequestId) {
        if let Some(control) = self.lock().get(&id) {
            control.cancel.cancel();
        }
    }

    /// Cancels all requests.
    pub(super) fn cancel_all(&self) {
        self.lock().values().for_each(|control| control.cancel.cancel());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, RequestControl>> {
        // The map is consistent between any two statements, so a poisoned lock can still be used.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
