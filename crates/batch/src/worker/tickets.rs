//! How a request under way is asked to stop or to rest.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cancel::{CancelToken, PauseToken};

use super::RequestId;

/// What goes with a request through the worker.
#[derive(Clone)]
pub(super) struct Ticket {
    pub(super) id: RequestId,
    pub(super) cancel: CancelToken,
    /// Only looked at by batches.
    pub(super) pause: PauseToken,
}

/// A request of a lane, with its ticket.
pub(super) struct Ticketed<R> {
    pub(super) ticket: Ticket,
    pub(super) request: R,
}

/// The tickets of all requests whose terminal event was not sent yet.
#[derive(Default)]
pub(super) struct Tickets(Mutex<HashMap<RequestId, Ticket>>);

impl Tickets {
    /// Makes the ticket of a new request.
    pub(super) fn issue(&self, id: RequestId) -> Ticket {
        let ticket = Ticket { id, cancel: CancelToken::new(), pause: PauseToken::default() };
        self.lock().insert(id, ticket.clone());
        ticket
    }

    /// Forgets a request whose terminal event was sent.
    pub(super) fn finished(&self, id: RequestId) {
        self.lock().remove(&id);
    }

    /// Asks a waiting or running batch to rest or to go on.
    pub(super) fn pause(&self, id: RequestId, paused: bool) {
        if let Some(ticket) = self.lock().get(&id) {
            ticket.pause.set(paused);
        }
    }

    /// Asks a waiting or running request to stop.
    pub(super) fn cancel(&self, id: RequestId) {
        if let Some(ticket) = self.lock().get(&id) {
            ticket.cancel.cancel();
        }
    }

    /// Asks all of them to stop.
    pub(super) fn cancel_all(&self) {
        self.lock().values().for_each(|ticket| ticket.cancel.cancel());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, Ticket>> {
        // The map is whole between any two statements, so a poisoned lock can be used on.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
