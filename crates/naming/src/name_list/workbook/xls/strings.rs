//! The texts of an old Excel workbook.

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};

use super::records::Fields;
use super::{NameListError, fault};

/// Flags of a text: two bytes for each character; with data for Asian text; with formatted parts.
const IS_WIDE: u8 = 1;
const HAS_EXTENSION: u8 = 4;
const HAS_RUNS: u8 = 8;

/// Bytes of a formatted part.
const RUN_BYTES: usize = 4;

/// The texts that cells share.
#[derive(Default)]
pub(super) struct Strings {
    texts: Vec<String>,
}

impl Strings {
    /// Reads the table of shared texts.
    pub(super) fn read(fields: &mut Fields<'_>) -> Result<Self, NameListError> {
        fields.skip(4)?;
        let count = fields.u32()?;
        // The count is not trusted: memory is requested as texts are read.
        let mut texts = Vec::new();
        for _ in 0..count {
            texts.push(text(fields)?);
        }
        Ok(Self { texts })
    }

    /// The text with this index; empty if there is none.
    pub(super) fn get(&self, index: u32) -> &str {
        self.texts.get(index as usize).map_or("", String::as_str)
    }
}

fn text(fields: &mut Fields<'_>) -> Result<String, NameListError> {
    let length = usize::from(fields.u16()?);
    let flags = fields.u8()?;
    let runs = if flags & HAS_RUNS == 0 { 0 } else { usize::from(fields.u16()?) };
    let extension = if flags & HAS_EXTENSION == 0 { 0 } else { fields.u32()? as usize };
    let text = characters(fields, length, flags)?;
    fields.skip(runs * RUN_BYTES)?;
    fields.skip(extension)?;
    Ok(text)
}

/// Characters of one or two bytes. In each further part of the record they are preceded by their own flags.
pub(super) fn characters(fields: &mut Fields<'_>, length: usize, flags: u8) -> Result<String, NameListError> {
    let (mut units, mut is_wide) = (Vec::new(), flags & IS_WIDE != 0);
    while units.len() < length {
        if fields.next_part() {
            is_wide = fields.u8()? & IS_WIDE != 0;
        }
        let size = if is_wide { 2 } else { 1 };
        let count = (fields.left() / size).min(length - units.len());
        if count == 0 {
            return Err(fault(&"a text is cut off"));
        }
        let bytes = fields.bytes(count * size)?;
        units.extend(bytes.chunks_exact(size).map(|unit| match unit {
            [low, high] => u16::from_le_bytes([*low, *high]),
            _ => u16::from(unit[0]),
        }));
    }
    Ok(String::from_utf16_lossy(&units))
}

/// The encoding of a code page of Excel 95; Windows-1252 for an unknown one.
pub(super) fn encoding_of(code_page: u16) -> &'static Encoding {
    match code_page {
        932 => encoding_rs::SHIFT_JIS,
        936 => encoding_rs::GBK,
        949 => encoding_rs::EUC_KR,
        950 => encoding_rs::BIG5,
        10_000 | 0x8000 => MACINTOSH,
        _ => Encoding::for_label(format!("windows-{code_page}").as_bytes()).unwrap_or(WINDOWS_1252),
    }
}
