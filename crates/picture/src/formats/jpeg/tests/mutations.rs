//! Files that are broken at random: a picture or a refusal, never a panic.

use super::*;

/// Changes a file in one of several ways.
fn mutate(bytes: &mut Vec<u8>, random: &mut Seeded) {
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at.max(4)),
            3 => drop(bytes.drain(at..(at + 1 + random.below(20)).min(bytes.len()))),
            4 => {
                let copied = bytes[at..(at + 30).min(bytes.len())].to_vec();
                bytes.splice(at..at, copied);
            }
            _ => {
                // The headers are short and matter most.
                let early = random.below(bytes.len().min(700));
                bytes[early] = random.below(256) as u8;
            }
        }
    }
}

#[test]
fn mutated_files_give_a_picture_or_a_refusal() {
    let size = Size::new(56, 40);
    let cmyk = photo(size, 4);
    let cmyk = Encoder::new(&cmyk, 56, 40, PixelFormat::Cmyk).quality(80).encode().expect("encodes");
    let files = [
        encode(size, Subsampling::S420, |encoder| encoder),
        encode(size, Subsampling::S411, |encoder| encoder.restart_blocks(2)),
        encode(size, Subsampling::S422, |encoder| encoder.progressive(true)),
        encode(size, Subsampling::S440, |encoder| encoder.arithmetic(true)),
        encode_grey(size),
        cmyk,
    ];
    let limits = DecodeLimits { max_pixels: 1_000_000, ..DecodeLimits::default() };
    let mut random = Seeded(11);
    let (mut read, mut refused) = (0, 0);
    for file in &files {
        for round in 0..100 {
            let mut bytes = file.clone();
            mutate(&mut bytes, &mut random);
            // As `PhotoFile` does: nothing is decoded that is larger than allowed.
            let Some(header) =
                header(&bytes, &limits).ok().filter(|header| header.stored.pixels() <= limits.max_pixels)
            else {
                refused += 1;
                continue;
            };
            let Size { width, height } = header.stored;
            if width == 0 || height == 0 {
                continue;
            }
            let half = PixelRect::new(width as i32 / 2, height as i32 / 3, width.div_ceil(3), height.div_ceil(3));
            let region = [half, PixelRect::new(0, 0, width, height)][round % 2];
            let want = StoredWant { region, reduction: 1 << (round % 4) };
            match pixels(&bytes, &header, want, &limits, &Kept::default()) {
                Ok(decoded) => {
                    read += 1;
                    let missing = decoded.damage.map_or(0, |damage| damage.missing_rows);
                    assert!(missing <= height);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(read > 150 && refused > 50, "{read} read, {refused} refused");
}
