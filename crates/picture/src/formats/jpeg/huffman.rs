//! Huffman codes of a JPEG file (ITU-T T.81 annexes C and F), as tables to look several symbols up at once.

/// Bits that one look at a table goes by.
const LOOK: u32 = 12;

/// How many different bits that may be.
const LOOKS: usize = 1 << LOOK;

/// In [`Codes::steps`]: no code is that short, or it is none that a sound file has.
const NONE: u16 = 0;

/// In [`Codes::steps`]: the block ends with these bits.
const END: u16 = 0x8000;

/// A table as the file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// How many codes there are of 1 to 16 bits.
    pub(super) counts: [u8; 16],
    /// What they stand for, in the order of the codes.
    pub(super) symbols: Vec<u8>,
}

/// A code and what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code {
    /// Its bits, the last one lowest.
    pub(super) bits: u16,
    /// How many they are: 1 to 16.
    pub(super) length: u8,
    /// What they stand for.
    pub(super) symbol: u8,
}

impl Table {
    /// All codes, by falling frequency, as annex C makes them; `None` where the counts promise more codes than there are.
    pub(super) fn codes(&self) -> Option<Vec<Code>> {
        let mut codes = Vec::with_capacity(self.symbols.len());
        let mut symbols = self.symbols.iter();
        let mut next = 0_u32;
        for (length, count) in (1_u8..).zip(self.counts) {
            for _ in 0..count {
                // The code of ones alone stands for nothing.
                if next + 1 >= 1 << length {
                    return None;
                }
                codes.push(Code { bits: next as u16, length, symbol: *symbols.next()? });
                next += 1;
            }
            next <<= 1;
        }
        Some(codes)
    }

    /// The table with a code for each of 0 to `last` more, where longer codes are free for them. Codes that are there keep their bits.
    pub(super) fn with_all(&self, last: u8) -> Option<Self> {
        let mut table = self.clone();
        let missing: Vec<u8> = (0..=last).filter(|symbol| !self.symbols.contains(symbol)).collect();
        if missing.is_empty() {
            return Some(table);
        }
        let longest = self.counts.iter().rposition(|count| *count > 0)?;
        for length in longest..16 {
            table.counts[length] = self.counts[length].checked_add(u8::try_from(missing.len()).ok()?)?;
            if table.codes_fit() {
                table.symbols.extend(missing);
                return Some(table);
            }
            table.counts[length] = self.counts[length];
        }
        None
    }

    fn codes_fit(&self) -> bool {
        let mut next = 0_u32;
        (1..).zip(self.counts).all(|(length, count)| {
            next = 2 * next + u32::from(count);
            count == 0 || next < 1 << length
        })
    }
}

/// A table made ready for reading.
#[derive(Debug)]
pub(super) struct Codes {
    /// For each [`LOOK`] bits that come next: length of the code that they start with, and its symbol; 0 for none.
    single: Box<[u16; LOOKS]>,
    /// For each [`LOOK`] bits that come next: how far they take the reader through a block's coefficients. From the lowest bit: six
    /// bits for the number of bits, with those of the numbers behind the codes; seven for the number of coefficients; [`END`].
    steps: Box<[u16; LOOKS]>,
    /// Longer codes, rising: the first 16 bits behind each, its length, and its symbol.
    longer: Vec<(u32, u8, u8)>,
}

impl Codes {
    /// `None` for a table that cannot be.
    pub(super) fn new(table: &Table) -> Option<Self> {
        let mut codes = Self::plain(table)?;
        for bits in 0..LOOKS {
            codes.steps[bits] = codes.step(bits);
        }
        Some(codes)
    }

