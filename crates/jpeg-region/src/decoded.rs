//! Decoded samples.

use crate::damage::Damage;
use crate::region::{McuRegion, Scale};

/// What the samples of a pixel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleFormat {
    /// One: grey.
    Grey,
    /// Three: red, green and blue.
    Rgb,
    /// Four: cyan, magenta, yellow and black as they are stored. Files with Adobe's marker store them inverted: 255 for no ink.
    Cmyk,
}

impl SampleFormat {
    /// Samples a pixel, a byte each.
    pub const fn samples(self) -> usize {
        match self {
            Self::Grey => 1,
            Self::Rgb => 3,
            Self::Cmyk => 4,
        }
    }
}

/// A decoded part of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// Pixels of the picture between its left side and the part.
    pub left: u32,
    /// Pixels of the picture between its top and the part.
    pub top: u32,
    /// Decoded pixels across.
    pub width: u32,
    /// Decoded pixels down.
    pub height: u32,
    /// The scale of the decoded pixels: what was asked for, or larger.
    pub scale: Scale,
    /// What the samples of a pixel are.
    pub format: SampleFormat,
    /// 8-bit samples, rows from top to bottom without gaps.
    pub samples: Vec<u8>,
    /// What is missing, in all of the picture.
    pub damage: Option<Damage>,
}

impl Decoded {
    pub(crate) fn new(region: &McuRegion, format: SampleFormat, samples: Vec<u8>, damage: Option<Damage>) -> Self {
        let (width, height) = region.output_size();
        Self { left: region.left, top: region.top, width, height, scale: region.scale, format, samples, damage }
    }
}
