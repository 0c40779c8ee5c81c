//! One box a face: greedy suppression of overlaps.

use super::check::Check;
use crate::geometry::{Face, Point};

/// Keeps, by falling score, each face that overlaps no kept one by more than `max_overlap` (intersection over union).
///
/// Boxes are visited by falling score, so a box never depends on one that scores lower: filtering the result by score
/// equals suppressing what was filtered before.
pub fn suppress_overlaps(mut faces: Vec<Face>, max_overlap: f32) -> Vec<Face> {
    faces.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Face> = Vec::new();
    for face in faces {
        if kept.iter().all(|other| other.bbox.iou(face.bbox) <= max_overlap) {
            kept.push(face);
        }
    }
    kept
}

/// A face that one look saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// The face in pixels of the upright picture.
    pub(super) face: Face,
    /// The index of the look.
    pub(super) look: usize,
    /// Pixels of the network's input a pixel of the picture in that look.
    pub(super) scale: f32,
    /// What a mosaic showed of it; `None` where it was in none.
    pub(super) check: Option<Check>,
}

/// A face above this many pixels of the input is seen in parts: boxes inside it, on an eye or a cheek, are what is left of it.
const SEEN_IN_PARTS: f32 = 400.0;
/// The share of a box inside a larger one from which on it may be a part of it.
const INSIDE: f32 = 0.6;
/// The share of a larger box's height up to which a box may be a part of it.
const PART: f32 = 0.7;
/// Of two faces of like size the landmarks' middles of one lie within this share of the smaller one's height.
const SAME_MIDDLE: f32 = 0.35;
/// Two boxes of one face differ in height at most by this.
const LIKE_SIZE: f32 = 2.0;

/// One face for all candidates that show it, whatever look they are of, by falling score.
///
/// As in [`suppress_overlaps`] a candidate depends only on those that score higher, so that filtering the result by score
/// equals merging what was filtered before.
pub(super) fn merge(mut candidates: Vec<Candidate>, max_overlap: f32) -> Vec<Candidate> {
    candidates.sort_by(|a, b| b.face.score.total_cmp(&a.face.score));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        if kept.iter().all(|other| !repeats(&candidate, other, max_overlap)) {
            kept.push(candidate);
        }
    }
    kept
}

/// True where `candidate` shows the face `kept`, which scores higher, or a part of it.
fn repeats(candidate: &Candidate, kept: &Candidate, max_overlap: f32) -> bool {
    let (a, b) = (candidate.face.bbox, kept.face.bbox);
    if a.iou(b) > max_overlap {
        return true;
    }
    let (side, other) = (a.width.max(a.height), b.width.max(b.height));
    let apart = middle(&candidate.face).distance(middle(&kept.face));
    if side.max(other) <= LIKE_SIZE * side.min(other) && apart < SAME_MIDDLE * side.min(other) {
        return true;
    }
    // A small face before a large one is seen whole by a look for which the large one is of a size the network knows.
    let in_parts = other * candidate.scale > SEEN_IN_PARTS;
    in_parts && side < PART * other && a.overlap(b) > INSIDE * a.area()
}

