//! Results of rule checks as data. `Display` is one English sentence.

use std::fmt;

use geometry::Size;
use recipe::AllowedRange;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// The head's height.
    Head,
    /// The eye line's height above the bottom edge.
    EyeLine,
    /// The space above the crown.
    Headroom,
    /// Size and aspect ratio of the crop.
    Size,
}

/// A document rule and its result for a crop.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleCheck {
    /// True if the rule is met, to a tenth of a percent of the height.
    pub met: bool,
    /// The measured result.
    pub found: RuleResult,
}

/// The result of one rule.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleResult {
    /// The head's height.
    Head(InRange),
    /// The eye line's height above the bottom edge.
    EyeLine(InRange),
    /// The space above the crown; negative if the crown is cut off.
    Headroom(InRange),
    /// The crop's size.
    Size {
        /// The crop's size in pixels.
        output: Size,
        /// The violation, if any.
        fault: Option<SizeFault>,
        /// The document's name.
        document: Option<String>,
    },
}

/// A measured value and its allowed range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InRange {
    /// The measured value, as a share of the crop's height.
    pub measured: f32,
    /// The allowed range, in shares of the crop's height.
    pub range: AllowedRange,
    /// The printed height in millimetres; `None` if the size is in pixels.
    pub height_mm: Option<f64>,
}

/// A violation of the size rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SizeFault {
    /// The aspect ratio is wrong.
    Shape {
        /// Required width.
        width: f64,
        /// Required height.
        height: f64,
        /// True if both are in millimetres, false for pixels.
        in_mm: bool,
    },
    /// It must be exactly this size in pixels.
    Exactly(Size),
    /// It must be at least this size in pixels.
    AtLeast(Size),
    /// It must be at most this size in pixels.
    AtMost(Size),
}

/// A violation of the file rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileFault {
    TooSmall {
        bytes: usize,
        /// The minimum, in units of 1,000 bytes.
        min: u32,
        /// The document's name.
        document: Option<String>,
    },
    TooLarge {
        bytes: usize,
        /// The maximum, in units of 1,000 bytes.
        max: u32,
        /// The document's name.
        document: Option<String>,
    },
    NotJpeg {
        /// The document's name.
        document: Option<String>,
    },
}

impl RuleKind {
    /// The name used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::EyeLine => "eye_line",
            Self::Headroom => "headroom",
            Self::Size => "size",
        }
    }
}

impl RuleCheck {
    pub const fn rule(&self) -> RuleKind {
        match self.found {
            RuleResult::Head(_) => RuleKind::Head,
            RuleResult::EyeLine(_) => RuleKind::EyeLine,
            RuleResult::Headroom(_) => RuleKind::Headroom,
            RuleResult::Size { .. } => RuleKind::Size,
        }
    }

    /// The value and its range; `None` for the size.
    pub const fn in_range(&self) -> Option<&InRange> {
        match &self.found {
            RuleResult::Head(found) | RuleResult::EyeLine(found) | RuleResult::Headroom(found) => Some(found),
            RuleResult::Size { .. } => None,
        }
    }
}

impl InRange {
    /// Measured value, minimum and maximum, in percent of the crop's height, rounded to a tenth.
    pub fn percent(&self) -> [f64; 3] {
        self.shares().map(|share| tenths(f64::from(share) * 100.0))
    }

    /// The same in millimetres.
    pub fn mm(&self) -> Option<[f64; 3]> {
        self.height_mm.map(|height| self.shares().map(|share| tenths(f64::from(share) * height)))
    }

    /// True if the rounded value is within the rounded range, so that message and verdict never contradict each other.
    pub fn is_met(&self) -> bool {
        let [found, min, max] = self.percent();
        (min..=max).contains(&found)
    }

    const fn shares(&self) -> [f32; 3] {
        [self.measured, self.range.min, self.range.max]
    }
}

impl fmt::Display for RuleCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.found {
            RuleResult::Head(found) => found.write(f, "head", ""),
            RuleResult::EyeLine(found) => found.write(f, "eye line", ""),
            RuleResult::Headroom(found) => {
                let is_cut = found.percent()[0] < 0.0;
                found.write(f, "headroom", if is_cut { " (the crown is cut off)" } else { "" })
            }
            RuleResult::Size { output, fault: None, .. } => write!(f, "size {output} pixels, as required"),
            RuleResult::Size { output, fault: Some(fault), document } => {
                write!(f, "size {output} pixels, {fault}{}", By(document.as_deref()))
            }
        }
    }
}

impl InRange {
    fn write(&self, f: &mut fmt::Formatter<'_>, name: &str, aside: &str) -> fmt::Result {
        let [found, min, max] = self.percent();
        write!(f, "{name} {found} %{aside}, allowed {min} to {max} %")?;
        match self.mm() {
            Some([found, min, max]) => write!(f, " ({found} mm, allowed {min} to {max} mm)"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for SizeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { width, height, in_mm } => {
                let unit = if *in_mm { "mm" } else { "pixels" };
                write!(f, "must have the aspect ratio of {width} x {height} {unit}")
            }
            Self::Exactly(size) => write!(f, "must be {size} pixels"),
            Self::AtLeast(size) => write!(f, "must be at least {size} pixels"),
            Self::AtMost(size) => write!(f, "must be at most {size} pixels"),
        }
    }
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kilobytes = |bytes: &usize| tenths(*bytes as f64 / 1e3);
        match self {
            Self::TooSmall { bytes, min, document } => {
                let by = By(document.as_deref());
                write!(f, "file size {} kB, must be at least {min} kB{by}", kilobytes(bytes))
            }
            Self::TooLarge { bytes, max, document } => {
                let by = By(document.as_deref());
                write!(f, "file size {} kB, must be at most {max} kB{by}", kilobytes(bytes))
            }
            Self::NotJpeg { document } => write!(f, "the file must be a JPEG{}", By(document.as_deref())),
        }
    }
}

/// The document whose rules apply.
struct By<'a>(Option<&'a str>);

impl fmt::Display for By<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |document| write!(f, " for {document}"))
    }
}

/// Rounds to one decimal; never returns minus zero.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0 + 0.0
}
