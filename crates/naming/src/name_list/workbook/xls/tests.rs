//! A workbook written by xlwt 1.3.0, and workbooks built from their records.

use std::io::Write;

use super::*;
use crate::name_list::{NameList, NameTable};

const ROSTER: &[u8] = include_bytes!("roster.xls");

fn read_list(bytes: &[u8], sheet: Option<&str>) -> Result<NameList, NameListError> {
    NameList::from_bytes(bytes.to_vec(), sheet)
}

fn first(bytes: &[u8]) -> NameTable {
    NameTable::clone(&read_list(bytes, None).expect("a list").tables[0].table)
}

fn container(stream: &str, bytes: &[u8]) -> Vec<u8> {
    let mut file = CompoundFile::create(Cursor::new(Vec::new())).expect("memory");
    file.create_stream(stream).expect("memory").write_all(bytes).expect("memory");
    file.into_inner().into_inner()
}

fn record(kind: u16, parts: &[&[u8]]) -> Vec<u8> {
    let data = parts.concat();
    let length = u16::try_from(data.len()).expect("short");
    [&kind.to_le_bytes()[..], &length.to_le_bytes(), &data].concat()
}

/// A cell of the first style.
fn cell(kind: u16, row: u16, column: u16, value: &[u8]) -> Vec<u8> {
    record(kind, &[&row.to_le_bytes(), &column.to_le_bytes(), &[0, 0], value])
}

fn label(row: u16, column: u16, text: &str) -> Vec<u8> {
    cell(Record::LABEL, row, column, &[&(text.len() as u16).to_le_bytes()[..], &[0], text.as_bytes()].concat())
}

/// A workbook with one sheet, from the records of the workbook and of the sheet.
fn workbook(version: u16, globals: &[Vec<u8>], sheet: &[Vec<u8>]) -> Vec<u8> {
    let bof = record(Record::BOF, &[&version.to_le_bytes(), &[0; 6]]);
    let (eof, name) = (record(Record::EOF, &[]), &b"Names"[..]);
    let flags = if version == BIFF8 { &[0][..] } else { &[] };
    let bound = |position: u32| record(Record::BOUND_SHEET, &[&position.to_le_bytes(), &[0, 0, 5], flags, name]);
    let length = bof.len() + bound(0).len() + globals.concat().len() + eof.len();
    let globals = [&bof[..], &bound(length as u32), &globals.concat(), &eof].concat();
    let stream = if version == BIFF8 { "/Workbook" } else { "/Book" };
    container(stream, &[globals, bof, sheet.concat(), eof].concat())
}

/// A workbook with the headings `file` and `name`, and these cells.
fn names(globals: &[Vec<u8>], cells: &[Vec<u8>]) -> Vec<u8> {
    workbook(BIFF8, globals, &[&[label(0, 0, "file"), label(0, 1, "name")], cells].concat())
}

#[test]
fn cells_are_read_as_the_sheet_shows_them() {
    let list = read_list(ROSTER, None).expect("a list");
    assert_eq!((list.sheets, list.tables.len(), list.tables[0].sheet), (vec!["Notes".into(), "Pupils".into()], 1, 1));
    let table = &list.tables[0].table;
    assert_eq!(table.headings, ["file", "name", "number", "born", "member", "sum"]);
    let rows: Vec<String> = table.rows.iter().map(|row| format!("{} {}", row.line, row.cells[..5].join("|"))).collect();
    let long = "x".repeat(40);
    let expected = [
        "2 IMG_0001.jpg|Zoë Müller|00007|2012-05-17|true".to_owned(),
        "3 IMG_0002.jpg|王小明|00014|2011-12-31|false".to_owned(),
        format!("4 IMG_0003.jpg|{long}|123456||"),
        "5 1|2.5|-3||".to_owned(),
    ];
    assert_eq!(rows, expected);
    assert_eq!(read_list(ROSTER, Some("pupils")).expect("a list").tables[0].sheet, 1);
    assert!(matches!(read_list(ROSTER, Some("1")), Err(NameListError::OnlyHeadings)));
}

