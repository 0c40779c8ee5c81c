//! Folders and projects that were opened last, to be opened again.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What was opened last, the latest first.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Recent {
    /// Folders that photos were added from.
    pub folders: Vec<PathBuf>,
    /// Projects.
    pub projects: Vec<PathBuf>,
}

impl Recent {
    /// As many of each are kept.
    pub const MAX: usize = 10;

    /// Puts a folder first.
    pub fn add_folder(&mut self, folder: &Path) {
        put_first(&mut self.folders, folder);
    }

    /// Puts a project first.
    pub fn add_project(&mut self, project: &Path) {
        put_first(&mut self.projects, project);
    }

    /// Forgets a path that is no longer there; true where it was kept.
    pub fn forget(&mut self, path: &Path) -> bool {
        let count = self.folders.len() + self.projects.len();
        self.folders.retain(|other| other != path);
        self.projects.retain(|other| other != path);
        self.folders.len() + self.projects.len() < count
    }

    /// Without what has no form in the settings file, relative paths, and what is too many.
    pub(super) fn repair(&mut self) {
        for list in [&mut self.folders, &mut self.projects] {
            list.retain(|path| path.to_str().is_some() && path.is_absolute());
            list.truncate(Self::MAX);
        }
    }
}

fn put_first(list: &mut Vec<PathBuf>, path: &Path) {
    list.retain(|other| other != path);
    list.insert(0, path.to_owned());
    list.truncate(Recent::MAX);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_stands_first_and_each_once() {
        let mut recent = Recent::default();
        for number in 0..12 {
            recent.add_folder(Path::new(&format!("/{number}")));
        }
        recent.add_folder(Path::new("/5"));
        assert_eq!(recent.folders.len(), Recent::MAX);
        assert_eq!(recent.folders[..2], [PathBuf::from("/5"), PathBuf::from("/11")]);
        assert!(recent.forget(Path::new("/5")) && !recent.forget(Path::new("/5")));
        assert_eq!(recent.folders[0], Path::new("/11"));
    }
}
