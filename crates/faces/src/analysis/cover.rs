//! Whether something hides an eye: glasses, hair, a hat, a hand.
//!
//! A visible eye has dark parts (pupil, lashes) in lighter surroundings of skin. The limits were set on drawn covers over 75
//! faces and checked on real ones: see `docs/dev/measurements.md`.

use geometry::Point;

use super::eyes::{CUT, INPUT, Lids};
use super::skin::{self, SKIN_HUE, Skin};

/// The darkest part of a visible eye, as a share of the luminance of the skin below it, is below this ..
const MAX_DARKEST: f32 = 0.36;
/// .. and the luminance varies at least this much, as a standard deviation over the mean.
const MIN_VARIATION: f32 = 0.25;
/// Logarithm of the ratio of white to iris from which an eye is certainly visible.
const VISIBLE_IRIS: f32 = 0.4;
/// Surroundings darker than this share of the skin hide the eye.
const MIN_SURROUNDINGS: f32 = 0.2;
/// Share of skin in the surroundings below which something lies over them, if at least [`MIN_GROUPS`] groups of landmarks
/// agree on the skin.
const MIN_SKIN: f32 = 0.1;
const MIN_GROUPS: usize = 3;
/// Share of skin below a narrow eye that explains its lack of contrast: the eye is closed.
const CLOSED_SKIN: f32 = 0.5;
/// Luminance below and around an eye behind dark glasses: of either eye, and of the mean if both eyes are hidden.
const DARK: f32 = 0.35;
const DARK_MEAN: f32 = 0.45;

/// Pixels of the cut for the distance of the corners of the eye.
const UNIT: f32 = INPUT as f32 / CUT;

/// What lies over an eye. Luminances are shares of that of the skin below the eye.
pub(super) struct Cover {
    /// 1 minus the luminance of the darkest part of the eye.
    pub(super) contrast: f32,
    pub(super) is_hidden: bool,
    /// Median luminance below the eye.
    below: f32,
    /// Median luminance around the eye.
    around: f32,
}

impl Cover {
    /// True if what hides the eyes is dark, and the forehead is visible.
    pub(super) fn are_dark_glasses([right, left]: &[Self; 2], skin: &Skin) -> bool {
        let both_dark = [right, left].iter().all(|cover| cover.below < DARK && cover.around < DARK);
        let both_hidden = right.is_hidden && left.is_hidden;
        let is_dark = both_dark || (both_hidden && f32::midpoint(right.around, left.around) < DARK_MEAN);
        skin.forehead && (right.is_hidden || left.is_hidden) && is_dark
    }
}

/// Luminance and skin of the pixels in one part of the cut.
#[derive(Default)]
struct Part {
    luminance: Vec<f32>,
    skin: usize,
}

impl Part {
    fn add(&mut self, luminance: f32, is_skin: bool) {
        self.luminance.push(luminance);
        self.skin += usize::from(is_skin);
    }

    fn skin_share(&self) -> f32 {
        self.skin as f32 / self.luminance.len().max(1) as f32
    }

    fn percentile(&self, share: f32) -> f32 {
        skin::percentile(self.luminance.clone(), share)
    }

    fn mean(&self) -> f32 {
        self.luminance.iter().sum::<f32>() / self.luminance.len().max(1) as f32
    }

    /// Standard deviation over the mean.
    fn variation(&self) -> f32 {
        let mean = self.mean();
        let square = |value: &f32| (value - mean).powi(2);
        let variance = self.luminance.iter().map(square).sum::<f32>() / self.luminance.len().max(1) as f32;
        variance.sqrt() / mean.max(0.02)
    }
}

/// Measures what lies over the eye of `lids`; `eye` is 0 for the person's right eye, and `is_narrow` is true if the eyes are
/// closed or nearly so.
pub(super) fn measure(lids: &Lids, skin: &Skin, eye: usize, is_narrow: bool) -> Cover {
    let reference = skin.below_eyes[eye].exp();
    let radius = lids.iris[1..].iter().map(|point| point.distance(lids.iris[0])).sum::<f32>() / 4.0;
    let [mut below, mut around, mut inner, mut white, mut iris] = [(); 5].map(|()| Part::default());
    for (index, &[red, green, blue, _]) in lids.samples.iter().enumerate() {
        let point = Point::new((index as u32 % INPUT) as f32 + 0.5, (index as u32 / INPUT) as f32 + 0.5);
        let middle = INPUT as f32 / 2.0;
        let (u, v) = ((point.x - middle) / UNIT, (point.y - middle) / UNIT);
        // No part reaches further.
        if u.abs() > 0.8 || v.abs() > 0.55 {
            continue;
        }
        let tone = skin::tone([red, green, blue].map(|value| skin::linear(value) + skin::FLOOR));
        let luminance = tone[0].exp() / reference;
        let is_skin = (tone[1] - skin.tone[1]).abs() < SKIN_HUE[0]
            && (tone[2] - skin.tone[2]).abs() < SKIN_HUE[1]
            && (0.2..2.5).contains(&luminance);
        let in_ellipse = |width: f32, height: f32| (u / width).powi(2) + (v / height).powi(2) < 1.0;
        if (0.28..0.5).contains(&v) && u.abs() < 0.45 {
            below.add(luminance, is_skin);
        }
        if in_ellipse(0.8, 0.55) && !in_ellipse(0.55, 0.28) {
            around.add(luminance, is_skin);
        }
        if in_ellipse(0.5, 0.24) {
            inner.add(luminance, is_skin);
        }
        let from_iris = point.distance(lids.iris[0]);
        if from_iris < 0.8 * radius && is_inside(point, &lids.outline) {
            iris.add(luminance, is_skin);
        } else if from_iris > 1.15 * radius && is_inside(point, &lids.outline) {
            white.add(luminance, is_skin);
        }
    }
    let both_seen = iris.luminance.len() > 5 && white.luminance.len() > 5;
    let iris_contrast = if both_seen { ((white.mean() + 0.02) / (iris.mean() + 0.02)).ln() } else { 0.0 };
    let below_median = below.percentile(0.5);
    let darkest = inner.percentile(0.05) / below_median.max(0.01);
    let is_flat = darkest > MAX_DARKEST || inner.variation() < MIN_VARIATION;
    let is_closed = is_narrow && below.skin_share() > CLOSED_SKIN;
    let no_iris = iris_contrast < VISIBLE_IRIS;
    let is_dark = around.percentile(0.75) < MIN_SURROUNDINGS;
    let no_skin = skin.groups >= MIN_GROUPS && around.skin_share() < MIN_SKIN && below.skin_share() < MIN_SKIN;
    Cover {
        contrast: (1.0 - darkest).clamp(0.0, 1.0),
        is_hidden: (is_flat && no_iris && !is_closed) || (is_dark && no_iris) || no_skin,
        below: below_median,
        around: around.percentile(0.5),
    }
}

/// True if `point` is inside the outline: along one lid and back along the other.
fn is_inside(point: Point, outline: &[Point; 16]) -> bool {
    let corner = |index: usize| if index <= 8 { outline[index] } else { outline[24 - index] };
    let mut inside = false;
    for index in 0..16 {
        let (a, b) = (corner(index), corner((index + 1) % 16));
        let crosses = (a.y > point.y) != (b.y > point.y);
        if crosses && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x {
            inside = !inside;
        }
    }
    inside
}
