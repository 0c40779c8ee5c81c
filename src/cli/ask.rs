//! Sends a request to the worker and waits for the answer.

use anyhow::{Context, bail};

use batch::worker::{Event, Request, WorkerHandle, WorkerPort};

/// Error message if the worker has exited.
pub(super) const WORKER_EXITED: &str = "the worker has stopped; the log (-v) may contain the reason";

/// Sends `request` and passes each of its events to `on_event` until one yields an answer.
///
/// # Errors
/// The request failed, the worker has exited, or `on_event` returned an error.
pub(super) fn ask<T>(
    worker: &WorkerHandle,
    request: impl Into<Request>,
    mut on_event: impl FnMut(Event) -> anyhow::Result<Option<T>>,
) -> anyhow::Result<T> {
    let id = worker.send(request.into());
    loop {
        let reply = worker.recv().context(WORKER_EXITED)?;
        if reply.id != id {
            continue;
        }
        let is_last = reply.event.is_terminal();
        if let Event::Failed { error, .. } = reply.event {
            return Err(error.into());
        }
        if let Some(answer) = on_event(reply.event)? {
            return Ok(answer);
        }
        if is_last {
            bail!("unexpected answer from the worker");
        }
    }
}
