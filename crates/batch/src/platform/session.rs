//! Marks that a window is open: one that is left behind says that its program ended without closing, and at which files.
//!
//! A mark is a small file that its program holds locked, so that another window which runs is never taken for one that has
//! crashed. It names the files that are being read; one small write each when that begins and when it ends.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Ends the name of every mark.
const EXTENSION: &str = "session";

/// A mark without a line that is younger than this is being made.
const MAKING: Duration = Duration::from_secs(10);

/// No mark comes near this many bytes.
const MAX_BYTES: u64 = 1 << 20;

/// A window that ended without closing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedSession {
    /// The files that were being read then.
    pub files: Vec<PathBuf>,
    /// Seconds since it last wrote its mark.
    pub age_s: u64,
}

/// What a mark says. Only its first line counts: a shorter one leaves the end of a longer one behind it.
#[derive(Serialize, Deserialize)]
struct Line {
    /// Files, as text or as the system's own form where they are none.
    files: Vec<FileName>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum FileName {
    Text(String),
    Raw(std::ffi::OsString),
}

/// The mark of this process.
struct Mark {
    path: PathBuf,
    file: File,
    at_hand: Vec<PathBuf>,
}

static OPEN: Mutex<Option<Mark>> = Mutex::new(None);

fn open() -> MutexGuard<'static, Option<Mark>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Leaves a mark in `folder` until [`end_session`].
///
/// # Errors
/// It cannot be made, or not be locked.
pub fn begin_session(folder: &Path) -> io::Result<()> {
    let mark = Mark::leave(folder)?;
    *open() = Some(mark);
    Ok(())
}

/// Takes the mark away: the program ends as it should.
pub fn end_session() {
    if let Some(mark) = open().take() {
        mark.remove();
    }
}

/// Windows that ended without closing; their marks are taken away, so that each is told of once.
pub fn ended_sessions(folder: &Path) -> Vec<EndedSession> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_mark = |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION);
    let mut marks: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_mark).collect();
    // Names begin with the time.
    marks.sort_unstable_by(|a, b| b.cmp(a));
    marks.iter().filter_map(|mark| ended(mark)).collect()
}

/// This process is at `path` from now on.
pub(super) fn take_up(path: &Path) {
    if let Some(mark) = &mut *open() {
        mark.take_up(path);
    }
}

/// It no longer is.
pub(super) fn lay_down(path: &Path) {
    if let Some(mark) = &mut *open() {
        mark.lay_down(path);
    }
}

impl Mark {
    fn leave(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let (name, mut number) = (format!("{now}-{}", std::process::id()), 0);
        let (path, file) = loop {
            let path = folder.join(format!("{name}-{number}.{EXTENSION}"));
            match File::create_new(&path) {
                Ok(file) => break (path, file),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        };
        let mut mark = Self { path, file, at_hand: Vec::new() };
        // Where a file system knows no locks, a mark would accuse a program that runs.
        match mark.file.try_lock().map_err(io::Error::from).and_then(|()| mark.write()) {
            Ok(()) => Ok(mark),
            Err(error) => {
                mark.remove();
                Err(error)
            }
        }
    }

    fn remove(self) {
        let Self { path, file, .. } = self;
        drop(file);
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(%error, "the mark that a window is open cannot be removed");
        }
    }

