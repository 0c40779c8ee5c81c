//! Which of the paths that were named a photo was found from.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// The paths that were named, by what they are.
#[derive(Debug)]
pub struct Roots<'a> {
    places: HashMap<&'a Path, usize>,
}

/// Where a photo was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundIn {
    /// The place among the paths that were named, from 0, of the one it was found from.
    pub root: usize,
    /// The folders between that one and the photo; empty where it lies in it, or is the one that was named.
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

    /// Where `photo`, as the walk told of it, was found: from the first root that it lies in.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn found(roots: &[&str], photo: &str) -> Option<(usize, String)> {
        let roots: Vec<PathBuf> = roots.iter().map(PathBuf::from).collect();
        let found = Roots::of(&roots).find(Path::new(photo))?;
        Some((found.root, found.below.to_string_lossy().replace('\\', "/")))
    }

    #[test]
    fn a_photo_is_below_the_first_root_it_lies_in() {
        for (roots, photo, root, below) in [
            (&["in"][..], "in/a.jpg", 0, ""),
            (&["x", "in"], "in/3b/c/a.jpg", 1, "3b/c"),
            (&["in/3b", "in"], "in/3b/a.jpg", 0, ""),
            (&["in", "in/3b"], "in/3b/a.jpg", 0, "3b"),
            (&["."], "./3b/a.jpg", 0, "3b"),
            (&["in/"], "in/3b/a.jpg", 0, "3b"),
            (&["in/a.jpg", "in"], "in/a.jpg", 0, ""),
            // Found from the second: the first would lead out.
            (&["in", "in/../other"], "in/../other/x/a.jpg", 1, "x"),
        ] {
            assert_eq!(found(roots, photo), Some((root, below.to_owned())), "{roots:?} {photo}");
        }
        assert_eq!(found(&["in"], "input/a.jpg"), None);
        assert_eq!(found(&["in"], "in/../a.jpg"), None);
    }
}
