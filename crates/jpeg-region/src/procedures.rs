//! The decoding procedures of a scan (T.81 sections F.2 and G.2), which read block by block and keep no coefficients.

use std::ops::Range;

use crate::bits::BitReader;
use crate::entropy_coded::ends_at;
use crate::huffman::DerivedTable;

/// The coefficients that a progressive scan is about.
#[derive(Clone, Copy)]
pub(crate) struct AllowedRange {
    /// Ss: start of spectral selection.
    pub(crate) from: usize,
    /// Se: end of spectral selection.
    pub(crate) last: usize,
    /// True if it adds a bit to what earlier scans had: Ah is not 0.
    pub(crate) refines: bool,
    /// Al: lower bits that are left to later scans.
    pub(crate) low: u8,
}

/// How a component is coded in a scan that has its DC coefficients.
pub(crate) struct Coded {
    /// Blocks of it in an MCU.
    pub(crate) blocks: usize,
    pub(crate) dc_table: DerivedTable,
    /// If the scan has the AC coefficients too.
    pub(crate) ac_table: Option<DerivedTable>,
    /// The largest that a DC coefficient may be.
    pub(crate) max_dc: i32,
}

/// The data of a scan.
pub(crate) struct ScanData<'a> {
    pub(crate) data: &'a [u8],
    /// Where each entropy-coded segment lies in it.
    pub(crate) segments: &'a [Range<usize>],
    /// MCUs in each but the last: the restart interval.
    pub(crate) interval: usize,
    /// MCUs in all.
    pub(crate) total: usize,
    /// True if bytes that mean nothing may come behind it, with which some cameras fill up a file.
    pub(crate) may_be_filled: bool,
}

impl ScanData<'_> {
    /// Calls `read` with the start of each restart interval and its number of MCUs; gets how many bits these took. `None` if the data is
    /// more or less than that.
    fn intervals(&self, mut read: impl FnMut(BitReader<'_>, usize) -> Option<usize>) -> Option<()> {
        for (index, segment) in self.segments.iter().enumerate() {
            let count = self.interval.min(self.total - index * self.interval);
            let bits = read(BitReader::new(self.data, 8 * segment.start), count)?;
            let may_be_filled = self.may_be_filled && index + 1 == self.segments.len();
            if !ends_at(self.data, segment.clone(), 8 * segment.start + bits, may_be_filled) {
                return None;
            }
        }
        Some(())
    }

    /// Reads the DC coefficients of all blocks in their first scan, and the AC coefficients if they are in it.
    pub(crate) fn dc_first(&self, coded: &[Coded]) -> Option<()> {
        self.intervals(|mut bits, count| {
            let start = bits.position();
            let mut predictions = vec![0; coded.len()];
            for _ in 0..count {
                for (coded, dc) in coded.iter().zip(&mut predictions) {
                    for _ in 0..coded.blocks {
                        *dc += bits.dc_difference(&coded.dc_table)?;
                        if i32::abs(*dc) > coded.max_dc {
                            return None;
                        }
                        if let Some(table) = &coded.ac_table {
                            bits.skip_ac(table, 1)?;
                        }
                    }
                }
                bits.is_within()?;
            }
            Some(bits.position() - start)
        })
    }

    /// Reads a bit of the DC coefficient of each block, `blocks` in an MCU.
    pub(crate) fn dc_refine(&self, blocks: usize) -> Option<()> {
        self.intervals(|_, count| Some(count * blocks))
    }

    /// Reads the AC coefficients of a band in their first scan. If `nonzero` is not empty, it gets a bit for each that is not 0.
    pub(crate) fn ac_first(&self, table: &DerivedTable, band: AllowedRange, nonzero: &mut [u64]) -> Option<()> {
        let mut block = 0;
        self.intervals(|mut bits, count| {
            let (start, end) = (bits.position(), block + count);
            while block < end {
                // The blocks that end here, this one among them.
                let mut ended = 1;
                let mut index = band.from;
                let mut found = 0_u64;
                while index <= band.last {
                    let (run, category) = bits.run_and_category(table)?;
                    match (run, category) {
                        (15, 0) => index += 16,
                        (_, 0) => {
                            ended = bits.eob_run(run);
                            break;
                        }
                        _ => {
                            index += run;
                            found |= 1_u64.checked_shl(index as u32)?;
                            index += 1;
                            bits.skip_behind_code(category);
                        }
                    }
                }
                if index > band.last + 1 {
                    return None;
                }
                if let Some(nonzero) = nonzero.get_mut(block) {
                    *nonzero |= found;
                }
                block += ended;
                bits.is_within()?;
            }
            (block == end).then(|| bits.position() - start)
        })
    }

    /// Reads one more bit of the AC coefficients that are not 0, and which others are not 0 any more.
    pub(crate) fn ac_refine(&self, table: &DerivedTable, band: AllowedRange, nonzero: &mut [u64]) -> Option<()> {
        let within = u64::MAX >> (63 - band.last);
        let mut block = 0;
        self.intervals(|mut bits, count| {
            let start = bits.position();
            let mut ended = 0;
            for nonzero in nonzero.get_mut(block..block + count)? {
                let mut from = band.from;
                if ended == 0 {
                    (from, ended) = refine_block(&mut bits, table, band, nonzero)?;
                    bits.is_within()?;
                }
                if ended > 0 {
                    let rest = (*nonzero & within) >> from;
                    if rest != 0 {
                        bits.skip(rest.count_ones() as usize);
                    }
                    ended -= 1;
                }
            }
            block += count;
            (ended == 0).then(|| bits.position() - start)
        })
    }
}

/// Reads one block up to where it ends; gives the first coefficient behind that and how many blocks end so.
#[inline(always)]
fn refine_block(
    bits: &mut BitReader<'_>,
    table: &DerivedTable,
    band: AllowedRange,
    nonzero: &mut u64,
) -> Option<(usize, usize)> {
    let before = *nonzero;
    let mut index = band.from;
    while index <= band.last {
        let (run, category) = bits.run_and_category(table)?;
        if category == 0 && run < 15 {
            return Some((index, bits.eob_run(run)));
        }
        // So many that stay 0, between those that are not 0, then the new one.
        let (mut left, mut rest, mut corrections) = (run, before >> index, category);
        loop {
            let gap = rest.trailing_zeros() as usize;
            if gap > left {
                index += left;
                break;
            }
            corrections += 1;
            index += gap + 1;
            left -= gap;
            rest = rest >> gap >> 1;
        }
        if index > band.last || category > 1 {
            return None;
        }
        bits.skip_behind_code(corrections);
        *nonzero |= (category as u64) << index;
        index += 1;
    }
    Some((index, 0))
}
