//! What a person should have a look at before a crop is used, as data.

use std::fmt;

use geometry::HeadDoubt;

use super::{FileFault, RuleCheck};

/// One reason to have a look at a photo.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Index of the crop in [`CropPlan::crops`](crate::CropPlan::crops); `None` where it is about the photo.
    pub crop: Option<usize>,
    /// The reason.
    pub kind: WarningKind,
}

/// Why a photo needs a look. Shown through `Display`, in plain words.
#[derive(Clone, Debug, PartialEq)]
pub enum WarningKind {
    /// Fewer faces than expected.
    FewFaces {
        /// Faces that count.
        found: usize,
        /// The fewest expected.
        min: u32,
    },
    /// More faces than expected.
    ManyFaces {
        /// Faces that count.
        found: usize,
        /// The most expected.
        max: u32,
    },
    /// The spec picked one of several faces, and another is about as large as the one picked.
    OneOfMany {
        /// Faces that count.
        found: usize,
    },
    /// The network is not sure that it is a face.
    LowScore {
        /// The score, 0 to 1.
        score: f32,
    },
    /// The face has few pixels.
    Small {
        /// Height of the face's box, in pixels of the photo.
        height: f32,
    },
    /// More of the crop lies outside the photo than is allowed.
    Padded {
        /// Share of the crop outside the photo, 0 to 1.
        share: f32,
        /// The share that is allowed.
        max: f32,
    },
    /// The face was lying and the crop is turned by quarter turns.
    Turned {
        /// Degrees the photo is turned clockwise: 90, 180 or 270.
        degrees: u16,
    },
    /// The head lies on its side or upside down and is left so.
    Sideways {
        /// Degrees the photo would have to be turned clockwise: 90, 180 or 270.
        degrees: u16,
    },
    /// The head is tilted by more than may be levelled.
    Tilted {
        /// Degrees of the tilt, clockwise, -180 to 180.
        tilt: f32,
        /// The most that is levelled.
        limit: f32,
    },
    /// Crown and chin are a guess.
    Doubtful(HeadDoubt),
    /// The photo's edge cuts the head.
    CutOff {
        /// Share of the head's height or width outside the photo, 0 to 1.
        share: f32,
    },
    /// The crop's own frame cuts the head.
    CutByFrame {
        /// Share of the head outside the crop, 0 to 1.
        share: f32,
    },
    /// The photo has too little room around the head, so that it is larger in the crop than asked for.
    TooClose {
        /// The head's share of the crop's height.
        head: f32,
        /// The share that was asked for.
        asked: f32,
    },
    /// The photo has too little room beside the head, so that it stands off its place in the crop.
    OffCenter {
        /// How far, as a share of the crop's height or width.
        by: f32,
    },
    /// A rule of the document is not met.
    Rule(RuleCheck),
    /// The file breaks a rule of the document.
    File(FileFault),
    /// The face is not sharp.
    Soft {
        /// Measured sharpness, 0 to 1.
        sharpness: f32,
    },
    /// The face is too dark.
    Dark {
        /// Mean lightness, 0 to 1.
        lightness: f32,
    },
    /// Parts of the face are burnt out.
    Bright {
        /// Share of the face that is white or nearly so, 0 to 1.
        share: f32,
    },
    /// The crop has more pixels than the photo gives it.
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
            Self::Turned { .. } => "rotated",
            Self::Sideways { .. } => "sideways",
            Self::Tilted { .. } => "tilted",
            Self::Doubtful(HeadDoubt::Landmarks) => "landmarks",
            Self::Doubtful(HeadDoubt::Profile) => "profile",
            Self::CutOff { .. } => "cut_off",
            Self::CutByFrame { .. } => "cut_by_frame",
            Self::TooClose { .. } => "too_close",
            Self::OffCenter { .. } => "off_center",
            Self::Rule(_) | Self::File(_) => "rule",
            Self::Soft { .. } => "blurred",
            Self::Dark { .. } => "underexposed",
            Self::Bright { .. } => "overexposed",
            Self::Enlarged { .. } => "enlarged",
        }
    }
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewFaces { found: 0, min: 0 | 1 } => write!(f, "no face was found"),
            Self::FewFaces { found, min } => write!(f, "{} found, at least {min} expected", faces_in_words(*found)),
            Self::ManyFaces { found, max } => write!(f, "{} found, at most {max} expected", faces_in_words(*found)),
            Self::OneOfMany { found } => {
                write!(f, "one of {found} faces was picked, and another is about as large")
            }
            Self::LowScore { score } => write!(f, "it may be no face: score {score:.2} of 1"),
            Self::Small { height } => write!(f, "the face is only {} pixels high in the photo", height.round()),
            Self::Padded { share, max } => {
                let (share, max) = (percent(*share), percent(*max));
                write!(f, "{share} % of the crop lies outside the photo, at most {max} % is allowed")
            }
            Self::Turned { degrees } => match degrees {
                180 => write!(f, "the face was upside down, so the photo was turned by 180 degrees"),
                _ => write!(f, "the face lay on its side, so the photo was turned by {}", turn_in_words(*degrees)),
            },
            Self::Sideways { degrees } => match degrees {
                180 => write!(f, "the face is upside down and was left so: turning upright is off"),
                _ => write!(f, "the face lies on its side and was left so: turning upright is off"),
            },
            Self::Tilted { tilt, limit } => {
                let (tilt, limit) = (tenths(tilt.abs()), tenths(*limit));
                write!(f, "heads are levelled by no more than {limit} degrees, this one is tilted by {tilt}")
            }
            Self::Doubtful(HeadDoubt::Landmarks) => {
                write!(f, "eyes, nose and mouth contradict each other, so crown and chin are a guess")
            }
            Self::Doubtful(HeadDoubt::Profile) => {
                write!(f, "the face is seen from the side, so crown and chin are a guess")
            }
            Self::CutOff { share } => {
                write!(f, "the photo's edge cuts off about {} % of the head", (share * 100.0).round())
            }
            Self::CutByFrame { share } => {
                write!(f, "the crop's frame cuts off about {} % of the head", (share * 100.0).round())
            }
            Self::TooClose { head, asked } => {
                let (head, asked) = (percent(*head), percent(*asked));
                write!(
                    f,
                    "the photo has no room for the frame: the head takes {head} % of the height, {asked} % were asked for"
                )
            }
            Self::OffCenter { by } => {
                let by = (by * 100.0).round();
                write!(f, "the photo has no room beside the frame: the head stands {by} % of the crop off its place")
            }
            Self::Rule(check) => check.fmt(f),
            Self::File(fault) => fault.fmt(f),
            Self::Soft { sharpness } => write!(f, "the face is soft: sharpness {sharpness:.2} of 1"),
            Self::Dark { lightness } => write!(f, "the face is dark: lightness {} %", (lightness * 100.0).round()),
            Self::Bright { share } => write!(f, "{} % of the face is burnt out to white", (share * 100.0).round()),
            Self::Enlarged { times } => {
                write!(f, "the photo has too few pixels here: the crop is enlarged {} times", tenths(*times))
            }
        }
    }
}

fn faces_in_words(number: usize) -> String {
    match number {
        0 => "no face".to_owned(),
        1 => "1 face".to_owned(),
        _ => format!("{number} faces"),
    }
}

fn turn_in_words(degrees: u16) -> &'static str {
    if degrees == 90 { "90 degrees clockwise" } else { "90 degrees counter-clockwise" }
}

fn tenths(number: f32) -> f32 {
    (number * 10.0).round() / 10.0
}

fn percent(share: f32) -> f32 {
    tenths(share * 100.0)
}
