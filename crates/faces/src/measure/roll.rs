//! In-plane rotation (roll) of a head, from the mirror symmetry of its face.

use geometry::{Face, HeadDoubt, HeadEstimate, Landmark, Point, Rect, estimate_head};
use picture::Picture;

use super::patch::{LogLuma, Patch};

// All lengths are in units of about the distance between the eyes. The origin is half way between eyes and mouth.

/// Extent of the window, brow to chin: to either side, up and down.
const BESIDE: f32 = 0.85;
const ABOVE: f32 = 0.92;
const BELOW: f32 = 0.88;
/// Maximum distance of the mirror axis from the centre of the landmarks.
const SHIFT: f32 = 0.31;

/// Samples for each unit, in the coarse and in the fine search.
const COARSE: f32 = 16.0;
const FINE: f32 = 24.0;
/// Angle step of the coarse search in degrees.
const STEP: f32 = 3.0;
/// Steps on either side of the landmarks' roll that are tried first, and the score at which the search stops there.
/// Upright faces reach it, which saves most of the time.
const NEAR: i32 = 3;
const SURE: f32 = 0.6;
/// A second peak is refined as well if its score is lower by less than this.
const RIVAL: f32 = 0.25;
/// Half range of the fine search around a peak in degrees, in steps of 1.
const AROUND: i32 = 3;

/// Maximum degrees by which the tilt may exceed, or fall short of, that of the landmarks: the network reports only a
/// part of a head's tilt (a tenth for small faces), and exceeds it only by noise.
const MAX_MORE: f32 = 50.0;
const MAX_LESS: f32 = 10.0;
/// Below this tilt in degrees the sign of the landmarks' tilt is not reliable.
const SIDE_KNOWN: f32 = 3.0;

/// Penalties for an angle that differs from the landmarks by [`MAX_MORE`], and for a shift of one unit.
const ROTATION_PENALTY: f32 = 0.15;
const SHIFT_PENALTY: f32 = 0.5;

/// Minimum scores for rotating the landmarks: share of horizontal structure, and sum with the symmetry.
const MIN_LEVEL: f32 = 0.12;
const MIN_SUM: f32 = 0.4;

/// Above this yaw a higher sum is required: the nose may point aside because of the tilt alone, or because the face is
/// turned.
const TURNED_YAW: f32 = 0.5;
const MIN_SUM_TURNED: f32 = 0.6;
/// Minimum distance between the eyes as a share of their distance from the mouth; below it the face is a profile, which
/// has no symmetry.
const MIN_EYE_DISTANCE: f32 = 0.5;
/// Minimum image pixels for each unit.
const MIN_PIXELS: f32 = 8.0;

/// Rotates the landmarks of `face` to the axis shown by its pixels; leaves them unchanged if there is no clear axis.
pub(super) fn align_landmarks(picture: &Picture, face: &mut Face) {
    let estimate = estimate_head(&Face { head: None, ..*face });
    if estimate.doubt == Some(HeadDoubt::Landmarks) {
        return;
    }
    let min_sum = if estimate.yaw.abs() > TURNED_YAW { MIN_SUM_TURNED } else { MIN_SUM };
    let Some(found) = Search::new(picture, face, &estimate).and_then(|search| search.run(min_sum)) else { return };
    let turn = (found.roll - estimate.head.roll).to_radians();
    let (sin, cos) = turn.sin_cos();
    for point in &mut face.landmarks {
        let (x, y) = (point.x - estimate.head.eyes.x, point.y - estimate.head.eyes.y);
        *point = Point::new(found.eyes.x + x * cos - y * sin, found.eyes.y + x * sin + y * cos);
    }
}

/// The measured axis of a face.
struct FaceAxis {
    roll: f32,
    eyes: Point,
}

struct Search {
    luma: LogLuma,
    /// The origin in the upright image.
    center: Point,
    /// Image pixels for each unit.
    unit: f32,
    /// Eye center and roll from the landmarks.
    eyes: Point,
    roll: f32,
}

/// The score of one angle and one shift of the mirror axis.
#[derive(Clone, Copy)]
struct MirrorFit {
    roll: f32,
    shift: f32,
    /// Share of the structure that is horizontal across the whole face, such as brows, eyes and mouth.
    level: f32,
    /// Horizontal structure plus symmetry, -1 to 2, minus the penalties.
    total: f32,
    sum: f32,
}

