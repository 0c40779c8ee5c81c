//! A name list as a table: headings and rows of text.

use std::path::Path;

use import::has_picture_extension;

use super::NameListError;
use super::cells::{Cells, MAX_CELLS};
use crate::fold::normalized;

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
    /// A table of rows with their line numbers.
    ///
    /// # Errors
    /// Fails if there is no row, or none below the headings.
    pub(super) fn of_rows(rows: Vec<(usize, Cells)>) -> Result<Self, NameListError> {
        let mut rows: Vec<Row> = rows
            .into_iter()
            .map(|(line, cells)| Row { line, cells: cells.into_iter().map(trimmed).collect() })
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
            // Headings may have line breaks.
            *heading = heading.split_whitespace().collect::<Vec<_>>().join(" ");
            if heading.is_empty() {
                *heading = number.to_string();
            }
        }
        if rows.is_empty() { Err(NameListError::OnlyHeadings) } else { Ok(Self { headings, rows }) }
    }

    /// Reads a text table.
    #[cfg(test)]
    pub(crate) fn from_text(text: &str) -> Result<Self, NameListError> {
        let list = super::NameList::from_bytes(text.as_bytes().to_vec(), None)?;
        Ok(Self::clone(&list.tables[0].table))
    }

    /// The cells of one column, in row order.
    pub fn column(&self, column: usize) -> Vec<&str> {
        self.rows.iter().map(|row| row.cells.get(column).map_or("", String::as_str)).collect()
    }
}

/// A cell without blanks at its ends, in Unicode normal form C.
fn trimmed(cell: String) -> String {
    let inner = cell.trim();
    normalized(if inner.len() == cell.len() { cell } else { inner.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name_list::cells::MAX_COLUMNS;

    fn table(text: &str) -> NameTable {
        NameTable::from_text(text).expect("a table")
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
}
