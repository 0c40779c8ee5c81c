//! A name list matched with photos.

use std::path::PathBuf;
use std::sync::Arc;

use recipe::AssignedRow;

use super::name_list::{
    Columns, NameList, NameListError, NameMatch, NameTable, PhotoIndex, Row, SheetTable, find_columns, match_names,
};
use super::{ListSpec, NameTemplate, fold_text};

/// Maximum number of cells that identify a row without a source name.
const KEY_CELLS: usize = 3;

/// A name list matched with photos by file name.
#[derive(Clone, Debug)]
pub struct Roster {
    pub table: Arc<NameTable>,
    /// Index of its sheet in [`NameList::sheets`]; 0 for a text file.
    pub sheet: usize,
    pub columns: Columns,
    /// The match by file name alone, without cards and corrections.
    pub found: NameMatch,
}

impl Roster {
    /// Matches the first sheet with a column that matches a photo, else the first one, with `photos`: paths, preferably
    /// absolute, in the order of the photo list.
    ///
    /// # Errors
    /// A requested column does not exist.
    pub fn of(list: &NameList, spec: &ListSpec, photos: &[PathBuf]) -> Result<Self, NameListError> {
        let index = PhotoIndex::of(photos);
        let mut first = None;
        for SheetTable { sheet, table } in &list.tables {
            let matched = find_columns(table, spec.requested(), &index).map(|columns| {
                let sources = columns.source.map_or_else(Vec::new, |source| table.column(source));
                let mut found = match_names(&sources, &index);
                if columns.source.is_none() {
                    found.rows_without_photo = (0..table.rows.len()).collect();
                }
                Self { table: Arc::clone(table), sheet: *sheet, columns, found }
            });
            if matched.as_ref().is_ok_and(|roster| roster.found.matches_any()) {
                return matched;
            }
            first.get_or_insert(matched);
        }
        first.unwrap_or(Err(NameListError::Empty))
    }

    /// The column of source names.
    ///
    /// # Errors
    /// There is none: without cards or assigned rows, the list names no photo.
    pub fn photo_column(&self) -> Result<usize, NameListError> {
        self.columns.source.ok_or_else(|| NameListError::NoSource { headings: self.table.headings.clone() })
    }

    /// Checks that the list has the columns that `template` uses, and that something of the list is used.
    ///
    /// # Errors
    /// A column does not exist, or neither names nor presets nor columns of the list are used.
    pub fn check(&self, template: &NameTemplate) -> Result<(), NameListError> {
        let headings = &self.table.headings;
        let is_known = |column: &&str| headings.iter().any(|heading| NameTemplate::is_column(column, heading));
        if let Some(column) = template.columns().find(|column| !is_known(column)) {
            let (column, headings) = (column.to_owned(), headings.clone());
            return Err(NameListError::TemplateColumn { column, headings });
        }
        let uses_name = self.columns.output.is_some() && template.uses_name();
        if !uses_name && self.columns.preset.is_none() && template.columns().next().is_none() {
            return Err(NameListError::NothingUsed { headings: headings.clone() });
        }
        Ok(())
    }

    /// The description of a row for [`PhotoEdits::row`](recipe::PhotoEdits::row); `None` if there is no such row.
    pub fn key_of(&self, row: usize) -> Option<AssignedRow> {
        let row = self.table.rows.get(row)?;
        Some(AssignedRow { line: row.line, text: self.text_of(row) })
    }

    /// The row that was assigned: the one with the same line and text, else the only one with that text. `None` if it is no
    /// longer in the list, or if several rows have the text.
    pub fn find(&self, assigned: &AssignedRow) -> Option<usize> {
        let rows = &self.table.rows;
        let has_text = |row: &Row| self.text_of(row) == assigned.text;
        let at_line = rows.binary_search_by_key(&assigned.line, |row| row.line).ok();
        if let Some(at) = at_line.filter(|at| has_text(&rows[*at])) {
            return Some(at);
        }
        let mut alike = (0..rows.len()).filter(|at| has_text(&rows[*at]));
        alike.next().filter(|_| alike.next().is_none())
    }

    /// At most `max` rows for text typed by the user, best first: every word of it must occur in the row, at the start of a
    /// cell, of a word or anywhere. All rows, in order, for empty text.
    pub fn search(&self, typed: &str, max: usize) -> Vec<usize> {
        let typed = fold_text(typed);
        let words: Vec<&str> = typed.split_whitespace().collect();
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (at, row) in self.table.rows.iter().enumerate() {
            let cells: Vec<String> = row.cells.iter().map(|cell| fold_text(cell)).collect();
            let rank = |word: &&str| cells.iter().filter_map(|cell| rank_in(cell, word)).min();
            // A word that does not occur makes the sum `None`.
            if let Some(rank) = words.iter().map(rank).sum::<Option<usize>>() {
                found.push((rank, at));
            }
        }
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().take(max).map(|(_, at)| at).collect()
    }

    /// The text that identifies a row: its source name, or else its first cells.
    fn text_of(&self, row: &Row) -> String {
        let source = self.columns.source.and_then(|source| row.cells.get(source)).filter(|cell| !cell.is_empty());
        source.cloned().unwrap_or_else(|| {
            let cells: Vec<&str> = row.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
            cells[..cells.len().min(KEY_CELLS)].join(" ")
        })
    }
}

/// How well a word fits a cell: 0 at its start, 1 at the start of a word, 2 elsewhere.
fn rank_in(cell: &str, word: &str) -> Option<usize> {
    let at = cell.find(word)?;
    if at == 0 {
        return Some(0);
    }
    let is_start = |(at, _): (usize, &str)| cell[..at].chars().next_back().is_some_and(|c| !c.is_alphanumeric());
    Some(if cell.match_indices(word).any(is_start) { 1 } else { 2 })
}

#[cfg(test)]
mod tests;