impl Search {
    fn new(picture: &Picture, face: &Face, estimate: &HeadEstimate) -> Option<Self> {
        let [right, left] = [face.landmark(Landmark::RightMouthCorner), face.landmark(Landmark::LeftMouthCorner)];
        let (eyes, mouth) = (face.eye_center(), right.midpoint(left));
        let apart = face.landmark(Landmark::RightEye).distance(face.landmark(Landmark::LeftEye));
        let down = eyes.distance(mouth);
        if apart < down * MIN_EYE_DISTANCE {
            return None;
        }
        let unit = f32::midpoint(apart, down);
        let reduction = picture.place.reduction.max(1) as f32;
        if unit.is_nan() || unit / reduction < MIN_PIXELS {
            return None;
        }
        let center = eyes.midpoint(mouth);
        let reach = unit * (BESIDE + SHIFT + 0.1).hypot(ABOVE + 0.1);
        let part = Rect::new(center.x - reach, center.y - reach, reach * 2.0, reach * 2.0);
        let luma = Patch::of(picture, part, FINE / unit)?.log_luma();
        Some(Self { luma, center, unit, eyes, roll: estimate.head.roll })
    }

    fn run(&self, min_sum: f32) -> Option<FaceAxis> {
        let peaks = self.peaks()?;
        let fits = peaks.into_iter().flatten().filter_map(|peak| self.fine(&peak));
        let fit = fits.reduce(|a, b| if b.total > a.total { b } else { a })?;
        if fit.level < MIN_LEVEL || fit.sum < min_sum {
            return None;
        }
        let (sin, cos) = fit.roll.to_radians().sin_cos();
        let off = fit.shift * self.unit;
        let middle = Point::new(self.center.x + cos * off, self.center.y + sin * off);
        // The landmarks give the height of the eyes reliably, the mirror axis gives the direction.
        let above = (self.eyes.x - middle.x) * sin - (self.eyes.y - middle.y) * cos;
        Some(FaceAxis { roll: fit.roll, eyes: Point::new(middle.x + sin * above, middle.y - cos * above) })
    }

    /// The best peak of the coarse search, and the best one far from it if its score is close.
    fn peaks(&self) -> Option<[Option<MirrorFit>; 2]> {
        let tilt = self.roll - (self.roll / 90.0).round() * 90.0;
        let side = if tilt < 0.0 { -1.0 } else { 1.0 };
        let unsure = (1.0 - tilt.abs() / SIDE_KNOWN).max(0.0);
        let less = MAX_LESS + (MAX_MORE - MAX_LESS) * unsure;
        let shifts: [i32; 11] = std::array::from_fn(|i| i as i32 - 5);
        let at = |step: i32| self.fits(self.roll + side * step as f32 * STEP, COARSE, &shifts);
        let near: Vec<MirrorFit> = (-NEAR..=NEAR).flat_map(at).collect();
        let best = highest(near.iter())?;
        let inside = (best.roll - self.roll).abs() < (NEAR as f32 - 0.5) * STEP;
        if inside && best.sum >= SURE {
            return Some([Some(best), None]);
        }
        let (first, last) = ((-less / STEP).ceil() as i32, (MAX_MORE / STEP) as i32);
        let all: Vec<MirrorFit> = near.into_iter().chain((first..-NEAR).chain(NEAR + 1..=last).flat_map(at)).collect();
        let best = highest(all.iter())?;
        let rival = |fit: &&MirrorFit| (fit.roll - best.roll).abs() > 10.0 && fit.total > best.total - RIVAL;
        Some([Some(best), highest(all.iter().filter(rival))])
    }

    /// The best fit near `peak`, interpolated between whole degrees.
    fn fine(&self, peak: &MirrorFit) -> Option<MirrorFit> {
        let middle = (peak.shift * FINE).round() as i32;
        let shifts = [middle - 1, middle, middle + 1];
        let angles = -AROUND..=AROUND;
        let best: Vec<MirrorFit> =
            angles.filter_map(|by| highest(self.fits(peak.roll + by as f32, FINE, &shifts).iter())).collect();
        let index = (0..best.len()).reduce(|a, b| if best[b].total > best[a].total { b } else { a })?;
        let mut fit = best[index];
        // Vertex of the parabola through the maximum and its neighbours.
        if index > 0 && index + 1 < best.len() {
            let (a, b, c) = (best[index - 1].total, fit.total, best[index + 1].total);
            let bend = a - 2.0 * b + c;
            if bend < 0.0 {
                fit.roll += ((a - c) / (2.0 * bend)).clamp(-0.5, 0.5);
            }
        }
        Some(fit)
    }

