//! Session markers for crash detection: a marker left behind shows that a window crashed, and which files it was reading.
//!
//! A marker is a small file locked by its process, so that a running window is never mistaken for a crashed one. It lists
//! the files being read, and is rewritten whenever reading a file starts or ends.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Extension of markers.
const EXTENSION: &str = "session";

/// An empty marker younger than this is still being created.
const CREATION_TIME: Duration = Duration::from_secs(10);

/// Maximum number of bytes read from a marker.
const MAX_BYTES: u64 = 1 << 20;

/// A window that crashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashedSession {
    /// The files that were being read at that time.
    pub files: Vec<PathBuf>,
    /// Seconds since its marker was last written.
    pub age_s: u64,
}

/// The content of a marker. Only the first line is read, since a shorter line leaves the end of a longer one behind it.
#[derive(Serialize, Deserialize)]
struct Line {
    /// Paths as text, or in the system's encoding if they are not valid Unicode.
    files: Vec<FileName>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum FileName {
    Text(String),
    Raw(std::ffi::OsString),
}

/// The marker of this process.
struct Marker {
    path: PathBuf,
    file: File,
    files: Vec<PathBuf>,
}

static MARKER: Mutex<Option<Marker>> = Mutex::new(None);

fn current_marker() -> MutexGuard<'static, Option<Marker>> {
    MARKER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a marker in `folder`, which exists until [`end_session`].
///
/// # Errors
/// Fails if the marker cannot be created or locked.
pub fn begin_session(folder: &Path) -> io::Result<()> {
    let marker = Marker::create(folder)?;
    *current_marker() = Some(marker);
    Ok(())
}

/// Removes the marker at a regular exit.
pub fn end_session() {
    if let Some(marker) = current_marker().take() {
        marker.remove();
    }
}

/// The windows that crashed; their markers are removed, so that each crash is reported once.
pub fn crashed_sessions(folder: &Path) -> Vec<CrashedSession> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_marker = |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION);
    let mut markers: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_marker).collect();
    // Names begin with a timestamp.
    markers.sort_unstable_by(|a, b| b.cmp(a));
    markers.iter().filter_map(|marker| ended(marker)).collect()
}

/// Adds `path` to the files being read.
pub(super) fn add_file(path: &Path) {
    if let Some(marker) = &mut *current_marker() {
        marker.add_file(path);
    }
}

/// Removes `path` from the files being read.
pub(super) fn remove_file(path: &Path) {
    if let Some(marker) = &mut *current_marker() {
        marker.remove_file(path);
    }
}

impl Marker {
    fn create(folder: &Path) -> io::Result<Self> {
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
        let mut marker = Self { path, file, files: Vec::new() };
        // On a file system without locks, the marker of a running process would look like that of a crashed one.
        match marker.file.try_lock().map_err(io::Error::from).and_then(|()| marker.write()) {
            Ok(()) => Ok(marker),
            Err(error) => {
                marker.remove();
                Err(error)
            }
        }
    }

