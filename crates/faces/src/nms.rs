//! One box a face: greedy suppression of overlaps.

use geometry::{Face, Point};
use outcome::{PassResult, PassScale};

/// Keeps, by falling score, each face that overlaps no kept one by more than `nms_threshold` (intersection over union).
///
/// Boxes are visited by falling score, so a box never depends on one that scores lower: filtering the result by score
/// equals suppressing what was filtered before.
pub fn suppress_overlaps(mut faces: Vec<Face>, nms_threshold: f32) -> Vec<Face> {
    faces.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Face> = Vec::new();
    for face in faces {
        if kept.iter().all(|other| other.bbox.iou(face.bbox) <= nms_threshold) {
            kept.push(face);
        }
    }
    kept
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

/// A face of this score is never doubted in a photo that has a [`CERTAIN`] one.
const SURE_SCORE: f32 = 0.75;
/// Another pass with a box of this score at the same place confirms a face.
const CONFIRMING_SCORE: f32 = 0.45;
/// A photo with an upright face of this score is one of people. In others most boxes are on something else: each needs a second one
/// of [`STRONG_SCORE`]. Of 33 photos of groups and crowds the best face scores 0.89 and more in one of the upright passes, of
/// photos of one face 0.85 and more but for 5 of 142.
const CERTAIN: f32 = 0.82;
/// The same for the faces of a turned pass: upright people seen on their side or upside down score up to 0.81 on shoulders and hands.
pub(super) const CERTAIN_TURNED: f32 = 0.87;
/// A box of this score confirms a face in a photo without a certain one.
const STRONG_SCORE: f32 = 0.7;
/// The score that a face is left with, at most, if no other pass confirms it: less than the usual minimum.
const UNCONFIRMED: f32 = 0.55;
/// Heights in pixels of the input at which a pass would see a face that is there.
const VISIBLE: std::ops::RangeInclusive<f32> = 16.0..=SEEN_IN_PARTS;
/// Height of a face in pixels of the first pass from which on the smaller one finds it rather than confirms it.
const LARGE: f32 = 200.0;

/// A face and the pass that found it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// The face in pixels of the upright picture.
    pub(super) face: Face,
    /// The index of the pass.
    pub(super) pass: usize,
}

/// One face for all boxes that show it, whichever pass they are of, by falling score.
///
/// A face that other passes would have seen as well, but did not, scores [`UNCONFIRMED`] at most. How sure it has to be depends on
/// whether the photo has a face that is certain.
pub(super) fn merge(pass_results: &[PassResult], nms_threshold: f32) -> Vec<Candidate> {
    let mut kept = unique(pass_results, nms_threshold);
    for candidate in &mut kept {
        candidate.face.score = agreed_score(candidate, pass_results, nms_threshold);
    }
    kept.sort_by(|a, b| b.face.score.total_cmp(&a.face.score));
    kept
}

/// False for what the smaller pass only confirms: small faces, which the first pass sees better.
fn may_find(pass_results: &PassResult, face: &Face) -> bool {
    pass_results.pass.kind != PassScale::Smaller || 2.0 * pass_results.height(face) >= LARGE
}

/// Visits candidates by falling score and drops each that shows the face of a kept one. As in [`suppress_overlaps`] a candidate
/// depends only on those that score higher.
pub(super) fn unique(pass_results: &[PassResult], nms_threshold: f32) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for (pass, of_pass) in pass_results.iter().enumerate() {
        let found = of_pass.faces.iter().filter(|face| may_find(of_pass, face));
        candidates.extend(found.map(|face| Candidate { face: *face, pass }));
    }
    candidates.sort_by(|a, b| b.face.score.total_cmp(&a.face.score));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let scale = pass_results.get(candidate.pass).map_or(0.0, |pass_results| pass_results.scale);
        let repeats = |other: &Candidate| {
            is_same(&candidate.face, &other.face, nms_threshold) || is_part(&candidate.face, &other.face, scale)
        };
        if !kept.iter().any(repeats) {
            kept.push(candidate);
        }
    }
    kept
}

/// The score of a candidate once other passes have been asked.
fn agreed_score(candidate: &Candidate, pass_results: &[PassResult], nms_threshold: f32) -> f32 {
    let score = candidate.face.score;
    let Some(own) = pass_results.get(candidate.pass) else { return score };
    let turned = own.pass.turned;
    let is_certain = best_at(pass_results, turned) >= if turned == 0 { CERTAIN } else { CERTAIN_TURNED };
    if is_certain && score >= SURE_SCORE {
        return score;
    }
    let others = || {
        pass_results
            .iter()
            .enumerate()
            .filter(|(pass, _)| *pass != candidate.pass)
            .map(|(_, pass_results)| pass_results)
    };
    let visible = |pass_results: &PassResult| {
        pass_results.pass.turned == turned && VISIBLE.contains(&pass_results.height(&candidate.face))
    };
    if !others().any(visible) && (is_certain || (turned == 0 && score >= SURE_SCORE)) {
        return score;
    }
    let here = others()
        .flat_map(|pass_results| &pass_results.faces)
        .filter(|face| is_same(face, &candidate.face, nms_threshold));
    let agreement = here.map(|face| face.score).fold(0.0, f32::max);
    let confirms = match (is_certain, turned) {
        (true, _) => CONFIRMING_SCORE,
        (false, 0) => STRONG_SCORE,
        // A turned pass in which nothing is certain is believed in nothing.
        (false, _) => f32::INFINITY,
    };
    if agreement >= confirms { score } else { score.min(UNCONFIRMED) }
}

