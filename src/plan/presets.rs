//! Ready-made crop specs.

use super::{Color, CropSpec, EdgePolicy, Position, Select};
use crate::geometry::Size;

/// A named starting point for a [`CropSpec`].
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What `--preset` takes.
    pub id: &'static str,
    /// What the window shows.
    pub name: &'static str,
    /// One sentence: what it is for, and where its numbers come from.
    pub about: &'static str,
    /// Pixels of the crop.
    pub output: Size,
    /// Height of the face box (about brow to chin) as a share of the crop's height.
    pub face_height: f32,
    /// Where the face stands.
    pub position: Position,
}

/// Every preset; the first is the default.
///
/// The face heights of the first two are our own choice by eye. The document's follows from the rule for 35 x 45 mm
/// portraits, head 70 to 80 % of the picture's height (ICAO Doc 9303, as quoted by several passport offices): the
/// middle, 75 %, over the ratio of head to face box, about 1.35 on frontal portraits. 413 x 531 = round(mm x 300 / 25.4).
pub const PRESETS: &[Preset] = &[
    Preset {
        id: "headshot",
        name: "Headshot 4:5",
        about: "Portrait for a team page or a yearbook: head and shoulders, eyes on the upper third.",
        output: Size::new(800, 1000),
        face_height: 0.40,
        position: Position::UpperThird,
    },
    Preset {
        id: "avatar",
        name: "Square avatar",
        about: "Profile picture that still works when shown as a circle: the face in the middle.",
        output: Size::new(512, 512),
        face_height: 0.55,
        position: Position::Offset { right: 0.0, down: 0.02 },
    },
    Preset {
        id: "document-35x45",
        name: "Document 35 x 45 mm",
        about: "413 x 531 pixels, 35 x 45 mm at 300 dpi, head about 75 % of the height. Check the issuing office's rules before use.",
        output: Size::new(413, 531),
        face_height: 0.56,
        position: Position::Offset { right: 0.0, down: 0.08 },
    },
];

impl Preset {
    /// The preset as a full spec, with the defaults for what a preset does not say.
    pub fn spec(&self) -> CropSpec {
        CropSpec {
            output: self.output,
            face_height: self.face_height,
            position: self.position,
            edge: EdgePolicy::Shrink,
            fill: Color::WHITE,
            select: Select::Largest,
            min_score: 0.6,
        }
    }

    /// Puts this preset's size and framing into `spec`, leaving what a preset does not say as it is.
    pub fn apply_to(&self, spec: &mut CropSpec) {
        (spec.output, spec.face_height, spec.position) = (self.output, self.face_height, self.position);
    }

    /// True where `spec` has this preset's size and framing.
    pub fn matches(&self, spec: &CropSpec) -> bool {
        (spec.output, spec.face_height, spec.position) == (self.output, self.face_height, self.position)
    }
}

/// The preset called `id`.
pub fn find_preset(id: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.id == id)
}
