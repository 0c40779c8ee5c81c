//! Files that can be indexed: one Huffman-coded scan of all components, grey or YCbCr, 8 bits.
//!
//! Nearly every camera and phone writes such files. libjpeg-turbo-rs decodes the others.

use std::ops::Range;

use crate::frame::FrameHeader;
use crate::huffman::DerivedTable;
use crate::marker::{DHT, DQT, DRI, SOF0, SOF2, SOI, SOS};
use crate::segments::{Segment, Segments};
use crate::structure::Structure;
use crate::tables::{HuffmanTables, QuantizationTables, define_quantization};

/// One component of the scan.
#[derive(Debug)]
pub(crate) struct ScanComponent {
    /// Its data units per MCU across and down: 1, 2 or 4.
    pub(crate) sampling: (usize, usize),
    /// Its quantization table, in zigzag order.
    pub(crate) quantization: [u16; 64],
    /// The destination of its DC table.
    pub(crate) dc_table: usize,
    /// The destination of its AC table.
    pub(crate) ac_table: usize,
}

/// A file with a single scan.
#[derive(Debug)]
pub(crate) struct SingleScan {
    /// Width and height of the image in pixels.
    size: (u32, u32),
    /// One for grey, three for YCbCr.
    pub(crate) components: Vec<ScanComponent>,
    pub(crate) tables: HuffmanTables,
    /// MCUs per restart interval; 0 without restart markers.
    restart_interval: usize,
    /// The entropy-coded data.
    pub(crate) data: Range<usize>,
    /// Segments that a lossless crop copies unchanged: quantization tables,
    pub(crate) quantization_segments: Vec<Range<usize>>,
    /// the frame header,
    pub(crate) frame_segment: Range<usize>,
    /// and the scan header.
    pub(crate) scan_segment: Range<usize>,
}

impl SingleScan {
    /// `None` for another kind of file, or a truncated one.
    pub(crate) fn read(bytes: &[u8], structure: &Structure) -> Option<Self> {
        let frame = &structure.frame;
        let [scan] = &structure.scans[..] else { return None };
        if !structure.is_complete || !frame.is_sequential() || frame.precision != 8 || frame.pixels() == 0 {
            return None;
        }
        if frame.components.len() != 1 && !is_ycbcr(structure) {
            return None;
        }
        let mut headers = Headers::default();
        for segment in Segments::new(bytes) {
            let segment = segment.ok()?;
            headers.add(&segment)?;
            if segment.offset == scan.offset {
                break;
            }
        }
        let components = headers.components(frame)?;
        // A single component is not interleaved: its MCU is one data unit (A.2.2).
        let units: usize = components.iter().map(|component| component.sampling.0 * component.sampling.1).sum();
        (units <= if components.len() == 1 { 1 } else { 10 }).then_some(Self {
            size: (frame.width, frame.height),
            components,
            tables: headers.tables,
            restart_interval: structure.restart_interval.into(),
            data: scan.data.clone(),
            quantization_segments: headers.quantization_segments,
            frame_segment: headers.frame_segment?,
            scan_segment: headers.scan?.segment,
        })
    }

    /// The maximum sampling factors: data units per MCU of the component with the highest resolution.
    pub(crate) fn max_sampling(&self) -> (usize, usize) {
        let max = |of: fn(&ScanComponent) -> usize| self.components.iter().map(of).max().unwrap_or(1);
        (max(|component| component.sampling.0), max(|component| component.sampling.1))
    }

    /// MCUs across and down the image.
    pub(crate) fn mcus(&self) -> (usize, usize) {
        let (across, down) = self.max_sampling();
        ((self.size.0 as usize).div_ceil(8 * across), (self.size.1 as usize).div_ceil(8 * down))
    }

    /// MCUs per restart interval; the total number without restart markers.
    pub(crate) fn restart_interval(&self) -> usize {
        let (across, down) = self.mcus();
        if self.restart_interval == 0 { across * down } else { self.restart_interval }
    }
}

