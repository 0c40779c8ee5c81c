//! Old Excel workbooks (.xls) of Excel 95 to 2003. The crate calamine reads them as well, but without number formats, and
//! allocates by sizes that the file declares.
//!
//! The format is described in [MS-XLS](https://learn.microsoft.com/openspecs/office_file_formats/ms-xls).

mod formats;
mod records;
mod strings;

use std::io::{Cursor, Read};

use cfb::CompoundFile;
use encoding_rs::{Encoding, WINDOWS_1252};

use super::{NameListError, Sheets, fault};
use crate::name_list::cells::MAX_UNPACKED_BYTES;
use formats::Formats;
use records::{Fields, Record, Records};
use strings::Strings;

/// The streams of a workbook: since Excel 97, and before.
const STREAMS: [&str; 2] = ["/Workbook", "/Book"];

/// The stream of a workbook in the newer format with a password.
const ENCRYPTED: &str = "/EncryptedPackage";

/// Version number of Excel 97 and later.
const BIFF8: u16 = 0x0600;

pub(super) fn read(bytes: Vec<u8>, sheets: &mut Sheets<'_>) -> Result<(), NameListError> {
    let mut file = CompoundFile::open(Cursor::new(bytes)).map_err(|error| fault(&error))?;
    if file.exists(ENCRYPTED) {
        return Err(NameListError::Password);
    }
    let stream = STREAMS.into_iter().find(|stream| file.is_stream(stream));
    let stream = stream.ok_or_else(|| fault(&"it contains no sheets"))?;
    let mut bytes = Vec::new();
    file.open_stream(stream)
        .and_then(|stream| stream.take(MAX_UNPACKED_BYTES).read_to_end(&mut bytes))
        .map_err(|error| fault(&error))?;
    drop(file);
    let Some(workbook) = Workbook::read(&bytes)? else { return Err(NameListError::Password) };
    for BoundSheet { position, name, is_worksheet } in &workbook.sheets {
        if sheets.start(name.clone()) && *is_worksheet {
            workbook.read_sheet(bytes.get(*position..).unwrap_or_default(), sheets)?;
            sheets.end()?;
        }
    }
    Ok(())
}

/// What the sheets share.
struct Workbook {
    version: u16,
    encoding: &'static Encoding,
    sheets: Vec<BoundSheet>,
    strings: Strings,
    formats: Formats,
}

struct BoundSheet {
    /// Position of its records in the stream.
    position: usize,
    name: String,
    /// False for charts and macros.
    is_worksheet: bool,
}

impl Workbook {
    /// Reads the records in front of the sheets; `None` if the workbook has a password.
    fn read(stream: &[u8]) -> Result<Option<Self>, NameListError> {
        let mut workbook = Self {
            version: BIFF8,
            encoding: WINDOWS_1252,
            sheets: Vec::new(),
            strings: Strings::default(),
            formats: Formats::default(),
        };
        for record in Records::of(stream) {
            let mut fields = record.fields();
            match record.kind {
                Record::BOF => workbook.version = fields.u16()?,
                Record::EOF => break,
                Record::FILE_PASS => return Ok(None),
                Record::CODE_PAGE => workbook.encoding = strings::encoding_of(fields.u16()?),
                Record::DATE_MODE => workbook.formats.is_1904 = fields.u16()? == 1,
                Record::FORMAT => {
                    let number = fields.u16()?;
                    workbook.formats.add_format(number, workbook.text(&mut fields)?);
                }
                Record::XF => {
                    fields.skip(2)?;
                    workbook.formats.add_style(fields.u16()?);
                }
                Record::BOUND_SHEET => {
                    let position = fields.u32()? as usize;
                    fields.skip(1)?;
                    let is_worksheet = fields.u8()? == 0;
                    let name = workbook.short_text(&mut fields)?;
                    workbook.sheets.push(BoundSheet { position, name, is_worksheet });
                }
                Record::SST => workbook.strings = Strings::read(&mut fields)?,
                _ => {}
            }
        }
        Ok(Some(workbook))
    }

