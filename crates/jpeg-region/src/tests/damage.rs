//! Tests of truncated and corrupt files.

use super::*;
use crate::damage::{Damage, DamageCause};
use crate::entropy_coded::restart_markers;
use crate::integrity::Integrity;
use crate::structure::Structure;

const SIZE: Size = Size::new(240, 300);

/// The first row of `cut` that differs from `sound` by more than the interpolation of the last rows.
fn first_missing_row(cut: &Decoded, sound: &Decoded) -> u32 {
    let stride = cut.width as usize * cut.format.samples();
    let rows = cut.samples.chunks_exact(stride).zip(sound.samples.chunks_exact(stride));
    rows.take_while(|(cut, sound)| differences(cut, sound).0 < 100).count() as u32
}

#[test]
fn truncated_files_report_missing_rows() {
    let files = [
        ("4:2:0", 16, encode(SIZE, Subsampling::S420, |encoder| encoder)),
        ("4:4:4", 8, encode(SIZE, Subsampling::S444, |encoder| encoder)),
        ("4:2:2", 8, encode(SIZE, Subsampling::S422, |encoder| encoder)),
        ("restarts", 16, encode(SIZE, Subsampling::S420, |encoder| encoder.restart_blocks(4))),
        ("grey", 8, encode_grey(SIZE, |encoder| encoder)),
    ];
    for (name, step, bytes) in &files {
        let sound = read_whole(bytes);
        assert_eq!(sound.damage, None, "{name}");
        let scan = find(bytes, 0xda);
        let mut before = u32::MAX;
        for percent in [2, 25, 50, 60, 80, 97] {
            let cut = read_whole(&bytes[..scan + (bytes.len() - scan) * percent / 100]);
            let damage = cut.damage.expect("is cut");
            assert_eq!(damage.rows, SIZE.height);
            let read = damage.rows - damage.missing_rows;
            assert_eq!(read % step, 0, "{name} {percent} %");
            // Everything above is intact; the MCU row below is missing or partial.
            let seen = first_missing_row(&cut, &sound);
            assert!(seen >= read.saturating_sub(1), "{name} {percent} %: {read} rows reported, {seen} intact");
            assert!(damage.missing_rows < before, "{name} {percent} %: {damage:?}");
            before = damage.missing_rows;
            // A reduced image and a region of a truncated file report the same.
            for request in [whole(SIZE, Scale::Eighth), DecodeRequest::new(10, 10, 30, 30, Scale::Full)] {
                assert_eq!(read_of(&bytes[..scan + (bytes.len() - scan) * percent / 100], request), damage);
            }
        }
    }
}

fn read_of(bytes: &[u8], request: DecodeRequest) -> Damage {
    read(bytes, request).expect("decodes in part").damage.expect("is cut")
}

/// Indices after the restart markers.
fn restarts(bytes: &[u8]) -> Vec<usize> {
    let structure = Structure::read(bytes).expect("reads");
    restart_markers(bytes, structure.scans[0].data.clone()).collect()
}

#[test]
fn missing_rows_are_exact_to_one_mcu_row() {
    // All rows have the same length in the file: half of the data is half of the rows.
    let bytes = encode(Size::new(240, 320), Subsampling::S420, |encoder| encoder.restart_rows(1));
    let restarts = restarts(&bytes);
    assert_eq!(restarts.len(), 19);
    // Cut within the ninth MCU row: eight are complete.
    let damage = read_of(&bytes[..restarts[7] + 40], whole(Size::new(240, 320), Scale::Full));
    assert_eq!(damage.missing_rows, 320 - 8 * 16);
    // The same with an appended end marker, as written by repair tools.
    let repaired = [&bytes[..restarts[7] + 40], b"\xff\xd9"].concat();
    assert_eq!(read_of(&repaired, whole(Size::new(240, 320), Scale::Full)).missing_rows, 320 - 8 * 16);
}

