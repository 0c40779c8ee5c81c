//! What waits for the worker: one place for the latest of each interactive request, queues for the rest.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use cancel::{CancelToken, PauseToken};

use super::{Request, RequestId};

/// What the worker does next.
pub(super) enum Next {
    /// A request to begin.
    Begin(Job),
    /// Nothing is more urgent than the next step of the batch or comparison under way.
    ContinueTask,
    /// The hands of the batch are through.
    BatchEnded,
    /// Nobody is left to answer.
    Closed,
}

/// A request on its way through the worker.
pub(super) struct Job {
    pub(super) id: RequestId,
    pub(super) request: Request,
    pub(super) cancel: CancelToken,
    pub(super) pause: PauseToken,
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

/// The mailbox between a front end and the worker.
#[derive(Default)]
pub(super) struct Mailbox {
    inside: Mutex<Inside>,
    changed: Condvar,
}

#[derive(Default)]
struct Inside {
    control: VecDeque<Job>,
    inspect: Option<Job>,
    preview: Option<Job>,
    magnify: Option<Job>,
    tasks: VecDeque<Job>,
    surveys: VecDeque<Job>,
    tokens: HashMap<RequestId, CancelToken>,
    pauses: HashMap<RequestId, PauseToken>,
    batch_ended: bool,
    inspecting: Option<CancelToken>,
    closed: bool,
}

impl Mailbox {
    /// Puts a request in; gives back the waiting one it takes the place of, if any.
    pub(super) fn put(&self, id: RequestId, request: Request) -> Option<RequestId> {
        let mut inside = self.lock();
        let cancel = CancelToken::new();
        inside.tokens.insert(id, cancel.clone());
        let pause = PauseToken::default();
        if matches!(request, Request::Export(_)) {
            inside.pauses.insert(id, pause.clone());
        }
        let job = Job { id, request, cancel, pause };
        let replaced = match job.request {
            Request::Inspect { .. } => {
                // The one under way is out of date as well.
                if let Some(under_way) = inside.inspecting.take() {
                    under_way.cancel();
                }
                inside.inspect.replace(job)
            }
            Request::RenderPreview { .. } => inside.preview.replace(job),
            Request::Magnify { .. } => inside.magnify.replace(job),
            Request::Export(_) | Request::Compare(_) => {
                inside.tasks.push_back(job);
                None
            }
            Request::Survey { .. } => {
                inside.surveys.push_back(job);
                None
            }
            // Openings; errands are the clerks' and never come here.
            _ => {
                inside.control.push_back(job);
                None
            }
        };
        let replaced = replaced.map(|job| job.id);
        if let Some(id) = replaced {
            inside.tokens.remove(&id);
        }
        drop(inside);
        self.changed.notify_one();
        replaced
    }

    /// Makes the token of a request that another thread handles.
    pub(super) fn register(&self, id: RequestId) -> CancelToken {
        let cancel = CancelToken::new();
        self.lock().tokens.insert(id, cancel.clone());
        cancel
    }

    /// The next thing to do; waits for it. Steps go on only while nothing interactive waits.
    pub(super) fn next(&self, under_way: UnderWay) -> Next {
        let mut inside = self.lock();
        loop {
            if inside.closed {
                return Next::Closed;
            }
            let interactive = inside.control.pop_front();
            let interactive = interactive.or_else(|| {
                let job = inside.inspect.take()?;
                inside.inspecting = Some(job.cancel.clone());
                Some(job)
            });
            let interactive = interactive.or_else(|| inside.magnify.take()).or_else(|| inside.preview.take());
            if let Some(job) = interactive {
                return Next::Begin(job);
            }
            if under_way == UnderWay::Steps {
                return Next::ContinueTask;
            }
            if under_way == UnderWay::Batch {
                if std::mem::take(&mut inside.batch_ended) {
                    return Next::BatchEnded;
                }
            } else if let Some(job) = inside.tasks.pop_front().or_else(|| inside.surveys.pop_front()) {
                return Next::Begin(job);
            }
            inside = self.changed.wait(inside).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Forgets a request whose terminal event was sent.
    pub(super) fn finished(&self, id: RequestId) {
        let mut inside = self.lock();
        inside.tokens.remove(&id);
        inside.pauses.remove(&id);
    }

    /// Asks a waiting or running batch to rest or to go on.
    pub(super) fn pause(&self, id: RequestId, paused: bool) {
        if let Some(token) = self.lock().pauses.get(&id) {
            token.set(paused);
        }
    }

    /// Tells the worker that the hands of the batch are through.
    pub(super) fn batch_ended(&self) {
        self.lock().batch_ended = true;
        self.changed.notify_all();
    }

    /// Asks a waiting or running request to stop.
    pub(super) fn cancel(&self, id: RequestId) {
        if let Some(token) = self.lock().tokens.get(&id) {
            token.cancel();
        }
    }

    /// Lets the worker end: nothing waiting is begun any more, what runs is asked to stop.
    pub(super) fn close(&self) {
        let mut inside = self.lock();
        inside.closed = true;
        for token in inside.tokens.values() {
            token.cancel();
        }
        drop(inside);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        // The state is whole between any two statements, so a poisoned lock can be used on.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
