//! The data of a plain file, read through once: a reduced picture on the way, and where each MCU lies.

use std::ops::Range;

use super::coding::{Coding, Tables, most_first};
use super::huffman::{Bits, Codes};
use super::reduced::Planes;
use super::structure::find_ff;

/// MCUs between the places that are kept of a row.
pub(super) const STRIDE: usize = 4;

/// Zeros behind the data, so that reading needs no care at its end.
const PADDING: usize = 16;

/// As many restart intervals are always borne; more only if each has [`FEW_MCUS`] at least, so that where they lie takes no more memory
/// than the picture does.
const FEW_INTERVALS: usize = 1 << 16;
const FEW_MCUS: usize = 8;

/// A place between two MCUs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// Index of the next bit in [`Scan::data`].
    pub(super) bit: u32,
    /// The first coefficients that the next differences count from.
    pub(super) first: [i16; 3],
}

/// A file's entropy-coded data, found sound: it ends where its last MCU does.
#[derive(Debug)]
pub(super) struct Scan {
    /// The data, without stuffed bytes and markers.
    pub(super) data: Vec<u8>,
    /// A mark before every [`STRIDE`]th MCU of each row.
    marks: Vec<Mark>,
    /// Of them in a row.
    marks_across: usize,
    /// Where the data of each restart interval starts and ends; of all of it where there are no restart markers.
    intervals: Vec<(Mark, Mark)>,
}

impl Scan {
    /// Reads the data of `bytes`, and what `planes` need of it. `None` where anything is not as it is in a sound file.
    pub(super) fn read(
        bytes: &[u8],
        coding: &Coding,
        tables: &Tables,
        mut planes: Option<&mut Planes>,
    ) -> Option<Self> {
        let (across, down) = coding.mcus();
        let total = across * down;
        let interval = coding.interval();
        if interval < FEW_MCUS && total.div_ceil(interval) > FEW_INTERVALS {
            return None;
        }
        let (data, parts) = unstuffed(bytes, coding.data.clone(), total.div_ceil(interval))?;
        if u32::try_from(data.len() * 8).is_err() {
            return None;
        }
        let blocks = blocks(coding, tables, planes.as_deref())?;
        // A block has two codes, and a code has a bit at least.
        let could_be_an_mcu = blocks.len() * 2 < 8;
        let mut most = [0; 3];
        for (most, component) in most.iter_mut().zip(&coding.components) {
            *most = most_first(component.steps[0], 0);
        }
        let marks_across = across.div_ceil(STRIDE);
        let mut marks = Vec::with_capacity(marks_across * down);
        let mut intervals = Vec::with_capacity(parts.len());
        let (mut column, mut row) = (0, 0);
        for (index, part) in parts.iter().enumerate() {
            let mut bits = Bits::new(&data, 8 * part.start);
            let mut first = [0; 3];
            let start = mark(&bits, &first, &most)?;
            for _ in 0..interval.min(total - index * interval) {
                if column % STRIDE == 0 {
                    // Zeros go on behind the data for as long as one asks.
                    if bits.position() > 8 * part.end {
                        return None;
                    }
                    marks.push(mark(&bits, &first, &most)?);
                }
                read_mcu(&blocks, &mut bits, &mut first, (column, row), planes.as_deref_mut())?;
                column += 1;
                if column == across {
                    (column, row) = (0, row + 1);
                }
            }
            // The last byte is filled up, with ones (F.1.2.3); with what else does not matter where no MCU could hide in it.
            let filling = (8 * part.end).checked_sub(bits.position()).filter(|count| *count < 8)?;
            if could_be_an_mcu && !bits.are_ones(filling) {
                return None;
            }
            intervals.push((start, mark(&bits, &first, &most)?));
        }
        Some(Self { data, marks, marks_across, intervals })
    }

    /// The place before the MCU in `column`, which is a multiple of [`STRIDE`], and `row`.
    pub(super) fn mark(&self, row: usize, column: usize) -> Option<Mark> {
        if !column.is_multiple_of(STRIDE) || column / STRIDE >= self.marks_across {
            return None;
        }
        self.marks.get(row * self.marks_across + column / STRIDE).copied()
    }

    /// Where the data of a restart interval starts.
    pub(super) fn start(&self, interval: usize) -> Option<Mark> {
        self.intervals.get(interval).map(|(start, _)| *start)
    }

    /// Where it ends.
    pub(super) fn end(&self, interval: usize) -> Option<Mark> {
        self.intervals.get(interval).map(|(_, end)| *end)
    }
}

