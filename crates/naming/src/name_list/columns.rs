//! Detects the columns of source names, output names and presets.

use super::{NameListError, NameTable, PhotoIndex, match_names};
use crate::fold_text;

/// Headings of source name columns, reduced to letters and digits.
const SOURCE_HEADINGS: [&str; 24] = [
    "file",
    "filename",
    "photo",
    "photofile",
    "photofilename",
    "photoname",
    "picture",
    "picturefile",
    "image",
    "imagefile",
    "imagename",
    "imagefilename",
    "source",
    "sourcefile",
    "sourcename",
    "original",
    "originalname",
    "oldname",
    "path",
    "datei",
    "dateiname",
    "foto",
    "bild",
    "bilddatei",
];

/// Headings of output name columns.
const OUTPUT_HEADINGS: [&str; 20] = [
    "output",
    "outputname",
    "newname",
    "newfilename",
    "renameto",
    "rename",
    "target",
    "targetname",
    "name",
    "fullname",
    "person",
    "student",
    "studentname",
    "pupil",
    "member",
    "displayname",
    "label",
    "neuername",
    "zielname",
    "nom",
];

/// Headings of preset columns.
const PRESET_HEADINGS: [&str; 2] = ["preset", "vorlage"];

/// The columns that the user requested, by heading in any case or by number from 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestedColumns<'a> {
    /// The column of source names.
    pub source: Option<&'a str>,
    /// The column of output names.
    pub output: Option<&'a str>,
    /// The column of presets.
    pub preset: Option<&'a str>,
    /// The column of the texts of cards.
    pub card: Option<&'a str>,
}

/// The indices of the columns in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Columns {
    /// Source names; `None` if no column matches a photo or has a known heading.
    pub source: Option<usize>,
    /// Output names; `None` if no column was detected.
    pub output: Option<usize>,
    /// Presets; `None` if no column was detected.
    pub preset: Option<usize>,
    /// Texts of cards; `None` if none was requested.
    pub card: Option<usize>,
}

/// Resolves the requested columns and detects the others: the source column is the one that matches the most of `photos`,
/// of equals the one with more exact matches, then the one with a known heading.
///
/// # Errors
/// Fails if a requested column does not exist.
pub fn find_columns(
    table: &NameTable,
    requested: RequestedColumns<'_>,
    photos: &PhotoIndex<'_>,
) -> Result<Columns, NameListError> {
    let find = |requested: Option<&str>| requested.map(|requested| column(table, requested)).transpose();
    let (source, output) = (find(requested.source)?, find(requested.output)?);
    let (preset, card) = (find(requested.preset)?, find(requested.card)?);
    let source = source.or_else(|| likeliest_source(table, photos, &[output, preset]));
    let called = |headings: &[&str], others: &[Option<usize>]| {
        let is_free = |column: &usize| Some(*column) != source && !others.contains(&Some(*column));
        headings.iter().find_map(|wanted| {
            (0..table.headings.len()).filter(is_free).find(|column| plain(&table.headings[*column]) == *wanted)
        })
    };
    let preset = preset.or_else(|| called(&PRESET_HEADINGS, &[output, card]));
    let output = output.or_else(|| called(&OUTPUT_HEADINGS, &[preset, card])).or_else(|| {
        let used = [source, preset, card];
        let others: Vec<usize> = (0..table.headings.len()).filter(|at| !used.contains(&Some(*at))).collect();
        if let [only] = others[..] { Some(only) } else { None }
    });
    Ok(Columns { source, output, preset, card })
}

fn column(table: &NameTable, requested: &str) -> Result<usize, NameListError> {
    let wanted = fold_text(requested.trim());
    let by_heading = table.headings.iter().position(|heading| fold_text(heading) == wanted);
    let by_number = || requested.trim().parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < table.headings.len());
    by_heading
        .or_else(by_number)
        .ok_or_else(|| NameListError::NoColumn { asked: requested.to_owned(), headings: table.headings.clone() })
}

