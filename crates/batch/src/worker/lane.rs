//! A lane: a thread that answers requests of one type in the order they are sent.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};

use cancel::CancelToken;
use outcome::{Stage, StageError};
use pipeline::panic_message;

use super::outbox::Outbox;
use super::pending::Queued;
use super::{Event, RequestId, spawn_named};

/// The sending end of a lane.
pub(super) struct Lane<R> {
    /// `None` once closed.
    requests: Option<Sender<Queued<R>>>,
    liveness: Liveness,
}

impl<R: Send + 'static> Lane<R> {
    /// Starts the thread `name`, which runs `run` with the receiving end.
    ///
    /// # Errors
    /// Fails if the system cannot start another thread.
    pub(super) fn start(name: &str, run: impl FnOnce(Receiver<Queued<R>>) + Send + 'static) -> io::Result<Self> {
        let (requests, inbox) = channel();
        let liveness = Liveness::start(name, move || run(inbox))?;
        Ok(Self { requests: Some(requests), liveness })
    }

    pub(super) fn send(&self, request: Queued<R>) {
        if let Some(requests) = &self.requests {
            // A dead lane is reported by `is_alive`.
            let _ = requests.send(request);
        }
    }

    /// Closes the channel: the thread ends once it has answered all requests sent so far.
    pub(super) fn close(&mut self) {
        self.requests = None;
    }

    pub(super) fn is_alive(&self) -> bool {
        self.liveness.is_alive()
    }
}

/// Reports whether a thread is still running.
pub(super) struct Liveness(Weak<()>);

impl Liveness {
    /// Starts a thread.
    ///
    /// # Errors
    /// Fails if the system cannot start another thread.
    pub(super) fn start(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let token = Arc::new(());
        let weak = Arc::downgrade(&token);
        spawn_named(name, move || {
            let _token = token;
            work();
        })?;
        Ok(Self(weak))
    }

    pub(super) fn is_alive(&self) -> bool {
        self.0.strong_count() > 0
    }
}

/// Answers requests in order until the lane is closed; requests sent before that are still answered.
pub(super) fn answer_each<R>(
    inbox: &Receiver<Queued<R>>,
    outbox: &Outbox,
    mut answer: impl FnMut(RequestId, R, &CancelToken) -> Event,
) {
    while let Ok(Queued { control, request }) = inbox.recv() {
        let event = or_failed(|| answer(control.id, request, &control.cancel));
        outbox.send(control.id, event);
    }
}

/// The result of `work`; a panic becomes a failure of the request.
pub(super) fn or_failed<T: From<Event>>(work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| failed_by(&*panic).into())
}

/// The terminal event of a request that has panicked.
pub(super) fn failed_by(panic: &(dyn Any + Send)) -> Event {
    let error = StageError::Panicked { stage: Stage::Import, message: panic_message(panic) };
    Event::Failed { item: None, error }
}
