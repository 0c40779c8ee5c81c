//! The photos that paths on the command line refer to.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use cancel::CancelToken;
use import::{WalkProblem, read_path_list, walk};
use recipe::{PairedPattern, paired_among};

use super::crop_args::InputArgs;
use super::print;

/// Inputs found.
pub(super) struct Inputs {
    pub(super) photos: Vec<PathBuf>,
    pub(super) problems: Vec<(PathBuf, String)>,
}

/// The given paths, followed by those of a list of paths.
pub(super) fn roots(input: &InputArgs) -> anyhow::Result<Vec<PathBuf>> {
    let mut roots = input.paths.clone();
    let Some(list) = &input.files_from else { return Ok(roots) };
    let listed = if list.as_os_str() == "-" {
        read_path_list(io::stdin().lock()).context("the list on standard input cannot be read")
    } else {
        let about = || format!("the list of photos {} cannot be read", print::path(list));
        File::open(list).and_then(read_path_list).with_context(about)
    };
    let listed = listed?;
    if listed.is_empty() {
        bail!("the list of photos {} is empty; write one path per line", print::path(list));
    }
    roots.extend(listed);
    Ok(roots)
}

/// Searches the given paths for photos.
pub(super) fn find_inputs(paths: &[PathBuf]) -> Inputs {
    let mut inputs = Inputs { photos: Vec::new(), problems: Vec::new() };
    let mut found = |paths: Vec<PathBuf>| inputs.photos.extend(paths);
    let mut problem = |path: PathBuf, problem: WalkProblem| inputs.problems.push((path, problem.to_string()));
    let loops = walk(paths, &mut found, &mut problem, &CancelToken::new()).loops;
    // A cyclic link loses nothing: it is a warning, not an error.
    inputs.problems.retain(|(path, reason)| {
        let harmless = loops.contains(path);
        if harmless {
            print::note(&format!("note: {}: {reason}", print::path(path)));
        }
        !harmless
    });
    inputs
}

/// If the output folder is inside a given folder, removes the crops of earlier runs from `photos`. Returns the removed
/// paths: they may include originals, so none of them may be replaced.
pub(super) fn skip_output(photos: &mut Vec<PathBuf>, named: &[PathBuf], output: &Path) -> Vec<PathBuf> {
    // If a file is in place of the folder, each photo reports that.
    let Some(output) = fs::canonicalize(output).ok().filter(|output| output.is_dir()) else { return Vec::new() };
    let named: Vec<PathBuf> = named.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
    let lies_inside = named.iter().any(|path| output.starts_with(path));
    if lies_inside && named.contains(&output) {
        print::note("note: crops are written to an input folder; the next run over it will crop them too");
    }
    if !lies_inside || named.iter().any(|path| path.starts_with(&output)) {
        return Vec::new();
    }
    let is_outside = |photo: &PathBuf| !fs::canonicalize(photo).is_ok_and(|photo| photo.starts_with(&output));
    let (outside, ignored) = std::mem::take(photos).into_iter().partition::<Vec<_>, _>(is_outside);
    *photos = outside;
    if !ignored.is_empty() {
        let (count, output) = (ignored.len(), print::path(&output));
        print::note(&format!(
            "note: {count} of the photos are in the output folder {output}; they are skipped and not replaced"
        ));
    }
    ignored
}

/// Removes the files that are paired with another of `photos`: they are cropped with its frame.
pub(super) fn skip_paired(photos: &mut Vec<PathBuf>, patterns: &[PairedPattern]) {
    let paired = paired_among(patterns, photos.iter().map(PathBuf::as_path));
    let paired: HashSet<PathBuf> = paired.into_iter().map(Path::to_owned).collect();
    photos.retain(|photo| !paired.contains(photo));
}

/// `photo` relative to the given folder; its file name if it was given itself.
pub(super) fn below_root<'a>(photo: &'a Path, roots: &[PathBuf]) -> &'a Path {
    let named = roots.iter().filter_map(|root| photo.strip_prefix(root).ok());
    let below = named.min_by_key(|rest| rest.components().count());
    below.filter(|rest| !rest.as_os_str().is_empty()).unwrap_or_else(|| photo.file_name().map_or(photo, Path::new))
}
