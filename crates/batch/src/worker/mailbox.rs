//! The mailbox of the session lane: a slot for the latest of each interactive request, and queues for the others.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cancel::CancelToken;

use super::pending::Queued;
use super::{RequestId, SessionRequest};

/// Photos of the list that are never held back: about as many as it shows.
const FIRST_PHOTOS: usize = 8;

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
    search_frame: Option<Queued<SessionRequest>>,
    tasks: VecDeque<Queued<SessionRequest>>,
    tiles: VecDeque<Queued<SessionRequest>>,
    index_requests: VecDeque<Queued<SessionRequest>>,
    /// Until then, the index requests wait, except the first ones.
    index_after: Option<Instant>,
    /// Index requests begun so far.
    indexed: usize,
    batch_ended: bool,
    opening_photo: Option<CancelToken>,
    closed: bool,
}

impl State {
    /// The next index request, unless they are held back.
    fn next_index_request(&mut self) -> Option<Queued<SessionRequest>> {
        if self.index_after.is_some_and(|until| Instant::now() < until) {
            if self.indexed >= FIRST_PHOTOS {
                return None;
            }
        } else {
            self.index_after = None;
        }
        let next = self.index_requests.pop_front()?;
        self.indexed += 1;
        Some(next)
    }
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
            SessionRequest::SearchFrame { .. } => state.search_frame.replace(queued),
            SessionRequest::Export(_) | SessionRequest::Compare(_) => {
                state.tasks.push_back(queued);
                None
            }
            SessionRequest::RenderTile { .. } => {
                state.tiles.push_back(queued);
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
            let interactive = interactive.or_else(|| state.search_frame.take());
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
            } else if let Some(queued) = state.tasks.pop_front() {
                return Next::Begin(Box::new(queued));
            }
            let indexing = |state: &mut State| {
                if running == RunningTask::Batch { None } else { state.next_index_request() }
            };
            if let Some(queued) = state.tiles.pop_front().or_else(|| indexing(&mut state)) {
                return Next::Begin(Box::new(queued));
            }
            let held = state.index_after.map(|until| until.saturating_duration_since(Instant::now()));
            state = match held.filter(|time| !time.is_zero() && !state.index_requests.is_empty()) {
                Some(time) => {
                    self.changed.wait_timeout(state, time).map_or_else(|error| error.into_inner().0, |(state, _)| state)
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Holds index requests back, for at most `time`, while something is measured that they would slow down.
    pub(super) fn hold_index_requests(&self, time: Duration) {
        self.lock().index_after = Some(Instant::now() + time);
    }

    /// Continues with index requests.
    pub(super) fn release_index_requests(&self) {
        self.lock().index_after = None;
        self.changed.notify_all();
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

#[cfg(test)]
mod tests {
    use cancel::{Generation, PauseToken};
    use geometry::{PixelRect, Size};
    use plan::PlannedCrop;
    use recipe::{CropSpec, DecodeLimits, DetectSpec, FinishSpec};

    use super::*;
    use crate::worker::pending::RequestControl;
    use crate::worker::{ItemId, PhotoRef};

    fn photo() -> PhotoRef {
        let (limits, detect) = (DecodeLimits::default(), DetectSpec::default());
        PhotoRef { item: ItemId(1), path: "a.jpg".into(), limits, detect }
    }

    /// A mailbox with requests for indexing (1), a tile (2) and a preview (3).
    fn mailbox() -> Mailbox {
        let render = CropSpec::default().render_spec(FinishSpec::default());
        let crop = PlannedCrop::upright(PixelRect::new(0, 0, 40, 50), Size::new(40, 50));
        let mailbox = Mailbox::default();
        let requests = [
            SessionRequest::IndexPhoto { photo: photo(), thumbnail_side: 16 },
            SessionRequest::RenderTile { photo: photo(), crop, render, max_side: 64 },
            SessionRequest::RenderPreview { photo: photo(), generation: Generation(1), crop, render, max_side: 64 },
        ];
        for (id, request) in (1..).zip(requests) {
            let control =
                RequestControl { id: RequestId(id), cancel: CancelToken::new(), pause: PauseToken::default() };
            mailbox.put(Queued { control, request });
        }
        mailbox
    }

    /// The id of the next request; `None` for a step of the running task.
    fn next(mailbox: &Mailbox, running: RunningTask) -> Option<u64> {
        match mailbox.next(running) {
            Next::Begin(queued) => Some(queued.control.id.0),
            Next::ContinueTask => None,
            Next::BatchEnded | Next::Closed => panic!("neither"),
        }
    }

    #[test]
    fn tiles_follow_interactive_requests_and_precede_indexing() {
        let mailbox = mailbox();
        let order = [(); 3].map(|()| next(&mailbox, RunningTask::Idle));
        assert_eq!(order, [Some(3), Some(2), Some(1)]);
    }

    #[test]
    fn faces_and_tiles_wait_for_a_comparison_so_that_they_do_not_distort_its_times() {
        let mailbox = mailbox();
        let order = [(); 3].map(|()| next(&mailbox, RunningTask::Steps));
        assert_eq!(order, [Some(3), None, None]);
        assert_eq!(next(&mailbox, RunningTask::Idle), Some(2), "later");
    }

    #[test]
    fn tiles_are_rendered_beside_a_batch() {
        let mailbox = mailbox();
        let order = [(); 2].map(|()| next(&mailbox, RunningTask::Batch));
        assert_eq!(order, [Some(3), Some(2)]);
        mailbox.batch_ended();
        assert!(matches!(mailbox.next(RunningTask::Batch), Next::BatchEnded), "indexing waits");
    }

    #[test]
    fn photos_wait_for_a_measurement_except_the_first_ones() {
        let mailbox = Mailbox::default();
        for id in 0..FIRST_PHOTOS as u64 + 2 {
            let control =
                RequestControl { id: RequestId(id), cancel: CancelToken::new(), pause: PauseToken::default() };
            let request = SessionRequest::IndexPhoto { photo: photo(), thumbnail_side: 16 };
            mailbox.put(Queued { control, request });
        }
        mailbox.hold_index_requests(Duration::from_secs(3600));
        for id in 0..FIRST_PHOTOS as u64 {
            assert_eq!(next(&mailbox, RunningTask::Idle), Some(id));
        }
        let (time, start) = (Duration::from_millis(100), Instant::now());
        mailbox.hold_index_requests(time);
        assert_eq!(next(&mailbox, RunningTask::Idle), Some(FIRST_PHOTOS as u64));
        assert!(start.elapsed() >= time, "it was held back, and for a limited time");

        mailbox.hold_index_requests(Duration::from_secs(3600));
        mailbox.release_index_requests();
        assert_eq!(next(&mailbox, RunningTask::Idle), Some(FIRST_PHOTOS as u64 + 1));
    }
}
