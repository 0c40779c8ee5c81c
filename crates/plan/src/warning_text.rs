//! The English sentences of warnings.

use std::fmt;

use geometry::HeadDoubt;
use recipe::ModelKind;

use super::WarningKind;

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewFaces { found: 0, min: 0 | 1 } => write!(f, "no face was found"),
            Self::FewFaces { found, min } => write!(f, "{} found, at least {min} expected", faces_text(*found)),
            Self::ManyFaces { found, max } => write!(f, "{} found, at most {max} expected", faces_text(*found)),
            Self::OneOfMany { found } => {
                write!(f, "one of {found} faces was selected, but another is about as large")
            }
            Self::NoModel { model } => f.write_str(match model {
                ModelKind::Detector => "the face detector cannot be used, so no faces are found",
                ModelKind::Landmarks => {
                    "the face landmark model cannot be used, so heads are estimated from five points"
                }
                ModelKind::Eyelids => "the eyelid model cannot be used, so closed eyes are not reported",
                ModelKind::Person => "the person model cannot be used, so hair and background are not measured",
            }),
            Self::SecondPerson { height } => {
                write!(f, "another person is in the crop, with a face {} % as high", whole_percent(*height))
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
                write!(f, "the photo's edge cuts off about {} % of the head", whole_percent(*share))
            }
            Self::CutByFrame { share } => {
                write!(f, "the crop's frame cuts off about {} % of the head", whole_percent(*share))
            }
            Self::HairCut { share } => {
                write!(f, "the crop cuts off the hair, by {} % of the head", whole_percent(*share))
            }
            Self::TooClose { head, asked } => {
                let (head, asked) = (percent(*head), percent(*asked));
                write!(f, "too little space around the head: {head} % of the height instead of {asked} %")
            }
            Self::OffCenter { by } => {
                write!(f, "too little space beside the head: it is {} % off its position", whole_percent(*by))
            }
            Self::EyesClosed { opening } => {
                write!(f, "the eyes are closed: open by {} % of their width", whole_percent(*opening))
            }
            Self::EyesNearlyClosed { opening } => {
                write!(f, "the eyes are nearly closed: open by {} % of their width", whole_percent(*opening))
            }
            Self::EyeClosed { opening } => {
                write!(f, "one eye is closed: open by {} % of its width", whole_percent(*opening))
            }
            Self::EyeHidden { contrast } => write!(f, "one eye is hidden: {}", contrast_text(*contrast)),
            Self::EyesCovered { contrast } => {
                write!(f, "the eyes are covered by hair, a hat or glasses: {}", contrast_text(*contrast))
            }
            Self::DarkGlasses { contrast } => {
                write!(f, "the eyes are behind dark glasses: {}", contrast_text(*contrast))
            }
            Self::LookingAside { gaze } => {
                let (by, side) = (whole_percent(gaze.abs()), if *gaze < 0.0 { "left" } else { "right" });
                write!(f, "the eyes look aside, to the {side} by {by} % of their width")
            }
            Self::MouthOpen { opening } => {
                write!(f, "the mouth is open, by {} % of its width", whole_percent(*opening))
            }
            Self::HeadTurned { yaw, limit } => {
                let side = if *yaw < 0.0 { "left" } else { "right" };
                write!(f, "the head is turned to the {side} by {}", beyond(*yaw, *limit))
            }
            Self::HeadPitched { pitch, limit } => {
                let how = if *pitch < 0.0 { "lowered" } else { "raised" };
                write!(f, "the head is {how} by {}", beyond(*pitch, *limit))
            }
            Self::HeadTilted { roll, limit } => {
                write!(f, "the head is tilted in the crop by {}", beyond(*roll, *limit))
            }
            Self::NotPlain { unevenness } => {
                write!(f, "the background is not plain: {} times the unevenness of a plain wall", tenths(*unevenness))
            }
            Self::BackgroundLightness { lightness, range } => {
                let how = if *lightness < range.min { "dark" } else { "light" };
                let [min, max] = [range.min, range.max].map(whole_percent);
                let lightness = tenths(lightness * 100.0);
                write!(f, "the background is too {how}: lightness {lightness} %, allowed {min} to {max} %")
            }
            Self::Shadow { shadow } => {
                write!(f, "a shadow beside the head: {} % darker than the background", whole_percent(*shadow))
            }
            Self::Rule(check) => check.fmt(f),
            Self::File(fault) => fault.fmt(f),
            Self::Blurred { sharpness } => write!(f, "the face is blurred: sharpness {sharpness:.2} of 1"),
            Self::Underexposed { lightness } => {
                write!(f, "the face is underexposed: lightness {} %", whole_percent(*lightness))
            }
            Self::Overexposed { share } => write!(f, "{} % of the face is overexposed", whole_percent(*share)),
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

fn whole_percent(share: f32) -> f32 {
    (share * 100.0).round()
}

/// An angle that exceeds its limit.
fn beyond(degrees: f32, limit: f32) -> String {
    format!("{} degrees, at most {} are allowed", tenths(degrees.abs()), tenths(limit))
}

fn contrast_text(contrast: f32) -> String {
    format!("contrast {} %, about 95 % if visible", whole_percent(contrast))
}
