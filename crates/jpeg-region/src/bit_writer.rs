//! A writer of entropy-coded data (T.81 section F.1.2).

use std::ops::Range;

use crate::huffman::Code;

/// Writes bits as entropy-coded data, with byte stuffing.
pub(crate) struct BitWriter {
    /// The output.
    pub(crate) file: Vec<u8>,
    /// Bits that do not fill a byte yet, right-aligned.
    waiting: u64,
    /// Their number, less than 32 between calls.
    count: u32,
}

impl BitWriter {
    /// Appends to `file`.
    pub(crate) fn new(file: Vec<u8>) -> Self {
        Self { file, waiting: 0, count: 0 }
    }

    /// Writes the lowest `count` bits of `bits`, at most 32; the others must be 0.
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
        // Adding one to each of the inverted bytes carries if a byte is all ones. Rarely it also carries without one,
        // which is harmless.
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

    /// Fills the last byte with padding bits, which are ones.
    pub(crate) fn pad(&mut self) {
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

    /// Writes a DC difference as code and additional bits (F.1.2.1); `codes` are indexed by category.
    pub(crate) fn dc_difference(&mut self, codes: &[Code], difference: i32) -> Option<()> {
        let category = 32 - difference.unsigned_abs().leading_zeros();
        let code = codes.get(category as usize)?;
        self.put(code.code.into(), code.size.into());
        let bits = if difference < 0 { difference - 1 } else { difference };
        self.put(bits as u32 & ((1 << category) - 1), category);
        Some(())
    }

    /// Copies a range of bits of `data`.
    pub(crate) fn copy(&mut self, data: &[u8], bits: Range<usize>) -> Option<()> {
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
