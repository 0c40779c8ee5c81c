//! The sheets of a workbook while they are read.

use std::sync::Arc;

use super::cells::{Cells, MAX_CELLS, MAX_COLUMNS, MAX_ROWS, MAX_UNPACKED_BYTES};
use super::{NameList, NameListError, NameTable, SheetTable};
use crate::fold_text;

/// The sheets of a workbook, with limits for all of them together.
pub(super) struct Sheets<'a> {
    requested: Option<&'a str>,
    names: Vec<String>,
    tables: Vec<SheetTable>,
    /// Whether a sheet had headings and nothing else.
    has_only_headings: bool,
    rows: Vec<(usize, Cells)>,
    /// False if a cell of an earlier row was added after one of a later row.
    is_in_order: bool,
    cells: usize,
    bytes: u64,
}

impl<'a> Sheets<'a> {
    /// No sheets yet. `requested` is a name or a number from 1.
    pub(super) fn new(requested: Option<&'a str>) -> Self {
        let (names, tables, rows) = (Vec::new(), Vec::new(), Vec::new());
        Self { requested, names, tables, has_only_headings: false, rows, is_in_order: true, cells: 0, bytes: 0 }
    }

    /// Starts a sheet; false if its cells are not wanted.
    pub(super) fn start(&mut self, name: String) -> bool {
        let is_wanted = self.requested.is_none_or(|requested| {
            is_called(&name, requested) || requested.trim().parse() == Ok(self.names.len() + 1)
        });
        self.names.push(name);
        is_wanted
    }

    /// Adds a cell of the current sheet; row and column are counted from 0.
    pub(super) fn add(
        &mut self,
        row: u32,
        column: u32,
        text: impl Into<String> + AsRef<str>,
    ) -> Result<(), NameListError> {
        let length = text.as_ref().len();
        if length == 0 {
            return Ok(());
        }
        let (row, column) = (row as usize + 1, column as usize);
        if column >= MAX_COLUMNS {
            return Err(NameListError::TooManyCells);
        }
        if self.rows.last().is_none_or(|(last, _)| *last != row) {
            if self.rows.len() == MAX_ROWS {
                return Err(NameListError::TooManyCells);
            }
            self.is_in_order &= self.rows.last().is_none_or(|(last, _)| *last < row);
            self.rows.push((row, Cells::new()));
        }
        if let Some((_, cells)) = self.rows.last_mut() {
            if cells.len() <= column {
                self.cells += column + 1 - cells.len();
                if self.cells > MAX_CELLS {
                    return Err(NameListError::TooManyCells);
                }
                cells.resize(column + 1, String::new());
            }
            // Cells may share a string, so their total length may exceed the file's.
            self.bytes += length as u64;
            if self.bytes > MAX_UNPACKED_BYTES {
                return Err(NameListError::UnpacksTooLarge);
            }
            cells[column] = text.into();
        }
        Ok(())
    }

