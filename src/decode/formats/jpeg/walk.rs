//! Files of several scans, read through: the data of each scan has to end with its last block, to the bit.
//!
//! Decoders go on with the next scan whatever they find, so that damage inside one shows nowhere but there.

use std::ops::Range;

use super::coding::{most_first, read_steps, read_tables};
use super::huffman::{Bits, Codes, Table};
use super::scan::{ends_well, unstuffed};
use super::structure::{Structure, next_marker, segment};

/// What a file's scans turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// Every scan ends with its last block.
    Sound,
    /// One does not.
    Broken,
    /// A scan is missing: a component is in none, or tables come behind the last.
    Incomplete,
    /// The file is of a kind that is not read here.
    Unknown,
}

/// Reads the data of the first `count` scans of a Huffman-coded file.
pub(super) fn walk(bytes: &[u8], structure: &Structure, count: usize) -> Walked {
    let frame = &structure.frame;
    if !matches!(frame.kind, 0xc0..=0xc2) || frame.components.is_empty() || frame.size.pixels() == 0 {
        return Walked::Unknown;
    }
    let mut walker = Walker::new(structure);
    let mut at = 2;
    for scan in structure.scans.iter().take(count) {
        let read = segments(bytes, at, scan.marker_at)
            .try_for_each(|(marker, content)| walker.segment(bytes, marker, content?, scan.data.clone()));
        if read.is_none() {
            return Walked::Broken;
        }
        at = scan.data.end;
    }
    if count < structure.scans.len() {
        return Walked::Sound;
    }
    // Tables behind the last scan were for one that is gone.
    let is_short = segments(bytes, at, bytes.len()).any(|(marker, _)| marker == 0xc4);
    if is_short || walker.components.iter().any(|component| !component.is_seen) {
        return Walked::Incomplete;
    }
    Walked::Sound
}

/// The segments whose markers lie from `at` up to `last`, or before the end marker: marker and content, `None` where that is cut.
fn segments(bytes: &[u8], mut at: usize, last: usize) -> impl Iterator<Item = (u8, Option<&[u8]>)> {
    std::iter::from_fn(move || {
        loop {
            let (marker_at, marker) = next_marker(bytes, at).filter(|(at, marker)| *at <= last && *marker != 0xd9)?;
            at = marker_at + 2;
            if !matches!(marker, 0x01 | 0xd0..=0xd8) {
                let content = segment(bytes, at);
                at = content.as_ref().map_or(bytes.len(), |content| content.end);
                return Some((marker, content.and_then(|content| bytes.get(content))));
            }
        }
    })
}

/// One component.
struct Component {
    id: u8,
    /// Index in [`Walker::steps`].
    steps: usize,
    /// Blocks of it across and down an MCU.
    of_mcu: (usize, usize),
    /// Blocks across and down the picture in a scan of it alone (T.81 section A.2.2).
    blocks: (usize, usize),
    /// True once a scan has had its first coefficients.
    is_seen: bool,
    /// For each block a bit for each coefficient that is not 0 so far, in zigzag order. Empty until coefficients come that later scans refine.
    known: Vec<u64>,
}

struct Walker {
    components: Vec<Component>,
    is_progressive: bool,
    /// MCUs across and down the picture.
    mcus: (usize, usize),
    steps: [Option<[u16; 64]>; 4],
    first_tables: [Option<Table>; 4],
    other_tables: [Option<Table>; 4],
    /// MCUs between restart markers; 0 without them.
    interval: usize,
}

/// A component in a scan: its index, and those of its tables.
type Part = (usize, usize, usize);

/// The coefficients that a scan is about.
#[derive(Clone, Copy)]
struct Band {
    from: usize,
    last: usize,
    /// True where it adds a bit to what earlier scans had.
    refines: bool,
    /// Lower bits that are left to later scans.
    low: u8,
}

impl Walker {
    fn new(structure: &Structure) -> Self {
        let frame = &structure.frame;
        let mcu = frame.mcu();
        let components = frame.components.iter().map(|&[id, across, down]| {
            let along = |pixels: u32, mcu: u32, factor: u8| {
                (pixels as usize * usize::from(factor.max(1))).div_ceil(mcu as usize / 8).div_ceil(8)
            };
            Component {
                id,
                steps: 0,
                of_mcu: (usize::from(across.max(1)), usize::from(down.max(1))),
                blocks: (along(frame.size.width, mcu.width, across), along(frame.size.height, mcu.height, down)),
                is_seen: false,
                known: Vec::new(),
            }
        });
        Self {
            components: components.collect(),
            is_progressive: frame.is_progressive(),
            mcus: (frame.size.width.div_ceil(mcu.width) as usize, frame.size.height.div_ceil(mcu.height) as usize),
            steps: [None; 4],
            first_tables: [const { None }; 4],
            other_tables: [const { None }; 4],
            interval: 0,
        }
    }

    /// Takes in a segment that matters, and with a scan's header its data; `None` where it is not sound.
    fn segment(&mut self, bytes: &[u8], marker: u8, content: &[u8], data: Range<usize>) -> Option<()> {
        match marker {
            0xc0..=0xc2 => {
                for (component, frame) in self.components.iter_mut().zip(content.get(6..)?.chunks_exact(3)) {
                    component.steps = frame[2].into();
                }
            }
            0xc4 => read_tables(content, &mut self.first_tables, &mut self.other_tables)?,
            0xdb => read_steps(content, &mut self.steps)?,
            0xdd => self.interval = u16::from_be_bytes(*content.first_chunk()?).into(),
            0xda => self.scan(bytes, content, data)?,
            _ => {}
        }
        Some(())
    }

