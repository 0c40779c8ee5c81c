//! Decoded samples.

use crate::damage::Damage;
use crate::region::{McuRegion, Scale};

/// The sample format of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleFormat {
    /// One sample: grey.
    Grey,
    /// Three samples: red, green and blue.
    Rgb,
    /// Four samples: cyan, magenta, yellow and black as stored. Files with Adobe's marker store them inverted: 255 is
    /// no ink.
    Cmyk,
}

impl SampleFormat {
    /// Samples per pixel, one byte each.
    pub const fn samples(self) -> usize {
        match self {
            Self::Grey => 1,
            Self::Rgb => 3,
            Self::Cmyk => 4,
        }
    }
}

/// A decoded region of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// Left edge of the region, in pixels of the full-size image.
    pub left: u32,
    /// Top edge of the region, in pixels of the full-size image.
    pub top: u32,
    /// Width in decoded pixels.
    pub width: u32,
    /// Height in decoded pixels.
    pub height: u32,
    /// The scale of the decoded pixels: as requested, or larger.
    pub scale: Scale,
    /// The sample format.
    pub format: SampleFormat,
    /// 8-bit samples, rows from top to bottom without padding.
    pub samples: Vec<u8>,
    /// Damage of the whole image.
    pub damage: Option<Damage>,
}

impl Decoded {
    pub(crate) fn new(region: &McuRegion, format: SampleFormat, samples: Vec<u8>, damage: Option<Damage>) -> Self {
        let (width, height) = region.output_size();
        Self { left: region.left, top: region.top, width, height, scale: region.scale, format, samples, damage }
    }
}
