//! The way a head is turned, from the mirror symmetry of its face.

use geometry::{Face, HeadDoubt, HeadEstimate, Landmark, Point, Rect, estimate_head};
use picture::Picture;

use super::patch::{LogLuma, Patch};

// All lengths are in units of about the distance between the eyes, and the origin is half way from the eyes to the mouth.

/// How far the window, which shows brow to chin, reaches to either side, up and down.
const BESIDE: f32 = 0.85;
const ABOVE: f32 = 0.92;
const BELOW: f32 = 0.88;
/// How far the mirror may be off the landmarks' middle.
const SHIFT: f32 = 0.31;

/// Samples a unit in the first search and in the second.
const COARSE: f32 = 16.0;
const FINE: f32 = 24.0;
/// Degrees between the angles of the first search.
const STEP: f32 = 3.0;
/// Steps to either side of the landmarks' roll that are tried first, and the sum from which on no other is looked for: that
/// is what upright faces have, and it saves most of the time.
const NEAR: i32 = 3;
const SURE: f32 = 0.6;
/// A second peak is looked at as well where it is lower by less than this.
const RIVAL: f32 = 0.25;
/// Degrees to either side of a peak in the second search, in steps of one.
const AROUND: i32 = 3;

/// Degrees by which the tilt may be more than the landmarks say, and less: the network gives a tilted head with a part of
/// its tilt (small faces with a tenth), never with more than noise adds.
const MAX_MORE: f32 = 50.0;
const MAX_LESS: f32 = 10.0;
/// Below this tilt in degrees, its side is not known either.
const SIDE_KNOWN: f32 = 3.0;

/// What a turn away from the landmarks by [`MAX_MORE`] costs, and a shift by one unit.
const COST_OF_TURN: f32 = 0.15;
const COST_OF_SHIFT: f32 = 0.5;

/// Below these a face is not symmetrical enough to be turned by it.
const MIN_LEVEL: f32 = 0.12;
const MIN_SUM: f32 = 0.4;

/// A face whose nose seems to point aside by more than this yaw must be more symmetrical than others before it is believed
/// that it does so for its tilt alone.
const ASIDE_YAW: f32 = 0.5;
const MIN_SUM_ASIDE: f32 = 0.6;
/// Eyes nearer to each other than this share of their distance from the mouth are those of a profile, which has no mirror.
const MIN_APART: f32 = 0.5;
/// Fewer pixels of the picture between the eyes do not show a face's axis.
const MIN_PIXELS: f32 = 8.0;

/// Turns the landmarks of `face` to the axis that its pixels show; leaves them where they show none.
pub(super) fn turn_landmarks(picture: &Picture, face: &mut Face) {
    let estimate = estimate_head(&Face { head: None, ..*face });
    if estimate.doubt == Some(HeadDoubt::Landmarks) {
        return;
    }
    let min_sum = if estimate.yaw.abs() > ASIDE_YAW { MIN_SUM_ASIDE } else { MIN_SUM };
    let Some(found) = Search::new(picture, face, &estimate).and_then(|search| search.run(min_sum)) else { return };
    let turn = (found.roll - estimate.head.roll).to_radians();
    let (sin, cos) = turn.sin_cos();
    for point in &mut face.landmarks {
        let (x, y) = (point.x - estimate.head.eyes.x, point.y - estimate.head.eyes.y);
        *point = Point::new(found.eyes.x + x * cos - y * sin, found.eyes.y + x * sin + y * cos);
    }
}

/// Where the face's axis is.
struct Found {
    roll: f32,
    eyes: Point,
}

struct Search {
    luma: LogLuma,
    /// The origin, in the upright picture.
    center: Point,
    /// Pixels of the upright picture a unit.
    unit: f32,
    /// Where the eyes are and how the head is turned, as the landmarks say.
    eyes: Point,
    roll: f32,
}

/// How well a turn and a shift of the mirror fit.
#[derive(Clone, Copy)]
struct Letterbox {
    roll: f32,
    shift: f32,
    /// Share of the structure that runs level across the whole face, as brows, eyes and mouth do.
    level: f32,
    /// Level structure and symmetry, -1 to 2, less what the turn and the shift cost.
    total: f32,
    sum: f32,
}

