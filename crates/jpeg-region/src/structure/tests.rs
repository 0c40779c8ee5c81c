//! Tests of scan positions and of the end of a file.

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
fn complete_files_may_have_trailing_bytes() {
    for progressive in [false, true] {
        let mut bytes = jpeg(progressive);
        assert!(is_complete(&bytes));
        bytes.extend_from_slice(b"\xff\xd8 a trailer");
        assert!(is_complete(&bytes));
    }
}

#[test]
fn truncated_files_are_incomplete() {
    for bytes in [jpeg(false), jpeg(true)] {
        for length in 0..bytes.len() - 1 {
            assert!(!is_complete(&bytes[..length]), "cut to {length} of {}", bytes.len());
        }
    }
}

#[test]
fn eoi_of_an_embedded_thumbnail_is_ignored() {
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
fn truncated_files_are_complete_up_to_their_last_complete_segment() {
    let bytes = jpeg(true);
    let structure = Structure::read(&bytes).expect("read");
    assert!(structure.scans.len() > 3, "{}", structure.scans.len());
    let third = &structure.scans[2];
    // Two bytes into a scan header: everything before its marker is intact.
    let cut = Structure::read(&bytes[..third.offset + 4]).expect("read");
    assert!(cut.complete_until <= third.offset && cut.scans.len() == 2);
    // Within a scan's data, the data up to the cut is intact.
    let cut = Structure::read(&bytes[..third.data.end - 1]).expect("read");
    assert!(
        cut.complete_until >= third.data.end - 2 && cut.scans.len() == 3,
        "{} {:?}",
        cut.complete_until,
        third.data
    );
}
