//! Non-maximum suppression (NMS) within a pass, and the merge of all passes into one face list.

use geometry::{Face, Point};
use outcome::{PassResult, PassScale};

/// Greedy NMS: keeps, by falling score, each face whose IoU with every kept face is at most `nms_threshold`.
///
/// A kept face depends only on faces with a higher score, so filtering by score before or after NMS gives the same
/// result.
pub fn non_max_suppression(mut faces: Vec<Face>, nms_threshold: f32) -> Vec<Face> {
    faces.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Face> = Vec::new();
    for face in faces {
        if kept.iter().all(|other| other.bbox.iou(face.bbox) <= nms_threshold) {
            kept.push(face);
        }
    }
    kept
}

/// Maximum height in input pixels at which the network detects a face as a whole. Larger faces leave boxes on their
/// parts, such as an eye or a cheek.
const MAX_WHOLE_FACE: f32 = 400.0;
/// Minimum share of a box's area inside a larger box for it to count as a part of it.
const MIN_INSIDE: f32 = 0.6;
/// Maximum side of a part, as a share of the larger box's side.
const MAX_PART: f32 = 0.7;
/// Maximum distance between the landmark centers of two boxes of one face, as a share of the smaller box's side.
const MAX_CENTER_DISTANCE: f32 = 0.35;
/// Maximum ratio of the sides of two boxes of one face.
const MAX_SIZE_RATIO: f32 = 2.0;

/// A face of this score is never doubted in an image with a [`CERTAIN`] face.
const SURE_SCORE: f32 = 0.75;
/// A box of this score at the same place in another pass confirms a face.
const CONFIRMING_SCORE: f32 = 0.45;
/// An upright face of this score shows that the image contains people. In other images most boxes are false positives:
/// each needs a second box of [`STRONG_SCORE`]. In 33 photos of groups and crowds the best face scores at least 0.89 in
/// one of the upright passes; in photos of one face at least 0.85, except in 5 of 142.
const CERTAIN: f32 = 0.82;
/// The same for a rotated pass: in upright photos, shoulders and hands score up to 0.81 when rotated sideways or upside
/// down.
pub(super) const CERTAIN_ROTATED: f32 = 0.87;
/// A box of this score confirms a face in an image without a certain one.
const STRONG_SCORE: f32 = 0.7;
/// Maximum score of a face that no other pass confirms: below the default minimum score.
const UNCONFIRMED_SCORE: f32 = 0.55;
/// Face heights in input pixels at which a pass would detect the face.
const DETECTABLE: std::ops::RangeInclusive<f32> = 16.0..=MAX_WHOLE_FACE;
/// Minimum height of a face, in pixels of the first pass's input, for the smaller pass to report it; smaller faces it
/// only confirms.
const MIN_LARGE_FACE: f32 = 200.0;

/// A face and the index of the pass that found it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// In pixels of the upright image.
    pub(super) face: Face,
    pub(super) pass: usize,
}

/// Merges the results of all passes into one candidate for each face, by falling score.
///
/// A face that other passes should have detected as well, but did not, is limited to [`UNCONFIRMED_SCORE`]. The score
/// required for confirmation depends on whether the image has a certain face.
pub(super) fn merge(pass_results: &[PassResult], nms_threshold: f32) -> Vec<Candidate> {
    let mut kept = deduplicate(pass_results, nms_threshold);
    for candidate in &mut kept {
        candidate.face.score = confirmed_score(candidate, pass_results, nms_threshold);
    }
    kept.sort_by(|a, b| b.face.score.total_cmp(&a.face.score));
    kept
}

/// False for small faces in the smaller pass: the first pass detects them better, so it only confirms them.
fn reports(result: &PassResult, face: &Face) -> bool {
    result.pass.kind != PassScale::Smaller || 2.0 * result.height(face) >= MIN_LARGE_FACE
}

