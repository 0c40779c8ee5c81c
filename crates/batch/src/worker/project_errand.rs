//! What front ends ask about a project, and what they get back.

use std::path::PathBuf;
use std::sync::Arc;

use super::ItemId;
use crate::project::{Opened, Project, Wanted};

/// What a front end asks about a project.
#[derive(Clone, Debug)]
pub enum ProjectErrand {
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
    /// What was read, or why nothing, in words.
    Opened(Result<Box<Opened>, String>),
    /// It was written, or why not, in words.
    Saved(Result<(), String>),
    /// The list was kept or forgotten, or why not, in words.
    Kept(Result<(), String>),
    /// This window is noted; one or more before it ended without closing.
    SessionBegun(Option<EndedBefore>),
    /// Lists that were lost, the latest first.
    Lost(Vec<LostList>),
    /// Where photos were found.
    Found(Vec<(ItemId, PathBuf)>),
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