impl Search {
    fn new(picture: &Picture, face: &Face, estimate: &HeadEstimate) -> Option<Self> {
        let [right, left] = [face.landmark(Landmark::RightMouthCorner), face.landmark(Landmark::LeftMouthCorner)];
        let (eyes, mouth) = (face.eye_center(), right.midpoint(left));
        let apart = face.landmark(Landmark::RightEye).distance(face.landmark(Landmark::LeftEye));
        let down = eyes.distance(mouth);
        if apart < down * MIN_APART {
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

    fn run(&self, min_sum: f32) -> Option<Found> {
        let peaks = self.peaks()?;
        let fits = peaks.into_iter().flatten().filter_map(|peak| self.fine(&peak));
        let letterbox = fits.reduce(|a, b| if b.total > a.total { b } else { a })?;
        if letterbox.level < MIN_LEVEL || letterbox.sum < min_sum {
            return None;
        }
        let (sin, cos) = letterbox.roll.to_radians().sin_cos();
        let off = letterbox.shift * self.unit;
        let middle = Point::new(self.center.x + cos * off, self.center.y + sin * off);
        // The landmarks tell well how far up the eyes are, and the mirror which way is up.
        let above = (self.eyes.x - middle.x) * sin - (self.eyes.y - middle.y) * cos;
        Some(Found { roll: letterbox.roll, eyes: Point::new(middle.x + sin * above, middle.y - cos * above) })
    }

    /// The best fit of the first search, and the best far from it where that is nearly as good.
    fn peaks(&self) -> Option<[Option<Letterbox>; 2]> {
        let tilt = self.roll - (self.roll / 90.0).round() * 90.0;
        let side = if tilt < 0.0 { -1.0 } else { 1.0 };
        let unsure = (1.0 - tilt.abs() / SIDE_KNOWN).max(0.0);
        let less = MAX_LESS + (MAX_MORE - MAX_LESS) * unsure;
        let shifts: [i32; 11] = std::array::from_fn(|i| i as i32 - 5);
        let at = |step: i32| self.fits(self.roll + side * step as f32 * STEP, COARSE, &shifts);
        let near: Vec<Letterbox> = (-NEAR..=NEAR).flat_map(at).collect();
        let best = highest(near.iter())?;
        let inside = (best.roll - self.roll).abs() < (NEAR as f32 - 0.5) * STEP;
        if inside && best.sum >= SURE {
            return Some([Some(best), None]);
        }
        let (first, last) = ((-less / STEP).ceil() as i32, (MAX_MORE / STEP) as i32);
        let all: Vec<Letterbox> = near.into_iter().chain((first..-NEAR).chain(NEAR + 1..=last).flat_map(at)).collect();
        let best = highest(all.iter())?;
        let rival =
            |letterbox: &&Letterbox| (letterbox.roll - best.roll).abs() > 10.0 && letterbox.total > best.total - RIVAL;
        Some([Some(best), highest(all.iter().filter(rival))])
    }

    /// The best fit near `peak`, between whole degrees.
    fn fine(&self, peak: &Letterbox) -> Option<Letterbox> {
        let middle = (peak.shift * FINE).round() as i32;
        let shifts = [middle - 1, middle, middle + 1];
        let angles = -AROUND..=AROUND;
        let best: Vec<Letterbox> =
            angles.filter_map(|by| highest(self.fits(peak.roll + by as f32, FINE, &shifts).iter())).collect();
        let index = (0..best.len()).reduce(|a, b| if best[b].total > best[a].total { b } else { a })?;
        let mut letterbox = best[index];
        // The top of the parabola through the highest and its neighbours.
        if index > 0 && index + 1 < best.len() {
            let (a, b, c) = (best[index - 1].total, letterbox.total, best[index + 1].total);
            let bend = a - 2.0 * b + c;
            if bend < 0.0 {
                letterbox.roll += ((a - c) / (2.0 * bend)).clamp(-0.5, 0.5);
            }
        }
        Some(letterbox)
    }

    /// How well the face fits a mirror turned by `roll`, for each shift in samples.
    fn fits(&self, roll: f32, samples: f32, shifts: &[i32]) -> Vec<Letterbox> {
        let window = Window::new(self, roll, samples, shifts);
        let cost_of_turn = (roll - self.roll).abs() / MAX_MORE * COST_OF_TURN;
        let letterbox = |&shift: &i32| {
            let (level, mirrored) = window.scores(shift);
            let shift = shift as f32 / samples;
            let sum = level + mirrored;
            Letterbox { roll, shift, level, sum, total: sum - cost_of_turn - shift.abs() * COST_OF_SHIFT }
        };
        shifts.iter().map(letterbox).collect()
    }
}

fn highest<'a>(fits: impl Iterator<Item = &'a Letterbox>) -> Option<Letterbox> {
    fits.copied().filter(|letterbox| letterbox.total.is_finite()).reduce(|a, b| if b.total > a.total { b } else { a })
}

/// The face turned upright by a roll: slopes across and down, row by row.
struct Window {
    slopes: Vec<(f32, f32)>,
    columns: usize,
    /// Columns to either side of the mirror, and the column it is in where it is not shifted.
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
        // One more on every side, for the slopes.
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
        let mut slopes = Vec::with_capacity(columns * rows);
        for row in 1..rows - 1 {
            let (upper, here, lower) =
                (&values[(row - 1) * wide..], &values[row * wide..], &values[(row + 1) * wide..]);
            slopes.extend((1..=columns).map(|c| (here[c + 1] - here[c - 1], lower[c] - upper[c])));
        }
        // The middle of the face counts most: its sides are the first to be hair or background.
        let weight = |column: usize| {
            let off = (column as f32 - half as f32) / half as f32;
            (-1.5 * off * off).exp()
        };
        let weights: Vec<f32> = (0..=2 * half).map(weight).collect();
        let sum: f32 = weights.iter().sum();
        Self { slopes, columns, half, middle, weights: weights.iter().map(|w| w / sum).collect() }
    }

    /// The share of the slopes that runs level across the rows, and how alike both sides are, -1 to 1.
    fn scores(&self, shift: i32) -> (f32, f32) {
        let first = (self.middle as i32 + shift) as usize - self.half;
        let (mut level, mut mirrored, mut all) = (0.0_f32, 0.0_f32, 1e-9_f32);
        for row in self.slopes.chunks_exact(self.columns) {
            let row = &row[first..=first + 2 * self.half];
            let mut mean = 0.0;
            for ((&(across, down), &(across_there, down_there)), weight) in
                row.iter().zip(row.iter().rev()).zip(&self.weights)
            {
                mean += down * weight;
                all += (across * across + down * down) * weight;
                mirrored += (down * down_there - across * across_there) * weight;
            }
            level += mean * mean;
        }
        (level / all, mirrored / all)
    }
}
