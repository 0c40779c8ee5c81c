//! Integrity checks of strip and tile data that the decoder does not perform.

use flate2::{Decompress, FlushDecompress, Status};

use crate::formats::jpeg;

/// Damage of the JPEG data of a strip or tile, with its shared `tables`.
pub(super) fn jpeg(tables: &[u8], data: &[u8]) -> Option<String> {
    let mut file = joined(tables, data);
    // Writers may omit the end marker, since the directory has the length.
    if !jpeg::has_end(&file) {
        file.extend_from_slice(b"\xff\xd9");
    }
    jpeg::damage(&file).map(|damage| damage.reason)
}

/// A complete JPEG file: the tables have their own start and end marker.
fn joined(tables: &[u8], data: &[u8]) -> Vec<u8> {
    let tables = tables.strip_suffix(b"\xff\xd9").unwrap_or(tables);
    match (tables.is_empty(), data.strip_prefix(b"\xff\xd8")) {
        (false, Some(data)) => [tables, data].concat(),
        _ => data.to_vec(),
    }
}

/// Damage of a zlib stream that should unpack to at most `max` bytes: its checksum, or excess data. A stream that
/// merely lacks its end affects no pixel.
pub(super) fn deflate(data: &[u8], max: u64) -> Option<String> {
    let mut stream = Decompress::new(true);
    let mut scrap = vec![0; 1 << 16];
    loop {
        let (read, written) = (stream.total_in(), stream.total_out());
        let rest = usize::try_from(read).ok().and_then(|read| data.get(read..)).unwrap_or_default();
        let is_wrong = match stream.decompress(rest, &mut scrap, FlushDecompress::None) {
            Err(_) => true,
            Ok(_) if stream.total_out() > max => true,
            Ok(Status::StreamEnd) => false,
            Ok(_) if (stream.total_in(), stream.total_out()) != (read, written) => continue,
            Ok(_) => false,
        };
        return is_wrong.then(|| "the checksum or size of its compressed data does not match".to_owned());
    }
}
