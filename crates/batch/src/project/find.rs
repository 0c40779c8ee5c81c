//! Looking for photos that are no longer where they were: by name and length, nearest by the folders they lie in.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use cancel::CancelToken;

use super::FileMark;

/// A photo that is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Where it was.
    pub path: PathBuf,
    /// What its file was like.
    pub mark: Option<FileMark>,
}

/// Looks below `folder` for each of `wanted`: a file of the same name, and of the same length where that is known. Among
/// several the one whose folders are called most alike is taken; no file is given to two.
pub fn find_photos(folder: &Path, wanted: &[Wanted], cancel: &CancelToken) -> Vec<Option<PathBuf>> {
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
    // The walk's order decides between equals.
    pairs.sort_by_key(|(alike, ..)| std::cmp::Reverse(*alike));
    let (mut found, mut taken) = (vec![None; wanted.len()], std::collections::HashSet::new());
    for (_, index, path) in pairs {
        if found[index].is_none() && taken.insert(path.clone()) {
            found[index] = Some(path);
        }
    }
    found
}

/// How many parts at the end of both paths are called the same.
fn alike(a: &Path, b: &Path) -> usize {
    a.components().rev().zip(b.components().rev()).take_while(|(a, b)| a == b).count()
}