/// `None` where a coefficient is more than `most`, which no picture has.
fn mark(bits: &Bits<'_>, first: &[i32; 3], most: &[i32; 3]) -> Option<Mark> {
    let can_be = first.iter().zip(most).all(|(first, most)| first.abs() <= *most);
    can_be.then(|| Mark { bit: bits.position() as u32, first: first.map(|first| first as i16) })
}

/// True if `data[range]` ends at `bit`, or behind that has equal bytes alone and may. If the data before them ends in the same bytes, they
/// were written over the rest of it.
pub(super) fn ends_well(data: &[u8], range: Range<usize>, bit: usize, may_be_filled: bool) -> bool {
    let end = bit.div_ceil(8);
    let (Some(read), Some(rest)) = (data.get(range.start..end), data.get(end..range.end)) else { return false };
    let Some(&filling) = rest.first() else { return true };
    let is_filled = may_be_filled && rest.iter().all(|byte| *byte == filling);
    is_filled && !read.last_chunk::<4>().is_some_and(|last| last.iter().all(|byte| *byte == filling))
}

/// `bytes[data]` without stuffed bytes and restart markers, and where each of its `count` intervals lies in that; `None` where the markers
/// are others.
pub(super) fn unstuffed(bytes: &[u8], data: Range<usize>, count: usize) -> Option<(Vec<u8>, Vec<Range<usize>>)> {
    let source = bytes.get(data)?;
    let mut plain = Vec::with_capacity(source.len() + PADDING);
    let mut parts = Vec::with_capacity(count.min(source.len()));
    let (mut at, mut start) = (0, 0);
    loop {
        let mut next = find_ff(source, at);
        plain.extend_from_slice(&source[at..next]);
        // Any number of these may stand before a marker (B.1.1.2), also before the one behind the data.
        let filled = next;
        while source.get(next + 1) == Some(&0xff) {
            next += 1;
        }
        match source.get(next + 1) {
            None => break,
            // Behind a picture's end there may be others, such as a telephone's map of depths.
            Some(0xd9) => break,
            Some(0) if next == filled => plain.push(0xff),
            Some(marker @ 0xd0..=0xd7) if usize::from(marker & 7) == parts.len() % 8 => {
                parts.push(start..plain.len());
                start = plain.len();
            }
            _ => return None,
        }
        at = next + 2;
    }
    parts.push(start..plain.len());
    plain.resize(plain.len() + PADDING, 0);
    (parts.len() == count).then_some((plain, parts))
}

/// A block of each MCU.
pub(super) struct Block<'a> {
    pub(super) component: usize,
    pub(super) first_codes: &'a Codes,
    pub(super) other_codes: &'a Codes,
    /// Its place in the MCU, and blocks of its component across and down one.
    at: (usize, usize),
    of: (usize, usize),
    /// The last coefficient that the reduced picture needs, in zigzag order.
    last: usize,
}

/// The blocks of each MCU, in the order of the file.
pub(super) fn blocks<'a>(coding: &Coding, tables: &'a Tables, planes: Option<&Planes>) -> Option<Vec<Block<'a>>> {
    let mut blocks = Vec::new();
    for (index, component) in coding.components.iter().enumerate() {
        let of = component.blocks;
        for at in (0..of.1).flat_map(|down| (0..of.0).map(move |across| (across, down))) {
            blocks.push(Block {
                component: index,
                first_codes: tables.first(component)?,
                other_codes: tables.other(component)?,
                at,
                of,
                last: planes.map_or(0, |planes| planes.last_needed(index)),
            });
        }
    }
    Some(blocks)
}

/// Reads the MCU in `column` and `row`.
#[inline(always)]
fn read_mcu(
    blocks: &[Block<'_>],
    bits: &mut Bits<'_>,
    first: &mut [i32; 3],
    (column, row): (usize, usize),
    mut planes: Option<&mut Planes>,
) -> Option<()> {
    for block in blocks {
        let value = first[block.component] + bits.first(block.first_codes)?;
        first[block.component] = value;
        let mut next = 1;
        if let Some(planes) = planes.as_deref_mut() {
            let place = (column * block.of.0 + block.at.0, row * block.of.1 + block.at.1);
            if block.last == 0 {
                planes.put_mean(block.component, place, value);
            } else {
                planes.set(block.component, 0, value);
                next = bits.coefficients(block.other_codes, 1, block.last, |index, number| {
                    planes.set(block.component, index, number);
                })?;
                planes.put(block.component, place);
            }
        }
        bits.skip_coefficients(block.other_codes, next)?;
    }
    Some(())
}