#[test]
fn missing_end_marker_is_reported() {
    for bytes in [encode(SIZE, Subsampling::S420, |encoder| encoder), encode_grey(SIZE, |encoder| encoder)] {
        let expected = read_whole(&bytes);
        let cut = read_whole(&bytes[..bytes.len() - 2]);
        assert_eq!(&cut.samples, &expected.samples);
        let damage = cut.damage.expect("truncated");
        assert_eq!((damage.missing_rows, damage.cause), (0, DamageCause::EoiMissing));
    }
}

#[test]
fn truncated_progressive_files_report_missing_rows_or_detail() {
    let bytes = encode(SIZE, Subsampling::S420, |encoder| encoder.progressive(true));
    let sound = read_whole(&bytes);
    let structure = Structure::read(&bytes).expect("reads");
    let first = &structure.scans[0].data;
    // Within the first scan: rows are missing.
    let cut = read_whole(&bytes[..first.start + first.len() / 2]);
    let damage = cut.damage.expect("is cut");
    assert!((60..240).contains(&damage.missing_rows), "{damage:?}");
    // After the first scan: every row is present, but less sharp. The cut may also be within a segment between scans.
    let mut means = Vec::new();
    for scan in [1, 3, structure.scans.len() - 1] {
        let scan = &structure.scans[scan];
        for end in [scan.offset + 3, scan.data.start + scan.data.len() / 2] {
            let cut = read_whole(&bytes[..end]);
            let damage = cut.damage.expect("is cut");
            assert_eq!(damage.missing_rows, 0, "{damage:?}");
            let (_, mean) = differences(&cut.samples, &sound.samples);
            means.push(mean);
        }
    }
    assert!(means.iter().all(|mean| *mean < 12.0) && means[5] < 2.0 && means[5] < means[0], "{means:?}");
}

#[test]
fn short_first_scan_of_a_progressive_file_is_detected() {
    for subsampling in [Subsampling::S420, Subsampling::S444] {
        let bytes = encode(SIZE, subsampling, |encoder| encoder.progressive(true));
        assert_eq!(read_whole(&bytes).damage, None);
        let first = Structure::read(&bytes).expect("reads").scans[0].data.clone();
        let middle = first.start + first.len() / 2;
        let short = [&bytes[..middle], &bytes[first.end..]].concat();
        for request in
            [whole(SIZE, Scale::Full), whole(SIZE, Scale::Eighth), DecodeRequest::new(10, 10, 30, 30, Scale::Full)]
        {
            let damage = read_of(&short, request);
            assert!((60..240).contains(&damage.missing_rows), "{damage:?}");
        }
        // The same amount of data, but for fewer or more coefficients than the image has.
        let mut zeroed = bytes.clone();
        zeroed[middle..first.end].fill(0);
        assert!(read_whole(&zeroed).damage.is_some(), "{subsampling:?}");
        // A header that declares a larger image.
        let mut promising = bytes.clone();
        let height_at = find(&bytes, 0xc2) + 5;
        promising[height_at..height_at + 2].copy_from_slice(&3000_u16.to_be_bytes());
        let damage = read_of(&promising, whole(Size::new(SIZE.width, 3000), Scale::Eighth));
        assert!((2690..=2712).contains(&damage.missing_rows), "{damage:?}");
    }
}

#[test]
fn corrupt_data_is_detected_if_its_length_changes() {
    // About half of such changes keep the number of blocks and cannot be detected.
    let mut random = Random(5);
    let (mut seen, mut changed) = (0, 0);
    for subsampling in [Subsampling::S420, Subsampling::S444] {
        let bytes = encode(SIZE, subsampling, |encoder| encoder);
        let sound = read_whole(&bytes);
        let scan = find(&bytes, 0xda) + 14;
        for _ in 0..15 {
            let mut corrupt = bytes.clone();
            let at = scan + random.below(bytes.len() - scan - 40);
            for byte in &mut corrupt[at..at + 12] {
                *byte = random.below(255) as u8;
            }
            let read = read_whole(&corrupt);
            changed += usize::from(differences(&read.samples, &sound.samples).0 > 60);
            seen += usize::from(read.damage.is_some());
            if let Some(damage) = read.damage {
                assert!(damage.missing_rows <= SIZE.height, "{damage:?}");
            }
        }
    }
    assert!(changed >= 20 && seen * 3 >= changed, "{seen} of {changed} visible changes were detected");
}

