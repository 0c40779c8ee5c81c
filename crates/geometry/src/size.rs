//! Width and height in whole pixels.

use serde::{Deserialize, Serialize};

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Size {
    /// Creates a size of `width` by `height` pixels.
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// The number of pixels; cannot overflow.
    pub const fn pixels(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// The longer side in pixels.
    pub fn long_side(self) -> u32 {
        self.width.max(self.height)
    }

    /// The shorter side in pixels.
    pub fn short_side(self) -> u32 {
        self.width.min(self.height)
    }

    /// Aspect ratio, width over height; 1 for an empty size, so that it is never 0.
    pub fn aspect(self) -> f32 {
        if self.width == 0 || self.height == 0 { 1.0 } else { self.width as f32 / self.height as f32 }
    }

    /// The largest size of the same aspect ratio with a long side of at most `side`; at least 1x1, never enlarged.
    #[must_use]
    pub fn fit_within(self, side: u32) -> Self {
        let long = self.long_side();
        if long <= side {
            return self;
        }
        let scale = f64::from(side) / f64::from(long);
        let shrink = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
        Self::new(shrink(self.width), shrink(self.height))
    }

    /// Width and height doubled.
    #[must_use]
    pub const fn doubled(self) -> Self {
        Self::new(self.width.saturating_mul(2), self.height.saturating_mul(2))
    }

    /// Width and height swapped.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self::new(self.height, self.width)
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} x {}", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::Size;

    #[test]
    fn fitting_keeps_the_aspect_ratio_and_never_reaches_zero() {
        assert_eq!(Size::new(6000, 4000).fit_within(640), Size::new(640, 427));
        assert_eq!(Size::new(1, 15_000).fit_within(100), Size::new(1, 100));
        assert_eq!(Size::new(50, 20).fit_within(100), Size::new(50, 20));
    }

    #[test]
    fn the_pixel_count_of_the_largest_size_does_not_overflow() {
        assert_eq!(Size::new(u32::MAX, u32::MAX).pixels(), u64::from(u32::MAX) * u64::from(u32::MAX));
    }
}
