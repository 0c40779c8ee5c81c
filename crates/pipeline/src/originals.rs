//! The source photos of a run, which no output file may replace.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use naming::fold;

/// The files that must not be replaced, compared by identity: a path, a symbolic link and a hard link to one file all count
/// as that file, and so does its name in another case if the file system is case-insensitive.
#[derive(Debug, Default)]
pub struct Originals {
    /// Real paths by their folded text.
    by_name: HashMap<String, Vec<PathBuf>>,
    // All names of one file share its length, so very few files have to be opened and compared.
    by_length: HashMap<u64, Vec<PathBuf>>,
    /// Folders found to be case-sensitive.
    case_sensitive: RefCell<HashSet<PathBuf>>,
}

impl Originals {
    /// The files among `paths` that exist.
    pub fn of(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        let mut originals = Self::default();
        for path in paths {
            let path = path.as_ref();
            let Some(metadata) = fs::metadata(path).ok().filter(fs::Metadata::is_file) else { continue };
            originals.by_length.entry(metadata.len()).or_default().push(path.to_owned());
            let real = real_path(path);
            originals.by_name.entry(fold(real.as_os_str())).or_default().push(real);
        }
        originals
    }

    /// True if the file at `path` is one of them under any name.
    pub fn contains(&self, path: &Path) -> bool {
        // A dangling link is no original; a pipe must not be opened.
        let Some(metadata) = fs::metadata(path).ok().filter(fs::Metadata::is_file) else { return false };
        let alike = self.by_length.get(&metadata.len()).map_or(&[][..], Vec::as_slice);
        self.contains_name(&real_path(path)) || alike.iter().any(|original| is_same(original, path))
    }

    /// True if an original has the real path `path`, or a path that its file system treats as equal.
    fn contains_name(&self, path: &Path) -> bool {
        let alike = self.by_name.get(&fold(path.as_os_str())).map_or(&[][..], Vec::as_slice);
        alike.iter().any(|original| original == path) || alike.iter().any(|original| !self.are_distinct(original, path))
    }

    /// True if the first components in which two real paths differ are both listed in their common parent folder. A
    /// case-insensitive file system lists one name and finds it under both spellings.
    fn are_distinct(&self, one: &Path, other: &Path) -> bool {
        let parts = one.components().zip(other.components());
        let shared: PathBuf = parts.clone().take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
        let Some((a, b)) = parts.into_iter().find(|(a, b)| a != b) else { return false };
        if self.case_sensitive.borrow().contains(&shared) {
            return true;
        }
        let Ok(entries) = fs::read_dir(&shared) else { return false };
        let names: HashSet<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        let are_distinct = names.contains(a.as_os_str()) && names.contains(b.as_os_str());
        if are_distinct {
            self.case_sensitive.borrow_mut().insert(shared);
        }
        are_distinct
    }
}

/// True if both paths refer to one file. Files that cannot be compared count as one: better a missing crop than a lost photo.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    same_file::is_same_file(one, other).unwrap_or_else(|error| error.kind() != io::ErrorKind::NotFound)
}

fn real_path(path: &Path) -> PathBuf {
    fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files, and their paths.
    fn folder_of(names: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &&str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            fs::write(&path, name).expect("written");
            path
        };
        let paths = names.iter().map(put).collect();
        (folder, paths)
    }

    #[test]
    fn names_that_differ_in_case_are_one_file_unless_the_folder_lists_both() {
        let (folder, paths) = folder_of(&["Anna.JPG", "Zoë.JPG", "Day/one.jpg", "other.jpg"]);
        let originals = Originals::of(&paths);
        let real = fs::canonicalize(folder.path()).expect("exists");
        // Spellings that a case-insensitive file system would resolve to the listed file.
        for name in ["Anna.JPG", "Anna.jpg", "anna.jpg", "zoe\u{308}.jpg", "DAY/One.jpg"] {
            assert!(originals.contains_name(&real.join(name)), "{name}");
        }
        for name in ["Annas.JPG", "Day/other.jpg", "Day/anna.jpg"] {
            assert!(!originals.contains_name(&real.join(name)), "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_that_differ_in_case_are_distinct() {
        let (folder, paths) = folder_of(&["Anna.JPG", "anna.jpg", "DAY/b.jpg", "day/b.jpg"]);
        let originals = Originals::of([&paths[0], &paths[2]]);
        assert!(originals.contains(&paths[0]) && originals.contains(&paths[2]));
        if fs::read_dir(folder.path()).expect("readable").count() == 4 {
            assert!(!originals.contains(&paths[1]) && !originals.contains(&paths[3]));
        }
    }
}
