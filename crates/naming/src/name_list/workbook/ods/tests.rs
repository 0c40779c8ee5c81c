//! Spreadsheets built as LibreOffice writes them.

use crate::name_list::workbook::tests::archive;
use crate::name_list::{NameList, NameListError, NameTable};

fn spreadsheet(sheets: &str) -> Vec<u8> {
    let content = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><office:document-content \
         xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><office:body><office:spreadsheet>{sheets}\
         </office:spreadsheet></office:body></office:document-content>"
    );
    let manifest = "<manifest:manifest><manifest:file-entry manifest:full-path=\"content.xml\"/></manifest:manifest>";
    archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", &content),
        ("META-INF/manifest.xml", manifest),
    ])
}

fn sheet(name: &str, rows: &str) -> String {
    format!(
        "<table:table table:name=\"{name}\"><table:table-column table:number-columns-repeated=\"16384\"/>{rows}</table:table>"
    )
}

fn text(text: &str) -> String {
    format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
}

fn float(value: &str, shown: &str) -> String {
    format!(
        "<table:table-cell office:value-type=\"float\" office:value=\"{value}\"><text:p>{shown}</text:p></table:table-cell>"
    )
}

fn row(cells: &[String]) -> String {
    format!("<table:table-row>{}</table:table-row>", cells.concat())
}

fn table(rows: &str) -> NameTable {
    let list = NameList::from_bytes(spreadsheet(&sheet("Names", rows)), None).expect("a list");
    NameTable::clone(&list.tables[0].table)
}

fn headings() -> String {
    row(&[text("file"), text("name")])
}

#[test]
fn cells_are_read_as_the_sheet_shows_them() {
    let rows = [
        row(&[float("7", "00007"), float("2.5", "2,50")]),
        row(&[float("1234", "1.234"), float("1234567", "1 234 567")]),
        row(&[float("12345678901234567", "1,23E+16"), float("3", "")]),
        row(&[
            "<table:table-cell office:value-type=\"date\" office:date-value=\"2024-05-17\"><text:p>17.05.24</text:p>\
             </table:table-cell>"
                .to_owned(),
            "<table:table-cell office:value-type=\"date\" office:date-value=\"2024-05-17T10:20:00\"/>".to_owned(),
        ]),
        row(&[
            "<table:table-cell office:value-type=\"boolean\" office:boolean-value=\"true\"><text:p>WAHR</text:p>\
             </table:table-cell>"
                .to_owned(),
            float("0.12", "12 %"),
        ]),
    ];
    let table = table(&format!("{}{}", headings(), rows.concat()));
    let cells: Vec<String> = table.rows.iter().map(|row| row.cells.join("|")).collect();
    let expected = ["00007|2,50", "1234|1234567", "12345678901234568|3", "2024-05-17|2024-05-17 10.20.00", "WAHR|12 %"];
    assert_eq!(cells, expected);
}

#[test]
fn text_is_read_without_comments_and_formatting() {
    let rows = row(&[
        "<table:table-cell office:value-type=\"string\"><office:annotation><text:p>a comment</text:p></office:annotation>\
         <text:p>Zoë<text:s text:c=\"2\"/><text:span>M&amp;M</text:span></text:p><text:p>&#x32;nd</text:p>\
         <draw:frame><text:p>drawn</text:p></draw:frame></table:table-cell>"
            .to_owned(),
        text("a<text:tab/>b<text:line-break/>c"),
    ]);
    let table = table(&format!("{}{rows}", headings()));
    assert_eq!(table.rows[0].cells, ["Zoë  M&M\n2nd", "a\tb\nc"]);
}

#[test]
fn repeated_rows_and_cells_are_read() {
    let rows = [
        headings(),
        "<table:table-row table:number-rows-repeated=\"3\"><table:table-cell table:number-columns-repeated=\"9\"/>\
         </table:table-row>"
            .to_owned(),
        format!(
            "<table:table-row table:number-rows-repeated=\"2\">{}{}</table:table-row>",
            text("a.jpg"),
            text("Anna")
        ),
        "<table:table-header-rows><table:table-row><table:table-cell/><table:covered-table-cell \
         table:number-columns-repeated=\"2\" office:value-type=\"string\"><text:p>x</text:p></table:covered-table-cell>\
         <table:table-cell table:number-columns-repeated=\"16381\"/></table:table-row></table:table-header-rows>"
            .to_owned(),
        "<table:table-row table:number-rows-repeated=\"1048569\"><table:table-cell/></table:table-row>".to_owned(),
    ];
    let table = table(&rows.concat());
    let rows: Vec<String> = table.rows.iter().map(|row| format!("{} {}", row.line, row.cells.join("|"))).collect();
    assert_eq!(rows, ["5 a.jpg|Anna|", "6 a.jpg|Anna|", "7 |x|x"]);
}

#[test]
fn all_sheets_are_listed() {
    let rows = format!("{}{}", headings(), row(&[text("a.jpg"), text("Anna")]));
    let bytes = spreadsheet(&[sheet("Notes &amp; more", ""), sheet("Names", &rows), sheet("Old", &rows)].concat());
    let list = NameList::from_bytes(bytes.clone(), None).expect("a list");
    assert_eq!(list.sheets, ["Notes & more", "Names", "Old"]);
    assert_eq!(list.tables.iter().map(|table| table.sheet).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(NameList::from_bytes(bytes.clone(), Some("old")).expect("a list").tables[0].sheet, 2);
    assert!(matches!(NameList::from_bytes(bytes.clone(), Some("1")), Err(NameListError::Empty)));
    assert!(matches!(NameList::from_bytes(bytes, Some("4")), Err(NameListError::NoSheet { .. })));
}

#[test]
fn unusable_spreadsheets_are_rejected_without_panic() {
    let read = |rows: &str| NameList::from_bytes(spreadsheet(&sheet("Names", rows)), None);
    let many = "<table:table-row table:number-rows-repeated=\"4000000000\"><table:table-cell \
                table:number-columns-repeated=\"4000000000\"><text:p>x</text:p></table:table-cell></table:table-row>";
    assert!(matches!(read(many), Err(NameListError::TooManyCells)));
    let many = many.replacen("4000000000", "4000000", 1).replace("4000000000", "200");
    assert!(matches!(read(&many), Err(NameListError::TooManyCells)));
    let locked =
        "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    let locked = archive(&[("content.xml", "secret"), ("META-INF/manifest.xml", locked)]);
    assert!(matches!(NameList::from_bytes(locked, None), Err(NameListError::Password)));
    for broken in ["<table:table-row>", "<table:table-row><table:table-cell><text:p>", "</x>", "<table:table-row a=>"] {
        assert!(matches!(read(broken), Err(NameListError::Workbook { .. } | NameListError::Empty)), "{broken}");
    }
    let whole = spreadsheet(&sheet("Names", &format!("{}{}", headings(), row(&[text("a"), float("7", "007")]))));
    for at in (4..whole.len()).step_by(5) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        let _ = NameList::from_bytes(damaged, None);
    }
}
