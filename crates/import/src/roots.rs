//! Maps a photo to the root it was found below.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// The roots of a walk, indexed by path.
#[derive(Debug)]
pub struct Roots<'a> {
    places: HashMap<&'a Path, usize>,
}

/// The root of a photo and its relative folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundIn {
    /// Index of the root, from 0.
    pub root: usize,
    /// The folders between the root and the photo; empty if the photo is directly in the root or is the root itself.
    pub below: PathBuf,
}

impl<'a> Roots<'a> {
    /// The roots of a [`walk`](super::walk).
    pub fn of(roots: &'a [PathBuf]) -> Self {
        let mut places = HashMap::new();
        for (place, root) in roots.iter().enumerate() {
            places.entry(root.as_path()).or_insert(place);
        }
        Self { places }
    }

    /// The first root that contains `photo`, a path as reported by the walk.
    pub fn find(&self, photo: &Path) -> Option<FoundIn> {
        let found = photo.ancestors().filter_map(|above| Some((*self.places.get(above)?, above)));
        let leads_down = |rest: &Path| rest.components().all(|part| matches!(part, Component::Normal(_)));
        let found = found.filter_map(|(root, above)| {
            let rest = photo.strip_prefix(above).ok().filter(|rest| leads_down(rest))?;
            Some(FoundIn { root, below: rest.parent().unwrap_or(Path::new("")).to_owned() })
        });
        found.min_by_key(|found| found.root)
    }
}

/// The innermost folder that contains all of `photos`; `None` without photos, or if they have none in common.
pub fn common_folder<P: AsRef<Path>>(photos: &[P]) -> Option<PathBuf> {
    let mut folders = photos.iter().map(|photo| photo.as_ref().parent().unwrap_or(Path::new("")));
    let first = folders.next()?;
    let common = folders.try_fold(first, |common, folder| common.ancestors().find(|above| folder.starts_with(above)));
    common.map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(roots: &[&str], photo: &str) -> Option<(usize, String)> {
        let roots: Vec<PathBuf> = roots.iter().map(PathBuf::from).collect();
        let found = Roots::of(&roots).find(Path::new(photo))?;
        Some((found.root, found.below.to_string_lossy().replace('\\', "/")))
    }

    #[test]
    fn a_photo_belongs_to_the_first_root_that_contains_it() {
        for (roots, photo, root, below) in [
            (&["in"][..], "in/a.jpg", 0, ""),
            (&["x", "in"], "in/3b/c/a.jpg", 1, "3b/c"),
            (&["in/3b", "in"], "in/3b/a.jpg", 0, ""),
            (&["in", "in/3b"], "in/3b/a.jpg", 0, "3b"),
            (&["."], "./3b/a.jpg", 0, "3b"),
            (&["in/"], "in/3b/a.jpg", 0, "3b"),
            (&["in/a.jpg", "in"], "in/a.jpg", 0, ""),
            // Found from the second root: relative to the first, the path would contain `..`.
            (&["in", "in/../other"], "in/../other/x/a.jpg", 1, "x"),
        ] {
            assert_eq!(found(roots, photo), Some((root, below.to_owned())), "{roots:?} {photo}");
        }
        assert_eq!(found(&["in"], "input/a.jpg"), None);
        assert_eq!(found(&["in"], "in/../a.jpg"), None);
    }
}
