//! Measures of a face in plain words, and from where on they speak against a photo.

use geometry::{FaceMeasures, Head, HeadEstimate, Point, Rect, Size, clip_convex, polygon_area};

/// Below this sharpness a face is soft. Portraits in good focus measure 0.85 to 1; blurred by a Gaussian of 1 % of the face's
/// height, or enlarged from a face of 40 pixels, 0.6; by one of 1.5 %, which is seen at any size, 0.4.
pub const SOFT_BELOW: f32 = 0.5;

/// From this sharpness on a face is called sharp: a Gaussian of 0.5 % of the face's height leaves 0.75 to 0.88.
pub const SHARP_FROM: f32 = 0.75;

/// Below this mean lightness a face is dark. Well lit skin of the darkest tones has an L* of about 30, so that only faces
/// darker than any well lit one fall below.
pub const DARK_BELOW: f32 = 0.25;

/// From this mean lightness on a face is called bright: the lightest skin, well lit, has an L* of about 75.
pub const BRIGHT_FROM: f32 = 0.8;

/// A face of which more than this share is black or nearly so is dark, whatever its mean says: half of it is in deep shade.
pub const BLACK_SHARE: f32 = 0.5;

/// A face of which more than this share is white or nearly so is burnt out: shine on forehead and nose takes less.
pub const WHITE_SHARE: f32 = 0.1;

/// Yaw, without its sign, up to which a face counts as frontal.
pub const FRONTAL_YAW: f32 = 0.25;

/// Yaw, without its sign, from which on a face counts as a profile.
pub const PROFILE_YAW: f32 = HeadEstimate::PROFILE_YAW;

/// Share of a head outside the picture from which on it counts as cut off: less than that is within the error of the estimate.
pub const CUT_OFF_FROM: f32 = 0.05;

/// Width of a head, ear to ear, as a share of its height from chin to crown.
pub const HEAD_WIDTH: f32 = 0.7;

/// True where a face of this sharpness is not sharp enough to be used unseen.
pub fn is_soft(sharpness: f32) -> bool {
    sharpness < SOFT_BELOW
}

/// True where the face is too dark.
pub fn is_dark(measures: &FaceMeasures) -> bool {
    measures.lightness < DARK_BELOW || measures.underexposed > BLACK_SHARE
}

/// True where parts of the face are burnt out to white.
pub fn is_burnt_out(measures: &FaceMeasures) -> bool {
    measures.overexposed > WHITE_SHARE
}

/// How sharp a face is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharpness {
    /// Below [`SOFT_BELOW`].
    Soft,
    /// Below [`SHARP_FROM`].
    Fair,
    /// From [`SHARP_FROM`] on.
    Sharp,
}

/// How a face is lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Light {
    /// Parts are white.
    BurntOut,
    /// Too dark.
    Dark,
    /// From [`BRIGHT_FROM`] on.
    Bright,
    /// None of the others.
    Good,
}

/// Where a face looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// At the camera: up to [`FRONTAL_YAW`].
    Frontal,
    /// Beside the camera.
    Aside,
    /// To the side: from [`PROFILE_YAW`] on.
    Profile,
}

impl Sharpness {
    /// Of the measure, 0 to 1.
    pub fn of(sharpness: f32) -> Self {
        match sharpness {
            s if is_soft(s) => Self::Soft,
            s if s < SHARP_FROM => Self::Fair,
            _ => Self::Sharp,
        }
    }

    /// The words used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Soft => "blurred",
            Self::Fair => "fairly sharp",
            Self::Sharp => "sharp",
        }
    }
}

impl Light {
    /// Of the measures of a face.
    pub fn of(measures: &FaceMeasures) -> Self {
        match measures.lightness {
            _ if is_burnt_out(measures) => Self::BurntOut,
            _ if is_dark(measures) => Self::Dark,
            l if l >= BRIGHT_FROM => Self::Bright,
            _ => Self::Good,
        }
    }

    /// The words used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::BurntOut => "overexposed",
            Self::Dark => "underexposed",
            Self::Bright => "bright",
            Self::Good => "well lit",
        }
    }
}

