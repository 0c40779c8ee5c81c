//! What front ends ask about a project, and what they get back.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::ItemId;
use crate::project::{Opened, Project, ProjectError, Wanted};

/// What a front end asks about a project.
#[derive(Clone, Debug)]
pub enum ProjectTask {
    /// Read a project. Ends with [`ProjectEvent::Opened`].
    Open(PathBuf),
    /// Write a project, the version before kept. A file that is there is replaced only if it is as this front end has read or
    /// written it last. Ends with [`ProjectEvent::Saved`].
    Save(PathBuf, Arc<Project>),
    /// The same, whatever is there: somebody has been asked. Ends with [`ProjectEvent::Saved`].
    SaveOver(PathBuf, Arc<Project>),
    /// Keep the list in case the program ends without closing. Ends with [`ProjectEvent::Kept`].
    Keep(Arc<Project>),
    /// Forget what was kept: it is saved, or nobody wants it. Ends with [`ProjectEvent::Kept`].
    ForgetKept,
    /// Note that this window is open, and find out whether one before it ended without closing. Ends with
    /// [`ProjectEvent::SessionBegun`].
    BeginSession,
    /// Find what programs kept that ended without closing. Ends with [`ProjectEvent::Lost`].
    FindLost,
    /// Read a list that was lost. It goes once what is made of it is kept or saved. Ends with [`ProjectEvent::Opened`].
    OpenLost(PathBuf),
    /// Take away a list that was lost and nobody wants. Ends with [`ProjectEvent::Kept`].
    ForgetLost(PathBuf),
    /// Look for photos below a folder. Ends with [`ProjectEvent::Found`].
    FindPhotos {
        /// The folder.
        folder: PathBuf,
        /// The photos.
        wanted: Vec<(ItemId, Wanted)>,
    },
}

/// What a front end is told about a project.
#[derive(Debug)]
pub enum ProjectEvent {
    /// What was read, or why nothing.
    Opened(Result<Box<Opened>, ProjectFault>),
    /// It was written, or why not.
    Saved(Result<(), ProjectFault>),
    /// The list was kept or forgotten, or why not.
    Kept(Result<(), ProjectFault>),
    /// This window is noted; one or more before it ended without closing.
    SessionBegun(Option<EndedBefore>),
    /// Lists that were lost, the latest first.
    Lost(Vec<LostList>),
    /// Where photos were found.
    Found(Vec<(ItemId, PathBuf)>),
}

/// Why a project or a kept list was not read, written or removed.
#[derive(Debug, thiserror::Error)]
pub enum ProjectFault {
    /// The file cannot be read or written.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// It is damaged, and the version before it is there.
    #[error("{error}. The version before it is there: open {}.", previous.display())]
    Damaged {
        /// What is wrong with it.
        error: ProjectError,
        /// The version before.
        previous: PathBuf,
    },
    /// Somebody else has written it since it was read.
    #[error("{} was written by another window or program since; open it again, or save under another name", path.display())]
    WrittenSince {
        /// The file.
        path: PathBuf,
    },
    /// There is no place to keep a list in.
    #[error("no list can be kept: {0}")]
    NoPlace(io::Error),
    /// A kept list cannot be removed.
    #[error("{} cannot be removed: {source}", path.display())]
    Remove {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// Windows that ended without closing since the last start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedBefore {
    /// The files that were being read when they did.
    pub files: Vec<PathBuf>,
    /// Seconds since the last of them did.
    pub age_s: u64,
    /// The log of the start before, where there is one.
    pub log: Option<PathBuf>,
}

/// A list that a program kept which then ended without closing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostList {
    /// The file it was kept in.
    pub path: PathBuf,
    /// The project it is the state of; `None` where it had none.
    pub state_of: Option<PathBuf>,
    /// How many photos it has.
    pub photos: usize,
    /// Seconds since it was kept.
    pub age_s: u64,
}
