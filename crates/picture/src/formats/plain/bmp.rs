//! What the BMP decoder leaves out: embedded profiles, and files whose last pixel ends them.

use geometry::Size;
use outcome::{DecodeError, PictureFormat};

use super::{Buffer, Header, read};

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

/// Reads a file whose decoder gave `error`, but that may lack only what holds no pixel: the bytes that fill its last row up
/// to a group of four, or the marks behind its run lengths. Gives `error` back if a pixel is missing.
pub(super) fn read_without_end(
    bytes: &[u8],
    header: &Header,
    samples: &mut Buffer,
    error: DecodeError,
) -> Result<(), DecodeError> {
    match lacking(bytes, header.stored) {
        Some(lacking @ 1..=3) => read(PictureFormat::Bmp, &[bytes, &[0; 3][..lacking]].concat(), samples),
        Some(_) => Err(error),
        None if is_last_pixel_read(bytes, header, samples) => Ok(()),
        None => Err(error),
    }
}

/// Bytes that a file without run lengths lacks; `None` for one with run lengths.
fn lacking(bytes: &[u8], size: Size) -> Option<usize> {
    let short = |at: usize| Some(u64::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk::<2>()?)));
    let is_old = long(bytes, FILE_HEADER)? == 12;
    let bits = short(FILE_HEADER + if is_old { 10 } else { 14 })?;
    // No compression, or masks that say which bits are which colour.
    if !is_old && !matches!(long(bytes, FILE_HEADER + 16)?, 0 | 3 | 6) {
        return None;
    }
    let row = (u64::from(size.width) * bits).div_ceil(8);
    let data = row.next_multiple_of(4) * u64::from(size.height);
    let lacking = (u64::from(long(bytes, 10)?) + data).saturating_sub(bytes.len() as u64);
    // A byte of a pixel is missing where more is than fills up a row.
    let filling = row.next_multiple_of(4) - row;
    Some(if lacking <= filling { lacking as usize } else { usize::MAX })
}

/// True where the decoder writes the last pixel of a file with run lengths, and so all of them: it is the same whatever
/// `samples` hold before. They hold the picture then.
fn is_last_pixel_read(bytes: &[u8], header: &Header, samples: &mut Buffer) -> bool {
    let count = header.layout.channels.count();
    // Such files begin with the bottom row.
    let end = header.stored.width as usize * count;
    let mut last_over = |fill: u8| {
        samples.as_bytes().fill(fill);
        let _ = read(PictureFormat::Bmp, bytes, samples);
        samples.as_bytes().get(end.checked_sub(count)?..end).map(<[u8]>::to_vec)
    };
    let last = last_over(0);
    last.is_some() && last == last_over(u8::MAX)
}
