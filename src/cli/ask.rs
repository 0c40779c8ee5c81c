//! Asking the worker one thing and waiting for the answer.

use anyhow::{Context, bail};

use batch::worker::{Event, Request, WorkerHandle, WorkerPort};

/// What is said where the worker is no more.
pub(super) const DIED: &str = "the worker has stopped; the log (-v) may say why";

/// Sends `request` and hands each of its events to `hear` until one gives an answer.
///
/// # Errors
/// The request failed, the worker died, or `hear` says so.
pub(super) fn ask<T>(
    worker: &WorkerHandle,
    request: impl Into<Request>,
    mut hear: impl FnMut(Event) -> anyhow::Result<Option<T>>,
) -> anyhow::Result<T> {
    let id = worker.send(request.into());
    loop {
        let reply = worker.recv().context(DIED)?;
        if reply.id != id {
            continue;
        }
        let is_last = reply.event.is_terminal();
        if let Event::Failed { error, .. } = reply.event {
            return Err(error.into());
        }
        if let Some(answer) = hear(reply.event)? {
            return Ok(answer);
        }
        if is_last {
            bail!("the worker gave another answer than was asked for");
        }
    }
}