    /// Scores of a mirror axis rotated by `roll`, for each shift in samples.
    fn fits(&self, roll: f32, samples: f32, shifts: &[i32]) -> Vec<MirrorFit> {
        let window = Window::new(self, roll, samples, shifts);
        let rotation_penalty = (roll - self.roll).abs() / MAX_MORE * ROTATION_PENALTY;
        let fit = |&shift: &i32| {
            let (level, mirrored) = window.scores(shift);
            let shift = shift as f32 / samples;
            let sum = level + mirrored;
            MirrorFit { roll, shift, level, sum, total: sum - rotation_penalty - shift.abs() * SHIFT_PENALTY }
        };
        shifts.iter().map(fit).collect()
    }
}

fn highest<'a>(fits: impl Iterator<Item = &'a MirrorFit>) -> Option<MirrorFit> {
    fits.copied().filter(|fit| fit.total.is_finite()).reduce(|a, b| if b.total > a.total { b } else { a })
}

/// The face rotated upright by a roll: horizontal and vertical gradients, row by row.
struct Window {
    gradients: Vec<(f32, f32)>,
    columns: usize,
    /// Columns on either side of the axis, and the column of the unshifted axis.
    half: usize,
    middle: usize,
    weights: Vec<f32>,
}

impl Window {
    fn new(search: &Search, roll: f32, samples: f32, shifts: &[i32]) -> Self {
        let max = shifts.iter().map(|shift| shift.unsigned_abs() as usize).max().unwrap_or(0);
        let half = (BESIDE * samples).round() as usize;
        let middle = half + max;
        let columns = 2 * middle + 1;
        let (above, below) = ((ABOVE * samples).round() as i32, (BELOW * samples).round() as i32);
        let (sin, cos) = roll.to_radians().sin_cos();
        let step = search.unit / samples * search.luma.scale();
        let (x, y) = search.luma.place_of(search.center);
        // One more sample on every side, for the gradients.
        let wide = columns + 2;
        let value = |column: usize, row: i32| {
            let (across, down) = ((column as f32 - (middle + 1) as f32) * step, row as f32 * step);
            search.luma.between(x + across * cos - down * sin, y + across * sin + down * cos)
        };
        let values: Vec<f32> = (-above - 1..=below + 1)
            .flat_map(|row| (0..wide).map(move |column| (column, row)))
            .map(|(c, r)| value(c, r))
            .collect();
        let rows = values.len() / wide;
        let mut gradients = Vec::with_capacity(columns * rows);
        for row in 1..rows - 1 {
            let (upper, here, lower) =
                (&values[(row - 1) * wide..], &values[row * wide..], &values[(row + 1) * wide..]);
            gradients.extend((1..=columns).map(|c| (here[c + 1] - here[c - 1], lower[c] - upper[c])));
        }
        // The center of the face has the largest weight: hair and background appear at the sides first.
        let weight = |column: usize| {
            let off = (column as f32 - half as f32) / half as f32;
            (-1.5 * off * off).exp()
        };
        let weights: Vec<f32> = (0..=2 * half).map(weight).collect();
        let sum: f32 = weights.iter().sum();
        Self { gradients, columns, half, middle, weights: weights.iter().map(|w| w / sum).collect() }
    }

    /// Share of horizontal structure, and symmetry of both sides, -1 to 1.
    fn scores(&self, shift: i32) -> (f32, f32) {
        let first = (self.middle as i32 + shift) as usize - self.half;
        let (mut level, mut mirrored, mut all) = (0.0_f32, 0.0_f32, 1e-9_f32);
        for row in self.gradients.chunks_exact(self.columns) {
            let row = &row[first..=first + 2 * self.half];
            let mut mean = 0.0;
            for ((&(across, down), &(mirrored_across, mirrored_down)), weight) in
                row.iter().zip(row.iter().rev()).zip(&self.weights)
            {
                mean += down * weight;
                all += (across * across + down * down) * weight;
                mirrored += (down * mirrored_down - across * mirrored_across) * weight;
            }
            level += mean * mean;
        }
        (level / all, mirrored / all)
    }
}
