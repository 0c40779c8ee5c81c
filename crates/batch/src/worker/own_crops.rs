//! Crops of earlier exports in the folders of an import: they are not photos to crop again.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::journal::{CropLog, LoggedCrop, find_of_all_shards};

/// Finds crops by the journals of the output folders below `roots`.
pub(super) struct OwnCrops<'a> {
    roots: &'a [PathBuf],
    /// The files written into each folder seen so far.
    written: HashMap<PathBuf, HashSet<PathBuf>>,
}

impl<'a> OwnCrops<'a> {
    pub(super) fn new(roots: &'a [PathBuf]) -> Self {
        Self { roots, written: HashMap::new() }
    }

    /// True if an export into a folder below a root wrote this file. What was given as a root is meant as it is.
    pub(super) fn contains(&mut self, file: &Path) -> bool {
        if !self.roots.iter().any(|root| file != root && file.starts_with(root)) {
            return false;
        }
        let folders = file.ancestors().skip(1).take_while(|folder| !self.roots.iter().any(|root| root == folder));
        folders.into_iter().any(|folder| {
            let written = self.written.entry(folder.to_owned()).or_insert_with(|| written_into(folder));
            written.contains(file)
        })
    }
}

fn written_into(folder: &Path) -> HashSet<PathBuf> {
    let log = CropLog::read(&find_of_all_shards(folder).into_iter().collect());
    let files = log.photos.iter().flat_map(|photo| &photo.crops).flat_map(LoggedCrop::files);
    files.filter_map(|file| file.path.below(folder)).collect()
}