    fn remove(self) {
        let Self { path, file, .. } = self;
        drop(file);
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(%error, "the session marker cannot be removed");
        }
    }

    fn add_file(&mut self, path: &Path) {
        self.files.push(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        self.write_or_log();
    }

    fn remove_file(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if let Some(place) = self.files.iter().position(|other| *other == path) {
            self.files.swap_remove(place);
            self.write_or_log();
        }
    }

    fn write_or_log(&mut self) {
        if let Err(error) = self.write() {
            tracing::debug!(%error, "the current file cannot be recorded");
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let name = |path: &PathBuf| match path.to_str() {
            Some(text) => FileName::Text(text.to_owned()),
            None => FileName::Raw(path.clone().into_os_string()),
        };
        let mut line = serde_json::to_vec(&Line { files: self.files.iter().map(name).collect() })?;
        line.push(b'\n');
        self.file.rewind()?;
        self.file.write_all(&line)
    }
}

/// `None` if its process is still running, or the marker cannot be read.
fn ended(marker: &Path) -> Option<CrashedSession> {
    let file = File::open(marker).ok()?;
    file.try_lock().ok()?;
    let written = file.metadata().and_then(|metadata| metadata.modified()).ok()?;
    let age = written.elapsed().unwrap_or_default();
    let mut text = Vec::new();
    (&file).take(MAX_BYTES).read_to_end(&mut text).ok()?;
    if text.is_empty() && age < CREATION_TIME {
        return None;
    }
    drop(file);
    // A marker that cannot be removed would be reported at every start.
    fs::remove_file(marker).ok()?;
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let files = serde_json::from_slice(line).map_or_else(|_| Vec::new(), |line: Line| line.files);
    let path = |name| match name {
        FileName::Text(text) => PathBuf::from(text),
        FileName::Raw(raw) => PathBuf::from(raw),
    };
    Some(CrashedSession { files: files.into_iter().map(path).collect(), age_s: age.as_secs() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> Vec<Vec<PathBuf>> {
        crashed_sessions(folder).into_iter().map(|session| session.files).collect()
    }

    fn absolute(path: &str) -> PathBuf {
        std::path::absolute(path).expect("a current folder")
    }

    #[test]
    fn a_crash_is_reported_once() {
        let folder = tempfile::tempdir().expect("created");
        let mut marker = Marker::create(folder.path()).expect("left");
        marker.add_file(Path::new("a rather long name.jpg"));
        marker.add_file(Path::new("b.jpg"));
        assert_eq!(files(folder.path()), Vec::<Vec<PathBuf>>::new(), "its process is running");
        marker.remove_file(Path::new("a rather long name.jpg"));
        // A killed process releases its lock and removes nothing.
        drop(marker);
        assert_eq!(files(folder.path()), [[absolute("b.jpg")]]);
        assert_eq!(files(folder.path()), Vec::<Vec<PathBuf>>::new(), "reported once");
    }

    #[test]
    fn a_regular_exit_leaves_no_marker_and_windows_are_independent() {
        let folder = tempfile::tempdir().expect("created");
        let (first, second) =
            (Marker::create(folder.path()).expect("left"), Marker::create(folder.path()).expect("left"));
        first.remove();
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
        drop(second);
        assert_eq!(files(folder.path()), [Vec::<PathBuf>::new()], "it was reading no file");
    }

    #[test]
    fn the_same_file_may_be_read_twice_at_a_time() {
        let folder = tempfile::tempdir().expect("created");
        let mut marker = Marker::create(folder.path()).expect("left");
        for _ in 0..2 {
            marker.add_file(Path::new("a.jpg"));
        }
        marker.remove_file(Path::new("a.jpg"));
        drop(marker);
        assert_eq!(files(folder.path()), [[absolute("a.jpg")]]);
    }

    #[test]
    fn an_empty_or_damaged_marker_lists_no_files() {
        let folder = tempfile::tempdir().expect("created");
        let marker = folder.path().join("1-2-0.session");
        fs::write(&marker, "").expect("written");
        assert_eq!(files(folder.path()).len(), 0, "it is still being created");
        fs::write(&marker, "{\"files\": [12]}\n").expect("written");
        assert_eq!(files(folder.path()), [Vec::<PathBuf>::new()]);
        assert!(!marker.exists());
    }

    #[cfg(unix)]
    #[test]
    fn invalid_utf8_names_are_kept() {
        use std::os::unix::ffi::OsStringExt;
        let folder = tempfile::tempdir().expect("created");
        let mut marker = Marker::create(folder.path()).expect("left");
        let name = PathBuf::from(std::ffi::OsString::from_vec(b"/photos/Zo\xff.jpg".to_vec()));
        marker.add_file(&name);
        drop(marker);
        assert_eq!(files(folder.path()), [[name]]);
    }

    /// On other systems a locked file cannot be read.
    #[cfg(unix)]
    #[test]
    fn the_marker_lists_the_file_a_thread_is_processing() {
        let folder = tempfile::tempdir().expect("created");
        begin_session(folder.path()).expect("begun");
        let processing = super::super::processing(Path::new("/photos/only this test.jpg"));
        let marker = fs::read_dir(folder.path()).expect("readable").flatten().next().expect("a marker").path();
        let first = |text: String| text.lines().next().unwrap_or_default().to_owned();
        let noted = || first(fs::read_to_string(&marker).expect("readable"));
        assert!(noted().contains("only this test.jpg"), "{}", noted());
        drop(processing);
        assert!(!noted().contains("only this test.jpg"), "{}", noted());
        end_session();
        assert!(!marker.exists());
    }
}
