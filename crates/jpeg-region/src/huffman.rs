//! Huffman tables (T.81 annexes C and F), and lookup tables derived from them that decode several codes at once.

/// Bits per table lookup.
pub(crate) const LOOKAHEAD_BITS: u32 = 12;

/// Entries of a lookup table.
const ENTRIES: usize = 1 << LOOKAHEAD_BITS;

/// In [`DerivedTable::runs`]: no complete code within the lookahead, or an invalid one.
pub(crate) const NONE: u16 = 0;

/// In [`DerivedTable::runs`]: the block ends with these bits (EOB).
pub(crate) const EOB: u16 = 0x8000;

/// A Huffman table as specified by DHT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HuffmanTable {
    /// BITS: the number of codes of 1 to 16 bits.
    pub(crate) bits: [u8; 16],
    /// HUFFVAL: the value of each code, in code order.
    pub(crate) values: Vec<u8>,
}

/// A code and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    /// HUFFCODE: the bits, right-aligned.
    pub(crate) code: u16,
    /// HUFFSIZE: their number, 1 to 16.
    pub(crate) size: u8,
    /// HUFFVAL.
    pub(crate) value: u8,
}

impl HuffmanTable {
    /// All codes, from short to long, as generated in annex C; `None` if BITS has more codes than possible.
    pub(crate) fn codes(&self) -> Option<Vec<Code>> {
        let mut codes = Vec::with_capacity(self.values.len());
        let mut values = self.values.iter();
        let mut next = 0_u32;
        for (size, count) in (1_u8..).zip(self.bits) {
            for _ in 0..count {
                // The code of all ones has no value.
                if next + 1 >= 1 << size {
                    return None;
                }
                codes.push(Code { code: next as u16, size, value: *values.next()? });
                next += 1;
            }
            next <<= 1;
        }
        Some(codes)
    }

    /// The table with a code for each value from 0 to `last`; `None` if no codes are free for the missing ones.
    /// Existing codes do not change.
    pub(crate) fn with_values_to(&self, last: u8) -> Option<Self> {
        let mut table = self.clone();
        let missing: Vec<u8> = (0..=last).filter(|value| !self.values.contains(value)).collect();
        if missing.is_empty() {
            return Some(table);
        }
        let longest = self.bits.iter().rposition(|count| *count > 0)?;
        for size in longest..16 {
            table.bits[size] = self.bits[size].checked_add(u8::try_from(missing.len()).ok()?)?;
            if table.codes_fit() {
                table.values.extend(missing);
                return Some(table);
            }
            table.bits[size] = self.bits[size];
        }
        None
    }

    fn codes_fit(&self) -> bool {
        let mut next = 0_u32;
        (1..).zip(self.bits).all(|(size, count)| {
            next = 2 * next + u32::from(count);
            count == 0 || next < 1 << size
        })
    }
}

/// A decoding table derived from a [`HuffmanTable`].
#[derive(Debug)]
pub(crate) struct DerivedTable {
    /// Indexed by the next [`LOOKAHEAD_BITS`] bits: size of the first code, and its value in the higher bits; 0 for
    /// none.
    pub(crate) lookup: Box<[u16; ENTRIES]>,
    /// Indexed by the next [`LOOKAHEAD_BITS`] bits: the AC coefficients that they cover. From the lowest bit: six bits
    /// for the number of bits, including the additional bits after the codes; seven for the number of coefficients;
    /// [`EOB`].
    pub(crate) runs: Box<[u16; ENTRIES]>,
    /// Longer codes in ascending order: the first 16-bit value above each, its size, and its value.
    longer: Vec<(u32, u8, u8)>,
}

impl DerivedTable {
    /// `None` for a table that no encoder can produce.
    pub(crate) fn new(table: &HuffmanTable) -> Option<Self> {
        let mut derived = Self::without_runs(table)?;
        for bits in 0..ENTRIES {
            derived.runs[bits] = derived.run(bits);
        }
        Some(derived)
    }

    /// A table without `runs`: faster to derive, but slower at skipping coefficients.
    pub(crate) fn without_runs(table: &HuffmanTable) -> Option<Self> {
        let codes = table.codes()?;
        let mut lookup = Box::new([0; ENTRIES]);
        let mut longer = Vec::new();
        for Code { code, size, value } in codes {
            let length = u32::from(size);
            if length <= LOOKAHEAD_BITS {
                let first = usize::from(code) << (LOOKAHEAD_BITS - length);
                lookup[first..first + (1 << (LOOKAHEAD_BITS - length))].fill(u16::from(value) << 8 | u16::from(size));
            } else {
                longer.push(((u32::from(code) + 1) << (16 - length), size, value));
            }
        }
        Some(Self { lookup, runs: Box::new([NONE; ENTRIES]), longer })
    }

    /// The AC coefficients covered by `bits` ([`LOOKAHEAD_BITS`] of them): all codes that are complete with their
    /// additional bits, or the first code if only the code itself is complete.
    fn run(&self, bits: usize) -> u16 {
        let (mut used, mut coefficients) = (0, 0);
        loop {
            let entry = self.lookup[(bits << used) % ENTRIES];
            let (length, value) = (u32::from(entry & 31), entry >> 8);
            let (zeros, category) = (u32::from(value >> 4), u32::from(value & 15));
            // The bits after the lookahead are assumed to be 0 here; a code that needs them is not counted.
            if entry == 0 || used + length > LOOKAHEAD_BITS || (used > 0 && used + length + category > LOOKAHEAD_BITS) {
                break;
            }
            used += length + category;
            match (zeros, category) {
                (0, 0) => return (used | (coefficients + 1) << 6) as u16 | EOB,
                (15, 0) => coefficients += 16,
                (_, 0) => return NONE,
                _ => coefficients += zeros + 1,
            }
            if coefficients > 63 || used >= LOOKAHEAD_BITS {
                break;
            }
        }
        if coefficients > 64 { NONE } else { (used | coefficients << 6) as u16 }
    }

    /// Size and value of the code of more than [`LOOKAHEAD_BITS`] bits at the start of the 16 bits `next`.
    // Takes numbers instead of the reader, which stays in registers only if its address is not taken.
    #[cold]
    pub(crate) fn longer(&self, next: usize) -> Option<(u8, u8)> {
        // Codes are in ascending order, so the first one that ends after `next` matches.
        let (_, size, value) = self.longer.iter().find(|(end, ..)| next < *end as usize)?;
        Some((*size, *value))
    }
}

#[cfg(test)]
mod tests;
