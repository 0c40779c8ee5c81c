//! The markers of a JPEG file (ITU-T T.81 annex B): frame, scans, colour profile, and whether its end is reached.
//!
//! Decoders fill what is missing of a cut file with grey and say little, and they do not tell where in the file things are;
//! so the markers are walked here. Entropy-coded data is only stepped over.

use std::ops::Range;

use geometry::Size;

use super::Icc;

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
    /// How many components it has.
    pub(super) components: u8,
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

    /// True if of four components the last is sampled unlike the first, or the two between them unlike each other: the first reader takes them
    /// for alike.
    pub(super) fn has_uneven_inks(&self) -> bool {
        match &self.components[..] {
            [first, second, third, fourth] => first[1..] != fourth[1..] || second[1..] != third[1..],
            _ => false,
        }
    }

    /// True if a scan of a Huffman-coded file in one pass has several of the components but not all. The readers get nearly all such files
    /// wrong.
    pub(super) fn is_mixed(&self, scan: &Scan) -> bool {
        let count = usize::from(scan.components);
        self.is_sequential() && count > 1 && count < self.components.len()
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
                    let components = content.first().copied().unwrap_or_default();
                    let is_only = frame.is_sequential() && usize::from(components) == frame.components.len();
                    // Entropy-coded data never holds an end marker, so that one at the file's very end is the scan's.
                    let end = if is_only && bytes.ends_with(b"\xff\xd9") && at + 2 <= bytes.len() {
                        bytes.len() - 2
                    } else {
                        end_of_scan(bytes, at)
                    };
                    scans.push(Scan { marker_at, components, data: at..end });
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

#[cfg(test)]
mod tests {
    use super::Structure;

    fn is_complete(bytes: &[u8]) -> bool {
        Structure::read(bytes).is_some_and(|structure| structure.is_complete)
    }

    fn jpeg(progressive: bool) -> Vec<u8> {
        let pixels: Vec<u8> = (0..64 * 64 * 3).map(|i| (i * 7 % 251) as u8).collect();
        let encoder = libjpeg_turbo_rs::Encoder::new(&pixels, 64, 64, libjpeg_turbo_rs::PixelFormat::Rgb);
        encoder.quality(90).progressive(progressive).encode().expect("encodes")
    }

    #[test]
    fn a_whole_file_is_complete_also_with_bytes_behind_its_end() {
        for progressive in [false, true] {
            let mut bytes = jpeg(progressive);
            assert!(is_complete(&bytes));
            bytes.extend_from_slice(b"\xff\xd8 a trailer");
            assert!(is_complete(&bytes));
        }
    }

    #[test]
    fn a_file_cut_anywhere_is_not() {
        for bytes in [jpeg(false), jpeg(true)] {
            for length in 0..bytes.len() - 1 {
                assert!(!is_complete(&bytes[..length]), "cut to {length} of {}", bytes.len());
            }
        }
    }

    #[test]
    fn the_end_marker_of_a_thumbnail_inside_metadata_does_not_count() {
        let whole = jpeg(false);
        let thumbnail = jpeg(false);
        let mut bytes = vec![0xff, 0xd8, 0xff, 0xe1];
        bytes.extend_from_slice(&u16::try_from(thumbnail.len() + 2).expect("short").to_be_bytes());
        bytes.extend_from_slice(&thumbnail);
        assert!(!is_complete(&bytes));
        bytes.extend_from_slice(&whole[2..whole.len() - 2]);
        assert!(!is_complete(&bytes));
    }

    #[test]
    fn a_cut_file_is_sound_up_to_its_last_whole_segment() {
        let bytes = jpeg(true);
        let structure = Structure::read(&bytes).expect("read");
        assert!(structure.scans.len() > 3, "{}", structure.scans.len());
        let third = &structure.scans[2];
        // Two bytes into the header of a scan: everything before its marker is sound.
        let cut = Structure::read(&bytes[..third.marker_at + 4]).expect("read");
        assert!(cut.sound_end <= third.marker_at && cut.scans.len() == 2);
        // Within a scan's data, the data up to there is.
        let cut = Structure::read(&bytes[..third.data.end - 1]).expect("read");
        assert!(cut.sound_end >= third.data.end - 2 && cut.scans.len() == 3, "{} {:?}", cut.sound_end, third.data);
    }
}
