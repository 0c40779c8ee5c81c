//! An interrupted export found in the output folder.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::AppState;

/// State of the search for it.
#[derive(Default)]
pub(crate) struct Unfinished {
    /// The output folder that was searched last.
    pub searched: Option<PathBuf>,
    pub found: Option<UnfinishedRun>,
    /// Folders for which the message was answered, or that were exported to since.
    pub answered: HashSet<PathBuf>,
}

/// An interrupted export.
pub(crate) struct UnfinishedRun {
    /// Its output folder.
    pub folder: PathBuf,
    /// Number of photos of the list that are done.
    pub done: usize,
    /// Number of photos of the list to be exported.
    pub total: usize,
}

impl AppState {
    /// The folder to search and the number of photos; `None` if the result would not be shown.
    pub(crate) fn unfinished_key(&self) -> Option<(PathBuf, usize)> {
        let photos = self.list.library.all_to_export();
        let is_quiet =
            photos > 0 && self.export.batch.is_none() && !self.importing() && self.list.project.opening.is_none();
        let folder = usable_folder(self.output_folder()).filter(|_| is_quiet)?;
        (!self.export.unfinished.answered.contains(&folder)).then_some((folder, photos))
    }

    /// The interrupted export to report.
    pub(crate) fn unfinished_run(&self) -> Option<&UnfinishedRun> {
        let (folder, _) = self.unfinished_key()?;
        self.export.unfinished.found.as_ref().filter(|run| run.folder == folder)
    }
}

/// The folder as an absolute path, independent of the working directory.
pub(crate) fn usable_folder(folder: Option<&Path>) -> Option<PathBuf> {
    folder.filter(|folder| folder.is_absolute()).map(Path::to_owned)
}
