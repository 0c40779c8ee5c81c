//! Tests of decoding with the index: which files are indexed, and agreement with libjpeg-turbo-rs.

use super::*;
use crate::decoder::{decode_first_scan, decode_region};
use crate::integrity::{Integrity, integrity};
use crate::jpeg::Index;
use crate::structure::Structure;

const SUBSAMPLINGS: [Subsampling; 6] =
    [Subsampling::S444, Subsampling::S422, Subsampling::S420, Subsampling::S440, Subsampling::S411, Subsampling::S441];

const SIZE: Size = Size::new(211, 173);

/// A decode with the index.
fn by_index(bytes: &[u8], request: DecodeRequest) -> Option<Decoded> {
    Jpeg::open(bytes).ok()?.decode_indexed(request.region, request.scale)
}

/// A decode with libjpeg-turbo-rs.
fn by_library(bytes: &[u8], request: DecodeRequest) -> Decoded {
    let structure = Structure::read(bytes).expect("a header");
    decode_region(bytes, &structure, request.region, request.scale, Integrity::Unknown).expect("decodes")
}

fn middle(scale: Scale) -> DecodeRequest {
    DecodeRequest::new(60, 50, 70, 60, scale)
}

/// Every kind of single-scan file written by cameras and programs.
fn single_scan_files() -> Vec<(String, Vec<u8>)> {
    let mut files = vec![("grey".to_owned(), encode_grey(SIZE, |encoder| encoder))];
    for subsampling in SUBSAMPLINGS {
        files.push((format!("{subsampling:?}"), encode(SIZE, subsampling, |encoder| encoder)));
        files.push((
            format!("{subsampling:?}, own tables"),
            encode(SIZE, subsampling, |encoder| encoder.optimize_huffman(true)),
        ));
        for blocks in [1, 3, 7, 500] {
            files.push((
                format!("{subsampling:?}, {blocks} MCUs"),
                encode(SIZE, subsampling, |encoder| encoder.restart_blocks(blocks)),
            ));
        }
    }
    let flat = vec![90; 3 * 64 * 64];
    // The optimised tables of such a file have next to no codes.
    let flat = Encoder::new(&flat, 64, 64, PixelFormat::Rgb).optimize_huffman(true).encode().expect("encodes");
    files.push(("flat".to_owned(), flat));
    let first = encode(SIZE, Subsampling::S420, |encoder| encoder);
    files.push(("two pictures in one file".to_owned(), [first, encode_grey(SIZE, |encoder| encoder)].concat()));
    files
}

/// The mean difference between a reduced image and the resampled full-size image.
fn off_by(bytes: &[u8], reduced: &Decoded) -> f64 {
    let all = by_library(bytes, whole(size_of(bytes), Scale::Full));
    let reduction = reduced.scale.reduction();
    let expected = lanczos(&all, reduction);
    // As many complete squares as possible.
    let columns = 0..all.width / reduction;
    let seen: Vec<u8> =
        (0..all.height / reduction).flat_map(|row| row_of(reduced, row, columns.clone())).copied().collect();
    differences(&seen, &expected).1
}

#[test]
fn indexed_decodes_match_libjpeg_turbo_rs() {
    for (name, bytes) in single_scan_files() {
        let size = size_of(&bytes);
        for scale in [Scale::Full, Scale::Half] {
            let request = if name == "flat" { DecodeRequest::new(20, 20, 9, 9, scale) } else { middle(scale) };
            let part = by_index(&bytes, request).unwrap_or_else(|| panic!("{name} at {scale:?}"));
            let all = by_library(&bytes, whole(size, scale));
            let Region { left, top, width, height } = request.region;
            let reduction = scale.reduction();
            let columns = left / reduction..left / reduction + width / reduction;
            for row in top / reduction..(top + height) / reduction {
                let seen = row_of(&part, row, columns.clone());
                assert_eq!(seen, row_of(&all, row, columns.clone()), "{name} at {scale:?}, row {row}");
            }
        }
        for (scale, max_off) in [(Scale::Quarter, 1.4), (Scale::Eighth, 2.1)] {
            let small = by_index(&bytes, whole(size, scale)).unwrap_or_else(|| panic!("{name} at {scale:?}"));
            let full = (size.width.div_ceil(scale.reduction()), size.height.div_ceil(scale.reduction()));
            assert_eq!((small.left, small.top, small.width, small.height), (0, 0, full.0, full.1), "{name}");
            let off = off_by(&bytes, &small);
            assert!(off < max_off, "{name} at {scale:?}: {off}");
        }
    }
}

