//! The top of the hair, from the person mask.
//!
//! Lengths are in head heights (chin to crown), measured upwards from the eye line. The limits were set on one half of 85
//! heads marked by hand and tested on the other: see `docs/dev/measurements.md`.

use geometry::{Face, HairTop, Head, Point, Size};
use outcome::PersonMask;

/// Value of the mask, 0 to 255, from which a pixel is a person.
const EDGE: u8 = 128;
/// Half the width of the band around the midline in which the hair is searched.
const BAND: f32 = 0.42;
/// Distance from the midline that a row of the hair must touch.
const TOUCH: f32 = 0.15;
/// Where the search begins: on the forehead. A person there is at least [`MIN_FOREHEAD`] wide.
const FROM: f32 = 0.25;
const MIN_FOREHEAD: f32 = 0.3;
/// Width at which the hair ends.
const END: f32 = 0.12;
/// Possible tops of the hair.
const TOPS: std::ops::RangeInclusive<f32> = 0.3..=0.95;
/// Width of the hair [`BELOW_TOP`] below its top; a narrower shape is an arm or another object.
const MIN_WIDTH: f32 = 0.25;
const BELOW_TOP: f32 = 0.15;
/// By how much a shape may become wider towards its top; more is another person or an arm.
const MAX_GROWTH: f32 = 0.12;
/// Space that the image must show above the hair.
const SPACE: f32 = 0.03;
/// Minimum score of another face behind the hair, and maximum IoU with this one.
const OTHER_SCORE: f32 = 0.6;
const OTHER_IOU: f32 = 0.3;

/// A row of the mask: its height above the eyes, and the width of the hair in it.
#[derive(Clone, Copy)]
struct Row {
    above: f32,
    width: f32,
}

/// The top of the hair of `head`, which the mask shows upright in its middle; `None` if it is uncertain. `face` is the face
/// of the head in an image of `picture` pixels, `others` are the other faces.
pub(super) fn top(mask: &PersonMask, head: &Head, face: &Face, picture: Size, others: &[Face]) -> Option<HairTop> {
    let height = head.height();
    let pixels = mask.side() as f32 / super::MASK_SIDE;
    let rows = rows(mask, pixels);
    if rows.first().is_none_or(|row| row.width < MIN_FOREHEAD) {
        return None;
    }
    let end = rows.iter().position(|row| row.width < END)?;
    let (below, above) = (rows.get(end.checked_sub(1)?)?, rows[end]);
    let share = (below.width - END) / (below.width - above.width).max(f32::EPSILON);
    let top = below.above + share * (above.above - below.above);
    let point = |above: f32| head.above_eyes(above * height);
    let edge = point(top + SPACE);
    let in_image = (0.0..=picture.width as f32).contains(&edge.x) && (0.0..=picture.height as f32).contains(&edge.y);
    let is_cap = width_at(&rows, top - BELOW_TOP) >= MIN_WIDTH && growth(&rows, top) <= MAX_GROWTH;
    if !in_image || !TOPS.contains(&top) || !is_cap || is_other_face_behind(face, others, &point, top) {
        return None;
    }
    Some(HairTop { above_eyes: top * height, confidence: confidence(&rows, top) })
}

/// The rows of the hair from the forehead up, connected from row to row; the last one has no width if the hair ends.
fn rows(mask: &PersonMask, pixels: f32) -> Vec<Row> {
    let side = mask.side() as usize;
    let middle = side as f32 / 2.0;
    let column = |across: f32| (middle + across * pixels).round().clamp(0.0, side as f32) as usize;
    let (left, right) = (column(-BAND), column(BAND));
    let touch = (middle - TOUCH * pixels, middle + TOUCH * pixels);
    let mut before = touch;
    let mut rows = Vec::new();
    for row in (0..=(middle - FROM * pixels) as usize).rev() {
        let line = &mask.values()[row * side + left..row * side + right];
        let runs = line.chunk_by(|a, b| (*a >= EDGE) == (*b >= EDGE));
        let mut start = left;
        let mut widest: Option<(f32, f32)> = None;
        for run in runs {
            let (from, to) = (start as f32, (start + run.len()) as f32);
            start += run.len();
            let touches = |(left, right): (f32, f32)| from < right && to > left;
            let is_hair = run[0] >= EDGE && touches(before) && touches(touch);
            if is_hair && widest.is_none_or(|(from, to): (f32, f32)| (run.len() as f32) > to - from) {
                widest = Some((from, to));
            }
        }
        let width = widest.map_or(0.0, |(from, to)| (to - from) / pixels);
        rows.push(Row { above: (middle - (row as f32 + 0.5)) / pixels, width });
        let Some(run) = widest else { break };
        before = run;
    }
    rows
}

/// Width of the hair at a height, interpolated between rows.
fn width_at(rows: &[Row], above: f32) -> f32 {
    let next = rows.partition_point(|row| row.above < above);
    match (next.checked_sub(1).and_then(|index| rows.get(index)), rows.get(next)) {
        (Some(low), Some(high)) => {
            low.width + (high.width - low.width) * (above - low.above) / (high.above - low.above).max(f32::EPSILON)
        }
        (Some(row), None) | (None, Some(row)) => row.width,
        (None, None) => 0.0,
    }
}

/// By how much the hair becomes wider at most, going up to its top.
fn growth(rows: &[Row], top: f32) -> f32 {
    let mut narrowest = f32::INFINITY;
    let mut growth = 0.0_f32;
    for row in rows.iter().take_while(|row| row.above <= top) {
        narrowest = narrowest.min(row.width);
        growth = growth.max(row.width - narrowest);
    }
    growth
}

fn is_other_face_behind(face: &Face, others: &[Face], point: &dyn Fn(f32) -> Point, top: f32) -> bool {
    let steps = || (0..).map(|step| 0.3 + step as f32 * 0.05).take_while(|above| *above < top + 0.05);
    let is_other = |other: &&Face| other.score >= OTHER_SCORE && other.bbox.iou(face.bbox) < OTHER_IOU;
    others.iter().filter(is_other).any(|other| steps().any(|above| other.bbox.contains(point(above))))
}

/// Confidence, 0 to 1, from how much room the checks leave: 0.5 at their limits.
fn confidence(rows: &[Row], top: f32) -> f32 {
    let room = (1.0 - growth(rows, top) / MAX_GROWTH).min((width_at(rows, top - BELOW_TOP) / MIN_WIDTH - 1.0).min(1.0));
    0.5 + 0.5 * room.clamp(0.0, 1.0)
}
