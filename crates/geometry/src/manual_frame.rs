//! A crop frame set by the user.

mod moves;

use serde::{Deserialize, Serialize};

use super::{PixelRect, Point};

pub use moves::Grip;

/// A crop frame in pixels of the upright image, rotated about its center.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManualFrame {
    /// May be outside the image.
    pub center: Point,
    /// Pixels along its own horizontal axis.
    pub width: f32,
    /// Pixels along its own vertical axis.
    pub height: f32,
    /// Clockwise rotation in degrees, -180 to 180; the crop shows the content of the frame upright.
    pub angle: f32,
}

impl ManualFrame {
    /// Minimum side in pixels.
    pub const MIN_SIDE: f32 = 1.0;

    /// Maximum side, and maximum distance of the center from the image's origin, in pixels: sums stay inside `i32`.
    pub const MAX: f32 = 1e6;

    /// True if every number is finite and sides and place are within the limits of rendering.
    pub fn is_usable(&self) -> bool {
        let side = |side: f32| (Self::MIN_SIDE..=Self::MAX).contains(&side);
        let place = |at: f32| at.abs() <= Self::MAX;
        side(self.width) && side(self.height) && place(self.center.x) && place(self.center.y) && self.angle.is_finite()
    }

    /// The frame in whole pixels, before rotation.
    pub fn to_pixels(&self) -> PixelRect {
        let (width, height) = (self.width.round().max(1.0), self.height.round().max(1.0));
        let (left, top) = ((self.center.x - width / 2.0).round(), (self.center.y - height / 2.0).round());
        PixelRect::new(left as i32, top as i32, width as u32, height as u32)
    }

    /// A manual frame that starts from a planned one.
    pub fn of(frame: PixelRect, angle: f32) -> Self {
        let rect = frame.to_rect();
        Self { center: rect.center(), width: rect.width, height: rect.height, angle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planned_frame_converts_back_unchanged() {
        for frame in [PixelRect::new(10, 20, 31, 40), PixelRect::new(-5, 3, 8, 9)] {
            assert_eq!(ManualFrame::of(frame, 12.0).to_pixels(), frame);
        }
    }

    #[test]
    fn a_frame_that_cannot_be_rendered_is_not_usable() {
        let frame = ManualFrame::of(PixelRect::new(0, 0, 10, 10), 0.0);
        assert!(frame.is_usable());
        for broken in [
            ManualFrame { width: 0.0, ..frame },
            ManualFrame { height: f32::INFINITY, ..frame },
            ManualFrame { angle: f32::NAN, ..frame },
            ManualFrame { center: Point::new(1e9, 0.0), ..frame },
        ] {
            assert!(!broken.is_usable(), "{broken:?}");
        }
    }
}
