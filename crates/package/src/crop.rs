//! The crops of a package.

use std::path::PathBuf;

use naming::fold_text;

/// A crop and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PackageCrop {
    /// The file.
    pub path: PathBuf,
    /// Its path relative to the index, with `/` between levels.
    pub file: String,
    /// The file name of its photo.
    pub photo: String,
    /// True if it shows another file of the same person with the photo's frame, such as a mask.
    pub is_paired: bool,
    /// The id of the preset it was made with; empty if unknown.
    pub preset: String,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The cells of its photo's row in the list of names, each with its heading, in the order of the list.
    pub row: Vec<(String, String)>,
}

impl PackageCrop {
    /// Folder and file name of [`PackageCrop::file`]; the folder is empty for crops beside the index.
    pub fn folder_and_name(&self) -> (&str, &str) {
        self.file.rsplit_once('/').unwrap_or(("", &self.file))
    }

    /// The file name without extension.
    pub fn stem(&self) -> &str {
        let (_, name) = self.folder_and_name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The cell below `heading`, ignoring case.
    pub(crate) fn cell(&self, heading: &str) -> Option<&str> {
        let heading = fold_text(heading);
        self.row.iter().find(|(own, _)| fold_text(own) == heading).map(|(_, cell)| cell.as_str())
    }
}

/// All crops of a folder, in the order of the index.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Package {
    /// The name of the folder.
    pub title: String,
    pub crops: Vec<PackageCrop>,
}

impl Package {
    /// The headings of the lists of all crops, in the order of the lists.
    pub(crate) fn headings(&self) -> Vec<&str> {
        let mut headings: Vec<(&str, String)> = Vec::new();
        let mut last: Option<&PackageCrop> = None;
        for crop in &self.crops {
            // Nearly all rows are from one list.
            let is_same = |last: &PackageCrop| {
                last.row.len() == crop.row.len() && last.row.iter().zip(&crop.row).all(|(a, b)| a.0 == b.0)
            };
            if last.is_none_or(|last| !is_same(last)) {
                for (heading, _) in &crop.row {
                    let folded = fold_text(heading);
                    if headings.iter().all(|(_, known)| *known != folded) {
                        headings.push((heading, folded));
                    }
                }
            }
            last = Some(crop);
        }
        headings.into_iter().map(|(heading, _)| heading).collect()
    }
}

#[cfg(test)]
pub(crate) fn test_crop(file: &str, row: &[(&str, &str)]) -> PackageCrop {
    PackageCrop {
        file: file.to_owned(),
        photo: "DSC_1.jpg".to_owned(),
        preset: "yearbook".to_owned(),
        size: [640, 800],
        row: row.iter().map(|(heading, cell)| ((*heading).to_owned(), (*cell).to_owned())).collect(),
        ..PackageCrop::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_several_lists_are_listed_once() {
        let crops = vec![
            test_crop("a.jpg", &[("Name", "A"), ("Class", "1")]),
            test_crop("b.jpg", &[("Name", "B"), ("Class", "1")]),
            test_crop("c.jpg", &[("class", "2"), ("Born", "2015")]),
        ];
        let package = Package { crops, ..Package::default() };
        assert_eq!(package.headings(), ["Name", "Class", "Born"]);
        assert_eq!(package.crops[2].cell("CLASS"), Some("2"));
    }

    #[test]
    fn files_have_folder_name_and_stem() {
        let crop = test_crop("1/3b/Anna M. Muster.jpg", &[]);
        assert_eq!((crop.folder_and_name(), crop.stem()), (("1/3b", "Anna M. Muster.jpg"), "Anna M. Muster"));
        assert_eq!(test_crop("a", &[]).folder_and_name(), ("", "a"));
    }
}
