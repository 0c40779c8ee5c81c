//! The index as CSV.

use csv::{Terminator, WriterBuilder};

use naming::fold_text;

use crate::{Package, PackageCrop};

/// The columns after those of the list.
const OWN: [&str; 3] = ["file", "photo", "preset"];

/// The index of `package` as CSV (RFC 4180): the columns of the list as they are, then the file of the crop relative to the
/// index, the file name of the photo, and the preset. A heading that the list already has gets a number.
///
/// UTF-8 with a byte order mark, without which Excel takes it for another encoding and garbles names. The cells are those of
/// the list, also if they begin with `=`, since programs that import them compare them with their own.
pub fn csv_index(package: &Package) -> Vec<u8> {
    let headings = package.headings();
    let mut index = "\u{feff}".as_bytes().to_vec();
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(&mut index);
    // Writing into memory cannot fail, and every record has the same length.
    let _ = writer.write_record(headings.iter().map(|heading| (*heading).to_owned()).chain(own_headings(&headings)));
    for crop in &package.crops {
        let PackageCrop { file, photo, preset, row, .. } = crop;
        let is_plain = row.len() == headings.len() && row.iter().zip(&headings).all(|((own, _), all)| own == all);
        let cell = |(at, heading): (usize, &&str)| match is_plain {
            true => row[at].1.as_str(),
            false => crop.cell(heading).unwrap_or_default(),
        };
        let cells = headings.iter().enumerate().map(cell);
        let _ = writer.write_record(cells.chain([file.as_str(), photo.as_str(), preset.as_str()]));
    }
    let _ = writer.flush();
    drop(writer);
    index
}

fn own_headings(taken: &[&str]) -> [String; OWN.len()] {
    let is_taken = |heading: &str| taken.iter().any(|other| fold_text(other) == heading);
    OWN.map(|heading| {
        let numbered = (2..).map(|number| format!("{heading} ({number})"));
        std::iter::once(heading.to_owned()).chain(numbered).find(|heading| !is_taken(heading)).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crop::test_crop;

    fn index(crops: Vec<PackageCrop>) -> String {
        String::from_utf8(csv_index(&Package { crops, ..Package::default() })).expect("text")
    }

    #[test]
    fn the_columns_of_the_list_come_first_and_unchanged() {
        let text = index(vec![
            test_crop("3b/Zoë.jpg", &[("Name", "Zoë \"Z\" Ünal"), ("Id", "00007"), ("Note", "=1+1\nline")]),
            test_crop("Ben.jpg", &[("Name", "Ben, B."), ("Id", "@8"), ("Note", "")]),
        ]);
        let expected = "\u{feff}Name,Id,Note,file,photo,preset\r\n\
            \"Zoë \"\"Z\"\" Ünal\",00007,\"=1+1\nline\",3b/Zoë.jpg,DSC_1.jpg,yearbook\r\n\
            \"Ben, B.\",@8,,Ben.jpg,DSC_1.jpg,yearbook\r\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn own_headings_never_repeat_one_of_the_list() {
        let text = index(vec![
            test_crop("a.jpg", &[("File", "DSC_1"), ("photo", "x"), ("photo (2)", "y")]),
            test_crop("b.jpg", &[("Class", "3b")]),
        ]);
        let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
        assert_eq!(lines[0], "File,photo,photo (2),Class,file (2),photo (3),preset");
        assert_eq!(lines[2], ",,,3b,b.jpg,DSC_1.jpg,yearbook");
    }

    #[test]
    fn without_a_list_only_the_own_columns_are_written() {
        assert_eq!(index(vec![test_crop("a.jpg", &[])]), "\u{feff}file,photo,preset\r\na.jpg,DSC_1.jpg,yearbook\r\n");
        assert_eq!(index(Vec::new()), "\u{feff}file,photo,preset\r\n");
    }
}
