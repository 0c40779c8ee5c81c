//! The ICC profile of a JPEG file, which is split into chunks.

use jpeg_region::{Jpeg, Segment, marker};

/// The profile in the segments before the first scan, if its colour space is `color_space`.
pub(super) fn profile(jpeg: &Jpeg<'_>, color_space: &[u8; 4]) -> Option<Vec<u8>> {
    let before_scan = |segment: &Segment<'_>| segment.marker != marker::SOS;
    let segments = jpeg.segments().map_while(Result::ok).take_while(before_scan);
    let parts = segments.filter(|segment| segment.marker == marker::APP2).map(|segment| segment.data);
    joined(parts, color_space)
}

/// The profile in the contents of APP2 segments, if every chunk is present once and its header has `color_space` and
/// this length. A chunk (ICC.1:2022 annex B.4) has a name, its number starting at 1, the number of chunks, and its
/// bytes.
fn joined<'a>(segments: impl Iterator<Item = &'a [u8]>, color_space: &[u8; 4]) -> Option<Vec<u8>> {
    let piece = |segment: &'a [u8]| match segment.strip_prefix(b"ICC_PROFILE\0")? {
        [number, count, bytes @ ..] => Some((*number, *count, bytes)),
        _ => None,
    };
    // There are at most 255 chunk numbers.
    let mut pieces: Vec<_> = segments.filter_map(piece).take(usize::from(u8::MAX) + 1).collect();
    pieces.sort_by_key(|(number, ..)| *number);
    let is_whole = (1..)
        .zip(&pieces)
        .all(|(at, (number, count, _))| usize::from(*number) == at && usize::from(*count) == pieces.len());
    let profile: Vec<u8> = pieces.into_iter().flat_map(|(.., bytes)| bytes).copied().collect();
    // Size in bytes 0 to 3, data colour space in bytes 16 to 19 (section 7.2). Some writers pad the last chunk.
    let size = u32::from_be_bytes(*profile.first_chunk()?) as usize;
    let fits = is_whole && size <= profile.len() && size >= 128 && profile.get(16..20) == Some(color_space);
    fits.then_some(profile)
}

#[cfg(test)]
mod tests {
    use super::joined;

    fn profile() -> Vec<u8> {
        let mut profile: Vec<u8> = (0..200).collect();
        profile[..4].copy_from_slice(&200_u32.to_be_bytes());
        profile[16..20].copy_from_slice(b"RGB ");
        profile
    }

    fn read(pieces: &[(u8, u8, &[u8])], color_space: &[u8; 4]) -> Option<Vec<u8>> {
        let mut segments = vec![b"MPF\0 another APP2 segment".to_vec()];
        for (number, count, bytes) in pieces {
            segments.push([b"ICC_PROFILE\0".as_slice(), &[*number, *count], *bytes].concat());
        }
        joined(segments.iter().map(Vec::as_slice), color_space)
    }

    #[test]
    fn profile_chunks_are_sorted() {
        let whole = profile();
        let (first, rest) = whole.split_at(50);
        let (second, third) = rest.split_at(100);
        let pieces = [(3, 3, third), (1, 3, first), (2, 3, second)];
        assert_eq!(read(&pieces, b"RGB "), Some(whole.clone()));
        assert_eq!(read(&[(1, 1, &whole)], b"RGB "), Some(whole));
    }

    #[test]
    fn incomplete_or_mismatched_profiles_are_ignored() {
        let whole = profile();
        let (first, rest) = whole.split_at(150);
        assert_eq!(read(&[], b"RGB "), None);
        assert_eq!(read(&[(1, 1, &whole)], b"GRAY"), None);
        assert_eq!(read(&[(1, 2, first)], b"RGB "), None);
        assert_eq!(read(&[(1, 2, first), (1, 2, rest)], b"RGB "), None, "a number twice");
        assert_eq!(read(&[(0, 2, first), (1, 2, rest)], b"RGB "), None, "numbers start at 1");
        assert_eq!(read(&[(1, 2, first), (2, 3, rest)], b"RGB "), None, "pieces that disagree");
        assert_eq!(read(&[(1, 1, first)], b"RGB "), None, "shorter than its header declares");
    }
}
