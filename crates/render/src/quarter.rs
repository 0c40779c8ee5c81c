//! Crops turned by whole quarters, or not at all.

use geometry::{Orientation, Size};
use picture::{Pixels, SourceBox, upright};
use plan::PlannedCrop;

/// Clockwise rotation of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quarter {
    None,
    Right,
    Half,
    Left,
}

impl Quarter {
    /// The quarter turn of `degrees` clockwise; `None` for other angles.
    pub(super) fn of(degrees: f32) -> Option<Self> {
        match degrees.rem_euclid(360.0) {
            0.0 => Some(Self::None),
            90.0 => Some(Self::Right),
            180.0 => Some(Self::Half),
            270.0 => Some(Self::Left),
            _ => None,
        }
    }

    /// The part of the image that the rotated frame covers, and the output size before it is turned back.
    pub(super) fn upright(self, planned: &PlannedCrop) -> (SourceBox, Size) {
        let frame = planned.frame;
        let [x, y, width, height] =
            [f64::from(frame.x), f64::from(frame.y), f64::from(frame.width), f64::from(frame.height)];
        if matches!(self, Self::None | Self::Half) {
            return (SourceBox { x, y, width, height }, planned.output);
        }
        let rotated = |start: f64, length: f64, across: f64| {
            let start = start + (length - across) / 2.0;
            // At full scale, copying whole pixels is better than a shift by half a pixel.
            if planned.output == frame.size() { start.floor() } else { start }
        };
        let part =
            SourceBox { x: rotated(x, width, height), y: rotated(y, height, width), width: height, height: width };
        (part, planned.output.transposed())
    }

    /// Turns the output so that the frame's top is up.
    pub(super) fn turn(self, pixels: Pixels) -> Pixels {
        let orientation = match self {
            Self::None => Orientation::Upright,
            Self::Right => Orientation::QuarterCounterClockwise,
            Self::Half => Orientation::HalfTurn,
            Self::Left => Orientation::QuarterClockwise,
        };
        upright(pixels, orientation)
    }
}
