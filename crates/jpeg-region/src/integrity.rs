//! Integrity check of entropy-coded data: the data of each scan must end with its last block, to the bit.
//!
//! Decoders continue with the next scan after any error, so that damage inside a scan can only be detected here.

use std::ops::Range;

use crate::entropy_coded::unstuffed;
use crate::huffman::DerivedTable;
use crate::marker::{DHT, DQT, DRI, SOF0, SOF2, SOS};
use crate::procedures::{Coded, ScanData, SpectralBand};
use crate::segments::Segments;
use crate::structure::Structure;
use crate::tables::{HuffmanTables, QuantizationTables, define_quantization, max_dc};

/// Result of the integrity check of a file's scans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrity {
    /// Every scan ends with its last block, to the bit.
    Intact,
    /// At least one scan does not.
    Corrupt,
    /// A scan is missing: a component is in no scan, or tables follow the last scan.
    ScanMissing,
    /// Unknown: the file is truncated or arithmetic-coded.
    Unknown,
}

/// Checks the data of the first `count` scans of a Huffman-coded file.
pub(crate) fn integrity(bytes: &[u8], structure: &Structure, count: usize) -> Integrity {
    let frame = &structure.frame;
    if !matches!(frame.sof, SOF0..=SOF2) || frame.components.is_empty() || frame.pixels() == 0 {
        return Integrity::Unknown;
    }
    let mut reader = ScanReader::new(structure);
    let mut at = 2;
    for scan in structure.scans.iter().take(count) {
        if reader.read_scan_at(bytes, at, scan.offset, scan.data.clone()).is_none() {
            return Integrity::Corrupt;
        }
        at = scan.data.end;
    }
    if count < structure.scans.len() {
        return Integrity::Intact;
    }
    // Tables after the last scan belong to a missing one.
    let mut markers = Segments::starting_at(bytes, at)
        .map(|segment| segment.map_or_else(|truncated| truncated.marker, |segment| segment.marker));
    let has_tables_left = markers.any(|marker| marker == DHT);
    if has_tables_left || reader.components.iter().any(|component| !component.has_dc_scan) {
        return Integrity::ScanMissing;
    }
    Integrity::Intact
}

struct Component {
    id: u8,
    /// The destination of its quantization table.
    quantization_table: usize,
    /// Its blocks per MCU, across and down.
    of_mcu: (usize, usize),
    /// Its blocks across and down the image in a non-interleaved scan (T.81 section A.2.2).
    blocks: (usize, usize),
    /// True after a scan with its DC coefficients.
    has_dc_scan: bool,
    /// For each block one bit per AC coefficient that is nonzero so far, in zigzag order. Empty until a scan has
    /// coefficients that later scans refine.
    nonzero: Vec<u64>,
}

struct ScanReader {
    components: Vec<Component>,
    is_progressive: bool,
    /// MCUs across and down the image.
    mcus: (usize, usize),
    quantization: QuantizationTables,
    tables: HuffmanTables,
    /// MCUs per restart interval; 0 without restart markers.
    restart_interval: usize,
}

/// A component of a scan: its index, and the destinations of its DC and AC tables.
type ScanComponent = (usize, usize, usize);

impl ScanReader {
    fn new(structure: &Structure) -> Self {
        let frame = &structure.frame;
        let mcu = frame.mcu();
        let components = frame.components.iter().map(|component| {
            let (across, down) = component.sampling;
            let along = |pixels: u32, mcu: u32, factor: u8| {
                (pixels as usize * usize::from(factor.max(1))).div_ceil(mcu as usize / 8).div_ceil(8)
            };
            Component {
                id: component.id,
                quantization_table: component.quantization_table.into(),
                of_mcu: (usize::from(across.max(1)), usize::from(down.max(1))),
                blocks: (along(frame.width, mcu.0, across), along(frame.height, mcu.1, down)),
                has_dc_scan: false,
                nonzero: Vec::new(),
            }
        });
        Self {
            components: components.collect(),
            is_progressive: frame.is_progressive(),
            mcus: (frame.width.div_ceil(mcu.0) as usize, frame.height.div_ceil(mcu.1) as usize),
            quantization: [None; 4],
            tables: HuffmanTables::default(),
            restart_interval: 0,
        }
    }

