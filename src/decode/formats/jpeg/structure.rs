//! The markers of a JPEG file (ITU-T T.81 annex B): frame, scans, colour profile, and whether its end is reached.
//!
//! Decoders fill what is missing of a cut file with grey and say little, and they do not tell where in the file things are;
//! so the markers are walked here. Entropy-coded data is only stepped over.

use std::ops::Range;

use super::Icc;
use crate::geometry::Size;

/// Scans of the most elaborate progressive files in the wild are a few dozen; a file with thousands is made to waste time.
pub(super) const MAX_SCANS: usize = 200;

/// What a JPEG file consists of.
#[derive(Debug)]
pub(super) struct Structure {
    /// The frame header; the first where there are several.
    pub(super) frame: Frame,
    /// The colour transform in Adobe's marker before the first scan.
    pub(super) adobe_transform: Option<u8>,
    /// MCUs between restart markers of the first scan, 0 without them.
    pub(super) restart_interval: u16,
    /// The component that the first scan is of, where it is of one alone.
    pub(super) scan_component_alone: Option<u8>,
    /// Where the scans lie, in order; at least one.
    pub(super) scans: Vec<Scan>,
    /// Pieces of the ICC profile.
    pub(super) icc: Icc,
    /// True where the end marker is met behind the scans. Bytes behind it do not matter.
    pub(super) is_complete: bool,
    /// Up to here the file holds whole segments, then perhaps the start of a scan's data: with an end marker here it would be
    /// well formed.
    pub(super) sound_end: usize,
}

/// A frame header.
#[derive(Debug)]
pub(super) struct Frame {
    /// The second byte of its marker: 0xc0 for baseline, 0xc2 for progressive and so on.
    pub(super) kind: u8,
    /// Index of the two bytes of its height.
    pub(super) height_at: usize,
    /// Bits a sample.
    pub(super) precision: u8,
    /// Pixels as stored.
    pub(super) size: Size,
    /// Identifier, horizontal and vertical sampling factor of each component.
    pub(super) components: Vec<[u8; 3]>,
}

/// Where a scan lies.
#[derive(Debug)]
pub(super) struct Scan {
    /// Index of its header's marker.
    pub(super) marker_at: usize,
    /// Its entropy-coded data, as far as it was walked.
    pub(super) data: Range<usize>,
}

impl Frame {
    /// Width and height of an MCU in pixels. A frame header has sampling factors of at least one.
    pub(super) fn mcu(&self) -> Size {
        let most = |index: usize| self.components.iter().map(|component| component[index]).max().unwrap_or(1);
        Size::new(8 * u32::from(most(1).max(1)), 8 * u32::from(most(2).max(1)))
    }

    /// True where rows of colour are interpolated from rows above and below at 1/`reduction`. The reader takes more of the
    /// samples where a component has half of them both ways.
    pub(super) fn interpolates_rows(&self, reduction: u32) -> bool {
        let mcu = self.mcu();
        self.components.iter().any(|&[_, across, down]| {
            let (across, down) = (8 * u32::from(across), 8 * u32::from(down));
            let is_half = 2 * across == mcu.width && 2 * down == mcu.height;
            down != mcu.height && !(is_half && reduction > 1)
        })
    }

    /// The most that the library reduces this picture by with colours that are about right: where a component has fewer samples along
    /// one side than along the other, it spreads those of small blocks wrongly.
    pub(super) fn most_reduction(&self) -> u32 {
        let mcu = self.mcu();
        let uneven = |&[_, across, down]: &[u8; 3]| {
            let (across, down) =
                (mcu.width / (8 * u32::from(across.max(1))), mcu.height / (8 * u32::from(down.max(1))));
            if across == down { 1 } else { across.max(down) }
        };
        match self.components.iter().map(uneven).max() {
            None | Some(1) => 8,
            Some(2) => 4,
            Some(_) => 2,
        }
    }

    /// True where the readers know which component is which: they go by names, and take the first for the finest.
    pub(super) fn is_usual(&self) -> bool {
        let finest = self.components.first().copied().unwrap_or_default();
        let is_finest = self.components.iter().all(|part| part[1] <= finest[1] && part[2] <= finest[2]);
        let names_differ = self
            .components
            .iter()
            .enumerate()
            .all(|(at, part)| self.components[..at].iter().all(|other| other[0] != part[0]));
        is_finest && names_differ
    }

    /// True for Huffman-coded files whose pixels come in one pass.
    pub(super) fn is_sequential(&self) -> bool {
        matches!(self.kind, 0xc0 | 0xc1)
    }

    /// True where detail comes in several passes over the picture.
    pub(super) fn is_progressive(&self) -> bool {
        matches!(self.kind, 0xc2 | 0xca)
    }
}