    /// The same, ready sooner and slower where many coefficients are stepped over.
    pub(super) fn plain(table: &Table) -> Option<Self> {
        let codes = table.codes()?;
        let mut single = Box::new([0; LOOKS]);
        let mut longer = Vec::new();
        for code in &codes {
            let length = u32::from(code.length);
            if length <= LOOK {
                let first = usize::from(code.bits) << (LOOK - length);
                single[first..first + (1 << (LOOK - length))]
                    .fill(u16::from(code.symbol) << 8 | u16::from(code.length));
            } else {
                let behind = (u32::from(code.bits) + 1) << (16 - length);
                longer.push((behind, code.length, code.symbol));
            }
        }
        Some(Self { single, steps: Box::new([NONE; LOOKS]), longer })
    }

    /// How far `bits`, which are [`LOOK`], take through the coefficients behind a block's first: all symbols of which code and
    /// number lie in them, or the first where only its code does.
    fn step(&self, bits: usize) -> u16 {
        let (mut used, mut coefficients) = (0, 0);
        loop {
            let entry = self.single[(bits << used) % LOOKS];
            let (length, symbol) = (u32::from(entry & 31), entry >> 8);
            let (run, size) = (u32::from(symbol >> 4), u32::from(symbol & 15));
            // The bits behind those looked at are taken for 0 here, and a code that needs them is not told.
            if entry == 0 || used + length > LOOK || (used > 0 && used + length + size > LOOK) {
                break;
            }
            used += length + size;
            match (run, size) {
                (0, 0) => return (used | (coefficients + 1) << 6) as u16 | END,
                (15, 0) => coefficients += 16,
                (_, 0) => return NONE,
                _ => coefficients += run + 1,
            }
            if coefficients > 63 || used >= LOOK {
                break;
            }
        }
        if coefficients > 64 { NONE } else { (used | coefficients << 6) as u16 }
    }

    /// Length and symbol of the code of more than [`LOOK`] bits that the 16 bits `next` start with.
    // It takes numbers, not the reader: that has its place in registers only where nobody needs its address.
    #[cold]
    fn longer(&self, next: usize) -> Option<(u8, u8)> {
        // Codes rise, so the first that ends behind what comes is it.
        let (_, length, symbol) = self.longer.iter().find(|(behind, ..)| next < *behind as usize)?;
        Some((*length, *symbol))
    }
}

/// Reads bits of data that has neither stuffing nor markers.
#[derive(Debug)]
pub(super) struct Bits<'a> {
    data: &'a [u8],
    /// The next bits, the first one highest.
    word: u64,
    /// How many of them count.
    left: u32,
    /// Index of the byte behind them.
    at: usize,
}

impl<'a> Bits<'a> {
    /// From bit `from` of `data` on. Behind the data, zeros go on for ever.
    pub(super) fn new(data: &'a [u8], from: usize) -> Self {
        let mut bits = Self { data, word: 0, left: 0, at: from / 8 };
        bits.fill();
        bits.take(from as u32 % 8);
        bits
    }

    /// The index of the next bit.
    pub(super) fn position(&self) -> usize {
        8 * self.at - self.left as usize
    }

    /// `None` far behind the data, so that nobody reads zeros for long.
    #[inline(always)]
    pub(super) fn is_within(&self) -> Option<()> {
        (self.at <= self.data.len() + 64).then_some(())
    }

    /// True where the next `count` bits, less than 8, are all 1.
    pub(super) fn are_ones(&mut self, count: usize) -> bool {
        self.fill();
        let ones = (1 << count) - 1;
        self.peek(8) >> (8 - count) == ones
    }

    /// Makes at least 56 bits count.
    #[inline(always)]
    fn fill(&mut self) {
        let next =
            self.data.get(self.at..).and_then(|rest| rest.first_chunk()).map_or(0, |next| u64::from_be_bytes(*next));
        self.word |= next >> self.left;
        self.at += ((63 - self.left) >> 3) as usize;
        self.left |= 56;
    }

    #[inline(always)]
    fn look(&self) -> usize {
        (self.word >> (64 - LOOK)) as usize
    }

    #[inline(always)]
    fn peek(&self, count: u32) -> usize {
        (self.word >> (64 - count)) as usize
    }

    #[inline(always)]
    fn take(&mut self, count: u32) {
        self.word <<= count;
        self.left -= count;
    }

