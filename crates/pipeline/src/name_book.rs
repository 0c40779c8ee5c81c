//! What crops are called: one book of names a run, so that no crop replaces another, and none a photo.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use naming::{CropFacts, MAX_NAME_BYTES, NameTemplate, OutputName, PhotoName, fold, portable, shortened};
use outcome::EncodeError;
use recipe::{OnConflict, OutputSpec};

use crate::originals::{Originals, is_same};

/// Bytes kept free at the end of a sheet's name for an extension and a suffix, so that neither ever eats into it.
const ROOM_AT_END: usize = ".jpeg".len() + " (9999)".len();

/// The name of the sheet of the crop in the file `crop`, without its extension: the crop's own, followed by `_sheet`.
pub fn sheet_stem(crop: &Path) -> OsString {
    const SHEET: &str = "_sheet";
    let stem = crop.file_stem().unwrap_or(OsStr::new("crop"));
    let mut name = shortened(stem, MAX_NAME_BYTES - ROOM_AT_END - SHEET.len());
    name.push(SHEET);
    name
}

/// What a crop's name turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Write the crop here.
    Write {
        /// The file.
        path: PathBuf,
        /// True where a file that is there is to be replaced.
        replace: bool,
    },
    /// Leave the file that is there.
    Skip {
        /// The file.
        path: PathBuf,
    },
}

/// The names given out in one run.
///
/// Names are compared without regard to case and to how accents are written, so that a run gives the same files on every
/// system.
#[derive(Debug)]
pub struct NameBook {
    output: OutputSpec,
    template: NameTemplate,
    originals: Originals,
    taken: HashSet<String>,
    free_from: HashMap<String, usize>,
    own: HashSet<PathBuf>,
}

impl NameBook {
    /// An empty book, whose crops are called after their photos. None of `originals`, the photos of the run and whatever else must
    /// stay, will be replaced or taken for a crop.
    pub fn new<'a>(output: OutputSpec, originals: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        // Suffix and Fail leave every file that is there, photo or not.
        let matters = matches!(output.on_conflict, OnConflict::Overwrite | OnConflict::Skip);
        let originals = if matters { Originals::of(originals) } else { Originals::default() };
        let template = NameTemplate::default();
        Self { output, template, originals, taken: HashSet::new(), free_from: HashMap::new(), own: HashSet::new() }
    }

    /// The same book, whose crops are called as `template` says.
    pub fn with_template(self, template: NameTemplate) -> Self {
        Self { template, ..self }
    }

    /// What a crop of `source` is to be called; [`NameBook::claim`] finds whether it may be.
    pub fn name(&self, source: &Path, photo: &PhotoName, crop: &CropFacts) -> OutputName {
        self.template.name(source, photo, crop)
    }

    /// What the sheet beside the file `crop`, whose name was claimed here, is to be called.
    pub fn sheet_name(&self, crop: &Path) -> OutputName {
        let folder = crop.parent().and_then(|folder| folder.strip_prefix(&self.output.folder).ok());
        OutputName { folder: folder.unwrap_or(Path::new("")).to_owned(), stem: sheet_stem(crop) }
    }

    /// Finds the name of a crop of `source` and keeps it from the crops that follow.
    ///
    /// A name given out earlier in this run is never given again: the later crop gets ` (2)`, or is refused under
    /// [`OnConflict::Fail`]. A file that is on the disk is dealt with as the policy says.
    ///
    /// # Errors
    /// The name is taken and the policy is to fail; or it is to skip or to replace, and what is there is one of the photos
    /// or a folder.
    pub fn claim(&mut self, source: &Path, name: &OutputName, extension: &str) -> Result<Claim, EncodeError> {
        let in_folder = |number| name.folder.join(file_name(&name.stem, number, extension));
        let first = fold(in_folder(1).as_os_str());
        // Every number below the one kept here has been found taken, and nothing frees a name again. Under Fail there is
        // only the first name.
        let fails = self.output.on_conflict == OnConflict::Fail;
        let mut number = if fails { 1 } else { self.free_from.get(&first).copied().unwrap_or(1) };
        let claim = loop {
            let name = in_folder(number);
            number += 1;
            let path = self.output.folder.join(&name);
            if let Some(claim) = self.claim_name(fold(name.as_os_str()), path, source)? {
                break claim;
            }
        };
        self.free_from.insert(first, number);
        Ok(claim)
    }

    /// Keeps the name of `path`, which an earlier part of this run has written, from all crops to come.
    pub fn reserve(&mut self, path: &Path) {
        self.taken.extend(self.key(path));
    }

    /// Takes `path` for a file that an earlier part of this run has written and that may be written anew: whoever gets its name
    /// replaces it.
    pub fn give_back(&mut self, path: PathBuf) {
        self.own.insert(path);
    }

    /// True where nothing has taken the name of `path`, which lies in the output folder as that was given.
    pub fn is_free(&self, path: &Path) -> bool {
        self.key(path).is_some_and(|key| !self.taken.contains(&key))
    }

    /// What `path` is known by in `taken`; `None` where it is no name below the output folder.
    fn key(&self, path: &Path) -> Option<String> {
        path.strip_prefix(&self.output.folder).ok().map(|name| fold(name.as_os_str()))
    }

    /// What becomes of a crop whose name `path`, given out before, another program has taken since.
    ///
    /// # Errors
    /// As [`NameBook::claim`].
    pub fn claim_again(
        &mut self,
        path: PathBuf,
        source: &Path,
        name: &OutputName,
        extension: &str,
    ) -> Result<Claim, EncodeError> {
        match self.output.on_conflict {
            OnConflict::Skip => Ok(Claim::Skip { path }),
            OnConflict::Suffix | OnConflict::Overwrite | OnConflict::Fail => self.claim(source, name, extension),
        }
    }

    /// The claim on one name; `None` where the next number has to be tried.
    fn claim_name(&mut self, key: String, path: PathBuf, source: &Path) -> Result<Option<Claim>, EncodeError> {
        let policy = self.output.on_conflict;
        let given_out = self.taken.contains(&key);
        let claim = if !given_out && fs::symlink_metadata(&path).is_err() {
            Claim::Write { path, replace: false }
        } else if !given_out && self.own.contains(&path) {
            Claim::Write { path, replace: true }
        } else {
            match policy {
                OnConflict::Fail => return Err(EncodeError::NameTaken { path }),
                _ if given_out => return Ok(None),
                OnConflict::Suffix => return Ok(None),
                _ if self.is_original(&path, source) => return Err(EncodeError::WouldReplaceSource { path }),
                _ if path.is_dir() => return Err(EncodeError::NameTaken { path }),
                OnConflict::Skip => Claim::Skip { path },
                OnConflict::Overwrite => Claim::Write { path, replace: true },
            }
        };
        self.taken.insert(key);
        Ok(Some(claim))
    }

    fn is_original(&self, path: &Path, source: &Path) -> bool {
        self.originals.hold(path) || (path.is_file() && is_same(source, path))
    }
}

/// `stem.extension`, from the second on `stem (2).extension`, within the length a name may have.
fn file_name(stem: &OsStr, number: usize, extension: &str) -> OsString {
    let mut end = if number > 1 { format!(" ({number})") } else { String::new() };
    end.push('.');
    end.push_str(extension);
    let mut name = shortened(stem, MAX_NAME_BYTES.saturating_sub(end.len()));
    if cfg!(windows) {
        name = portable(&name);
    }
    name.push(end);
    name
}

#[cfg(test)]
mod tests;