impl Structure {
    /// Walks `bytes`; `None` where they hold no frame header followed by a scan.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut frame = None;
        let mut adobe_transform = None;
        let mut restart_interval = 0;
        let mut scan_component_alone = None;
        let mut scans: Vec<Scan> = Vec::new();
        let mut icc = Icc::default();
        let mut at = 2; // Behind the start marker.
        let mut is_complete = false;
        let mut sound_end = at;
        while let Some((marker_at, marker)) = next_marker(bytes, at) {
            at = marker_at + 2;
            match marker {
                0xd9 => {
                    is_complete = true;
                    break;
                }
                0x01 | 0xd0..=0xd8 => continue, // Markers that carry no segment.
                _ => {}
            }
            let Some(segment) = segment(bytes, at) else { break };
            let content = bytes.get(segment.clone()).unwrap_or_default();
            at = segment.end;
            match marker {
                0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) && frame.is_none() => {
                    frame = Some(read_frame(marker, segment.start, content)?);
                }
                0xf7 if frame.is_none() => frame = Some(read_frame(marker, segment.start, content)?),
                0xdd if scans.is_empty() => {
                    restart_interval = content.first_chunk().map_or(0, |interval| u16::from_be_bytes(*interval));
                }
                0xe2 if scans.is_empty() => icc.add(content),
                0xee if scans.is_empty() && content.starts_with(b"Adobe") => {
                    adobe_transform = content.get(11).copied().or(adobe_transform);
                }
                0xda => {
                    let frame: &Frame = frame.as_ref()?;
                    if let (true, &[1, id, ..]) = (scans.is_empty(), content) {
                        scan_component_alone = Some(id);
                    }
                    let is_only = frame.is_sequential()
                        && content.first().map(|&count| usize::from(count)) == Some(frame.components.len());
                    // Entropy-coded data never holds an end marker, so that one at the file's very end is the scan's.
                    let end = if is_only && bytes.ends_with(b"\xff\xd9") && at + 2 <= bytes.len() {
                        bytes.len() - 2
                    } else {
                        end_of_scan(bytes, at)
                    };
                    scans.push(Scan { marker_at, data: at..end });
                    at = end;
                    if scans.len() > MAX_SCANS {
                        sound_end = at;
                        break;
                    }
                }
                _ => {}
            }
            sound_end = at;
        }
        let frame = frame.filter(|_| !scans.is_empty())?;
        Some(Self {
            frame,
            adobe_transform,
            restart_interval,
            scan_component_alone,
            scans,
            icc,
            is_complete,
            sound_end,
        })
    }
}

/// The next marker at or behind `at` and its index. Fill bytes and stray bytes before it are stepped over, as decoders do.
pub(super) fn next_marker(bytes: &[u8], mut at: usize) -> Option<(usize, u8)> {
    loop {
        at = find_ff(bytes, at);
        match *bytes.get(at + 1)? {
            0xff => at += 1,
            0x00 => at += 2,
            marker => return Some((at, marker)),
        }
    }
}

/// Where the content of the segment lies whose length is at `at`; `None` where it is not all there.
pub(super) fn segment(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let length = bytes.get(at..)?.first_chunk().map(|length| usize::from(u16::from_be_bytes(*length)))?;
    let end = at.checked_add(length.max(2))?;
    (end <= bytes.len()).then_some(at + 2..end)
}

fn read_frame(kind: u8, start: usize, content: &[u8]) -> Option<Frame> {
    let &[precision, high, low, left, right, count] = content.first_chunk()?;
    let size = Size::new(u32::from(u16::from_be_bytes([left, right])), u32::from(u16::from_be_bytes([high, low])));
    let components = content.get(6..)?.chunks_exact(3).take(usize::from(count));
    let components: Vec<_> = components.map(|part| [part[0], part[1] >> 4, part[1] & 15]).collect();
    (components.len() == usize::from(count)).then_some(Frame {
        kind,
        height_at: start + 1,
        precision,
        size,
        components,
    })
}

/// Index of the next marker at or behind `at` that is not part of entropy-coded data; the length of `bytes` where there is
/// none, without a last byte that would start a marker.
fn end_of_scan(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = find_ff(bytes, at);
        match bytes.get(at + 1) {
            None => return at.min(bytes.len()),
            // 0xff00 is a stuffed data byte and 0xffd0 to 0xffd7 are restart markers: both belong to the scan.
            Some(0x00 | 0xd0..=0xd7) => at += 2,
            Some(0xff) => at += 1,
            Some(_) => return at,
        }
    }
}

/// The restart markers in `bytes[data]`: index behind each, and its number.
pub(super) fn restarts(bytes: &[u8], data: Range<usize>) -> impl Iterator<Item = (usize, u8)> {
    let mut at = data.start;
    std::iter::from_fn(move || {
        loop {
            at = find_ff(bytes, at);
            if at >= data.end {
                return None;
            }
            match *bytes.get(at + 1)? {
                marker @ 0xd0..=0xd7 => {
                    at += 2;
                    return Some((at, marker & 7));
                }
                0x00 => at += 2,
                0xff => at += 1,
                _ => return None,
            }
        }
    })
}

/// Index of the first 0xff at or behind `at`, or at least the length of `bytes`.
pub(super) fn find_ff(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + memchr::memchr(0xff, rest).unwrap_or(rest.len())
}
