//! An index of entropy-coded data: positions of MCUs with their DC predictions. The same pass reconstructs a reduced
//! image.

use std::ops::Range;

use crate::bits::BitReader;
use crate::entropy_coded::unstuffed;
use crate::huffman::DerivedTable;
use crate::reduced::Planes;
use crate::single_scan::{DerivedTables, SingleScan};
use crate::tables::max_dc;

/// MCUs between the stored positions of a row.
pub(crate) const STRIDE: usize = 4;

/// Up to this number of restart intervals is always indexed; more only if each has at least [`FEW_MCUS`], so that the
/// index takes no more memory than the image.
const FEW_INTERVALS: usize = 1 << 16;
const FEW_MCUS: usize = 8;

/// A position between two MCUs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// Index of the next bit in [`ScanIndex::data`].
    pub(crate) bit: u32,
    /// PRED: the DC predictions.
    pub(crate) dc: [i16; 3],
}

/// The index of a scan whose data ends with its last MCU, to the bit.
#[derive(Debug)]
pub(crate) struct ScanIndex {
    /// The data without stuffed bytes and markers.
    pub(crate) data: Vec<u8>,
    /// The position before every [`STRIDE`]th MCU of each row.
    positions: Vec<Position>,
    /// Number of stored positions per row.
    positions_across: usize,
    /// Start and end of the data of each restart interval; one interval without restart markers.
    intervals: Vec<(Position, Position)>,
}

impl ScanIndex {
    /// Indexes the data of `bytes` and passes coefficients to `planes`. `None` if anything is not conforming.
    pub(crate) fn read(
        bytes: &[u8],
        scan: &SingleScan,
        tables: &DerivedTables,
        mut planes: Option<&mut Planes>,
    ) -> Option<Self> {
        let (across, down) = scan.mcus();
        let (total, interval) = (across * down, scan.restart_interval());
        let (data, segments) = data_of(bytes, scan)?;
        let units = data_units(scan, tables, planes.as_deref())?;
        // Padding bits are ones (F.1.2.3). Other values are accepted if no MCU fits in them: a data unit has two codes,
        // and a code has at least one bit.
        let could_pad_an_mcu = units.len() * 2 < 8;
        let max = std::array::from_fn(|index| {
            scan.components.get(index).map_or(0, |component| max_dc(component.quantization[0], 0))
        });
        let positions_across = across.div_ceil(STRIDE);
        let mut positions = Vec::with_capacity(positions_across * down);
        let mut intervals = Vec::with_capacity(segments.len());
        let (mut column, mut row) = (0, 0);
        for (index, segment) in segments.iter().enumerate() {
            let mut bits = BitReader::new(&data, 8 * segment.start);
            let mut dc = [0; 3];
            let start = position(&bits, &dc, &max)?;
            for _ in 0..interval.min(total - index * interval) {
                if column % STRIDE == 0 {
                    // Reading past the end of the data returns zeros.
                    if bits.position() > 8 * segment.end {
                        return None;
                    }
                    positions.push(position(&bits, &dc, &max)?);
                }
                read_mcu(&units, &mut bits, &mut dc, (column, row), planes.as_deref_mut())?;
                column += 1;
                if column == across {
                    (column, row) = (0, row + 1);
                }
            }
            let padding = (8 * segment.end).checked_sub(bits.position()).filter(|count| *count < 8)?;
            if could_pad_an_mcu && !bits.are_ones(padding) {
                return None;
            }
            intervals.push((start, position(&bits, &dc, &max)?));
        }
        Some(Self { data, positions, positions_across, intervals })
    }

    /// The position before the MCU in `column`, a multiple of [`STRIDE`], and `row`.
    pub(crate) fn position(&self, row: usize, column: usize) -> Option<Position> {
        if !column.is_multiple_of(STRIDE) || column / STRIDE >= self.positions_across {
            return None;
        }
        self.positions.get(row * self.positions_across + column / STRIDE).copied()
    }

    /// The start of a restart interval's data.
    pub(crate) fn start(&self, interval: usize) -> Option<Position> {
        self.intervals.get(interval).map(|(start, _)| *start)
    }

    /// The end of a restart interval's data.
    pub(crate) fn end(&self, interval: usize) -> Option<Position> {
        self.intervals.get(interval).map(|(_, end)| *end)
    }
}

/// The data of a scan and the range of each entropy-coded segment in it; `None` if they are too many or too long for an
/// index.
fn data_of(bytes: &[u8], scan: &SingleScan) -> Option<(Vec<u8>, Vec<Range<usize>>)> {
    let (across, down) = scan.mcus();
    let interval = scan.restart_interval();
    let count = (across * down).div_ceil(interval);
    if interval < FEW_MCUS && count > FEW_INTERVALS {
        return None;
    }
    let (data, segments) = unstuffed(bytes, scan.data.clone(), count)?;
    u32::try_from(data.len() * 8).is_ok().then_some((data, segments))
}

/// `None` if a DC coefficient exceeds `max`, which no valid image does.
fn position(bits: &BitReader<'_>, dc: &[i32; 3], max: &[i32; 3]) -> Option<Position> {
    let can_be = dc.iter().zip(max).all(|(dc, max)| dc.abs() <= *max);
    can_be.then(|| Position { bit: bits.position() as u32, dc: dc.map(|dc| dc as i16) })
}

/// A data unit (block of 8 x 8 samples) of each MCU.
pub(crate) struct DataUnit<'a> {
    /// Index of its component.
    pub(crate) component: usize,
    pub(crate) dc_table: &'a DerivedTable,
    pub(crate) ac_table: &'a DerivedTable,
    /// Its position in the MCU, and the data units of its component per MCU across and down.
    at: (usize, usize),
    of: (usize, usize),
    /// The last coefficient for the reduced image, in zigzag order.
    last: usize,
}

/// The data units of each MCU, in file order.
pub(crate) fn data_units<'a>(
    scan: &SingleScan,
    tables: &'a DerivedTables,
    planes: Option<&Planes>,
) -> Option<Vec<DataUnit<'a>>> {
    let mut units = Vec::new();
    for (index, component) in scan.components.iter().enumerate() {
        let of = component.sampling;
        for at in (0..of.1).flat_map(|down| (0..of.0).map(move |across| (across, down))) {
            units.push(DataUnit {
                component: index,
                dc_table: tables.dc(component)?,
                ac_table: tables.ac(component)?,
                at,
                of,
                last: planes.map_or(0, |planes| planes.last_needed(index)),
            });
        }
    }
    Some(units)
}

#[inline(always)]
fn read_mcu(
    units: &[DataUnit<'_>],
    bits: &mut BitReader<'_>,
    dc: &mut [i32; 3],
    (column, row): (usize, usize),
    mut planes: Option<&mut Planes>,
) -> Option<()> {
    for unit in units {
        let value = dc[unit.component] + bits.dc_difference(unit.dc_table)?;
        dc[unit.component] = value;
        let mut next = 1;
        if let Some(planes) = planes.as_deref_mut() {
            let place = (column * unit.of.0 + unit.at.0, row * unit.of.1 + unit.at.1);
            if unit.last == 0 {
                planes.put_dc(unit.component, place, value);
            } else {
                planes.set(unit.component, 0, value);
                next = bits.ac_coefficients(unit.ac_table, 1, unit.last, |index, number| {
                    planes.set(unit.component, index, number);
                })?;
                planes.put(unit.component, place);
            }
        }
        bits.skip_ac(unit.ac_table, next)?;
    }
    Some(())
}
