//! Tests of format detection.

use super::*;

fn found(bytes: &[u8]) -> Option<PictureFormat> {
    sniff(bytes).ok()
}

/// A TGA header of `kind` for 4 x 2 pixels of `depth` bits, and `data` bytes of data.
fn tga(kind: u8, depth: u8, data: usize) -> Vec<u8> {
    let mut bytes = vec![0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2, 0, depth, 0];
    bytes.resize(18 + data, 0x55);
    bytes
}

#[test]
fn pnm_detection_needs_more_than_two_letters() {
    for bytes in [&b"P6 3 2 255\n"[..], b"P1\n# a comment\n2 2\n", b"P5\t1 1 255 x", b"P7\nWIDTH 3\n", b"P4#x\n1 1\n"] {
        assert_eq!(found(bytes), Some(PictureFormat::Pnm), "{}", bytes.escape_ascii());
    }
    for bytes in [&b"P6"[..], b"P1 is the first prize", b"P5x3 2", b"P8 1 1", b"P7 WIDTH", b"P3, of the menu"] {
        assert_ne!(found(bytes), Some(PictureFormat::Pnm), "{}", bytes.escape_ascii());
    }
}

#[test]
fn tga_detection_needs_a_consistent_header() {
    for bytes in [tga(2, 24, 24), tga(3, 8, 8), tga(10, 32, 10), tga(2, 24, 12)] {
        assert_eq!(found(&bytes), Some(PictureFormat::Tga));
    }
    let mut wrong: Vec<Vec<u8>> = vec![tga(2, 8, 24), tga(3, 24, 24), tga(5, 24, 24), tga(2, 24, 0), tga(0, 24, 24)];
    for (place, value) in [(1, 1), (1, 7), (5, 9), (7, 24), (12, 0), (14, 0), (17, 0xc0)] {
        let mut bytes = tga(2, 24, 24);
        bytes[place] = value;
        wrong.push(bytes);
    }
    for bytes in wrong {
        assert_eq!(found(&bytes), None, "{bytes:?}");
    }
    let mut with_footer = tga(2, 24, 1);
    with_footer.extend_from_slice(b"\0\0\0\0\0\0\0\0TRUEVISION-XFILE.\0");
    assert_eq!(found(&with_footer), Some(PictureFormat::Tga));
}

#[test]
fn junk_and_text_are_not_detected_as_tga() {
    let mut state = 0x9e37_79b9_u32;
    for round in 0..20_000_u32 {
        let mut bytes = Vec::with_capacity(64);
        for _ in 0..64 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Small numbers in every other round, as in file headers.
            bytes.push(if round % 2 == 0 { (state >> 24) as u8 } else { (state >> 29) as u8 });
        }
        assert_ne!(found(&bytes), Some(PictureFormat::Tga), "{bytes:?}");
    }
    assert_eq!(found(b"\n\n\n some text\nthat begins with empty lines and goes on for a while"), None);
    assert_eq!(found(&[0; 64]), None);
}

#[test]
fn icons_are_detected_and_cursors_are_reported() {
    let directory = |kind: u8| {
        let mut bytes = vec![0, 0, kind, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 40, 0, 0, 0, 22, 0, 0, 0];
        bytes.resize(80, 1);
        bytes
    };
    assert_eq!(found(&directory(1)), Some(PictureFormat::Ico));
    let cursor = sniff(&directory(2));
    assert!(matches!(cursor, Err(DecodeError::UnknownFormat { found: Some("a Windows cursor") })), "{cursor:?}");
    let mut beyond = directory(1);
    beyond[19] = 9;
    assert_eq!(found(&beyond), None);
}

#[test]
fn big_tiff_is_detected_as_tiff() {
    assert_eq!(found(b"II\x2b\0\x08\0\0\0\x10\0\0\0\0\0\0\0"), Some(PictureFormat::Tiff));
    assert_eq!(found(b"MM\0\x2b\0\x08\0\0\0\0\0\0\0\0\0\x10"), Some(PictureFormat::Tiff));
}

#[test]
fn unsupported_formats_are_reported_by_name() {
    let mut pcx = vec![0x0a, 5, 1, 8];
    pcx.resize(128, 0);
    let mut sgi = vec![0x01, 0xda, 1, 1, 0, 3, 0, 4, 0, 4, 0, 3];
    sgi.resize(512, 0);
    let files: [(&[u8], &str); 6] = [
        (b"\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 ", "JPEG 2000"),
        (b"\xff\x4f\xff\x51\0\x2f\0\0", "JPEG 2000"),
        (&sgi, "SGI"),
        (&pcx, "PCX"),
        (b"DDS \x7c\0\0\0", "DDS"),
        (b"icns\0\0\x10\0ic08", "ICNS"),
    ];
    for (bytes, name) in files {
        let refusal = sniff(bytes).expect_err(name).to_string();
        assert!(refusal.contains(name), "{name}: {refusal}");
    }
    // A TGA may start like an SGI or PCX file and differ only in the next bytes.
    assert_eq!(found(&tga(10, 24, 16)), Some(PictureFormat::Tga));
}
