//! Recently opened folders and projects.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Recently opened folders and projects, most recent first.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Recent {
    /// Folders that photos were added from.
    pub folders: Vec<PathBuf>,
    pub projects: Vec<PathBuf>,
}

impl Recent {
    /// Maximum number of each.
    pub const MAX: usize = 10;

    /// Moves or adds a folder to the front.
    pub fn add_folder(&mut self, folder: &Path) {
        put_first(&mut self.folders, folder);
    }

    /// Moves or adds a project to the front.
    pub fn add_project(&mut self, project: &Path) {
        put_first(&mut self.projects, project);
    }

    /// Removes a path that no longer exists; true if it was listed.
    pub fn forget(&mut self, path: &Path) -> bool {
        let count = self.folders.len() + self.projects.len();
        self.folders.retain(|other| other != path);
        self.projects.retain(|other| other != path);
        self.folders.len() + self.projects.len() < count
    }

    /// Removes paths that are not valid Unicode or not absolute, and truncates to the maximum.
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
    fn the_most_recent_is_first_and_each_is_listed_once() {
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
