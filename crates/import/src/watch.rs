//! Watches a folder for new photos, for example from a tethered camera or a scanner.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use walkdir::{DirEntry, WalkDir};

use super::{has_picture_extension, natural_cmp};

/// Debounce factor for a file that cannot be opened, since the writer may hold it locked.
const LOCKED_FACTOR: u32 = 10;

/// Which photos of a watched folder are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchScope {
    /// New photos, once each. The watch ends if the folder disappears.
    New,
    /// Existing, new and changed photos. A folder that disappears is waited for.
    All,
}

/// How a folder is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchSpec {
    /// The folder, watched recursively.
    pub folder: PathBuf,
    /// A subfolder to ignore; it need not exist yet.
    pub exclude: Option<PathBuf>,
    /// Which photos are reported.
    pub scope: WatchScope,
    /// How long a file must be unchanged to count as completely written.
    pub debounce: Duration,
    /// Time between two polls.
    pub interval: Duration,
}

impl WatchSpec {
    /// A watch for new photos only, as the window uses it.
    pub fn new_photos(folder: PathBuf) -> Self {
        let (debounce, interval) = (Duration::from_millis(500), Duration::from_secs(2));
        Self { folder, exclude: None, scope: WatchScope::New, debounce, interval }
    }
}

/// A file's length and modification time.
type Stamp = (u64, Option<SystemTime>);

/// A photo that may still be written to.
#[derive(Debug)]
struct Pending {
    stamp: Stamp,
    /// When its stamp changed last.
    since: Instant,
}

/// A watched folder and the files seen in it.
#[derive(Debug)]
pub struct FolderWatch {
    spec: WatchSpec,
    /// The photos present at the start, for [`WatchScope::New`].
    existing: HashSet<PathBuf>,
    /// The reported photos with their stamps.
    reported: HashMap<PathBuf, Stamp>,
    /// New or changed photos that may still be written to, as of the last poll.
    pending: HashMap<PathBuf, Pending>,
    can_open: fn(&Path) -> bool,
}

impl FolderWatch {
    /// Starts watching a folder recursively.
    ///
    /// # Errors
    /// Fails if the folder cannot be read, for [`WatchScope::New`].
    pub fn start(spec: WatchSpec) -> io::Result<Self> {
        let can_open = |path: &Path| File::open(path).is_ok();
        let (reported, pending) = (HashMap::new(), HashMap::new());
        let mut watch = Self { spec, existing: HashSet::new(), reported, pending, can_open };
        if watch.spec.scope == WatchScope::New {
            watch.existing = watch.pictures()?.into_iter().map(DirEntry::into_path).collect();
        }
        Ok(watch)
    }

    /// The specification it was started with.
    pub fn spec(&self) -> &WatchSpec {
        &self.spec
    }

    /// Time until the next poll: earlier than the interval if a pending photo is due before.
    pub fn pause(&self) -> Duration {
        let written = self.pending.values().filter(|pending| pending.stamp.0 > 0);
        let left = written.filter_map(|pending| self.spec.debounce.checked_sub(pending.since.elapsed()));
        left.min().map_or(self.spec.interval, |left| left.min(self.spec.interval))
    }

    /// Returns the new photos that are completely written: their length and modification time have not changed between
    /// polls for the debounce time, and they can be opened. Hidden files and folders are skipped, links to folders are not
    /// followed.
    ///
    /// # Errors
    /// Fails if the folder cannot be read at the moment.
    pub fn poll(&mut self) -> io::Result<Vec<PathBuf>> {
        let (mut complete, mut pending) = (Vec::new(), HashMap::new());
        for entry in self.pictures()? {
            let reported = self.reported.get(entry.path());
            let is_known = reported.is_some() && self.spec.scope == WatchScope::New;
            if is_known || self.existing.contains(entry.path()) {
                continue;
            }
            let Ok(metadata) = fs::metadata(entry.path()) else { continue };
            let stamp = (metadata.len(), metadata.modified().ok());
            if reported == Some(&stamp) || !metadata.is_file() {
                continue;
            }
            let path = entry.into_path();
            let seen = self.pending.get(&path).filter(|seen| seen.stamp == stamp);
            if seen.is_some_and(|seen| self.is_complete(&path, seen)) {
                self.reported.insert(path.clone(), stamp);
                complete.push(path);
            } else {
                let since = seen.map_or_else(Instant::now, |seen| seen.since);
                pending.insert(path, Pending { stamp, since });
            }
        }
        self.pending = pending;
        Ok(complete)
    }

    fn is_complete(&self, path: &Path, pending: &Pending) -> bool {
        let unchanged = pending.since.elapsed();
        let debounce = self.spec.debounce;
        pending.stamp.0 > 0 && unchanged >= debounce && ((self.can_open)(path) || unchanged >= debounce * LOCKED_FACTOR)
    }

