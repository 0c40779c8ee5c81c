//! A project: a file with a list of photos, the edits to each, and the settings of their crops. Nothing is decoded here.
//!
//! In reading order: [`Project`] is the content of a file; `text` converts it to text and back; `blocks` splits the text by
//! photo; `paths` stores paths so that a project can be moved together with its photos; `store` reads the file and writes
//! it atomically with a backup; `find` searches for missing photos.

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

pub use find::{MissingPhoto, find_photos};
pub use form::ProjectForm;
pub use store::{backup_path, lies_outside};

use recipe::PhotoEdits;

use crate::settings::Settings;

/// The file extension of projects.
pub const EXTENSION: &str = "ironcrop";

/// A list of photos with their edits and settings.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Project {
    /// The settings of the crops. Runtime, model, window and custom presets are not part of a project and have their
    /// defaults here.
    pub settings: Settings,
    /// The id of the last chosen preset.
    pub preset: Option<String>,
    /// The folders that were added, to recreate their subfolders; empty if unknown.
    pub roots: Vec<PathBuf>,
    /// The photos, in list order.
    pub photos: Vec<ProjectPhoto>,
    /// For an autosaved list: the project it belongs to; `None` otherwise.
    pub state_of: Option<PathBuf>,
}

/// One photo of a project.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ProjectPhoto {
    pub path: PathBuf,
    pub edits: PhotoEdits,
    /// Length and modification time of its file when the project was saved, to distinguish it from others with its name.
    pub mark: Option<FileMark>,
    /// True if the file was missing when the project was read.
    pub missing: bool,
    /// Its path when the project was saved, if different from [`ProjectPhoto::path`].
    pub previous_path: Option<PathBuf>,
}

/// Length and modification time of a file, to distinguish files with one name without reading them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileMark {
    /// Length in bytes.
    pub bytes: u64,
    /// Modification time in seconds since 1970; `None` if unknown.
    pub modified: Option<u64>,
}

/// A project that was read, with problems found.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    pub project: Project,
    /// Number of photos whose length has changed since it was saved.
    pub changed: usize,
    /// Names of invalid settings that were replaced by their defaults.
    pub settings_lost: Vec<String>,
    /// Number of photos whose edits were invalid and were dropped.
    pub edits_lost: usize,
    /// True if its output folder is outside the project's folder.
    pub output_outside: bool,
}

/// Why a project cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The file cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// The file exceeds the size limit.
    #[error("{} is larger than {} MB and is not a project", path.display(), limit / 1_000_000)]
    TooLong {
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// The file was written by a newer program.
    #[error("{} was saved by a newer Iron Cropper (format {version}); open it with that version", path.display())]
    Newer { path: PathBuf, version: i64 },
    /// The file cannot be parsed.
    #[error("{} is not a project, or is damaged: {reason}", path.display())]
    NotUnderstood { path: PathBuf, reason: ProjectForm },
    /// The file cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    /// A value cannot be represented in TOML.
    #[error("the project cannot be serialised: {0}")]
    Serialize(#[from] toml::ser::Error),
}

/// True if the name is that of a project or of its backup.
pub fn is_project(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    extension.trim_end_matches('~').eq_ignore_ascii_case(EXTENSION)
}

impl FileMark {
    /// Reads the mark of the file at `path`; `None` if there is no file.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Some(Self { bytes: metadata.len(), modified: since.map(|since| since.as_secs()) })
    }
}

impl Project {
    /// Updates the mark of each photo; a missing photo keeps its mark.
    pub fn mark_photos(&mut self) {
        for photo in &mut self.photos {
            photo.mark = FileMark::of(&photo.path).or(photo.mark);
        }
    }
}
