//! Watching a folder for photos that come into it, as a camera on a cable or a scanner brings them.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use walkdir::{DirEntry, WalkDir};

use super::{has_picture_extension, natural_cmp};

/// A picture that cannot be opened is waited for so many times as long as one that can: what writes it may hold it.
const SHUT: u32 = 10;

/// Which pictures of a watched folder are told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchScope {
    /// Those that come, once each. The watch ends where the folder is gone.
    Coming,
    /// Those that are there, those that come, and those that change. A folder that is gone is waited for.
    Everything,
}

/// How a folder is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchSpec {
    /// The folder, and the folders in it.
    pub folder: PathBuf,
    /// A folder in it that is passed over; it need not be there yet.
    pub without: Option<PathBuf>,
    /// Which pictures are told of.
    pub scope: WatchScope,
    /// How long a picture must stand still to be taken for whole.
    pub settle: Duration,
    /// Time between two looks.
    pub every: Duration,
}

impl WatchSpec {
    /// For a window: what comes.
    pub fn coming(folder: PathBuf) -> Self {
        let (settle, every) = (Duration::from_millis(500), Duration::from_secs(2));
        Self { folder, without: None, scope: WatchScope::Coming, settle, every }
    }
}

/// Length and time of change of a file.
type Stamp = (u64, Option<SystemTime>);

/// A picture that may still be written.
#[derive(Debug)]
struct Coming {
    stamp: Stamp,
    /// Since when it stands still.
    since: Instant,
}

/// A folder and what was seen in it.
#[derive(Debug)]
pub struct FolderWatch {
    spec: WatchSpec,
    /// What was there at the start, where that is no news.
    old: HashSet<PathBuf>,
    /// What was told of, as it was then.
    told: HashMap<PathBuf, Stamp>,
    /// What has come or changed since and may still be written, as it was at the last look.
    coming: HashMap<PathBuf, Coming>,
    can_open: fn(&Path) -> bool,
}

impl FolderWatch {
    /// Watches a folder and the folders in it.
    ///
    /// # Errors
    /// The folder cannot be read, and is not waited for.
    pub fn start(spec: WatchSpec) -> io::Result<Self> {
        let can_open = |path: &Path| File::open(path).is_ok();
        let (told, coming) = (HashMap::new(), HashMap::new());
        let mut watch = Self { spec, old: HashSet::new(), told, coming, can_open };
        if watch.spec.scope == WatchScope::Coming {
            watch.old = watch.pictures()?.into_iter().map(DirEntry::into_path).collect();
        }
        Ok(watch)
    }

    /// How it is watched.
    pub fn spec(&self) -> &WatchSpec {
        &self.spec
    }

    /// Time to the next look: what stands still until then is told of as soon as it has done so for long enough.
    pub fn pause(&self) -> Duration {
        let begun = self.coming.values().filter(|coming| coming.stamp.0 > 0);
        let left = begun.filter_map(|coming| self.spec.settle.checked_sub(coming.since.elapsed()));
        left.min().map_or(self.spec.every, |left| left.min(self.spec.every))
    }

    /// The pictures that are news since the last look and are whole: their length and time have not changed from one look
    /// to another, over the time that they must stand still, and they can be opened. Hidden files and folders are passed
    /// over, links to folders are not followed.
    ///
    /// # Errors
    /// The folder cannot be read at the moment.
    pub fn look(&mut self) -> io::Result<Vec<PathBuf>> {
        let (mut whole, mut coming) = (Vec::new(), HashMap::new());
        for entry in self.pictures()? {
            let told = self.told.get(entry.path());
            let is_old = told.is_some() && self.spec.scope == WatchScope::Coming;
            if is_old || self.old.contains(entry.path()) {
                continue;
            }
            let Ok(metadata) = fs::metadata(entry.path()) else { continue };
            let stamp = (metadata.len(), metadata.modified().ok());
            if told == Some(&stamp) || !metadata.is_file() {
                continue;
            }
            let path = entry.into_path();
            let seen = self.coming.get(&path).filter(|seen| seen.stamp == stamp);
            if seen.is_some_and(|seen| self.is_whole(&path, seen)) {
                self.told.insert(path.clone(), stamp);
                whole.push(path);
            } else {
                let since = seen.map_or_else(Instant::now, |seen| seen.since);
                coming.insert(path, Coming { stamp, since });
            }
        }
        self.coming = coming;
        Ok(whole)
    }

    fn is_whole(&self, path: &Path, coming: &Coming) -> bool {
        let still = coming.since.elapsed();
        let settle = self.spec.settle;
        coming.stamp.0 > 0 && still >= settle && ((self.can_open)(path) || still >= settle * SHUT)
    }

