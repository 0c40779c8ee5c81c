//! Extensions of the BMP decoder: embedded profiles, and files that end with their last pixel.

use geometry::Size;
use outcome::{DecodeError, PictureFormat};

use super::{Buffer, Header, read};

/// Bytes of the file header before the information header.
const FILE_HEADER: usize = 14;

/// The size of a version 5 information header.
const VERSION_5: usize = 124;

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk::<4>()?))
}

/// The profile embedded in a version 5 header.
pub(super) fn icc_profile(bytes: &[u8]) -> Option<&[u8]> {
    // The letters of the constant in the specification, little-endian.
    let is_embedded = bytes.get(FILE_HEADER + 56..FILE_HEADER + 60)? == b"DEBM";
    if long(bytes, FILE_HEADER)? as usize != VERSION_5 || !is_embedded {
        return None;
    }
    let start = FILE_HEADER.checked_add(long(bytes, FILE_HEADER + 112)? as usize)?;
    bytes.get(start..start.checked_add(long(bytes, FILE_HEADER + 116)? as usize)?)
}

/// Reads a file that failed with `error`, if it lacks only bytes without pixels: the padding of its last row to four
/// bytes, or the end marker of run-length encoding. Returns `error` if a pixel is missing.
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

/// Number of missing bytes in a file without run-length encoding; `None` with run-length encoding.
fn lacking(bytes: &[u8], size: Size) -> Option<usize> {
    let short = |at: usize| Some(u64::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk::<2>()?)));
    let is_old = long(bytes, FILE_HEADER)? == 12;
    let bits = short(FILE_HEADER + if is_old { 10 } else { 14 })?;
    // No compression, or bit masks of the colours.
    if !is_old && !matches!(long(bytes, FILE_HEADER + 16)?, 0 | 3 | 6) {
        return None;
    }
    let row = (u64::from(size.width) * bits).div_ceil(8);
    let data = row.next_multiple_of(4) * u64::from(size.height);
    let lacking = (u64::from(long(bytes, 10)?) + data).saturating_sub(bytes.len() as u64);
    // More missing bytes than the padding of a row include pixel bytes.
    let filling = row.next_multiple_of(4) - row;
    Some(if lacking <= filling { lacking as usize } else { usize::MAX })
}

/// True if the decoder writes the last pixel of a run-length encoded file, and so all of them: its value does not
/// depend on the initial `samples`, which then hold the image.
fn is_last_pixel_read(bytes: &[u8], header: &Header, samples: &mut Buffer) -> bool {
    let count = header.layout.channels.count();
    // Such files start with the bottom row.
    let end = header.stored.width as usize * count;
    let mut last_over = |fill: u8| {
        samples.as_bytes().fill(fill);
        let _ = read(PictureFormat::Bmp, bytes, samples);
        samples.as_bytes().get(end.checked_sub(count)?..end).map(<[u8]>::to_vec)
    };
    let last = last_over(0);
    last.is_some() && last == last_over(u8::MAX)
}
