//! A lane: a thread that answers requests of one type, in the order they are sent.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};

use cancel::CancelToken;
use outcome::{Stage, StageError};
use pipeline::panic_message;

use super::outbox::Outbox;
use super::tickets::Ticketed;
use super::{Event, spawn_named};

/// The sending end of a lane.
pub(super) struct Lane<R> {
    /// `None` once it was closed.
    requests: Option<Sender<Ticketed<R>>>,
    life: Life,
}

impl<R: Send + 'static> Lane<R> {
    /// Starts the thread `name`, which answers what it receives.
    ///
    /// # Errors
    /// The system has no room for another thread.
    pub(super) fn start(name: &str, run: impl FnOnce(Receiver<Ticketed<R>>) + Send + 'static) -> io::Result<Self> {
        let (requests, inbox) = channel();
        let life = Life::start(name, move || run(inbox))?;
        Ok(Self { requests: Some(requests), life })
    }

    pub(super) fn send(&self, request: Ticketed<R>) {
        if let Some(requests) = &self.requests {
            // A lane that has died shows in `is_alive`.
            let _ = requests.send(request);
        }
    }

    /// Lets the thread end once it has answered what was sent.
    pub(super) fn close(&mut self) {
        self.requests = None;
    }

    pub(super) fn is_alive(&self) -> bool {
        self.life.is_alive()
    }
}

/// Reports whether a thread still runs.
pub(super) struct Life(Weak<()>);

impl Life {
    /// Starts a thread.
    ///
    /// # Errors
    /// The system has no room for another thread.
    pub(super) fn start(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let life = Arc::new(());
        let lives = Arc::downgrade(&life);
        spawn_named(name, move || {
            let _life = life;
            work();
        })?;
        Ok(Self(lives))
    }

    pub(super) fn is_alive(&self) -> bool {
        self.0.strong_count() > 0
    }
}

/// Answers requests in order until the lane is closed; what was sent before that is still answered.
pub(super) fn answer_each<R>(
    inbox: &Receiver<Ticketed<R>>,
    outbox: &Outbox,
    mut answer: impl FnMut(R, &CancelToken) -> Event,
) {
    while let Ok(Ticketed { ticket, request }) = inbox.recv() {
        let event = or_failed(|| answer(request, &ticket.cancel));
        outbox.send(ticket.id, event);
    }
}

/// What `work` gives; a panic ends its request and nothing else.
pub(super) fn or_failed<T: From<Event>>(work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| failed_by(&*panic).into())
}

/// The terminal event of a request that has panicked.
pub(super) fn failed_by(panic: &(dyn Any + Send)) -> Event {
    let error = StageError::Panicked { stage: Stage::Import, message: panic_message(panic) };
    Event::Failed { item: None, error }
}
