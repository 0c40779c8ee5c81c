//! The frame header (T.81 section B.2.2).

use crate::marker::{SOF0, SOF1, SOF2, SOF10};

/// A frame header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// The marker code, which identifies the coding process: [`SOF0`] for baseline, [`SOF2`] for progressive and so on.
    pub sof: u8,
    /// Bits per sample.
    pub precision: u8,
    /// Samples per line of the component with the highest resolution: the image width in pixels.
    pub width: u32,
    /// Lines of the component with the highest resolution: the image height in pixels.
    pub height: u32,
    /// One for grey, three for YCbCr or RGB, four for CMYK or YCCK.
    pub components: Vec<Component>,
    /// Offset of the two height bytes in the file.
    pub(crate) height_offset: usize,
}

/// A component of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Component {
    /// The component identifier.
    pub id: u8,
    /// Horizontal and vertical sampling factor: data units (blocks of 8 x 8 samples) per MCU.
    pub sampling: (u8, u8),
    /// The destination of its quantization table.
    pub quantization_table: u8,
}

impl FrameHeader {
    /// Parses the parameters `data` of the segment at `offset`. `None` if they are truncated.
    pub(crate) fn read(sof: u8, offset: usize, data: &[u8]) -> Option<Self> {
        let &[precision, high, low, left, right, count] = data.first_chunk()?;
        let components = data.get(6..)?.chunks_exact(3).take(usize::from(count));
        let components: Vec<_> = components
            .map(|part| Component { id: part[0], sampling: (part[1] >> 4, part[1] & 15), quantization_table: part[2] })
            .collect();
        (components.len() == usize::from(count)).then_some(Self {
            sof,
            precision,
            width: u16::from_be_bytes([left, right]).into(),
            height: u16::from_be_bytes([high, low]).into(),
            components,
            height_offset: offset + 5,
        })
    }

    /// Number of pixels of the image.
    pub fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    pub(crate) fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// True for Huffman-coded files of the sequential process, in which every scan holds complete coefficients.
    pub fn is_sequential(&self) -> bool {
        matches!(self.sof, SOF0 | SOF1)
    }

    /// True for the progressive process, in which several scans refine the coefficients.
    pub fn is_progressive(&self) -> bool {
        matches!(self.sof, SOF2 | SOF10)
    }

    /// True for arithmetic coding instead of Huffman coding.
    pub fn is_arithmetic(&self) -> bool {
        matches!(self.sof, 0xc9..=0xcb | 0xcd..=0xcf)
    }

    /// Width and height in pixels of an MCU of all components.
    pub fn mcu(&self) -> (u32, u32) {
        let (across, down) = self.max_sampling();
        (8 * across, 8 * down)
    }

    fn max_sampling(&self) -> (u32, u32) {
        let max = |of: fn(&Component) -> u8| self.components.iter().map(of).max().unwrap_or(1).max(1);
        (max(|component| component.sampling.0).into(), max(|component| component.sampling.1).into())
    }

    /// True if chroma rows are interpolated from the rows above and below at 1/`reduction`. If a component has half the
    /// resolution in both directions, the decoder reduces it less.
    pub(crate) fn interpolates_rows(&self, reduction: u32) -> bool {
        let (max_across, max_down) = self.max_sampling();
        self.components.iter().any(|&Component { sampling: (across, down), .. }| {
            let (across, down) = (u32::from(across), u32::from(down));
            let is_half = 2 * across == max_across && 2 * down == max_down;
            down != max_down && !(is_half && reduction > 1)
        })
    }

    /// The maximum reduction at which libjpeg-turbo-rs returns approximately correct colours for this file: if a
    /// component is subsampled along one axis only, it misplaces the samples of small blocks.
    pub(crate) fn max_reduction(&self) -> u32 {
        let (max_across, max_down) = self.max_sampling();
        let uneven = |component: &Component| {
            let (across, down) = component.sampling;
            let (across, down) = (max_across / u32::from(across.max(1)), max_down / u32::from(down.max(1)));
            if across == down { 1 } else { across.max(down) }
        };
        match self.components.iter().map(uneven).max() {
            None | Some(1) => 8,
            Some(2) => 4,
            Some(_) => 2,
        }
    }

    /// True if decoders can identify the components: they rely on the identifiers and expect the highest resolution in
    /// the first.
    pub(crate) fn has_unambiguous_components(&self) -> bool {
        let finest = self.components.first().copied().unwrap_or_default().sampling;
        let is_finest = self.components.iter().all(|part| part.sampling.0 <= finest.0 && part.sampling.1 <= finest.1);
        let ids_differ = self
            .components
            .iter()
            .enumerate()
            .all(|(at, part)| self.components[..at].iter().all(|other| other.id != part.id));
        is_finest && ids_differ
    }

    /// True if of four components the sampling of the last differs from the first, or that of the second from the
    /// third: libjpeg-turbo-rs treats them as equal.
    pub(crate) fn has_uneven_sampling(&self) -> bool {
        match &self.components[..] {
            [first, second, third, fourth] => first.sampling != fourth.sampling || second.sampling != third.sampling,
            _ => false,
        }
    }
}
