//! Size limits, met by lower quality or stronger compression.

use recipe::Compression;

/// The minimum quality of a search: photos of lower quality are not usable.
const MIN_QUALITY: u8 = 10;

/// Result of a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// A file within the limit.
    Fits {
        bytes: Vec<u8>,
        /// Its quality, if that was searched.
        quality: Option<u8>,
    },
    /// No file was small enough.
    TooLarge {
        /// Size of the smallest file.
        bytes: u64,
    },
}

/// The file of the highest quality up to `requested` with at most `limit` bytes.
///
/// A binary search with at most eight encodes; the same crop always yields the same file. If sizes do not increase
/// monotonically with quality, the result may have slightly lower quality, but never exceeds the limit.
pub(super) fn by_quality<E>(
    requested: u8,
    limit: Option<u64>,
    mut encode: impl FnMut(u8) -> Result<Vec<u8>, E>,
) -> Result<Search, E> {
    let bytes = encode(requested)?;
    let Some(limit) = limit.filter(|limit| bytes.len() as u64 > *limit) else {
        return Ok(Search::Fits { bytes, quality: Some(requested) });
    };
    let mut smallest = bytes.len() as u64;
    let mut best = None;
    let (mut low, mut high) = (MIN_QUALITY, requested.saturating_sub(1));
    while low <= high {
        let quality = low + (high - low) / 2;
        let bytes = encode(quality)?;
        smallest = smallest.min(bytes.len() as u64);
        if bytes.len() as u64 <= limit {
            best = Some((bytes, quality));
            low = quality + 1;
        } else {
            high = quality - 1;
        }
    }
    Ok(match best {
        Some((bytes, quality)) => Search::Fits { bytes, quality: Some(quality) },
        None => Search::TooLarge { bytes: smallest },
    })
}

/// The first file with at most `limit` bytes, starting with `requested` and then with each stronger compression.
pub(super) fn by_compression<E>(
    requested: Compression,
    limit: Option<u64>,
    mut encode: impl FnMut(Compression) -> Result<Vec<u8>, E>,
) -> Result<Search, E> {
    let mut smallest = u64::MAX;
    for compression in Compression::ALL.into_iter().skip_while(|compression| *compression != requested) {
        let bytes = encode(compression)?;
        if limit.is_none_or(|limit| bytes.len() as u64 <= limit) {
            return Ok(Search::Fits { bytes, quality: None });
        }
        smallest = smallest.min(bytes.len() as u64);
    }
    Ok(Search::TooLarge { bytes: smallest })
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Searches with sizes of 10 q bytes at quality q; returns the quality and the number of encodes.
    fn search(requested: u8, limit: u64) -> (Option<u8>, u32) {
        let mut tries = 0;
        let found = by_quality(requested, Some(limit), |quality| {
            tries += 1;
            Ok::<_, Infallible>(vec![0; usize::from(quality) * 10])
        });
        match found.expect("cannot fail") {
            Search::Fits { bytes, quality } => {
                assert!(bytes.len() as u64 <= limit);
                (quality, tries)
            }
            Search::TooLarge { bytes } => {
                assert_eq!(bytes, u64::from(requested.min(MIN_QUALITY)) * 10);
                (None, tries)
            }
        }
    }

    #[test]
    fn quality_search_takes_at_most_eight_encodes() {
        for requested in 1..=100 {
            for limit in 1..=1_010 {
                let (found, tries) = search(requested, limit);
                let best = (limit / 10).min(u64::from(requested)) as u8;
                let expected = (best >= MIN_QUALITY.min(requested)).then_some(best);
                assert_eq!(found, expected, "quality {requested}, {limit} bytes");
                assert!(tries <= 8, "{tries} tries");
            }
        }
    }

    #[test]
    fn without_a_limit_one_encode_suffices() {
        assert_eq!(search(92, u64::MAX), (Some(92), 1));
    }

    #[test]
    fn compression_increases_only_as_necessary() {
        let tried = |requested, limit| {
            let mut tried = Vec::new();
            let found = by_compression(requested, Some(limit), |compression| {
                tried.push(compression);
                let bytes = match compression {
                    Compression::Fast => 30,
                    Compression::Balanced => 20,
                    Compression::Small => 10,
                };
                Ok::<_, Infallible>(vec![0; bytes])
            });
            (tried.len(), found.expect("cannot fail"))
        };
        let fits = |bytes| Search::Fits { bytes: vec![0; bytes], quality: None };
        assert_eq!(tried(Compression::Fast, 30), (1, fits(30)));
        assert_eq!(tried(Compression::Fast, 12), (3, fits(10)));
        assert_eq!(tried(Compression::Balanced, 100), (1, fits(20)));
        assert_eq!(tried(Compression::Balanced, 5), (2, Search::TooLarge { bytes: 10 }));
    }
}
