//! The files that a run was given. Nothing that is written may take their place.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use naming::fold;

/// The files that must stay, known by identity: a path, a link and a hard link to one file are all that file, and so is
/// its name in other letters where the file system does not tell them apart.
#[derive(Debug, Default)]
pub struct Originals {
    /// Real paths by the text they fold to.
    by_name: HashMap<String, Vec<PathBuf>>,
    // Two names of one file have its length in common. That leaves next to none to be opened and compared.
    by_length: HashMap<u64, Vec<PathBuf>>,
    /// Folders that have been seen to tell letters of different case apart.
    telling_apart: RefCell<HashSet<PathBuf>>,
}

impl Originals {
    /// The files among `paths` that are there.
    pub fn of<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        let mut originals = Self::default();
        for path in paths {
            let Some(metadata) = fs::metadata(path).ok().filter(fs::Metadata::is_file) else { continue };
            originals.by_length.entry(metadata.len()).or_default().push(path.clone());
            let real = real_path(path);
            originals.by_name.entry(fold(real.as_os_str())).or_default().push(real);
        }
        originals
    }

    /// True if the file at `path` is one of them under any name.
    pub fn hold(&self, path: &Path) -> bool {
        // A link to nothing is no original; a pipe must not be opened.
        let Some(metadata) = fs::metadata(path).ok().filter(fs::Metadata::is_file) else { return false };
        let alike = self.by_length.get(&metadata.len()).map_or(&[][..], Vec::as_slice);
        self.hold_name(&real_path(path)) || alike.iter().any(|original| is_same(original, path))
    }

    /// True if an original has the real path `path`, or has it in other letters that its file system does not tell apart.
    fn hold_name(&self, path: &Path) -> bool {
        let alike = self.by_name.get(&fold(path.as_os_str())).map_or(&[][..], Vec::as_slice);
        alike.iter().any(|original| original == path) || alike.iter().any(|original| !self.are_apart(original, path))
    }

    /// True if the names at which two real paths part are both listed in the folder they share. A file system that folds
    /// case lists one name and finds it under both.
    fn are_apart(&self, one: &Path, other: &Path) -> bool {
        let parts = one.components().zip(other.components());
        let shared: PathBuf = parts.clone().take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
        let Some((a, b)) = parts.into_iter().find(|(a, b)| a != b) else { return false };
        if self.telling_apart.borrow().contains(&shared) {
            return true;
        }
        let Ok(entries) = fs::read_dir(&shared) else { return false };
        let names: HashSet<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        let are_apart = names.contains(a.as_os_str()) && names.contains(b.as_os_str());
        if are_apart {
            self.telling_apart.borrow_mut().insert(shared);
        }
        are_apart
    }
}

/// True if both paths lead to one file. What cannot be compared counts as one: better a crop not written than a photo lost.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    same_file::is_same_file(one, other).unwrap_or_else(|error| error.kind() != io::ErrorKind::NotFound)
}

fn real_path(path: &Path) -> PathBuf {
    fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files in it, and the paths of them all.
    fn folder_of(names: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &&str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(&path, name).expect("written");
            path
        };
        let paths = names.iter().map(put).collect();
        (folder, paths)
    }

    #[test]
    fn a_name_in_other_letters_is_the_same_file_unless_the_folder_lists_both() {
        let (folder, paths) = folder_of(&["Anna.JPG", "Zoë.JPG", "Day/one.jpg", "other.jpg"]);
        let originals = Originals::of(&paths);
        let real = fs::canonicalize(folder.path()).expect("there");
        // What a file system that folds case would be asked for: it has no other file of that name.
        for name in ["Anna.JPG", "Anna.jpg", "anna.jpg", "zoe\u{308}.jpg", "DAY/One.jpg"] {
            assert!(originals.hold_name(&real.join(name)), "{name}");
        }
        for name in ["Annas.JPG", "Day/other.jpg", "Day/anna.jpg"] {
            assert!(!originals.hold_name(&real.join(name)), "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn two_files_that_differ_in_letters_are_two() {
        let (folder, paths) = folder_of(&["Anna.JPG", "anna.jpg", "DAY/b.jpg", "day/b.jpg"]);
        let originals = Originals::of([&paths[0], &paths[2]]);
        assert!(originals.hold(&paths[0]) && originals.hold(&paths[2]));
        if fs::read_dir(folder.path()).expect("readable").count() == 4 {
            assert!(!originals.hold(&paths[1]) && !originals.hold(&paths[3]));
        }
    }
}
