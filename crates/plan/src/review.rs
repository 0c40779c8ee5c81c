//! Plan -> concerns: what a person should have a look at before the crops are used. `photo` adds all else that is known.

mod photo;

use std::fmt;

pub use photo::{FacesSeen, PhotoFacts, Reason, ReasonGroup, ReasonKind, Review, Severity, review_photo};

use geometry::{Face, Head, HeadDoubt, Size, estimate_head};
use recipe::{CropSpec, EdgePolicy, Position, Select};

use super::frame::Turn;
use super::{
    CUT_OFF_FROM, CropPlan, FileFault, HeadInCrop, PlannedCrop, RuleCheck, check_rules, faces_that_count, head_in_crop,
    is_burnt_out, is_dark, is_soft, share_cut_off,
};

/// Crops enlarged by more than this look soft beside others; less is hardly seen.
const ENLARGED_FROM: f32 = 1.5;

/// Heads higher in the crop than asked for by more than this share are told.
const TOO_HIGH_FROM: f32 = 0.1;

/// Heads that stand off their place by more than this share of the crop's side are told.
const OFF_PLACE_FROM: f32 = 0.05;

/// Heads of which the crop's own frame cuts off more than this are told: hair is often cut on purpose.
const CUT_BY_FRAME_FROM: f32 = 0.1;

/// Faces that score less are told: textures without a face score 0.6 to 0.8 (docs/detection.md).
const LOW_SCORE_BELOW: f32 = 0.8;

/// Faces less high than this in the photo, in pixels, are told: their landmarks are off by a good part of the head.
const SMALL_BELOW: f32 = 48.0;

/// Padding is told only where it is more than allowed by this share: numbers in a spec are written with a few places.
const PADDING_TOLERANCE: f32 = 1e-4;

/// One reason to have a look at a photo.
#[derive(Clone, Debug, PartialEq)]
pub struct Concern {
    /// Index of the crop in [`CropPlan::crops`]; `None` where it is about the photo.
    pub crop: Option<usize>,
    /// The reason.
    pub kind: ConcernKind,
}

