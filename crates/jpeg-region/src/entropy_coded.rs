//! The entropy-coded segments of a scan without stuffed bytes and markers, and their ends (T.81 sections B.1.1.5 and
//! F.1.2.3).

use std::ops::Range;

use crate::marker::{EOI, RST0, RST7};
use crate::segments::find_ff;

/// Zeros appended to the data, so that reads need no bounds check at its end.
const TRAILING_ZEROS: usize = 16;

/// Copies `bytes[data]` without stuffed bytes and restart markers. Returns the copy and the range of each of the
/// `count` entropy-coded segments in it; `None` if the markers do not match.
pub(crate) fn unstuffed(bytes: &[u8], data: Range<usize>, count: usize) -> Option<(Vec<u8>, Vec<Range<usize>>)> {
    let source = bytes.get(data)?;
    let mut plain = Vec::with_capacity(source.len() + TRAILING_ZEROS);
    let mut segments = Vec::with_capacity(count.min(source.len()));
    let (mut at, mut start) = (0, 0);
    loop {
        let mut next = find_ff(source, at);
        plain.extend_from_slice(&source[at..next]);
        // Any number of fill bytes may precede a marker (B.1.1.2), including the one after the data.
        let fill = next;
        while source.get(next + 1) == Some(&0xff) {
            next += 1;
        }
        match source.get(next + 1) {
            None => break,
            // Other data may follow the end of the image, such as a depth map of a phone.
            Some(&EOI) => break,
            Some(0) if next == fill => plain.push(0xff),
            Some(marker @ RST0..=RST7) if usize::from(marker & 7) == segments.len() % 8 => {
                segments.push(start..plain.len());
                start = plain.len();
            }
            _ => return None,
        }
        at = next + 2;
    }
    segments.push(start..plain.len());
    plain.resize(plain.len() + TRAILING_ZEROS, 0);
    (segments.len() == count).then_some((plain, segments))
}

/// True if `data[segment]` ends at `bit`, or if only identical bytes follow and `may_have_fill_bytes` permits such filling.
/// If the data before them ends with the same bytes, they have overwritten the rest of it.
pub(crate) fn ends_at(data: &[u8], segment: Range<usize>, bit: usize, may_have_fill_bytes: bool) -> bool {
    let end = bit.div_ceil(8);
    let (Some(read), Some(rest)) = (data.get(segment.start..end), data.get(end..segment.end)) else { return false };
    let Some(&filling) = rest.first() else { return true };
    let is_filled = may_have_fill_bytes && rest.iter().all(|byte| *byte == filling);
    is_filled && !read.last_chunk::<4>().is_some_and(|last| last.iter().all(|byte| *byte == filling))
}

/// The restart markers in `bytes[data]`: the index after each.
pub(crate) fn restart_markers(bytes: &[u8], data: Range<usize>) -> impl Iterator<Item = usize> {
    let mut at = data.start;
    std::iter::from_fn(move || {
        loop {
            at = find_ff(bytes, at);
            if at >= data.end {
                return None;
            }
            match *bytes.get(at + 1)? {
                RST0..=RST7 => {
                    at += 2;
                    return Some(at);
                }
                0x00 => at += 2,
                0xff => at += 1,
                _ => return None,
            }
        }
    })
}