    /// Reads the cells of a sheet, whose records start at `stream`.
    fn read_sheet(&self, stream: &[u8], sheets: &mut Sheets<'_>) -> Result<(), NameListError> {
        // Charts in the sheet have records of their own.
        let mut depth = 0;
        // The cell of a formula whose text follows in a record of its own.
        let mut formula = None;
        for record in Records::of(stream) {
            match record.kind {
                Record::BOF => depth += 1,
                Record::EOF if depth <= 1 => break,
                Record::EOF => depth -= 1,
                _ if depth > 1 => {}
                Record::STRING => {
                    if let Some((row, column)) = formula.take() {
                        sheets.add(row, column, self.text(&mut record.fields())?)?;
                    }
                }
                Record::NUMBER
                | Record::RK
                | Record::MUL_RK
                | Record::LABEL
                | Record::RICH_STRING
                | Record::LABEL_SST
                | Record::BOOL_ERR
                | Record::FORMULA => formula = self.add_cells(&record, sheets)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds the cells of a record; returns the cell of a formula whose text follows.
    fn add_cells(&self, record: &Record<'_>, sheets: &mut Sheets<'_>) -> Result<Option<(u32, u32)>, NameListError> {
        let mut fields = record.fields();
        let (row, column) = (u32::from(fields.u16()?), u32::from(fields.u16()?));
        if record.kind == Record::MUL_RK {
            // Ends with the last column.
            for column in column.. {
                if fields.left() < 6 {
                    break;
                }
                let style = fields.u16()?;
                sheets.add(row, column, self.formats.shown(rk(fields.u32()?), style))?;
            }
            return Ok(None);
        }
        let style = fields.u16()?;
        let text = match record.kind {
            Record::NUMBER => self.formats.shown(fields.f64()?, style),
            Record::RK => self.formats.shown(rk(fields.u32()?), style),
            Record::LABEL_SST => {
                sheets.add(row, column, self.strings.get(fields.u32()?))?;
                return Ok(None);
            }
            Record::BOOL_ERR => truth(fields.u8()?, fields.u8()? != 0),
            Record::FORMULA => {
                let result = fields.bytes(8)?;
                match result {
                    [0, .., 0xff, 0xff] => return Ok(Some((row, column))),
                    [1, _, value, .., 0xff, 0xff] => truth(*value, false),
                    [.., 0xff, 0xff] => String::new(),
                    _ => self.formats.shown(Fields::of(&[result]).f64()?, style),
                }
            }
            _ => self.text(&mut fields)?,
        };
        sheets.add(row, column, text)?;
        Ok(None)
    }

    /// A text whose length has two bytes.
    fn text(&self, fields: &mut Fields<'_>) -> Result<String, NameListError> {
        // Formats of Excel 95 have a length of one byte.
        if self.version < BIFF8 && fields.kind() == Record::FORMAT {
            return self.short_text(fields);
        }
        let length = fields.u16()?;
        self.text_of(fields, length)
    }

    /// A text whose length has one byte.
    fn short_text(&self, fields: &mut Fields<'_>) -> Result<String, NameListError> {
        let length = fields.u8()?;
        self.text_of(fields, u16::from(length))
    }

    fn text_of(&self, fields: &mut Fields<'_>, length: u16) -> Result<String, NameListError> {
        if self.version < BIFF8 {
            return Ok(self.encoding.decode_without_bom_handling(fields.bytes(usize::from(length))?).0.into_owned());
        }
        let flags = fields.u8()?;
        strings::characters(fields, usize::from(length), flags)
    }
}

/// The number in an RK value: 30 bits of a float or an integer, possibly times 100.
fn rk(bits: u32) -> f64 {
    let number = match bits & 2 {
        0 => f64::from_bits(u64::from(bits & !3) << 32),
        _ => f64::from(bits.cast_signed() >> 2),
    };
    if bits & 1 == 0 { number } else { number / 100.0 }
}

/// A truth value; none for an error.
fn truth(value: u8, is_error: bool) -> String {
    if is_error { String::new() } else { (value != 0).to_string() }
}

#[cfg(test)]
mod tests;
