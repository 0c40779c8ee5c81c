//! The ICC profile of a JPEG file, which comes in pieces.

/// The pieces of a profile, in the file's order.
#[derive(Debug, Default)]
pub(super) struct Icc {
    pieces: Vec<(u8, u8, Vec<u8>)>,
}

impl Icc {
    /// Takes the content of an APP2 segment, where it is a piece (ICC.1:2022 annex B.4): a name, its number from 1 on, how
    /// many there are, and its bytes.
    pub(super) fn add(&mut self, segment: &[u8]) {
        // More pieces than numbers cannot make a profile; they are not kept.
        if let Some([number, count, bytes @ ..]) = segment.strip_prefix(b"ICC_PROFILE\0")
            && self.pieces.len() <= usize::from(u8::MAX)
        {
            self.pieces.push((*number, *count, bytes.to_vec()));
        }
    }

    /// The profile, where every piece is there once and its header says that it is of `color_space` and this long.
    pub(super) fn profile(&self, color_space: &[u8; 4]) -> Option<Vec<u8>> {
        let mut pieces: Vec<_> = self.pieces.iter().collect();
        pieces.sort_by_key(|(number, ..)| *number);
        let is_whole = (1..)
            .zip(&pieces)
            .all(|(at, (number, count, _))| usize::from(*number) == at && usize::from(*count) == pieces.len());
        let profile: Vec<u8> = pieces.into_iter().flat_map(|(.., bytes)| bytes).copied().collect();
        // Size in bytes 0 to 3, data colour space in bytes 16 to 19 (section 7.2). Some writers pad the last piece.
        let size = u32::from_be_bytes(*profile.first_chunk()?) as usize;
        let fits = is_whole && size <= profile.len() && size >= 128 && profile.get(16..20) == Some(color_space);
        fits.then_some(profile)
    }
}

#[cfg(test)]
mod tests {
    use super::Icc;

    fn profile() -> Vec<u8> {
        let mut profile: Vec<u8> = (0..200).collect();
        profile[..4].copy_from_slice(&200_u32.to_be_bytes());
        profile[16..20].copy_from_slice(b"RGB ");
        profile
    }

    fn read(pieces: &[(u8, u8, &[u8])], color_space: &[u8; 4]) -> Option<Vec<u8>> {
        let mut icc = Icc::default();
        icc.add(b"MPF\0 another APP2 segment");
        for (number, count, bytes) in pieces {
            icc.add(&[b"ICC_PROFILE\0".as_slice(), &[*number, *count], *bytes].concat());
        }
        icc.profile(color_space)
    }

    #[test]
    fn pieces_are_put_in_order() {
        let whole = profile();
        let (first, rest) = whole.split_at(50);
        let (second, third) = rest.split_at(100);
        let pieces = [(3, 3, third), (1, 3, first), (2, 3, second)];
        assert_eq!(read(&pieces, b"RGB "), Some(whole.clone()));
        assert_eq!(read(&[(1, 1, &whole)], b"RGB "), Some(whole));
    }

    #[test]
    fn a_profile_that_is_not_whole_or_of_another_kind_is_none() {
        let whole = profile();
        let (first, rest) = whole.split_at(150);
        assert_eq!(read(&[], b"RGB "), None);
        assert_eq!(read(&[(1, 1, &whole)], b"GRAY"), None);
        assert_eq!(read(&[(1, 2, first)], b"RGB "), None);
        assert_eq!(read(&[(1, 2, first), (1, 2, rest)], b"RGB "), None, "a number twice");
        assert_eq!(read(&[(0, 2, first), (1, 2, rest)], b"RGB "), None, "numbers start at 1");
        assert_eq!(read(&[(1, 2, first), (2, 3, rest)], b"RGB "), None, "pieces that disagree");
        assert_eq!(read(&[(1, 1, first)], b"RGB "), None, "shorter than it says");
    }
}