/// The best score among the passes at this turn.
pub(super) fn best_at(pass_results: &[PassResult], turned: u16) -> f32 {
    pass_results
        .iter()
        .filter(|pass_results| pass_results.pass.turned == turned)
        .map(PassResult::best)
        .fold(0.0, f32::max)
}

/// True if both show one face: the boxes overlap, or they are of like size and the landmarks lie in one place.
fn is_same(a: &Face, b: &Face, nms_threshold: f32) -> bool {
    if a.bbox.iou(b.bbox) > nms_threshold {
        return true;
    }
    let (side, other) = (a.bbox.width.max(a.bbox.height), b.bbox.width.max(b.bbox.height));
    side.max(other) <= LIKE_SIZE * side.min(other) && middle(a).distance(middle(b)) < SAME_MIDDLE * side.min(other)
}

/// True if `face`, seen at `scale`, shows an eye or a cheek of the larger `whole`.
fn is_part(face: &Face, whole: &Face, scale: f32) -> bool {
    let (a, b) = (face.bbox, whole.bbox);
    let (side, other) = (a.width.max(a.height), b.width.max(b.height));
    // A small face in front of a large one is seen whole by a pass in which the large one is of a size the network knows.
    other * scale > SEEN_IN_PARTS && side < PART * other && a.overlap(b) > INSIDE * a.area()
}

/// The middle of the landmarks.
fn middle(face: &Face) -> Point {
    let sum = face.landmarks.iter().fold(Point::default(), |sum, point| Point::new(sum.x + point.x, sum.y + point.y));
    Point::new(sum.x / 5.0, sum.y / 5.0)
}

#[cfg(test)]
mod tests {
    use geometry::Rect;
    use outcome::PassSpec;

    use super::*;

    fn face(x: f32, score: f32) -> Face {
        Face::new(Rect::new(x, 0.0, 10.0, 10.0), [Point::default(); 5], score)
    }

    #[test]
    fn the_higher_score_stays() {
        let kept = suppress_overlaps(vec![face(0.0, 0.7), face(1.0, 0.9), face(30.0, 0.5)], 0.3);
        assert_eq!(kept.iter().map(|face| face.score).collect::<Vec<_>>(), [0.9, 0.5]);
    }

    /// A face with landmarks in their usual places.
    fn at(x: f32, y: f32, side: f32, score: f32) -> Face {
        let at = |dx: f32, dy: f32| Point::new(x + dx * side, y + dy * side);
        let landmarks = [at(0.3, 0.4), at(0.7, 0.4), at(0.5, 0.6), at(0.35, 0.8), at(0.65, 0.8)];
        Face::new(Rect::new(x, y, side, side), landmarks, score)
    }

    fn pass(kind: PassScale, turned: u16, scale: f32, faces: Vec<Face>) -> PassResult {
        PassResult { pass: PassSpec { kind, turned }, scale, faces }
    }

    fn whole(faces: Vec<Face>) -> PassResult {
        pass(PassScale::Standard, 0, 1.0, faces)
    }

    fn larger(faces: Vec<Face>) -> PassResult {
        pass(PassScale::Larger, 0, 2.5, faces)
    }

    fn scores(pass_results: &[PassResult]) -> Vec<f32> {
        merge(pass_results, 0.3).iter().map(|candidate| candidate.face.score).collect()
    }

    /// A face elsewhere that makes the photo one of people.
    fn certain() -> Face {
        at(900.0, 900.0, 100.0, 0.93)
    }

    #[test]
    fn a_face_that_several_passes_saw_is_one() {
        let same = [whole(vec![at(100.0, 100.0, 50.0, 0.8)]), larger(vec![at(104.0, 98.0, 46.0, 0.9)])];
        assert_eq!(scores(&same), [0.9]);
        assert_eq!(merge(&same, 0.3)[0].pass, 1, "the pass that scores it higher has found it");
        // Boxes of turned passes may overlap little; the landmarks tell.
        let around = [whole(vec![at(100.0, 100.0, 60.0, 0.9)]), larger(vec![at(115.0, 118.0, 31.0, 0.8)])];
        assert!(around[0].faces[0].bbox.iou(around[1].faces[0].bbox) < 0.3);
        assert_eq!(scores(&around), [0.9]);
    }

    #[test]
    fn a_small_face_in_or_behind_a_large_one_stays() {
        let large = at(1000.0, 1000.0, 600.0, 0.9);
        for (x, y) in [(1020.0, 1030.0), (1400.0, 1450.0), (1560.0, 1000.0), (980.0, 1560.0)] {
            let pass_results = [pass(PassScale::Standard, 0, 0.3, vec![large, at(x, y, 80.0, 0.8)])];
            assert_eq!(scores(&pass_results), [0.9, 0.8], "{x}, {y}");
        }
    }

