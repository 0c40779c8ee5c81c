//! Finds photos whose crops would get the same name, before anything is written.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use geometry::Size;

use super::{CropFacts, NameTemplate, PhotoName, fold};

/// A photo and the facts for its crop names.
#[derive(Clone, Copy, Debug)]
pub struct PlannedPhoto<'a> {
    /// Path of the photo's file.
    pub source: &'a Path,
    /// The facts known before decoding.
    pub name: &'a PhotoName,
    /// The size of its crops in pixels.
    pub size: Size,
}

/// Photos whose crops would get the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The name of the first photo's crop, relative to the output folder and without extension.
    pub name: PathBuf,
    /// Their indices in the list of photos.
    pub photos: Vec<usize>,
}

/// Groups of photos with the same name under `template`, in the order of their first photos. Empty for a template that
/// depends on pixels or metadata, since its names are not known before decoding.
pub fn find_clashes(template: &NameTemplate, photos: &[PlannedPhoto<'_>]) -> Vec<Clash> {
    if template.depends_on_pixels() {
        return Vec::new();
    }
    let mut at: HashMap<String, usize> = HashMap::new();
    let mut names: Vec<Clash> = Vec::new();
    for (index, photo) in photos.iter().enumerate() {
        let facts = CropFacts { number: 1, several: false, size: photo.size, score: 0.0, quality: 0.0, taken: None };
        let name = template.name(photo.source, photo.name, &facts);
        let name = name.folder.join(name.stem);
        let index_of_name = *at.entry(fold(name.as_os_str())).or_insert(names.len());
        match names.get_mut(index_of_name) {
            Some(clash) => clash.photos.push(index),
            None => names.push(Clash { name, photos: vec![index] }),
        }
    }
    names.retain(|clash| clash.photos.len() > 1);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clashes(template: &str, sources: &[&str]) -> Vec<Vec<usize>> {
        let names: Vec<PhotoName> =
            (1..).take(sources.len()).map(|place| PhotoName { place, ..PhotoName::default() }).collect();
        let photos: Vec<PlannedPhoto<'_>> = sources
            .iter()
            .zip(&names)
            .map(|(source, name)| PlannedPhoto { source: Path::new(source), name, size: Size::new(8, 10) })
            .collect();
        let found = find_clashes(&template.parse().expect("valid"), &photos);
        found.into_iter().map(|clash| clash.photos).collect()
    }

    #[test]
    fn names_that_are_equal_on_some_system_clash() {
        let sources = ["x/Zoe\u{308}.jpg", "b.jpg", "y/ZOË.png", "c.jpg", "B.png"];
        assert_eq!(clashes("{stem}", &sources), [vec![0, 2], vec![1, 4]]);
        assert_eq!(clashes("{size}", &sources), [vec![0, 1, 2, 3, 4]]);
        for apart in ["{stem}{index}", "{folder}/{stem}_{index}", "{date}"] {
            assert_eq!(clashes(apart, &sources), Vec::<Vec<usize>>::new(), "{apart}");
        }
    }

    #[test]
    fn the_same_name_in_two_folders_does_not_clash() {
        assert_eq!(clashes("{folder}/{stem}", &["x/a.jpg", "y/a.jpg", "x/a.png"]), [vec![0, 2]]);
    }
}
