//! What the landmarks of a face mesh say about a head.

use serde::{Deserialize, Serialize};

use super::{Head, Point};

/// Measurements on the 468 landmarks of a face. Lengths are pixels of the upright image.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaceMesh {
    /// Eye line, chin, crown and roll.
    pub head: Head,
    /// Distance between the sides of the face, in front of the ears.
    pub width: f32,
    /// Rotation about the vertical axis in degrees: 0 frontal, positive if the face points to the person's left, which is
    /// the right of an upright image. Exact to about 3 degrees; from 25 on, the rotation may be twice as large.
    pub yaw: f32,
    /// Rotation about the axis through the ears in degrees: 0 frontal, positive if the face points up. Exact to about 3
    /// degrees.
    pub pitch: f32,
    /// Probability, 0 to 1, that the landmarks belong to a face; see [`FaceMesh::is_sure`].
    pub presence: f32,
    /// Distance between the inner edges of the lips over the width of the mouth: 0 closed; `None` if the face has too few
    /// pixels.
    pub mouth_opening: Option<f32>,
    /// Horizontal distance of the irises from where they are if the person looks at the camera, over the distance of the
    /// corners of the eye; positive to the right of an upright image. `None` if the face has too few pixels, is turned, or
    /// the eyes are not open.
    pub gaze: Option<f32>,
    /// The person's right eye, then the left one.
    pub eyes: [EyeMeasures; 2],
    /// True if the eyes are hidden by something dark below a visible forehead.
    pub dark_glasses: bool,
}

/// Measurements on one eye. A value is `None` if it cannot be measured: too few pixels, a turned or dark face, or no
/// skin to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EyeMeasures {
    /// Middle of the corners of the eye.
    pub center: Point,
    /// Distance of the lids over the distance of the corners: about 0.3 open, below 0.15 closed.
    pub opening: Option<f32>,
    /// How much darker the darkest part of the eye is than the skin below it, 0 to 1: about 0.95 for a visible eye.
    pub contrast: Option<f32>,
    /// True if something covers the eye: glasses, hair, a hat, a hand.
    pub is_hidden: bool,
}

impl FaceMesh {
    /// True if the landmarks certainly belong to a face. Profiles, faces cut by the image's edge and very small ones are
    /// not sure even if their landmarks are right: their roll and chin can be used, but not eyes, mouth and pose.
    pub fn is_sure(&self) -> bool {
        self.presence >= 0.5
    }
}

/// Measurements on the person mask around a head.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaskMeasures {
    /// The top of the hair; `None` if an arm, another person or the image's edge makes it uncertain.
    pub hair: Option<HairTop>,
    /// The background beside and above the head; `None` if too little of it is visible.
    pub background: Option<BackgroundMeasures>,
}

/// The top of the hair, or of a hat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HairTop {
    /// Distance from the eye line along the head's midline, in pixels of the upright image.
    pub above_eyes: f32,
    /// Confidence, 0 to 1.
    pub confidence: f32,
}

/// The background around a head. Lightness is CIE L* / 100.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BackgroundMeasures {
    /// Mean lightness, 0 to 1.
    pub lightness: f32,
    /// Distance of the mean colour from grey: CIE chroma / 100.
    pub chroma: f32,
    /// Texture and colour differences as a multiple of what a plain wall shows: above 1 the background is not plain.
    pub unevenness: f32,
    /// How much darker a shadow next to the head is than the background, 0 to 1; 0 without a shadow.
    pub shadow: f32,
}
