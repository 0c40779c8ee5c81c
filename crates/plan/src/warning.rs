//! Warnings as data: problems that should be reviewed before a crop is used.

use geometry::HeadDoubt;
use recipe::{AllowedRange, ModelKind};

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
    /// A model cannot be used, so a part of the faces is not measured.
    NoModel { model: ModelKind },
    /// Another person's face is in the crop.
    SecondPerson {
        /// Height of the other face over that of this one.
        height: f32,
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
    /// The hair should stay in the frame, but the photo has too little space, or the hair is too high.
    HairCut {
        /// Part of the distance from chin to top of the hair that is outside the crop, 0 to 1.
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
    /// Both eyes are closed.
    EyesClosed {
        /// Mean opening: distance of the lids over the distance of the corners.
        opening: f32,
    },
    /// Both eyes are nearly closed.
    EyesNearlyClosed {
        /// Mean opening.
        opening: f32,
    },
    /// One eye is closed.
    EyeClosed {
        /// Its opening.
        opening: f32,
    },
    /// Something covers one eye.
    EyeHidden {
        /// How much darker its darkest part is than the skin below it, 0 to 1.
        contrast: f32,
    },
    /// Hair, a hat or glasses cover both eyes.
    EyesCovered {
        /// Mean contrast, as of one eye.
        contrast: f32,
    },
    /// The eyes are behind dark glasses.
    DarkGlasses {
        /// Mean contrast, as of one eye.
        contrast: f32,
    },
    /// The eyes do not look at the camera, which the document requires.
    LookingAside {
        /// See [`FaceMesh::gaze`](geometry::FaceMesh::gaze): positive to the right of an upright image.
        gaze: f32,
    },
    /// The mouth is open, which the document does not allow.
    MouthOpen {
        /// Distance between the lips over the width of the mouth.
        opening: f32,
    },
    /// The head is turned to the side beyond the document's limit, by more than the error of the measurement.
    HeadTurned {
        /// Yaw in degrees, positive to the right of an upright image.
        yaw: f32,
        /// Maximum in degrees.
        limit: f32,
    },
    /// The head is raised or lowered beyond the document's limit, by more than the error of the measurement.
    HeadPitched {
        /// Pitch in degrees, positive if the face points up.
        pitch: f32,
        /// Maximum in degrees.
        limit: f32,
    },
    /// The head is tilted in the crop beyond the document's limit.
    HeadTilted {
        /// Clockwise tilt in the crop in degrees, -180 to 180.
        roll: f32,
        /// Maximum in degrees.
        limit: f32,
    },
    /// The background is not of one colour, which the document requires.
    NotPlain {
        /// Texture and colour differences, as a multiple of what a plain wall shows.
        unevenness: f32,
    },
    /// The lightness of the background is outside the document's range.
    BackgroundLightness {
        /// Mean lightness, 0 to 1.
        lightness: f32,
        range: AllowedRange,
    },
    /// There is a shadow beside the head, which the document does not allow.
    Shadow {
        /// How much darker it is than the background, 0 to 1.
        shadow: f32,
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
            Self::NoModel { .. } => "no_model",
            Self::SecondPerson { .. } => "second_person",
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
            Self::HairCut { .. } => "hair_cut",
            Self::TooClose { .. } => "too_close",
            Self::OffCenter { .. } => "off_center",
            Self::EyesClosed { .. } => "eyes_closed",
            Self::EyesNearlyClosed { .. } => "eyes_nearly_closed",
            Self::EyeClosed { .. } => "eye_closed",
            Self::EyeHidden { .. } => "eye_hidden",
            Self::EyesCovered { .. } => "eyes_covered",
            Self::DarkGlasses { .. } => "dark_glasses",
            Self::LookingAside { .. } => "looking_aside",
            Self::MouthOpen { .. } => "mouth_open",
            Self::HeadTurned { .. } => "head_turned",
            Self::HeadPitched { .. } => "head_pitched",
            Self::HeadTilted { .. } => "head_tilted",
            Self::NotPlain { .. } => "not_plain",
            Self::BackgroundLightness { .. } => "background_lightness",
            Self::Shadow { .. } => "shadow",
            Self::Rule(_) | Self::File(_) => "rule",
            Self::Blurred { .. } => "blurred",
            Self::Underexposed { .. } => "underexposed",
            Self::Overexposed { .. } => "overexposed",
            Self::Enlarged { .. } => "enlarged",
        }
    }
}
