//! The structure of a JPEG file: frame, scans, and whether its end is reached.
//!
//! Decoders fill missing parts of a truncated file with grey, report little about it, and do not report positions in
//! the file.

use std::ops::Range;

use crate::frame::FrameHeader;
use crate::marker::{APP14, DAC, DHT, DRI, EOI, JPG, SOF55, SOS};
use crate::segments::{Segment, Segments, end_of_scan};

/// The maximum number of scans of a supported file. The most elaborate progressive files have a few dozen; a file with
/// thousands is a denial-of-service attempt.
pub const MAX_SCANS: usize = 200;

/// The structure of a JPEG file.
#[derive(Debug)]
pub(crate) struct Structure {
    /// The first frame header.
    pub(crate) frame: FrameHeader,
    /// The colour transform in Adobe's marker before the first scan.
    pub(crate) adobe_transform: Option<u8>,
    /// MCUs per restart interval in the first scan, 0 without restart markers.
    pub(crate) restart_interval: u16,
    /// The scans in file order; at least one.
    pub(crate) scans: Vec<Scan>,
    /// True if EOI follows the scans. Bytes after it are ignored.
    pub(crate) is_complete: bool,
    /// Up to here the file has complete segments, possibly followed by the start of a scan's data: with EOI here it
    /// would be well formed.
    pub(crate) complete_until: usize,
}

/// A scan in the file.
#[derive(Debug)]
pub(crate) struct Scan {
    /// Index of its SOS marker.
    pub(crate) offset: usize,
    /// Number of its components.
    pub(crate) components: u8,
    /// The identifier of its component, if it has a single one.
    pub(crate) only_component: Option<u8>,
    /// Its entropy-coded data.
    pub(crate) data: Range<usize>,
}

impl Structure {
    /// `None` if `bytes` contain no frame header followed by a scan.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut frame = None;
        let mut adobe_transform = None;
        let mut restart_interval = 0;
        let mut scans: Vec<Scan> = Vec::new();
        let mut is_complete = false;
        let mut complete_until = 2;
        let mut segments = Segments::new(bytes);
        while let Some(Ok(segment)) = segments.next() {
            let data = segment.data;
            let mut end = segment.range().end;
            match segment.marker {
                EOI => {
                    is_complete = true;
                    break;
                }
                _ if segment.is_standalone() => continue,
                sof if is_sof(sof) && frame.is_none() => frame = Some(FrameHeader::read(sof, segment.offset, data)?),
                DRI if scans.is_empty() => {
                    restart_interval = data.first_chunk().map_or(0, |interval| u16::from_be_bytes(*interval));
                }
                APP14 if scans.is_empty() && data.starts_with(b"Adobe") => {
                    adobe_transform = data.get(11).copied().or(adobe_transform);
                }
                SOS => {
                    let scan = Scan::read(bytes, frame.as_ref()?, &segment);
                    end = scan.data.end;
                    segments.scan_ends_at(end);
                    scans.push(scan);
                }
                _ => {}
            }
            complete_until = end;
            if scans.len() > MAX_SCANS {
                break;
            }
        }
        let frame = frame.filter(|_| !scans.is_empty())?;
        Some(Self { frame, adobe_transform, restart_interval, scans, is_complete, complete_until })
    }

    /// True if a scan of a Huffman-coded sequential file has several components, but not all. Most decoders decode such
    /// files incorrectly.
    pub(crate) fn has_partly_interleaved_scans(&self) -> bool {
        let all = self.frame.components.len();
        self.frame.is_sequential()
            && self.scans.iter().any(|scan| scan.components > 1 && usize::from(scan.components) < all)
    }

    /// True if the whole image is in one Huffman-coded scan.
    pub(crate) fn is_single_scan(&self) -> bool {
        self.frame.is_sequential() && self.scans.len() == 1
    }
}

impl Scan {
    /// The scan with the header `segment`.
    fn read(bytes: &[u8], frame: &FrameHeader, segment: &Segment<'_>) -> Self {
        let components = segment.data.first().copied().unwrap_or_default();
        let only_component = match segment.data {
            &[1, id, ..] => Some(id),
            _ => None,
        };
        let start = segment.range().end;
        let has_all = frame.is_sequential() && usize::from(components) == frame.components.len();
        // Entropy-coded data never contains EOI, so that one at the very end of the file ends the scan.
        let end = if has_all && bytes.ends_with(&[0xff, EOI]) && start + 2 <= bytes.len() {
            bytes.len() - 2
        } else {
            end_of_scan(bytes, start)
        };
        Self { offset: segment.offset, components, only_component, data: start..end }
    }
}

fn is_sof(marker: u8) -> bool {
    marker == SOF55 || (matches!(marker, 0xc0..=0xcf) && !matches!(marker, DHT | JPG | DAC))
}

#[cfg(test)]
mod tests;