#[test]
fn regions_with_many_mcu_rows_match_libjpeg_turbo_rs() {
    let size = Size::new(64, 2400);
    let bytes = encode_grey(size, |encoder| encoder);
    let all = by_library(&bytes, whole(size, Scale::Full));
    // 290 MCU rows.
    let part = by_index(&bytes, DecodeRequest::new(0, 20, 20, 2300, Scale::Full)).expect("is indexed");
    for row in 20..2320 {
        assert_eq!(row_of(&part, row, 0..20), row_of(&all, row, 0..20), "row {row}");
    }
}

#[test]
fn index_can_be_reused() {
    let bytes = encode(SIZE, Subsampling::S420, |encoder| encoder.restart_blocks(7));
    let index = Index::default();
    let mut requests = vec![
        middle(Scale::Full),
        whole(SIZE, Scale::Eighth),
        middle(Scale::Half),
        whole(SIZE, Scale::Quarter),
        middle(Scale::Eighth),
        middle(Scale::Full),
    ];
    for _ in 0..2 {
        for request in &requests {
            let jpeg = Jpeg::open(&bytes).expect("a header").with_index(&index);
            let reused = jpeg.decode_indexed(request.region, request.scale).expect("is indexed");
            assert!(Some(reused) == by_index(&bytes, *request), "{request:?}");
        }
        requests.reverse();
    }
    // The index determines the result: with that of another file, this one counts as intact.
    let cut = [&bytes[..bytes.len() / 2], b"\xff\xd9"].concat();
    assert_eq!(Jpeg::open(&cut).expect("a header").integrity(), Integrity::Corrupt);
    assert_eq!(Jpeg::open(&cut).expect("a header").with_index(&index).integrity(), Integrity::Intact);
}

#[test]
fn large_regions_and_other_kinds_of_files_are_not_indexed() {
    let plain = encode(SIZE, Subsampling::S420, |encoder| encoder);
    assert!(
        by_index(&plain, whole(SIZE, Scale::Full)).is_none() && by_index(&plain, whole(SIZE, Scale::Half)).is_none()
    );
    let cmyk = encoder(&photo(SIZE, 4), SIZE, PixelFormat::Cmyk).encode().expect("encodes");
    let with_ids = |ids: [u8; 3]| {
        let mut bytes = plain.clone();
        let (frame, scan) = (find(&bytes, 0xc0), find(&bytes, 0xda));
        for (index, id) in ids.into_iter().enumerate() {
            bytes[frame + 10 + 3 * index] = id;
            bytes[scan + 5 + 2 * index] = id;
        }
        bytes
    };
    let inserted = |segment: &[u8]| [&plain[..2], segment, &plain[2..]].concat();
    for (name, bytes) in [
        ("RGB", with_ids(*b"RGB")),
        ("two starts", inserted(b"\xff\xd8")),
        ("half a restart interval", inserted(b"\xff\xdd\0\x03\0")),
        ("a table of too many codes", inserted(&[b"\xff\xc4\0\x16\x13\x03".as_slice(), &[0; 18]].concat())),
        ("progressive", encode(SIZE, Subsampling::S420, |encoder| encoder.progressive(true))),
        ("arithmetic", encode(SIZE, Subsampling::S420, |encoder| encoder.arithmetic(true))),
        ("CMYK", cmyk),
    ] {
        assert!(by_index(&bytes, middle(Scale::Full)).is_none(), "{name}");
        assert!(by_index(&bytes, whole(SIZE, Scale::Eighth)).is_none(), "{name}");
    }
}

#[test]
fn reduced_images_have_correct_colours() {
    for subsampling in SUBSAMPLINGS {
        let progressive = encode(SIZE, subsampling, |encoder| encoder.progressive(true));
        for (name, bytes) in [("plain", encode(SIZE, subsampling, |encoder| encoder)), ("progressive", progressive)] {
            for scale in [Scale::Half, Scale::Quarter, Scale::Eighth] {
                let reduced = read(&bytes, whole(SIZE, scale)).expect("reads");
                assert!(reduced.scale <= scale);
                let off = off_by(&bytes, &reduced);
                // Images at half size with a quarter of the chroma are off by 3.4.
                assert!(off < 4.0, "{name} {subsampling:?} at {scale:?}: {off}");
            }
        }
    }
}

