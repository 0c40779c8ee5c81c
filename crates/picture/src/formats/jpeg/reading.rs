//! The data of one scan, read through block by block without keeping what it says.

use std::ops::Range;

use super::huffman::{Bits, Codes};
use super::scan::ends_well;

/// The coefficients that a scan is about.
#[derive(Clone, Copy)]
pub(super) struct Band {
    pub(super) from: usize,
    pub(super) last: usize,
    /// True where it adds a bit to what earlier scans had.
    pub(super) refines: bool,
    /// Lower bits that are left to later scans.
    pub(super) low: u8,
}

/// How a component is coded in a scan that has its first coefficients.
pub(super) struct Coded {
    /// Blocks of it in an MCU.
    pub(super) blocks: usize,
    pub(super) first: Codes,
    /// For the other coefficients, where the scan has them.
    pub(super) other: Option<Codes>,
    /// The largest that a first coefficient may be.
    pub(super) most: i32,
}

/// The data of a scan that is being read.
pub(super) struct Reading<'a> {
    pub(super) data: &'a [u8],
    /// Where each restart interval lies in it.
    pub(super) ranges: &'a [Range<usize>],
    /// MCUs, or blocks of a scan of one component, in each but the last.
    pub(super) interval: usize,
    /// Of them in all.
    pub(super) total: usize,
    /// True if bytes that mean nothing may come behind it, with which some cameras fill up a file.
    pub(super) may_be_filled: bool,
}

impl Reading<'_> {
    /// Calls `read` with the start of each interval and what it has of MCUs; gives back how many bits these took. `None` where the data is
    /// more or less than that.
    fn intervals(&self, mut read: impl FnMut(Bits<'_>, usize) -> Option<usize>) -> Option<()> {
        for (index, range) in self.ranges.iter().enumerate() {
            let count = self.interval.min(self.total - index * self.interval);
            let bits = read(Bits::new(self.data, 8 * range.start), count)?;
            let may_be_filled = self.may_be_filled && index + 1 == self.ranges.len();
            if !ends_well(self.data, range.clone(), 8 * range.start + bits, may_be_filled) {
                return None;
            }
        }
        Some(())
    }

    /// Reads the first coefficients of all blocks, and the others where they are coded.
    pub(super) fn firsts(&self, coded: &[Coded]) -> Option<()> {
        self.intervals(|mut bits, count| {
            let start = bits.position();
            let mut values = vec![0; coded.len()];
            for _ in 0..count {
                for (coded, value) in coded.iter().zip(&mut values) {
                    for _ in 0..coded.blocks {
                        *value += bits.first(&coded.first)?;
                        if i32::abs(*value) > coded.most {
                            return None;
                        }
                        if let Some(other) = &coded.other {
                            bits.skip_coefficients(other, 1)?;
                        }
                    }
                }
                bits.is_within()?;
            }
            Some(bits.position() - start)
        })
    }

    /// A bit for the first coefficient of each block, `blocks` in an MCU.
    pub(super) fn refined_firsts(&self, blocks: usize) -> Option<()> {
        self.intervals(|_, count| Some(count * blocks))
    }

    /// Reads coefficients of which nothing is known yet, and notes in `known` which are not 0 where that matters.
    pub(super) fn band(&self, codes: &Codes, band: Band, known: &mut [u64]) -> Option<()> {
        let mut block = 0;
        self.intervals(|mut bits, count| {
            let (start, end) = (bits.position(), block + count);
            while block < end {
                // The blocks that end here, this one among them.
                let mut ended = 1;
                let mut index = band.from;
                let mut found = 0_u64;
                while index <= band.last {
                    let (zeros, size) = bits.run_and_size(codes)?;
                    match (zeros, size) {
                        (15, 0) => index += 16,
                        (_, 0) => {
                            ended = bits.run_of_ends(zeros);
                            break;
                        }
                        _ => {
                            index += zeros;
                            found |= 1_u64.checked_shl(index as u32)?;
                            index += 1;
                            bits.skip_behind_symbol(size);
                        }
                    }
                }
                if index > band.last + 1 {
                    return None;
                }
                if let Some(known) = known.get_mut(block) {
                    *known |= found;
                }
                block += ended;
                bits.is_within()?;
            }
            (block == end).then(|| bits.position() - start)
        })
    }

    /// Reads one more bit of coefficients that are not 0, and which others are no longer.
    pub(super) fn refine(&self, codes: &Codes, band: Band, known: &mut [u64]) -> Option<()> {
        let within = u64::MAX >> (63 - band.last);
        let mut block = 0;
        self.intervals(|mut bits, count| {
            let start = bits.position();
            let mut ended = 0;
            for known in known.get_mut(block..block + count)? {
                let mut from = band.from;
                if ended == 0 {
                    (from, ended) = refine_block(&mut bits, codes, band, known)?;
                    bits.is_within()?;
                }
                if ended > 0 {
                    let rest = (*known & within) >> from;
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
fn refine_block(bits: &mut Bits<'_>, codes: &Codes, band: Band, known: &mut u64) -> Option<(usize, usize)> {
    let before = *known;
    let mut index = band.from;
    while index <= band.last {
        let (zeros, size) = bits.run_and_size(codes)?;
        if size == 0 && zeros < 15 {
            return Some((index, bits.run_of_ends(zeros)));
        }
        // So many that stay 0, between those that are known, then the new one.
        let (mut left, mut rest, mut corrections) = (zeros, before >> index, size);
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
        if index > band.last || size > 1 {
            return None;
        }
        bits.skip_behind_symbol(corrections);
        *known |= (size as u64) << index;
        index += 1;
    }
    Some((index, 0))
}
