//! How many rows a cut PNM holds.

use std::io::Cursor;

use image::codecs::pnm::PnmDecoder;

use super::Header;

/// What may be made up behind the end: a sample of black, over and over.
pub(super) fn padding(bytes: &[u8]) -> &'static [u8] {
    match bytes.get(1) {
        Some(b'1') => b" 1",
        Some(b'2' | b'3') => b" 0",
        _ => b"\0",
    }
}

/// Rows whose every sample is in the file.
pub(super) fn whole_rows(bytes: &[u8], header: &Header) -> u32 {
    let Ok(decoder) = PnmDecoder::new(Cursor::new(bytes)) else { return 0 };
    let (cursor, _) = decoder.into_inner();
    let data = bytes.get(cursor.position() as usize..).unwrap_or_default();
    let width = header.stored.width as usize;
    let samples = (width * header.layout.channels.count()).max(1);
    let rows = match bytes.get(1) {
        Some(b'1') => data.iter().filter(|byte| matches!(byte, b'0' | b'1')).count() / samples,
        Some(b'2' | b'3') => {
            let words = data.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
            // The last number may be cut in two.
            let cut = data.last().is_some_and(|byte| !byte.is_ascii_whitespace());
            (words - usize::from(cut && words > 0)) / samples
        }
        Some(b'4') => data.len() / width.div_ceil(8).max(1),
        _ => data.len() / (samples * if header.layout.deep { 2 } else { 1 }),
    };
    u32::try_from(rows).unwrap_or(u32::MAX)
}
