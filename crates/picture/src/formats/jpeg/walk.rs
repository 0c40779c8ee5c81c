//! Files of several scans, read through: the data of each scan has to end with its last block, to the bit.
//!
//! Decoders go on with the next scan whatever they find, so that damage inside one shows nowhere but there.

use std::ops::Range;

use super::coding::{most_first, read_steps, read_tables};
use super::huffman::{Codes, Table};
use super::reading::{Band, Coded, Reading};
use super::scan::unstuffed;
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
        let reading = Reading { data: &data, ranges: &ranges, interval, total, may_be_filled: !self.is_progressive };
        match (self.is_progressive, band.from, &parts[..]) {
            (false, ..) => reading.firsts(&self.coded(&parts, 0, true)?)?,
            (true, 0, _) if band.last > 0 => return None,
            (true, 0, _) if band.refines => {
                let blocks = parts.iter().map(|&(index, ..)| self.blocks(&parts, index)).sum();
                reading.refined_firsts(blocks)?;
            }
            (true, 0, _) => reading.firsts(&self.coded(&parts, band.low, false)?)?,
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

    /// How the components of a scan that has their first coefficients are coded; the others as well where `with_others`.
    fn coded(&mut self, parts: &[Part], low: u8, with_others: bool) -> Option<Vec<Coded>> {
        let mut coded = Vec::new();
        for &(index, first, other) in parts {
            let blocks = self.blocks(parts, index);
            let component = &mut self.components[index];
            component.is_seen = true;
            let step = self.steps.get(component.steps)?.as_ref()?[0];
            let first = Codes::plain(self.first_tables.get(first)?.as_ref()?)?;
            let other = if with_others { Some(Codes::new(self.other_tables.get(other)?.as_ref()?)?) } else { None };
            coded.push(Coded { blocks, first, other, most: most_first(step, low) });
        }
        Some(coded)
    }
}
