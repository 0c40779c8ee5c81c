//! A file of some of another's MCUs: their bits as they are, and around them what makes a file.

use std::ops::Range;

use geometry::Size;

use super::coding::{Coding, Component, Tables};
use super::huffman::{Bits, Code, Table};
use super::scan::{Block, Mark, Scan, blocks};

/// The most bits of a difference between first coefficients of 8-bit samples (T.81 table F.1).
const MOST_BITS: u8 = 11;

/// A JPEG file of `size` pixels that holds the MCUs of `scan` in `columns` and `rows`. Every row of it is a restart interval, so that
/// it starts without regard to what was left of it. `None` where the parts cannot be put together, or the scan has no place at a column.
pub(super) fn excerpt(
    bytes: &[u8],
    coding: &Coding,
    tables: &Tables,
    scan: &Scan,
    columns: Range<usize>,
    rows: Range<usize>,
    size: Size,
) -> Option<Vec<u8>> {
    // The first coefficients are written as differences to 0, which may need codes that the file has no use for.
    let mut firsts = [const { None }; 4];
    for component in &coding.components {
        let index = component.first_table;
        firsts[index] = Some(FirstTable::new(coding.first_tables.get(index)?.as_ref()?)?);
    }
    let mut file = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0".to_vec();
    for segment in &coding.quantization {
        file.extend_from_slice(bytes.get(segment.clone())?);
    }
    let frame_at = file.len();
    file.extend_from_slice(bytes.get(coding.frame.clone())?);
    let sides = [u16::try_from(size.height).ok()?.to_be_bytes(), u16::try_from(size.width).ok()?.to_be_bytes()];
    // Behind marker, length and bits a sample.
    file.get_mut(frame_at + 5..frame_at + 9)?.copy_from_slice(sides.as_flattened());
    for (index, table) in firsts.iter().enumerate() {
        if let Some(table) = table {
            add_table(&mut file, index as u8, &table.table)?;
        }
    }
    let mut others: Vec<usize> = coding.components.iter().map(|component| component.other_table).collect();
    others.sort_unstable();
    others.dedup();
    for index in others {
        add_table(&mut file, 0x10 | index as u8, coding.other_tables.get(index)?.as_ref()?)?;
    }
    file.extend_from_slice(b"\xff\xdd\0\x04");
    file.extend_from_slice(&u16::try_from(columns.len()).ok()?.to_be_bytes());
    file.extend_from_slice(bytes.get(coding.scan.clone())?);
    let copier = Copier::new(coding, tables, scan, &firsts)?;
    let mut writer = Writer { file, waiting: 0, count: 0 };
    for (index, row) in rows.enumerate() {
        copier.copy(row, columns.clone(), &mut writer)?;
        writer.fill_up();
        // Restart markers count from 0 to 7 again and again.
        writer.file.extend_from_slice(&[0xff, 0xd0 | (index % 8) as u8]);
    }
    // The end in place of the last of them.
    writer.file.pop();
    writer.file.push(0xd9);
    Some(writer.file)
}

fn add_table(file: &mut Vec<u8>, head: u8, table: &Table) -> Option<()> {
    file.extend_from_slice(b"\xff\xc4");
    file.extend_from_slice(&u16::try_from(2 + 1 + 16 + table.symbols.len()).ok()?.to_be_bytes());
    file.push(head);
    file.extend_from_slice(&table.counts);
    file.extend_from_slice(&table.symbols);
    Some(())
}

/// A table of first coefficients for writing.
struct FirstTable {
    table: Table,
    /// By size of the number.
    writing: Vec<Code>,
}

impl FirstTable {
    fn new(table: &Table) -> Option<Self> {
        let table = table.with_all(MOST_BITS)?;
        let mut writing: Vec<Code> = table.codes()?.into_iter().filter(|code| code.symbol <= MOST_BITS).collect();
        writing.sort_by_key(|code| code.symbol);
        writing.dedup_by_key(|code| code.symbol);
        (writing.len() == usize::from(MOST_BITS) + 1).then_some(Self { table, writing })
    }
}

/// Copies MCUs.
struct Copier<'a> {
    scan: &'a Scan,
    /// MCUs across the picture, and of all of it.
    across: usize,
    total: usize,
    /// MCUs between restart markers.
    interval: usize,
    blocks: Vec<Block<'a>>,
    /// Each component's codes for writing, by size of the number.
    writing: Vec<&'a [Code]>,
}

