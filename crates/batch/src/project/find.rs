//! Searches for missing photos by name and length, preferring the most similar folders.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use cancel::CancelToken;

use super::FileMark;

/// A photo to search for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingPhoto {
    /// Its last known path.
    pub path: PathBuf,
    /// Length and modification time of its file.
    pub mark: Option<FileMark>,
}

/// Searches below `folder` for each of `wanted`: a file with the same name, and with the same length if known. Of several,
/// the one with the most agreeing folder names is taken; no file is assigned twice.
pub fn find_photos(folder: &Path, wanted: &[MissingPhoto], cancel: &CancelToken) -> Vec<Option<PathBuf>> {
    let mut by_name: HashMap<OsString, Vec<usize>> = HashMap::new();
    for (index, wanted) in wanted.iter().enumerate() {
        if let Some(name) = wanted.path.file_name() {
            by_name.entry(name.to_ascii_lowercase()).or_default().push(index);
        }
    }
    let mut pairs: Vec<(usize, usize, PathBuf)> = Vec::new();
    let files = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter().filter_map(Result::ok);
    for file in files.take_while(|_| !cancel.is_cancelled()).filter(|file| file.file_type().is_file()) {
        let Some(indices) = by_name.get(&file.file_name().to_ascii_lowercase()) else { continue };
        let bytes = file.metadata().map(|metadata| metadata.len()).ok();
        for &index in indices {
            if wanted[index].mark.is_none_or(|mark| Some(mark.bytes) == bytes) {
                pairs.push((alike(&wanted[index].path, file.path()), index, file.path().to_owned()));
            }
        }
    }
    // The sort is stable, so of equals the first in walk order is taken.
    pairs.sort_by_key(|(alike, ..)| std::cmp::Reverse(*alike));
    let (mut found, mut taken) = (vec![None; wanted.len()], std::collections::HashSet::new());
    for (_, index, path) in pairs {
        if found[index].is_none() && taken.insert(path.clone()) {
            found[index] = Some(path);
        }
    }
    found
}

/// Number of equal components at the end of both paths.
fn alike(a: &Path, b: &Path) -> usize {
    a.components().rev().zip(b.components().rev()).take_while(|(a, b)| a == b).count()
}