impl Facing {
    /// Of [`HeadEstimate::yaw`](geometry::HeadEstimate::yaw).
    pub fn of(yaw: f32) -> Self {
        match yaw.abs() {
            y if y <= FRONTAL_YAW => Self::Frontal,
            y if y < PROFILE_YAW => Self::Aside,
            _ => Self::Profile,
        }
    }

    /// The words used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Frontal => "frontal",
            Self::Aside => "turned aside",
            Self::Profile => "profile",
        }
    }
}

/// Share of the head, as a rectangle from chin to crown and from ear to ear, that lies outside a picture of `picture` pixels: 0 to
/// 1. 0 for a head that is not usable.
///
/// From [`CUT_OFF_FROM`] on the head counts as cut off.
pub fn share_cut_off(head: &Head, picture: Size) -> f32 {
    if !head.is_usable() {
        return 0.0;
    }
    let (up, half) = (head.up(), head.height() * HEAD_WIDTH / 2.0);
    let beside = |point: Point, by: f32| Point::new(point.x - up.y * by, point.y + up.x * by);
    let (crown, chin) = (head.crown(), head.chin());
    let corners = [beside(crown, -half), beside(crown, half), beside(chin, half), beside(chin, -half)];
    let all = f64::from(head.height()) * f64::from(half) * 2.0;
    let room = Rect::new(0.0, 0.0, picture.width as f32, picture.height as f32);
    let share = 1.0 - polygon_area(&clip_convex(&corners, &room.corners())) / all;
    if share.is_finite() { share.clamp(0.0, 1.0) as f32 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: Size = Size::new(200, 100);

    fn head(x: f32, y: f32, roll: f32) -> Head {
        Head { eyes: Point::new(x, y), eyes_to_crown: 20.0, eyes_to_chin: 20.0, roll }
    }

    fn measures(lightness: f32, underexposed: f32, overexposed: f32) -> FaceMeasures {
        FaceMeasures { sharpness: None, lightness, underexposed, overexposed, eyes_to_hair: None }
    }

    #[test]
    fn the_share_cut_off_is_that_of_the_head_itself_at_any_roll() {
        let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-3, "{a} is not {b}");
        near(share_cut_off(&head(100.0, 50.0, 33.0), PICTURE), 0.0);
        near(share_cut_off(&head(100.0, 10.0, 0.0), PICTURE), 0.25);
        near(share_cut_off(&head(100.0, 10.0, 180.0), PICTURE), 0.25);
        near(share_cut_off(&head(190.0, 50.0, 90.0), PICTURE), 0.25);
        // 28 pixels wide, half of which is beyond the left edge.
        near(share_cut_off(&head(0.0, 50.0, 0.0), PICTURE), 0.5);
        near(share_cut_off(&head(-500.0, 50.0, 0.0), PICTURE), 1.0);
        // Its middle is outside, and more than a quarter of it is not.
        near(share_cut_off(&head(100.0, -8.0, 0.0), PICTURE), 0.7);
        near(share_cut_off(&head(f32::NAN, 50.0, 0.0), PICTURE), 0.0);
    }

    #[test]
    fn words_change_where_the_constants_say() {
        assert_eq!([0.2, 0.6, 0.9].map(|measure| Sharpness::of(measure).id()), ["blurred", "fairly sharp", "sharp"]);
        assert_eq!([0.0, -0.4, 1.0].map(|yaw| Facing::of(yaw).id()), ["frontal", "turned aside", "profile"]);
        let light = [measures(0.1, 0.0, 0.0), measures(0.5, 0.0, 0.0), measures(0.9, 0.0, 0.0)];
        assert_eq!(light.map(|measures| Light::of(&measures).id()), ["underexposed", "well lit", "bright"]);
        assert_eq!(Light::of(&measures(0.5, 0.6, 0.0)), Light::Dark);
        assert_eq!(Light::of(&measures(0.5, 0.0, 0.2)), Light::BurntOut);
    }
}
