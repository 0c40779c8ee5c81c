//! Workbooks built from their parts.

use std::io::Write;

use super::*;
use crate::name_list::{NameList, NameTable};

fn read_table(bytes: Vec<u8>) -> Result<NameTable, NameListError> {
    Ok(NameTable::clone(&NameList::from_bytes(bytes, None)?.tables[0].table))
}

/// A ZIP archive of stored files, as the container of an .xlsx file.
pub(super) fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in parts {
        let mut crc = flate2::Crc::new();
        crc.update(content.as_bytes());
        let length = u32::try_from(content.len()).expect("short").to_le_bytes();
        let mut head = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        head.extend(crc.sum().to_le_bytes());
        head.extend(length);
        head.extend(length);
        head.extend(u16::try_from(name.len()).expect("short").to_le_bytes());
        head.extend([0, 0]);
        let at = u32::try_from(bytes.len()).expect("short");
        bytes.write_all(b"PK\x03\x04").expect("memory");
        bytes.extend(&head);
        bytes.extend(name.as_bytes());
        bytes.extend(content.as_bytes());
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, count) = (bytes.len() as u32, parts.len() as u16);
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/// A workbook with an empty sheet and a sheet with `rows`.
fn workbook(rows: &str) -> Vec<u8> {
    let strings = format!("<sst xmlns=\"{MAIN}\"><si><t>IMG_1.jpg</t></si><si><t>Zoë</t></si></sst>");
    let styles = "<numFmts><numFmt numFmtId=\"164\" formatCode=\"00000\"/></numFmts>\
                  <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"164\"/></cellXfs>";
    workbook_of(rows, &strings, styles)
}

/// The same with these shared strings and styles.
fn workbook_of(rows: &str, strings: &str, styles: &str) -> Vec<u8> {
    const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let sheet = |rows: &str| format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>");
    let workbook = format!(
        "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets><sheet name=\"Empty\" sheetId=\"1\" r:id=\"r1\"/>\
         <sheet name=\"Names\" sheetId=\"2\" r:id=\"r2\"/></sheets></workbook>"
    );
    let root = format!(
        "<Relationships xmlns=\"{RELATIONS}\"><Relationship Id=\"r1\" Type=\"{OFFICE}/officeDocument\" \
         Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let relations = format!(
        "<Relationships xmlns=\"{RELATIONS}\"><Relationship Id=\"r1\" Type=\"{OFFICE}/worksheet\" Target=\"worksheets/s1.xml\"/>\
         <Relationship Id=\"r2\" Type=\"{OFFICE}/worksheet\" Target=\"worksheets/s2.xml\"/>\
         <Relationship Id=\"r3\" Type=\"{OFFICE}/sharedStrings\" Target=\"sharedStrings.xml\"/>\
         <Relationship Id=\"r4\" Type=\"{OFFICE}/styles\" Target=\"styles.xml\"/></Relationships>"
    );
    let styles = format!("<styleSheet xmlns=\"{MAIN}\">{styles}</styleSheet>");
    archive(&[
        ("_rels/.rels", &root),
        ("xl/workbook.xml", &workbook),
        ("xl/_rels/workbook.xml.rels", &relations),
        ("xl/sharedStrings.xml", strings),
        ("xl/styles.xml", &styles),
        ("xl/worksheets/s1.xml", &sheet("")),
        ("xl/worksheets/s2.xml", &sheet(rows)),
    ])
}

const HEADINGS: &str = "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>file</t></is></c>\
                        <c r=\"C1\" t=\"inlineStr\"><is><t>name</t></is></c></row>";

#[test]
fn the_first_sheet_with_rows_is_read_as_text() {
    let rows = "<row r=\"3\"><c r=\"A3\" t=\"s\"><v>0</v></c><c r=\"C3\" t=\"s\"><v>1</v></c></row>\
                <row r=\"4\"><c r=\"A4\"><v>7</v></c><c r=\"B4\" s=\"1\"><v>45429</v></c><c r=\"C4\"><v>2.5</v></c></row>";
    let table = read_table(workbook(&format!("{HEADINGS}{rows}"))).expect("a table");
    assert_eq!(table.headings, ["file", "2", "name"]);
    assert_eq!((table.rows[0].line, &table.rows[0].cells[..]), (3, &["IMG_1.jpg", "", "Zoë"].map(str::to_owned)[..]));
    assert_eq!(table.rows[1].cells, ["7", "2024-05-17", "2.5"]);
}