    /// Processes the segments from `at` to the scan header at `offset`, and checks that scan's `data`. `None` on any
    /// error.
    fn read_scan_at(&mut self, bytes: &[u8], at: usize, offset: usize, data: Range<usize>) -> Option<()> {
        for segment in Segments::starting_at(bytes, at) {
            let segment = segment.ok()?;
            match segment.marker {
                DHT => self.tables.define(segment.data)?,
                DQT => define_quantization(segment.data, &mut self.quantization)?,
                DRI => self.restart_interval = u16::from_be_bytes(*segment.data.first_chunk()?).into(),
                SOS => self.scan(bytes, segment.data, data.clone())?,
                _ => {}
            }
            if segment.offset >= offset {
                break;
            }
        }
        Some(())
    }

    /// Checks the data of a scan with this header.
    fn scan(&mut self, bytes: &[u8], header: &[u8], data: Range<usize>) -> Option<()> {
        let (&count, rest) = header.split_first()?;
        let (selected, rest) = rest.split_at_checked(2 * usize::from(count))?;
        let &[from, last, approximation] = rest.first_chunk()?;
        let band = SpectralBand {
            from: from.into(),
            last: last.into(),
            refines: approximation >> 4 > 0,
            low: approximation & 15,
        };
        let mut components = Vec::new();
        for pair in selected.chunks_exact(2) {
            let index = self.components.iter().position(|component| component.id == pair[0])?;
            components.push((index, usize::from(pair[1] >> 4), usize::from(pair[1] & 15)));
        }
        let total = match components[..] {
            [] => return None,
            [(alone, ..)] => self.components[alone].blocks.0 * self.components[alone].blocks.1,
            _ => self.mcus.0 * self.mcus.1,
        };
        let interval = if self.restart_interval == 0 { total } else { self.restart_interval };
        let (data, segments) = unstuffed(bytes, data, total.div_ceil(interval.max(1)))?;
        let may_have_fill_bytes = !self.is_progressive;
        let data = ScanData { data: &data, segments: &segments, interval, total, may_have_fill_bytes };
        match (self.is_progressive, band.from) {
            (false, _) => data.dc_first(&self.coded(&components, 0, true)?),
            (true, 0) if band.last > 0 => None,
            (true, 0) if band.refines => {
                data.dc_refine(components.iter().map(|&(index, ..)| self.blocks(&components, index)).sum())
            }
            (true, 0) => data.dc_first(&self.coded(&components, band.low, false)?),
            (true, _) => self.ac_scan(&components, band, &data),
        }
    }

    /// Checks a scan of AC coefficients, which has a single component.
    fn ac_scan(&mut self, components: &[ScanComponent], band: SpectralBand, data: &ScanData<'_>) -> Option<()> {
        let &[(index, _, table)] = components else { return None };
        if band.last > 63 || band.from > band.last {
            return None;
        }
        let table = DerivedTable::without_runs(self.tables.ac.get(table)?.as_ref()?)?;
        let component = &mut self.components[index];
        if component.nonzero.is_empty() && (band.refines || band.low > 0) {
            component.nonzero.resize(component.blocks.0 * component.blocks.1, 0);
        }
        if band.refines {
            data.ac_refine(&table, band, &mut component.nonzero)
        } else {
            data.ac_first(&table, band, &mut component.nonzero)
        }
    }

    /// Blocks of a component per MCU; 1 in a non-interleaved scan.
    fn blocks(&self, components: &[ScanComponent], index: usize) -> usize {
        let of_mcu = self.components[index].of_mcu;
        if components.len() == 1 { 1 } else { of_mcu.0 * of_mcu.1 }
    }

    /// Coding parameters of the components of a scan with DC coefficients; with AC coefficients too if `has_ac`.
    fn coded(&mut self, components: &[ScanComponent], low: u8, has_ac: bool) -> Option<Vec<Coded>> {
        let mut coded = Vec::new();
        for &(index, dc, ac) in components {
            let blocks = self.blocks(components, index);
            let component = &mut self.components[index];
            component.has_dc_scan = true;
            let element = self.quantization.get(component.quantization_table)?.as_ref()?[0];
            let dc_table = DerivedTable::without_runs(self.tables.dc.get(dc)?.as_ref()?)?;
            let ac_table = if has_ac { Some(DerivedTable::new(self.tables.ac.get(ac)?.as_ref()?)?) } else { None };
            coded.push(Coded { blocks, dc_table, ac_table, max_dc: max_dc(element, low) });
        }
        Some(coded)
    }
}
