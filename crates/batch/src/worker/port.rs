//! The interface between front ends and the worker.

use super::{Reply, Request, RequestId};

/// The interface of a worker; implemented by [`WorkerHandle`](super::WorkerHandle), and by scripted workers in tests.
pub trait WorkerPort {
    /// Queues a request; never blocks.
    fn send(&self, request: Request) -> RequestId;

    /// The next reply, without waiting; `None` if there is none.
    fn try_recv(&self) -> Option<Reply>;

    /// Pauses or resumes a batch; photos in progress are finished. Other requests and unknown ids are ignored.
    fn pause(&self, id: RequestId, paused: bool);

    /// Cancels a request; its terminal event is still sent. Unknown and finished ids are ignored.
    fn cancel(&self, id: RequestId);

    /// False once a thread of the worker has died; later requests may never be answered.
    fn is_alive(&self) -> bool;
}
