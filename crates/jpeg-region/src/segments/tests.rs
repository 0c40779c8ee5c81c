//! Tests of segments with bytes between them, truncated segments, and entropy-coded data.

use super::*;
use crate::marker::{APP1, COM, DQT, DRI};

fn markers(segments: Segments<'_>) -> Vec<u8> {
    segments.map(|segment| segment.map_or_else(|cut| cut.marker, |segment| segment.marker)).collect()
}

#[test]
fn segments_have_parameters_and_ranges() {
    let file = b"\xff\xd8\xff\xff\xff\xe1\0\x05abc\xff\xd0\xff\xdd\0\x04\0\x07\xff\xd9\xff\xfe\0\x02";
    let segments: Vec<_> = Segments::new(file).map(|segment| segment.expect("complete")).collect();
    let seen: Vec<_> = segments.iter().map(|segment| (segment.marker, segment.data, segment.range())).collect();
    assert_eq!(
        seen,
        [
            (APP1, b"abc".as_slice(), 4..11),
            (RST0, b"".as_slice(), 11..13),
            (DRI, b"\0\x07".as_slice(), 13..19),
            (EOI, b"".as_slice(), 19..21),
        ]
    );
}

#[test]
fn files_without_soi_have_no_segments() {
    assert_eq!(Segments::new(b"\0\xff\xd8\xff\xd9").next(), None);
    assert_eq!(Segments::new(b"").next(), None);
}

#[test]
fn stray_bytes_are_skipped_or_end_the_iteration() {
    let file = b"\xff\xd8\xff\xfe\0\x02ab\xff\0c\xff\xff\xdb\0\x03!\xff\xd9";
    assert_eq!(markers(Segments::new(file)), [COM, DQT, EOI]);
    assert_eq!(markers(Segments::new(file).contiguous()), [COM]);
    let filled = b"\xff\xd8\xff\xff\xff\xfe\0\x02\xff\xff\xd9";
    assert_eq!(markers(Segments::new(filled).contiguous()), [COM, EOI]);
}

#[test]
fn truncated_segment_is_the_last_item() {
    for file in [b"\xff\xd8\xff\xfe\0\x04a".as_slice(), b"\xff\xd8\xff\xfe\0", b"\xff\xd8\xff\xfe"] {
        for mut segments in [Segments::new(file), Segments::new(file).contiguous()] {
            assert_eq!(segments.next(), Some(Err(TruncatedSegment { marker: COM, offset: 2 })));
            assert_eq!(segments.next(), None);
        }
    }
}

#[test]
fn entropy_coded_data_is_skipped() {
    // Stuffed bytes, restart markers and bytes similar to the start of a marker belong to the data.
    let file = b"\xff\xd8\xff\xda\0\x03\x01ab\xff\0\xff\xd1\xff\0c\xff\xff\xfe\0\x02\xff\xd9";
    assert_eq!(markers(Segments::new(file)), [SOS, COM, EOI]);
}
