//! EXIF orientation: how stored pixels are turned to stand upright.

use super::Size;

/// The eight ways a camera may store a picture, numbered as in the EXIF tag 0x0112.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Orientation {
    /// 1: stored upright.
    #[default]
    Upright,
    /// 2: mirrored left to right.
    MirroredHorizontally,
    /// 3: turned by half a turn.
    TurnedHalf,
    /// 4: mirrored top to bottom.
    MirroredVertically,
    /// 5: mirrored along the main diagonal.
    Transposed,
    /// 6: to be turned a quarter clockwise.
    QuarterClockwise,
    /// 7: mirrored along the other diagonal.
    Transversed,
    /// 8: to be turned a quarter counter-clockwise.
    QuarterCounterClockwise,
}

impl Orientation {
    /// The meaning of an EXIF value; anything outside 1 to 8 means upright.
    pub fn from_exif(value: u16) -> Self {
        match value {
            2 => Self::MirroredHorizontally,
            3 => Self::TurnedHalf,
            4 => Self::MirroredVertically,
            5 => Self::Transposed,
            6 => Self::QuarterClockwise,
            7 => Self::Transversed,
            8 => Self::QuarterCounterClockwise,
            _ => Self::Upright,
        }
    }

    /// True where standing upright exchanges width and height.
    pub fn swaps_sides(self) -> bool {
        matches!(self, Self::Transposed | Self::QuarterClockwise | Self::Transversed | Self::QuarterCounterClockwise)
    }

    /// The upright size of a picture stored with `stored` pixels.
    pub fn upright_size(self, stored: Size) -> Size {
        if self.swaps_sides() { stored.transposed() } else { stored }
    }
}

#[cfg(test)]
mod tests {
    use super::{Orientation, Size};

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
}