/// The middle of the landmarks.
fn middle(face: &Face) -> Point {
    let sum = face.landmarks.iter().fold(Point::default(), |sum, point| Point::new(sum.x + point.x, sum.y + point.y));
    Point::new(sum.x / 5.0, sum.y / 5.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;

    fn face(x: f32, score: f32) -> Face {
        Face::new(Rect::new(x, 0.0, 10.0, 10.0), [Point::default(); 5], score)
    }

    #[test]
    fn the_higher_score_stays() {
        let kept = suppress_overlaps(vec![face(0.0, 0.7), face(1.0, 0.9), face(30.0, 0.5)], 0.3);
        assert_eq!(kept.iter().map(|face| face.score).collect::<Vec<_>>(), [0.9, 0.5]);
    }

    /// A face with landmarks in their usual places, seen at `scale`.
    fn seen(x: f32, y: f32, side: f32, score: f32, scale: f32) -> Candidate {
        let at = |dx: f32, dy: f32| Point::new(x + dx * side, y + dy * side);
        let landmarks = [at(0.3, 0.4), at(0.7, 0.4), at(0.5, 0.6), at(0.35, 0.8), at(0.65, 0.8)];
        Candidate { face: Face::new(Rect::new(x, y, side, side), landmarks, score), look: 0, scale, check: None }
    }

    fn scores(candidates: Vec<Candidate>) -> Vec<f32> {
        merge(candidates, 0.3).iter().map(|candidate| candidate.face.score).collect()
    }

    #[test]
    fn a_face_that_several_looks_saw_is_one() {
        let same = vec![seen(100.0, 100.0, 50.0, 0.7, 1.0), seen(104.0, 98.0, 46.0, 0.9, 0.3)];
        assert_eq!(scores(same), [0.9]);
        // Boxes of turned looks may overlap little, the landmarks tell.
        let around = vec![seen(100.0, 100.0, 60.0, 0.9, 1.0), seen(115.0, 118.0, 31.0, 0.8, 1.0)];
        assert!(around[0].face.bbox.iou(around[1].face.bbox) < 0.3);
        assert_eq!(scores(around), [0.9]);
    }

    #[test]
    fn a_small_face_in_or_behind_a_large_one_stays() {
        let large = seen(1000.0, 1000.0, 600.0, 0.9, 0.3);
        for (x, y) in [(1020.0, 1030.0), (1400.0, 1450.0), (1560.0, 1000.0), (980.0, 1560.0)] {
            let small = seen(x, y, 80.0, 0.7, 0.3);
            assert_eq!(scores(vec![large, small]), [0.9, 0.7], "{x}, {y}");
        }
    }

    #[test]
    fn boxes_on_the_skin_of_a_face_seen_in_parts_are_none() {
        let large = seen(1000.0, 1000.0, 2000.0, 0.9, 0.1);
        // The same box at a look for which the large face is of a size the network knows, and at one where it is not.
        let part = |scale: f32| seen(1300.0, 1400.0, 300.0, 0.7, scale);
        assert_eq!(scores(vec![large, part(0.15)]), [0.9, 0.7]);
        assert_eq!(scores(vec![large, part(0.4)]), [0.9]);
        assert_eq!(scores(vec![large, seen(2900.0, 1400.0, 300.0, 0.7, 0.4)]).len(), 2, "mostly beside it");
    }

    #[test]
    fn filtering_after_equals_filtering_before_over_all_looks() {
        let mut state = 4_711_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        for _ in 0..200 {
            let all: Vec<Candidate> = (0..40)
                .map(|_| {
                    let side = 20.0 + 600.0 * random() * random() * random();
                    seen(random() * 800.0, random() * 600.0, side, random(), 0.2 + 1.5 * random())
                })
                .collect();
            for threshold in [0.3, 0.5, 0.8] {
                let over =
                    |all: Vec<Candidate>| all.into_iter().filter(|c| c.face.score >= threshold).collect::<Vec<_>>();
                assert_eq!(over(merge(all.clone(), 0.3)), merge(over(all.clone()), 0.3));
            }
        }
    }

    #[test]
    fn numbers_that_are_none_are_merged_without_a_panic() {
        let mut bad = seen(0.0, 0.0, 10.0, f32::NAN, 1.0);
        bad.face.bbox = Rect::new(f32::NAN, 0.0, f32::INFINITY, -5.0);
        let whole = seen(5.0, 5.0, 10.0, 0.9, 1.0);
        assert!(merge(vec![bad, whole, bad], 0.3).iter().any(|kept| kept.face.score == 0.9));
    }

    #[test]
    fn filtering_after_equals_filtering_before() {
        let mut state = 12_345_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        for _ in 0..200 {
            let faces: Vec<Face> = (0..40).map(|_| face(random() * 100.0, random())).collect();
            for threshold in [0.2, 0.5, 0.8] {
                let over = |faces: Vec<Face>| faces.into_iter().filter(|f| f.score >= threshold).collect::<Vec<_>>();
                assert_eq!(over(suppress_overlaps(faces.clone(), 0.3)), suppress_overlaps(over(faces.clone()), 0.3));
            }
        }
    }
}
