//! Warnings as data: problems that should be reviewed before a crop is used.

use std::fmt;

use geometry::HeadDoubt;

use super::{FileFault, RuleCheck};

/// One reason to review a photo.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Index of the crop in [`CropPlan::crops`](crate::CropPlan::crops); `None` if the warning concerns the photo.
    pub crop: Option<usize>,
    pub kind: WarningKind,
}

/// The kind of a warning. `Display` is one English sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum WarningKind {
    /// Fewer faces than expected.
    FewFaces {
        /// Eligible faces.
        found: usize,
        /// The expected minimum.
        min: u32,
    },
    /// More faces than expected.
    ManyFaces {
        /// Eligible faces.
        found: usize,
        /// The expected maximum.
        max: u32,
    },
    /// One of several faces was selected, and another is about as large.
    OneOfMany {
        /// Eligible faces.
        found: usize,
    },
    /// The score is low; it may not be a face.
    LowScore {
        /// The score, 0 to 1.
        score: f32,
    },
    /// The face has few pixels.
    Small {
        /// Height of the face box, in pixels of the photo.
        height: f32,
    },
    /// The share of the crop outside the photo exceeds the limit.
    Padded {
        /// Share of the crop outside the photo, 0 to 1.
        share: f32,
        max: f32,
    },
    /// The face was sideways or upside down, and the crop was rotated by quarter turns.
    Rotated {
        /// Clockwise rotation of the photo in degrees: 90, 180 or 270.
        degrees: u16,
    },
    /// The head is sideways or upside down and was not rotated.
    Sideways {
        /// Clockwise rotation that would make it upright, in degrees: 90, 180 or 270.
        degrees: u16,
    },
    /// The tilt of the head exceeds the levelling limit.
    Tilted {
        /// Clockwise tilt in degrees, -180 to 180.
        tilt: f32,
        /// The levelling limit in degrees.
        limit: f32,
    },
    /// The head estimate is unreliable.
    Doubtful(HeadDoubt),
    /// The photo's edge cuts the head.
    CutOff {
        /// Share of the head outside the photo, 0 to 1.
        share: f32,
    },
    /// The crop's frame cuts the head.
    CutByFrame {
        /// Share of the head outside the crop, 0 to 1.
        share: f32,
    },
    /// The photo has too little space around the head, so the head is larger in the crop than requested.
    TooClose {
        /// The head's share of the crop's height.
        head: f32,
        /// The requested share.
        asked: f32,
    },
    /// The photo has too little space beside the head, so the head is off its place in the crop.
    OffCenter {
        /// Distance, as a share of the crop's height or width.
        by: f32,
    },
    /// A document rule is violated.
    Rule(RuleCheck),
    /// The file violates a document rule.
    File(FileFault),
    /// The face is blurred.
    Blurred {
        /// Measured sharpness, 0 to 1.
        sharpness: f32,
    },
    /// The face is underexposed.
    Underexposed {
        /// Mean lightness, 0 to 1.
        lightness: f32,
    },
    /// Parts of the face are overexposed.
    Overexposed {
        /// Share of the face that is white or nearly so, 0 to 1.
        share: f32,
    },
    /// The crop has more pixels than its frame in the photo.
    Enlarged {
        /// Output pixels per source pixel.
        times: f32,
    },
}

