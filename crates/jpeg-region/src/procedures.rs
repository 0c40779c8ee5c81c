//! The decoding procedures of a scan (T.81 sections F.2 and G.2), block by block without storing coefficients.

use std::ops::Range;

use crate::bits::BitReader;
use crate::entropy_coded::ends_at;
use crate::huffman::DerivedTable;

/// The coefficients of a progressive scan.
#[derive(Clone, Copy)]
pub(crate) struct SpectralBand {
    /// Ss: start of spectral selection.
    pub(crate) from: usize,
    /// Se: end of spectral selection.
    pub(crate) last: usize,
    /// Ah is not 0: the scan refines coefficients of earlier scans by one bit.
    pub(crate) refines: bool,
    /// Al: number of low bits left to later scans.
    pub(crate) low: u8,
}

/// Coding parameters of a component in a scan with its DC coefficients.
pub(crate) struct Coded {
    /// Its blocks per MCU.
    pub(crate) blocks: usize,
    pub(crate) dc_table: DerivedTable,
    /// Set if the scan has the AC coefficients too.
    pub(crate) ac_table: Option<DerivedTable>,
    /// The maximum absolute DC coefficient.
    pub(crate) max_dc: i32,
}

/// The data of a scan.
pub(crate) struct ScanData<'a> {
    pub(crate) data: &'a [u8],
    /// The range of each entropy-coded segment in `data`.
    pub(crate) segments: &'a [Range<usize>],
    /// The restart interval in MCUs; the last interval may be shorter.
    pub(crate) interval: usize,
    /// Total number of MCUs.
    pub(crate) total: usize,
    /// True if the data may be followed by fill bytes, which some cameras write.
    pub(crate) may_have_fill_bytes: bool,
}

impl ScanData<'_> {
    /// Calls `read` with the start of each restart interval and its number of MCUs; `read` returns the number of bits
    /// read. `None` if that is not the length of the data.
    fn intervals(&self, mut read: impl FnMut(BitReader<'_>, usize) -> Option<usize>) -> Option<()> {
        for (index, segment) in self.segments.iter().enumerate() {
            let count = self.interval.min(self.total - index * self.interval);
            let bits = read(BitReader::new(self.data, 8 * segment.start), count)?;
            let may_have_fill_bytes = self.may_have_fill_bytes && index + 1 == self.segments.len();
            if !ends_at(self.data, segment.clone(), 8 * segment.start + bits, may_have_fill_bytes) {
                return None;
            }
        }
        Some(())
    }

    /// Reads the first scan of the DC coefficients, with the AC coefficients if the scan has them.
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

    /// Reads a refinement scan of the DC coefficients: one bit per block, `blocks` per MCU.
    pub(crate) fn dc_refine(&self, blocks: usize) -> Option<()> {
        self.intervals(|_, count| Some(count * blocks))
    }

    /// Reads the first scan of a band of AC coefficients. If `nonzero` is not empty, the bits of nonzero coefficients
    /// are set in it.
    pub(crate) fn ac_first(&self, table: &DerivedTable, band: SpectralBand, nonzero: &mut [u64]) -> Option<()> {
        let mut block = 0;
        self.intervals(|mut bits, count| {
            let (start, end) = (bits.position(), block + count);
            while block < end {
                // Number of blocks that end here, including this one.
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
                            bits.skip_after_code(category);
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

    /// Reads a refinement scan of AC coefficients: correction bits of nonzero coefficients, and newly nonzero ones.
    pub(crate) fn ac_refine(&self, table: &DerivedTable, band: SpectralBand, nonzero: &mut [u64]) -> Option<()> {
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

/// Refines one block up to its end; returns the index of the next coefficient and the number of blocks that end there.
#[inline(always)]
fn refine_block(
    bits: &mut BitReader<'_>,
    table: &DerivedTable,
    band: SpectralBand,
    nonzero: &mut u64,
) -> Option<(usize, usize)> {
    let before = *nonzero;
    let mut index = band.from;
    while index <= band.last {
        let (run, category) = bits.run_and_category(table)?;
        if category == 0 && run < 15 {
            return Some((index, bits.eob_run(run)));
        }
        // Skips `run` zero coefficients between nonzero ones, then the new coefficient.
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
        bits.skip_after_code(corrections);
        *nonzero |= (category as u64) << index;
        index += 1;
    }
    Some((index, 0))
}
