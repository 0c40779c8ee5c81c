//! The background beside and above a head, outside the person mask.
//!
//! Everything is measured on a small upright copy. Lightness and colour are CIE L*, a*, b*. The limits were set on
//! portraits composed on drawn backgrounds: see `docs/dev/measurements.md`.

use geometry::{BackgroundMeasures, Head, Point};
use outcome::PersonMask;
use picture::Picture;

use super::cut;
use super::grid::{Grid, Plane};
use super::mask_square;
use super::skin::{median, percentile};
use crate::measure::patch::Patch;

/// Pixels of the copy for a head's height.
const HEAD: f32 = 80.0;
const SIDE: u32 = (HEAD * super::MASK_SIDE) as u32;
/// The measured region: up to this far from the midline and above the crown, in head heights, down to the chin.
const BESIDE: f32 = 0.75;
const ABOVE: f32 = 0.35;
/// Maximum value of the mask, 0 to 1, in the background, and pixels that are left out along its edge.
const MAX_PERSON: f32 = 0.1;
const MARGIN: usize = 2;
/// Minimum pixels of the background, and minimum share of the region.
const MIN_PIXELS: usize = 400;
const MIN_SHARE: f32 = 0.08;

// What a plain background shows at most: RMS deviation of L* from a gradient, share of pixels that deviate by more than 8,
// standard deviation of a* and b*, share of pixels on edges.
const MAX_DEVIATION: f32 = 2.2;
const MAX_OUTLIERS: f32 = 0.02;
const MAX_COLOUR: f32 = 4.0;
const MAX_EDGES: f32 = 0.02;
/// Step of L* between neighbours on an edge.
const EDGE: f32 = 3.0;

// The shadow: distances from the head, in head heights, of the background near it and far from it, and the largest values
// at which a difference between both is a shadow and not a picture on the wall.
const NEAR: std::ops::RangeInclusive<f32> = 0.05..=0.17;
const FAR: f32 = 0.3;
const MIN_FAR_PIXELS: usize = 300;
const MIN_FAR_SIDE: usize = 120;
const MIN_NEAR_PIXELS: usize = 60;
const MAX_FAR_DEVIATION: f32 = 2.5;
const MAX_SHADOW_EDGES: f32 = 0.03;
const MAX_SHADOW_COLOUR: f32 = 5.0;

/// Measures the background around `head`; `None` if too little of it is visible.
pub(super) fn measure(picture: &Picture, mask: &PersonMask, head: &Head) -> Option<BackgroundMeasures> {
    let square = mask_square(head);
    let patch = Patch::of(picture, square.bounds(), HEAD / head.height())?;
    let image_from_cut = square.image_from_cut(SIDE);
    let colours = Grid::of_colours(&cut::sample(&patch, &image_from_cut, SIDE, false), SIDE as usize);
    let in_image = |point: Point| {
        let size = picture.size();
        (0.0..size.width as f32).contains(&point.x) && (0.0..size.height as f32).contains(&point.y)
    };
    let side = SIDE as usize;
    let place = |index: usize| Point::new((index % side) as f32 + 0.5, (index / side) as f32 + 0.5);
    let person: Vec<f32> = (0..side * side).map(|index| mask.sample(image_from_cut.apply(place(index)))).collect();
    let middle = SIDE as f32 / 2.0;
    let (chin, crown) =
        (middle + head.eyes_to_chin / head.height() * HEAD, middle - head.eyes_to_crown / head.height() * HEAD);
    let in_region = |index: usize| {
        let at = place(index);
        (at.x - middle).abs() <= BESIDE * HEAD
            && (crown - ABOVE * HEAD..=chin).contains(&at.y)
            && in_image(image_from_cut.apply(at))
    };
    let region: Vec<bool> = (0..side * side).map(in_region).collect();
    let clear = eroded(&person.iter().map(|value| *value < MAX_PERSON).collect::<Vec<_>>(), side, MARGIN);
    let seen: Vec<bool> = region.iter().zip(&clear).map(|(region, clear)| *region && *clear).collect();
    let [count, whole] = [&seen, &region].map(|part| part.iter().filter(|part| **part).count());
    if count < MIN_PIXELS || (count as f32) < MIN_SHARE * whole as f32 {
        return None;
    }
    let texture = Texture::of(&colours, &seen);
    let shadow = if texture.edges <= MAX_SHADOW_EDGES && texture.colour <= MAX_SHADOW_COLOUR {
        shadow(&colours, &seen, &person)
    } else {
        0.0
    };
    Some(BackgroundMeasures {
        lightness: texture.lightness / 100.0,
        chroma: texture.chroma / 100.0,
        unevenness: texture.unevenness(),
        shadow,
    })
}

struct Texture {
    lightness: f32,
    chroma: f32,
    /// RMS deviation of L* from a linear gradient.
    deviation: f32,
    outliers: f32,
    /// Standard deviation of a* and b*.
    colour: f32,
    edges: f32,
}