#[test]
fn intact_files_with_short_codes_report_no_damage() {
    // Optimised codes may be so short that the padding bits of the last byte look like a code.
    let mut random = Random(3);
    for round in 0..40 {
        let size = Size::new(8 + round % 7 * 16, 8 + round % 5 * 8);
        let flat = round % 3 == 0;
        let mut samples = photo(size, 3);
        samples.iter_mut().for_each(|sample| *sample = if flat { 90 } else { *sample / 64 * 64 });
        let subsampling = [Subsampling::S444, Subsampling::S411, Subsampling::S420][random.below(3)];
        let (width, height) = (size.width as usize, size.height as usize);
        let encoder = Encoder::new(&samples, width, height, PixelFormat::Rgb).quality(20 + round as u8);
        let encoder = encoder.subsampling(subsampling).optimize_huffman(true);
        for encoder in [
            Encoder::new(&samples, width, height, PixelFormat::Rgb).subsampling(subsampling).progressive(true),
            encoder,
            Encoder::new(&samples[..width * height], width, height, PixelFormat::Grayscale).optimize_huffman(true),
        ] {
            let bytes = encoder.encode().expect("encodes");
            for scale in [Scale::Full, Scale::Eighth] {
                let read = read(&bytes, whole(size, scale)).expect("decodes");
                assert_eq!(read.damage, None, "round {round} {subsampling:?} {size:?} at {scale:?}");
            }
        }
    }
}

#[test]
fn corrupt_restart_interval_does_not_lose_rows() {
    let bytes = encode(SIZE, Subsampling::S420, |encoder| encoder.restart_rows(1));
    let restarts = restarts(&bytes);
    // The second MCU row loses half of its data; those below are intact.
    let (from, to) = (restarts[0], restarts[1] - 2);
    let corrupt = [&bytes[..from], &bytes[from + (to - from) / 2..]].concat();
    let damage = read_whole(&corrupt).damage.expect("is corrupt");
    assert_eq!((damage.missing_rows, damage.rows), (0, SIZE.height), "{damage:?}");
}

#[test]
fn corrupt_header_is_an_error() {
    let bytes = encode(SIZE, Subsampling::S420, |encoder| encoder);
    let scan = find(&bytes, 0xda);
    for end in [3, 20, find(&bytes, 0xc0) + 4, scan, scan + 4] {
        assert_eq!(Jpeg::open(&bytes[..end]).err(), Some(Error::NoScan), "{end}");
    }
    let mut bytes = bytes;
    let tables = find(&bytes, 0xdb);
    bytes[tables + 4] = 0x0f;
    assert!(matches!(read(&bytes, whole(SIZE, Scale::Full)), Err(Error::Decoder(_))));
}

#[test]
fn damage_is_reported_without_a_full_decode() {
    let bytes = encode(SIZE, Subsampling::S420, |encoder| encoder);
    let scan = find(&bytes, 0xda);
    let short = [&bytes[..scan + (bytes.len() - scan) / 2], b"\xff\xd9"].concat();
    let open = |bytes: &[u8]| {
        let jpeg = Jpeg::open(bytes).expect("a header");
        (jpeg.integrity(), jpeg.damage(), jpeg.damage_without_rows())
    };
    assert_eq!(open(&bytes), (Integrity::Intact, None, None));
    let (integrity, damage, without_rows) = open(&short);
    assert_eq!((integrity, damage), (Integrity::Corrupt, read_whole(&short).damage));
    assert_eq!(without_rows.map(|damage| (damage.missing_rows, damage.cause)), Some((0, DamageCause::Corrupt)));
    let (integrity, damage, without_rows) = open(&bytes[..bytes.len() - 2]);
    assert_eq!(integrity, Integrity::Unknown);
    assert_eq!(damage.map(|damage| damage.cause), Some(DamageCause::EoiMissing));
    assert_eq!(without_rows.map(|damage| damage.cause), Some(DamageCause::EndMissing));
}
