//! Crop settings: face selection and framing.

use serde::{Deserialize, Serialize};

use geometry::Size;

use crate::spec_error::{Alteration, MAX_SIDE, Quantity, SpecError, Unit, in_percent, in_range};
use crate::{Color, DocumentRules};

/// Vertical position of the head in the crop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Position {
    /// The head's center in the middle of the crop.
    Middle,
    /// The eye line at a given height.
    EyeLine {
        /// Height of the eye line above the bottom edge, as a share of the crop's height, 0 to 1; photo rules measure
        /// it this way.
        from_bottom: f32,
    },
    /// The crown at a given distance from the top edge.
    Headroom {
        /// Distance between top edge and crown (or hair, see [`CropSpec::keep_hair`]), as a share of the crop's
        /// height, 0 to 1.
        share: f32,
    },
}

/// The policy for crops that extend beyond the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EdgePolicy {
    /// The frame is reduced to the image's size if necessary, then moved inside; the aspect ratio is kept, no pixels
    /// are added.
    Shrink,
    /// The frame is kept, and the part outside is filled with [`CropSpec::fill`].
    Pad,
    /// The frame is kept, and the image's edge pixels are repeated outside.
    Extend,
    /// The frame is kept, and the part outside is a mirrored, blurred copy of the image.
    Blur,
}

impl EdgePolicy {
    /// True if the crop may show pixels that the photo does not have.
    pub const fn adds_pixels(self) -> bool {
        !matches!(self, Self::Shrink)
    }
}

/// The selection of faces in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// The one with the largest box.
    Largest,
    /// The best portrait, by score, open eyes, sharpness, yaw, size and distance from the middle.
    Best,
    /// The one nearest to the middle of the image.
    Central,
    /// Every face, numbered from left to right.
    All,
}

/// Face selection and framing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CropSpec {
    /// Output size of every crop in pixels; see [`CropSpec::check`] for the limits.
    pub output: Size,
    /// True if crops keep the photo's own pixels: the size is that of the frame, and [`CropSpec::output`] gives its aspect
    /// ratio only. Frames longer than [`CropSpec::MAX_SIDE`] are reduced to it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub original_size: bool,
    /// Height of the head, chin to crown, as a share of the crop's height, 0.05 to 1.
    pub head_height: f32,
    /// Vertical position of the head.
    pub position: Position,
    /// Horizontal distance of the head from the middle as a share of the crop's width, -0.5 to 0.5; positive to the
    /// right.
    pub shift_right: f32,
    /// True if the top of the hair stays in the frame, if it was measured and is above the crown. For
    /// [`Position::Headroom`] it replaces the crown; otherwise the frame is enlarged if necessary.
    #[serde(alias = "follow_hair")]
    pub keep_hair: bool,
    /// True if the crop is rotated until the eyes are level, for heads tilted by at most [`CropSpec::level_limit`].
    pub level: bool,
    /// Maximum tilt that is levelled, in degrees, 0 to 45.
    pub level_limit: f32,
    /// True if sideways and upside-down heads are rotated upright by quarter turns.
    pub turn_upright: bool,
    /// The policy for crops that extend beyond the image.
    pub edge: EdgePolicy,
    /// Share of the crop, 0 to 1, that may be outside the image without a warning.
    pub max_padding: f32,
    /// Colour of padding and, in formats without transparency, of the background of transparent pixels.
    pub fill: Color,
    /// Which faces are cropped.
    pub select: Select,
    /// Minimum confidence score of a face, 0 to 1.
    pub min_score: f32,
    /// Minimum height of a face box in pixels of the photo.
    pub min_size: u32,
    /// Expected number of faces in a photo.
    pub expected: Expected,
    /// The rules of the document, if any.
    pub rules: Option<DocumentRules>,
}

/// Expected number of faces in a photo; photos with another number get a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Expected {
    /// Minimum; `None` means 1, since nothing can be cropped without a face.
    #[serde(alias = "least")]
    pub min: Option<u32>,
    /// Maximum; `None` for any number.
    #[serde(alias = "most")]
    pub max: Option<u32>,
}

