//! Where the hair ends against a plain background.

use geometry::{Head, Point, Rect};
use picture::Picture;

use super::patch::Patch;

// All lengths are in heights of the head, chin to crown; those along its axis are counted from the eye line up.

/// Samples a height.
const SAMPLES: f32 = 64.0;
/// Half the width of the band about the midline in which the top of the hair is looked for.
const BAND: f32 = 0.1;
/// From where on, to either side, there is background as well: further out than hair that is not worn long.
const BESIDE: (f32, f32) = (0.55, 0.8);
/// The rows in which the background is learned beside the head, and the highest that hair is looked for.
const FROM: f32 = 0.35;
const TO: f32 = 1.1;
/// Hair above the crown by less than this is within the error of the crown, and less than [`MIN`] is no hair but a
/// forehead that looks like the background.
const MIN: f32 = 0.32;
/// Rows that must show background above the hair, as a share of the height, or else something else may be there.
const CLEAR: f32 = 0.04;

/// A plain background differs from a slope of colour by at most this many steps of 255, in the mean of squares.
const PLAIN: f32 = 9.0;
/// What differs by more than this many times that, and this many steps, is not background.
const UNLIKE: f32 = 4.0;
const MIN_UNLIKE: f32 = 24.0;

/// Pixels of the upright picture from the eye line up to the top of the hair along the axis of `head`; `None` where the
/// background is not plain, where hair or something else reaches the picture's edge, or where no hair stands out.
pub(super) fn top(picture: &Picture, head: &Head) -> Option<f32> {
    let height = head.height();
    let reach = height * TO.hypot(BESIDE.1);
    let around = Rect::new(head.eyes.x - reach, head.eyes.y - reach, reach * 2.0, reach * 2.0);
    let patch = Patch::of(picture, around, SAMPLES / height)?;
    let (sin, cos) = head.roll.to_radians().sin_cos();
    let at = |across: f32, above: f32| {
        let (x, y) = (across * height, above * height);
        patch.at(Point::new(head.eyes.x + x * cos + y * sin, head.eyes.y + x * sin - y * cos))
    };
    let background = Background::learn(&at)?;
    let step = 1.0 / SAMPLES;
    let columns = (BAND * SAMPLES) as i32;
    // True where at least half of a row's pixels are hair; `None` past the picture's edge.
    let is_hair = |above: f32| {
        let mut unlike = 0;
        for column in -columns..=columns {
            let across = column as f32 * step;
            unlike += i32::from(background.is_unlike(at(across, above)?, across, above));
        }
        Some(2 * unlike > 2 * columns + 1)
    };
    let mut clear = 0.0;
    let mut above = TO;
    while above > MIN {
        match is_hair(above) {
            None => clear = 0.0,
            Some(false) => clear += step,
            // A row above that is clear makes this the top, if what is below is hair as well and not a wire or a bird.
            Some(true) if clear >= CLEAR => {
                let solid = (1..=4).all(|row| is_hair(above - row as f32 * step) == Some(true));
                if solid {
                    return Some((above + step / 2.0) * height);
                }
            }
            Some(true) => return None,
        }
        above -= step;
    }
    None
}

/// Where a colour was seen, across and above, and its red, green and blue.
type Sample = (f32, f32, [f32; 3]);

/// A background whose colour changes steadily from side to side and from top to bottom.
struct Background {
    /// For red, green and blue: the colour at the origin, and its change across and along.
    planes: [[f32; 3]; 3],
    /// Root of the mean square of what is left, in steps of 255.
    spread: f32,
}

impl Background {
    /// Learned beside the head and above it; `None` where too little of it is in the picture, or where it is not plain.
    fn learn(at: &impl Fn(f32, f32) -> Option<[f32; 3]>) -> Option<Self> {
        let step = 2.0 / SAMPLES;
        let rows = ((TO - FROM) / step) as i32;
        let columns = ((BESIDE.1 - BESIDE.0) / step) as i32;
        let mut samples = Vec::with_capacity((rows * columns * 2) as usize);
        let mut sides = [0; 2];
        for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
            for row in 0..rows {
                for column in 0..columns {
                    let (across, above) = (sign * (BESIDE.0 + column as f32 * step), FROM + row as f32 * step);
                    let Some(colour) = at(across, above) else { continue };
                    sides[side] += 1;
                    samples.push((across, above, colour));
                }
            }
        }
        // A quarter of either side must be seen: what is on one side alone may be a wall's edge.
        if sides.iter().any(|&pass_results| pass_results * 4 < rows * columns) {
            return None;
        }
        let mut background = Self::letterbox(&samples)?;
        // A shoulder, a lock of hair or a speck does not make a background other than plain.
        let before = samples.len();
        samples.retain(|&(across, above, colour)| {
            background.off(colour, across, above) < (2.5 * background.spread).max(12.0)
        });
        if samples.len() * 5 < before * 4 {
            return None;
        }
        background = Self::letterbox(&samples)?;
        (background.spread <= PLAIN).then_some(background)
    }

    fn letterbox(samples: &[Sample]) -> Option<Self> {
        let count = samples.len() as f64;
        let mean = |of: &dyn Fn(&Sample) -> f64| samples.iter().map(of).sum::<f64>() / count;
        let (mx, my) = (mean(&|s| s.0.into()), mean(&|s| s.1.into()));
        let (dx, dy) = (|s: &Sample| f64::from(s.0) - mx, |s: &Sample| f64::from(s.1) - my);
        let (xx, xy, yy) = (mean(&|s| dx(s) * dx(s)), mean(&|s| dx(s) * dy(s)), mean(&|s| dy(s) * dy(s)));
        let det = xx * yy - xy * xy;
        if count < 16.0 || det <= 1e-9 {
            return None;
        }
        let planes = std::array::from_fn(|channel| {
            let value = |s: &Sample| f64::from(s.2[channel]);
            let (middle, xc, yc) = (mean(&value), mean(&|s| dx(s) * value(s)), mean(&|s| dy(s) * value(s)));
            let (across, along) = ((xc * yy - yc * xy) / det, (yc * xx - xc * xy) / det);
            [(middle - across * mx - along * my) as f32, across as f32, along as f32]
        });
        let mut fitted = Self { planes, spread: 0.0 };
        fitted.spread =
            mean(&|&(across, above, colour)| f64::from(fitted.off(colour, across, above)).powi(2)).sqrt() as f32;
        Some(fitted)
    }

    /// How far a colour is from the background's, in steps of 255.
    fn off(&self, colour: [f32; 3], across: f32, above: f32) -> f32 {
        let square =
            |([start, by_x, by_y], value): (&[f32; 3], f32)| (start + by_x * across + by_y * above - value).powi(2);
        self.planes.iter().zip(colour).map(square).sum::<f32>().sqrt()
    }

    fn is_unlike(&self, colour: [f32; 3], across: f32, above: f32) -> bool {
        self.off(colour, across, above) > (self.spread * UNLIKE).max(MIN_UNLIKE)
    }
}