#[test]
fn a_number_is_read_as_displayed() {
    let rows = "<row r=\"2\"><c r=\"A2\" s=\"2\"><v>7</v></c><c r=\"C2\" s=\"2\"><v>14</v></c></row>";
    let table = read_table(workbook(&format!("{HEADINGS}{rows}"))).expect("a table");
    assert_eq!(table.rows[0].cells, ["00007", "", "00014"]);
}

#[test]
fn a_workbook_that_declares_too_many_strings_is_rejected() {
    for attribute in ["uniqueCount=\"4000000000\"", "count='1' uniqueCount = '99999999999999999999999'"] {
        let strings = format!("<sst xmlns=\"{MAIN}\" {attribute}><si><t>a</t></si></sst>");
        let refused = read_table(workbook_of(HEADINGS, &strings, "")).expect_err("refused").to_string();
        assert!(refused.contains("more than fit in it"), "{refused}");
    }
    let honest = format!("<sst xmlns=\"{MAIN}\" count=\"9\" uniqueCount=\"1\"><si><t>a</t></si></sst>");
    let row = "<row r=\"2\"><c r=\"A2\" t=\"s\"><v>0</v></c></row>";
    assert!(read_table(workbook_of(&format!("{HEADINGS}{row}"), &honest, "")).is_ok());
}

#[test]
fn styles_that_need_too_much_memory_are_rejected() {
    let strings = format!("<sst xmlns=\"{MAIN}\"/>");
    let long = "x".repeat(100_000);
    for styles in [
        // Each style would get a copy of the string.
        format!(
            "<fonts><font><name val=\"{long}\"/></font></fonts><cellXfs>{}</cellXfs>",
            "<xf fontId=\"0\"/>".repeat(2_000)
        ),
        format!("<borders>{}</borders>", "<border/>".repeat(220_000)),
    ] {
        let refused = read_table(workbook_of(HEADINGS, &strings, &styles));
        let refused = refused.expect_err("refused").to_string();
        assert!(refused.contains("its cell styles would need too much memory"), "{refused}");
    }
}

#[test]
fn a_sheet_with_distant_cells_needs_little_memory() {
    let far = "<row r=\"1048576\"><c r=\"A1048576\"><v>1</v></c></row>";
    let table = read_table(workbook(&format!("{HEADINGS}{far}"))).expect("a table");
    assert_eq!((table.rows.len(), table.rows[0].line), (1, 1_048_576));
    let wide = "<row r=\"2\"><c r=\"XFD2\"><v>1</v></c></row>";
    let refused = read_table(workbook(&format!("{HEADINGS}{wide}")));
    assert!(matches!(refused, Err(NameListError::TooManyCells)), "{refused:?}");
}

#[test]
fn an_invalid_cell_reference_is_rejected() {
    let wild = "<row r=\"2\"><c r=\"ZZZZZZZ99999999999\"><v>1</v></c></row>";
    let refused = read_table(workbook(&format!("{HEADINGS}{wild}")));
    assert!(matches!(refused, Err(NameListError::Workbook { .. } | NameListError::TooManyCells)), "{refused:?}");
}

#[test]
fn a_damaged_workbook_is_rejected_without_panic() {
    let whole = workbook(HEADINGS);
    for length in (4..whole.len()).step_by(37) {
        assert!(read_table(whole[..length].to_vec()).is_err(), "{length}");
    }
    for at in (4..whole.len()).step_by(11) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        // Some bytes do not matter; no change may panic.
        let _ = read_table(damaged);
    }
}

/// Sets the unpacked length of the last part in the archive's directory.
fn declare(archive: &mut [u8], length: u32) {
    let entry = archive.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").expect("a directory");
    archive[entry + 24..entry + 28].copy_from_slice(&length.to_le_bytes());
}

#[test]
fn a_workbook_that_unpacks_too_large_is_rejected_before_it_is_read() {
    let mut large = workbook(HEADINGS);
    declare(&mut large, 128_000_000);
    let refused = read_table(large).expect_err("refused").to_string();
    assert!(refused.contains("larger than 128 MB"), "{refused}");
}

#[test]
fn a_part_that_is_longer_than_declared_is_rejected() {
    let row = "<row r=\"2\"><c r=\"A2\"><v>1</v></c></row>";
    assert!(read_table(workbook(&format!("{HEADINGS}{row}"))).is_ok());
    let mut wrong = workbook(&format!("{HEADINGS}{row}"));
    declare(&mut wrong, 100);
    let refused = read_table(wrong);
    assert!(matches!(refused, Err(NameListError::Workbook { .. })), "{refused:?}");
}
