//! Reads the first non-empty sheet of an Excel workbook (.xlsx).

mod limits;

use std::fmt::Display;
use std::io::Cursor;
use std::panic::catch_unwind;

use calamine::{DataRef, ExcelDateTime, Reader, Style, Xlsx, XlsxError};

use super::NameListError;
use super::cells::{Cells, MAX_CELLS, MAX_COLUMNS, MAX_ROWS, MAX_UNPACKED_BYTES};
use super::number_format::shown;

/// The rows of the first non-empty sheet, with their row numbers. Cells are read one by one, so that a sheet with a single
/// cell in its last corner takes no memory for the empty ones.
pub(super) fn read(bytes: Vec<u8>) -> Result<Vec<(usize, Cells)>, NameListError> {
    // The reader panics on invalid cell references.
    catch_unwind(|| read_first(bytes))
        .unwrap_or_else(|_| Err(NameListError::Workbook { reason: "it contains an invalid cell reference".to_owned() }))
}

fn read_first(bytes: Vec<u8>) -> Result<Vec<(usize, Cells)>, NameListError> {
    limits::check(&bytes)?;
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(|error| fault(&error))?;
    for sheet in workbook.sheet_names() {
        let rows = match workbook.worksheet_cells_reader(&sheet) {
            Ok(mut reader) => read_cells(|| {
                let cell = reader.next_cell_with_style_id().map_err(|error| fault(&error))?;
                Ok(cell.map(|(cell, style)| (cell.get_position(), text(cell.get_value(), reader.styles().get(style)))))
            })?,
            // A chart sheet has no cells.
            Err(XlsxError::WorksheetNotFound(_)) => continue,
            Err(error) => return Err(fault(&error)),
        };
        if !rows.is_empty() {
            return Ok(rows);
        }
    }
    Err(NameListError::Empty)
}

fn fault(error: &impl Display) -> NameListError {
    NameListError::Workbook { reason: error.to_string() }
}

/// Row and column, from 0, and the text of the cell.
type PlacedCell = ((u32, u32), String);

fn read_cells(
    mut next: impl FnMut() -> Result<Option<PlacedCell>, NameListError>,
) -> Result<Vec<(usize, Cells)>, NameListError> {
    let mut rows: Vec<(usize, Cells)> = Vec::new();
    // Cells may share a string, so their total length may exceed the file's.
    let (mut count, mut bytes) = (0, 0);
    while let Some(((row, column), text)) = next()? {
        if text.is_empty() {
            continue;
        }
        let (row, column) = (row as usize + 1, column as usize);
        if column >= MAX_COLUMNS {
            return Err(NameListError::TooManyCells);
        }
        if rows.last().is_none_or(|(last, _)| *last != row) {
            if rows.len() == MAX_ROWS {
                return Err(NameListError::TooManyCells);
            }
            rows.push((row, Cells::new()));
        }
        if let Some((_, cells)) = rows.last_mut() {
            if cells.len() <= column {
                count += column + 1 - cells.len();
                if count > MAX_CELLS {
                    return Err(NameListError::TooManyCells);
                }
                cells.resize(column + 1, String::new());
            }
            bytes += text.len() as u64;
            if bytes > MAX_UNPACKED_BYTES {
                return Err(NameListError::UnpacksTooLarge);
            }
            cells[column] = text;
        }
    }
    Ok(rows)
}

/// The text of a cell as the sheet shows it.
fn text(cell: &DataRef<'_>, style: Option<&Style>) -> String {
    let format = || style.and_then(|style| style.number_format.as_ref());
    match cell {
        DataRef::Int(number) => number.to_string(),
        // The shortest text that parses to the same number: 7 for 7.0.
        DataRef::Float(number) => {
            format().and_then(|format| shown(*number, &format.format_code)).unwrap_or_else(|| number.to_string())
        }
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(truth) => truth.to_string(),
        DataRef::DateTime(moment) => date(moment),
        DataRef::Error(_) | DataRef::Empty => String::new(),
    }
}

/// An ISO date; unless midnight followed by the time, separated by points since file names cannot contain colons.
fn date(moment: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let day = format!("{year:04}-{month:02}-{day:02}");
    if (hour, minute, second) == (0, 0, 0) { day } else { format!("{day} {hour:02}.{minute:02}.{second:02}") }
}

#[cfg(test)]
mod tests;
