//! The front end's end of the worker.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use outcome::OpenError;
use recipe::{RuntimeChoice, RuntimeOptions};

use super::clerk::{Clerk, Errand};
use super::queue::Mailbox;
use super::run::Worker;
use super::thumbnails::ThumbnailStore;
use super::{Event, Reply, Request, RequestId, WorkerPort, spawn_named};
use crate::latency::{OpenedRuntime, open_another, open_chosen};
use crate::platform::Folders;

/// Called after every reply, from the worker's threads: the window asks for a repaint here, others do nothing.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Which runtime is opened, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenOrder {
    /// The runtime asked for.
    pub choice: RuntimeChoice,
    /// The model file; `None` for the bundled one.
    pub model: Option<PathBuf>,
    /// How its session is opened.
    pub options: RuntimeOptions,
    /// True where this process has the runtime open already, so that it need not be tried first.
    pub is_tried: bool,
}

/// Opens a detector on the runtime asked for.
pub type OpenDetector = Box<dyn FnMut(&OpenOrder) -> Result<OpenedRuntime, OpenError> + Send>;

/// How long dropping the handle waits for what is being written to be whole.
const PARTING: Duration = Duration::from_secs(1);

/// Replies that nobody has taken yet, above which whoever sends many of them waits.
const MOST_WAITING: usize = 1000;

/// How long it waits at most: a hidden window takes no replies, and the work goes on all the same.
const PATIENCE: Duration = Duration::from_millis(20);

/// Sends requests to the worker and takes its replies. Dropping it stops the worker: what runs is cancelled at its next
/// look, and only settings and a crop being written are waited for, one second at most.
pub struct WorkerHandle {
    mailbox: Arc<Mailbox>,
    /// Folders and settings.
    errands: Option<Sender<Errand>>,
    /// Runtimes and models.
    trials: Option<Sender<Errand>>,
    /// Thumbnails.
    thumbnails: Option<Sender<Errand>>,
    replies: Receiver<Reply>,
    outbox: Outbox,
    next_id: AtomicU64,
    worker_lives: Weak<()>,
    clerk_lives: Weak<()>,
    trier_lives: Weak<()>,
    thumbnailer_lives: Weak<()>,
}

/// Where replies are put.
#[derive(Clone)]
pub(super) struct Outbox {
    sender: Sender<Reply>,
    wake: Wake,
    mailbox: Arc<Mailbox>,
    /// Replies that nobody has taken yet.
    waiting: Arc<AtomicUsize>,
}

impl Outbox {
    pub(super) fn new(sender: Sender<Reply>, wake: Wake, mailbox: Arc<Mailbox>) -> Self {
        Self { sender, wake, mailbox, waiting: Arc::default() }
    }