/// False if the three components are RGB according to Adobe's marker or their identifiers.
fn is_ycbcr(structure: &Structure) -> bool {
    let ids: Vec<u8> = structure.frame.components.iter().map(|component| component.id).collect();
    ids.len() == 3 && ids != *b"RGB" && matches!(structure.adobe_transform, None | Some(1))
}

/// The tables of a scan, derived for decoding.
#[derive(Debug)]
pub(crate) struct DerivedTables {
    dc: [Option<DerivedTable>; 4],
    ac: [Option<DerivedTable>; 4],
}

impl DerivedTables {
    /// `None` if any table is invalid, used or not: libjpeg-turbo-rs rejects such files.
    pub(crate) fn new(tables: &HuffmanTables) -> Option<Self> {
        let mut derived = Self { dc: [const { None }; 4], ac: [const { None }; 4] };
        let all = derived.dc.iter_mut().chain(&mut derived.ac).zip(tables.dc.iter().chain(&tables.ac));
        for (derived, table) in all {
            if let Some(table) = table {
                *derived = Some(DerivedTable::new(table)?);
            }
        }
        Some(derived)
    }

    pub(crate) fn dc(&self, of: &ScanComponent) -> Option<&DerivedTable> {
        self.dc.get(of.dc_table)?.as_ref()
    }

    pub(crate) fn ac(&self, of: &ScanComponent) -> Option<&DerivedTable> {
        self.ac.get(of.ac_table)?.as_ref()
    }
}

/// The contents of the segments up to the scan header.
#[derive(Default)]
struct Headers {
    quantization_segments: Vec<Range<usize>>,
    quantization: QuantizationTables,
    tables: HuffmanTables,
    frame_segment: Option<Range<usize>>,
    scan: Option<ScanHeader>,
}

struct ScanHeader {
    segment: Range<usize>,
    /// Identifier of each component, and the destinations of its DC and AC tables.
    components: Vec<(u8, usize, usize)>,
}

impl Headers {
    fn add(&mut self, segment: &Segment<'_>) -> Option<()> {
        match segment.marker {
            // A second SOI; libjpeg-turbo-rs rejects such files.
            SOI => None,
            DQT => {
                self.quantization_segments.push(segment.range());
                define_quantization(segment.data, &mut self.quantization)
            }
            DHT => self.tables.define(segment.data),
            DRI if segment.data.len() != 2 => None,
            SOF0..=SOF2 if self.frame_segment.is_some() => None,
            SOF0..=SOF2 => {
                self.frame_segment = Some(segment.range());
                Some(())
            }
            SOS => {
                let (&count, rest) = segment.data.split_first()?;
                let (components, rest) = rest.split_at_checked(2 * usize::from(count))?;
                // All coefficients in one scan, at full precision.
                if *rest != [0, 63, 0] {
                    return None;
                }
                let component = |pair: &[u8]| (pair[0], usize::from(pair[1] >> 4), usize::from(pair[1] & 15));
                let components = components.chunks_exact(2).map(component).collect();
                self.scan = Some(ScanHeader { segment: segment.range(), components });
                Some(())
            }
            _ => Some(()),
        }
    }

    /// The scan's components; `None` if they differ from the frame's, or lack a table.
    fn components(&self, frame: &FrameHeader) -> Option<Vec<ScanComponent>> {
        let scanned = &self.scan.as_ref()?.components;
        // SOF may have more components than it declares.
        let specified = self.frame_segment.as_ref()?.len().saturating_sub(10) / 3;
        if frame.components.len() != scanned.len() || specified != scanned.len() {
            return None;
        }
        let mut components = Vec::new();
        for (component, &(id, dc_table, ac_table)) in frame.components.iter().zip(scanned) {
            let sampling = (usize::from(component.sampling.0), usize::from(component.sampling.1));
            let has_tables = self.tables.dc.get(dc_table)?.is_some() && self.tables.ac.get(ac_table)?.is_some();
            if id != component.id || !has_tables || !matches!(sampling, (1 | 2 | 4, 1 | 2 | 4)) {
                return None;
            }
            let quantization = (*self.quantization.get(usize::from(component.quantization_table))?)?;
            components.push(ScanComponent { sampling, quantization, dc_table, ac_table });
        }
        Some(components)
    }
}
