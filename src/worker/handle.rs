//! The front end's end of the worker.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::clerk::{Clerk, Errand};
use super::queue::Mailbox;
use super::run::Worker;
use super::{Event, MODEL_INPUT, OpenError, Reply, Request, RequestId, WorkerPort, spawn_named};
use crate::backend::{ModelBytes, RuntimeChoice, SessionOptions, open_runtime};
use crate::detect::{Detector, YunetDetector};

/// Called after every reply, from the worker's threads: the window asks for a repaint here, others do nothing.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Opens a detector on the runtime asked for, with the model at the path or the bundled one.
pub type OpenDetector = Box<dyn FnMut(RuntimeChoice, Option<&Path>) -> Result<Box<dyn Detector>, OpenError> + Send>;

/// How long dropping the handle waits for what is being written to be whole.
const PARTING: Duration = Duration::from_secs(1);

/// Sends requests to the worker and takes its replies. Dropping it stops the worker: what runs is cancelled at its next
/// look, and only settings and a crop being written are waited for, one second at most.
pub struct WorkerHandle {
    mailbox: Arc<Mailbox>,
    errands: Option<Sender<Errand>>,
    replies: Receiver<Reply>,
    outbox: Outbox,
    next_id: AtomicU64,
    worker_lives: Weak<()>,
    clerk_lives: Weak<()>,
}

/// Where replies are put.
#[derive(Clone)]
pub(super) struct Outbox {
    sender: Sender<Reply>,
    wake: Wake,
    mailbox: Arc<Mailbox>,
}

impl Outbox {
    /// Sends `event` and wakes the front end; nobody listening is no error.
    pub(super) fn send(&self, id: RequestId, event: Event) {
        if event.is_terminal() {
            self.mailbox.finished(id);
        }
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
        Self::spawn_with(Box::new(open_detector), wake)
    }

    /// Starts a worker that opens its detectors with `open`.
    ///
    /// # Errors
    /// The system has no room for another thread.
    pub fn spawn_with(open: OpenDetector, wake: Wake) -> io::Result<Self> {
        let (sender, replies) = channel();
        let mailbox = Arc::new(Mailbox::default());
        let outbox = Outbox { sender, wake, mailbox: Arc::clone(&mailbox) };
        let worker_life = Arc::new(());
        let clerk_life = Arc::new(());
        let (worker_lives, clerk_lives) = (Arc::downgrade(&worker_life), Arc::downgrade(&clerk_life));
        let worker = Worker::new(Arc::clone(&mailbox), outbox.clone(), open);
        spawn_named("worker", move || {
            let _life = worker_life;
            worker.run();
        })?;
        let (errands, inbox) = channel();
        let clerk = Clerk::new(inbox, outbox.clone());
        spawn_named("clerk", move || {
            let _life = clerk_life;
            clerk.run();
        })?;
        let next_id = AtomicU64::new(1);
        Ok(Self { mailbox, errands: Some(errands), replies, outbox, next_id, worker_lives, clerk_lives })
    }

    /// Waits for the next reply; `None` once the worker has died.
    pub fn recv(&self) -> Option<Reply> {
        loop {
            match self.replies.recv_timeout(Duration::from_millis(100)) {
                Ok(reply) => return Some(reply),
                Err(RecvTimeoutError::Timeout) if self.is_alive() => {}
                Err(_) => return self.try_recv(),
            }
        }
    }
}

impl WorkerPort for WorkerHandle {
    fn send(&self, request: Request) -> RequestId {
        let id = RequestId(self.next_id.fetch_add(1, Ordering::Relaxed));
        match request {
            Request::Import { .. } | Request::SaveSettings(_) => {
                let cancel = self.mailbox.register(id);
                if let Some(errands) = &self.errands {
                    // A clerk that has died shows in is_alive.
                    let _ = errands.send(Errand { id, request, cancel });
                }
            }
            _ => {
                if let Some(replaced) = self.mailbox.put(id, request) {
                    self.outbox.send(replaced, Event::Superseded);
                }
            }
        }
        id
    }

    fn try_recv(&self) -> Option<Reply> {
        self.replies.try_recv().ok()
    }

    fn cancel(&self, id: RequestId) {
        self.mailbox.cancel(id);
    }

    fn is_alive(&self) -> bool {
        self.worker_lives.strong_count() > 0 && self.clerk_lives.strong_count() > 0
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.mailbox.close();
        self.errands = None;
        let until = Instant::now() + PARTING;
        let lives = |life: &Weak<()>| life.strong_count() > 0;
        while (lives(&self.worker_lives) || lives(&self.clerk_lives)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

fn open_detector(choice: RuntimeChoice, model: Option<&Path>) -> Result<Box<dyn Detector>, OpenError> {
    let model = ModelBytes::read_or_bundled(model)?;
    let session = open_runtime(choice, &model, &SessionOptions { input: MODEL_INPUT })?;
    Ok(Box::new(YunetDetector::new(session, &model.name)?))
}
