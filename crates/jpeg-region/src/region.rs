//! Regions and scales.

/// A rectangle in pixels of the image as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Left edge.
    pub left: u32,
    /// Top edge.
    pub top: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The scale of a decode: full size, or reduced to a half, a quarter or an eighth along each axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scale {
    /// Full size.
    #[default]
    Full,
    /// 1/2.
    Half,
    /// 1/4.
    Quarter,
    /// 1/8.
    Eighth,
}

impl Scale {
    /// All scales, in descending order of size.
    pub const ALL: [Self; 4] = [Self::Full, Self::Half, Self::Quarter, Self::Eighth];

    /// Image pixels per decoded pixel along each axis: 1, 2, 4 or 8.
    pub const fn reduction(self) -> u32 {
        match self {
            Self::Full => 1,
            Self::Half => 2,
            Self::Quarter => 4,
            Self::Eighth => 8,
        }
    }

    /// The scale of a reduction; `None` if it is not 1, 2, 4 or 8.
    pub fn from_reduction(reduction: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|scale| scale.reduction() == reduction)
    }
}

/// A region of whole MCUs at a scale: pixels from `left`, `top` to `right`, `bottom`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct McuRegion {
    /// A multiple of the MCU width.
    pub(crate) left: u32,
    /// A multiple of the MCU height.
    pub(crate) top: u32,
    /// A multiple of the MCU width, or the image width.
    pub(crate) right: u32,
    /// A multiple of the MCU height, or the image height.
    pub(crate) bottom: u32,
    pub(crate) scale: Scale,
}

impl McuRegion {
    /// The region to decode for `region` of an image of `size`: whole MCUs of `mcu` pixels plus a margin of one MCU on
    /// every side, because the chroma interpolation at the edge of a decoded region lacks neighbours.
    pub(crate) fn around(region: Region, scale: Scale, size: (u32, u32), mcu: (u32, u32)) -> Self {
        let along = |start: u32, length: u32, mcu: u32, end: u32| {
            let start = start.min(end);
            let from = (start / mcu).saturating_sub(1) * mcu;
            let to = (start.saturating_add(length).div_ceil(mcu) + 1).saturating_mul(mcu).min(end);
            (from, to)
        };
        let (left, right) = along(region.left, region.width, mcu.0, size.0);
        let (top, bottom) = along(region.top, region.height, mcu.1, size.1);
        Self { left, top, right, bottom, scale }
    }

    /// The whole image of `size`.
    pub(crate) fn whole(size: (u32, u32), scale: Scale) -> Self {
        Self { left: 0, top: 0, right: size.0, bottom: size.1, scale }
    }

    /// Extends the region to multiples of `across` pixels, or to the right edge of an image of `width`.
    pub(crate) fn with_columns(self, across: u32, width: u32) -> Self {
        let right = self.right.div_ceil(across).saturating_mul(across).min(width);
        Self { left: self.left / across * across, right, ..self }
    }

    /// Width and height in decoded pixels.
    pub(crate) fn output_size(&self) -> (u32, u32) {
        let along = |from: u32, to: u32| (to - from).div_ceil(self.scale.reduction());
        (along(self.left, self.right), along(self.top, self.bottom))
    }
}
