//! The files that an earlier part of the run has made from photos that are processed again. Only these may be replaced or
//! removed: a journal is untrusted input, and files may have changed since it was written.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use picture::folder_of;
use recipe::has_output_extension;

use crate::journal::{FileEntry, StoredPath, file_digest};
use crate::worker::faults::RunNote;

/// Maximum number of files listed in a note.
const MAX_NAMED: usize = 5;

/// The run's own files.
pub(super) struct OwnFiles {
    /// The output folder as given, which names are relative to.
    output: PathBuf,
    /// The output folder with links resolved; `None` if it does not exist.
    real_output: Option<PathBuf>,
    /// The files by path, with the SHA-256 of each content listed in the journal.
    known: BTreeMap<PathBuf, BTreeSet<String>>,
    /// The files of each photo, by the photo's absolute path.
    of_photo: HashMap<StoredPath, Vec<PathBuf>>,
    /// Files listed in the journal that this run does not touch, with their path in the journal.
    untouched: BTreeSet<PathBuf>,
}

impl OwnFiles {
    /// An empty set for a run into `output`.
    pub(super) fn new(output: &Path) -> Self {
        Self {
            output: output.to_owned(),
            real_output: fs::canonicalize(output).ok(),
            known: BTreeMap::new(),
            of_photo: HashMap::new(),
            untouched: BTreeSet::new(),
        }
    }

    /// Adds `files`, which the journal lists for `photo`, unless they are kept, are originals or have other content by now.
    /// Returns the paths added.
    pub(super) fn add(
        &mut self,
        photo: &StoredPath,
        files: &[FileEntry],
        is_kept: impl Fn(&Path) -> bool,
        is_original: &mut dyn FnMut(&Path) -> bool,
    ) -> Vec<PathBuf> {
        let mut contents: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
        for file in files {
            match file.path.below(&self.output) {
                Some(path) if is_kept(&path) => {}
                Some(path) => _ = contents.entry(path).or_default().insert(file.sha256.clone()),
                None => self.untouched.extend(file.path.to_path()),
            }
        }
        let mut taken = Vec::new();
        for (path, contents) in contents {
            if fs::symlink_metadata(&path).is_err() {
                continue;
            }
            if self.may_be_ours(&path) && holds_one_of(&path, &contents) && !is_original(&path) {
                self.known.entry(path.clone()).or_default().extend(contents);
                taken.push(path);
            } else {
                self.untouched.insert(path);
            }
        }
        self.of_photo.entry(photo.clone()).or_default().extend(taken.iter().cloned());
        taken
    }

    /// True if `path` is one of these files and its content is unchanged.
    pub(super) fn contains(&self, path: &Path) -> bool {
        self.known.get(path).is_some_and(|contents| self.may_be_ours(path) && holds_one_of(path, contents))
    }

    /// True if `path` was one of these files and has been replaced since the run began.
    pub(super) fn was_replaced(&self, path: &Path) -> bool {
        self.known.contains_key(path) && !self.contains(path)
    }

    /// The files of the photo with the absolute path `input`.
    pub(super) fn of_photo(&self, input: &StoredPath) -> &[PathBuf] {
        self.of_photo.get(input).map_or(&[], Vec::as_slice)
    }

    /// True if `folder` is inside the output folder after resolving links.
    pub(super) fn is_inside(&self, folder: &Path) -> bool {
        let real = fs::canonicalize(folder).ok();
        real.zip(self.real_output.as_ref()).is_some_and(|(real, output)| real.starts_with(output))
    }

    /// A note listing the files that this run does not touch; `None` if there are none.
    pub(super) fn note(&self) -> Option<RunNote> {
        // A file made from two photos in turn belongs to the later one.
        let left: Vec<&PathBuf> = self.untouched.iter().filter(|path| !self.known.contains_key(*path)).collect();
        let files = left.iter().take(MAX_NAMED).map(|path| (*path).clone()).collect();
        (!left.is_empty()).then_some(RunNote::Untouched { files, more: left.len() > MAX_NAMED })
    }

    fn may_be_ours(&self, path: &Path) -> bool {
        has_output_extension(path)
            && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
            && self.is_inside(folder_of(path))
    }
}

fn holds_one_of(path: &Path, contents: &BTreeSet<String>) -> bool {
    file_digest(path).is_ok_and(|found| contents.contains(&found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::digest;

    fn entry(path: &str, content: &str) -> FileEntry {
        let bytes = content.len() as u64;
        FileEntry { path: StoredPath::Text(path.to_owned()), bytes, sha256: digest(content.as_bytes()) }
    }

    #[test]
    fn files_changed_after_the_run_began_are_no_longer_its_own() {
        let folder = tempfile::tempdir().expect("created");
        let path = |name: &str| folder.path().join(name);
        for name in ["a.jpg", "b.jpg", "photo.jpg", "sheet.pdf", "kept.jpg"] {
            fs::write(path(name), name).expect("written");
        }
        let files = ["a.jpg", "b.jpg", "photo.jpg", "sheet.pdf", "kept.jpg", "gone.jpg"].map(|name| entry(name, name));
        let photo = StoredPath::Text("/in/photo.png".to_owned());
        let mut own = OwnFiles::new(folder.path());
        let (kept, original) = (path("kept.jpg"), path("photo.jpg"));
        let taken = own.add(&photo, &files, |path| path == kept, &mut |path| path == original);
        assert_eq!(taken, [path("a.jpg"), path("b.jpg"), path("sheet.pdf")]);
        assert_eq!(own.of_photo(&photo), taken);
        let note = own.note().expect("the photo stays").to_string();
        assert!(note.ends_with(&format!("were not touched: {}", original.display())), "{note}");
        assert!(taken.iter().all(|path| own.contains(path) && !own.was_replaced(path)));
        fs::write(path("b.jpg"), "retouched").expect("written");
        assert!(own.was_replaced(&path("b.jpg")) && !own.contains(&path("b.jpg")) && own.contains(&path("a.jpg")));
        assert!(!own.was_replaced(&original), "it is not a file of this run");
        // Another photo had the name before: no note.
        own.add(&StoredPath::Text("/in/a.png".to_owned()), &[entry("a.jpg", "older")], |_| false, &mut |_| false);
        assert_eq!(own.note().map(|note| note.to_string()), Some(note));
    }
}
