//! The IPTC-IIM datasets of a crop.

/// Records and datasets that are safe: the character set and version the others are read by, dates and times of creation and
/// digitising, by-line and its title, credit, copyright notice.
const SAFE: [(u8, u8); 10] =
    [(1, 90), (2, 0), (2, 55), (2, 60), (2, 62), (2, 63), (2, 80), (2, 85), (2, 110), (2, 116)];

/// Those of them that say nothing alone.
const FRAME: [(u8, u8); 2] = [(1, 90), (2, 0)];

/// The datasets that are kept of a photo's: all but previews, or the safe ones. `None` where nothing is left.
pub(super) fn make(source: &[u8], keep_all: bool, notes: &mut Vec<String>) -> Option<Vec<u8>> {
    let Some(datasets) = parse(source) else {
        notes.push("the photo's IPTC data cannot be read and is not in the crop".to_owned());
        return None;
    };
    // 2:200 to 2:202 are a preview; records from 7 on hold the picture itself.
    let is_kept = |name: (u8, u8)| {
        if keep_all { name.0 < 7 && !matches!(name, (2, 200..=202)) } else { SAFE.contains(&name) }
    };
    let kept: Vec<_> = datasets.into_iter().filter(|dataset| is_kept(dataset.name)).collect();
    if kept.iter().all(|dataset| FRAME.contains(&dataset.name)) {
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

/// The datasets in a row, up to padding zeros. `None` where anything else follows or one is cut.
fn parse(mut rest: &[u8]) -> Option<Vec<Dataset<'_>>> {
    let mut datasets = Vec::new();
    while let Some(&[0x1c, record, number, high, low]) = rest.first_chunk() {
        let short = u16::from_be_bytes([high, low]);
        let (header, length) = match short & 0x7fff {
            length if short < 0x8000 => (5, usize::from(length)),
            // A long dataset: the length of the length.
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