    /// Ends the current sheet.
    pub(super) fn end(&mut self) -> Result<(), NameListError> {
        let mut rows = std::mem::take(&mut self.rows);
        if !std::mem::replace(&mut self.is_in_order, true) {
            rows = in_order(rows);
        }
        match NameTable::of_rows(rows) {
            Ok(table) => {
                let sheet = self.names.len().saturating_sub(1);
                self.tables.push(SheetTable { sheet, table: Arc::new(table) });
            }
            Err(NameListError::Empty) => {}
            Err(NameListError::OnlyHeadings) => self.has_only_headings = true,
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The list, after reading has ended with `read`. An error in a sheet behind one with rows does not matter.
    pub(super) fn into_list(mut self, read: Result<(), NameListError>) -> Result<NameList, NameListError> {
        if let Some(requested) = self.requested {
            // A name is looked for first, since it may be a number.
            let by_name = self.names.iter().position(|name| is_called(name, requested));
            let by_number = || requested.trim().parse::<usize>().ok()?.checked_sub(1);
            match by_name.or_else(by_number).filter(|sheet| *sheet < self.names.len()) {
                Some(sheet) => self.tables.retain(|table| table.sheet == sheet),
                None => {
                    read?;
                    return Err(NameListError::NoSheet { asked: requested.to_owned(), sheets: self.names });
                }
            }
        }
        if self.tables.is_empty() {
            read?;
            return Err(if self.has_only_headings { NameListError::OnlyHeadings } else { NameListError::Empty });
        }
        Ok(NameList { sheets: self.names, tables: self.tables })
    }
}

/// The rows in order, each once.
fn in_order(mut rows: Vec<(usize, Cells)>) -> Vec<(usize, Cells)> {
    rows.sort_by_key(|(row, _)| *row);
    rows.dedup_by(|(later, from), (row, into)| {
        let is_same = later == row;
        if is_same {
            into.resize(into.len().max(from.len()), String::new());
            for (cell, other) in into.iter_mut().zip(from).filter(|(_, other)| !other.is_empty()) {
                *cell = std::mem::take(other);
            }
        }
        is_same
    });
    rows
}

fn is_called(name: &str, requested: &str) -> bool {
    fold_text(name.trim()) == fold_text(requested.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_size_of_cells_is_limited() {
        // Each row takes the memory of 256 cells.
        let mut sheets = Sheets::new(None);
        let refused = (0..).find_map(|row| sheets.add(row, 255, "x".to_owned()).err());
        assert!(matches!(refused, Some(NameListError::TooManyCells)), "{refused:?}");
        // A shared string counts once per cell, on all sheets together.
        let (mut sheets, long) = (Sheets::new(None), "x".repeat(4_000_000));
        let refused = (0..).find_map(|sheet| {
            sheets.start(sheet.to_string());
            sheets.add(0, 0, "file".to_owned()).expect("short");
            let added = sheets.add(1, 0, long.clone());
            sheets.end().expect("a table");
            added.err()
        });
        assert!(matches!(refused, Some(NameListError::UnpacksTooLarge)), "{refused:?}");
        // The sheets before are kept.
        let list = sheets.into_list(refused.map_or(Ok(()), Err)).expect("a list");
        assert_eq!((list.sheets.len(), list.tables.len()), (32, 31));
    }

    #[test]
    fn cells_may_be_in_any_order() {
        let mut sheets = Sheets::new(None);
        sheets.start("Names".to_owned());
        for (row, column, text) in
            [(2, 0, "b.jpg"), (0, 0, "file"), (0, 1, "name"), (1, 1, "Anna"), (2, 1, "Ben"), (1, 0, "a.jpg")]
        {
            sheets.add(row, column, text).expect("short");
        }
        sheets.end().expect("a table");
        let list = sheets.into_list(Ok(())).expect("a list");
        let table = &list.tables[0].table;
        assert_eq!((table.column(0), table.column(1)), (vec!["a.jpg", "b.jpg"], vec!["Anna", "Ben"]));
        assert_eq!(table.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn a_sheet_is_requested_by_name_or_number() {
        let read = |requested: Option<&str>| {
            let mut sheets = Sheets::new(requested);
            for name in ["Notes", "2026", "Größe 1"] {
                if sheets.start(name.to_owned()) {
                    sheets.add(0, 0, "file".to_owned()).and(sheets.add(1, 0, name.to_owned())).expect("short");
                }
                sheets.end().expect("a table");
            }
            sheets.into_list(Ok(()))
        };
        let found = |requested: &str| {
            let list = read(Some(requested)).expect("a sheet");
            assert_eq!((list.sheets.len(), list.tables.len()), (3, 1));
            (list.tables[0].sheet, list.tables[0].table.rows[0].cells[0].clone())
        };
        assert_eq!(found("GRÖßE 1").0, 2);
        assert_eq!((found("2026").0, found(" 1 ").0), (1, 0));
        assert_eq!(read(None).expect("sheets").tables.len(), 3);
        for wrong in ["0", "4", "names"] {
            let refused = read(Some(wrong)).expect_err("refused").to_string();
            assert!(refused.ends_with("the sheets are 'Notes', '2026', 'Größe 1'"), "{refused}");
        }
    }
}