    /// Reads a scan; `None` where it is not sound.
    fn scan(&mut self, bytes: &[u8], header: &[u8], data: Range<usize>) -> Option<()> {
        let (&count, rest) = header.split_first()?;
        let (selected, rest) = rest.split_at_checked(2 * usize::from(count))?;
        let &[from, last, bits] = rest.first_chunk()?;
        let band = Band { from: from.into(), last: last.into(), refines: bits >> 4 > 0, low: bits & 15 };
        let mut parts = Vec::new();
        for pair in selected.chunks_exact(2) {
            let index = self.components.iter().position(|component| component.id == pair[0])?;
            parts.push((index, usize::from(pair[1] >> 4), usize::from(pair[1] & 15)));
        }
        let total = match parts[..] {
            [] => return None,
            [(alone, ..)] => self.components[alone].blocks.0 * self.components[alone].blocks.1,
            _ => self.mcus.0 * self.mcus.1,
        };
        let interval = if self.interval == 0 { total } else { self.interval };
        let (data, ranges) = unstuffed(bytes, data, total.div_ceil(interval.max(1)))?;
        let reading =
            Reading { data: &data, ranges: &ranges, interval, total, may_be_filled: !self.is_progressive };
        match (self.is_progressive, band.from, &parts[..]) {
            (false, ..) => self.firsts(&reading, &parts, 0, true)?,
            (true, 0, _) if band.last > 0 => return None,
            (true, 0, _) if band.refines => self.refined_firsts(&reading, &parts)?,
            (true, 0, _) => self.firsts(&reading, &parts, band.low, false)?,
            (true, _, &[(index, _, table)]) if band.last < 64 && band.from <= band.last => {
                let codes = Codes::plain(self.other_tables.get(table)?.as_ref()?)?;
                let component = &mut self.components[index];
                if component.known.is_empty() && (band.refines || band.low > 0) {
                    component.known.resize(component.blocks.0 * component.blocks.1, 0);
                }
                if band.refines {
                    reading.refine(&codes, band, &mut component.known)?;
                } else {
                    reading.band(&codes, band, &mut component.known)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// How many blocks an MCU has of a component, or a scan of it alone.
    fn blocks(&self, parts: &[Part], index: usize) -> usize {
        let of_mcu = self.components[index].of_mcu;
        if parts.len() == 1 { 1 } else { of_mcu.0 * of_mcu.1 }
    }

    /// The first coefficients of all blocks; the others as well where `with_others`.
    fn firsts(&mut self, reading: &Reading<'_>, parts: &[Part], low: u8, with_others: bool) -> Option<()> {
        let mut coded = Vec::new();
        for &(index, first, other) in parts {
            let component = &mut self.components[index];
            component.is_seen = true;
            let step = self.steps.get(component.steps)?.as_ref()?[0];
            let first = Codes::plain(self.first_tables.get(first)?.as_ref()?)?;
            let other = with_others.then(|| Codes::new(self.other_tables.get(other)?.as_ref()?));
            coded.push((self.blocks(parts, index), first, other.map_or(Some(None), |other| other.map(Some))?, most_first(step, low)));
        }
        reading.intervals(|mut bits, count| {
            let start = bits.position();
            let mut values = vec![0; coded.len()];
            for _ in 0..count {
                for ((blocks, first, other, most), value) in coded.iter().zip(&mut values) {
                    for _ in 0..*blocks {
                        *value += bits.first(first)?;
                        if value.abs() > *most {
                            return None;
                        }
                        if let Some(other) = other {
                            bits.skip_coefficients(other, 1)?;
                        }
                    }
                }
                bits.is_within()?;
            }
            Some(bits.position() - start)
        })
    }

    /// A bit for the first coefficient of each block.
    fn refined_firsts(&self, reading: &Reading<'_>, parts: &[Part]) -> Option<()> {
        let blocks: usize = parts.iter().map(|&(index, ..)| self.blocks(parts, index)).sum();
        reading.intervals(|_, count| Some(count * blocks))
    }
}

/// The data of a scan that is being read.
struct Reading<'a> {
    data: &'a [u8],
    /// Where each restart interval lies in it.
    ranges: &'a [Range<usize>],
    /// MCUs, or blocks of a scan of one component, in each but the last.
    interval: usize,
    /// Of them in all.
    total: usize,
    /// True if bytes that mean nothing may come behind it, with which some cameras fill up a file.
    may_be_filled: bool,
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

    /// Reads coefficients of which nothing is known yet, and notes in `known` which are not 0 where that matters.
    fn band(&self, codes: &Codes, band: Band, known: &mut [u64]) -> Option<()> {
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
                            bits.skip(size);
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
    fn refine(&self, codes: &Codes, band: Band, known: &mut [u64]) -> Option<()> {
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
        bits.skip(corrections);
        *known |= (size as u64) << index;
        index += 1;
    }
    Some((index, 0))
}