    fn take_up(&mut self, path: &Path) {
        self.at_hand.push(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        self.write_or_say();
    }

    fn lay_down(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if let Some(place) = self.at_hand.iter().position(|other| *other == path) {
            self.at_hand.swap_remove(place);
            self.write_or_say();
        }
    }

    fn write_or_say(&mut self) {
        if let Err(error) = self.write() {
            tracing::debug!(%error, "the file at hand cannot be noted");
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let name = |path: &PathBuf| match path.to_str() {
            Some(text) => FileName::Text(text.to_owned()),
            None => FileName::Raw(path.clone().into_os_string()),
        };
        let mut line = serde_json::to_vec(&Line { files: self.at_hand.iter().map(name).collect() })?;
        line.push(b'\n');
        self.file.rewind()?;
        self.file.write_all(&line)
    }
}

/// `None` where its program still runs, or nothing can be made of it.
fn ended(mark: &Path) -> Option<EndedSession> {
    let file = File::open(mark).ok()?;
    file.try_lock().ok()?;
    let written = file.metadata().and_then(|metadata| metadata.modified()).ok()?;
    let age = written.elapsed().unwrap_or_default();
    let mut text = Vec::new();
    (&file).take(MAX_BYTES).read_to_end(&mut text).ok()?;
    if text.is_empty() && age < MAKING {
        return None;
    }
    drop(file);
    // A mark that cannot be removed would be told of at each start.
    fs::remove_file(mark).ok()?;
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let files = serde_json::from_slice(line).map_or_else(|_| Vec::new(), |line: Line| line.files);
    let path = |name| match name {
        FileName::Text(text) => PathBuf::from(text),
        FileName::Raw(raw) => PathBuf::from(raw),
    };
    Some(EndedSession { files: files.into_iter().map(path).collect(), age_s: age.as_secs() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> Vec<Vec<PathBuf>> {
        ended_sessions(folder).into_iter().map(|session| session.files).collect()
    }

    fn absolute(path: &str) -> PathBuf {
        std::path::absolute(path).expect("a current folder")
    }

    #[test]
    fn a_mark_is_reported_once_its_program_is_gone_and_only_once() {
        let folder = tempfile::tempdir().expect("made");
        let mut mark = Mark::leave(folder.path()).expect("left");
        mark.take_up(Path::new("a rather long name.jpg"));
        mark.take_up(Path::new("b.jpg"));
        assert_eq!(files(folder.path()), Vec::<Vec<PathBuf>>::new(), "its program runs");
        mark.lay_down(Path::new("a rather long name.jpg"));
        // A killed program lets go of its lock and removes nothing.
        drop(mark);
        assert_eq!(files(folder.path()), [[absolute("b.jpg")]]);
        assert_eq!(files(folder.path()), Vec::<Vec<PathBuf>>::new(), "it was told of");
    }

    #[test]
    fn a_normal_end_leaves_nothing_and_windows_do_not_see_each_other() {
        let folder = tempfile::tempdir().expect("made");
        let (first, second) = (Mark::leave(folder.path()).expect("left"), Mark::leave(folder.path()).expect("left"));
        first.remove();
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
        drop(second);
        assert_eq!(files(folder.path()), [Vec::<PathBuf>::new()], "it was at no file");
    }

    #[test]
    fn the_same_file_may_be_at_hand_twice() {
        let folder = tempfile::tempdir().expect("made");
        let mut mark = Mark::leave(folder.path()).expect("left");
        for _ in 0..2 {
            mark.take_up(Path::new("a.jpg"));
        }
        mark.lay_down(Path::new("a.jpg"));
        drop(mark);
        assert_eq!(files(folder.path()), [[absolute("a.jpg")]]);
    }

    #[test]
    fn a_mark_that_is_being_made_or_broken_accuses_nobody_of_a_file() {
        let folder = tempfile::tempdir().expect("made");
        let mark = folder.path().join("1-2-0.session");
        fs::write(&mark, "").expect("written");
        assert_eq!(files(folder.path()).len(), 0, "being made");
        fs::write(&mark, "{\"files\": [12]}\n").expect("written");
        assert_eq!(files(folder.path()), [Vec::<PathBuf>::new()]);
        assert!(!mark.exists());
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_are_kept() {
        use std::os::unix::ffi::OsStringExt;
        let folder = tempfile::tempdir().expect("made");
        let mut mark = Mark::leave(folder.path()).expect("left");
        let name = PathBuf::from(std::ffi::OsString::from_vec(b"/photos/Zo\xff.jpg".to_vec()));
        mark.take_up(&name);
        drop(mark);
        assert_eq!(files(folder.path()), [[name]]);
    }

    /// Elsewhere a file that is locked cannot be read.
    #[cfg(unix)]
    #[test]
    fn what_a_thread_handles_is_in_the_mark() {
        let folder = tempfile::tempdir().expect("made");
        begin_session(folder.path()).expect("begun");
        let handling = super::super::handling(Path::new("/photos/only this test.jpg"));
        let mark = fs::read_dir(folder.path()).expect("readable").flatten().next().expect("a mark").path();
        let first = |text: String| text.lines().next().unwrap_or_default().to_owned();
        let noted = || first(fs::read_to_string(&mark).expect("readable"));
        assert!(noted().contains("only this test.jpg"), "{}", noted());
        drop(handling);
        assert!(!noted().contains("only this test.jpg"), "{}", noted());
        end_session();
        assert!(!mark.exists());
    }
}
