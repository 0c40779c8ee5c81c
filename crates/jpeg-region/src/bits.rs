//! A reader of entropy-coded data: codes, additional bits and coefficients (T.81 sections F.2.2 and G.1.2).

use crate::huffman::{DerivedTable, EOB, LOOKAHEAD_BITS, NONE};

/// The maximum number of additional bits of a DC difference of 8-bit samples (T.81 table F.1).
pub(crate) const MAX_DC_CATEGORY: u32 = 11;

/// Reads bits of entropy-coded data after the removal of stuffed bytes and markers.
#[derive(Debug)]
pub(crate) struct BitReader<'a> {
    data: &'a [u8],
    /// The next bits, left-aligned.
    word: u64,
    /// Number of valid bits in `word`.
    valid: u32,
    /// Index of the next byte to load.
    at: usize,
}

impl<'a> BitReader<'a> {
    /// Starts at bit `from` of `data`. Reading past the end returns zeros.
    pub(crate) fn new(data: &'a [u8], from: usize) -> Self {
        let mut bits = Self { data, word: 0, valid: 0, at: from / 8 };
        bits.fill();
        bits.take(from as u32 % 8);
        bits
    }

    /// The index of the next bit.
    pub(crate) fn position(&self) -> usize {
        8 * self.at - self.valid as usize
    }

    /// `None` far past the end of the data, to stop reading zeros.
    #[inline(always)]
    pub(crate) fn is_within(&self) -> Option<()> {
        (self.at <= self.data.len() + 64).then_some(())
    }

    /// True if the next `count` bits (less than 8) are all 1.
    pub(crate) fn are_ones(&mut self, count: usize) -> bool {
        self.fill();
        let ones = (1 << count) - 1;
        self.peek(8) >> (8 - count) == ones
    }

    /// Loads bytes until at least 56 bits are valid.
    #[inline(always)]
    fn fill(&mut self) {
        let next =
            self.data.get(self.at..).and_then(|rest| rest.first_chunk()).map_or(0, |next| u64::from_be_bytes(*next));
        self.word |= next >> self.valid;
        self.at += ((63 - self.valid) >> 3) as usize;
        self.valid |= 56;
    }

    #[inline(always)]
    fn peek_lookahead(&self) -> usize {
        (self.word >> (64 - LOOKAHEAD_BITS)) as usize
    }

    #[inline(always)]
    fn peek(&self, count: u32) -> usize {
        (self.word >> (64 - count)) as usize
    }

    #[inline(always)]
    fn take(&mut self, count: u32) {
        self.word <<= count;
        self.valid -= count;
    }

    /// DECODE: the value of the next code; consumes at most 16 bits.
    #[inline(always)]
    fn value(&mut self, table: &DerivedTable) -> Option<u8> {
        let entry = table.lookup[self.peek_lookahead()];
        let (size, value) =
            if entry == 0 { table.longer(self.peek(16))? } else { (entry as u8 & 31, (entry >> 8) as u8) };
        self.take(u32::from(size));
        Some(value)
    }

    /// RECEIVE and EXTEND: the value of `category` additional bits, at most 15.
    #[inline(always)]
    fn receive_extend(&mut self, category: u32) -> i32 {
        if category == 0 {
            return 0;
        }
        let bits = self.peek(category) as i32;
        self.take(category);
        if bits < 1 << (category - 1) { bits - (1 << category) + 1 } else { bits }
    }

    /// The next AC code, RRRRSSSS: the run of zero coefficients and the category of the coefficient after it.
    #[inline(always)]
    pub(crate) fn run_and_category(&mut self, table: &DerivedTable) -> Option<(usize, usize)> {
        self.fill();
        let value = self.value(table)?;
        Some((usize::from(value >> 4), usize::from(value & 15)))
    }

    /// EOBRUN: the number of blocks that end with the EOBn code just read, `n` less than 15 (T.81 section G.1.2.2).
    #[inline(always)]
    pub(crate) fn eob_run(&mut self, n: usize) -> usize {
        if n == 0 {
            return 1;
        }
        let more = self.peek(n as u32);
        self.take(n as u32);
        (1 << n) + more
    }

    /// Skips at most 64 bits.
    #[inline(always)]
    pub(crate) fn skip(&mut self, count: usize) {
        self.fill();
        self.skip_after_code(count);
    }

    /// Skips bits immediately after a code, if at least 40 bits are still valid.
    #[inline(always)]
    pub(crate) fn skip_after_code(&mut self, count: usize) {
        let first = count.min(40);
        self.take(first as u32);
        if count > first {
            self.fill();
            self.take((count - first) as u32);
        }
    }

    /// DIFF: the difference of a block's DC coefficient from its prediction.
    #[inline(always)]
    pub(crate) fn dc_difference(&mut self, table: &DerivedTable) -> Option<i32> {
        self.fill();
        let category = u32::from(self.value(table)?);
        if category > MAX_DC_CATEGORY {
            return None;
        }
        Some(self.receive_extend(category))
    }

    /// Reads the AC coefficients of a block from `index` to `last`, in zigzag order, and passes nonzero ones to
    /// `found`. Returns the index of the next coefficient, 64 at the end of the block.
    #[inline(always)]
    pub(crate) fn ac_coefficients(
        &mut self,
        table: &DerivedTable,
        mut index: usize,
        last: usize,
        mut found: impl FnMut(usize, i32),
    ) -> Option<usize> {
        while index <= last {
            self.fill();
            let value = self.value(table)?;
            let (run, category) = (usize::from(value >> 4), u32::from(value & 15));
            match (run, category) {
                (0, 0) => return Some(64),
                (15, 0) => index += 16,
                (_, 0) => return None,
                _ => {
                    index += run;
                    let number = self.receive_extend(category);
                    if index > 63 {
                        return None;
                    }
                    found(index, number);
                    index += 1;
                }
            }
        }
        (index <= 64).then_some(index)
    }

    /// Skips the AC coefficients from `index` on.
    #[inline(always)]
    pub(crate) fn skip_ac(&mut self, table: &DerivedTable, mut index: usize) -> Option<()> {
        while index < 64 {
            self.fill();
            let run = table.runs[self.peek_lookahead()];
            let next = index + usize::from(run >> 6 & 127);
            if run == NONE || next > 64 {
                // A single code.
                index = self.ac_coefficients(table, index, index, |_, _| ())?;
                continue;
            }
            self.take(u32::from(run & 63));
            if run & EOB != 0 {
                return Some(());
            }
            index = next;
            if index >= 64 {
                return Some(());
            }
            // Two runs take at most 54 bits.
            let run = table.runs[self.peek_lookahead()];
            let next = index + usize::from(run >> 6 & 127);
            if run == NONE || next > 64 {
                continue;
            }
            self.take(u32::from(run & 63));
            if run & EOB != 0 {
                return Some(());
            }
            index = next;
        }
        Some(())
    }
}
