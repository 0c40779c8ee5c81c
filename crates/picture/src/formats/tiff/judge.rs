//! Whether the data of a strip or tile is as it was written, where the decoder does not say.

use flate2::{Decompress, FlushDecompress, Status};

use crate::formats::jpeg;

/// What is wrong with the JPEG data of a strip or tile, with the `tables` that belong to it.
pub(super) fn jpeg(tables: &[u8], data: &[u8]) -> Option<String> {
    let mut file = joined(tables, data);
    // Writers may leave the end marker out, since the directory says where the data ends.
    if !jpeg::has_end(&file) {
        file.extend_from_slice(b"\xff\xd9");
    }
    jpeg::damage(&file).map(|damage| damage.reason)
}

/// A whole JPEG file: the tables lie between a start and an end marker of their own.
fn joined(tables: &[u8], data: &[u8]) -> Vec<u8> {
    let tables = tables.strip_suffix(b"\xff\xd9").unwrap_or(tables);
    match (tables.is_empty(), data.strip_prefix(b"\xff\xd8")) {
        (false, Some(data)) => [tables, data].concat(),
        _ => data.to_vec(),
    }
}

/// What is wrong with a zlib stream that should unpack to `most` bytes or fewer: its checksum, or that it goes on. One that
/// merely lacks its end harms no pixel.
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
        return is_wrong.then(|| "its packed data has another checksum or size than it says".to_owned());
    }
}
