//! Watched folders and their polling schedule.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cancel::CancelToken;
use import::{FolderWatch, WatchScope, WatchSpec};

use super::faults::WatchProblem;
use super::{Event, RequestId};

/// Receives the events of watches.
pub(super) type Reporter<'a> = &'a mut dyn FnMut(RequestId, Event);

#[derive(Default)]
pub(super) struct Watches {
    watches: Vec<Watch>,
}

struct Watch {
    id: RequestId,
    cancel: CancelToken,
    folder: FolderWatch,
    due: Instant,
    /// True while its folder is missing and waited for.
    is_unavailable: bool,
}

impl Watches {
    /// Starts watching a folder, or ends the request at once if the folder cannot be read and is not waited for.
    pub(super) fn add(&mut self, id: RequestId, spec: WatchSpec, cancel: CancelToken, report: Reporter<'_>) {
        let (name, interval) = (spec.folder.clone(), spec.interval);
        match FolderWatch::start(spec) {
            Ok(folder) => {
                let now = Instant::now();
                // `All` reports existing photos, so it polls at once; `New` has just listed them.
                let due = if folder.spec().scope == WatchScope::All { now } else { now + interval };
                self.watches.push(Watch { id, cancel, folder, due, is_unavailable: false });
            }
            Err(error) => report(id, Event::WatchEnded { problem: Some(problem(name, error)) }),
        }
    }

    /// Time until the next poll; `None` if nothing is watched.
    pub(super) fn wait(&self) -> Option<Duration> {
        let due = self.watches.iter().map(|watch| watch.due).min()?;
        Some(due.saturating_duration_since(Instant::now()))
    }

    /// Polls the folders that are due.
    pub(super) fn poll(&mut self, report: Reporter<'_>) {
        self.watches.retain_mut(|watch| {
            if watch.cancel.is_cancelled() {
                report(watch.id, Event::WatchEnded { problem: None });
                return false;
            }
            let start = Instant::now();
            watch.due > start || watch.poll(start, report)
        });
    }
}

impl Watch {
    /// Polls the folder; false if the watch has ended.
    fn poll(&mut self, start: Instant, report: Reporter<'_>) -> bool {
        let spec = self.folder.spec();
        let (scope, interval, name) = (spec.scope, spec.interval, spec.folder.clone());
        let pause = match (self.folder.poll(), scope) {
            (Ok(paths), _) => {
                if std::mem::take(&mut self.is_unavailable) {
                    report(self.id, Event::WatchUnavailable { problem: None });
                }
                if !paths.is_empty() {
                    report(self.id, Event::ImportFound { paths });
                }
                self.folder.pause()
            }
            (Err(error), WatchScope::All) => {
                if !std::mem::replace(&mut self.is_unavailable, true) {
                    report(self.id, Event::WatchUnavailable { problem: Some(problem(name, error)) });
                }
                interval
            }
            (Err(error), WatchScope::New) => {
                report(self.id, Event::WatchEnded { problem: Some(problem(name, error)) });
                return false;
            }
        };
        self.due = Instant::now() + pause.max(start.elapsed() * share(scope));
        true
    }
}

/// Inverse of the maximum share of time spent polling: large folders on slow disks are polled less often.
const fn share(scope: WatchScope) -> u32 {
    match scope {
        // The window keeps a lower load.
        WatchScope::New => 300,
        WatchScope::All => 20,
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

    fn fast_spec(folder: &Path) -> WatchSpec {
        let interval = Duration::from_millis(4);
        WatchSpec { debounce: interval, interval, ..WatchSpec::new_photos(folder.to_owned()) }
    }

    #[test]
    fn new_photos_are_reported_in_time_and_a_watch_ends_once() {
        let folder = tempfile::tempdir().expect("created");
        let (camera, gone) = (folder.path().join("camera"), folder.path().join("gone"));
        [&camera, &gone].iter().for_each(|folder| fs::create_dir(folder).expect("created"));
        let mut watches = Watches::default();
        let mut events = Vec::new();
        let mut report = |id: RequestId, event| events.push((id.0, event));
        let cancel = CancelToken::new();
        assert_eq!(watches.wait(), None);
        watches.add(RequestId(1), fast_spec(&camera), cancel.clone(), &mut report);
        watches.add(RequestId(2), fast_spec(&gone), CancelToken::new(), &mut report);
        watches.add(RequestId(3), fast_spec(&folder.path().join("none")), CancelToken::new(), &mut report);
        fs::write(camera.join("new.jpg"), "new").expect("written");
        fs::remove_dir(&gone).expect("removed");
        for _ in 0..50 {
            std::thread::sleep(watches.wait().expect("something is watched"));
            watches.poll(&mut report);
        }
        cancel.cancel();
        watches.poll(&mut report);
        assert_eq!(watches.wait(), None);
        let ids: Vec<u64> = events.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, [3, 2, 1, 1]);
        assert!(matches!(&events[1].1, Event::WatchEnded { problem: Some(WatchProblem::Gone { .. }) }));
        assert!(matches!(&events[2].1, Event::ImportFound { paths } if paths[..] == [camera.join("new.jpg")]));
        assert!(matches!(events[3].1, Event::WatchEnded { problem: None }));
    }

    #[test]
    fn a_missing_folder_is_reported_once_and_waited_for() {
        let folder = tempfile::tempdir().expect("created");
        let (camera, elsewhere) = (folder.path().join("camera"), folder.path().join("elsewhere"));
        fs::create_dir(&camera).expect("created");
        fs::write(camera.join("a.jpg"), "whole").expect("written");
        let mut watches = Watches::default();
        let mut events = Vec::new();
        let mut report = |_: RequestId, event| events.push(event);
        let spec = WatchSpec { scope: WatchScope::All, ..fast_spec(&camera) };
        watches.add(RequestId(1), spec, CancelToken::new(), &mut report);
        let mut poll_often = |report: Reporter<'_>| {
            for _ in 0..20 {
                std::thread::sleep(watches.wait().expect("watched"));
                watches.poll(report);
            }
        };
        poll_often(&mut report);
        fs::rename(&camera, &elsewhere).expect("moved");
        poll_often(&mut report);
        fs::rename(&elsewhere, &camera).expect("back");
        poll_often(&mut report);
        assert!(
            matches!(&events[0], Event::ImportFound { paths } if paths[..] == [camera.join("a.jpg")]),
            "{events:?}"
        );
        assert!(
            matches!(&events[1], Event::WatchUnavailable { problem: Some(WatchProblem::Gone { .. }) }),
            "{events:?}"
        );
        assert!(matches!(&events[2], Event::WatchUnavailable { problem: None }), "{events:?}");
        assert_eq!(events.len(), 3, "the photo is not reported again: {events:?}");
        assert!(events.iter().all(|event| !event.is_terminal()));
    }
}