fn likeliest_source(table: &NameTable, photos: &PhotoIndex<'_>, taken: &[Option<usize>]) -> Option<usize> {
    let rank = |column: usize| {
        let heading = plain(&table.headings[column]);
        SOURCE_HEADINGS.iter().position(|known| *known == heading).map_or(0, |at| SOURCE_HEADINGS.len() - at)
    };
    let worth = |column: usize| {
        let found = match_names(&table.column(column), photos);
        (found.matched(), found.matched() - found.inexact.len(), rank(column))
    };
    let candidates = (0..table.headings.len()).filter(|column| !taken.contains(&Some(*column)));
    let valued = candidates.map(|column| (worth(column), column));
    // `max_by_key` returns the last of equals, so iterate from the right.
    let best = valued.rev().max_by_key(|(worth, _)| *worth)?;
    (best.0 > (0, 0, 0)).then_some(best.1)
}

/// The letters and digits of a heading, in lower case.
fn plain(heading: &str) -> String {
    fold_text(heading).chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn found(text: &str, requested: RequestedColumns<'_>) -> Result<Columns, NameListError> {
        let photos = ["in/IMG_1.jpg", "in/IMG_2.jpg", "in/3.png"].map(PathBuf::from);
        find_columns(&NameTable::from_text(text).expect("a table"), requested, &PhotoIndex::of(&photos))
    }

    #[test]
    fn columns_are_detected_by_content_and_heading() {
        let none = RequestedColumns::default();
        for (text, source, output, preset) in [
            ("file,name\nIMG_1.jpg,Anna\n", Some(0), Some(1), None),
            ("Name;Photo File;Preset\nAnna;IMG_1;avatar\n", Some(1), Some(0), Some(2)),
            // The content outweighs the heading.
            ("photo,id,name\nyes,IMG_2.jpg,Ben\n", Some(1), Some(2), None),
            // Nothing matches: the heading decides.
            ("id,filename,new name\n7,x.jpg,Cleo\n", Some(1), Some(2), None),
            ("IMG_1.jpg,Anna\n", Some(0), Some(1), None),
            // Both match 3.png, one of them exactly.
            ("id,shot,name\n3,003,Anna\n", Some(0), Some(2), None),
            ("id,shot,name\n03,3,Anna\n", Some(1), Some(2), None),
            ("a,b,c\nIMG_1,Anna,3b\n", Some(0), None, None),
            // Nothing matches, and no heading is known.
            ("x,y\n1,2\n", None, None, None),
            ("a\nIMG_1\n", Some(0), None, None),
        ] {
            assert_eq!(found(text, none).expect(text), Columns { source, output, preset, card: None }, "{text}");
        }
    }

    #[test]
    fn requested_columns_are_used() {
        let text = "file,Name,Klasse\nIMG_1.jpg,Anna,3b\n";
        let columns_of = |source, output, preset| RequestedColumns { source, output, preset, card: None };
        let columns_at = |source, output, preset| Columns { source: Some(source), output, preset, card: None };
        let columns = found(text, columns_of(None, Some("KLASSE"), None)).expect("exists");
        assert_eq!(columns, columns_at(0, Some(2), None));
        let columns = found(text, columns_of(Some("2"), Some("1"), Some("3"))).expect("exists");
        assert_eq!(columns, columns_at(1, Some(0), Some(2)));
        for wrong in ["4", "0", "class"] {
            let refused = found(text, columns_of(Some(wrong), None, None)).expect_err("refused").to_string();
            assert!(refused.contains("the columns are 'file', 'Name', 'Klasse'"), "{refused}");
        }
        // The column of cards is not that of names.
        let card = RequestedColumns { card: Some("Name"), ..RequestedColumns::default() };
        let expected = Columns { output: Some(2), card: Some(1), ..columns_at(0, None, None) };
        assert_eq!(found(text, card).expect("exists"), expected);
    }
}
