//! An iterator over the marker segments of a JPEG file (T.81 annex B).

use std::iter::FusedIterator;
use std::ops::Range;

use crate::marker::{EOI, RST0, RST7, SOI, SOS, TEM};

/// A marker and its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// The marker code, as in [`marker`](crate::marker).
    pub marker: u8,
    /// Index of the marker's 0xff in the file.
    pub offset: usize,
    /// The parameters after the two length bytes. Empty for a standalone marker.
    pub data: &'a [u8],
}

impl Segment<'_> {
    /// True for a marker without parameters: SOI, EOI, RST and TEM.
    pub fn is_standalone(&self) -> bool {
        is_standalone(self.marker)
    }

    /// The byte range of the segment in the file, including its marker.
    pub fn range(&self) -> Range<usize> {
        let head = if self.is_standalone() { 2 } else { 4 };
        self.offset..self.offset + head + self.data.len()
    }
}

/// A segment that extends past the end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TruncatedSegment {
    /// The marker code.
    pub marker: u8,
    /// Index of the marker's 0xff in the file.
    pub offset: usize,
}

/// Iterates over the segments after the SOI marker, up to and including EOI.
///
/// The entropy-coded data after a scan header is skipped when the next segment is requested. Fill bytes are skipped too,
/// as are stray bytes between segments, which decoders tolerate; see [`contiguous`](Self::contiguous). A
/// [`TruncatedSegment`] is the last item.
///
/// ```
/// use jpeg_region::{Segments, marker};
///
/// let file = b"\xff\xd8\xff\xfe\x00\x07Hello\xff\xd9";
/// let markers: Vec<u8> = Segments::new(file).map_while(Result::ok).map(|segment| segment.marker).collect();
/// assert_eq!(markers, [marker::COM, marker::EOI]);
/// ```
#[derive(Clone, Debug)]
pub struct Segments<'a> {
    bytes: &'a [u8],
    at: usize,
    /// True if the entropy-coded data of a scan starts at `at`.
    is_in_scan: bool,
    is_contiguous: bool,
    has_ended: bool,
}

impl<'a> Segments<'a> {
    /// The segments of a file. Empty if it does not start with SOI.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { has_ended: !bytes.starts_with(&[0xff, SOI]), ..Self::starting_at(bytes, 2) }
    }

    /// Stops at the first stray byte between segments: T.81 permits only fill bytes (0xff) there.
    pub fn contiguous(self) -> Self {
        Self { is_contiguous: true, ..self }
    }

    /// The segments from `at` on, which must not be within a segment or entropy-coded data.
    pub(crate) fn starting_at(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, is_in_scan: false, is_contiguous: false, has_ended: false }
    }

    /// Continues at `end`, the end of the entropy-coded data of the scan whose header was the last item.
    pub(crate) fn scan_ends_at(&mut self, end: usize) {
        (self.at, self.is_in_scan) = (end, false);
    }

    fn next_marker(&self) -> Option<(usize, u8)> {
        if !self.is_contiguous {
            return next_marker(self.bytes, self.at);
        }
        let fill = self.bytes.get(self.at..)?.iter().position(|byte| *byte != 0xff)?;
        let marker = *self.bytes.get(self.at + fill)?;
        (fill > 0 && marker != 0).then(|| (self.at + fill - 1, marker))
    }
}

impl<'a> Iterator for Segments<'a> {
    type Item = Result<Segment<'a>, TruncatedSegment>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        if self.is_in_scan {
            self.scan_ends_at(end_of_scan(self.bytes, self.at));
        }
        let Some((offset, marker)) = self.next_marker() else {
            self.has_ended = true;
            return None;
        };
        self.has_ended = marker == EOI;
        let mut segment = Segment { marker, offset, data: &[] };
        if !segment.is_standalone() {
            let Some(data) = parameters(self.bytes, offset + 2) else {
                self.has_ended = true;
                return Some(Err(TruncatedSegment { marker, offset }));
            };
            segment.data = data;
        }
        self.at = segment.range().end;
        self.is_in_scan = marker == SOS;
        Some(Ok(segment))
    }
}

impl FusedIterator for Segments<'_> {}

fn is_standalone(marker: u8) -> bool {
    matches!(marker, TEM | RST0..=RST7 | SOI | EOI)
}

/// The next marker at or after `at` and the index of its 0xff.
fn next_marker(bytes: &[u8], mut at: usize) -> Option<(usize, u8)> {
    loop {
        at = find_ff(bytes, at);
        match *bytes.get(at + 1)? {
            0xff => at += 1,
            0x00 => at += 2,
            marker => return Some((at, marker)),
        }
    }
}

/// The parameters of the segment whose length is at `at`; `None` if they are truncated. A length below 2 is treated as
/// 2.
fn parameters(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let length = bytes.get(at..)?.first_chunk().map(|length| usize::from(u16::from_be_bytes(*length)))?;
    bytes.get(at + 2..at.checked_add(length.max(2))?)
}

/// Index of the marker that ends the entropy-coded data at `at`. If there is none, the length of `bytes`, without a
/// last byte that could start a marker.
pub(crate) fn end_of_scan(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = find_ff(bytes, at);
        match bytes.get(at + 1) {
            None => return at.min(bytes.len()),
            // 0xff00 is a stuffed data byte, and restart markers belong to the scan.
            Some(0x00 | RST0..=RST7) => at += 2,
            Some(0xff) => at += 1,
            Some(_) => return at,
        }
    }
}

/// Index of the first 0xff at or after `at`, or at least the length of `bytes`.
pub(crate) fn find_ff(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + memchr::memchr(0xff, rest).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests;
