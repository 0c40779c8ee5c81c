//! Huffman tables of motion JPEG, which cameras may leave out of their frames.

use libjpeg_turbo_rs::common::tables::{
    AC_CHROMINANCE_BITS, AC_CHROMINANCE_VALUES, AC_LUMINANCE_BITS, AC_LUMINANCE_VALUES, DC_CHROMINANCE_BITS,
    DC_CHROMINANCE_VALUES, DC_LUMINANCE_BITS, DC_LUMINANCE_VALUES,
};

const DEFINE_HUFFMAN: u8 = 0xc4;
const START_OF_SCAN: u8 = 0xda;

/// The same JPEG with the tables of the standard's annex K, if it has none of its own: a photo without tables is damaged.
pub(crate) fn with_tables(mut jpeg: Vec<u8>) -> Vec<u8> {
    if let Some(scan) = scan_without_tables(&jpeg) {
        jpeg.splice(scan..scan, standard_tables());
    }
    jpeg
}

/// Position of the first scan; `None` if tables precede it, or if this is no JPEG.
fn scan_without_tables(jpeg: &[u8]) -> Option<usize> {
    let mut at = 2;
    loop {
        match *jpeg.get(at..at + 4)? {
            [0xff, 0xff, ..] => at += 1,
            [0xff, START_OF_SCAN, ..] => return Some(at),
            [0xff, DEFINE_HUFFMAN, ..] => return None,
            [0xff, _, high, low] => at += 2 + usize::from(u16::from_be_bytes([high, low])),
            _ => return None,
        }
    }
}

/// One marker segment with the four tables.
fn standard_tables() -> Vec<u8> {
    let tables: [(u8, &[u8; 17], &[u8]); 4] = [
        (0x00, &DC_LUMINANCE_BITS, &DC_LUMINANCE_VALUES),
        (0x10, &AC_LUMINANCE_BITS, &AC_LUMINANCE_VALUES),
        (0x01, &DC_CHROMINANCE_BITS, &DC_CHROMINANCE_VALUES),
        (0x11, &AC_CHROMINANCE_BITS, &AC_CHROMINANCE_VALUES),
    ];
    // The library's counts start at a code length of 0.
    let content = tables.iter().flat_map(|(id, counts, values)| [&[*id], &counts[1..], *values].concat());
    let content: Vec<u8> = content.collect();
    let length = (content.len() as u16 + 2).to_be_bytes();
    [&[0xff, DEFINE_HUFFMAN], &length[..], &content].concat()
}

#[cfg(test)]
mod tests {
    use libjpeg_turbo_rs::{Encoder, PixelFormat};

    use super::*;

    /// The JPEG without its Huffman tables, and these.
    fn split(jpeg: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let (mut left, mut tables, mut at) = (jpeg[..2].to_vec(), Vec::new(), 2);
        while jpeg[at + 1] != START_OF_SCAN {
            let end = at + 2 + usize::from(u16::from_be_bytes([jpeg[at + 2], jpeg[at + 3]]));
            match jpeg[at + 1] {
                DEFINE_HUFFMAN => tables.extend_from_slice(&jpeg[at + 4..end]),
                _ => left.extend_from_slice(&jpeg[at..end]),
            }
            at = end;
        }
        left.extend_from_slice(&jpeg[at..]);
        (left, tables)
    }

    #[test]
    fn a_frame_without_tables_gets_those_of_an_encoder_that_uses_the_standard_ones() {
        let pixels: Vec<u8> = (0..32 * 24 * 3).map(|at: usize| (at * 7 % 251) as u8).collect();
        let jpeg = Encoder::new(&pixels, 32, 24, PixelFormat::Rgb).encode().expect("encodes");
        let (bare, tables) = split(&jpeg);
        assert_eq!(tables.len(), 416);
        let completed = with_tables(bare.clone());
        let (rest, given) = split(&completed);
        assert_eq!(rest, bare, "nothing else is changed");
        let sorted = |tables: Vec<u8>| {
            let mut sorted = tables;
            sorted.sort_unstable();
            sorted
        };
        assert_eq!(sorted(given), sorted(tables), "in any order");
        assert_eq!(with_tables(jpeg.clone()), jpeg, "its own tables stay");
    }

    #[test]
    fn bytes_that_are_no_jpeg_are_left_alone() {
        for bytes in [&b""[..], b"\xff\xd8", b"\xff\xd8\xff\xe0\xff\xff", b"no picture at all"] {
            assert_eq!(with_tables(bytes.to_vec()), bytes);
        }
    }
}
