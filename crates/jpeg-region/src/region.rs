//! Which part of a picture is read, and at which size.

/// A rectangle of pixels of the picture as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Pixels between the picture's left side and that of the rectangle.
    pub left: u32,
    /// Pixels between the picture's top and that of the rectangle.
    pub top: u32,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// The size at which a picture is decoded: its own, or reduced to half, a quarter or an eighth along each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scale {
    /// Its own size.
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
    /// All of them, from the largest picture to the smallest.
    pub const ALL: [Self; 4] = [Self::Full, Self::Half, Self::Quarter, Self::Eighth];

    /// Pixels of the picture along each side of one pixel that comes out: 1, 2, 4 or 8.
    pub const fn reduction(self) -> u32 {
        match self {
            Self::Full => 1,
            Self::Half => 2,
            Self::Quarter => 4,
            Self::Eighth => 8,
        }
    }

    /// The scale of that reduction.
    pub fn from_reduction(reduction: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|scale| scale.reduction() == reduction)
    }
}

/// A part of the picture in whole MCUs: pixels from `left`, `top` to `right`, `bottom`, at a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct McuRegion {
    /// A multiple of the MCU's width.
    pub(crate) left: u32,
    /// A multiple of the MCU's height.
    pub(crate) top: u32,
    /// A multiple of the MCU's width, or the picture's.
    pub(crate) right: u32,
    /// A multiple of the MCU's height, or the picture's.
    pub(crate) bottom: u32,
    pub(crate) scale: Scale,
}

impl McuRegion {
    /// What is decoded for `region` of a picture of `size`: whole MCUs of `mcu` pixels, and one more on every side, because chroma at
    /// the edge of what is decoded is interpolated from less than it is in the whole picture.
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

    /// All of a picture of `size`.
    pub(crate) fn whole(size: (u32, u32), scale: Scale) -> Self {
        Self { left: 0, top: 0, right: size.0, bottom: size.1, scale }
    }

    /// The same or more, so that its sides lie at multiples of `across` pixels, or at the right side of a picture of `width`.
    pub(crate) fn with_columns(self, across: u32, width: u32) -> Self {
        let right = self.right.div_ceil(across).saturating_mul(across).min(width);
        Self { left: self.left / across * across, right, ..self }
    }

    /// Width and height in pixels that come out.
    pub(crate) fn output_size(&self) -> (u32, u32) {
        let along = |from: u32, to: u32| (to - from).div_ceil(self.scale.reduction());
        (along(self.left, self.right), along(self.top, self.bottom))
    }
}
