//! Numbers that cannot be worked with.

use std::fmt;

/// The longest side of a crop in pixels.
pub(crate) const MAX_SIDE: u32 = 10_000;

/// A number in a [`CropSpec`](crate::CropSpec) or a [`FinishSpec`](crate::FinishSpec) that cannot be worked with.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// A side of the output is zero or too long.
    #[error("the output of {width} x {height} pixels has a side outside 1 to {}", MAX_SIDE)]
    Output {
        /// Asked width in pixels.
        width: u32,
        /// Asked height in pixels.
        height: u32,
    },
    /// A number is outside its range.
    #[error("{what} of {value}{unit} is outside {min} to {max}{unit}")]
    OutOfRange {
        /// What it is.
        what: Quantity,
        /// What was asked for.
        value: f32,
        /// The least that can be worked with.
        min: f32,
        /// The most that can be worked with.
        max: f32,
        /// The unit of the numbers.
        unit: Unit,
    },
    /// More faces are asked for at least than at most.
    #[error("at least {min} faces and at most {max} cannot both be")]
    Expected {
        /// The fewest.
        min: u32,
        /// The most.
        max: u32,
    },
    /// A rule of the document is no number, or asks for more at least than at most.
    #[error("{what} that the rules for this document ask for can never be met")]
    Rule {
        /// The rule.
        what: Quantity,
    },
    /// The rules of the document forbid what was asked for.
    #[error("the rules for this document refuse photos that were altered: {what} cannot be used with it")]
    Altered {
        /// What was asked for.
        what: Alteration,
    },
}

/// What a number of a spec stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The head's share of the crop's height.
    HeadHeight,
    /// The eye line's height above the bottom edge.
    EyeLine,
    /// The room above the crown.
    Headroom,
    /// How far the head stands off the middle.
    Shift,
    /// The most by which a head is levelled.
    LevelLimit,
    /// The share of the crop that may lie outside the photo.
    Padding,
    /// The least score of a face.
    MinScore,
    /// The radius of rounded corners.
    CornerRadius,
    /// The width of the soft edge.
    SoftEdge,
    /// The exposure added.
    Exposure,
    /// The contrast added.
    Contrast,
    /// The sharpening.
    Sharpening,
    /// The margin of a sheet.
    Margin,
    /// The gap between copies on a sheet.
    Gap,
    /// A document's band for the head.
    HeadRange,
    /// A document's band for the eye line.
    EyeLineRange,
    /// A document's band for the headroom.
    HeadroomRange,
    /// A document's bounds for the file.
    FileSize,
    /// A document's size in pixels.
    PixelSize,
    /// A document's printed size.
    PrintedSize,
}

/// The unit of a number in a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A plain number.
    None,
    /// Percent.
    Percent,
    /// Millimetres.
    Mm,
    /// Degrees of an angle.
    Degrees,
    /// Stops of exposure.
    Stops,
}

/// What rules of a document forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alteration {
    /// Filling past the photo's edge.
    Fill,
    /// An adjustment of light or colour.
    Adjustment,
    /// A shape or soft edge.
    Shape,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HeadHeight => "a head height",
            Self::EyeLine => "an eye line",
            Self::Headroom => "a headroom",
            Self::Shift => "a shift",
            Self::LevelLimit => "a levelling limit",
            Self::Padding => "a padding",
            Self::MinScore => "a least score",
            Self::CornerRadius => "a corner radius",
            Self::SoftEdge => "a soft edge",
            Self::Exposure => "an exposure",
            Self::Contrast => "a contrast",
            Self::Sharpening => "a sharpening",
            Self::Margin => "a margin",
            Self::Gap => "a gap between copies",
            Self::HeadRange => "the head band",
            Self::EyeLineRange => "the eye-line band",
            Self::HeadroomRange => "the headroom band",
            Self::FileSize => "the file size",
            Self::PixelSize => "the size in pixels",
            Self::PrintedSize => "the size in millimetres",
        })
    }
}

/// With a space before it; empty for plain numbers.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "",
            Self::Percent => " %",
            Self::Mm => " mm",
            Self::Degrees => " degrees",
            Self::Stops => " stops",
        })
    }
}

impl fmt::Display for Alteration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fill => "filling past the photo's edge",
            Self::Adjustment => "an adjustment of light or colour",
            Self::Shape => "a shape or soft edge",
        })
    }
}

pub(crate) fn in_range(what: Quantity, value: f32, min: f32, max: f32, unit: Unit) -> Result<(), SpecError> {
    let fits = (min..=max).contains(&value);
    if fits { Ok(()) } else { Err(SpecError::OutOfRange { what, value, min, max, unit }) }
}

pub(crate) fn in_percent(what: Quantity, share: f32, min: f32, max: f32) -> Result<(), SpecError> {
    in_range(what, share, min, max, Unit::Percent).map_err(|_| SpecError::OutOfRange {
        what,
        value: share * 100.0,
        min: min * 100.0,
        max: max * 100.0,
        unit: Unit::Percent,
    })
}
