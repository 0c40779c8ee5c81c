//! One box a face: greedy suppression of overlaps.

use crate::geometry::Face;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Point, Rect};

    fn face(x: f32, score: f32) -> Face {
        Face::new(Rect::new(x, 0.0, 10.0, 10.0), [Point::default(); 5], score)
    }

    #[test]
    fn the_higher_score_stays() {
        let kept = suppress_overlaps(vec![face(0.0, 0.7), face(1.0, 0.9), face(30.0, 0.5)], 0.3);
        assert_eq!(kept.iter().map(|face| face.score).collect::<Vec<_>>(), [0.9, 0.5]);
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
