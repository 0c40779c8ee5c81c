//! Helpers for the tests of decoders.

use outcome::{Channels, DecodeError};
use recipe::DecodeLimits;

use crate::{Picture, decode_bytes};

pub(super) fn decode(bytes: &[u8]) -> Result<Picture, DecodeError> {
    decode_bytes(bytes, &DecodeLimits::default())
}

/// Decodes an undamaged file.
pub(super) fn decode_intact(bytes: &[u8]) -> Picture {
    let picture = decode(bytes).expect("decodes");
    assert_eq!(picture.info.damage, None);
    picture
}

pub(super) fn shallow(picture: &Picture) -> (Channels, &[u8]) {
    (picture.pixels.channels(), picture.pixels.as_u8().expect("8 bits"))
}

pub(super) fn deep(picture: &Picture) -> (Channels, &[u16]) {
    (picture.pixels.channels(), picture.pixels.as_u16().expect("16 bits"))
}

pub(super) fn refusal(bytes: &[u8]) -> String {
    decode(bytes).expect_err("refused").to_string()
}

/// Truncates an intact file at every byte from `from` on: it is rejected, or the complete image is decoded. Returns the
/// number of rejected files.
#[track_caller]
pub(super) fn refused_cuts(bytes: &[u8], from: usize) -> usize {
    let whole = decode_intact(bytes).pixels;
    let is_refused = |length: &usize| match decode(&bytes[..*length]) {
        Ok(picture) => {
            assert!(
                picture.info.damage.is_none() && picture.pixels == whole,
                "cut to {length} bytes of {}",
                bytes.len()
            );
            false
        }
        Err(_) => true,
    };
    (from..bytes.len()).filter(is_refused).count()
}

/// Decodes a truncated file of an image with the bytes `whole`, `row` samples per row: decoded rows are correct, the
/// rest is mid grey. Returns the number of missing rows.
pub(super) fn cut(bytes: &[u8], whole: &[u8], row: usize) -> u32 {
    let picture = decode(bytes).expect("decodes in part");
    let damage = picture.info.damage.clone().expect("is damaged");
    assert_eq!(damage.rows as usize * row, whole.len());
    assert!(damage.reason.contains("end of the file"), "{}", damage.reason);
    let (channels, samples) = shallow(&picture);
    let missing = damage.missing_rows as usize * row;
    let (read, unread) = samples.split_at(whole.len() - missing);
    assert!(read == &whole[..read.len()], "the rows that were read are right");
    let count = channels.count();
    for pixel in unread.chunks_exact(count) {
        let colours = channels.without_alpha().count();
        assert!(pixel[..colours].iter().all(|sample| *sample == 128), "{pixel:?}");
        assert!(pixel[colours..].iter().all(|alpha| *alpha == 255), "{pixel:?}");
    }
    damage.missing_rows
}

/// Deterministic, incompressible bytes.
pub(super) fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..count).map(|_| next()).collect()
}
