//! Where scans lie, and whether a file has its end.

use super::Structure;

fn is_complete(bytes: &[u8]) -> bool {
    Structure::read(bytes).is_some_and(|structure| structure.is_complete)
}

fn jpeg(progressive: bool) -> Vec<u8> {
    let pixels: Vec<u8> = (0..64 * 64 * 3).map(|i| (i * 7 % 251) as u8).collect();
    let encoder = libjpeg_turbo_rs::Encoder::new(&pixels, 64, 64, libjpeg_turbo_rs::PixelFormat::Rgb);
    encoder.quality(90).progressive(progressive).encode().expect("encodes")
}

#[test]
fn a_whole_file_is_complete_also_with_bytes_behind_its_end() {
    for progressive in [false, true] {
        let mut bytes = jpeg(progressive);
        assert!(is_complete(&bytes));
        bytes.extend_from_slice(b"\xff\xd8 a trailer");
        assert!(is_complete(&bytes));
    }
}

#[test]
fn a_file_cut_anywhere_is_not() {
    for bytes in [jpeg(false), jpeg(true)] {
        for length in 0..bytes.len() - 1 {
            assert!(!is_complete(&bytes[..length]), "cut to {length} of {}", bytes.len());
        }
    }
}

#[test]
fn the_end_marker_of_a_thumbnail_inside_metadata_does_not_count() {
    let whole = jpeg(false);
    let thumbnail = jpeg(false);
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xe1];
    bytes.extend_from_slice(&u16::try_from(thumbnail.len() + 2).expect("short").to_be_bytes());
    bytes.extend_from_slice(&thumbnail);
    assert!(!is_complete(&bytes));
    bytes.extend_from_slice(&whole[2..whole.len() - 2]);
    assert!(!is_complete(&bytes));
}

#[test]
fn a_truncated_file_is_whole_up_to_its_last_whole_segment() {
    let bytes = jpeg(true);
    let structure = Structure::read(&bytes).expect("read");
    assert!(structure.scans.len() > 3, "{}", structure.scans.len());
    let third = &structure.scans[2];
    // Two bytes into the header of a scan: everything before its marker is sound.
    let cut = Structure::read(&bytes[..third.offset + 4]).expect("read");
    assert!(cut.whole_until <= third.offset && cut.scans.len() == 2);
    // Within a scan's data, the data up to there is.
    let cut = Structure::read(&bytes[..third.data.end - 1]).expect("read");
    assert!(cut.whole_until >= third.data.end - 2 && cut.scans.len() == 3, "{} {:?}", cut.whole_until, third.data);
}
