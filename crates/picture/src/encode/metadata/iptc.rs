//! The IPTC-IIM datasets of a crop.

use outcome::CropNote;

/// Safe records and datasets: character set and version, dates and times of creation and digitising, by-line and its
/// title, credit, copyright notice.
const SAFE: [(u8, u8); 10] =
    [(1, 90), (2, 0), (2, 55), (2, 60), (2, 62), (2, 63), (2, 80), (2, 85), (2, 110), (2, 116)];

/// The datasets among them that carry no information alone.
const HEADER_DATASETS: [(u8, u8); 2] = [(1, 90), (2, 0)];

/// The datasets of a photo to keep: all but previews, or the safe ones. `None` if nothing remains.
pub(super) fn make(source: &[u8], keep_all: bool, notes: &mut Vec<CropNote>) -> Option<Vec<u8>> {
    let Some(datasets) = parse(source) else {
        notes.push("the photo's IPTC data cannot be read and is not in the crop".to_owned().into());
        return None;
    };
    // 2:200 to 2:202 are a preview; records from 7 on hold the image itself.
    let is_kept = |name: (u8, u8)| {
        if keep_all { name.0 < 7 && !matches!(name, (2, 200..=202)) } else { SAFE.contains(&name) }
    };
    let kept: Vec<_> = datasets.into_iter().filter(|dataset| is_kept(dataset.name)).collect();
    if kept.iter().all(|dataset| HEADER_DATASETS.contains(&dataset.name)) {
        return None;
    }
    Some(kept.iter().flat_map(|dataset| dataset.bytes).copied().collect())
}

struct Dataset<'a> {
    /// Record and dataset number.
    name: (u8, u8),
    /// Header and data.
    bytes: &'a [u8],
}

/// Parses consecutive datasets, up to zero padding. `None` if anything else follows or one is truncated.
fn parse(mut rest: &[u8]) -> Option<Vec<Dataset<'_>>> {
    let mut datasets = Vec::new();
    while let Some(&[0x1c, record, number, high, low]) = rest.first_chunk() {
        let short = u16::from_be_bytes([high, low]);
        let (header, length) = match short & 0x7fff {
            length if short < 0x8000 => (5, usize::from(length)),
            // Extended dataset: the number of length bytes.
            digits @ 1..=4 => {
                let digits = rest.get(5..5 + usize::from(digits))?;
                (5 + digits.len(), digits.iter().fold(0_usize, |length, &digit| length << 8 | usize::from(digit)))
            }
            _ => return None,
        };
        let (bytes, after) = rest.split_at_checked(length.checked_add(header)?)?;
        datasets.push(Dataset { name: (record, number), bytes });
        rest = after;
    }
    (!datasets.is_empty() && rest.iter().all(|&byte| byte == 0)).then_some(datasets)
}

#[cfg(test)]
mod tests {
    use super::super::tests::next;
    use super::*;

    fn dataset(record: u8, number: u8, data: &[u8]) -> Vec<u8> {
        [&[0x1c, record, number][..], &(data.len() as u16).to_be_bytes(), data].concat()
    }

    fn long_dataset(record: u8, number: u8, data: &[u8]) -> Vec<u8> {
        [&[0x1c, record, number, 0x80, 4][..], &(data.len() as u32).to_be_bytes(), data].concat()
    }

    /// Charset and version, by-line, city, caption, copyright, a preview, and the image itself.
    fn agency_datasets() -> [Vec<u8>; 8] {
        [
            dataset(1, 90, b"\x1b%G"),
            dataset(2, 0, &[0, 4]),
            dataset(2, 80, b"Anna Author"),
            dataset(2, 90, b"Berlin"),
            long_dataset(2, 120, b"Berta at home"),
            dataset(2, 116, b"(c) Anna"),
            dataset(2, 202, b"\xff\xd8preview"),
            dataset(8, 10, b"\xff\xd8picture"),
        ]
    }

    fn made(source: &[u8], keep_all: bool) -> (Option<Vec<u8>>, usize) {
        let mut notes = Vec::new();
        (make(source, keep_all, &mut notes), notes.len())
    }

    #[test]
    fn safe_keeps_author_and_rights_and_all_drops_only_previews() {
        let source = agency_datasets();
        let padded = [source.concat(), vec![0; 3]].concat();
        let safe = [&source[..3], &source[5..6]].concat().concat();
        assert_eq!(made(&padded, false), (Some(safe), 0));
        assert_eq!(made(&padded, true), (Some(source[..6].concat()), 0));
    }

    #[test]
    fn header_datasets_alone_are_dropped() {
        let source = [dataset(1, 90, b"\x1b%G"), dataset(2, 0, &[0, 4]), dataset(2, 90, b"Berlin")].concat();
        assert_eq!(made(&source, false), (None, 0));
        assert!(made(&source, true).0.is_some());
    }

    #[test]
    fn invalid_datasets_are_dropped_and_reported() {
        let source = dataset(2, 80, b"Anna Author");
        let endless = [0x1c, 2, 80, 0x80, 4, 0xff, 0xff, 0xff, 0xff, 1];
        let wide = [0x1c, 2, 80, 0x80, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        for broken in [&source[..source.len() - 1], b"text", &[source.clone(), b"x".to_vec()].concat(), &endless, &wide]
        {
            for keep_all in [false, true] {
                assert_eq!(made(broken, keep_all), (None, 1), "{broken:?}");
            }
        }
    }

    #[test]
    fn mutated_datasets_stay_valid() {
        let source = agency_datasets().concat();
        let mut state = 0x6a09_e667_f3bc_c909;
        for _ in 0..500 {
            let mut mutated = source.clone();
            let at = next(&mut state) % mutated.len();
            mutated[at] = next(&mut state) as u8;
            for keep_all in [false, true] {
                if let (Some(kept), _) = made(&mutated, keep_all) {
                    assert!(kept.len() <= mutated.len());
                    assert_eq!(made(&kept, keep_all), (Some(kept), 0));
                }
            }
        }
    }
}
