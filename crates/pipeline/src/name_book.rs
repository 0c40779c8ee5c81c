//! The output names of a run: no crop replaces another crop or a source photo.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use naming::{Characters, CropFacts, MAX_NAME_BYTES, NameTemplate, OutputName, PhotoName, fold, portable, shortened};
use outcome::EncodeError;
use recipe::{OnConflict, OutputSpec};

use crate::originals::{Originals, is_same};

/// Bytes reserved at the end of a sheet's name for the extension and a number, so that adding them never truncates `_sheet`.
const RESERVED_BYTES: usize = ".jpeg".len() + " (9999)".len();

/// The name, without extension, of the print sheet for the crop file `crop`: the crop's own stem followed by `_sheet`.
pub fn sheet_stem(crop: &Path) -> OsString {
    const SHEET: &str = "_sheet";
    let stem = crop.file_stem().unwrap_or(OsStr::new("crop"));
    let mut name = shortened(stem, MAX_NAME_BYTES - RESERVED_BYTES - SHEET.len());
    name.push(SHEET);
    name
}

/// The outcome of claiming a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Write the crop to this file.
    Write {
        path: PathBuf,
        /// True if an existing file is to be replaced.
        replace: bool,
    },
    /// Keep the existing file.
    Skip { path: PathBuf },
}

/// The names assigned in one run.
///
/// Names are compared case-insensitively and in Unicode normal form, so that a run produces the same files on every system.
#[derive(Debug)]
pub struct NameBook {
    output: OutputSpec,
    template: NameTemplate,
    originals: Originals,
    /// Folded names below the output folder.
    taken: HashSet<String>,
    /// The next number to try for a folded name.
    next_number: HashMap<String, usize>,
    /// Files that an earlier part of the run has written and that may be replaced.
    own: HashSet<PathBuf>,
}

impl NameBook {
    /// An empty name book with the default template. None of `originals` (the photos of the run and other files to protect)
    /// is ever replaced or mistaken for an existing crop.
    pub fn new(output: OutputSpec, originals: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        // Suffix and Fail keep every existing file, photo or not.
        let matters = matches!(output.on_conflict, OnConflict::Overwrite | OnConflict::Skip);
        let originals = if matters { Originals::of(originals) } else { Originals::default() };
        let template = NameTemplate::default();
        Self { output, template, originals, taken: HashSet::new(), next_number: HashMap::new(), own: HashSet::new() }
    }

    /// The same book with another template.
    pub fn with_template(self, template: NameTemplate) -> Self {
        Self { template, ..self }
    }

    /// The name of a crop of `source` by the template; [`NameBook::claim`] resolves conflicts.
    pub fn name(&self, source: &Path, photo: &PhotoName, crop: &CropFacts) -> OutputName {
        self.template.name(source, photo, crop)
    }

    /// The name of the print sheet for the crop file `crop`, whose name was claimed here.
    pub fn sheet_name(&self, crop: &Path) -> OutputName {
        let folder = crop.parent().and_then(|folder| folder.strip_prefix(&self.output.folder).ok());
        OutputName { folder: folder.unwrap_or(Path::new("")).to_owned(), stem: sheet_stem(crop) }
    }

    /// Claims a name for a crop of `source`, so that no later crop gets it.
    ///
    /// A name assigned earlier in this run is never assigned again: the later crop gets ` (2)`, or is refused under
    /// [`OnConflict::Fail`]. An existing file is handled by the conflict policy.
    ///
    /// # Errors
    /// Fails if the name exists and the policy is to fail, or if the policy is to skip or replace and the existing entry
    /// is a source photo or a folder.
    pub fn claim(&mut self, source: &Path, name: &OutputName, extension: &str) -> Result<Claim, EncodeError> {
        let characters = self.template.characters();
        let in_folder = |number| name.folder.join(file_name(&name.stem, number, extension, characters));
        let first = fold(in_folder(1).as_os_str());
        // All numbers below `next_number` are taken, and names are never freed. Under Fail only the first name is tried.
        let fails = self.output.on_conflict == OnConflict::Fail;
        let mut number = if fails { 1 } else { self.next_number.get(&first).copied().unwrap_or(1) };
        let claim = loop {
            let name = in_folder(number);
            number += 1;
            let path = self.output.folder.join(&name);
            if let Some(claim) = self.claim_name(fold(name.as_os_str()), path, source)? {
                break claim;
            }
        };
        self.next_number.insert(first, number);
        Ok(claim)
    }

    /// Reserves the name of `path`, a file that an earlier part of this run has written, so that no later crop gets it.
    pub fn reserve(&mut self, path: &Path) {
        self.taken.extend(self.key(path));
    }

    /// Marks `path` as a file that an earlier part of this run has written and that may be replaced by the crop that claims
    /// its name.
    pub fn allow_replacing(&mut self, path: PathBuf) {
        self.own.insert(path);
    }

    /// True if the name of `path`, a path below the output folder, has not been assigned.
    pub fn is_free(&self, path: &Path) -> bool {
        self.key(path).is_some_and(|key| !self.taken.contains(&key))
    }

    /// The key of `path` in `taken`; `None` if it is not below the output folder.
    fn key(&self, path: &Path) -> Option<String> {
        path.strip_prefix(&self.output.folder).ok().map(|name| fold(name.as_os_str()))
    }

    /// Claims again for a crop whose claimed file `path` another program has created in the meantime.
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

    /// Tries one name; `None` if the next number has to be tried.
    fn claim_name(&mut self, key: String, path: PathBuf, source: &Path) -> Result<Option<Claim>, EncodeError> {
        let policy = self.output.on_conflict;
        let is_taken = self.taken.contains(&key);
        let claim = if !is_taken && fs::symlink_metadata(&path).is_err() {
            Claim::Write { path, replace: false }
        } else if !is_taken && self.own.contains(&path) {
            Claim::Write { path, replace: true }
        } else {
            match policy {
                OnConflict::Fail => return Err(EncodeError::FileExists { path }),
                _ if is_taken => return Ok(None),
                OnConflict::Suffix => return Ok(None),
                _ if self.is_original(&path, source) => return Err(EncodeError::WouldReplaceSource { path }),
                _ if path.is_dir() => return Err(EncodeError::FileExists { path }),
                OnConflict::Skip => Claim::Skip { path },
                OnConflict::Overwrite => Claim::Write { path, replace: true },
            }
        };
        self.taken.insert(key);
        Ok(Some(claim))
    }

    fn is_original(&self, path: &Path, source: &Path) -> bool {
        self.originals.contains(path) || (path.is_file() && is_same(source, path))
    }
}

/// `stem.extension`, or `stem (2).extension` for numbers from 2 on, cut to the maximum length of a name.
fn file_name(stem: &OsStr, number: usize, extension: &str, characters: Characters) -> OsString {
    let mut end = if number > 1 { characters.number_suffix(number) } else { String::new() };
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
