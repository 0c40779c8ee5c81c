//! An export into the output folder that was broken off before this window was opened.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::AppState;

/// What is known of it.
#[derive(Default)]
pub(crate) struct Unfinished {
    /// The output folder that was asked about last.
    pub asked: Option<PathBuf>,
    pub found: Option<UnfinishedRun>,
    /// The folders of which nothing more is said: a person has answered, or has exported into them.
    pub answered: HashSet<PathBuf>,
}

/// An export that was broken off.
pub(crate) struct UnfinishedRun {
    /// Its output folder.
    pub folder: PathBuf,
    /// Photos of the list that are done.
    pub done: usize,
    /// Photos of the list to be exported.
    pub total: usize,
}

impl AppState {
    /// Which folder is to be looked at, and for how many photos; `None` where nothing is to be said anyway.
    pub(crate) fn unfinished_key(&self) -> Option<(PathBuf, usize)> {
        let photos = self.list.library.all_to_export();
        let is_quiet =
            photos > 0 && self.export.batch.is_none() && !self.importing() && self.list.project.opening.is_none();
        let folder = usable_folder(self.settings.output_folder.as_deref()).filter(|_| is_quiet)?;
        (!self.export.unfinished.answered.contains(&folder)).then_some((folder, photos))
    }

    /// The export to be told of.
    pub(crate) fn unfinished_run(&self) -> Option<&UnfinishedRun> {
        let (folder, _) = self.unfinished_key()?;
        self.export.unfinished.found.as_ref().filter(|run| run.folder == folder)
    }
}

/// A folder that means the same wherever the program was started from.
pub(crate) fn usable_folder(folder: Option<&Path>) -> Option<PathBuf> {
    folder.filter(|folder| folder.is_absolute()).map(Path::to_owned)
}
