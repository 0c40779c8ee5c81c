//! The folders that are watched, and when they are looked at next.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{Event, RequestId};
use crate::cancel::CancelToken;
use crate::import::FolderWatch;

/// Time between two looks.
const PAUSE: Duration = Duration::from_secs(2);

/// While something is coming, looks come so many times as often.
const SOONER: u32 = 4;

/// A look takes at most one part in so many of the time: large folders on slow disks are looked at less often.
const SHARE: u32 = 300;

/// Where the events of watches go.
pub(super) type Tell<'a> = &'a mut dyn FnMut(RequestId, Event);

pub(super) struct Watches {
    watches: Vec<Watch>,
    pause: Duration,
}

struct Watch {
    id: RequestId,
    cancel: CancelToken,
    folder: FolderWatch,
    due: Instant,
}

impl Default for Watches {
    fn default() -> Self {
        Self { watches: Vec::new(), pause: PAUSE }
    }
}

impl Watches {
    /// Begins to watch `folder`, or ends the request at once where that cannot be read.
    pub(super) fn add(&mut self, id: RequestId, folder: &Path, cancel: CancelToken, tell: Tell<'_>) {
        match FolderWatch::start(folder) {
            Ok(folder) => self.watches.push(Watch { id, cancel, folder, due: Instant::now() + self.pause }),
            Err(error) => tell(id, ended(folder, &error)),
        }
    }

    /// Time to the next look; `None` where nothing is watched.
    pub(super) fn wait(&self) -> Option<Duration> {
        let due = self.watches.iter().map(|watch| watch.due).min()?;
        Some(due.saturating_duration_since(Instant::now()))
    }

    /// Looks at the folders that are due.
    pub(super) fn look(&mut self, tell: Tell<'_>) {
        let pause = self.pause;
        self.watches.retain_mut(|watch| {
            if watch.cancel.is_cancelled() {
                tell(watch.id, Event::WatchEnded { reason: None });
                return false;
            }
            let start = Instant::now();
            if watch.due > start {
                return true;
            }
            match watch.folder.look() {
                Ok(paths) => {
                    if !paths.is_empty() {
                        tell(watch.id, Event::ImportFound { paths });
                    }
                    let pause = if watch.folder.expects() { pause / SOONER } else { pause };
                    watch.due = Instant::now() + pause.max(start.elapsed() * SHARE);
                    true
                }
                Err(error) => {
                    tell(watch.id, ended(watch.folder.folder(), &error));
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_comes_is_told_in_time_and_a_watch_ends_once() {
        let folder = tempfile::tempdir().expect("made");
        let (camera, gone) = (folder.path().join("camera"), folder.path().join("gone"));
        [&camera, &gone].iter().for_each(|folder| fs::create_dir(folder).expect("made"));
        let mut watches = Watches { pause: Duration::from_millis(4), ..Watches::default() };
        let mut told = Vec::new();
        let mut tell = |id: RequestId, event| told.push((id.0, event));
        let cancel = CancelToken::new();
        assert_eq!(watches.wait(), None);
        watches.add(RequestId(1), &camera, cancel.clone(), &mut tell);
        watches.add(RequestId(2), &gone, CancelToken::new(), &mut tell);
        watches.add(RequestId(3), &folder.path().join("none"), CancelToken::new(), &mut tell);
        fs::write(camera.join("new.jpg"), "new").expect("written");
        fs::remove_dir(&gone).expect("removed");
        let mut looks = 0;
        while watches.watches[0].folder.expects() || looks < 3 {
            std::thread::sleep(watches.wait().expect("something is watched"));
            watches.look(&mut tell);
            looks += 1;
            assert!(looks < 1000, "never told");
        }
        cancel.cancel();
        watches.look(&mut tell);
        assert_eq!(watches.wait(), None);
        let ids: Vec<u64> = told.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, [3, 2, 1, 1]);
        assert!(
            matches!(&told[1].1, Event::WatchEnded { reason: Some(words) } if words.contains("not there any more"))
        );
        assert!(matches!(&told[2].1, Event::ImportFound { paths } if paths[..] == [camera.join("new.jpg")]));
        assert!(matches!(told[3].1, Event::WatchEnded { reason: None }));
    }
}