    #[test]
    fn boxes_on_the_skin_of_a_face_seen_in_parts_are_none() {
        let large = at(1000.0, 1000.0, 2000.0, 0.9);
        // The same box in a pass in which the large face is of a size the network knows, and in one in which it is not.
        let part = |scale: f32, x: f32| {
            let first = pass(PassScale::Standard, 0, 0.1, vec![large]);
            [first, pass(PassScale::Larger, 0, scale, vec![at(x, 1400.0, 300.0, 0.8)])]
        };
        assert_eq!(scores(&part(0.15, 1300.0)), [0.9, 0.8]);
        assert_eq!(scores(&part(0.4, 1300.0)), [0.9]);
        assert_eq!(scores(&part(0.4, 2900.0)).len(), 2, "mostly beside it");
    }

    #[test]
    fn a_doubtful_face_needs_a_second_pass_if_one_would_show_it() {
        let doubtful = |score: f32, second: f32| {
            scores(&[
                whole(vec![certain(), at(100.0, 100.0, 50.0, score)]),
                larger(vec![at(100.0, 100.0, 50.0, second)]),
            ])
        };
        assert_eq!(doubtful(0.7, 0.3), [0.93, UNCONFIRMED]);
        assert_eq!(doubtful(0.7, 0.5), [0.93, 0.7]);
        assert_eq!(doubtful(0.76, 0.3), [0.93, 0.76], "a sure face is never taken away");
        // No pass but the larger one shows so small a face.
        let small = [whole(vec![certain()]), larger(vec![at(100.0, 100.0, 10.0, 0.7)])];
        assert_eq!(scores(&small), [0.93, 0.7]);
    }

    #[test]
    fn without_a_certain_face_each_needs_a_strong_second_one() {
        let alone = |score: f32, second: f32| {
            scores(&[whole(vec![at(100.0, 100.0, 50.0, score)]), larger(vec![at(100.0, 100.0, 50.0, second)])])
        };
        assert_eq!(alone(0.8, 0.5), [UNCONFIRMED]);
        assert_eq!(alone(0.8, 0.72), [0.8]);
        assert_eq!(alone(0.83, 0.3), [0.83], "certain by itself");
        assert_eq!(scores(&[whole(vec![at(100.0, 100.0, 50.0, 0.78)])]), [0.78], "no other pass was made");
        assert_eq!(scores(&[whole(vec![at(100.0, 100.0, 50.0, 0.7)])]), [UNCONFIRMED]);
    }

    #[test]
    fn a_turned_pass_is_believed_only_if_it_has_a_certain_face() {
        let turned = |best: f32| {
            let faces = vec![at(100.0, 100.0, 50.0, 0.8), at(500.0, 100.0, 50.0, best)];
            scores(&[whole(vec![certain()]), pass(PassScale::Standard, 90, 1.0, faces)])
        };
        assert_eq!(turned(0.9), [0.93, 0.9, 0.8]);
        assert_eq!(turned(0.85), [0.93, UNCONFIRMED, UNCONFIRMED]);
    }

    #[test]
    fn the_smaller_pass_finds_large_faces_and_confirms_small_ones() {
        let smaller = |side: f32| {
            let face = at(100.0, 100.0, side, 0.95);
            scores(&[whole(vec![]), pass(PassScale::Smaller, 0, 0.5, vec![face])])
        };
        assert_eq!(smaller(300.0), [0.95]);
        assert!(smaller(100.0).is_empty());
    }

    #[test]
    fn what_is_kept_never_depends_on_what_scores_lower() {
        let mut state = 4_711_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        for _ in 0..200 {
            let mut faces = || -> Vec<Face> {
                (0..20)
                    .map(|_| {
                        let side = 20.0 + 600.0 * random() * random() * random();
                        at(random() * 800.0, random() * 600.0, side, random())
                    })
                    .collect()
            };
            let pass_results = [whole(faces()), larger(faces())];
            for threshold in [0.3, 0.5, 0.8] {
                let over = |pass_results: &PassResult| PassResult {
                    faces: pass_results.faces.iter().copied().filter(|face| face.score >= threshold).collect(),
                    ..pass_results.clone()
                };
                let mut kept = unique(&pass_results, 0.3);
                kept.retain(|candidate| candidate.face.score >= threshold);
                assert_eq!(kept, unique(&pass_results.each_ref().map(over), 0.3));
            }
        }
    }

    #[test]
    fn numbers_that_are_none_are_merged_without_a_panic() {
        let mut bad = at(0.0, 0.0, 10.0, f32::NAN);
        bad.bbox = Rect::new(f32::NAN, 0.0, f32::INFINITY, -5.0);
        let pass_results = [whole(vec![bad, at(5.0, 5.0, 10.0, 0.9), bad]), larger(vec![bad])];
        assert!(merge(&pass_results, 0.3).iter().any(|kept| kept.face.score == 0.9));
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
