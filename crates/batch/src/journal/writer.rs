//! Appends to journals.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use picture::{Steps, folder_of, sync_folder};

use super::history::{History, HistoryError, complete_lines, is_foreign, read_if_journal};
use super::place::next_path;
use super::plain_file::check_is_file;
use super::{Entry, JournalPlace, find_latest};

/// Maximum time between two syncs while entries are added.
const SYNC_AFTER: Duration = Duration::from_secs(2);

/// Maximum number of entries between two syncs.
const SYNC_LINES: usize = 64;

/// How long to wait for a lock held by another process.
const LOCK_WAIT: Duration = Duration::from_millis(500);

/// Why a journal cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be created or read.
    #[error("the journal {} cannot be created or read ({source}); choose another with --journal, or run without one", path.display())]
    Unusable { path: PathBuf, source: io::Error },
    /// Another run is using it.
    #[error("another run is writing the journal {}; wait until it has finished", path.display())]
    InUse { path: PathBuf },
    /// The file exists and is not to be resumed.
    #[error("the journal {} already exists; continue it with --resume, or choose another", path.display())]
    Exists { path: PathBuf },
    /// The path is a photo or a list of the run.
    #[error("{} is a photo or a list of this run and cannot be its journal; choose another file with --journal", path.display())]
    IsOriginal { path: PathBuf },
    /// The file is not a journal, or was written by a newer version.
    #[error("{} is not a journal that can be resumed: {reason}", path.display())]
    NotAJournal { path: PathBuf, reason: HistoryError },
}

/// An open journal; entries can be added from any thread. It is locked against other runs until dropped.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    state: Mutex<State>,
    /// A second handle of the file, so that lines can be added during a sync. Locked before `state`.
    synced: Mutex<Synced>,
    steps: Steps,
}

#[derive(Debug)]
struct State {
    file: File,
    end: u64,
    /// True after a partial write: nothing is appended after a torn line.
    torn: bool,
    lines: usize,
    synced_at: Instant,
}

#[derive(Debug)]
struct Synced {
    file: File,
    end: u64,
}

impl Journal {
    /// Opens the journal at `place` for a run into `output`, and reads its history. With `resume`, the latest journal is
    /// opened, or a new one created if there is none; without, a new one is always created.
    ///
    /// # Errors
    /// Fails if the journal cannot be created or read, or is in use by another run.
    pub fn open(place: &JournalPlace, output: &Path, resume: bool) -> Result<(Self, History), JournalError> {
        Self::open_with(place, output, resume, Steps::default())
    }

    pub(crate) fn open_with(
        place: &JournalPlace,
        output: &Path,
        resume: bool,
        steps: Steps,
    ) -> Result<(Self, History), JournalError> {
        let existing = match place {
            // A file of zeros, as left by a power failure, is ignored and a new journal created.
            JournalPlace::Beside { shard } => find_latest(output, *shard).filter(|path| resume && !is_foreign(path)),
            JournalPlace::File(path) => Some(path.clone()).filter(|path| resume && path.exists()),
        };
        match (existing, place) {
            (Some(path), _) => Self::resume(&path, steps),
            (None, JournalPlace::File(path)) => Self::create(path, steps),
            (None, JournalPlace::Beside { shard }) => loop {
                // Another run may take the number in the meantime.
                match Self::create(&next_path(output, *shard), steps.clone()) {
                    Err(JournalError::Exists { .. }) => {}
                    created => return created,
                }
            },
        }
    }

    fn create(path: &Path, steps: Steps) -> Result<(Self, History), JournalError> {
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
        Ok((Self::with_file(path.to_path_buf(), file, 0, steps).map_err(failed)?, History::default()))
    }

    fn resume(path: &Path, steps: Steps) -> Result<(Self, History), JournalError> {
        let failed = |source| JournalError::Unusable { path: path.to_path_buf(), source };
        check_is_file(path).map_err(failed)?;
        let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(failed)?;
        lock(&file, path)?;
        let not_a_journal = |reason| JournalError::NotAJournal { path: path.to_path_buf(), reason };
        // A file that is not a journal is never truncated.
        let bytes = read_if_journal(&mut file).map_err(failed)?.ok_or_else(|| not_a_journal(HistoryError::NoHeader))?;
        let (whole, end) = complete_lines(&bytes);
        let history = History::read(whole).map_err(not_a_journal)?;
        // Remove an incomplete last line, so that the next entry starts on a new line.
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok((Self::with_file(path.to_path_buf(), file, end, steps).map_err(failed)?, history))
    }

    fn with_file(path: PathBuf, file: File, end: u64, steps: Steps) -> io::Result<Self> {
        let synced = Mutex::new(Synced { file: file.try_clone()?, end });
        let state = State { file, end, torn: false, lines: 0, synced_at: Instant::now() };
        Ok(Self { path, state: Mutex::new(state), synced, steps })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends an entry, and syncs if a sync is due. Returns the offset of the entry's end.
    ///
    /// # Errors
    /// Fails if the entry cannot be written; later calls fail as well.
    pub fn add(&self, entry: &Entry) -> io::Result<u64> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        let mut state = self.lock();
        if state.torn {
            return Err(io::Error::other("an earlier line could not be written"));
        }
        let added = self.steps.take().and_then(|()| state.file.write_all(&line));
        if let Err(error) = added {
            state.torn = true;
            return Err(error);
        }
        state.end += line.len() as u64;
        state.lines += 1;
        let end = state.end;
        let due = state.lines >= SYNC_LINES || state.synced_at.elapsed() >= SYNC_AFTER;
        drop(state);
        if due {
            self.sync_to(end)?;
        }
        Ok(end)
    }

    /// Waits until all entries up to the offset `end` are synced to disk. Concurrent callers share one sync.
    ///
    /// # Errors
    /// Fails if the file cannot be synced.
    pub fn sync_to(&self, end: u64) -> io::Result<()> {
        let mut synced = self.synced.lock().unwrap_or_else(PoisonError::into_inner);
        if synced.end >= end {
            return Ok(());
        }
        let mut state = self.lock();
        let reached = state.end;
        (state.lines, state.synced_at) = (0, Instant::now());
        drop(state);
        self.steps.take()?;
        synced.file.sync_data()?;
        synced.end = reached;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// True if the journal at `path` is locked by a run; false on file systems without locks.
pub fn is_in_use(path: &Path) -> bool {
    // A lock acquired here is released at once when the file is dropped.
    check_is_file(path)
        .and_then(|()| File::open(path))
        .is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Locks a journal against other runs. On file systems without locks, there is no protection.
fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    let since = Instant::now();
    loop {
        match file.try_lock() {
            // A child process that is being started by another thread briefly inherits open files and their locks.
            Err(TryLockError::WouldBlock) if since.elapsed() < LOCK_WAIT => std::thread::sleep(LOCK_WAIT / 20),
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse { path: path.to_owned() }),
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
}
