//! Files with bytes changed at random: whatever comes of them, it is a picture within limits or an error.

use super::{avif, heif, jxl, raw};
use crate::decode::{DecodeLimits, decode_bytes};

/// Small numbers that follow each other without order (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn mutated(file: &[u8], seed: u64) -> Vec<u8> {
    let mut chance = Chance(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut bytes = file.to_vec();
    for _ in 0..=chance.below(6) {
        let at = chance.below(bytes.len());
        match chance.below(3) {
            0 => bytes[at] = chance.below(256) as u8,
            1 => bytes[at] ^= 1 << chance.below(8),
            _ => bytes[at] = [0, 0x7f, 0x80, 0xff][chance.below(4)],
        }
    }
    if chance.below(6) == 0 {
        bytes.truncate(chance.below(bytes.len()).max(12));
    }
    bytes
}

#[test]
fn junk_comes_to_an_end_without_a_panic_and_within_limits() {
    macro_rules! picture {
        ($name:literal) => {
            include_bytes!(concat!("../../../tests/pictures/", $name)).as_slice()
        };
    }
    let nef = raw::tests::nef(6);
    let files: [&[u8]; 9] = [
        picture!("420-limited.avif"),
        picture!("grey.avif"),
        picture!("premultiplied.avif"),
        picture!("turned.avif"),
        picture!("turned.heic"),
        picture!("alpha.jxl"),
        picture!("lossy.jxl"),
        picture!("turned.jxl"),
        &nef,
    ];
    let limits = DecodeLimits { max_pixels: 1 << 20, ..DecodeLimits::default() };
    let (mut pictures, mut errors) = (0, 0);
    for (index, file) in files.iter().enumerate() {
        for round in 0..60 {
            let bytes = mutated(file, index as u64 * 1000 + round);
            for metadata in [avif::metadata, heif::metadata, jxl::metadata, raw::metadata] {
                let (exif, xmp) = metadata(&bytes);
                assert!(
                    exif.is_none_or(|exif| exif.len() <= bytes.len()) && xmp.is_none_or(|xmp| xmp.len() <= bytes.len())
                );
            }
            match decode_bytes(&bytes, &limits) {
                Ok(picture) => {
                    assert!(picture.size().pixels() <= limits.max_pixels);
                    pictures += 1;
                }
                Err(_) => errors += 1,
            }
        }
    }
    assert!(pictures > 50 && errors > 50, "{pictures} pictures, {errors} errors");
}