    fn pictures(&self) -> io::Result<Vec<DirEntry>> {
        let folder = &self.spec.folder;
        // A folder that is gone is told; one inside it that cannot be read is not there for us.
        fs::read_dir(folder)?;
        let real = fs::canonicalize(folder)?;
        let without = self.spec.without.as_ref().and_then(|without| fs::canonicalize(without).ok());
        let is_without = |entry: &DirEntry| {
            let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            entry.file_type().is_dir() && without.as_ref().is_some_and(|without| real.join(below) == *without)
        };
        let by_name = |a: &DirEntry, b: &DirEntry| natural_cmp(a.file_name(), b.file_name());
        let is_hidden = |entry: &DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
        let is_seen = |entry: &DirEntry| entry.depth() == 0 || !(is_hidden(entry) || is_without(entry));
        let entries = WalkDir::new(folder).sort_by(by_name).into_iter().filter_entry(is_seen);
        let is_picture = |entry: &DirEntry| !entry.file_type().is_dir() && has_picture_extension(entry.path());
        Ok(entries.filter_map(Result::ok).filter(is_picture).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A watch for which standing still from one look to the next is enough.
    fn quick(folder: &Path, scope: WatchScope) -> WatchSpec {
        WatchSpec { scope, settle: Duration::ZERO, ..WatchSpec::coming(folder.to_owned()) }
    }

    #[test]
    fn a_photo_is_reported_once_it_stands_still_and_only_once() {
        let folder = tempfile::tempdir().expect("made");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("old.jpg"), "there before").expect("written");
        let mut watch = FolderWatch::start(quick(folder.path(), WatchScope::Coming)).expect("readable");
        let mut look = || watch.look().expect("readable");
        assert!(look().is_empty());
        fs::write(path("new.jpg"), "half").expect("written");
        fs::write(path("notes.txt"), "no photo").expect("written");
        fs::write(path(".hidden.jpg"), "hidden").expect("written");
        fs::create_dir(path("day 1")).expect("made");
        fs::write(path("day 1/deep.JPG"), "").expect("begun");
        assert!(look().is_empty(), "it may still be written");
        fs::write(path("new.jpg"), "half and half").expect("written");
        assert!(look().is_empty(), "it was");
        assert_eq!(look(), [path("new.jpg")]);
        assert!(look().is_empty(), "told once, and what is empty is not begun");
        fs::write(path("day 1/deep.JPG"), "whole").expect("written");
        look();
        assert_eq!(look(), [path("day 1/deep.JPG")]);
        fs::write(path("new.jpg"), "and it changes").expect("written");
        fs::write(path("old.jpg"), "and it changes").expect("written");
        fs::rename(path("notes.txt"), path("renamed.png")).expect("renamed");
        look();
        assert_eq!(look(), [path("renamed.png")]);
    }

    #[test]
    fn everything_is_what_is_there_and_what_changes_but_not_the_folder_without() {
        let folder = tempfile::tempdir().expect("made");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("day 1")).expect("made");
        for name in ["b.jpg", "a.jpg", "c.jpg.part", "d.png.tmp", "e.jpg.crdownload"] {
            fs::write(path(name), name).expect("written");
        }
        let spec = WatchSpec { without: Some(path("day 1/../out")), ..quick(folder.path(), WatchScope::Everything) };
        let mut watch = FolderWatch::start(spec).expect("begun");
        let mut look = || watch.look().expect("readable");
        assert!(look().is_empty());
        assert_eq!(look(), [path("a.jpg"), path("b.jpg")]);
        fs::create_dir(path("out")).expect("made");
        fs::write(path("out/a.jpg"), "a crop").expect("written");
        fs::write(path("day 1/out.jpg"), "no crop").expect("written");
        fs::write(path("a.jpg"), "longer than before").expect("written");
        fs::rename(path("c.jpg.part"), path("c.jpg")).expect("renamed");
        look();
        assert_eq!(look(), [path("a.jpg"), path("c.jpg"), path("day 1/out.jpg")]);
        fs::remove_file(path("b.jpg")).expect("removed");
        assert!(look().is_empty() && look().is_empty());
    }

    #[test]
    fn a_photo_stands_still_for_as_long_as_was_asked_and_longer_where_it_cannot_be_opened() {
        let folder = tempfile::tempdir().expect("made");
        let path = folder.path().join("a.jpg");
        fs::write(&path, "whole").expect("written");
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
        let spec = WatchSpec { settle: minute, every: hour, ..quick(folder.path(), WatchScope::Everything) };
        let mut watch = FolderWatch::start(spec).expect("begun");
        assert_eq!(watch.pause(), hour, "nothing is expected");
        assert!(watch.look().expect("readable").is_empty() && watch.look().expect("readable").is_empty());
        assert!(watch.pause() <= minute);
        let stood = |watch: &mut FolderWatch, time: Duration| {
            let coming = watch.coming.get_mut(&path).expect("seen");
            // A machine that has just started knows no time that long ago.
            let since = Instant::now().checked_sub(time);
            since.map(|since| coming.since = since).is_some()
        };
        watch.can_open = |_| false;
        if stood(&mut watch, minute * 2) {
            assert!(watch.look().expect("readable").is_empty(), "something holds it");
        }
        if stood(&mut watch, minute * SHUT) {
            assert_eq!(watch.look().expect("readable"), [path], "it will fail, and say why");
        }
    }

    #[test]
    fn a_folder_that_is_gone_is_an_error() {
        let folder = tempfile::tempdir().expect("made");
        let inside = folder.path().join("camera");
        assert!(FolderWatch::start(WatchSpec::coming(inside.clone())).is_err());
        let mut patient = FolderWatch::start(quick(&inside, WatchScope::Everything)).expect("waits for it");
        assert_eq!(patient.look().expect_err("not there yet").kind(), io::ErrorKind::NotFound);
        fs::create_dir(&inside).expect("made");
        assert!(patient.look().is_ok());
        let mut watch = FolderWatch::start(WatchSpec::coming(inside.clone())).expect("readable");
        fs::remove_dir(&inside).expect("removed");
        assert_eq!(watch.look().expect_err("gone").kind(), io::ErrorKind::NotFound);
        fs::write(&inside, "a file now").expect("written");
        assert!(watch.look().is_err());
    }
}