/// NMS over all passes: keeps candidates by falling score and drops each that shows the same face as a kept one, or a
/// part of it. As in [`non_max_suppression`], a candidate depends only on those with a higher score.
pub(super) fn deduplicate(pass_results: &[PassResult], nms_threshold: f32) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for (pass, of_pass) in pass_results.iter().enumerate() {
        let found = of_pass.faces.iter().filter(|face| reports(of_pass, face));
        candidates.extend(found.map(|face| Candidate { face: *face, pass }));
    }
    candidates.sort_by(|a, b| b.face.score.total_cmp(&a.face.score));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let scale = pass_results.get(candidate.pass).map_or(0.0, |result| result.scale);
        let is_duplicate = |other: &Candidate| {
            is_same(&candidate.face, &other.face, nms_threshold) || is_part(&candidate.face, &other.face, scale)
        };
        if !kept.iter().any(is_duplicate) {
            kept.push(candidate);
        }
    }
    kept
}

/// The score of a candidate after comparison with the other passes.
fn confirmed_score(candidate: &Candidate, pass_results: &[PassResult], nms_threshold: f32) -> f32 {
    let score = candidate.face.score;
    let Some(own) = pass_results.get(candidate.pass) else { return score };
    let rotation = own.pass.rotation;
    let is_certain = best_at(pass_results, rotation) >= if rotation == 0 { CERTAIN } else { CERTAIN_ROTATED };
    if is_certain && score >= SURE_SCORE {
        return score;
    }
    let others =
        || pass_results.iter().enumerate().filter(|(pass, _)| *pass != candidate.pass).map(|(_, result)| result);
    let detectable =
        |result: &PassResult| result.pass.rotation == rotation && DETECTABLE.contains(&result.height(&candidate.face));
    if !others().any(detectable) && (is_certain || (rotation == 0 && score >= SURE_SCORE)) {
        return score;
    }
    let here = others().flat_map(|result| &result.faces).filter(|face| is_same(face, &candidate.face, nms_threshold));
    let agreement = here.map(|face| face.score).fold(0.0, f32::max);
    let confirms = match (is_certain, rotation) {
        (true, _) => CONFIRMING_SCORE,
        (false, 0) => STRONG_SCORE,
        // A rotated pass without a certain face cannot be confirmed.
        (false, _) => f32::INFINITY,
    };
    if agreement >= confirms { score } else { score.min(UNCONFIRMED_SCORE) }
}

/// The best score of all passes with this rotation.
pub(super) fn best_at(pass_results: &[PassResult], rotation: u16) -> f32 {
    pass_results.iter().filter(|result| result.pass.rotation == rotation).map(PassResult::best).fold(0.0, f32::max)
}

/// True if both boxes show one face: their IoU exceeds the threshold, or they are of similar size with nearby landmark
/// centers.
fn is_same(a: &Face, b: &Face, nms_threshold: f32) -> bool {
    if a.bbox.iou(b.bbox) > nms_threshold {
        return true;
    }
    let (side, other) = (a.bbox.width.max(a.bbox.height), b.bbox.width.max(b.bbox.height));
    side.max(other) <= MAX_SIZE_RATIO * side.min(other)
        && middle(a).distance(middle(b)) < MAX_CENTER_DISTANCE * side.min(other)
}

/// True if `face`, detected at `scale`, is a box on a part of the larger `whole`, such as an eye or a cheek.
fn is_part(face: &Face, whole: &Face, scale: f32) -> bool {
    let (a, b) = (face.bbox, whole.bbox);
    let (side, other) = (a.width.max(a.height), b.width.max(b.height));
    // If the large face is within the network's range in this pass, a small box inside it is another face.
    other * scale > MAX_WHOLE_FACE && side < MAX_PART * other && a.overlap(b) > MIN_INSIDE * a.area()
}

