//! What waits in the session lane: one place for the latest of each interactive request, queues for the rest.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use cancel::CancelToken;

use super::tickets::Ticketed;
use super::{RequestId, SessionRequest};

/// What the session lane does next.
pub(super) enum Next {
    /// A request to begin.
    Begin(Ticketed<SessionRequest>),
    /// Nothing is more urgent than the next step of the batch or comparison under way.
    ContinueTask,
    /// The hands of the batch are through.
    BatchEnded,
    /// Nobody is left to answer.
    Closed,
}

/// What is under way beside what is interactive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnderWay {
    Nothing,
    /// A comparison, which the worker takes a step at a time.
    Steps,
    /// A batch, which has hands of its own.
    Batch,
}

/// The mailbox between a front end and the session lane.
#[derive(Default)]
pub(super) struct Mailbox {
    inside: Mutex<Inside>,
    changed: Condvar,
}

#[derive(Default)]
struct Inside {
    openings: VecDeque<Ticketed<SessionRequest>>,
    open_photo: Option<Ticketed<SessionRequest>>,
    preview: Option<Ticketed<SessionRequest>>,
    render_detail: Option<Ticketed<SessionRequest>>,
    tasks: VecDeque<Ticketed<SessionRequest>>,
    index_requests: VecDeque<Ticketed<SessionRequest>>,
    batch_ended: bool,
    inspecting: Option<CancelToken>,
    closed: bool,
}

impl Mailbox {
    /// Puts a request in; gives back the waiting one it takes the place of, if any.
    #[deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants,
        reason = "no request is passed over"
    )]
    pub(super) fn put(&self, ticketed: Ticketed<SessionRequest>) -> Option<RequestId> {
        let mut inside = self.lock();
        let replaced = match ticketed.request {
            SessionRequest::OpenRuntime { .. } | SessionRequest::OpenSecondary { .. } => {
                inside.openings.push_back(ticketed);
                None
            }
            SessionRequest::OpenPhoto { .. } => {
                // The one under way is out of date as well.
                if let Some(under_way) = inside.inspecting.take() {
                    under_way.cancel();
                }
                inside.open_photo.replace(ticketed)
            }
            SessionRequest::RenderPreview { .. } => inside.preview.replace(ticketed),
            SessionRequest::RenderDetail { .. } => inside.render_detail.replace(ticketed),
            SessionRequest::Export(_) | SessionRequest::Compare(_) => {
                inside.tasks.push_back(ticketed);
                None
            }
            SessionRequest::IndexPhoto { .. } => {
                inside.index_requests.push_back(ticketed);
                None
            }
        };
        drop(inside);
        self.changed.notify_one();
        replaced.map(|replaced| replaced.ticket.id)
    }

    /// The next thing to do; waits for it. Steps go on only while nothing interactive waits.
    pub(super) fn next(&self, under_way: UnderWay) -> Next {
        let mut inside = self.lock();
        loop {
            if inside.closed {
                return Next::Closed;
            }
            let interactive = inside.openings.pop_front();
            let interactive = interactive.or_else(|| {
                let open_photo = inside.open_photo.take()?;
                inside.inspecting = Some(open_photo.ticket.cancel.clone());
                Some(open_photo)
            });
            let interactive = interactive.or_else(|| inside.render_detail.take()).or_else(|| inside.preview.take());
            if let Some(ticketed) = interactive {
                return Next::Begin(ticketed);
            }
            if under_way == UnderWay::Steps {
                return Next::ContinueTask;
            }
            if under_way == UnderWay::Batch {
                if std::mem::take(&mut inside.batch_ended) {
                    return Next::BatchEnded;
                }
            } else if let Some(ticketed) = inside.tasks.pop_front().or_else(|| inside.index_requests.pop_front()) {
                return Next::Begin(ticketed);
            }
            inside = self.changed.wait(inside).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Tells the worker that the hands of the batch are through.
    pub(super) fn batch_ended(&self) {
        self.lock().batch_ended = true;
        self.changed.notify_all();
    }

    /// Lets the lane end: nothing waiting is begun any more.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        // The state is whole between any two statements, so a poisoned lock can be used on.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
