//! What the BMP decoder leaves out: embedded profiles, and the rows of a cut file.

use geometry::Size;
use outcome::DecodeError;

use super::{Buffer, Header};
use crate::formats::parts::NEUTRAL;

/// Bytes of the file header in front of the information header.
const FILE_HEADER: usize = 14;

/// The size of a version 5 information header.
const VERSION_5: usize = 124;

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk::<4>()?))
}

/// The profile embedded in a version 5 header.
pub(super) fn icc_profile(bytes: &[u8]) -> Option<&[u8]> {
    // Written backwards in the specification: the constant's letters, little endian.
    let is_embedded = bytes.get(FILE_HEADER + 56..FILE_HEADER + 60)? == b"DEBM";
    if long(bytes, FILE_HEADER)? as usize != VERSION_5 || !is_embedded {
        return None;
    }
    let start = FILE_HEADER.checked_add(long(bytes, FILE_HEADER + 112)? as usize)?;
    bytes.get(start..start.checked_add(long(bytes, FILE_HEADER + 116)? as usize)?)
}

/// True where the file begins with the top row.
pub(super) fn is_top_down(bytes: &[u8]) -> bool {
    long(bytes, FILE_HEADER).is_some_and(|size| size >= 40)
        && long(bytes, FILE_HEADER + 8).is_some_and(|height| (height as i32) < 0)
}

/// Rows of a file without run lengths whose every pixel is there; `None` for one with run lengths. What fills up a row to
/// whole groups of four bytes holds no pixel.
pub(super) fn whole_rows(bytes: &[u8], size: Size) -> Option<u32> {
    let short = |at: usize| Some(u64::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk::<2>()?)));
    let is_old = long(bytes, FILE_HEADER)? == 12;
    let bits = short(FILE_HEADER + if is_old { 10 } else { 14 })?;
    // No compression, or masks that say which bits are which colour.
    if !is_old && !matches!(long(bytes, FILE_HEADER + 16)?, 0 | 3 | 6) {
        return None;
    }
    let row = (u64::from(size.width) * bits).div_ceil(8);
    let data = (bytes.len() as u64).saturating_sub(long(bytes, 10)?.into());
    let step = row.next_multiple_of(4).max(1);
    let rows = data / step + u64::from(data % step >= row);
    Some(u32::try_from(rows).unwrap_or(u32::MAX).min(size.height))
}

/// Reads a cut file with run lengths, whose rows the decoder writes as they come; how many are whole.
pub(super) fn read_in_part(
    bytes: &[u8],
    header: &Header,
    samples: &mut Buffer,
    read: impl Fn(&mut Buffer) -> Result<(), DecodeError>,
) -> u32 {
    // A colour that ends no row of any photo we should meet: where a row still ends with it, the row was not read to its
    // end.
    const UNREAD: [u8; 4] = [NEUTRAL + 1, NEUTRAL - 1, NEUTRAL, NEUTRAL - 2];
    let count = header.layout.channels.count();
    for pixel in samples.as_bytes().chunks_exact_mut(count) {
        pixel.copy_from_slice(&UNREAD[..count]);
    }
    let _ = read(samples);
    let row = (header.stored.width as usize * count).max(count);
    let is_whole = |line: &&[u8]| line[row - count..] != UNREAD[..count];
    let rows = samples.as_bytes().chunks_exact(row).collect::<Vec<_>>();
    let whole = if is_top_down(bytes) {
        rows.iter().copied().take_while(is_whole).count()
    } else {
        rows.iter().rev().copied().take_while(is_whole).count()
    };
    whole as u32
}
