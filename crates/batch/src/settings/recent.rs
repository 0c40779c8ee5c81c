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
    /// Where these projects were left.
    pub places: Vec<Place>,
}

/// Where a project was left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub project: PathBuf,
    /// The photo on the canvas.
    pub photo: PathBuf,
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

    /// Records the photo at which a recent project is left.
    pub fn leave_project_at(&mut self, project: &Path, photo: &Path) {
        self.places.retain(|place| place.project != project && self.projects.contains(&place.project));
        if self.projects.iter().any(|recent| recent == project) {
            self.places.push(Place { project: project.to_owned(), photo: photo.to_owned() });
        }
    }

    /// The photo at which a project was left, if known.
    pub fn photo_of(&self, project: &Path) -> Option<&Path> {
        self.places.iter().find(|place| place.project == project).map(|place| place.photo.as_path())
    }

    /// Removes a path that no longer exists; true if it was listed.
    pub fn forget(&mut self, path: &Path) -> bool {
        let count = self.folders.len() + self.projects.len();
        self.folders.retain(|other| other != path);
        self.projects.retain(|other| other != path);
        self.places.retain(|place| place.project != path);
        self.folders.len() + self.projects.len() < count
    }

    /// Removes paths that are not valid Unicode or not absolute, and truncates to the maximum.
    pub(super) fn repair(&mut self) {
        for list in [&mut self.folders, &mut self.projects] {
            list.retain(|path| path.to_str().is_some() && path.is_absolute());
            list.truncate(Self::MAX);
        }
        let Self { projects, places, .. } = self;
        places.retain(|place| place.photo.to_str().is_some() && projects.contains(&place.project));
        places.truncate(Self::MAX);
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
    fn the_place_of_a_recent_project_is_known_until_it_is_forgotten() {
        let mut recent = Recent::default();
        let (school, club) = (Path::new("/school.ironcrop"), Path::new("/club.ironcrop"));
        recent.leave_project_at(school, Path::new("/a.jpg"));
        assert_eq!(recent.photo_of(school), None, "it is not recent");
        recent.add_project(school);
        recent.add_project(club);
        recent.leave_project_at(school, Path::new("/a.jpg"));
        recent.leave_project_at(club, Path::new("/c.jpg"));
        recent.leave_project_at(school, Path::new("/b.jpg"));
        assert_eq!(
            (recent.photo_of(school), recent.photo_of(club)),
            (Some(Path::new("/b.jpg")), Some(Path::new("/c.jpg")))
        );
        recent.forget(club);
        assert_eq!(recent.places.len(), 1);
        recent.projects.clear();
        recent.repair();
        assert_eq!(recent.places, []);
    }

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
