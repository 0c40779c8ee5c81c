//! How many rows a cut TGA holds.

use geometry::Size;

/// True where the file begins with the bottom row.
pub(super) fn is_bottom_up(bytes: &[u8]) -> bool {
    bytes.get(17).is_some_and(|descriptor| descriptor & 0x20 == 0)
}

/// Rows whose every pixel is in the file.
pub(super) fn whole_rows(bytes: &[u8], size: Size) -> u32 {
    let Some(header) = bytes.first_chunk::<18>() else { return 0 };
    let map = usize::from(u16::from_le_bytes([header[5], header[6]])) * usize::from(header[7]).div_ceil(8);
    let has_map = header[1] == 1;
    let start = 18 + usize::from(header[0]) + if has_map { map } else { 0 };
    let pixel = usize::from(header[16]).div_ceil(8).max(1);
    let pixels = if header[2] >= 8 {
        packed_pixels(bytes, start, pixel)
    } else {
        (bytes.len().saturating_sub(start) / pixel) as u64
    };
    u32::try_from(pixels / u64::from(size.width.max(1))).unwrap_or(u32::MAX)
}

/// Pixels of the run-length packets from index `at` on, of `pixel` bytes each.
fn packed_pixels(bytes: &[u8], mut at: usize, pixel: usize) -> u64 {
    let mut pixels = 0;
    while let Some(&packet) = bytes.get(at) {
        let count = usize::from(packet & 0x7f) + 1;
        let length = if packet & 0x80 == 0 { count * pixel } else { pixel };
        let there = bytes.len() - at - 1;
        if there < length {
            // Of a packet of single pixels those count that are there.
            return pixels + if packet & 0x80 == 0 { (there / pixel) as u64 } else { 0 };
        }
        at += 1 + length;
        pixels += count as u64;
    }
    pixels
}
