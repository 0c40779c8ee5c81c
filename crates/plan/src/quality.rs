//! Thresholds and labels of the measurements of a face.

use geometry::{FaceMeasures, Head, HeadEstimate, Point, Rect, Size, clip_convex, polygon_area};

/// Sharpness below which a face is blurred. Portraits in focus measure 0.85 to 1; blurred by a Gaussian of 1 % of the
/// face's height, or enlarged from a face of 40 pixels, 0.6; by one of 1.5 %, which is visible at any size, 0.4.
pub const BLURRED_BELOW: f32 = 0.5;

/// Sharpness from which a face counts as sharp: a Gaussian of 0.5 % of the face's height leaves 0.75 to 0.88.
pub const SHARP_FROM: f32 = 0.75;

/// Mean lightness below which a face is underexposed. Well lit skin of the darkest tones has an L* of about 30, so a
/// well lit face is never below it.
pub const UNDEREXPOSED_BELOW: f32 = 0.25;

/// Mean lightness from which a face counts as bright: the lightest skin, well lit, has an L* of about 75.
pub const BRIGHT_FROM: f32 = 0.8;

/// Maximum share of black or nearly black pixels; above it a face is underexposed regardless of its mean lightness,
/// since half of it is in deep shade.
pub const MAX_UNDEREXPOSED_SHARE: f32 = 0.5;

/// Maximum share of white or nearly white pixels; above it a face is overexposed. Reflections on forehead and nose take
/// less.
pub const MAX_OVEREXPOSED_SHARE: f32 = 0.1;

/// Absolute yaw in degrees up to which a face counts as frontal.
pub const FRONTAL_YAW: f32 = 10.0;

/// Absolute yaw in degrees from which a face counts as a profile.
pub const PROFILE_YAW: f32 = HeadEstimate::PROFILE_YAW;

/// Share of a head outside the image from which it counts as cut off; less is within the error of the estimate.
pub const CUT_OFF_FROM: f32 = 0.05;

/// Width of a head, ear to ear, as a share of its height from chin to crown.
pub const HEAD_WIDTH: f32 = 0.7;

/// True if a face of this sharpness should be reviewed.
pub fn is_blurred(sharpness: f32) -> bool {
    sharpness < BLURRED_BELOW
}

/// True if the face is underexposed.
pub fn is_underexposed(measures: &FaceMeasures) -> bool {
    measures.lightness < UNDEREXPOSED_BELOW || measures.underexposed > MAX_UNDEREXPOSED_SHARE
}

/// True if parts of the face are overexposed.
pub fn is_overexposed(measures: &FaceMeasures) -> bool {
    measures.overexposed > MAX_OVEREXPOSED_SHARE
}

/// Label of the sharpness, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sharpness {
    /// Below [`BLURRED_BELOW`].
    Blurred,
    /// Below [`SHARP_FROM`].
    Fair,
    /// At least [`SHARP_FROM`].
    Sharp,
}

/// Label of the exposure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Light {
    /// Too many white pixels, see [`MAX_OVEREXPOSED_SHARE`].
    Overexposed,
    /// Too dark, see [`is_underexposed`].
    Underexposed,
    /// At least [`BRIGHT_FROM`].
    Bright,
    /// None of the others.
    Good,
}

/// Label of the yaw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// Up to [`FRONTAL_YAW`].
    Frontal,
    /// Between frontal and profile.
    Turned,
    /// At least [`PROFILE_YAW`].
    Profile,
}

impl Sharpness {
    /// The label of a sharpness, 0 to 1.
    pub fn of(sharpness: f32) -> Self {
        match sharpness {
            s if is_blurred(s) => Self::Blurred,
            s if s < SHARP_FROM => Self::Fair,
            _ => Self::Sharp,
        }
    }

    /// The label used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Blurred => "blurred",
            Self::Fair => "fairly sharp",
            Self::Sharp => "sharp",
        }
    }
}

impl Light {
    /// The label of a face's measures.
    pub fn of(measures: &FaceMeasures) -> Self {
        match measures.lightness {
            _ if is_overexposed(measures) => Self::Overexposed,
            _ if is_underexposed(measures) => Self::Underexposed,
            l if l >= BRIGHT_FROM => Self::Bright,
            _ => Self::Good,
        }
    }

    /// The label used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Overexposed => "overexposed",
            Self::Underexposed => "underexposed",
            Self::Bright => "bright",
            Self::Good => "well lit",
        }
    }
}

impl Facing {
    /// The label of a [`HeadEstimate::yaw`](geometry::HeadEstimate::yaw).
    pub fn of(yaw: f32) -> Self {
        match yaw.abs() {
            y if y <= FRONTAL_YAW => Self::Frontal,
            y if y < PROFILE_YAW => Self::Turned,
            _ => Self::Profile,
        }
    }

    /// The label used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Frontal => "frontal",
            Self::Turned => "turned",
            Self::Profile => "profile",
        }
    }
}

/// Share of the head, 0 to 1, outside an image of `picture` pixels. The head is a rectangle from chin to crown and from
/// ear to ear. 0 for a head that is not usable.
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
    let image = Rect::new(0.0, 0.0, picture.width as f32, picture.height as f32);
    let share = 1.0 - polygon_area(&clip_convex(&corners, &image.corners())) / all;
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
        FaceMeasures { sharpness: None, lightness, underexposed, overexposed }
    }

    #[test]
    fn the_share_cut_off_is_that_of_the_head_at_any_roll() {
        let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-3, "{a} is not {b}");
        near(share_cut_off(&head(100.0, 50.0, 33.0), PICTURE), 0.0);
        near(share_cut_off(&head(100.0, 10.0, 0.0), PICTURE), 0.25);
        near(share_cut_off(&head(100.0, 10.0, 180.0), PICTURE), 0.25);
        near(share_cut_off(&head(190.0, 50.0, 90.0), PICTURE), 0.25);
        // 28 pixels wide, half of them beyond the left edge.
        near(share_cut_off(&head(0.0, 50.0, 0.0), PICTURE), 0.5);
        near(share_cut_off(&head(-500.0, 50.0, 0.0), PICTURE), 1.0);
        // Its center is outside, but more than a quarter of it is inside.
        near(share_cut_off(&head(100.0, -8.0, 0.0), PICTURE), 0.7);
        near(share_cut_off(&head(f32::NAN, 50.0, 0.0), PICTURE), 0.0);
    }

    #[test]
    fn labels_change_at_the_thresholds() {
        assert_eq!([0.2, 0.6, 0.9].map(|measure| Sharpness::of(measure).id()), ["blurred", "fairly sharp", "sharp"]);
        assert_eq!([10.0, -11.0, 24.0].map(|yaw| Facing::of(yaw).id()), ["frontal", "turned", "profile"]);
        let light = [measures(0.1, 0.0, 0.0), measures(0.5, 0.0, 0.0), measures(0.9, 0.0, 0.0)];
        assert_eq!(light.map(|measures| Light::of(&measures).id()), ["underexposed", "well lit", "bright"]);
        assert_eq!(Light::of(&measures(0.5, 0.6, 0.0)), Light::Underexposed);
        assert_eq!(Light::of(&measures(0.5, 0.0, 0.2)), Light::Overexposed);
    }
}