#[test]
fn each_kind_of_cell_is_read() {
    let text = |text: &[u8]| [&(text.len() as u16).to_le_bytes()[..], &[0], text].concat();
    let formula = |row, result: [u8; 8]| cell(Record::FORMULA, row, 1, &[&result[..], &[0; 8]].concat());
    let table = first(&names(
        &[],
        &[
            cell(Record::RK, 1, 0, &((100 << 2 | 2_u32).to_le_bytes())),
            cell(Record::RK, 1, 1, &((1_234 << 2 | 3_u32).to_le_bytes())),
            record(
                Record::MUL_RK,
                &[
                    &[2, 0, 0, 0],
                    &[0, 0],
                    &(5 << 2 | 2_u32).to_le_bytes(),
                    &[0, 0],
                    &0x3ff8_0000_u32.to_le_bytes(),
                    &[1, 0],
                ],
            ),
            label(3, 0, "text"),
            formula(3, [0, 0, 0, 0, 0, 0, 0xff, 0xff]),
            record(Record::STRING, &[&text(b"of a formula")]),
            label(4, 0, "number"),
            formula(4, 7.5_f64.to_le_bytes()),
            label(5, 0, "truth"),
            formula(5, [1, 0, 1, 0, 0, 0, 0xff, 0xff]),
            label(6, 0, "error"),
            formula(6, [2, 0, 42, 0, 0, 0, 0xff, 0xff]),
            cell(Record::BOOL_ERR, 7, 0, &[1, 0]),
            cell(Record::BOOL_ERR, 7, 1, &[42, 1]),
            cell(Record::RICH_STRING, 8, 0, &[text(b"rich"), vec![1, 0, 0, 0, 1, 0]].concat()),
            // A chart in the sheet.
            record(Record::BOF, &[&[0, 6], &[0; 6]]),
            label(9, 0, "chart"),
            record(Record::EOF, &[]),
            cell(Record::NUMBER, 9, 0, &1e-3_f64.to_le_bytes()),
        ],
    ));
    let cells: Vec<String> = table.rows.iter().map(|row| row.cells.join("|")).collect();
    let expected =
        ["100|12.34", "5|1.5", "text|of a formula", "number|7.5", "truth|true", "error|", "true|", "rich|", "0.001|"];
    assert_eq!(cells, expected);
}

#[test]
fn shared_texts_may_continue_in_further_records() {
    let sst = [&2_u32.to_le_bytes()[..], &2_u32.to_le_bytes()];
    // "Zoë Müller" with formatting and Asian data, cut within the characters, the formatting and between texts.
    let globals = [
        record(Record::SST, &[sst[0], sst[1], &[10, 0, 0x0c, 1, 0, 3, 0, 0, 0], b"Zo\xeb M"]),
        record(0x3c, &[&[1], &[0xfc, 0, b'l', 0, b'l', 0]]),
        record(0x3c, &[&[0], b"er", &[0, 0]]),
        record(0x3c, &[&[9, 9, 7, 7, 7]]),
        record(0x3c, &[&[2, 0, 1], &[0x8b, 0x73, 0x0f, 0x5c]]),
    ];
    let cells = [0_u32, 1, 2].map(|at| cell(Record::LABEL_SST, 1 + at as u16, 0, &at.to_le_bytes()));
    let last = [label(3, 1, "no such text")];
    let table = first(&names(&globals, &[&cells[..], &last].concat()));
    assert_eq!(table.column(0), ["Zoë Müller", "王小", ""]);
}

#[test]
fn workbooks_of_excel_95_are_read() {
    let text = |text: &[u8]| [&(text.len() as u16).to_le_bytes()[..], text].concat();
    let format = record(Record::FORMAT, &[&164_u16.to_le_bytes(), &[5], b"00000"]);
    let style = record(Record::XF, &[&[0, 0], &164_u16.to_le_bytes(), &[0; 16]]);
    let code_page = record(Record::CODE_PAGE, &[&1250_u16.to_le_bytes()]);
    let cells = [
        cell(Record::LABEL, 0, 0, &text(b"file")),
        cell(Record::LABEL, 0, 1, &text(b"name")),
        cell(Record::NUMBER, 1, 0, &7_f64.to_le_bytes()),
        cell(Record::LABEL, 1, 1, &text(b"\xa3ukasz")),
    ];
    let table = first(&workbook(0x0500, &[code_page, format, style], &cells));
    assert_eq!(table.rows[0].cells, ["00007", "Łukasz"]);
}

#[test]
fn a_workbook_with_a_password_is_rejected() {
    let old = names(&[record(Record::FILE_PASS, &[&[1, 0]])], &[label(1, 0, "a")]);
    for bytes in [old, container("/EncryptedPackage", b"secret")] {
        assert!(matches!(read_list(&bytes, None), Err(NameListError::Password)));
    }
    let other = container("/WordDocument", b"text");
    assert!(matches!(read_list(&other, None), Err(NameListError::Workbook { .. })));
}

#[test]
fn a_damaged_workbook_is_rejected_without_panic() {
    for length in (8..ROSTER.len()).step_by(97) {
        let _ = read_list(&ROSTER[..length], None);
    }
    for at in (8..ROSTER.len()).step_by(7) {
        let mut damaged = ROSTER.to_vec();
        damaged[at] ^= 0x55;
        let _ = read_list(&damaged, None);
    }
    let declared = record(Record::SST, &[&[0xff; 8]]);
    let refused = read_list(&names(&[declared], &[label(1, 0, "a")]), None);
    assert!(matches!(refused, Err(NameListError::Workbook { .. })), "{refused:?}");
    // Every cell takes the whole width of a row.
    let far: Vec<Vec<u8>> = (1..60_000).map(|row| cell(Record::BOOL_ERR, row, 255, &[1, 0])).collect();
    assert!(matches!(read_list(&names(&[], &far), None), Err(NameListError::TooManyCells)));
    let wide = read_list(&names(&[], &[cell(Record::BOOL_ERR, 1, 256, &[1, 0])]), None);
    assert!(matches!(wide, Err(NameListError::TooManyCells)));
}
