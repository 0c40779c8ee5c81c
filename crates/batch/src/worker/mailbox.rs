//! The mailbox of the session lane: a slot for the latest of each interactive request, and queues for the others.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use cancel::CancelToken;

use super::pending::Queued;
use super::{RequestId, SessionRequest};

/// The next action of the session lane.
pub(super) enum Next {
    Begin(Box<Queued<SessionRequest>>),
    /// No request is waiting: do the next step of the running comparison.
    ContinueTask,
    /// All worker threads of the batch have ended.
    BatchEnded,
    /// The handle was dropped.
    Closed,
}

/// The long-running task beside interactive requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunningTask {
    Idle,
    /// A comparison, which the lane runs step by step.
    Steps,
    /// A batch, which has its own worker threads.
    Batch,
}

/// The mailbox between a front end and the session lane.
#[derive(Default)]
pub(super) struct Mailbox {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    openings: VecDeque<Queued<SessionRequest>>,
    open_photo: Option<Queued<SessionRequest>>,
    preview: Option<Queued<SessionRequest>>,
    render_detail: Option<Queued<SessionRequest>>,
    tasks: VecDeque<Queued<SessionRequest>>,
    index_requests: VecDeque<Queued<SessionRequest>>,
    batch_ended: bool,
    opening_photo: Option<CancelToken>,
    closed: bool,
}

impl Mailbox {
    /// Adds a request; returns the id of the waiting request it replaces, if any.
    #[deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants,
        reason = "every request must be handled"
    )]
    pub(super) fn put(&self, queued: Queued<SessionRequest>) -> Option<RequestId> {
        let mut state = self.lock();
        let replaced = match queued.request {
            SessionRequest::OpenRuntime { .. } | SessionRequest::OpenSecondary { .. } => {
                state.openings.push_back(queued);
                None
            }
            SessionRequest::OpenPhoto { .. } => {
                // The running one is out of date as well.
                if let Some(running) = state.opening_photo.take() {
                    running.cancel();
                }
                state.open_photo.replace(queued)
            }
            SessionRequest::RenderPreview { .. } => state.preview.replace(queued),
            SessionRequest::RenderDetail { .. } => state.render_detail.replace(queued),
            SessionRequest::Export(_) | SessionRequest::Compare(_) => {
                state.tasks.push_back(queued);
                None
            }
            SessionRequest::IndexPhoto { .. } => {
                state.index_requests.push_back(queued);
                None
            }
        };
        drop(state);
        self.changed.notify_one();
        replaced.map(|replaced| replaced.control.id)
    }

    /// Waits for the next action. Steps are continued only while no interactive request waits.
    pub(super) fn next(&self, running: RunningTask) -> Next {
        let mut state = self.lock();
        loop {
            if state.closed {
                return Next::Closed;
            }
            let interactive = state.openings.pop_front();
            let interactive = interactive.or_else(|| {
                let open_photo = state.open_photo.take()?;
                state.opening_photo = Some(open_photo.control.cancel.clone());
                Some(open_photo)
            });
            let interactive = interactive.or_else(|| state.render_detail.take()).or_else(|| state.preview.take());
            if let Some(queued) = interactive {
                return Next::Begin(Box::new(queued));
            }
            if running == RunningTask::Steps {
                return Next::ContinueTask;
            }
            if running == RunningTask::Batch {
                if std::mem::take(&mut state.batch_ended) {
                    return Next::BatchEnded;
                }
            } else if let Some(queued) = state.tasks.pop_front().or_else(|| state.index_requests.pop_front()) {
                return Next::Begin(Box::new(queued));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notifies the lane that all worker threads of the batch have ended.
    pub(super) fn batch_ended(&self) {
        self.lock().batch_ended = true;
        self.changed.notify_all();
    }

    /// Ends the lane: waiting requests are not started any more.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is consistent between any two statements, so a poisoned lock can still be used.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
