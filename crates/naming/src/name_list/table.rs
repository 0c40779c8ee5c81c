//! A name list as a table: headings and rows of text.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use unicode_normalization::UnicodeNormalization;

use import::has_picture_extension;

use super::cells::{Cells, MAX_CELLS, MAX_LIST_BYTES};
use super::{NameListError, separated, text, workbook};

/// A name list.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NameTable {
    /// The headings of the columns; their numbers from 1 if the table has no headings.
    pub headings: Vec<String>,
    /// The rows below the headings, without empty rows.
    pub rows: Vec<Row>,
}

/// A row of a name list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its line number in the file, or its row number in the sheet, from 1.
    pub line: usize,
    /// One cell per heading, trimmed and in Unicode normal form C.
    pub cells: Vec<String>,
}

impl NameTable {
    /// Reads a file; the content decides whether it is a workbook or text.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is too large, is no table, or has no row.
    pub fn read(path: &Path) -> Result<Self, NameListError> {
        // Opening a pipe would block until it has a writer.
        if !fs::metadata(path)?.is_file() {
            return Err(NameListError::Unreadable(io::Error::other("it is not a file")));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_LIST_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_LIST_BYTES {
            return Err(NameListError::TooLarge);
        }
        Self::from_bytes(bytes)
    }

    /// Reads a table from the bytes of a file.
    ///
    /// # Errors
    /// As [`NameTable::read`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, NameListError> {
        let is_zip = bytes.starts_with(b"PK\x03\x04");
        // The signatures of old Office files and of OpenDocument: an ODS archive starts with its MIME type.
        let is_old = bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
        let is_open_document =
            is_zip && bytes.get(30..).is_some_and(|rest| rest.starts_with(b"mimetypeapplication/vnd.oasis"));
        if is_old || is_open_document {
            return Err(NameListError::OtherWorkbook);
        }
        let rows = if is_zip {
            workbook::read(bytes)?
        } else {
            let text = text::decode(&bytes);
            if text.contains('\0') {
                return Err(NameListError::NotText);
            }
            separated::read(&text)?
        };
        Self::of_rows(rows)
    }

    fn of_rows(rows: Vec<(usize, Cells)>) -> Result<Self, NameListError> {
        let mut rows: Vec<Row> = rows
            .into_iter()
            .map(|(line, cells)| Row { line, cells: cells.iter().map(|cell| cell.trim().nfc().collect()).collect() })
            .filter(|row: &Row| row.cells.iter().any(|cell| !cell.is_empty()))
            .collect();
        let width = rows.iter().map(|row| row.cells.len()).max().ok_or(NameListError::Empty)?;
        if rows.len() * width > MAX_CELLS {
            return Err(NameListError::TooManyCells);
        }
        rows.iter_mut().for_each(|row| row.cells.resize(width, String::new()));
        // A first row with a photo's file name is not a row of headings.
        let has_headings = !rows[0].cells.iter().any(|cell| has_picture_extension(Path::new(cell)));
        let mut headings = if has_headings { rows.remove(0).cells } else { vec![String::new(); width] };
        for (number, heading) in (1..).zip(&mut headings) {
            if heading.is_empty() {
                *heading = number.to_string();
            }
        }
        if rows.is_empty() { Err(NameListError::OnlyHeadings) } else { Ok(Self { headings, rows }) }
    }

    /// The cells of one column, in row order.
    pub fn column(&self, column: usize) -> Vec<&str> {
        self.rows.iter().map(|row| row.cells.get(column).map_or("", String::as_str)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name_list::cells::MAX_COLUMNS;

    fn table(text: &str) -> NameTable {
        NameTable::from_bytes(text.into()).expect("a table")
    }

    #[test]
    fn rows_have_the_width_of_the_headings() {
        let table = table("File ,Name,\n\n a.jpg , Zoe\u{308} ,\nb.jpg\n,,\n");
        assert_eq!(table.headings, ["File", "Name", "3"]);
        let row = |line, cells: [&str; 3]| Row { line, cells: cells.map(str::to_owned).to_vec() };
        assert_eq!(table.rows, [row(3, ["a.jpg", "Zoë", ""]), row(4, ["b.jpg", "", ""])]);
        assert_eq!(table.column(1), ["Zoë", ""]);
    }

    #[test]
    fn a_table_without_headings_has_numbered_columns() {
        let table = table("a.jpg;Anna\nb.jpg;Ben\n");
        assert_eq!((table.headings, table.rows.len()), (vec!["1".to_owned(), "2".to_owned()], 2));
    }

    #[test]
    fn padding_rows_to_the_widest_row_is_limited() {
        let narrow = |rows: usize| (1..=rows).map(|line| (line, vec!["a.jpg".to_owned()]));
        let wide = (0, vec!["x".to_owned(); MAX_COLUMNS]);
        let rows = |count: usize| [wide.clone()].into_iter().chain(narrow(count)).collect();
        let refused = NameTable::of_rows(rows(MAX_CELLS / MAX_COLUMNS));
        assert!(matches!(refused, Err(NameListError::TooManyCells)));
        assert!(NameTable::of_rows(rows(9)).is_ok());
    }

    #[test]
    fn files_that_are_no_table_are_rejected_with_a_reason() {
        for (bytes, message) in [
            (&b""[..], "it is empty"),
            (b"file,name\n", "only one row, which was read as the headings"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "neither a text table"),
            (b"PK\x03\x04 cut", "the workbook cannot be read"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", "old Excel workbook"),
        ] {
            let refused = NameTable::from_bytes(bytes.to_vec()).expect_err("refused").to_string();
            assert!(refused.contains(message), "{refused}");
        }
        let missing = NameTable::read(Path::new("no/such/list.csv")).expect_err("missing");
        assert!(matches!(missing, NameListError::Unreadable(_)));
    }
}