/// Why a photo needs a look. Shown through `Display`, in plain words.
#[derive(Clone, Debug, PartialEq)]
pub enum ConcernKind {
    /// Fewer faces than expected.
    FewFaces {
        /// Faces that count.
        found: usize,
        /// The fewest expected.
        least: u32,
    },
    /// More faces than expected.
    ManyFaces {
        /// Faces that count.
        found: usize,
        /// The most expected.
        most: u32,
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
        most: f32,
    },
    /// The face was lying and the crop is turned by quarter turns.
    Turned {
        /// Degrees the photo is turned clockwise: 90, 180 or 270.
        degrees: u16,
    },
    /// The head lies on its side or upside down and is left so.
    Lying {
        /// Degrees the photo would have to be turned clockwise: 90, 180 or 270.
        degrees: u16,
    },
    /// The head is tilted by more than may be levelled.
    NotLevelled {
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
    OffPlace {
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

impl ConcernKind {
    /// The name used in JSON.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::FewFaces { .. } => "few_faces",
            Self::ManyFaces { .. } => "many_faces",
            Self::OneOfMany { .. } => "one_of_many",
            Self::LowScore { .. } => "low_score",
            Self::Small { .. } => "small",
            Self::Padded { .. } => "padded",
            Self::Turned { .. } => "turned",
            Self::Lying { .. } => "lying",
            Self::NotLevelled { .. } => "not_levelled",
            Self::Doubtful(HeadDoubt::Landmarks) => "landmarks",
            Self::Doubtful(HeadDoubt::Profile) => "profile",
            Self::CutOff { .. } => "cut_off",
            Self::CutByFrame { .. } => "cut_by_frame",
            Self::TooClose { .. } => "too_close",
            Self::OffPlace { .. } => "off_place",
            Self::Rule(_) | Self::File(_) => "rule",
            Self::Soft { .. } => "soft",
            Self::Dark { .. } => "dark",
            Self::Bright { .. } => "bright",
            Self::Enlarged { .. } => "enlarged",
        }
    }
}

impl fmt::Display for ConcernKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewFaces { found: 0, least: 0 | 1 } => write!(f, "no face was found"),
            Self::FewFaces { found, least } => write!(f, "{} found, at least {least} expected", faces_in_words(*found)),
            Self::ManyFaces { found, most } => write!(f, "{} found, at most {most} expected", faces_in_words(*found)),
            Self::OneOfMany { found } => {
                write!(f, "one of {found} faces was picked, and another is about as large")
            }
            Self::LowScore { score } => write!(f, "it may be no face: score {score:.2} of 1"),
            Self::Small { height } => write!(f, "the face is only {} pixels high in the photo", height.round()),
            Self::Padded { share, most } => {
                let (share, most) = (percent(*share), percent(*most));
                write!(f, "{share} % of the crop lies outside the photo, at most {most} % is allowed")
            }
            Self::Turned { degrees } => match degrees {
                180 => write!(f, "the face was upside down, so the photo was turned by 180 degrees"),
                _ => write!(f, "the face lay on its side, so the photo was turned by {}", turn_in_words(*degrees)),
            },
            Self::Lying { degrees } => match degrees {
                180 => write!(f, "the face is upside down and was left so: turning upright is off"),
                _ => write!(f, "the face lies on its side and was left so: turning upright is off"),
            },
            Self::NotLevelled { tilt, limit } => {
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
            Self::OffPlace { by } => {
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

/// The choice of one face is close if another is at least this share of its height: people behind or beside the one a photo is of
/// are mostly smaller.
const CLOSE_FROM: f32 = 0.7;

/// How many faces there were to pick one from, and whether another is about as large as the one picked; `None` if nothing had to
/// be picked.
fn picked_one(faces: &[Face], plan: &CropPlan, spec: &CropSpec) -> Option<(usize, bool)> {
    if spec.select == Select::All {
        return None;
    }
    let counted = faces_that_count(faces, spec);
    let picked = plan.crops.first().filter(|_| counted.len() > 1)?.face_index;
    let height = faces.get(picked)?.bbox.height;
    let close = counted.iter().any(|&index| index != picked && faces[index].bbox.height >= height * CLOSE_FROM);
    Some((counted.len(), close))
}

/// What speaks against the crops of `plan`, made from `faces` of a photo of `picture` pixels by `spec`: first what is about
/// the photo, then crop by crop. `by_hand` says that a person has chosen the faces.
pub fn review_crops(faces: &[Face], plan: &CropPlan, picture: Size, spec: &CropSpec, by_hand: bool) -> Vec<Concern> {
    // Faces picked or drawn by hand count, however small they are.
    let found = faces_that_count(faces, spec).len().max(plan.crops.len());
    let number = u32::try_from(found).unwrap_or(u32::MAX);
    let least = spec.expected.least.unwrap_or(1);
    let few = (number < least).then_some(ConcernKind::FewFaces { found, least });
    let many = spec.expected.most.filter(|most| number > *most).map(|most| ConcernKind::ManyFaces { found, most });
    let picked = picked_one(faces, plan, spec).filter(|(_, close)| *close && !by_hand && many.is_none());
    let one = picked.map(|(found, _)| ConcernKind::OneOfMany { found });
    let mut concerns: Vec<Concern> =
        few.into_iter().chain(many).chain(one).map(|kind| Concern { crop: None, kind }).collect();
    for (index, crop) in plan.crops.iter().enumerate() {
        let Some(face) = faces.get(crop.face_index).filter(|face| face.is_usable()) else { continue };
        let kinds = review_crop(face, crop, picture, spec).into_iter();
        concerns.extend(kinds.map(|kind| Concern { crop: Some(index), kind }));
    }
    concerns
}

fn review_crop(face: &Face, crop: &PlannedCrop, picture: Size, spec: &CropSpec) -> Vec<ConcernKind> {
    let mut kinds = Vec::new();
    let mut when = |is_so: bool, kind: ConcernKind| {
        if is_so {
            kinds.push(kind);
        }
    };
    let estimate = estimate_head(face);
    let turn = Turn::of(&estimate.head, spec);
    let degrees = (-turn.lies).rem_euclid(360.0) as u16;
    let tilt = if turn.lies == 0.0 || turn.turns_upright { turn.tilt } else { 0.0 };
    // Where a person has set the frame, how it lies is their doing.
    let by_spec = face.frame.is_none();
    // Whoever set its head has seen that it is one.
    let is_estimated = by_spec && face.head.is_none();
    when(is_estimated && face.score < LOW_SCORE_BELOW, ConcernKind::LowScore { score: face.score });
    let height = face.bbox.height;
    when(is_estimated && height < SMALL_BELOW, ConcernKind::Small { height });
    when(by_spec && turn.turns_upright, ConcernKind::Turned { degrees });
    when(by_spec && turn.lies != 0.0 && !turn.turns_upright, ConcernKind::Lying { degrees });
    let is_left_tilted = by_spec && spec.level && tilt.abs() > spec.level_limit;
    when(is_left_tilted, ConcernKind::NotLevelled { tilt, limit: spec.level_limit });
    if let Some(doubt) = estimate.doubt.filter(|_| by_spec) {
        when(true, ConcernKind::Doubtful(doubt));
    }
    let share = share_cut_off(&estimate.head, picture);
    let cut_by_photo = share >= CUT_OFF_FROM;
    when(cut_by_photo, ConcernKind::CutOff { share });
    if let Some(seen) = HeadSeen::of(&estimate.head, crop) {
        let share = share_cut_off(&seen.head, crop.output);
        when(share > CUT_BY_FRAME_FROM && !cut_by_photo, ConcernKind::CutByFrame { share });
        // A document's own bands say it better.
        let has_bands = spec.rules.as_ref().is_some_and(|rules| rules.head.is_some() || rules.eye_line.is_some());
        if by_spec && spec.edge == EdgePolicy::Shrink && !has_bands {
            let (head, asked) = (seen.lines.height, spec.head_height);
            let too_close = head > asked * (1.0 + TOO_HIGH_FROM);
            when(too_close, ConcernKind::TooClose { head, asked });
            let by = seen.off_place(face, spec);
            when(by > OFF_PLACE_FROM && !too_close && !cut_by_photo, ConcernKind::OffPlace { by });
        }
    }
    let (share, most) = (crop.padding_share, spec.max_padding);
    when((spec.edge.invents() || !by_spec) && share > most + PADDING_TOLERANCE, ConcernKind::Padded { share, most });
    for check in spec.rules.iter().flat_map(|rules| check_rules(crop, &estimate.head, rules)) {
        when(!check.met, ConcernKind::Rule(check));
    }
    if let Some(measures) = &face.measures {
        if let Some(sharpness) = measures.sharpness {
            when(is_soft(sharpness), ConcernKind::Soft { sharpness });
        }
        when(is_dark(measures), ConcernKind::Dark { lightness: measures.lightness });
        when(is_burnt_out(measures), ConcernKind::Bright { share: measures.overexposed });
    }
    let times = crop.enlargement();
    when(times > ENLARGED_FROM, ConcernKind::Enlarged { times });
    kinds
}

/// A head as its crop shows it.
struct HeadSeen {
    lines: HeadInCrop,
    /// In pixels of the crop.
    head: Head,
    /// From the crop's left edge to the head's middle, as a share of the crop's width.
    across: f32,
}

impl HeadSeen {
    fn of(head: &Head, crop: &PlannedCrop) -> Option<Self> {
        let lines = head_in_crop(crop, head)?;
        let crop_from_picture = crop.picture_from_crop().inverse()?;
        let at = |point| crop_from_picture.apply(point);
        let eyes = at(head.eyes);
        let seen = Head {
            eyes,
            eyes_to_crown: at(head.crown()).distance(eyes),
            eyes_to_chin: at(head.chin()).distance(eyes),
            roll: head.roll - crop.angle,
        };
        let across = at(head.center()).x / crop.output.width.max(1) as f32;
        Some(Self { lines, head: seen, across })
    }

    /// How far the head stands from where `spec` puts it, as a share of the crop's height or width, whichever is more.
    fn off_place(&self, face: &Face, spec: &CropSpec) -> f32 {
        let lines = &self.lines;
        let hair = spec.follow_hair && face.measures.is_some_and(|measures| measures.eyes_to_hair.is_some());
        let down = match spec.position {
            Position::Middle => f32::midpoint(lines.crown, lines.chin) - 0.5,
            Position::EyeLine { from_bottom } => lines.eye_line() - from_bottom,
            // Measured from the hair, the room above the crown is whatever the hair leaves.
            Position::Headroom { .. } if hair => 0.0,
            Position::Headroom { share } => lines.crown - share,
        };
        down.abs().max((self.across - 0.5 - spec.shift_right).abs())
    }
}

#[cfg(test)]
mod tests;