    /// Waits a little while the front end is far behind, so that replies do not pile up in memory.
    pub(super) fn let_catch_up(&self) {
        let until = Instant::now() + PATIENCE;
        while self.waiting.load(Ordering::Relaxed) > MOST_WAITING && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Sends `event` and wakes the front end; nobody listening is no error.
    pub(super) fn send(&self, id: RequestId, event: Event) {
        if event.is_terminal() {
            self.mailbox.finished(id);
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        if self.sender.send(Reply { id, event }).is_ok() {
            (self.wake)();
        }
    }
}

impl WorkerHandle {
    /// Starts a worker on the real runtimes. No runtime is open until [`Request::OpenRuntime`] asks for one.
    ///
    /// # Errors
    /// The system has no room for another thread.
    pub fn spawn(wake: Wake) -> io::Result<Self> {
        let cache = Folders::find().map(|folders| folders.cache_dir);
        Self::spawn_with(Box::new(open_detector), cache, wake)
    }

    /// Starts a worker that opens its detectors with `open` and keeps thumbnails below `cache`, where there is one.
    ///
    /// # Errors
    /// The system has no room for another thread.
    pub fn spawn_with(open: OpenDetector, cache: Option<PathBuf>, wake: Wake) -> io::Result<Self> {
        let (sender, replies) = channel();
        let mailbox = Arc::new(Mailbox::default());
        let outbox = Outbox::new(sender, wake, Arc::clone(&mailbox));
        let store = cache.map(|cache| ThumbnailStore::below(&cache));
        let worker = Worker::new(Arc::clone(&mailbox), outbox.clone(), open, store.clone());
        let worker_lives = spawn_watched("worker", move || worker.run())?;
        let clerk = |name: &str| -> io::Result<(Sender<Errand>, Weak<()>)> {
            let (errands, inbox) = channel();
            let clerk = Clerk::new(inbox, outbox.clone(), store.clone());
            Ok((errands, spawn_watched(name, move || clerk.run())?))
        };
        let (errands, clerk_lives) = clerk("clerk")?;
        let (trials, trier_lives) = clerk("trier")?;
        let (thumbnails, thumbnailer_lives) = clerk("thumbnails")?;
        Ok(Self {
            mailbox,
            errands: Some(errands),
            trials: Some(trials),
            thumbnails: Some(thumbnails),
            replies,
            next_id: AtomicU64::new(1),
            worker_lives,
            clerk_lives,
            trier_lives,
            thumbnailer_lives,
            outbox,
        })
    }

    /// Waits for the next reply for at most `time`; `None` where none has come.
    pub fn recv_for(&self, time: Duration) -> Option<Reply> {
        self.taken(self.replies.recv_timeout(time).ok())
    }

    fn taken(&self, reply: Option<Reply>) -> Option<Reply> {
        if reply.is_some() {
            self.outbox.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        reply
    }

    /// Waits for the next reply; `None` once the worker has died.
    pub fn recv(&self) -> Option<Reply> {
        loop {
            match self.replies.recv_timeout(Duration::from_millis(100)) {
                Ok(reply) => return self.taken(Some(reply)),
                Err(RecvTimeoutError::Timeout) if self.is_alive() => {}
                Err(_) => return self.try_recv(),
            }
        }
    }
}

impl WorkerPort for WorkerHandle {
    fn send(&self, request: Request) -> RequestId {
        let id = RequestId(self.next_id.fetch_add(1, Ordering::Relaxed));
        let clerk = match request {
            Request::Import { .. }
            | Request::Watch(_)
            | Request::FindRun(_)
            | Request::WritePasted(_)
            | Request::Project(_)
            | Request::SaveSettings(_)
            | Request::SaveText { .. }
            | Request::LoadText { .. }
            | Request::CompletePath(_)
            | Request::WriteReport { .. } => Some(&self.errands),
            Request::TryRuntimes { .. } | Request::DescribeModel { .. } | Request::Diagnose(_) => Some(&self.trials),
            Request::FindThumbnail { .. } => Some(&self.thumbnails),
            _ => None,
        };
        if let Some(clerk) = clerk {
            let cancel = self.mailbox.register(id);
            if let Some(errands) = clerk {
                // A clerk that has died shows in is_alive.
                let _ = errands.send(Errand { id, request, cancel });
            }
        } else if let Some(replaced) = self.mailbox.put(id, request) {
            self.outbox.send(replaced, Event::Superseded);
        }
        id
    }

    fn try_recv(&self) -> Option<Reply> {
        self.taken(self.replies.try_recv().ok())
    }

    fn cancel(&self, id: RequestId) {
        self.mailbox.cancel(id);
    }

    fn pause(&self, id: RequestId, paused: bool) {
        self.mailbox.pause(id, paused);
    }

    fn is_alive(&self) -> bool {
        let lives = [&self.worker_lives, &self.clerk_lives, &self.trier_lives, &self.thumbnailer_lives];
        lives.into_iter().all(|life| life.strong_count() > 0)
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.mailbox.close();
        (self.errands, self.trials, self.thumbnails) = (None, None, None);
        let until = Instant::now() + PARTING;
        let lives = |life: &Weak<()>| life.strong_count() > 0;
        while (lives(&self.worker_lives) || lives(&self.clerk_lives)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Starts a thread, and gives back what tells whether it still runs.
fn spawn_watched(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<Weak<()>> {
    let life = Arc::new(());
    let lives = Arc::downgrade(&life);
    spawn_named(name, move || {
        let _life = life;
        work();
    })?;
    Ok(lives)
}

fn open_detector(order: &OpenOrder) -> Result<OpenedRuntime, OpenError> {
    let folders = Folders::find();
    if let (true, RuntimeChoice::Named(kind)) = (order.is_tried, order.choice) {
        return open_another(kind, order.model.as_deref(), &order.options, folders.as_ref());
    }
    open_chosen(order.choice, order.model.as_deref(), &order.options, folders.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_that_were_taken_no_longer_wait() {
        let open: OpenDetector = Box::new(|_| panic!("nothing is opened"));
        let worker = WorkerHandle::spawn_with(open, None, Arc::new(|| {})).expect("started");
        let waiting = || worker.outbox.waiting.load(Ordering::Relaxed);
        for _ in 0..3 {
            worker.send(Request::LoadText { path: "no/such/file".into(), most_bytes: 1 });
        }
        assert!(worker.recv().is_some() && worker.recv_for(Duration::from_secs(60)).is_some());
        while worker.try_recv().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(waiting(), 0);
    }

    #[test]
    fn nobody_waits_for_ever_for_a_front_end_that_takes_nothing() {
        let (sender, replies) = channel();
        let outbox = Outbox::new(sender, Arc::new(|| {}), Arc::new(Mailbox::default()));
        for _ in 0..=MOST_WAITING {
            outbox.send(RequestId(1), Event::ImportFound { paths: Vec::new() });
        }
        outbox.let_catch_up();
        assert_eq!(replies.try_iter().count(), MOST_WAITING + 1);
    }
}
