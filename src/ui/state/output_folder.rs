//! The output folder: the user's, or one proposed beside the photos.

use std::path::{Path, PathBuf};

use import::{common_folder, is_whole_disk};

use super::AppState;

/// Name of the proposed folder.
const NAME: &str = "Crops";

/// The proposal, and the state of the list it was made for.
#[derive(Default)]
pub(crate) struct ProposedFolder {
    folder: Option<PathBuf>,
    made_for: Option<u64>,
}

impl AppState {
    /// The folder that exports write to: the user's, else the proposed one. `None` without either.
    pub(crate) fn output_folder(&self) -> Option<&Path> {
        self.settings.output_folder.as_deref().or_else(|| self.proposed_folder())
    }

    /// The proposed output folder, if the user has set none: beside the photos of the list.
    pub(crate) fn proposed_folder(&self) -> Option<&Path> {
        self.export.proposed.folder.as_deref().filter(|_| self.settings.output_folder.is_none())
    }

    /// Follows the list with the proposal. While photos are still being added, the first proposal stays.
    pub(crate) fn update_proposed_folder(&mut self) {
        let changes = self.list.library.changes();
        let proposed = &self.export.proposed;
        let is_first = proposed.folder.is_none() || self.list.library.is_empty();
        if proposed.made_for == Some(changes) || (!is_first && self.importing()) {
            return;
        }
        let photos: Vec<&Path> = self.list.library.photos().iter().map(|photo| photo.path.as_path()).collect();
        self.export.proposed = ProposedFolder { folder: beside(&photos), made_for: Some(changes) };
    }
}

/// A folder beside `photos`, as an absolute path; none of them is in it. `None` without photos.
fn beside(photos: &[&Path]) -> Option<PathBuf> {
    // Photos of several disks have no folder in common, and only administrators write to the root of the system disk.
    let common = common_folder(photos).filter(|folder| !is_whole_disk(folder));
    let folder = common.or_else(|| Some(photos.first()?.parent()?.to_owned()))?;
    // In lower case: some file systems ignore the case.
    let within =
        |photo: &&Path| Some(photo.strip_prefix(&folder).ok()?.iter().next()?.to_string_lossy().to_lowercase());
    let taken: std::collections::HashSet<String> = photos.iter().filter_map(within).collect();
    let names = std::iter::once(NAME.to_owned()).chain((2..).map(|number| format!("{NAME} {number}")));
    let name = names.into_iter().find(|name| !taken.contains(&name.to_lowercase()))?;
    std::path::absolute(folder.join(name)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposed(photos: &[&str]) -> Option<PathBuf> {
        beside(&photos.iter().map(Path::new).collect::<Vec<_>>())
    }

    #[cfg(unix)]
    #[test]
    fn the_proposed_folder_is_beside_the_photos_and_has_none_of_them() {
        for (photos, folder) in [
            (&["/a/b/1.jpg"][..], "/a/b/Crops"),
            (&["/a/b/3a/1.jpg", "/a/b/3b/2.jpg"], "/a/b/Crops"),
            (&["/a/Crops/1.jpg"], "/a/Crops/Crops"),
            (&["/a/1.jpg", "/a/Crops/1.jpg"], "/a/Crops 2"),
            (&["/a/1.jpg", "/a/crops/x/1.jpg", "/a/CROPS 2/1.jpg"], "/a/Crops 3"),
            (&["/a/1.jpg", "/b/1.jpg"], "/a/Crops"),
        ] {
            assert_eq!(proposed(photos), Some(folder.into()), "{photos:?}");
        }
        assert_eq!(proposed(&[]), None);
    }

    #[test]
    fn a_relative_path_leads_to_an_absolute_proposal() {
        let here = std::env::current_dir().expect("a folder");
        assert_eq!(proposed(&["in/1.jpg"]), Some(here.join("in").join("Crops")));
    }
}
