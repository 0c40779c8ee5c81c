//! Crops that are turned by whole quarters, or not at all.

use geometry::{Orientation, Size};
use picture::{Pixels, SourceBox, upright};
use plan::PlannedCrop;

/// How far a frame is turned clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quarter {
    None,
    Right,
    Half,
    Left,
}

impl Quarter {
    /// The quarter of `degrees` clockwise; `None` for anything between.
    pub(super) fn of(degrees: f32) -> Option<Self> {
        match degrees.rem_euclid(360.0) {
            0.0 => Some(Self::None),
            90.0 => Some(Self::Right),
            180.0 => Some(Self::Half),
            270.0 => Some(Self::Left),
            _ => None,
        }
    }

    /// The part of the picture that the frame covers once it is turned, and the size of the output before it is turned back.
    pub(super) fn upright(self, planned: &PlannedCrop) -> (SourceBox, Size) {
        let frame = planned.frame;
        let [x, y, width, height] =
            [f64::from(frame.x), f64::from(frame.y), f64::from(frame.width), f64::from(frame.height)];
        if matches!(self, Self::None | Self::Half) {
            return (SourceBox { x, y, width, height }, planned.output);
        }
        let turned = |start: f64, length: f64, across: f64| {
            let start = start + (length - across) / 2.0;
            // At full scale, pixels are better taken as they are than half a pixel aside.
            if planned.output == frame.size() { start.floor() } else { start }
        };
        let part = SourceBox { x: turned(x, width, height), y: turned(y, height, width), width: height, height: width };
        (part, planned.output.transposed())
    }

    /// The output, with the frame's top up.
    pub(super) fn turn(self, pixels: Pixels) -> Pixels {
        let orientation = match self {
            Self::None => Orientation::Upright,
            Self::Right => Orientation::QuarterCounterClockwise,
            Self::Half => Orientation::TurnedHalf,
            Self::Left => Orientation::QuarterClockwise,
        };
        upright(pixels, orientation)
    }
}
