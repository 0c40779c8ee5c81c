//! The frame of a crop as a person has set it.

mod moves;

use serde::{Deserialize, Serialize};

use super::{PixelRect, Point};

pub use moves::Grip;

/// A frame in pixels of the upright picture, turned about its middle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManualFrame {
    /// Its middle; may lie outside the picture.
    pub center: Point,
    /// Pixels along its own horizontal.
    pub width: f32,
    /// Pixels along its own vertical.
    pub height: f32,
    /// Degrees, -180 to 180, that it is turned clockwise: what is in it is shown with its top up.
    pub angle: f32,
}

impl ManualFrame {
    /// The least pixels of a side: fewer show nothing.
    pub const MIN_SIDE: f32 = 1.0;

    /// The most pixels of a side, and the farthest its middle may lie from the picture's corner: sums stay inside `i32`.
    pub const MAX: f32 = 1e6;

    /// True where every number is finite and sides and place are within what can be rendered.
    pub fn is_usable(&self) -> bool {
        let side = |side: f32| (Self::MIN_SIDE..=Self::MAX).contains(&side);
        let place = |at: f32| at.abs() <= Self::MAX;
        side(self.width) && side(self.height) && place(self.center.x) && place(self.center.y) && self.angle.is_finite()
    }

    /// The frame in whole pixels, before it is turned.
    pub fn to_pixels(&self) -> PixelRect {
        let (width, height) = (self.width.round().max(1.0), self.height.round().max(1.0));
        let (left, top) = ((self.center.x - width / 2.0).round(), (self.center.y - height / 2.0).round());
        PixelRect::new(left as i32, top as i32, width as u32, height as u32)
    }

    /// The frame of a crop that was planned, to be changed from there.
    pub fn of(frame: PixelRect, angle: f32) -> Self {
        let rect = frame.to_rect();
        Self { center: rect.center(), width: rect.width, height: rect.height, angle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planned_frame_comes_back_unchanged() {
        for frame in [PixelRect::new(10, 20, 31, 40), PixelRect::new(-5, 3, 8, 9)] {
            assert_eq!(ManualFrame::of(frame, 12.0).to_pixels(), frame);
        }
    }

    #[test]
    fn what_cannot_be_rendered_is_not_usable() {
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
