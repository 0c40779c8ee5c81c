//! Errors of invalid settings.

use std::fmt;

/// Maximum side of a crop in pixels.
pub(crate) const MAX_SIDE: u32 = 10_000;

/// An invalid value in a [`CropSpec`](crate::CropSpec) or a [`FinishSpec`](crate::FinishSpec).
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// A side of the output is out of range.
    #[error("the output size {width} x {height} has a side outside 1 to {} pixels", MAX_SIDE)]
    Output {
        /// The requested width in pixels.
        width: u32,
        /// The requested height in pixels.
        height: u32,
    },
    #[error("{what} of {value}{unit} is outside {min} to {max}{unit}")]
    OutOfRange {
        what: Quantity,
        /// The requested value.
        value: f32,
        /// The allowed minimum.
        min: f32,
        /// The allowed maximum.
        max: f32,
        /// The unit of the values.
        unit: Unit,
    },
    /// The expected minimum of faces exceeds the maximum.
    #[error("the minimum number of faces ({min}) exceeds the maximum ({max})")]
    Expected { min: u32, max: u32 },
    /// A rule is not finite, or its minimum exceeds its maximum.
    #[error("{what} in the rules of the preset can never be met")]
    Rule { what: Quantity },
    /// The document rules forbid a setting.
    #[error("the rules for this document do not allow altered photos: {what} cannot be used")]
    Altered {
        /// The forbidden setting.
        what: Alteration,
    },
}

/// The quantity that a value of a spec stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The head's share of the crop's height.
    HeadHeight,
    /// The eye line's height above the bottom edge.
    EyeLine,
    /// The space above the crown.
    Headroom,
    /// Horizontal distance of the head from the middle.
    Shift,
    /// The levelling limit.
    LevelLimit,
    /// The share of the crop that may be outside the photo.
    Padding,
    /// The minimum score of a face.
    MinScore,
    /// The radius of rounded corners.
    CornerRadius,
    /// The width of the soft edge.
    SoftEdge,
    Exposure,
    Contrast,
    Sharpening,
    /// The margin of a sheet.
    Margin,
    /// The gap between copies on a sheet.
    Gap,
    /// A document's allowed range of the head height.
    HeadRange,
    /// A document's allowed range of the eye line.
    EyeLineRange,
    /// A document's allowed range of the headroom.
    HeadroomRange,
    /// A document's limit of the head's rotation.
    PoseLimit,
    /// A receiver's limits of the file size.
    FileSize,
    /// A receiver's size in pixels.
    PixelSize,
    /// A document's printed size.
    PrintedSize,
    /// The required resolution of the file.
    Resolution,
}

/// The unit of a value in a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A plain number.
    None,
    Percent,
    /// Millimetres.
    Mm,
    /// Degrees of an angle.
    Degrees,
    /// Stops of exposure.
    Stops,
}

/// A setting that document rules forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alteration {
    /// Filling beyond the photo's edge.
    Fill,
    /// An adjustment of exposure or colour.
    Adjustment,
    /// A shape or soft edge.
    Shape,
    /// A replaced background.
    Background,
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
            Self::MinScore => "a minimum score",
            Self::CornerRadius => "a corner radius",
            Self::SoftEdge => "a soft edge",
            Self::Exposure => "an exposure",
            Self::Contrast => "a contrast",
            Self::Sharpening => "a sharpening",
            Self::Margin => "a margin",
            Self::Gap => "a gap between copies",
            Self::HeadRange => "the head range",
            Self::EyeLineRange => "the eye-line range",
            Self::HeadroomRange => "the headroom range",
            Self::PoseLimit => "a limit of the head's rotation",
            Self::FileSize => "the file size",
            Self::PixelSize => "the size in pixels",
            Self::PrintedSize => "the size in millimetres",
            Self::Resolution => "the resolution",
        })
    }
}

/// With a leading space; empty for plain numbers.
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
            Self::Fill => "filling beyond the photo's edge",
            Self::Adjustment => "an adjustment of light or colour",
            Self::Shape => "a shape or soft edge",
            Self::Background => "a replaced background",
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
