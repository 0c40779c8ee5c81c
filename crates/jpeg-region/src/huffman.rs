//! Huffman tables (T.81 annexes C and F), and what is derived from them to look several codes up at once.

/// Bits that are looked up at once.
pub(crate) const LOOKAHEAD: u32 = 12;

/// How many different bits that may be.
const ENTRIES: usize = 1 << LOOKAHEAD;

/// In [`DerivedTable::runs`]: no code is that short, or it is none of a conforming file.
pub(crate) const NONE: u16 = 0;

/// In [`DerivedTable::runs`]: the block ends with these bits (EOB).
pub(crate) const EOB: u16 = 0x8000;

/// A Huffman table as DHT specifies it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HuffmanTable {
    /// How many codes there are of 1 to 16 bits: BITS.
    pub(crate) bits: [u8; 16],
    /// The value of each, in the order of the codes: HUFFVAL.
    pub(crate) values: Vec<u8>,
}

/// A code and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    /// HUFFCODE: its bits, the last one lowest.
    pub(crate) code: u16,
    /// HUFFSIZE: how many they are, 1 to 16.
    pub(crate) size: u8,
    /// HUFFVAL.
    pub(crate) value: u8,
}

impl HuffmanTable {
    /// All codes, from short to long, as annex C generates them; `None` if BITS has more codes than there can be.
    pub(crate) fn codes(&self) -> Option<Vec<Code>> {
        let mut codes = Vec::with_capacity(self.values.len());
        let mut values = self.values.iter();
        let mut next = 0_u32;
        for (size, count) in (1_u8..).zip(self.bits) {
            for _ in 0..count {
                // The code of ones alone has no value.
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

    /// The table with a code for each value from 0 to `last`; `None` if no codes are free for those it lacks. Codes that are there stay
    /// as they are.
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

/// A table derived from a [`HuffmanTable`] for decoding.
#[derive(Debug)]
pub(crate) struct DerivedTable {
    /// For each [`LOOKAHEAD`] bits that come next: size of the code that they start with, and its value above that; 0 for none.
    pub(crate) lookup: Box<[u16; ENTRIES]>,
    /// For each [`LOOKAHEAD`] bits that come next: over how many AC coefficients they lead. From the lowest bit: six bits for the number
    /// of bits, with the additional bits behind the codes; seven for the number of coefficients; [`EOB`].
    pub(crate) runs: Box<[u16; ENTRIES]>,
    /// Longer codes, rising: the first 16 bits behind each, its size, and its value.
    longer: Vec<(u32, u8, u8)>,
}

impl DerivedTable {
    /// `None` for a table that no encoder can make.
    pub(crate) fn new(table: &HuffmanTable) -> Option<Self> {
        let mut derived = Self::without_runs(table)?;
        for bits in 0..ENTRIES {
            derived.runs[bits] = derived.run(bits);
        }
        Some(derived)
    }

    /// The same, derived in less time; stepping over coefficients takes longer.
    pub(crate) fn without_runs(table: &HuffmanTable) -> Option<Self> {
        let codes = table.codes()?;
        let mut lookup = Box::new([0; ENTRIES]);
        let mut longer = Vec::new();
        for Code { code, size, value } in codes {
            let length = u32::from(size);
            if length <= LOOKAHEAD {
                let first = usize::from(code) << (LOOKAHEAD - length);
                lookup[first..first + (1 << (LOOKAHEAD - length))].fill(u16::from(value) << 8 | u16::from(size));
            } else {
                longer.push(((u32::from(code) + 1) << (16 - length), size, value));
            }
        }
        Some(Self { lookup, runs: Box::new([NONE; ENTRIES]), longer })
    }

    /// Over how many AC coefficients `bits`, which are [`LOOKAHEAD`], lead: all codes that lie in them with their additional bits, or the
    /// first if only the code itself does.
    fn run(&self, bits: usize) -> u16 {
        let (mut used, mut coefficients) = (0, 0);
        loop {
            let entry = self.lookup[(bits << used) % ENTRIES];
            let (length, value) = (u32::from(entry & 31), entry >> 8);
            let (zeros, category) = (u32::from(value >> 4), u32::from(value & 15));
            // The bits behind those looked at are taken for 0 here, and a code that needs them is not counted.
            if entry == 0 || used + length > LOOKAHEAD || (used > 0 && used + length + category > LOOKAHEAD) {
                break;
            }
            used += length + category;
            match (zeros, category) {
                (0, 0) => return (used | (coefficients + 1) << 6) as u16 | EOB,
                (15, 0) => coefficients += 16,
                (_, 0) => return NONE,
                _ => coefficients += zeros + 1,
            }
            if coefficients > 63 || used >= LOOKAHEAD {
                break;
            }
        }
        if coefficients > 64 { NONE } else { (used | coefficients << 6) as u16 }
    }

    /// Size and value of the code of more than [`LOOKAHEAD`] bits that the 16 bits `next` start with.
    // It takes numbers, not the reader: that has its place in registers only if nobody needs its address.
    #[cold]
    pub(crate) fn longer(&self, next: usize) -> Option<(u8, u8)> {
        // Codes rise, so the first that ends behind what comes is it.
        let (_, size, value) = self.longer.iter().find(|(behind, ..)| next < *behind as usize)?;
        Some((*size, *value))
    }
}

#[cfg(test)]
mod tests;