    /// The next symbol; at most 16 bits.
    #[inline(always)]
    fn symbol(&mut self, codes: &Codes) -> Option<u8> {
        let entry = codes.single[self.look()];
        let (length, symbol) =
            if entry == 0 { codes.longer(self.peek(16))? } else { (entry as u8 & 31, (entry >> 8) as u8) };
        self.take(u32::from(length));
        Some(symbol)
    }

    /// A number of `size` bits, at most 15, as T.81 writes them (F.2.2.1).
    #[inline(always)]
    fn number(&mut self, size: u32) -> i32 {
        if size == 0 {
            return 0;
        }
        let bits = self.peek(size) as i32;
        self.take(size);
        if bits < 1 << (size - 1) { bits - (1 << size) + 1 } else { bits }
    }

    /// The next symbol of other coefficients: how many are 0, and the size of the next one in bits.
    #[inline(always)]
    pub(super) fn run_and_size(&mut self, codes: &Codes) -> Option<(usize, usize)> {
        self.fill();
        let symbol = self.symbol(codes)?;
        Some((usize::from(symbol >> 4), usize::from(symbol & 15)))
    }

    /// How many blocks end, by a symbol of `size` less than 15 that was just read (T.81 section G.1.2.2).
    #[inline(always)]
    pub(super) fn run_of_ends(&mut self, size: usize) -> usize {
        if size == 0 {
            return 1;
        }
        let more = self.peek(size as u32);
        self.take(size as u32);
        (1 << size) + more
    }

    /// Steps over bits, at most 64.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: usize) {
        self.fill();
        self.skip_behind_symbol(count);
    }

    /// The same right behind a symbol, where 40 bits at least count still.
    #[inline(always)]
    pub(super) fn skip_behind_symbol(&mut self, count: usize) {
        let first = count.min(40);
        self.take(first as u32);
        if count > first {
            self.fill();
            self.take((count - first) as u32);
        }
    }

    /// A block's first coefficient, as a difference, and its size in bits.
    #[inline(always)]
    pub(super) fn first(&mut self, codes: &Codes) -> Option<i32> {
        self.fill();
        let size = u32::from(self.symbol(codes)?);
        if size > 11 {
            return None;
        }
        Some(self.number(size))
    }

    /// Reads coefficients from `index` on up to `last` of a block, in zigzag order; what is not 0 goes to `found`. Gives the index of
    /// the next one to read, 64 where the block has ended.
    #[inline(always)]
    pub(super) fn coefficients(
        &mut self,
        codes: &Codes,
        mut index: usize,
        last: usize,
        mut found: impl FnMut(usize, i32),
    ) -> Option<usize> {
        while index <= last {
            self.fill();
            let symbol = self.symbol(codes)?;
            let (run, size) = (usize::from(symbol >> 4), u32::from(symbol & 15));
            match (run, size) {
                (0, 0) => return Some(64),
                (15, 0) => index += 16,
                (_, 0) => return None,
                _ => {
                    index += run;
                    let number = self.number(size);
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

    /// Steps over the coefficients from `index` on.
    #[inline(always)]
    pub(super) fn skip_coefficients(&mut self, codes: &Codes, mut index: usize) -> Option<()> {
        while index < 64 {
            self.fill();
            let step = codes.steps[self.look()];
            let next = index + usize::from(step >> 6 & 127);
            if step == NONE || next > 64 {
                // One symbol alone.
                index = self.coefficients(codes, index, index, |_, _| ())?;
                continue;
            }
            self.take(u32::from(step & 63));
            if step & END != 0 {
                return Some(());
            }
            index = next;
            if index >= 64 {
                return Some(());
            }
            // Two steps are at most 54 bits.
            let step = codes.steps[self.look()];
            let next = index + usize::from(step >> 6 & 127);
            if step == NONE || next > 64 {
                continue;
            }
            self.take(u32::from(step & 63));
            if step & END != 0 {
                return Some(());
            }
            index = next;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests;
