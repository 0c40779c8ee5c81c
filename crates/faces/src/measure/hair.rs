//! The top of the hair against a plain background.

use geometry::{Head, Point, Rect};
use picture::Picture;

use super::patch::Patch;

// All lengths are in head heights (chin to crown); those along the head's axis are measured upwards from the eye line.

/// Samples for each head height.
const SAMPLES: f32 = 64.0;
/// Half the width of the strip around the midline in which the top of the hair is searched.
const HALF_WIDTH: f32 = 0.1;
/// Distances from the midline of the background samples on either side: beyond all but long hair.
const BESIDE: (f32, f32) = (0.55, 0.8);
/// Lowest and highest row of the background samples; the hair is searched up to [`TO`].
const FROM: f32 = 0.35;
const TO: f32 = 1.1;
/// Hair less than this far above the eye line is not reported: it is within the error of the crown, or a forehead with
/// the background's colour.
const MIN: f32 = 0.32;
/// Height of the background rows required above the hair; with fewer, another object may be above the head.
const MIN_CLEAR: f32 = 0.04;

/// Maximum RMS deviation, in steps of 255, of a plain background from a linear colour gradient.
const MAX_SPREAD: f32 = 9.0;
/// A pixel is foreground if it deviates by more than [`FOREGROUND_FACTOR`] times that RMS and by more than
/// [`MIN_FOREGROUND`] steps.
const FOREGROUND_FACTOR: f32 = 4.0;
const MIN_FOREGROUND: f32 = 24.0;

/// Distance in pixels of the upright image from the eye line to the top of the hair along the axis of `head`. `None` if
/// the background is not plain, if hair or another object reaches the image's edge, or if no hair is visible above the
/// forehead.
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
    let background = Background::estimate(&at)?;
    let step = 1.0 / SAMPLES;
    let columns = (HALF_WIDTH * SAMPLES) as i32;
    // True if at least half of a row's pixels are hair; `None` outside the image.
    let is_hair = |above: f32| {
        let mut foreground = 0;
        for column in -columns..=columns {
            let across = column as f32 * step;
            foreground += i32::from(background.is_foreground(at(across, above)?, across, above));
        }
        Some(2 * foreground > 2 * columns + 1)
    };
    let mut clear = 0.0;
    let mut above = TO;
    while above > MIN {
        match is_hair(above) {
            None => clear = 0.0,
            Some(false) => clear += step,
            // With clear rows above, this row is the top, provided the rows below are hair as well and not a thin
            // object.
            Some(true) if clear >= MIN_CLEAR => {
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

/// Position (across, above) of a sample and its red, green and blue.
type Sample = (f32, f32, [f32; 3]);

/// A background as a linear colour gradient.
struct Background {
    /// For red, green and blue: the value at the origin and the slopes across and along.
    planes: [[f32; 3]; 3],
    /// RMS of the residuals, in steps of 255.
    spread: f32,
}

impl Background {
    /// Fits the gradient to samples beside and above the head; `None` if too few of them are in the image, or if the
    /// background is not plain.
    fn estimate(at: &impl Fn(f32, f32) -> Option<[f32; 3]>) -> Option<Self> {
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
        // At least a quarter of the samples on either side must be in the image: one side alone may show the edge of a
        // wall.
        if sides.iter().any(|&count| count * 4 < rows * columns) {
            return None;
        }
        let mut background = Self::fit(&samples)?;
        // Discards outliers such as a shoulder, a lock of hair or a speck, then fits again.
        let before = samples.len();
        samples.retain(|&(across, above, colour)| {
            background.off(colour, across, above) < (2.5 * background.spread).max(12.0)
        });
        if samples.len() * 5 < before * 4 {
            return None;
        }
        background = Self::fit(&samples)?;
        (background.spread <= MAX_SPREAD).then_some(background)
    }

    fn fit(samples: &[Sample]) -> Option<Self> {
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

    /// Distance of a colour from the background's, in steps of 255.
    fn off(&self, colour: [f32; 3], across: f32, above: f32) -> f32 {
        let square =
            |([start, by_x, by_y], value): (&[f32; 3], f32)| (start + by_x * across + by_y * above - value).powi(2);
        self.planes.iter().zip(colour).map(square).sum::<f32>().sqrt()
    }

    fn is_foreground(&self, colour: [f32; 3], across: f32, above: f32) -> bool {
        self.off(colour, across, above) > (self.spread * FOREGROUND_FACTOR).max(MIN_FOREGROUND)
    }
}