impl<'a> Copier<'a> {
    fn new(coding: &Coding, tables: &'a Tables, scan: &'a Scan, firsts: &'a [Option<FirstTable>; 4]) -> Option<Self> {
        let (across, down) = coding.mcus();
        let writing = |of: &Component| Some(firsts.get(of.first_table)?.as_ref()?.writing.as_slice());
        Some(Self {
            scan,
            across,
            total: across * down,
            interval: coding.interval(),
            blocks: blocks(coding, tables, None)?,
            writing: coding.components.iter().map(writing).collect::<Option<_>>()?,
        })
    }

    /// Copies the MCUs of a row that lie in `columns`.
    fn copy(&self, row: usize, columns: Range<usize>, writer: &mut Writer) -> Option<()> {
        let (mut from, to) = (row * self.across + columns.start, row * self.across + columns.end);
        let mut known = [0; 3];
        while from < to {
            let index = from / self.interval;
            let until = to.min((index + 1) * self.interval);
            let start = if from % self.interval == 0 {
                self.scan.start(index)?
            } else {
                self.scan.mark(row, from - row * self.across)?
            };
            let end = if until % self.interval == 0 || until == self.total {
                self.scan.end(index)?
            } else if until % self.across == 0 {
                self.scan.mark(row + 1, 0)?
            } else {
                self.scan.mark(row, until - row * self.across)?
            };
            let behind = self.copy_first(start, known, writer)?;
            writer.copy(&self.scan.data, behind..end.bit as usize)?;
            known = end.first;
            from = until;
        }
        Some(())
    }

    /// Copies one MCU, its first coefficients as differences to `known`. Gives the bit behind it.
    fn copy_first(&self, start: Mark, known: [i16; 3], writer: &mut Writer) -> Option<usize> {
        let mut bits = Bits::new(&self.scan.data, start.bit as usize);
        let mut seen = [false; 3];
        let mut copied = start.bit as usize;
        for &Block { component, first_codes, other_codes, .. } in &self.blocks {
            let difference = bits.first(first_codes)?;
            if !seen[component] {
                seen[component] = true;
                let value = i32::from(start.first[component]) + difference;
                writer.number(self.writing[component], value - i32::from(known[component]))?;
                copied = bits.position();
            }
            bits.skip_coefficients(other_codes, 1)?;
            writer.copy(&self.scan.data, copied..bits.position())?;
            copied = bits.position();
        }
        Some(copied)
    }
}

/// Writes bits as entropy-coded data.
struct Writer {
    file: Vec<u8>,
    /// Bits that are not yet whole bytes, the last one lowest.
    waiting: u64,
    /// Of them, less than 32 between calls.
    count: u32,
}

impl Writer {
    /// Writes the lowest `count` of `bits`, at most 32; the others are 0.
    #[inline]
    fn put(&mut self, bits: u32, count: u32) {
        self.waiting = self.waiting << count | u64::from(bits);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            self.bytes((self.waiting >> self.count) as u32);
        }
    }

    fn bytes(&mut self, four: u32) {
        // Where a byte is all ones, adding one to each of the inverted bytes carries; seldom also where it is not, which does no harm.
        let inverted = !four;
        if inverted.wrapping_sub(0x0101_0101) & !inverted & 0x8080_8080 == 0 {
            self.file.extend_from_slice(&four.to_be_bytes());
            return;
        }
        four.to_be_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    fn byte(&mut self, byte: u8) {
        self.file.push(byte);
        if byte == 0xff {
            self.file.push(0);
        }
    }

    /// Fills the last byte up with ones.
    fn fill_up(&mut self) {
        while self.count >= 8 {
            self.count -= 8;
            self.byte((self.waiting >> self.count) as u8);
        }
        if self.count > 0 {
            let ones = (1 << (8 - self.count)) - 1;
            self.byte(((self.waiting << (8 - self.count)) as u8) | ones);
        }
        (self.waiting, self.count) = (0, 0);
    }

    /// Writes a difference as code and number (T.81 F.1.2.1).
    fn number(&mut self, codes: &[Code], difference: i32) -> Option<()> {
        let size = 32 - difference.unsigned_abs().leading_zeros();
        let code = codes.get(size as usize)?;
        self.put(code.bits.into(), code.length.into());
        let number = if difference < 0 { difference - 1 } else { difference };
        self.put(number as u32 & ((1 << size) - 1), size);
        Some(())
    }

    /// Copies bits of `data`.
    fn copy(&mut self, data: &[u8], bits: Range<usize>) -> Option<()> {
        let mut at = bits.start;
        while at < bits.end {
            let count = (bits.end - at).min(32) as u32;
            let next = u64::from_be_bytes(*data.get(at / 8..)?.first_chunk()?) << (at % 8);
            self.put((next >> (64 - count)) as u32, count);
            at += count as usize;
        }
        Some(())
    }
}
