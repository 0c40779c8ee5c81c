//! EXIF orientation: the transform from stored to upright pixels.

use super::{PixelRect, Size};

/// The eight orientations of a stored image, numbered as in the EXIF tag 0x0112.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Orientation {
    /// 1: stored upright.
    #[default]
    Upright,
    /// 2: mirrored left to right.
    MirroredHorizontally,
    /// 3: rotated by 180 degrees.
    HalfTurn,
    /// 4: mirrored top to bottom.
    MirroredVertically,
    /// 5: mirrored along the main diagonal.
    Transposed,
    /// 6: to be rotated 90 degrees clockwise.
    QuarterClockwise,
    /// 7: mirrored along the other diagonal.
    Transversed,
    /// 8: to be rotated 90 degrees counter-clockwise.
    QuarterCounterClockwise,
}

impl Orientation {
    /// The orientation of an EXIF value; values outside 1 to 8 mean upright.
    pub fn from_exif(value: u16) -> Self {
        match value {
            2 => Self::MirroredHorizontally,
            3 => Self::HalfTurn,
            4 => Self::MirroredVertically,
            5 => Self::Transposed,
            6 => Self::QuarterClockwise,
            7 => Self::Transversed,
            8 => Self::QuarterCounterClockwise,
            _ => Self::Upright,
        }
    }

    /// True if width and height are swapped.
    pub fn swaps_sides(self) -> bool {
        matches!(self, Self::Transposed | Self::QuarterClockwise | Self::Transversed | Self::QuarterCounterClockwise)
    }

    /// The upright size of an image with `stored` stored pixels.
    pub fn upright_size(self, stored: Size) -> Size {
        if self.swaps_sides() { stored.transposed() } else { stored }
    }

    /// The orientation that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::QuarterClockwise => Self::QuarterCounterClockwise,
            Self::QuarterCounterClockwise => Self::QuarterClockwise,
            other => other,
        }
    }

    /// Maps `part` of the `stored` pixels to the upright image.
    pub fn upright_part(self, part: PixelRect, stored: Size) -> PixelRect {
        let from_right = stored.width as i32 - part.x - part.width as i32;
        let from_bottom = stored.height as i32 - part.y - part.height as i32;
        let (x, y) = match self {
            Self::Upright => (part.x, part.y),
            Self::MirroredHorizontally => (from_right, part.y),
            Self::HalfTurn => (from_right, from_bottom),
            Self::MirroredVertically => (part.x, from_bottom),
            Self::Transposed => (part.y, part.x),
            Self::QuarterClockwise => (from_bottom, part.x),
            Self::Transversed => (from_bottom, from_right),
            Self::QuarterCounterClockwise => (part.y, from_right),
        };
        let size = self.upright_size(part.size());
        PixelRect::new(x, y, size.width, size.height)
    }

    /// Maps `part` of the upright image to the `stored` pixels.
    pub fn stored_part(self, part: PixelRect, stored: Size) -> PixelRect {
        self.inverse().upright_part(part, self.upright_size(stored))
    }
}

#[cfg(test)]
mod tests {
    use super::{Orientation, PixelRect, Size};

    #[test]
    fn values_outside_one_to_eight_mean_upright() {
        for value in [0, 1, 9, 255, 65_535] {
            assert_eq!(Orientation::from_exif(value), Orientation::Upright);
        }
    }

    #[test]
    fn five_to_eight_swap_the_sides() {
        for value in 1..=8 {
            let upright = Orientation::from_exif(value).upright_size(Size::new(30, 20));
            assert_eq!(upright, if value >= 5 { Size::new(20, 30) } else { Size::new(30, 20) }, "{value}");
        }
    }

    #[test]
    fn parts_map_to_the_upright_image_and_back() {
        let stored = Size::new(100, 60);
        let part = PixelRect::new(10, 5, 30, 20);
        let upright = |value| Orientation::from_exif(value).upright_part(part, stored);
        assert_eq!(upright(2), PixelRect::new(60, 5, 30, 20));
        assert_eq!(upright(6), PixelRect::new(35, 10, 20, 30));
        assert_eq!(upright(8), PixelRect::new(5, 60, 20, 30));
        for value in 1..=8 {
            assert_eq!(Orientation::from_exif(value).stored_part(upright(value), stored), part, "{value}");
        }
    }
}
