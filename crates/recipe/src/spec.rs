//! What a person asks of every crop.

use serde::{Deserialize, Serialize};

use geometry::Size;

use crate::spec_error::{Alteration, MAX_SIDE, Quantity, SpecError, Unit, in_percent, in_range};
use crate::{Color, DocumentRules};

/// Where the head stands from top to bottom in the crop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Position {
    /// The middle of the head at the middle of the crop.
    Middle,
    /// The eye line at a height of the crop.
    EyeLine {
        /// Share of the crop's height, 0 to 1, from its bottom edge up to the eye line, as photo rules count it.
        from_bottom: f32,
    },
    /// The crown below the top edge.
    Headroom {
        /// Share of the crop's height, 0 to 1, between its top edge and the crown (or the hair, see
        /// [`CropSpec::follow_hair`]).
        share: f32,
    },
}

/// What happens where the crop would reach beyond the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EdgePolicy {
    /// The frame is made smaller where the picture is smaller, then moved until it lies inside; the aspect is kept, nothing
    /// is invented.
    Shrink,
    /// The frame stays and what lies outside is filled with [`CropSpec::fill`].
    Pad,
    /// The frame stays and the pixels of the picture's edge are drawn out.
    Extend,
    /// The frame stays and what lies outside is a mirrored, blurred copy of what lies inside.
    Blur,
}

impl EdgePolicy {
    /// True where what is written shows pixels that the photo does not have.
    pub const fn invents(self) -> bool {
        !matches!(self, Self::Shrink)
    }
}

/// Which of a picture's faces are cropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// The one with the largest box.
    Largest,
    /// The one that is the best portrait: by score, sharpness, how frontal and how central it is.
    Best,
    /// The one nearest to the middle of the picture.
    Central,
    /// Every face, numbered from left to right.
    All,
}

/// How faces are chosen and framed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CropSpec {
    /// Pixels of every written crop; see [`CropSpec::check`] for the limits.
    pub output: Size,
    /// Height of the head, chin to crown, as a share of the crop's height, 0.05 to 1.
    pub head_height: f32,
    /// Where the head stands from top to bottom.
    pub position: Position,
    /// Share of the crop's width, -0.5 to 0.5, that the head stands away from the middle; positive to the right.
    pub shift_right: f32,
    /// True where the top of the hair counts as the crown for [`Position::Headroom`], where it is seen and is higher.
    pub follow_hair: bool,
    /// True where the picture is turned until the eyes are level, as long as the head is tilted by at most
    /// [`CropSpec::level_limit`].
    pub level: bool,
    /// Degrees, 0 to 45: heads that are tilted more are left as they are.
    pub level_limit: f32,
    /// True where a head that lies on its side or upside down is turned upright by quarter turns.
    pub turn_upright: bool,
    /// What to do past the picture's edge.
    pub edge: EdgePolicy,
    /// Share of the crop, 0 to 1, that may lie outside the picture before the photo needs a look.
    pub max_padding: f32,
    /// What fills padding and, in formats without transparency, what lies under transparent pixels.
    pub fill: Color,
    /// Which faces are cropped.
    pub select: Select,
    /// Faces below this score, 0 to 1, are not faces.
    pub min_score: f32,
    /// Faces whose box is less high than this many pixels of the photo are passed over.
    pub min_size: u32,
    /// How many faces a photo should have.
    pub expected: Expected,
    /// The rules of the document the crop is for; `None` where there are none.
    pub rules: Option<DocumentRules>,
}

/// How many faces a photo should have; others need a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Expected {
    /// The fewest; `None` for one, without which there is nothing to crop.
    #[serde(alias = "least")]
    pub min: Option<u32>,
    /// The most; `None` for any number.
    #[serde(alias = "most")]
    pub max: Option<u32>,
}

impl CropSpec {
    /// The longest side a crop may be written with, in pixels: a 10,000 x 10,000 RGB crop is 300 MB in memory.
    pub const MAX_SIDE: u32 = MAX_SIDE;
    /// The least share of the crop's height that a head may take.
    pub const MIN_HEAD_HEIGHT: f32 = 0.05;
    /// The most degrees a head may be levelled by.
    pub const MAX_LEVEL_LIMIT: f32 = 45.0;

    /// Checks every number.
    ///
    /// # Errors
    /// The first number that is outside its range.
    pub fn check(&self) -> Result<(), SpecError> {
        PARTS.iter().try_for_each(|part| (part.check)(self))
    }

    /// Puts the default in place of every part that [`CropSpec::check`] would refuse.
    pub fn repair(&mut self) {
        let usual = Self::default();
        for part in PARTS {
            if (part.check)(self).is_err() {
                (part.reset)(self, &usual);
            }
        }
    }

    /// The crop's width over its height.
    pub fn aspect(&self) -> f32 {
        self.output.aspect()
    }
}

/// A part of a spec: how it is checked, and how it is set back.
struct Part {
    check: fn(&CropSpec) -> Result<(), SpecError>,
    reset: fn(&mut CropSpec, &CropSpec),
}

/// Every part, rules before what they forbid.
const PARTS: &[Part] = &[
    Part {
        check: |spec| {
            let Size { width, height } = spec.output;
            let sides = 1..=CropSpec::MAX_SIDE;
            let fits = sides.contains(&width) && sides.contains(&height);
            if fits { Ok(()) } else { Err(SpecError::Output { width, height }) }
        },
        reset: |spec, usual| spec.output = usual.output,
    },
    Part {
        check: |spec| in_percent(Quantity::HeadHeight, spec.head_height, CropSpec::MIN_HEAD_HEIGHT, 1.0),
        reset: |spec, usual| spec.head_height = usual.head_height,
    },
    Part {
        check: |spec| match spec.position {
            Position::Middle => Ok(()),
            Position::EyeLine { from_bottom } => in_percent(Quantity::EyeLine, from_bottom, 0.0, 1.0),
            Position::Headroom { share } => in_percent(Quantity::Headroom, share, 0.0, 1.0),
        },
        reset: |spec, usual| spec.position = usual.position,
    },
    Part {
        check: |spec| in_percent(Quantity::Shift, spec.shift_right, -0.5, 0.5),
        reset: |spec, usual| spec.shift_right = usual.shift_right,
    },
    Part {
        check: |spec| in_range(Quantity::LevelLimit, spec.level_limit, 0.0, CropSpec::MAX_LEVEL_LIMIT, Unit::Degrees),
        reset: |spec, usual| spec.level_limit = usual.level_limit,
    },
    Part {
        check: |spec| in_percent(Quantity::Padding, spec.max_padding, 0.0, 1.0),
        reset: |spec, usual| spec.max_padding = usual.max_padding,
    },
    Part {
        check: |spec| in_range(Quantity::MinScore, spec.min_score, 0.0, 1.0, Unit::None),
        reset: |spec, usual| spec.min_score = usual.min_score,
    },
    Part {
        check: |spec| match spec.expected {
            Expected { min: Some(min), max: Some(max) } if min > max => Err(SpecError::Expected { min, max }),
            _ => Ok(()),
        },
        reset: |spec, usual| spec.expected = usual.expected,
    },
    Part { check: |spec| spec.rules.as_ref().map_or(Ok(()), DocumentRules::check), reset: |spec, _| spec.rules = None },
    Part {
        check: |spec| {
            let unaltered = spec.rules.as_ref().is_some_and(|rules| rules.unaltered);
            if unaltered && spec.edge.invents() {
                return Err(SpecError::Altered { what: Alteration::Fill });
            }
            Ok(())
        },
        reset: |spec, _| spec.edge = EdgePolicy::Shrink,
    },
];
