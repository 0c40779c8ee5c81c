//! The handle with which a front end controls the worker.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use webcam::{Cameras, system_cameras};

use super::face_store::FaceStore;
use super::files_lane::FilesLane;
use super::lane::{Lane, Liveness};
use super::mailbox::Mailbox;
use super::opening::open_detector;
use super::outbox::Outbox;
use super::pending::{PendingRequests, Queued};
use super::session_lane::SessionLane;
use super::thumbnails::ThumbnailStore;
use super::{
    CameraEnd, CameraError, CameraRequest, Event, FilesRequest, OpenDetector, ProbesRequest, Reply, Request, RequestId,
    ThumbnailsRequest, Wake, WorkerPort, camera_lane, probes_lane, thumbnails_lane,
};
use crate::platform::Folders;

/// How long dropping the handle waits for files that are being written.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// Sends requests to the worker and receives its replies. Dropping it stops the worker: running work is cancelled at its next
/// cancellation point, and only file writes in progress are waited for, for at most one second.
pub struct WorkerHandle {
    session: Arc<Mailbox>,
    session_liveness: Liveness,
    files: Lane<FilesRequest>,
    probes: Lane<ProbesRequest>,
    thumbnails: Lane<ThumbnailsRequest>,
    /// `None` if there are no cameras.
    camera: Option<Lane<CameraRequest>>,
    pending: Arc<PendingRequests>,
    replies: Receiver<Reply>,
    outbox: Outbox,
    next_id: AtomicU64,
}

impl WorkerHandle {
    /// Starts a worker on the real runtimes. No runtime is open until
    /// [`SessionRequest::OpenRuntime`](super::SessionRequest::OpenRuntime) is sent.
    ///
    /// # Errors
    /// Fails if the system cannot start another thread.
    pub fn spawn(wake: Wake) -> io::Result<Self> {
        let cache = Folders::find().map(|folders| folders.cache_dir);
        Self::spawn_with_cameras(Box::new(open_detector), cache.as_deref(), system_cameras(), wake)
    }

    /// Starts a worker that opens its detectors with `open` and caches thumbnails and faces below `cache`, if given.
    ///
    /// # Errors
    /// Fails if the system cannot start another thread.
    pub fn spawn_with(open: OpenDetector, cache: Option<&Path>, wake: Wake) -> io::Result<Self> {
        Self::spawn_with_cameras(open, cache, None, wake)
    }

    /// The same, with `cameras`.
    ///
    /// # Errors
    /// Fails if the system cannot start another thread.
    pub fn spawn_with_cameras(
        open: OpenDetector,
        cache: Option<&Path>,
        cameras: Option<Box<dyn Cameras>>,
        wake: Wake,
    ) -> io::Result<Self> {
        let (sender, replies) = channel();
        let (session, pending) = (Arc::<Mailbox>::default(), Arc::<PendingRequests>::default());
        let outbox = Outbox::new(sender, wake, Arc::clone(&pending));
        let store = cache.map(ThumbnailStore::below);
        let faces = cache.map(FaceStore::below);
        let lane = SessionLane::new(Arc::clone(&session), outbox.clone(), open, store.clone(), faces);
        let session_liveness = Liveness::start("session", move || lane.run())?;
        let out = outbox.clone();
        let files = Lane::start("files", move |inbox| FilesLane::new(inbox, out).run())?;
        let (out, mailbox) = (outbox.clone(), Arc::clone(&session));
        let probes = Lane::start("probes", move |inbox| probes_lane::run(&inbox, &out, &mailbox))?;
        let out = outbox.clone();
        let thumbnails = Lane::start("thumbnails", move |inbox| thumbnails_lane::run(&inbox, &out, store.as_ref()))?;
        let out = outbox.clone();
        let start = |cameras| Lane::start("camera", move |inbox| camera_lane::run(&inbox, &out, cameras));
        let camera = cameras.map(start).transpose()?;
        let next_id = AtomicU64::new(1);
        Ok(Self { session, session_liveness, files, probes, thumbnails, camera, pending, replies, outbox, next_id })
    }

    /// Waits for the next reply for at most `time`; `None` on a timeout.
    pub fn recv_for(&self, time: Duration) -> Option<Reply> {
        self.taken(self.replies.recv_timeout(time).ok())
    }

    fn taken(&self, reply: Option<Reply>) -> Option<Reply> {
        if reply.is_some() {
            self.outbox.taken();
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
        let control = self.pending.register(id);
        match request {
            Request::Session(request) => {
                if let Some(replaced) = self.session.put(Queued { control, request }) {
                    self.outbox.send(replaced, Event::Superseded);
                }
            }
            Request::Files(request) => self.files.send(Queued { control, request }),
            Request::Probes(request) => self.probes.send(Queued { control, request }),
            Request::Thumbnails(request) => self.thumbnails.send(Queued { control, request }),
            Request::Camera(request) => match &self.camera {
                Some(lane) => lane.send(Queued { control, request }),
                None => self.outbox.send(id, Event::CameraClosed(CameraEnd::Failed(CameraError::NoCamera))),
            },
        }
        id
    }

    fn try_recv(&self) -> Option<Reply> {
        self.taken(self.replies.try_recv().ok())
    }

    fn cancel(&self, id: RequestId) {
        self.pending.cancel(id);
    }

    fn pause(&self, id: RequestId, paused: bool) {
        self.pending.pause(id, paused);
    }

    fn is_alive(&self) -> bool {
        self.session_liveness.is_alive()
            && self.files.is_alive()
            && self.probes.is_alive()
            && self.thumbnails.is_alive()
            && self.camera.as_ref().is_none_or(Lane::is_alive)
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.session.close();
        self.pending.cancel_all();
        self.files.close();
        self.probes.close();
        self.thumbnails.close();
        self.camera.iter_mut().for_each(Lane::close);
        let until = Instant::now() + SHUTDOWN_TIMEOUT;
        while (self.session_liveness.is_alive() || self.files.is_alive()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn received_replies_are_no_longer_counted() {
        let open: OpenDetector = Box::new(|_| panic!("nothing is opened"));
        let worker = WorkerHandle::spawn_with(open, None, Arc::new(|| {})).expect("started");
        for _ in 0..3 {
            worker.send(FilesRequest::LoadText { path: "no/such/file".into(), max_bytes: 1 }.into());
        }
        assert!(worker.recv().is_some() && worker.recv_for(Duration::from_secs(60)).is_some());
        while worker.try_recv().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(worker.outbox.waiting(), 0);
    }
}
