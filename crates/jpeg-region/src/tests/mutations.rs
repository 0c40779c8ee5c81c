//! Tests of randomly mutated files: they decode or return an error, but never panic.

use super::*;

const ROUNDS: usize = 20_000;

/// Applies one of several random mutations.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
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
fn mutated_files_decode_or_return_an_error() {
    let size = Size::new(56, 40);
    let inks = photo(size, 4);
    let files = [
        encode(size, Subsampling::S420, |encoder| encoder),
        encode(size, Subsampling::S411, |encoder| encoder.restart_blocks(2)),
        encode(size, Subsampling::S422, |encoder| encoder.progressive(true)),
        encode(size, Subsampling::S440, |encoder| encoder.arithmetic(true)),
        encode_grey(size, |encoder| encoder),
        encoder(&inks, size, PixelFormat::Cmyk).encode().expect("encodes"),
    ];
    let mut random = Random(11);
    let (mut decoded, mut refused) = (0, 0);
    for round in 0..ROUNDS {
        let mut bytes = files[round % files.len()].clone();
        mutate(&mut bytes, &mut random);
        let Ok(jpeg) = Jpeg::open(&bytes) else {
            refused += 1;
            continue;
        };
        let (width, height) = (jpeg.frame().width, jpeg.frame().height);
        if jpeg.frame().pixels() > 100_000 {
            continue;
        }
        let part = Region { left: width / 2, top: height / 3, width: width.div_ceil(3), height: height.div_ceil(3) };
        let region = [part, Region { left: 0, top: 0, width, height }][round % 2];
        match jpeg.decode(region, Scale::ALL[round / 2 % 4]) {
            Ok(part) => {
                decoded += 1;
                assert_eq!(part.samples.len(), (part.width * part.height) as usize * part.format.samples());
                assert!(part.damage.is_none_or(|damage| damage.missing_rows <= height));
            }
            Err(error) => {
                refused += 1;
                assert_ne!(error, Error::DecoderPanicked, "round {round}");
            }
        }
    }
    assert!(decoded > ROUNDS / 4 && refused > ROUNDS / 12, "{decoded} decoded, {refused} refused");
}