impl Texture {
    fn of(colours: &Grid, seen: &[bool]) -> Self {
        let [mut lightness, mut a, mut b] = [(); 3].map(|()| Vec::new());
        for index in (0..seen.len()).filter(|index| seen[*index]) {
            let [l, red_green, yellow_blue] = colours.lab[index];
            lightness.push(l);
            a.push(red_green);
            b.push(yellow_blue);
        }
        let (mean_a, variance_a) = mean_and_variance(&a);
        let (mean_b, variance_b) = mean_and_variance(&b);
        let residuals = Plane::fit(colours, seen).residuals(colours, seen);
        let outliers = residuals.iter().filter(|residual| residual.abs() > 8.0).count();
        let inner = eroded(seen, colours.side, 1);
        let steps: Vec<f32> = (0..seen.len()).filter(|index| inner[*index]).map(|index| colours.step(index)).collect();
        let edges = steps.iter().filter(|step| **step > EDGE).count() as f32 / steps.len().max(1) as f32;
        Self {
            lightness: mean_and_variance(&lightness).0,
            chroma: mean_a.hypot(mean_b),
            deviation: clipped_rms(&residuals),
            outliers: outliers as f32 / residuals.len().max(1) as f32,
            colour: (variance_a + variance_b).sqrt(),
            edges: if steps.len() > 200 { edges } else { 0.0 },
        }
    }

    fn unevenness(&self) -> f32 {
        let shares = [
            self.deviation / MAX_DEVIATION,
            self.outliers / MAX_OUTLIERS,
            self.colour / MAX_COLOUR,
            self.edges / MAX_EDGES,
        ];
        shares.into_iter().fold(0.0, f32::max)
    }
}

/// How much darker the background is next to the head than far from it, 0 to 1; 0 if the far background is not even.
fn shadow(colours: &Grid, seen: &[bool], person: &[f32]) -> f32 {
    let smooth = colours.blurred_lightness();
    let distance = distances(&person.iter().map(|value| *value >= 0.5).collect::<Vec<_>>(), smooth.side);
    let part = |is_in: &dyn Fn(f32) -> bool| -> Vec<bool> {
        seen.iter().zip(&distance).map(|(seen, distance)| *seen && is_in(distance / HEAD)).collect()
    };
    let (near, far) = (part(&|distance| NEAR.contains(&distance)), part(&|distance| distance > FAR));
    let is_right = |index: usize| index % smooth.side >= smooth.side / 2;
    let count = |part: &[bool], right: bool| {
        part.iter().enumerate().filter(|(index, seen)| **seen && is_right(*index) == right).count()
    };
    if count(&far, false) + count(&far, true) < MIN_FAR_PIXELS {
        return 0.0;
    }
    let on_both_sides = [false, true].iter().all(|right| count(&far, *right) >= MIN_FAR_SIDE);
    let values =
        |part: &[bool]| (0..part.len()).filter(|index| part[*index]).map(|index| smooth.lab[index][0]).collect();
    let level = median(values(&far));
    let plane = if on_both_sides { Plane::fit(&smooth, &far) } else { Plane::level(level) };
    if clipped_rms(&plane.residuals(&smooth, &far)) >= MAX_FAR_DEVIATION {
        return 0.0;
    }
    let drop = |right: bool| {
        let on_side = |index: &usize| near[*index] && is_right(*index) == right;
        let drops: Vec<f32> = (0..near.len()).filter(on_side).map(|index| -plane.residual(&smooth, index)).collect();
        if drops.len() < MIN_NEAR_PIXELS { 0.0 } else { percentile(drops, 0.75) / level.max(10.0) }
    };
    drop(false).max(drop(true)).max(0.0)
}

fn mean_and_variance(values: &[f32]) -> (f32, f32) {
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    (mean, values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / count)
}

/// Root mean square of values clipped to 25 on either side.
fn clipped_rms(values: &[f32]) -> f32 {
    let sum: f32 = values.iter().map(|value| value.clamp(-25.0, 25.0).powi(2)).sum();
    (sum / values.len().max(1) as f32).sqrt()
}

/// `part` without the pixels within `by` rows or columns of others; what is outside the grid counts as part.
fn eroded(part: &[bool], side: usize, by: usize) -> Vec<bool> {
    let around = |at: usize| at.saturating_sub(by)..=(at + by).min(side - 1);
    let row_across = |row: &[bool]| -> Vec<bool> { (0..side).map(|x| row[around(x)].iter().all(|is| *is)).collect() };
    let across: Vec<bool> = part.chunks_exact(side).flat_map(row_across).collect();
    let mut both = across.clone();
    for (y, row) in both.chunks_exact_mut(side).enumerate() {
        for other in around(y) {
            row.iter_mut().zip(&across[other * side..][..side]).for_each(|(is, other)| *is &= other);
        }
    }
    both
}

/// Distance of each pixel from the nearest one in `part`, in pixels, to a few percent: a chamfer transform.
fn distances(part: &[bool], side: usize) -> Vec<f32> {
    const STRAIGHT: f32 = 0.955;
    const DIAGONAL: f32 = 1.369;
    let far = 2.0 * side as f32;
    let mut distance: Vec<f32> = part.iter().map(|part| if *part { 0.0 } else { far }).collect();
    let relax = |distance: &mut Vec<f32>, index: usize, sign: isize| {
        let (x, y) = ((index % side) as isize, (index / side) as isize);
        for (dx, dy, cost) in [(-1, 0, STRAIGHT), (0, -1, STRAIGHT), (-1, -1, DIAGONAL), (1, -1, DIAGONAL)] {
            let (x, y) = (x + sign * dx, y + sign * dy);
            if (0..side as isize).contains(&x) && (0..side as isize).contains(&y) {
                let other = distance[y as usize * side + x as usize] + cost;
                distance[index] = distance[index].min(other);
            }
        }
    };
    for index in 0..distance.len() {
        relax(&mut distance, index, 1);
    }
    for index in (0..distance.len()).rev() {
        relax(&mut distance, index, -1);
    }
    distance
}