    fn pictures(&self) -> io::Result<Vec<DirEntry>> {
        let folder = &self.spec.folder;
        // A missing root is an error; an unreadable subfolder is skipped.
        fs::read_dir(folder)?;
        let real = fs::canonicalize(folder)?;
        let exclude = self.spec.exclude.as_ref().and_then(|exclude| fs::canonicalize(exclude).ok());
        let is_excluded = |entry: &DirEntry| {
            let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            entry.file_type().is_dir() && exclude.as_ref().is_some_and(|exclude| real.join(below) == *exclude)
        };
        let by_name = |a: &DirEntry, b: &DirEntry| natural_cmp(a.file_name(), b.file_name());
        let is_hidden = |entry: &DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
        let is_included = |entry: &DirEntry| entry.depth() == 0 || !(is_hidden(entry) || is_excluded(entry));
        let entries = WalkDir::new(folder).sort_by(by_name).into_iter().filter_entry(is_included);
        let is_picture = |entry: &DirEntry| !entry.file_type().is_dir() && has_picture_extension(entry.path());
        Ok(entries.filter_map(Result::ok).filter(is_picture).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A watch that reports a file as soon as it is unchanged between two polls.
    fn fast_spec(folder: &Path, scope: WatchScope) -> WatchSpec {
        WatchSpec { scope, debounce: Duration::ZERO, ..WatchSpec::new_photos(folder.to_owned()) }
    }

    #[test]
    fn a_photo_is_reported_once_when_it_stops_changing() {
        let folder = tempfile::tempdir().expect("created");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("old.jpg"), "there before").expect("written");
        let mut watch = FolderWatch::start(fast_spec(folder.path(), WatchScope::New)).expect("readable");
        let mut poll = || watch.poll().expect("readable");
        assert!(poll().is_empty());
        fs::write(path("new.jpg"), "half").expect("written");
        fs::write(path("notes.txt"), "no photo").expect("written");
        fs::write(path(".hidden.jpg"), "hidden").expect("written");
        fs::create_dir(path("day 1")).expect("created");
        fs::write(path("day 1/deep.JPG"), "").expect("begun");
        assert!(poll().is_empty(), "it may still be written");
        fs::write(path("new.jpg"), "half and half").expect("written");
        assert!(poll().is_empty(), "it has changed");
        assert_eq!(poll(), [path("new.jpg")]);
        assert!(poll().is_empty(), "reported once, and an empty file is not yet written");
        fs::write(path("day 1/deep.JPG"), "whole").expect("written");
        poll();
        assert_eq!(poll(), [path("day 1/deep.JPG")]);
        fs::write(path("new.jpg"), "and it changes").expect("written");
        fs::write(path("old.jpg"), "and it changes").expect("written");
        fs::rename(path("notes.txt"), path("renamed.png")).expect("renamed");
        poll();
        assert_eq!(poll(), [path("renamed.png")]);
    }

    #[test]
    fn all_reports_existing_and_changed_photos_but_not_the_excluded_folder() {
        let folder = tempfile::tempdir().expect("created");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("day 1")).expect("created");
        for name in ["b.jpg", "a.jpg", "c.jpg.part", "d.png.tmp", "e.jpg.crdownload"] {
            fs::write(path(name), name).expect("written");
        }
        let spec = WatchSpec { exclude: Some(path("day 1/../out")), ..fast_spec(folder.path(), WatchScope::All) };
        let mut watch = FolderWatch::start(spec).expect("begun");
        let mut poll = || watch.poll().expect("readable");
        assert!(poll().is_empty());
        assert_eq!(poll(), [path("a.jpg"), path("b.jpg")]);
        fs::create_dir(path("out")).expect("created");
        fs::write(path("out/a.jpg"), "a crop").expect("written");
        fs::write(path("day 1/out.jpg"), "no crop").expect("written");
        fs::write(path("a.jpg"), "longer than before").expect("written");
        fs::rename(path("c.jpg.part"), path("c.jpg")).expect("renamed");
        poll();
        assert_eq!(poll(), [path("a.jpg"), path("c.jpg"), path("day 1/out.jpg")]);
        fs::remove_file(path("b.jpg")).expect("removed");
        assert!(poll().is_empty() && poll().is_empty());
    }

    #[test]
    fn the_debounce_time_applies_and_is_longer_for_locked_files() {
        let folder = tempfile::tempdir().expect("created");
        let path = folder.path().join("a.jpg");
        fs::write(&path, "whole").expect("written");
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
        let spec = WatchSpec { debounce: minute, interval: hour, ..fast_spec(folder.path(), WatchScope::All) };
        let mut watch = FolderWatch::start(spec).expect("begun");
        assert_eq!(watch.pause(), hour, "no photo is pending");
        assert!(watch.poll().expect("readable").is_empty() && watch.poll().expect("readable").is_empty());
        assert!(watch.pause() <= minute);
        let age = |watch: &mut FolderWatch, time: Duration| {
            let pending = watch.pending.get_mut(&path).expect("seen");
            // Right after boot, `Instant` cannot represent a time that long ago.
            let since = Instant::now().checked_sub(time);
            since.map(|since| pending.since = since).is_some()
        };
        watch.can_open = |_| false;
        if age(&mut watch, minute * 2) {
            assert!(watch.poll().expect("readable").is_empty(), "the file is locked");
        }
        if age(&mut watch, minute * LOCKED_FACTOR) {
            assert_eq!(watch.poll().expect("readable"), [path], "reported although locked: decoding returns the error");
        }
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().expect("created");
        let inside = folder.path().join("camera");
        assert!(FolderWatch::start(WatchSpec::new_photos(inside.clone())).is_err());
        let mut waiting = FolderWatch::start(fast_spec(&inside, WatchScope::All)).expect("starts");
        assert_eq!(waiting.poll().expect_err("missing").kind(), io::ErrorKind::NotFound);
        fs::create_dir(&inside).expect("created");
        assert!(waiting.poll().is_ok());
        let mut watch = FolderWatch::start(WatchSpec::new_photos(inside.clone())).expect("readable");
        fs::remove_dir(&inside).expect("removed");
        assert_eq!(watch.poll().expect_err("gone").kind(), io::ErrorKind::NotFound);
        fs::write(&inside, "a file now").expect("written");
        assert!(watch.poll().is_err());
    }
}
