//! Reads the file of a name list.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::cells::MAX_LIST_BYTES;
use super::sheets::Sheets;
use super::{NameListError, NameTable, separated, text, workbook};

/// The tables of a file that may be a name list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameList {
    /// The names of all sheets of a workbook, in order; empty for a text file.
    pub sheets: Vec<String>,
    /// The requested sheet, else all that have rows; at least one.
    pub tables: Vec<SheetTable>,
}

/// A sheet as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetTable {
    /// Index in [`NameList::sheets`]; 0 for a text file.
    pub sheet: usize,
    pub table: Arc<NameTable>,
}

impl NameList {
    /// Reads a file; the content decides whether it is a workbook or text. `sheet` is the requested sheet, by name or by
    /// number from 1.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is too large, is no table, or has no row; or if there is no such sheet.
    pub fn read(path: &Path, sheet: Option<&str>) -> Result<Self, NameListError> {
        // Opening a pipe would block until it has a writer.
        if !fs::metadata(path)?.is_file() {
            return Err(NameListError::Unreadable(io::Error::other("it is not a file")));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_LIST_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_LIST_BYTES {
            return Err(NameListError::TooLarge);
        }
        Self::from_bytes(bytes, sheet)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// As [`NameList::read`].
    pub fn from_bytes(bytes: Vec<u8>, sheet: Option<&str>) -> Result<Self, NameListError> {
        if workbook::is_workbook(&bytes) {
            let mut sheets = Sheets::new(sheet);
            let read = workbook::read(bytes, &mut sheets);
            return sheets.into_list(read);
        }
        let text = text::decode(&bytes);
        if text.contains('\0') || text.trim_start().starts_with('<') {
            return Err(NameListError::NotText);
        }
        drop(bytes);
        if let Some(sheet) = sheet {
            return Err(NameListError::NoSheet { asked: sheet.to_owned(), sheets: Vec::new() });
        }
        let table = Arc::new(NameTable::of_rows(separated::read(&text)?)?);
        Ok(Self { sheets: Vec::new(), tables: vec![SheetTable { sheet: 0, table }] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_table_are_rejected_with_a_reason() {
        for (bytes, message) in [
            (&b""[..], "it is empty"),
            (b"file,name\n", "only one row, which was read as the headings"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "neither a text table"),
            (b"<html><table><tr><td>file</td></tr></table>", "neither a text table"),
            (b"PK\x03\x04 cut", "the workbook cannot be read"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 cut", "the workbook cannot be read"),
        ] {
            let refused = NameList::from_bytes(bytes.to_vec(), None).expect_err("refused").to_string();
            assert!(refused.contains(message), "{refused}");
        }
        let missing = NameList::read(Path::new("no/such/list.csv"), None).expect_err("missing");
        assert!(matches!(missing, NameListError::Unreadable(_)));
    }

    #[test]
    fn a_text_file_of_a_spreadsheet_program_is_read() {
        let text = "Photo\n file;\"Full name \";Class\r\nIMG_1.jpg ;\"Zoë\nM. \"\"Nan\"\" \";3b\u{a0}\r\n\r\n IMG_2.jpg;Ben;\r\n";
        let text = text.replacen("Photo\n file", "\"Photo\n file\"", 1);
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [[&b"\xff\xfe"[..], &utf16].concat(), [&b"\xef\xbb\xbf"[..], text.as_bytes()].concat()] {
            let list = NameList::from_bytes(bytes, None).expect("a list");
            let table = &list.tables[0].table;
            assert_eq!(table.headings, ["Photo file", "Full name", "Class"]);
            let rows: Vec<String> =
                table.rows.iter().map(|row| format!("{} {}", row.line, row.cells.join("|"))).collect();
            assert_eq!(rows, ["3 IMG_1.jpg|Zoë\nM. \"Nan\"|3b", "6 IMG_2.jpg|Ben|"]);
        }
    }

    #[test]
    fn a_text_file_has_no_sheets() {
        let refused = NameList::from_bytes(b"file,name\na,b\n".to_vec(), Some("2")).expect_err("refused").to_string();
        assert_eq!(refused, "there is no sheet '2': it is a text table, which has no sheets");
    }
}
