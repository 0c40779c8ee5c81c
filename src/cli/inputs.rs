//! The photos that paths on the command line stand for.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use cancel::CancelToken;
use import::{WalkProblem, read_path_list, walk};

use super::crop_args::InputArgs;
use super::print;

/// The inputs that paths come to.
pub(super) struct Inputs {
    pub(super) photos: Vec<PathBuf>,
    pub(super) problems: Vec<(PathBuf, String)>,
}

/// The paths that were named, those of a list behind the others.
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
        bail!("the list of photos {} names none; write one path a line", print::path(list));
    }
    roots.extend(listed);
    Ok(roots)
}

/// Walks the paths that were named.
pub(super) fn find_inputs(paths: &[PathBuf]) -> Inputs {
    let mut inputs = Inputs { photos: Vec::new(), problems: Vec::new() };
    let mut found = |paths: Vec<PathBuf>| inputs.photos.extend(paths);
    let mut problem = |path: PathBuf, problem: WalkProblem| inputs.problems.push((path, problem.to_string()));
    let loops = walk(paths, &mut found, &mut problem, &CancelToken::new()).loops;
    // Nothing is missed by a link that leads back: worth a word, not a failure.
    inputs.problems.retain(|(path, reason)| {
        let harmless = loops.contains(path);
        if harmless {
            print::note(&format!("note: {}: {reason}", print::path(path)));
        }
        !harmless
    });
    inputs
}

/// Where the output folder lies inside a folder that was named, the crops of earlier runs are no photos to crop. Gives
/// back what was passed over: it may hold originals too, so nothing of it is replaced.
pub(super) fn pass_over_output(photos: &mut Vec<PathBuf>, named: &[PathBuf], output: &Path) -> Vec<PathBuf> {
    // A file in place of the folder is told of photo by photo.
    let Some(output) = fs::canonicalize(output).ok().filter(|output| output.is_dir()) else { return Vec::new() };
    let named: Vec<PathBuf> = named.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
    let lies_inside = named.iter().any(|path| output.starts_with(path));
    if lies_inside && named.contains(&output) {
        print::note("note: crops go into a folder of photos that was named; the next run over it will crop them too");
    }
    if !lies_inside || named.iter().any(|path| path.starts_with(&output)) {
        return Vec::new();
    }
    let is_outside = |photo: &PathBuf| !fs::canonicalize(photo).is_ok_and(|photo| photo.starts_with(&output));
    let (outside, passed_over) = std::mem::take(photos).into_iter().partition::<Vec<_>, _>(is_outside);
    *photos = outside;
    if !passed_over.is_empty() {
        let (count, output) = (passed_over.len(), print::path(&output));
        print::note(&format!(
            "note: {count} of the pictures lie in the output folder {output}: they are passed over and not replaced"
        ));
    }
    passed_over
}

/// `photo` from the folder on that was named; its name alone where it was named itself.
pub(super) fn below_root<'a>(photo: &'a Path, roots: &[PathBuf]) -> &'a Path {
    let named = roots.iter().filter_map(|root| photo.strip_prefix(root).ok());
    let below = named.min_by_key(|rest| rest.components().count());
    below.filter(|rest| !rest.as_os_str().is_empty()).unwrap_or_else(|| photo.file_name().map_or(photo, Path::new))
}
