//! The PSPA index: portraits for yearbook software.
//!
//! Columns and order are those of the "Digital Data & Image Format Guidelines for School Photography & Yearbook
//! Publication" of the Professional School Photographers Association, in the version 2017-2018 of its successor PSPI.

use deunicode::deunicode_with_tofu;

use crate::person::{Column, cell_of, class_of, first_and_last};
use crate::{Package, PackageCrop};

const HEADINGS: [&str; 13] = [
    "Volume Name",
    "Image Folder",
    "Image File Name",
    "Grade",
    "Last Name",
    "First Name",
    "Home Room",
    "Period",
    "Teacher Name",
    "Track",
    "Department",
    "Title",
    "Image Size",
];

/// What a receiver of a PSPA index may reject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PspaNotes {
    /// Number of crops with a path that is not plain ASCII; it is written as it is, in UTF-8.
    pub not_ascii: usize,
    /// Number of crops beside the index, without a folder of images.
    pub without_folder: usize,
}

/// The index of `package` after the PSPA guidelines: a line of headings and one for each crop, 13 columns separated by tabs,
/// ASCII, lines end with CR LF.
///
/// A crop of a paired file would be the same person again, so it is left out. The columns are filled from those of the list with a corresponding heading, and transliterated. Without a column for
/// the grade, it is the class or the folder of the crop; the home room is the class.
pub fn pspa_index(package: &Package) -> (Vec<u8>, PspaNotes) {
    let mut notes = PspaNotes::default();
    let mut index = HEADINGS.join("\t") + "\r\n";
    let volume = plain(&package.title);
    for crop in package.crops.iter().filter(|crop| !crop.is_paired) {
        let (folder, name) = crop.folder_and_name();
        notes.not_ascii += usize::from(!crop.file.is_ascii());
        notes.without_folder += usize::from(folder.is_empty());
        let (first, last) = first_and_last(crop);
        let of = |column| cell_of(crop, column);
        let or_class = |cell: &str| plain(if cell.is_empty() { class_of(crop) } else { cell });
        let cells = [
            volume.clone(),
            unbroken(folder),
            unbroken(name),
            or_class(of(Column::Grade)),
            plain(&last),
            plain(&first),
            or_class(of(Column::HomeRoom)),
            plain(of(Column::Period)),
            plain(of(Column::Teacher)),
            plain(of(Column::Track)),
            plain(of(Column::Department)),
            plain(of(Column::Title)),
            image_size(crop).to_owned(),
        ];
        index += &cells.join("\t");
        index += "\r\n";
    }
    (index.into_bytes(), notes)
}

/// The name of a size in the guidelines.
fn image_size(crop: &PackageCrop) -> &'static str {
    match crop.size {
        [320, 400] => "SMALL",
        [640, 800] => "LARGE",
        _ => "OTHER",
    }
}

/// `text` in ASCII on one line; letters are transliterated.
fn plain(text: &str) -> String {
    let ascii = deunicode_with_tofu(&unbroken(text), "?");
    // Spreadsheets and importers take a quotation mark at the start of a cell for the begin of a quoted one.
    ascii.split_ascii_whitespace().collect::<Vec<_>>().join(" ").replace('"', "'")
}

/// `text` without tabs and line breaks, which file names too may contain on some systems.
fn unbroken(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crop::test_crop;

    fn lines(crops: Vec<PackageCrop>) -> (Vec<Vec<String>>, PspaNotes) {
        let (index, notes) = pspa_index(&Package { title: "Schule Süd".to_owned(), crops });
        let text = String::from_utf8(index).expect("text");
        assert!(text.ends_with("\r\n") && text.matches('\n').count() == text.matches("\r\n").count());
        let cells = |line: &str| line.split('\t').map(str::to_owned).collect();
        (text.split_terminator("\r\n").map(cells).collect(), notes)
    }

    #[test]
    fn every_line_has_the_thirteen_columns_of_the_guidelines() {
        let row = [
            ("id", "7"),
            ("Vorname", "Jörg\tÆgir"),
            ("Nachname", "Groß\r\nØst"),
            ("Jahrgang", "4"),
            ("Klasse", "4a"),
            ("Lehrerin", "Fr. \"Łuk\""),
            ("Period", "2"),
        ];
        let mask = PackageCrop { is_paired: true, ..test_crop("images/4a/7_mask.jpg", &row) };
        let (lines, notes) = lines(vec![test_crop("images/4a/7.jpg", &row), mask]);
        assert_eq!((&lines[0][..], lines.len()), (&HEADINGS.map(str::to_owned)[..], 2));
        let expected = [
            "Schule Sud",
            "images/4a",
            "7.jpg",
            "4",
            "Gross Ost",
            "Jorg AEgir",
            "4a",
            "2",
            "Fr. 'Luk'",
            "",
            "",
            "",
            "LARGE",
        ];
        assert_eq!(lines[1], expected);
        assert_eq!(notes, PspaNotes::default());
    }

    #[test]
    fn without_a_list_names_come_from_the_file_and_grades_from_the_folder() {
        let small = PackageCrop { size: [320, 400], ..test_crop("3b/Zoë Ünal.jpg", &[]) };
        let (lines, notes) = lines(vec![small, test_crop("王.jpg", &[("Name", "王 小明")])]);
        assert_eq!(lines[1][1..7], ["3b", "Zoë Ünal.jpg", "3b", "Unal", "Zoe", "3b"].map(str::to_owned));
        assert_eq!(lines[1][12], "SMALL");
        assert_eq!(lines[2][1..7], ["", "王.jpg", "", "Xiao Ming", "Wang", ""].map(str::to_owned));
        assert_eq!(notes, PspaNotes { not_ascii: 2, without_folder: 1 });
    }
}
