//! What was found of a document's rules, as data. `Display` gives one English sentence.

use std::fmt;

use geometry::Size;
use recipe::AllowedRange;

/// Which rule is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// The head's height.
    Head,
    /// The eye line's height above the bottom edge.
    EyeLine,
    /// The room above the crown.
    Headroom,
    /// Size and shape of what is written.
    Size,
}

/// One rule of a document and how a crop meets it.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleCheck {
    /// True where the rule is met, to a tenth of a percent of the height.
    pub met: bool,
    /// What was found.
    pub found: RuleFound,
}

/// What was found of one rule.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleFound {
    /// The head's height.
    Head(InRange),
    /// The eye line's height above the bottom edge.
    EyeLine(InRange),
    /// The room above the crown; below zero where the crown is cut off.
    Headroom(InRange),
    /// The crop's size.
    Size {
        /// The crop's size in pixels.
        output: Size,
        /// What is wrong with it.
        fault: Option<SizeFault>,
        /// The document's name.
        document: Option<String>,
    },
}

/// A measure and what is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InRange {
    /// The measure, as a share of the crop's height.
    pub measured: f32,
    /// What is allowed, as shares of the crop's height.
    pub band: AllowedRange,
    /// The printed height in millimetres; `None` where nothing is printed.
    pub height_mm: Option<f64>,
}

/// What is wrong with a size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SizeFault {
    /// The shape is another.
    Shape {
        /// Width asked for.
        width: f64,
        /// Height asked for.
        height: f64,
        /// True where both are in millimetres, false for pixels.
        in_mm: bool,
    },
    /// It must be this size in pixels.
    Exactly(Size),
    /// It must be at least this size in pixels.
    AtLeast(Size),
    /// It must be at most this size in pixels.
    AtMost(Size),
}

/// What speaks against a written file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileFault {
    /// It has too few bytes.
    TooSmall {
        /// Bytes of the file.
        bytes: usize,
        /// The fewest allowed, in units of 1,000 bytes.
        min: u32,
        /// The document's name.
        document: Option<String>,
    },
    /// It has too many bytes.
    TooLarge {
        /// Bytes of the file.
        bytes: usize,
        /// The most allowed, in units of 1,000 bytes.
        max: u32,
        /// The document's name.
        document: Option<String>,
    },
    /// It is no JPEG.
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
    /// The rule.
    pub const fn rule(&self) -> RuleKind {
        match self.found {
            RuleFound::Head(_) => RuleKind::Head,
            RuleFound::EyeLine(_) => RuleKind::EyeLine,
            RuleFound::Headroom(_) => RuleKind::Headroom,
            RuleFound::Size { .. } => RuleKind::Size,
        }
    }

    /// Measure and band; `None` for the size.
    pub const fn in_range(&self) -> Option<&InRange> {
        match &self.found {
            RuleFound::Head(found) | RuleFound::EyeLine(found) | RuleFound::Headroom(found) => Some(found),
            RuleFound::Size { .. } => None,
        }
    }
}

impl InRange {
    /// What was found, the least and the most, in percent of the crop's height, to a tenth.
    pub fn percent(&self) -> [f64; 3] {
        self.shares().map(|share| tenths(f64::from(share) * 100.0))
    }

    /// The same in millimetres.
    pub fn mm(&self) -> Option<[f64; 3]> {
        self.height_mm.map(|height| self.shares().map(|share| tenths(f64::from(share) * height)))
    }

    /// True where it is within the band, as it is shown: so a sentence and its verdict never contradict each other.
    pub fn is_met(&self) -> bool {
        let [found, min, max] = self.percent();
        (min..=max).contains(&found)
    }

    const fn shares(&self) -> [f32; 3] {
        [self.measured, self.band.min, self.band.max]
    }
}

impl fmt::Display for RuleCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.found {
            RuleFound::Head(found) => found.write(f, "head", ""),
            RuleFound::EyeLine(found) => found.write(f, "eye line", ""),
            RuleFound::Headroom(found) => {
                let is_cut = found.percent()[0] < 0.0;
                found.write(f, "headroom", if is_cut { " (the crown is cut off)" } else { "" })
            }
            RuleFound::Size { output, fault: None, .. } => write!(f, "size {output} pixels, as asked for"),
            RuleFound::Size { output, fault: Some(fault), document } => {
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
                write!(f, "must have the shape of {width} x {height} {unit}")
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
                write!(f, "file of {} kB, must be at least {min} kB{by}", kilobytes(bytes))
            }
            Self::TooLarge { bytes, max, document } => {
                let by = By(document.as_deref());
                write!(f, "file of {} kB, must be at most {max} kB{by}", kilobytes(bytes))
            }
            Self::NotJpeg { document } => write!(f, "the file must be a JPEG{}", By(document.as_deref())),
        }
    }
}

/// Whose rules they are.
struct By<'a>(Option<&'a str>);

impl fmt::Display for By<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |document| write!(f, " for {document}"))
    }
}

/// Rounded to one decimal; never minus zero.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0 + 0.0
}
