//! How the pixels of a plain JPEG file are coded: tables, sampling, and where the data lies (ITU-T T.81 annex B).
//!
//! Plain is what nearly every camera and telephone writes: Huffman-coded, one scan of all components, grey or YCbCr of 8 bits.
//! Other files are left to the libraries.

use std::ops::Range;

use geometry::Size;

use super::huffman::{Codes, Table};
use super::structure::{Structure, next_marker, segment};

/// One component of a plain file.
#[derive(Debug)]
pub(super) struct Component {
    /// Blocks of it across and down an MCU: 1, 2 or 4.
    pub(super) blocks: (usize, usize),
    /// What its coefficients are to be multiplied by, in zigzag order.
    pub(super) steps: [u16; 64],
    /// Index in [`Coding::first_tables`].
    pub(super) first_table: usize,
    /// Index in [`Coding::other_tables`].
    pub(super) other_table: usize,
}

/// How a plain file is coded.
#[derive(Debug)]
pub(super) struct Coding {
    /// Pixels as stored.
    pub(super) size: Size,
    /// One of grey, or three of YCbCr.
    pub(super) components: Vec<Component>,
    /// Tables of the blocks' first coefficients.
    pub(super) first_tables: [Option<Table>; 4],
    /// Tables of their other coefficients.
    pub(super) other_tables: [Option<Table>; 4],
    /// MCUs between restart markers; 0 without them.
    restart_interval: usize,
    /// The entropy-coded data.
    pub(super) data: Range<usize>,
    /// Segments, from their markers to their ends, that a file with a part of the pixels needs as they are.
    pub(super) quantization: Vec<Range<usize>>,
    /// The frame header's segment.
    pub(super) frame: Range<usize>,
    /// The scan header's segment.
    pub(super) scan: Range<usize>,
}

impl Coding {
    /// `None` for a file that is not plain or has no end.
    pub(super) fn read(bytes: &[u8], structure: &Structure) -> Option<Self> {
        let frame = &structure.frame;
        let [scan] = &structure.scans[..] else { return None };
        if !structure.is_complete || !frame.is_sequential() || frame.precision != 8 || frame.size.pixels() == 0 {
            return None;
        }
        let ids: Vec<u8> = frame.components.iter().map(|component| component[0]).collect();
        // Three components may be RGB: Adobe's marker says so, or their names do.
        let is_ycbcr = ids.len() == 3 && ids != *b"RGB" && matches!(structure.adobe_transform, None | Some(1));
        if ids.len() != 1 && !is_ycbcr {
            return None;
        }
        let mut segments = Segments::default();
        let mut at = 2;
        while let Some((marker_at, marker)) =
            next_marker(bytes, at).filter(|(marker_at, _)| *marker_at <= scan.marker_at)
        {
            at = marker_at + 2;
            match marker {
                0x01 | 0xd0..=0xd7 => continue,
                // A second start; the library takes no such file, and a file must not be read by luck.
                0xd8 => return None,
                _ => {}
            }
            let content = segment(bytes, at)?;
            at = content.end;
            segments.add(marker, marker_at..content.end, bytes.get(content)?)?;
        }
        let Segments {
            quantization,
            steps,
            first_tables,
            other_tables,
            frame: Some((frame_at, selectors)),
            scan: Some(ScanHeader { lies: scan_at, components: scanned }),
        } = segments
        else {
            return None;
        };
        if frame.components.len() != selectors.len() || scanned.len() != selectors.len() {
            return None;
        }
        let mut components = Vec::new();
        for ((&[id, across, down], selector), (scanned_id, tables)) in
            frame.components.iter().zip(selectors).zip(scanned)
        {
            let blocks = (usize::from(across), usize::from(down));
            let (first_table, other_table) = (usize::from(tables >> 4), usize::from(tables & 15));
            let are_there = first_tables.get(first_table)?.is_some() && other_tables.get(other_table)?.is_some();
            if id != scanned_id || !are_there || !matches!(blocks, (1 | 2 | 4, 1 | 2 | 4)) {
                return None;
            }
            components.push(Component {
                blocks,
                steps: (*steps.get(usize::from(selector))?)?,
                first_table,
                other_table,
            });
        }
        // A component alone is not in MCUs of several blocks (A.2.2).
        let blocks: usize = components.iter().map(|component| component.blocks.0 * component.blocks.1).sum();
        (blocks <= if components.len() == 1 { 1 } else { 10 }).then_some(Self {
            size: frame.size,
            components,
            first_tables,
            other_tables,
            restart_interval: structure.restart_interval.into(),
            data: scan.data.clone(),
            quantization,
            frame: frame_at,
            scan: scan_at,
        })
    }

    /// Blocks across and down of the component that has most of them in an MCU.
    pub(super) fn most_blocks(&self) -> (usize, usize) {
        let most = |of: fn(&Component) -> usize| self.components.iter().map(of).max().unwrap_or(1);
        (most(|component| component.blocks.0), most(|component| component.blocks.1))
    }

