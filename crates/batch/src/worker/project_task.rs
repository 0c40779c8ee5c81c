//! Requests about projects, and their events.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::ItemId;
use crate::project::{MissingPhoto, Opened, Project, ProjectError};

/// A request about a project.
#[derive(Clone, Debug)]
pub enum ProjectTask {
    /// Read a project. Ends with [`ProjectEvent::Opened`].
    Open(PathBuf),
    /// Write a project and keep the previous version as a backup. An existing file is replaced only if it is unchanged
    /// since this front end has last read or written it. Ends with [`ProjectEvent::Saved`].
    Save(PathBuf, Arc<Project>),
    /// The same without that check, after the user has confirmed. Ends with [`ProjectEvent::Saved`].
    SaveOver(PathBuf, Arc<Project>),
    /// Autosave the list, for recovery after a crash. Ends with [`ProjectEvent::Autosaved`].
    Autosave(Arc<Project>),
    /// Delete the autosaved list, since it was saved or discarded. Ends with [`ProjectEvent::Autosaved`].
    DeleteAutosave,
    /// Mark this window as open, and detect previous windows that crashed. Ends with [`ProjectEvent::SessionStarted`].
    BeginSession,
    /// Find autosaved lists of crashed processes. Ends with [`ProjectEvent::Recoverable`].
    FindRecoverable,
    /// Read a recoverable list. Its file is deleted once the list is autosaved or saved again. Ends with
    /// [`ProjectEvent::Opened`].
    OpenRecoverable(PathBuf),
    /// Delete a recoverable list. Ends with [`ProjectEvent::Autosaved`].
    DeleteRecoverable(PathBuf),
    /// Search for missing photos below a folder. Ends with [`ProjectEvent::Found`].
    FindPhotos {
        /// Folder to search.
        folder: PathBuf,
        wanted: Vec<(ItemId, MissingPhoto)>,
    },
}

/// An event about a project.
#[derive(Debug)]
pub enum ProjectEvent {
    /// A project was read, or why it was not.
    Opened(Result<Box<Opened>, ProjectFault>),
    /// A project was written, or why it was not.
    Saved(Result<(), ProjectFault>),
    /// A list was autosaved or deleted, or why it was not.
    Autosaved(Result<(), ProjectFault>),
    /// This window is marked as open; `Some` if previous windows crashed.
    SessionStarted(Option<CrashedSessions>),
    /// Recoverable lists, most recent first.
    Recoverable(Vec<RecoverableList>),
    /// The new paths of missing photos.
    Found(Vec<(ItemId, PathBuf)>),
}

/// Why a project or an autosaved list was not read, written or deleted.
#[derive(Debug, thiserror::Error)]
pub enum ProjectFault {
    /// The file cannot be read or written.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The file is damaged, and its backup exists.
    #[error("{error}. The previous version is available: open {}.", previous.display())]
    Damaged {
        /// What is wrong with it.
        error: ProjectError,
        /// The backup.
        previous: PathBuf,
    },
    /// Another process or window has written the file since it was read.
    #[error("{} was changed by another window or program; open it again, or save under another name", path.display())]
    WrittenSince { path: PathBuf },
    /// There is no folder for autosaved lists.
    #[error("the list cannot be saved for recovery: {0}")]
    NoPlace(io::Error),
    /// An autosaved list cannot be deleted.
    #[error("{} cannot be removed: {source}", path.display())]
    Remove { path: PathBuf, source: io::Error },
}

/// Windows that crashed since the last start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashedSessions {
    /// The files that were being read at that time.
    pub files: Vec<PathBuf>,
    /// Seconds since the last crash.
    pub age_s: u64,
    /// The log of the previous start, if it exists.
    pub log: Option<PathBuf>,
}

/// An autosaved list of a crashed process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoverableList {
    /// The autosave file.
    pub path: PathBuf,
    /// The project it belongs to; `None` if it was never saved as a project.
    pub state_of: Option<PathBuf>,
    pub photos: usize,
    /// Seconds since it was autosaved.
    pub age_s: u64,
}
