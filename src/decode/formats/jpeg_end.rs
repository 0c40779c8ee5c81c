//! Whether a JPEG file reaches its end.
//!
//! Decoders fill what is missing of a cut file with grey and say nothing, so the file's structure is walked here: it is
//! complete where an end marker (EOI) is met after the scans. Bytes behind the end marker do not matter.

/// True where the JPEG in `bytes` has its end marker. Thumbnails inside metadata segments are stepped over.
pub(super) fn is_complete(bytes: &[u8]) -> bool {
    let mut at = 2; // Behind the start marker.
    loop {
        // Fill bytes may stand before a marker.
        while bytes.get(at) == Some(&0xff) && bytes.get(at + 1) == Some(&0xff) {
            at += 1;
        }
        let (Some(0xff), Some(&marker)) = (bytes.get(at), bytes.get(at + 1)) else {
            return false;
        };
        at += 2;
        match marker {
            0xd9 => return true,
            0x01 | 0xd0..=0xd8 => continue, // Markers that carry no segment.
            _ => {}
        }
        let Some(&[high, low]) = bytes.get(at..at + 2).and_then(|length| length.first_chunk::<2>()) else {
            return false;
        };
        at += usize::from(u16::from_be_bytes([high, low])).max(2);
        if marker == 0xda {
            at = end_of_scan(bytes, at);
        }
    }
}

/// Index of the next marker at or behind `at` that is not part of entropy-coded data; the length of `bytes` where there is none.
fn end_of_scan(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        // 0xff00 is a stuffed data byte and 0xffd0 to 0xffd7 are restart markers: both belong to the scan.
        if byte == 0xff && bytes.get(at + 1).is_some_and(|next| !matches!(next, 0x00 | 0xd0..=0xd7 | 0xff)) {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::is_complete;

    fn jpeg() -> Vec<u8> {
        let mut bytes = Vec::new();
        let pixels: Vec<u8> = (0..64 * 64 * 3).map(|i| (i * 7 % 251) as u8).collect();
        image::codecs::jpeg::JpegEncoder::new(&mut bytes)
            .encode(&pixels, 64, 64, image::ExtendedColorType::Rgb8)
            .expect("encodes");
        bytes
    }

    #[test]
    fn a_whole_file_is_complete_also_with_bytes_behind_its_end() {
        let mut bytes = jpeg();
        assert!(is_complete(&bytes));
        bytes.extend_from_slice(b"\xff\xd8 a trailer");
        assert!(is_complete(&bytes));
    }

    #[test]
    fn a_file_cut_anywhere_is_not() {
        let bytes = jpeg();
        for length in 0..bytes.len() - 1 {
            assert!(!is_complete(&bytes[..length]), "cut to {length} of {}", bytes.len());
        }
    }

    #[test]
    fn the_end_marker_of_a_thumbnail_inside_metadata_does_not_count() {
        let whole = jpeg();
        let thumbnail = jpeg();
        let mut bytes = vec![0xff, 0xd8, 0xff, 0xe1];
        bytes.extend_from_slice(&u16::try_from(thumbnail.len() + 2).expect("short").to_be_bytes());
        bytes.extend_from_slice(&thumbnail);
        bytes.extend_from_slice(&whole[2..whole.len() - 2]);
        assert!(!is_complete(&bytes));
    }
}
