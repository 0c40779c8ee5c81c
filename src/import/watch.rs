//! Watching a folder for photos that come into it, as a camera on a cable brings them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use walkdir::{DirEntry, WalkDir};

use super::{has_picture_extension, natural_cmp};

/// A folder and what was seen in it.
#[derive(Debug)]
pub struct FolderWatch {
    folder: PathBuf,
    /// What was there at the start or was told of.
    known: HashSet<PathBuf>,
    /// What has come since and may still be written: its length and time at the last look.
    coming: HashMap<PathBuf, (u64, Option<SystemTime>)>,
}

impl FolderWatch {
    /// Watches `folder` and the folders in it; what is there now is no news.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn start(folder: &Path) -> io::Result<Self> {
        let mut watch = Self { folder: folder.to_owned(), known: HashSet::new(), coming: HashMap::new() };
        watch.known = watch.pictures()?.into_iter().map(DirEntry::into_path).collect();
        Ok(watch)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// True where something has come that may still be written: worth another look soon.
    pub fn expects(&self) -> bool {
        !self.coming.is_empty()
    }

    /// The pictures that have come since the last look and are whole: of those, length and time have not changed between
    /// two looks. Hidden files and folders are passed over, links to folders are not followed.
    ///
    /// # Errors
    /// The folder cannot be read any more.
    pub fn look(&mut self) -> io::Result<Vec<PathBuf>> {
        let (mut whole, mut coming) = (Vec::new(), HashMap::new());
        for entry in self.pictures()? {
            if self.known.contains(entry.path()) {
                continue;
            }
            let Ok(metadata) = fs::metadata(entry.path()) else { continue };
            let now = (metadata.len(), metadata.modified().ok());
            let path = entry.into_path();
            if self.coming.get(&path) == Some(&now) && now.0 > 0 {
                self.known.insert(path.clone());
                whole.push(path);
            } else {
                coming.insert(path, now);
            }
        }
        self.coming = coming;
        Ok(whole)
    }

    fn pictures(&self) -> io::Result<Vec<DirEntry>> {
        // A folder that is gone is told; one inside it that cannot be read is not there for us.
        fs::read_dir(&self.folder)?;
        let by_name = |a: &DirEntry, b: &DirEntry| natural_cmp(a.file_name(), b.file_name());
        let is_seen = |entry: &DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
        let entries = WalkDir::new(&self.folder).sort_by(by_name).into_iter().filter_entry(is_seen);
        let is_picture = |entry: &DirEntry| !entry.file_type().is_dir() && has_picture_extension(entry.path());
        Ok(entries.filter_map(Result::ok).filter(is_picture).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_is_told_once_it_stands_still_and_only_once() {
        let folder = tempfile::tempdir().expect("made");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("old.jpg"), "there before").expect("written");
        let mut watch = FolderWatch::start(folder.path()).expect("readable");
        let mut look = || watch.look().expect("readable");
        assert!(look().is_empty());
        fs::write(path("new.jpg"), "half").expect("written");
        fs::write(path("notes.txt"), "no photo").expect("written");
        fs::write(path(".hidden.jpg"), "hidden").expect("written");
        fs::create_dir(path("day 1")).expect("made");
        fs::write(path("day 1/deep.JPG"), "").expect("begun");
        assert!(look().is_empty(), "it may still be written");
        fs::write(path("new.jpg"), "half and half").expect("written");
        assert!(look().is_empty(), "it was");
        assert_eq!(look(), [path("new.jpg")]);
        assert!(look().is_empty(), "told once, and what is empty is not begun");
        fs::write(path("day 1/deep.JPG"), "whole").expect("written");
        look();
        assert_eq!(look(), [path("day 1/deep.JPG")]);
        fs::rename(path("notes.txt"), path("renamed.png")).expect("renamed");
        look();
        assert_eq!(look(), [path("renamed.png")]);
    }

    #[test]
    fn a_folder_that_is_gone_is_an_error() {
        let folder = tempfile::tempdir().expect("made");
        let inside = folder.path().join("camera");
        assert!(FolderWatch::start(&inside).is_err());
        fs::create_dir(&inside).expect("made");
        let mut watch = FolderWatch::start(&inside).expect("readable");
        fs::remove_dir(&inside).expect("removed");
        assert_eq!(watch.look().expect_err("gone").kind(), io::ErrorKind::NotFound);
        fs::write(&inside, "a file now").expect("written");
        assert!(watch.look().is_err());
    }
}
