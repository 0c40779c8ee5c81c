//! The files that an earlier part of a run has made of photos which are done again. They may be replaced and removed, and
//! no others: a journal may come from anybody, and files may have changed since it was written.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use picture::folder_of;
use recipe::has_written_extension;

use crate::journal::{FileEntry, StoredPath, file_digest};
use crate::worker::faults::RunNote;

/// Files named in a note at most.
const MAX_NAMED: usize = 5;

/// Tells the run's own files from all others.
pub(super) struct OwnFiles {
    /// The output folder as it was given: names are claimed from there.
    output: PathBuf,
    /// The same with links resolved; `None` if it is not there.
    real_output: Option<PathBuf>,
    /// The files by their path, with each content that the journal knows of them.
    known: BTreeMap<PathBuf, BTreeSet<String>>,
    /// The files of each photo, by the photo's absolute path.
    of_photo: HashMap<StoredPath, Vec<PathBuf>>,
    /// What the journal names and this run leaves alone, as the journal names it.
    left_alone: BTreeSet<PathBuf>,
}

impl OwnFiles {
    /// None yet, of a run into `output`.
    pub(super) fn new(output: &Path) -> Self {
        Self {
            output: output.to_owned(),
            real_output: fs::canonicalize(output).ok(),
            known: BTreeMap::new(),
            of_photo: HashMap::new(),
            left_alone: BTreeSet::new(),
        }
    }

    /// Takes `files`, which the journal says were made of `photo`, unless they are kept as they are or hold something else by
    /// now. Gives back the paths of those it takes.
    pub(super) fn take(
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
                None => self.left_alone.extend(file.path.to_path()),
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
                self.left_alone.insert(path);
            }
        }
        self.of_photo.entry(photo.clone()).or_default().extend(taken.iter().cloned());
        taken
    }

    /// True if `path` is one of these files and still holds what was written.
    pub(super) fn hold(&self, path: &Path) -> bool {
        self.known.get(path).is_some_and(|contents| self.may_be_ours(path) && holds_one_of(path, contents))
    }

    /// True if `path` was one of these files, and somebody has put something else there since the run began.
    pub(super) fn have_lost(&self, path: &Path) -> bool {
        self.known.contains_key(path) && !self.hold(path)
    }

    /// The files of the photo `input`, an absolute path.
    pub(super) fn of_photo(&self, input: &StoredPath) -> &[PathBuf] {
        self.of_photo.get(input).map_or(&[], Vec::as_slice)
    }

    /// True if `folder` lies in the output folder once links are resolved.
    pub(super) fn is_inside(&self, folder: &Path) -> bool {
        let real = fs::canonicalize(folder).ok();
        real.zip(self.real_output.as_ref()).is_some_and(|(real, output)| real.starts_with(output))
    }

    /// Says which files the journal names that this run leaves alone; `None` if there are none.
    pub(super) fn note(&self) -> Option<RunNote> {
        // One that two photos have had in turn is still what the later one has made of it.
        let left: Vec<&PathBuf> = self.left_alone.iter().filter(|path| !self.known.contains_key(*path)).collect();
        let files = left.iter().take(MAX_NAMED).map(|path| (*path).clone()).collect();
        (!left.is_empty()).then_some(RunNote::LeftAlone { files, more: left.len() > MAX_NAMED })
    }

    fn may_be_ours(&self, path: &Path) -> bool {
        has_written_extension(path)
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
    fn what_changes_after_the_run_has_begun_is_no_longer_its_own() {
        let folder = tempfile::tempdir().expect("made");
        let path = |name: &str| folder.path().join(name);
        for name in ["a.jpg", "b.jpg", "photo.jpg", "sheet.pdf", "kept.jpg"] {
            fs::write(path(name), name).expect("written");
        }
        let files = ["a.jpg", "b.jpg", "photo.jpg", "sheet.pdf", "kept.jpg", "gone.jpg"].map(|name| entry(name, name));
        let photo = StoredPath::Text("/in/photo.png".to_owned());
        let mut own = OwnFiles::new(folder.path());
        let (kept, original) = (path("kept.jpg"), path("photo.jpg"));
        let taken = own.take(&photo, &files, |path| path == kept, &mut |path| path == original);
        assert_eq!(taken, [path("a.jpg"), path("b.jpg"), path("sheet.pdf")]);
        assert_eq!(own.of_photo(&photo), taken);
        let note = own.note().expect("the photo stays").to_string();
        assert!(note.ends_with(&format!("were left alone: {}", original.display())), "{note}");
        assert!(taken.iter().all(|path| own.hold(path) && !own.have_lost(path)));
        fs::write(path("b.jpg"), "retouched").expect("written");
        assert!(own.have_lost(&path("b.jpg")) && !own.hold(&path("b.jpg")) && own.hold(&path("a.jpg")));
        assert!(!own.have_lost(&original), "it never was");
        // Another photo has had the name before: nothing to tell of.
        own.take(&StoredPath::Text("/in/a.png".to_owned()), &[entry("a.jpg", "older")], |_| false, &mut |_| false);
        assert_eq!(own.note().map(|note| note.to_string()), Some(note));
    }
}
