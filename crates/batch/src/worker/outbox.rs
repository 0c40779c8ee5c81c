//! Where the lanes put their replies.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::tickets::Tickets;
use super::{Event, Reply, RequestId};

/// Called after every reply, from the worker's threads: the window asks for a repaint there, others do nothing.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Replies that nobody has taken yet, above which whoever sends many of them waits.
const MAX_WAITING: usize = 1000;

/// How long it waits at most: a hidden window takes no replies, and the work goes on all the same.
const PATIENCE: Duration = Duration::from_millis(20);

/// Sends replies to the front end.
#[derive(Clone)]
pub(super) struct Outbox {
    sender: Sender<Reply>,
    wake: Wake,
    tickets: Arc<Tickets>,
    /// Replies that nobody has taken yet.
    waiting: Arc<AtomicUsize>,
}

impl Outbox {
    pub(super) fn new(sender: Sender<Reply>, wake: Wake, tickets: Arc<Tickets>) -> Self {
        Self { sender, wake, tickets, waiting: Arc::default() }
    }

    /// Waits a little while the front end is far behind, so that replies do not pile up in memory.
    pub(super) fn let_catch_up(&self) {
        let until = Instant::now() + PATIENCE;
        while self.waiting() > MAX_WAITING && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Sends `event` and wakes the front end; nobody listening is no error.
    pub(super) fn send(&self, id: RequestId, event: Event) {
        if event.is_terminal() {
            self.tickets.finished(id);
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        if self.sender.send(Reply { id, event }).is_ok() {
            (self.wake)();
        }
    }

    /// The front end has taken a reply.
    pub(super) fn taken(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    /// Replies that nobody has taken yet.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn nobody_waits_for_ever_for_a_front_end_that_takes_nothing() {
        let (sender, replies) = channel();
        let outbox = Outbox::new(sender, Arc::new(|| {}), Arc::default());
        for _ in 0..=MAX_WAITING {
            outbox.send(RequestId(1), Event::ImportFound { paths: Vec::new() });
        }
        outbox.let_catch_up();
        assert_eq!(replies.try_iter().count(), MAX_WAITING + 1);
    }
}