    /// MCUs across and down the picture.
    pub(super) fn mcus(&self) -> (usize, usize) {
        let (across, down) = self.most_blocks();
        ((self.size.width as usize).div_ceil(8 * across), (self.size.height as usize).div_ceil(8 * down))
    }

    /// MCUs between restart markers; all of them where there are none.
    pub(super) fn interval(&self) -> usize {
        let (across, down) = self.mcus();
        if self.restart_interval == 0 { across * down } else { self.restart_interval }
    }
}

/// The tables of a file, made ready for reading.
#[derive(Debug)]
pub(super) struct Tables {
    first: [Option<Codes>; 4],
    other: [Option<Codes>; 4],
}

impl Tables {
    /// `None` where one is not sound, used or not: the library takes no such file.
    pub(super) fn new(coding: &Coding) -> Option<Self> {
        let ready = |tables: &[Option<Table>; 4]| {
            let mut codes = [const { None }; 4];
            for (codes, table) in codes.iter_mut().zip(tables) {
                if let Some(table) = table {
                    *codes = Some(Codes::new(table)?);
                }
            }
            Some(codes)
        };
        Some(Self { first: ready(&coding.first_tables)?, other: ready(&coding.other_tables)? })
    }

    /// That of a component's first coefficients.
    pub(super) fn first(&self, of: &Component) -> Option<&Codes> {
        self.first.get(of.first_table)?.as_ref()
    }

    /// That of its other coefficients.
    pub(super) fn other(&self, of: &Component) -> Option<&Codes> {
        self.other.get(of.other_table)?.as_ref()
    }
}

/// What the segments before the data say.
#[derive(Default)]
struct Segments {
    quantization: Vec<Range<usize>>,
    steps: [Option<[u16; 64]>; 4],
    first_tables: [Option<Table>; 4],
    other_tables: [Option<Table>; 4],
    /// Where the frame header lies, and each component's number of quantization table.
    frame: Option<(Range<usize>, Vec<u8>)>,
    scan: Option<ScanHeader>,
}

struct ScanHeader {
    lies: Range<usize>,
    /// Each component's name and numbers of Huffman tables.
    components: Vec<(u8, u8)>,
}

impl Segments {
    fn add(&mut self, marker: u8, lies: Range<usize>, content: &[u8]) -> Option<()> {
        match marker {
            0xdb => {
                self.quantization.push(lies);
                read_steps(content, &mut self.steps)
            }
            0xc4 => read_tables(content, &mut self.first_tables, &mut self.other_tables),
            0xdd if content.len() != 2 => None,
            0xc0..=0xc2 => {
                if self.frame.is_some() {
                    return None;
                }
                let selectors = content.get(6..)?.chunks_exact(3).map(|component| component[2]).collect();
                self.frame = Some((lies, selectors));
                Some(())
            }
            0xda => {
                let (&count, rest) = content.split_first()?;
                let (components, rest) = rest.split_at_checked(2 * usize::from(count))?;
                // All coefficients at once and in full.
                if *rest != [0, 63, 0] {
                    return None;
                }
                let components = components.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
                self.scan = Some(ScanHeader { lies, components });
                Some(())
            }
            _ => Some(()),
        }
    }
}

/// Takes the tables out of a segment of them; `None` where it is not sound.
pub(super) fn read_tables(
    mut content: &[u8],
    first_tables: &mut [Option<Table>; 4],
    other_tables: &mut [Option<Table>; 4],
) -> Option<()> {
    while let Some((&head, rest)) = content.split_first() {
        let (counts, rest) = rest.split_first_chunk::<16>()?;
        let total = counts.iter().map(|count| usize::from(*count)).sum();
        let (symbols, rest) = rest.split_at_checked(total)?;
        let tables = match head >> 4 {
            0 => &mut *first_tables,
            1 => &mut *other_tables,
            _ => return None,
        };
        *tables.get_mut(usize::from(head & 15))? = Some(Table { counts: *counts, symbols: symbols.to_vec() });
        content = rest;
    }
    Some(())
}

/// Takes the quantization tables out of a segment of them; `None` where it is not sound.
pub(super) fn read_steps(mut content: &[u8], all: &mut [Option<[u16; 64]>; 4]) -> Option<()> {
    while let Some((&head, rest)) = content.split_first() {
        let width = 1 + usize::from(head >> 4);
        let (numbers, rest) = rest.split_at_checked(64 * width)?;
        let mut steps = [0; 64];
        for (step, number) in steps.iter_mut().zip(numbers.chunks_exact(width)) {
            *step = match number {
                [low] => u16::from(*low),
                [high, low] => u16::from_be_bytes([*high, *low]),
                _ => return None,
            };
        }
        *all.get_mut(usize::from(head & 15))? = Some(steps);
        content = rest;
    }
    Some(())
}

/// The largest that a block's first coefficient may be, without its `low` lowest bits: 8 bits of light or colour, and a bit more, since
/// encoders round and sharpen.
pub(super) fn most_first(step: u16, low: u8) -> i32 {
    match i32::from(step) << low {
        0 => i16::MAX.into(),
        step => 1280 / step + 2,
    }
}
