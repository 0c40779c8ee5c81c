//! Lossless crop: a file with some of the MCUs of another one, copied bit by bit.

use std::ops::Range;

use crate::bit_writer::BitWriter;
use crate::bits::{BitReader, MAX_DC_CATEGORY};
use crate::huffman::{Code, HuffmanTable};
use crate::index::{DataUnit, Position, ScanIndex, data_units};
use crate::marker::{DHT, EOI, RST0};
use crate::single_scan::{DerivedTables, ScanComponent, SingleScan};

/// A scan and its index.
#[derive(Debug)]
pub(crate) struct IndexedScan {
    pub(crate) scan: SingleScan,
    pub(crate) tables: DerivedTables,
    pub(crate) index: ScanIndex,
}

/// A JPEG file of `width` x `height` pixels with the MCUs in `columns` and `rows`. Every row is a restart interval, so
/// that its decoding does not depend on skipped MCUs. `None` if the file cannot be assembled, or the index has no
/// position at a column.
pub(crate) fn lossless_crop(
    bytes: &[u8],
    source: &IndexedScan,
    columns: Range<usize>,
    rows: Range<usize>,
    (width, height): (u32, u32),
) -> Option<Vec<u8>> {
    let scan = &source.scan;
    // The first DC coefficients of a row become differences from 0, which may need codes that are missing from the
    // file.
    let mut dc_tables = [const { None }; 4];
    for component in &scan.components {
        let table = scan.tables.dc.get(component.dc_table)?.as_ref()?;
        dc_tables[component.dc_table] = Some(DcTable::new(table)?);
    }
    let file = headers(bytes, scan, &dc_tables, columns.len(), (width, height))?;
    let copier = Copier::new(source, &dc_tables)?;
    let mut writer = BitWriter::new(file);
    for (index, row) in rows.enumerate() {
        copier.copy(row, columns.clone(), &mut writer)?;
        writer.pad();
        writer.file.extend_from_slice(&[0xff, RST0 | (index % 8) as u8]);
    }
    // EOI replaces the last restart marker.
    writer.file.pop();
    writer.file.push(EOI);
    Some(writer.file)
}

/// Everything before the entropy-coded data.
fn headers(
    bytes: &[u8],
    scan: &SingleScan,
    dc_tables: &[Option<DcTable>; 4],
    restart_interval: usize,
    (width, height): (u32, u32),
) -> Option<Vec<u8>> {
    let mut file = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0".to_vec();
    for segment in &scan.quantization_segments {
        file.extend_from_slice(bytes.get(segment.clone())?);
    }
    let frame_at = file.len();
    file.extend_from_slice(bytes.get(scan.frame_segment.clone())?);
    let sides = [u16::try_from(height).ok()?.to_be_bytes(), u16::try_from(width).ok()?.to_be_bytes()];
    // After marker, length and precision.
    file.get_mut(frame_at + 5..frame_at + 9)?.copy_from_slice(sides.as_flattened());
    for (destination, table) in dc_tables.iter().enumerate() {
        if let Some(table) = table {
            define_table(&mut file, destination as u8, &table.table)?;
        }
    }
    let mut ac_tables: Vec<usize> = scan.components.iter().map(|component| component.ac_table).collect();
    ac_tables.sort_unstable();
    ac_tables.dedup();
    for destination in ac_tables {
        define_table(&mut file, 0x10 | destination as u8, scan.tables.ac.get(destination)?.as_ref()?)?;
    }
    file.extend_from_slice(b"\xff\xdd\0\x04");
    file.extend_from_slice(&u16::try_from(restart_interval).ok()?.to_be_bytes());
    file.extend_from_slice(bytes.get(scan.scan_segment.clone())?);
    Some(file)
}

fn define_table(file: &mut Vec<u8>, class_and_destination: u8, table: &HuffmanTable) -> Option<()> {
    file.extend_from_slice(&[0xff, DHT]);
    file.extend_from_slice(&u16::try_from(2 + 1 + 16 + table.values.len()).ok()?.to_be_bytes());
    file.push(class_and_destination);
    file.extend_from_slice(&table.bits);
    file.extend_from_slice(&table.values);
    Some(())
}

/// A DC table for encoding.
struct DcTable {
    table: HuffmanTable,
    /// Indexed by category.
    codes: Vec<Code>,
}

impl DcTable {
    fn new(table: &HuffmanTable) -> Option<Self> {
        let last = MAX_DC_CATEGORY as u8;
        let table = table.with_values_to(last)?;
        let mut codes: Vec<Code> = table.codes()?.into_iter().filter(|code| code.value <= last).collect();
        codes.sort_by_key(|code| code.value);
        codes.dedup_by_key(|code| code.value);
        (codes.len() == usize::from(last) + 1).then_some(Self { table, codes })
    }
}

struct Copier<'a> {
    index: &'a ScanIndex,
    /// MCUs per row of the image, and in total.
    across: usize,
    total: usize,
    /// MCUs per restart interval.
    interval: usize,
    units: Vec<DataUnit<'a>>,
    /// Each component's codes for DC differences, indexed by category.
    codes: Vec<&'a [Code]>,
}

impl<'a> Copier<'a> {
    fn new(source: &'a IndexedScan, dc_tables: &'a [Option<DcTable>; 4]) -> Option<Self> {
        let scan = &source.scan;
        let (across, down) = scan.mcus();
        let codes = |of: &ScanComponent| Some(dc_tables.get(of.dc_table)?.as_ref()?.codes.as_slice());
        Some(Self {
            index: &source.index,
            across,
            total: across * down,
            interval: scan.restart_interval(),
            units: data_units(scan, &source.tables, None)?,
            codes: scan.components.iter().map(codes).collect::<Option<_>>()?,
        })
    }

    /// Copies the MCUs of a row in `columns`.
    fn copy(&self, row: usize, columns: Range<usize>, writer: &mut BitWriter) -> Option<()> {
        let (mut from, to) = (row * self.across + columns.start, row * self.across + columns.end);
        let mut prediction = [0; 3];
        while from < to {
            let interval = from / self.interval;
            let until = to.min((interval + 1) * self.interval);
            let start = if from % self.interval == 0 {
                self.index.start(interval)?
            } else {
                self.index.position(row, from - row * self.across)?
            };
            let end = if until % self.interval == 0 || until == self.total {
                self.index.end(interval)?
            } else if until % self.across == 0 {
                self.index.position(row + 1, 0)?
            } else {
                self.index.position(row, until - row * self.across)?
            };
            let after = self.copy_first(start, prediction, writer)?;
            writer.copy(&self.index.data, after..end.bit as usize)?;
            prediction = end.dc;
            from = until;
        }
        Some(())
    }

    /// Copies one MCU with its first DC coefficients as differences from `prediction`. Returns the index of the next
    /// bit.
    fn copy_first(&self, start: Position, prediction: [i16; 3], writer: &mut BitWriter) -> Option<usize> {
        let data = &self.index.data;
        let mut bits = BitReader::new(data, start.bit as usize);
        let mut has_dc = [false; 3];
        let mut copied = start.bit as usize;
        for &DataUnit { component, dc_table, ac_table, .. } in &self.units {
            let difference = bits.dc_difference(dc_table)?;
            if !has_dc[component] {
                has_dc[component] = true;
                let dc = i32::from(start.dc[component]) + difference;
                writer.dc_difference(self.codes[component], dc - i32::from(prediction[component]))?;
                copied = bits.position();
            }
            bits.skip_ac(ac_table, 1)?;
            writer.copy(data, copied..bits.position())?;
            copied = bits.position();
        }
        Some(copied)
    }
}
