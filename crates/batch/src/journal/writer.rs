//! Keeping a journal: lines are added, never changed.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use picture::{Steps, folder_of, sync_folder};

use super::history::{History, HistoryError, is_foreign, read_if_ours, whole_lines};
use super::place::next_path;
use super::plain_file::check_is_file;
use super::{Entry, JournalPlace, find_latest};

/// Lines are on the disk itself at least this often.
const SYNC_AFTER: Duration = Duration::from_secs(2);

/// How long a lock that another holds is waited for.
const LOCK_WAIT: Duration = Duration::from_millis(500);

/// And after this many.
const SYNC_LINES: usize = 64;

/// Why there is no journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refuses.
    #[error("the journal {} cannot be made or read ({source}); name another with --journal, or leave it out", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A run keeps it at this moment.
    #[error("another run is writing the journal {}; wait for its end", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It is there, and was not to be taken up.
    #[error("the journal {} is there already; take it up with --resume or name another", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// It is a photo or a list of the run.
    #[error("{} is a photo or a list of this run and cannot be its journal; name another file with --journal", path.display())]
    IsOriginal {
        /// The file.
        path: PathBuf,
    },
    /// It is no journal of this program, or one of a later version.
    #[error("{} is no journal that can be taken up: {reason}", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: HistoryError,
    },
}

/// A journal that lines are added to, from any thread. It is locked against other runs until it is dropped.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    inside: Mutex<Inside>,
    /// The same file, for waiting on the disk while lines are added.
    on_disk: Mutex<OnDisk>,
    steps: Steps,
}

#[derive(Debug)]
struct Inside {
    file: File,
    end: u64,
    /// True after a line could not be added whole: nothing is added behind a torn one.
    torn: bool,
    lines: usize,
    synced_at: Instant,
}

#[derive(Debug)]
struct OnDisk {
    file: File,
    end: u64,
}

impl Journal {
    /// Opens the journal at `place` for a run into `output`, with what earlier runs have written into it. With `resume` it is
    /// the latest one that is there, and a new one where none is; without, always a new one.
    ///
    /// # Errors
    /// It cannot be made or read, or another run has it.
    pub fn open(place: &JournalPlace, output: &Path, resume: bool) -> Result<(Self, History), JournalError> {
        Self::open_with(place, output, resume, Steps::default())
    }

    pub(crate) fn open_with(
        place: &JournalPlace,
        output: &Path,
        resume: bool,
        steps: Steps,
    ) -> Result<(Self, History), JournalError> {
        let there = match place {
            // A file of zeros, which a power cut can leave, is passed over: the run begins a new journal.
            JournalPlace::Beside { shard } => find_latest(output, *shard).filter(|path| resume && !is_foreign(path)),
            JournalPlace::File(path) => Some(path.clone()).filter(|path| resume && path.exists()),
        };
        match (there, place) {
            (Some(path), _) => Self::take_up(&path, steps),
            (None, JournalPlace::File(path)) => Self::begin(path, steps),
            (None, JournalPlace::Beside { shard }) => loop {
                // Another run may take the number in between.
                match Self::begin(&next_path(output, *shard), steps.clone()) {
                    Err(JournalError::Exists { .. }) => {}
                    begun => return begun,
                }
            },
        }
    }

    fn begin(path: &Path, steps: Steps) -> Result<(Self, History), JournalError> {
        let failed = |source| JournalError::Unusable { path: path.to_path_buf(), source };
        fs::create_dir_all(folder_of(path)).map_err(failed)?;
        let file = match OpenOptions::new().read(true).append(true).create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(JournalError::Exists { path: path.to_path_buf() });
            }
            file => file.map_err(failed)?,
        };
        lock(&file, path)?;
        sync_folder(folder_of(path)).map_err(failed)?;
        Ok((Self::keep(path.to_path_buf(), file, 0, steps).map_err(failed)?, History::default()))
    }

    fn take_up(path: &Path, steps: Steps) -> Result<(Self, History), JournalError> {
        let failed = |source| JournalError::Unusable { path: path.to_path_buf(), source };
        check_is_file(path).map_err(failed)?;
        let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(failed)?;
        lock(&file, path)?;
        let not_ours = |reason| JournalError::NotOurs { path: path.to_path_buf(), reason };
        // Nothing is cut off a file that is not known to be a journal.
        let bytes = read_if_ours(&mut file).map_err(failed)?.ok_or_else(|| not_ours(HistoryError::NotBegun))?;
        let (whole, end) = whole_lines(&bytes);
        let history = History::read(whole).map_err(not_ours)?;
        // What the disk or a killed process left of the last line goes, so that the next begins on its own.
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok((Self::keep(path.to_path_buf(), file, end, steps).map_err(failed)?, history))
    }

    fn keep(path: PathBuf, file: File, end: u64, steps: Steps) -> io::Result<Self> {
        let on_disk = Mutex::new(OnDisk { file: file.try_clone()?, end });
        let inside = Inside { file, end, torn: false, lines: 0, synced_at: Instant::now() };
        Ok(Self { path, inside: Mutex::new(inside), on_disk, steps })
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line, and waits for the disk where that has not been done for a while. Gives back where the line ends.
    ///
    /// # Errors
    /// The line cannot be added; then nothing will be any more.
    pub fn add(&self, entry: &Entry) -> io::Result<u64> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        let mut inside = self.lock();
        if inside.torn {
            return Err(io::Error::other("an earlier line could not be added"));
        }
        let added = self.steps.take().and_then(|()| inside.file.write_all(&line));
        if let Err(error) = added {
            inside.torn = true;
            return Err(error);
        }
        inside.end += line.len() as u64;
        inside.lines += 1;
        let end = inside.end;
        let due = inside.lines >= SYNC_LINES || inside.synced_at.elapsed() >= SYNC_AFTER;
        drop(inside);
        if due {
            self.sync_to(end)?;
        }
        Ok(end)
    }

    /// Waits until the lines up to `end` are on the disk itself. Threads that wait at the same time share one wait.
    ///
    /// # Errors
    /// The disk fails.
    pub fn sync_to(&self, end: u64) -> io::Result<()> {
        let mut on_disk = self.on_disk.lock().unwrap_or_else(PoisonError::into_inner);
        if on_disk.end >= end {
            return Ok(());
        }
        let mut inside = self.lock();
        let reached = inside.end;
        (inside.lines, inside.synced_at) = (0, Instant::now());
        drop(inside);
        self.steps.take()?;
        on_disk.file.sync_data()?;
        on_disk.end = reached;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// True where a run keeps the journal at `path` at this moment. Where a file system has no locks nobody knows.
pub fn is_in_use(path: &Path) -> bool {
    // Dropped at once, and with it a lock that was free.
    check_is_file(path)
        .and_then(|()| File::open(path))
        .is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Locks a journal against other runs. File systems without locks are trusted.
fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    let since = Instant::now();
    loop {
        match file.try_lock() {
            // A process that another thread is just starting has all open files for a moment, and so the locks on them.
            Err(TryLockError::WouldBlock) if since.elapsed() < LOCK_WAIT => std::thread::sleep(LOCK_WAIT / 20),
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse { path: path.to_owned() }),
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
}