/// The center of the landmarks.
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
    fn the_box_with_the_higher_score_is_kept() {
        let kept = non_max_suppression(vec![face(0.0, 0.7), face(1.0, 0.9), face(30.0, 0.5)], 0.3);
        assert_eq!(kept.iter().map(|face| face.score).collect::<Vec<_>>(), [0.9, 0.5]);
    }

    /// A square face box with landmarks at typical positions.
    fn at(x: f32, y: f32, side: f32, score: f32) -> Face {
        let at = |dx: f32, dy: f32| Point::new(x + dx * side, y + dy * side);
        let landmarks = [at(0.3, 0.4), at(0.7, 0.4), at(0.5, 0.6), at(0.35, 0.8), at(0.65, 0.8)];
        Face::new(Rect::new(x, y, side, side), landmarks, score)
    }

    fn pass(kind: PassScale, rotation: u16, scale: f32, faces: Vec<Face>) -> PassResult {
        PassResult { pass: PassSpec { kind, rotation }, scale, faces }
    }

    fn standard(faces: Vec<Face>) -> PassResult {
        pass(PassScale::Standard, 0, 1.0, faces)
    }

    fn larger(faces: Vec<Face>) -> PassResult {
        pass(PassScale::Larger, 0, 2.5, faces)
    }

    fn scores(pass_results: &[PassResult]) -> Vec<f32> {
        merge(pass_results, 0.3).iter().map(|candidate| candidate.face.score).collect()
    }

    /// A certain face elsewhere in the image.
    fn certain() -> Face {
        at(900.0, 900.0, 100.0, 0.93)
    }

    #[test]
    fn a_face_found_in_several_passes_is_reported_once() {
        let same = [standard(vec![at(100.0, 100.0, 50.0, 0.8)]), larger(vec![at(104.0, 98.0, 46.0, 0.9)])];
        assert_eq!(scores(&same), [0.9]);
        assert_eq!(merge(&same, 0.3)[0].pass, 1, "the pass with the higher score found it");
        // Boxes of rotated passes may overlap little; the landmarks decide.
        let around = [standard(vec![at(100.0, 100.0, 60.0, 0.9)]), larger(vec![at(115.0, 118.0, 31.0, 0.8)])];
        assert!(around[0].faces[0].bbox.iou(around[1].faces[0].bbox) < 0.3);
        assert_eq!(scores(&around), [0.9]);
    }

    #[test]
    fn a_small_face_in_front_of_or_behind_a_large_one_is_kept() {
        let large = at(1000.0, 1000.0, 600.0, 0.9);
        for (x, y) in [(1020.0, 1030.0), (1400.0, 1450.0), (1560.0, 1000.0), (980.0, 1560.0)] {
            let pass_results = [pass(PassScale::Standard, 0, 0.3, vec![large, at(x, y, 80.0, 0.8)])];
            assert_eq!(scores(&pass_results), [0.9, 0.8], "{x}, {y}");
        }
    }

    #[test]
    fn boxes_on_parts_of_a_large_face_are_dropped() {
        let large = at(1000.0, 1000.0, 2000.0, 0.9);
        // The same small box, with the large face once within and once beyond the network's range.
        let part = |scale: f32, x: f32| {
            let first = pass(PassScale::Standard, 0, 0.1, vec![large]);
            [first, pass(PassScale::Larger, 0, scale, vec![at(x, 1400.0, 300.0, 0.8)])]
        };
        assert_eq!(scores(&part(0.15, 1300.0)), [0.9, 0.8]);
        assert_eq!(scores(&part(0.4, 1300.0)), [0.9]);
        assert_eq!(scores(&part(0.4, 2900.0)).len(), 2, "mostly outside it");
    }

    #[test]
    fn a_doubtful_face_needs_confirmation_if_another_pass_should_detect_it() {
        let doubtful = |score: f32, second: f32| {
            scores(&[
                standard(vec![certain(), at(100.0, 100.0, 50.0, score)]),
                larger(vec![at(100.0, 100.0, 50.0, second)]),
            ])
        };
        assert_eq!(doubtful(0.7, 0.3), [0.93, UNCONFIRMED_SCORE]);
        assert_eq!(doubtful(0.7, 0.5), [0.93, 0.7]);
        assert_eq!(doubtful(0.76, 0.3), [0.93, 0.76], "a sure face needs no confirmation");
        // Only the larger pass can detect such a small face.
        let small = [standard(vec![certain()]), larger(vec![at(100.0, 100.0, 10.0, 0.7)])];
        assert_eq!(scores(&small), [0.93, 0.7]);
    }

    #[test]
    fn without_a_certain_face_each_face_needs_a_strong_confirmation() {
        let alone = |score: f32, second: f32| {
            scores(&[standard(vec![at(100.0, 100.0, 50.0, score)]), larger(vec![at(100.0, 100.0, 50.0, second)])])
        };
        assert_eq!(alone(0.8, 0.5), [UNCONFIRMED_SCORE]);
        assert_eq!(alone(0.8, 0.72), [0.8]);
        assert_eq!(alone(0.83, 0.3), [0.83], "certain by itself");
        assert_eq!(scores(&[standard(vec![at(100.0, 100.0, 50.0, 0.78)])]), [0.78], "no other pass was made");
        assert_eq!(scores(&[standard(vec![at(100.0, 100.0, 50.0, 0.7)])]), [UNCONFIRMED_SCORE]);
    }

    #[test]
    fn faces_of_a_rotated_pass_count_only_with_a_certain_one_among_them() {
        let rotated = |best: f32| {
            let faces = vec![at(100.0, 100.0, 50.0, 0.8), at(500.0, 100.0, 50.0, best)];
            scores(&[standard(vec![certain()]), pass(PassScale::Standard, 90, 1.0, faces)])
        };
        assert_eq!(rotated(0.9), [0.93, 0.9, 0.8]);
        assert_eq!(rotated(0.85), [0.93, UNCONFIRMED_SCORE, UNCONFIRMED_SCORE]);
    }

    #[test]
    fn the_smaller_pass_finds_large_faces_and_only_confirms_small_ones() {
        let smaller = |side: f32| {
            let face = at(100.0, 100.0, side, 0.95);
            scores(&[standard(vec![]), pass(PassScale::Smaller, 0, 0.5, vec![face])])
        };
        assert_eq!(smaller(300.0), [0.95]);
        assert!(smaller(100.0).is_empty());
    }

    #[test]
    fn a_kept_candidate_never_depends_on_lower_scores() {
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
            let pass_results = [standard(faces()), larger(faces())];
            for threshold in [0.3, 0.5, 0.8] {
                let over = |result: &PassResult| PassResult {
                    faces: result.faces.iter().copied().filter(|face| face.score >= threshold).collect(),
                    ..result.clone()
                };
                let mut kept = deduplicate(&pass_results, 0.3);
                kept.retain(|candidate| candidate.face.score >= threshold);
                assert_eq!(kept, deduplicate(&pass_results.each_ref().map(over), 0.3));
            }
        }
    }

    #[test]
    fn non_finite_numbers_are_merged_without_a_panic() {
        let mut bad = at(0.0, 0.0, 10.0, f32::NAN);
        bad.bbox = Rect::new(f32::NAN, 0.0, f32::INFINITY, -5.0);
        let pass_results = [standard(vec![bad, at(5.0, 5.0, 10.0, 0.9), bad]), larger(vec![bad])];
        assert!(merge(&pass_results, 0.3).iter().any(|kept| kept.face.score == 0.9));
    }

    #[test]
    fn filtering_after_nms_equals_filtering_before() {
        let mut state = 12_345_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        for _ in 0..200 {
            let faces: Vec<Face> = (0..40).map(|_| face(random() * 100.0, random())).collect();
            for threshold in [0.2, 0.5, 0.8] {
                let over = |faces: Vec<Face>| faces.into_iter().filter(|f| f.score >= threshold).collect::<Vec<_>>();
                assert_eq!(
                    over(non_max_suppression(faces.clone(), 0.3)),
                    non_max_suppression(over(faces.clone()), 0.3)
                );
            }
        }
    }
}
