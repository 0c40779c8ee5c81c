//! The folders that are watched, and when they are looked at next.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cancel::CancelToken;
use import::{FolderWatch, WatchScope, WatchSpec};

use super::faults::WatchProblem;
use super::{Event, RequestId};

/// Where the events of watches go.
pub(super) type Tell<'a> = &'a mut dyn FnMut(RequestId, Event);

#[derive(Default)]
pub(super) struct Watches {
    watches: Vec<Watch>,
}

struct Watch {
    id: RequestId,
    cancel: CancelToken,
    folder: FolderWatch,
    due: Instant,
    /// True while its folder is gone and waited for.
    is_away: bool,
}

impl Watches {
    /// Begins to watch a folder, or ends the request at once where that cannot be read and is not waited for.
    pub(super) fn add(&mut self, id: RequestId, spec: WatchSpec, cancel: CancelToken, tell: Tell<'_>) {
        let (name, every) = (spec.folder.clone(), spec.every);
        match FolderWatch::start(spec) {
            Ok(folder) => {
                let now = Instant::now();
                // What is there already is news, or was just looked at.
                let due = if folder.spec().scope == WatchScope::Everything { now } else { now + every };
                self.watches.push(Watch { id, cancel, folder, due, is_away: false });
            }
            Err(error) => tell(id, Event::WatchEnded { problem: Some(problem(name, error)) }),
        }
    }

    /// Time to the next look; `None` where nothing is watched.
    pub(super) fn wait(&self) -> Option<Duration> {
        let due = self.watches.iter().map(|watch| watch.due).min()?;
        Some(due.saturating_duration_since(Instant::now()))
    }

    /// Looks at the folders that are due.
    pub(super) fn look(&mut self, tell: Tell<'_>) {
        self.watches.retain_mut(|watch| {
            if watch.cancel.is_cancelled() {
                tell(watch.id, Event::WatchEnded { problem: None });
                return false;
            }
            let start = Instant::now();
            watch.due > start || watch.look(start, tell)
        });
    }
}

impl Watch {
    /// Looks at the folder; false where the watch has ended.
    fn look(&mut self, start: Instant, tell: Tell<'_>) -> bool {
        let spec = self.folder.spec();
        let (scope, every, name) = (spec.scope, spec.every, spec.folder.clone());
        let pause = match (self.folder.look(), scope) {
            (Ok(paths), _) => {
                if std::mem::take(&mut self.is_away) {
                    tell(self.id, Event::WatchAway { problem: None });
                }
                if !paths.is_empty() {
                    tell(self.id, Event::ImportFound { paths });
                }
                self.folder.pause()
            }
            (Err(error), WatchScope::Everything) => {
                if !std::mem::replace(&mut self.is_away, true) {
                    tell(self.id, Event::WatchAway { problem: Some(problem(name, error)) });
                }
                every
            }
            (Err(error), WatchScope::Coming) => {
                tell(self.id, Event::WatchEnded { problem: Some(problem(name, error)) });
                return false;
            }
        };
        self.due = Instant::now() + pause.max(start.elapsed() * share(scope));
        true
    }
}

/// A look takes at most one part in so many of the time: large folders on slow disks are looked at less often.
const fn share(scope: WatchScope) -> u32 {
    match scope {
        // Beside a window.
        WatchScope::Coming => 300,
        WatchScope::Everything => 20,
    }
}

fn problem(folder: PathBuf, source: io::Error) -> WatchProblem {
    match source.kind() {
        io::ErrorKind::NotFound => WatchProblem::Gone { folder },
        _ => WatchProblem::Unreadable { folder, source },
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    fn quick(folder: &Path) -> WatchSpec {
        let quick = Duration::from_millis(4);
        WatchSpec { settle: quick, every: quick, ..WatchSpec::coming(folder.to_owned()) }
    }

    #[test]
    fn what_comes_is_told_in_time_and_a_watch_ends_once() {
        let folder = tempfile::tempdir().expect("made");
        let (camera, gone) = (folder.path().join("camera"), folder.path().join("gone"));
        [&camera, &gone].iter().for_each(|folder| fs::create_dir(folder).expect("made"));
        let mut watches = Watches::default();
        let mut told = Vec::new();
        let mut tell = |id: RequestId, event| told.push((id.0, event));
        let cancel = CancelToken::new();
        assert_eq!(watches.wait(), None);
        watches.add(RequestId(1), quick(&camera), cancel.clone(), &mut tell);
        watches.add(RequestId(2), quick(&gone), CancelToken::new(), &mut tell);
        watches.add(RequestId(3), quick(&folder.path().join("none")), CancelToken::new(), &mut tell);
        fs::write(camera.join("new.jpg"), "new").expect("written");
        fs::remove_dir(&gone).expect("removed");
        for _ in 0..50 {
            std::thread::sleep(watches.wait().expect("something is watched"));
            watches.look(&mut tell);
        }
        cancel.cancel();
        watches.look(&mut tell);
        assert_eq!(watches.wait(), None);
        let ids: Vec<u64> = told.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, [3, 2, 1, 1]);
        assert!(matches!(&told[1].1, Event::WatchEnded { problem: Some(WatchProblem::Gone { .. }) }));
        assert!(matches!(&told[2].1, Event::ImportFound { paths } if paths[..] == [camera.join("new.jpg")]));
        assert!(matches!(told[3].1, Event::WatchEnded { problem: None }));
    }

    #[test]
    fn a_folder_that_goes_away_is_said_once_and_waited_for() {
        let folder = tempfile::tempdir().expect("made");
        let (camera, elsewhere) = (folder.path().join("camera"), folder.path().join("elsewhere"));
        fs::create_dir(&camera).expect("made");
        fs::write(camera.join("a.jpg"), "whole").expect("written");
        let mut watches = Watches::default();
        let mut told = Vec::new();
        let mut tell = |_: RequestId, event| told.push(event);
        let spec = WatchSpec { scope: WatchScope::Everything, ..quick(&camera) };
        watches.add(RequestId(1), spec, CancelToken::new(), &mut tell);
        let mut looks = |tell: Tell<'_>| {
            for _ in 0..20 {
                std::thread::sleep(watches.wait().expect("watched"));
                watches.look(tell);
            }
        };
        looks(&mut tell);
        fs::rename(&camera, &elsewhere).expect("gone");
        looks(&mut tell);
        fs::rename(&elsewhere, &camera).expect("back");
        looks(&mut tell);
        assert!(matches!(&told[0], Event::ImportFound { paths } if paths[..] == [camera.join("a.jpg")]), "{told:?}");
        assert!(matches!(&told[1], Event::WatchAway { problem: Some(WatchProblem::Gone { .. }) }), "{told:?}");
        assert!(matches!(&told[2], Event::WatchAway { problem: None }), "{told:?}");
        assert_eq!(told.len(), 3, "the photo is no news: {told:?}");
        assert!(told.iter().all(|event| !event.is_terminal()));
    }
}