impl WarningKind {
    /// The name used in JSON.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::FewFaces { .. } => "few_faces",
            Self::ManyFaces { .. } => "many_faces",
            Self::OneOfMany { .. } => "one_of_many",
            Self::LowScore { .. } => "low_score",
            Self::Small { .. } => "small",
            Self::Padded { .. } => "padded",
            Self::Rotated { .. } => "rotated",
            Self::Sideways { .. } => "sideways",
            Self::Tilted { .. } => "tilted",
            Self::Doubtful(HeadDoubt::Landmarks) => "landmarks",
            Self::Doubtful(HeadDoubt::Profile) => "profile",
            Self::CutOff { .. } => "cut_off",
            Self::CutByFrame { .. } => "cut_by_frame",
            Self::TooClose { .. } => "too_close",
            Self::OffCenter { .. } => "off_center",
            Self::Rule(_) | Self::File(_) => "rule",
            Self::Blurred { .. } => "blurred",
            Self::Underexposed { .. } => "underexposed",
            Self::Overexposed { .. } => "overexposed",
            Self::Enlarged { .. } => "enlarged",
        }
    }
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewFaces { found: 0, min: 0 | 1 } => write!(f, "no face was found"),
            Self::FewFaces { found, min } => write!(f, "{} found, at least {min} expected", faces_text(*found)),
            Self::ManyFaces { found, max } => write!(f, "{} found, at most {max} expected", faces_text(*found)),
            Self::OneOfMany { found } => {
                write!(f, "one of {found} faces was selected, but another is about as large")
            }
            Self::LowScore { score } => write!(f, "possibly not a face: score {score:.2} of 1"),
            Self::Small { height } => write!(f, "the face is only {} pixels high in the photo", height.round()),
            Self::Padded { share, max } => {
                let (share, max) = (percent(*share), percent(*max));
                write!(f, "{share} % of the crop is outside the photo, at most {max} % is allowed")
            }
            Self::Rotated { degrees } => match degrees {
                180 => write!(f, "the face was upside down, so the photo was rotated by 180 degrees"),
                _ => write!(f, "the face was sideways, so the photo was rotated by {}", rotation_text(*degrees)),
            },
            Self::Sideways { degrees } => match degrees {
                180 => write!(f, "the face is upside down and was not rotated, because rotation is off"),
                _ => write!(f, "the face is sideways and was not rotated, because rotation is off"),
            },
            Self::Tilted { tilt, limit } => {
                let (tilt, limit) = (tenths(tilt.abs()), tenths(*limit));
                write!(f, "the head is tilted by {tilt} degrees, more than the levelling limit of {limit} degrees")
            }
            Self::Doubtful(HeadDoubt::Landmarks) => {
                write!(f, "the positions of eyes, nose and mouth are inconsistent, so crown and chin are estimates")
            }
            Self::Doubtful(HeadDoubt::Profile) => {
                write!(f, "the face is seen from the side, so crown and chin are estimates")
            }
            Self::CutOff { share } => {
                write!(f, "the photo's edge cuts off about {} % of the head", (share * 100.0).round())
            }
            Self::CutByFrame { share } => {
                write!(f, "the crop's frame cuts off about {} % of the head", (share * 100.0).round())
            }
            Self::TooClose { head, asked } => {
                let (head, asked) = (percent(*head), percent(*asked));
                write!(f, "too little space around the head: {head} % of the height instead of {asked} %")
            }
            Self::OffCenter { by } => {
                let by = (by * 100.0).round();
                write!(f, "too little space beside the head: it is {by} % off its position")
            }
            Self::Rule(check) => check.fmt(f),
            Self::File(fault) => fault.fmt(f),
            Self::Blurred { sharpness } => write!(f, "the face is blurred: sharpness {sharpness:.2} of 1"),
            Self::Underexposed { lightness } => {
                write!(f, "the face is underexposed: lightness {} %", (lightness * 100.0).round())
            }
            Self::Overexposed { share } => write!(f, "{} % of the face is overexposed", (share * 100.0).round()),
            Self::Enlarged { times } => {
                write!(f, "low resolution: the crop is enlarged {}x", tenths(*times))
            }
        }
    }
}

fn faces_text(number: usize) -> String {
    match number {
        0 => "no face".to_owned(),
        1 => "1 face".to_owned(),
        _ => format!("{number} faces"),
    }
}

fn rotation_text(degrees: u16) -> &'static str {
    if degrees == 90 { "90 degrees clockwise" } else { "90 degrees counter-clockwise" }
}

fn tenths(number: f32) -> f32 {
    (number * 10.0).round() / 10.0
}

fn percent(share: f32) -> f32 {
    tenths(share * 100.0)
}
