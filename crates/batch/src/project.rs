//! A project: a list of photos, what was decided about each, and the settings the crops are made with, as one file.
//!
//! In reading order: [`Project`] is what the file holds, `text` turns it into text and back, `blocks` takes a text apart photo by photo, `paths` writes the photos' paths
//! so that project and photos can move together, `store` reads the file and writes it without ever losing the one before,
//! `find` looks for photos that are no longer where they were. Nothing is decoded here.

mod blocks;
mod find;
mod form;
mod paths;
mod store;
mod text;

#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

pub use find::{Wanted, find_photos};
pub use form::ProjectForm;
pub use store::{lies_outside, previous_of};

use recipe::PhotoEdits;

use crate::settings::Settings;

/// The extension of a project's file.
pub const EXTENSION: &str = "ironcrop";

/// A list of photos and what was decided about it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Project {
    /// What the crops are made with; runtime, model, window and presets of one's own are no part of it and are as in
    /// [`Settings::default`].
    pub settings: Settings,
    /// The id of the preset that was chosen last.
    pub preset: Option<String>,
    /// The photos, in the list's order.
    pub photos: Vec<ProjectPhoto>,
    /// For a list that was kept by the program on its own: the project it is the state of; `None` where it has none.
    pub state_of: Option<PathBuf>,
}

/// One photo of a project.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ProjectPhoto {
    /// Its file.
    pub path: PathBuf,
    /// What was decided about it.
    pub edits: PhotoEdits,
    /// What its file was like when the project was written, so that it can be told from others of its name.
    pub mark: Option<FileMark>,
    /// True where the file was not there when the project was read.
    pub missing: bool,
    /// Where it was when the project was written, where that is another place than [`ProjectPhoto::path`].
    pub was_at: Option<PathBuf>,
}

/// What tells a file from others of its name without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileMark {
    /// Its length.
    pub bytes: u64,
    /// When it was changed last, in seconds since 1970; `None` where the system does not say.
    pub modified: Option<u64>,
}

/// A project as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// What it holds.
    pub project: Project,
    /// How many of its photos have another length than when it was written.
    pub changed: usize,
    /// The settings that could not be understood and took their default, by name.
    pub settings_lost: Vec<String>,
    /// For how many photos what was decided could not be understood and was left out.
    pub edits_lost: usize,
    /// True if its output folder lies outside of the project's own folder.
    pub output_outside: bool,
}

/// Why a project cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The file cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is far too long to be one.
    #[error("{} is longer than {} MB and is no project", path.display(), limit / 1_000_000)]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The most bytes that are read.
        limit: u64,
    },
    /// It was written by a newer program.
    #[error("{} was written by a newer Iron Cropper (layout {version}); open it with that", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its layout.
        version: i64,
    },
    /// It cannot be understood.
    #[error("{} is not a project, or is damaged: {reason}", path.display())]
    NotUnderstood {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: ProjectForm,
    },
    /// It cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A number has no form in the file.
    #[error("the project cannot be put into words: {0}")]
    Serialize(#[from] toml::ser::Error),
}

/// True where the name is that of a project, or of the version kept of one.
pub fn is_project(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    extension.trim_end_matches('~').eq_ignore_ascii_case(EXTENSION)
}

impl FileMark {
    /// The mark of the file at `path`; `None` where there is none.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Some(Self { bytes: metadata.len(), modified: since.map(|since| since.as_secs()) })
    }
}

impl Project {
    /// Notes what each photo's file is like now; a photo that is not there keeps what was known of it.
    pub fn mark_photos(&mut self) {
        for photo in &mut self.photos {
            photo.mark = FileMark::of(&photo.path).or(photo.mark);
        }
    }
}
