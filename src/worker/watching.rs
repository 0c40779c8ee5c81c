//! The folders that are watched, and when they are looked at next.

use std::path::Path;
use std::time::{Duration, Instant};

use super::handle::Outbox;
use super::{Event, RequestId};
use crate::cancel::CancelToken;
use crate::import::FolderWatch;

/// Time between two looks.
const PAUSE: Duration = Duration::from_secs(2);

/// A look takes at most one part in so many of the time: large folders on slow disks are looked at less often.
const SHARE: u32 = 300;

#[derive(Default)]
pub(super) struct Watches(Vec<Watch>);

struct Watch {
    id: RequestId,
    cancel: CancelToken,
    folder: FolderWatch,
    due: Instant,
}

impl Watches {
    /// Begins to watch `folder`, or ends the request at once where that cannot be read.
    pub(super) fn add(&mut self, id: RequestId, folder: &Path, cancel: CancelToken, outbox: &Outbox) {
        match FolderWatch::start(folder) {
            Ok(folder) => self.0.push(Watch { id, cancel, folder, due: Instant::now() + PAUSE }),
            Err(error) => outbox.send(id, ended(folder, &error)),
        }
    }

    /// Time to the next look; `None` where nothing is watched.
    pub(super) fn wait(&self) -> Option<Duration> {
        let due = self.0.iter().map(|watch| watch.due).min()?;
        Some(due.saturating_duration_since(Instant::now()))
    }

    /// Looks at the folders that are due.
    pub(super) fn look(&mut self, outbox: &Outbox) {
        self.0.retain_mut(|watch| {
            if watch.cancel.is_cancelled() {
                outbox.send(watch.id, Event::WatchEnded { reason: None });
                return false;
            }
            let start = Instant::now();
            if watch.due > start {
                return true;
            }
            match watch.folder.look() {
                Ok(paths) => {
                    if !paths.is_empty() {
                        outbox.send(watch.id, Event::ImportFound { paths });
                    }
                    watch.due = Instant::now() + PAUSE.max(start.elapsed() * SHARE);
                    true
                }
                Err(error) => {
                    outbox.send(watch.id, ended(watch.folder.folder(), &error));
                    false
                }
            }
        });
    }
}

fn ended(folder: &Path, error: &std::io::Error) -> Event {
    let reason = match error.kind() {
        std::io::ErrorKind::NotFound => format!("{} is not there any more.", folder.display()),
        _ => format!("{} cannot be read: {error}.", folder.display()),
    };
    Event::WatchEnded { reason: Some(reason) }
}
