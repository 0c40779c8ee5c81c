//! What front ends need of a worker.

use super::{Reply, Request, RequestId};

/// What the front ends need of a worker; [`WorkerHandle`](super::WorkerHandle) is the real one, tests script their own.
pub trait WorkerPort {
    /// Queues a request; never blocks.
    fn send(&self, request: Request) -> RequestId;

    /// The next answer that is there, without waiting.
    fn try_recv(&self) -> Option<Reply>;

    /// Asks a batch to begin no new photo, or to go on; what is under way is done. Other requests and unknown ids are passed
    /// over.
    fn pause(&self, id: RequestId, paused: bool);

    /// Asks the request to stop; its terminal event still comes. Unknown or ended ids are passed over.
    fn cancel(&self, id: RequestId);

    /// False once the worker has died; nothing sent from then on is answered.
    fn is_alive(&self) -> bool;
}
