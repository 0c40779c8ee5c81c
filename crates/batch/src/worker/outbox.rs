//! The outbox: sends replies from all lanes to the front end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::pending::PendingRequests;
use super::{Event, Reply, RequestId};

/// Called after every reply, on the worker's threads: the window requests a repaint, other front ends do nothing.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Number of replies not yet received above which batch threads are throttled.
const MAX_WAITING: usize = 1000;

/// Maximum delay per photo: a hidden window receives no replies, but the batch must continue.
const MAX_DELAY: Duration = Duration::from_millis(20);

/// Sends replies to the front end.
#[derive(Clone)]
pub(super) struct Outbox {
    sender: Sender<Reply>,
    wake: Wake,
    pending: Arc<PendingRequests>,
    /// Number of replies not yet received.
    waiting: Arc<AtomicUsize>,
}

impl Outbox {
    pub(super) fn new(sender: Sender<Reply>, wake: Wake, pending: Arc<PendingRequests>) -> Self {
        Self { sender, wake, pending, waiting: Arc::default() }
    }

    /// Waits briefly while the front end is far behind, so that replies do not accumulate in memory.
    pub(super) fn throttle(&self) {
        let until = Instant::now() + MAX_DELAY;
        while self.waiting() > MAX_WAITING && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Sends `event` and wakes the front end; a missing receiver is not an error.
    pub(super) fn send(&self, id: RequestId, event: Event) {
        if event.is_terminal() {
            self.pending.finished(id);
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        if self.sender.send(Reply { id, event }).is_ok() {
            (self.wake)();
        }
    }

    /// Records that the front end has received a reply.
    pub(super) fn taken(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    /// Number of replies not yet received.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_front_end_that_receives_nothing_does_not_block_the_worker() {
        let (sender, replies) = channel();
        let outbox = Outbox::new(sender, Arc::new(|| {}), Arc::default());
        for _ in 0..=MAX_WAITING {
            outbox.send(RequestId(1), Event::ImportFound { paths: Vec::new() });
        }
        outbox.throttle();
        assert_eq!(replies.try_iter().count(), MAX_WAITING + 1);
    }
}
