//! Reads the sheets of workbooks: .xlsx, .ods and .xls.

mod limits;
mod ods;
mod xls;
mod xlsx;

use std::fmt::Display;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::ExcelDateTime;
use zip::ZipArchive;

use super::NameListError;
use super::sheets::Sheets;

/// True for the signature of a workbook: a ZIP archive, or the container of old Office files.
pub(super) fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || is_compound(bytes)
}

fn is_compound(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
}

/// Reads the sheets, cell by cell, so that a sheet with a single cell in its last corner takes no memory for the empty ones.
pub(super) fn read(bytes: Vec<u8>, sheets: &mut Sheets<'_>) -> Result<(), NameListError> {
    // The reader of .xlsx panics on invalid cell references.
    catch_unwind(AssertUnwindSafe(|| read_sheets(bytes, sheets)))
        .unwrap_or_else(|_| Err(NameListError::Workbook { reason: "it contains an invalid cell reference".to_owned() }))
}

fn read_sheets(bytes: Vec<u8>, sheets: &mut Sheets<'_>) -> Result<(), NameListError> {
    if is_compound(&bytes) {
        return xls::read(bytes, sheets);
    }
    let mut archive = ZipArchive::new(Cursor::new(&bytes[..])).map_err(|error| fault(&error))?;
    limits::check(&mut archive)?;
    if archive.index_for_name(ods::CONTENT).is_some() {
        return ods::read(&mut archive, sheets);
    }
    xlsx::read(bytes, sheets)
}

fn fault(error: &impl Display) -> NameListError {
    NameListError::Workbook { reason: error.to_string() }
}

/// An ISO date; unless midnight followed by the time, separated by points since file names cannot contain colons.
fn date(moment: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let day = format!("{year:04}-{month:02}-{day:02}");
    if (hour, minute, second) == (0, 0, 0) { day } else { format!("{day} {hour:02}.{minute:02}.{second:02}") }
}

#[cfg(test)]
mod tests;