impl CropSpec {
    /// Maximum side of a crop in pixels: a 10,000 x 10,000 RGB crop is 300 MB in memory.
    pub const MAX_SIDE: u32 = MAX_SIDE;
    /// Minimum height of a head as a share of the crop's height.
    pub const MIN_HEAD_HEIGHT: f32 = 0.05;
    /// Maximum of [`CropSpec::level_limit`] in degrees.
    pub const MAX_LEVEL_LIMIT: f32 = 45.0;

    /// Checks every value.
    ///
    /// # Errors
    /// The first value that is out of range.
    pub fn check(&self) -> Result<(), SpecError> {
        PARTS.iter().try_for_each(|part| (part.check)(self))
    }

    /// Replaces every part that [`CropSpec::check`] rejects by its default.
    pub fn repair(&mut self) {
        let default = Self::default();
        for part in PARTS {
            if (part.check)(self).is_err() {
                (part.reset)(self, &default);
            }
        }
    }

    /// True if the person mask is needed: for the top of the hair or to measure the background.
    pub fn needs_mask(&self) -> bool {
        self.keep_hair || self.rules.as_ref().is_some_and(|rules| rules.backdrop.is_some())
    }

    /// Aspect ratio: width over height.
    pub fn aspect(&self) -> f32 {
        self.output.aspect()
    }
}

/// A part of a spec with its check and its reset.
struct Part {
    check: fn(&CropSpec) -> Result<(), SpecError>,
    reset: fn(&mut CropSpec, &CropSpec),
}

/// Every part, rules before the parts they restrict.
const PARTS: &[Part] = &[
    Part {
        check: |spec| {
            let Size { width, height } = spec.output;
            let sides = 1..=CropSpec::MAX_SIDE;
            let fits = sides.contains(&width) && sides.contains(&height);
            if fits { Ok(()) } else { Err(SpecError::Output { width, height }) }
        },
        reset: |spec, default| spec.output = default.output,
    },
    Part {
        check: |spec| in_percent(Quantity::HeadHeight, spec.head_height, CropSpec::MIN_HEAD_HEIGHT, 1.0),
        reset: |spec, default| spec.head_height = default.head_height,
    },
    Part {
        check: |spec| match spec.position {
            Position::Middle => Ok(()),
            Position::EyeLine { from_bottom } => in_percent(Quantity::EyeLine, from_bottom, 0.0, 1.0),
            Position::Headroom { share } => in_percent(Quantity::Headroom, share, 0.0, 1.0),
        },
        reset: |spec, default| spec.position = default.position,
    },
    Part {
        check: |spec| in_percent(Quantity::Shift, spec.shift_right, -0.5, 0.5),
        reset: |spec, default| spec.shift_right = default.shift_right,
    },
    Part {
        check: |spec| in_range(Quantity::LevelLimit, spec.level_limit, 0.0, CropSpec::MAX_LEVEL_LIMIT, Unit::Degrees),
        reset: |spec, default| spec.level_limit = default.level_limit,
    },
    Part {
        check: |spec| in_percent(Quantity::Padding, spec.max_padding, 0.0, 1.0),
        reset: |spec, default| spec.max_padding = default.max_padding,
    },
    Part {
        check: |spec| in_range(Quantity::MinScore, spec.min_score, 0.0, 1.0, Unit::None),
        reset: |spec, default| spec.min_score = default.min_score,
    },
    Part {
        check: |spec| match spec.expected {
            Expected { min: Some(min), max: Some(max) } if min > max => Err(SpecError::Expected { min, max }),
            _ => Ok(()),
        },
        reset: |spec, default| spec.expected = default.expected,
    },
    Part { check: |spec| spec.rules.as_ref().map_or(Ok(()), DocumentRules::check), reset: |spec, _| spec.rules = None },
    Part {
        check: |spec| {
            let unaltered = spec.rules.as_ref().is_some_and(|rules| rules.unaltered);
            if unaltered && spec.edge.adds_pixels() {
                return Err(SpecError::Altered { what: Alteration::Fill });
            }
            Ok(())
        },
        reset: |spec, _| spec.edge = EdgePolicy::Shrink,
    },
];
