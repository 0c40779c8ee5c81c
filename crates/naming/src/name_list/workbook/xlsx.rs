//! Excel workbooks (.xlsx).

use std::io::Cursor;

use calamine::{DataRef, Reader, Style, Xlsx, XlsxError};

use super::{NameListError, Sheets, date, fault};
use crate::name_list::number_format::shown;

pub(super) fn read(bytes: Vec<u8>, sheets: &mut Sheets<'_>) -> Result<(), NameListError> {
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(|error| fault(&error))?;
    for sheet in workbook.sheet_names() {
        if !sheets.start(sheet.clone()) {
            continue;
        }
        let mut reader = match workbook.worksheet_cells_reader(&sheet) {
            Ok(reader) => reader,
            // A chart sheet has no cells.
            Err(XlsxError::WorksheetNotFound(_)) => continue,
            Err(error) => return Err(fault(&error)),
        };
        while let Some((cell, style)) = reader.next_cell_with_style_id().map_err(|error| fault(&error))? {
            let (row, column) = cell.get_position();
            sheets.add(row, column, text(cell.get_value(), reader.styles().get(style)))?;
        }
        sheets.end()?;
    }
    Ok(())
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
