//! Numbers that cannot be worked with.

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
    #[error("{what} of {value}{unit} is outside {least} to {most}{unit}")]
    OutOfRange {
        /// What it is, with its article.
        what: &'static str,
        /// What was asked for.
        value: f32,
        /// The least that can be worked with.
        least: f32,
        /// The most that can be worked with.
        most: f32,
        /// The unit, with a space before it; empty for plain numbers.
        unit: &'static str,
    },
    /// More faces are asked for at least than at most.
    #[error("at least {least} faces and at most {most} cannot both be")]
    Expected {
        /// The fewest.
        least: u32,
        /// The most.
        most: u32,
    },
    /// A rule of the document is no number, or asks for more at least than at most.
    #[error("{what} that the rules for this document ask for can never be met")]
    Rule {
        /// The rule, with its article.
        what: &'static str,
    },
    /// The rules of the document forbid what was asked for.
    #[error("the rules for this document refuse photos that were altered: {what} cannot be used with it")]
    Altered {
        /// What was asked for.
        what: &'static str,
    },
}

pub(crate) fn in_range(
    what: &'static str,
    value: f32,
    least: f32,
    most: f32,
    unit: &'static str,
) -> Result<(), SpecError> {
    let fits = (least..=most).contains(&value);
    if fits { Ok(()) } else { Err(SpecError::OutOfRange { what, value, least, most, unit }) }
}

pub(crate) fn in_percent(what: &'static str, share: f32, least: f32, most: f32) -> Result<(), SpecError> {
    in_range(what, share, least, most, "").map_err(|_| SpecError::OutOfRange {
        what,
        value: share * 100.0,
        least: least * 100.0,
        most: most * 100.0,
        unit: " %",
    })
}