#[test]
fn files_with_missing_or_extra_bits_are_not_indexed() {
    let restarts = encode(SIZE, Subsampling::S420, |encoder| encoder.restart_blocks(5));
    for bytes in [encode(SIZE, Subsampling::S420, |encoder| encoder), restarts] {
        let refuses = |what: &str, bytes: &[u8]| {
            assert!(by_index(bytes, middle(Scale::Full)).is_none(), "{what}");
            assert!(by_index(bytes, whole(SIZE, Scale::Eighth)).is_none(), "{what}");
            // It can be decoded nevertheless.
            assert!(read(bytes, whole(SIZE, Scale::Eighth)).is_ok(), "{what}");
        };
        let end = bytes.len() - 2;
        refuses("no end", &bytes[..end]);
        refuses("a byte less", &[&bytes[..end - 1], b"\xff\xd9"].concat());
        refuses("cut", &[&bytes[..end / 2], b"\xff\xd9"].concat());
        refuses("two bytes more", &[&bytes[..end], b"\x12\x34\xff\xd9"].concat());
        let mut taller = bytes.clone();
        let height = find(&taller, 0xc0) + 5;
        taller[height + 1] += 16;
        refuses("taller", &taller);
    }
    let mut moved = encode(SIZE, Subsampling::S420, |encoder| encoder.restart_blocks(5));
    let marker = find(&moved, 0xd3);
    moved[marker + 1] = 0xd4;
    assert!(by_index(&moved, middle(Scale::Full)).is_none(), "a marker out of order");
}

#[test]
fn first_scan_integrity_matches_libjpeg_turbo_rs() {
    let mut random = Random(5);
    let (mut intact, mut broken) = (0, 0);
    let grey = encode_grey(SIZE, |encoder| encoder.progressive(true));
    let restarts = |encoder: Encoder<'_>| encoder.progressive(true).restart_blocks(5).encode().expect("encodes");
    let colour = photo(SIZE, 3);
    for bytes in [
        encode(SIZE, Subsampling::S420, |encoder| encoder.progressive(true)),
        encode(SIZE, Subsampling::S422, |encoder| encoder.progressive(true)),
        restarts(Encoder::new(&colour, 211, 173, PixelFormat::Rgb)),
        grey,
    ] {
        let structure = Structure::read(&bytes).expect("a header");
        assert!(integrity(&bytes, &structure, 1) == Integrity::Intact);
        let data = structure.scans[0].data.clone();
        for _ in 0..200 {
            let mut bytes = bytes.clone();
            let at = data.start + random.below(data.len());
            if random.below(3) == 0 {
                bytes.drain(at..at + 1 + random.below(3));
            } else {
                bytes[at] ^= 1 << random.below(8);
            }
            let Some(structure) = Structure::read(&bytes) else { continue };
            if integrity(&bytes, &structure, 1) != Integrity::Intact {
                broken += 1;
                continue;
            }
            intact += 1;
            let seen = decode_first_scan(&bytes, &structure);
            assert_eq!(seen, None, "byte {at}");
        }
    }
    assert!(intact > 20 && broken > 100, "{intact}, {broken}");
}

#[test]
fn many_short_restart_intervals_are_not_indexed() {
    let size = Size::new(2080, 2080);
    let file = |blocks: u16| {
        let bytes = encode_grey(size, |encoder| encoder.restart_blocks(blocks));
        by_index(&bytes, whole(size, Scale::Eighth)).is_some()
    };
    assert!(!file(1) && file(2) && file(8));
}

#[test]
fn corrupt_files_are_indexed_only_if_libjpeg_turbo_rs_reports_no_damage() {
    let mut random = Random(3);
    let mut read = 0;
    for bytes in [encode(SIZE, Subsampling::S420, |encoder| encoder), encode_grey(SIZE, |encoder| encoder)] {
        let data = find(&bytes, 0xda) + 20;
        for _ in 0..300 {
            let mut bytes = bytes.clone();
            let at = data + random.below(bytes.len() - 2 - data);
            bytes[at] ^= 1 << random.below(8);
            let Some(indexed) = by_index(&bytes, whole(SIZE, Scale::Eighth)) else { continue };
            read += 1;
            let expected = by_library(&bytes, whole(SIZE, Scale::Eighth));
            assert_eq!((&expected.damage, &indexed.damage), (&None, &None), "byte {at}");
            assert!(differences(&indexed.samples, &expected.samples).1 < 3.0, "byte {at}");
        }
    }
    assert!(read > 20, "{read}");
}
