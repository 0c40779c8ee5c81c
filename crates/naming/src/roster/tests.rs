//! Lists matched with photos.

use super::*;

const PHOTOS: [&str; 3] = ["/in/IMG_1.jpg", "/in/IMG_2.jpg", "/in/IMG_3.jpg"];

fn photos() -> Vec<PathBuf> {
    PHOTOS.iter().map(PathBuf::from).collect()
}

fn list(tables: &[&str]) -> NameList {
    let table = |(sheet, text): (usize, &&str)| {
        let table = NameTable::from_text(text).expect("a table");
        SheetTable { sheet, table: Arc::new(table) }
    };
    let sheets = (1..=tables.len()).map(|number| format!("Sheet {number}")).collect();
    NameList { sheets, tables: tables.iter().enumerate().map(table).collect() }
}

fn roster(text: &str) -> Roster {
    Roster::of(&list(&[text]), &ListSpec::default(), &photos()).expect("columns")
}

#[test]
fn the_first_sheet_with_a_column_that_matches_a_photo_is_used() {
    let notes = "note,file\nhello,soon\n";
    let names = "id,name\nIMG_2,Anna\n";
    let old = "id,name\nIMG_2,Old\n";
    let found =
        |tables: &[&str], spec: &ListSpec| Roster::of(&list(tables), spec, &photos()).map(|roster| roster.sheet);
    let none = ListSpec::default();
    assert_eq!(found(&[notes, names, old], &none).expect("a sheet"), 1);
    assert_eq!(found(&[names, notes], &none).expect("a sheet"), 0);
    // Nothing matches: the first.
    assert_eq!(found(&[notes, "a,b\nx,y\n"], &none).expect("a sheet"), 0);
    // A requested column may be missing on other sheets.
    let by_id = ListSpec { source: Some("id".to_owned()), ..ListSpec::default() };
    assert_eq!(found(&[notes, names], &by_id).expect("a sheet"), 1);
    let refused = found(&[notes, names], &ListSpec { source: Some("shot".to_owned()), ..none }).expect_err("refused");
    assert_eq!(refused.to_string(), "there is no column 'shot'; the columns are 'note', 'file'");
}

#[test]
fn a_list_without_a_photo_column_is_reported() {
    let roster = roster("id,first\n7,Anna\n8,Ben\n");
    assert_eq!((roster.columns.source, &roster.found.rows_without_photo[..]), (None, &[0, 1][..]));
    assert_eq!(roster.found.photos_without_row, [0, 1, 2]);
    let refused = roster.photo_column().expect_err("none").to_string();
    assert!(refused.contains("--names-source: 'id', 'first'"), "{refused}");
}

#[test]
fn a_template_is_checked_against_the_columns() {
    let roster = roster("file,a,b\nIMG_1,1,2\n");
    let check = |text: &str| roster.check(&text.parse().expect("valid")).map_err(|error| error.to_string());
    assert_eq!(check("{column:B}"), Ok(()));
    assert_eq!(check("{column:c}"), Err("--name uses the column 'c', but the columns are 'file', 'a', 'b'".to_owned()));
    let unused = check("{name}").expect_err("unused");
    assert!(unused.contains("--names-output") && unused.ends_with("'file', 'a', 'b'"), "{unused}");
    let named = self::roster("file,name\nIMG_1,Anna\n");
    assert!(named.check(&NameTemplate::default()).is_ok());
    assert!(named.check(&"{stem}".parse().expect("valid")).is_err());
}

#[test]
fn an_assigned_row_is_found_again_after_the_list_has_changed() {
    let before = roster("file,first,last\nIMG_1,Anna,A\n,Ben,B\nIMG_3,Cleo,C\n");
    let [anna, ben] = [0, 1].map(|row| before.key_of(row).expect("a row"));
    assert_eq!((ben.line, &*ben.text), (3, "Ben B"), "its first cells");
    assert_eq!(before.key_of(9), None);
    let after = roster("file,first,last\nIMG_0,Zoe,Z\nIMG_1,Anna,A\n,Ben,B\n");
    assert_eq!((before.find(&anna), after.find(&anna), after.find(&ben)), (Some(0), Some(1), Some(2)));
    // The line alone is not enough, nor is a text in several rows unless the line agrees.
    let twice = roster("file,first,last\n,Ben,B\n,Ben,B\nIMG_3,Cleo,C\n");
    assert_eq!((twice.find(&anna), twice.find(&ben)), (None, Some(1)));
    assert_eq!(twice.find(&AssignedRow { line: 9, ..ben }), None);
}

#[test]
fn rows_are_found_by_a_few_letters() {
    let roster =
        roster("file,name,class\nIMG_1,Hannah Bach,3a\nIMG_2,Ann Berger,3b\nIMG_3,Zoë Ann,3a\nIMG_9,Joanna,4c\n");
    for (typed, rows) in [
        ("ann", &[1, 2, 0, 3][..]),
        ("ANN b", &[1, 0]),
        ("zoe\u{308}", &[2]),
        ("3a zo", &[2]),
        ("  ", &[0, 1, 2, 3]),
        ("ann x", &[]),
    ] {
        assert_eq!(roster.search(typed, 9), rows, "{typed}");
    }
    assert_eq!(roster.search("ann", 2), [1, 2]);
}
