//! Selection of the faces to crop.

use geometry::{Face, Point, Size};
use recipe::{CropSpec, Select};

use super::eye_state;
use super::shot_rank::{frontal, share};

/// Weights of the portrait quality in [`Select::Best`]; their sum is 1. The confidence score has the largest weight,
/// since hidden, turned or blurred faces score less; then open eyes and sharpness, since neither can be corrected. Size
/// prevents a slightly sharper face in the background from winning over the subject.
const SCORE: f32 = 0.25;
const EYES: f32 = 0.2;
const SHARPNESS: f32 = 0.2;
const FRONTAL: f32 = 0.15;
const SIZE: f32 = 0.12;
const CENTRAL: f32 = 0.08;

/// Values of the eyes by their rank: not open, nearly closed or unknown, open.
const EYE_VALUES: [f32; 3] = [0.0, 0.5, 1.0];

/// Neutral sharpness of faces that were not measured or have too few pixels.
const UNKNOWN_SHARPNESS: f32 = 0.5;

/// Indices of the usable faces that score at least `spec.min_score` and are at least `spec.min_size` high, in the given
/// order.
///
/// NMS visits boxes by falling score, so a box never removes one with a higher score: filtering the detections of a low
/// threshold gives exactly the detections of `min_score`.
pub fn eligible_faces(faces: &[Face], spec: &CropSpec) -> Vec<usize> {
    let counts =
        |face: &Face| face.is_usable() && face.score >= spec.min_score && face.bbox.height >= spec.min_size as f32;
    (0..faces.len()).filter(|&index| counts(&faces[index])).collect()
}

/// Indices of the faces that `spec` selects from `faces`; empty if none is eligible.
///
/// Of equal faces the first in the list wins; detections are listed by falling score.
pub fn choose_faces(faces: &[Face], picture: Size, spec: &CropSpec) -> Vec<usize> {
    let candidates = eligible_faces(faces, spec);
    let best_by = |quality: &dyn Fn(&Face) -> f32| -> Vec<usize> {
        // `max_by` returns the last of equal elements, so the list is reversed.
        let max = candidates.iter().rev().copied().max_by(|&a, &b| quality(&faces[a]).total_cmp(&quality(&faces[b])));
        max.into_iter().collect()
    };
    let off_center = |face: &Face| face.bbox.center().distance(center(picture));
    match spec.select {
        Select::All => candidates,
        Select::Largest => best_by(&|face| face.bbox.area()),
        Select::Central => best_by(&|face| -off_center(face)),
        Select::Best => {
            let heights = candidates.iter().map(|&index| faces[index].bbox.height);
            let highest = heights.fold(0.0, f32::max);
            best_by(&|face| quality_among(face, highest, picture))
        }
    }
}

fn center(picture: Size) -> Point {
    Point::new(picture.width as f32 / 2.0, picture.height as f32 / 2.0)
}

/// Quality of a portrait of `face`, 0 to 1, in a photo of `picture` pixels: the criterion of [`Select::Best`], assuming
/// that the face is the largest of its photo.
pub fn portrait_quality(face: &Face, picture: Size) -> f32 {
    quality_among(face, face.bbox.height, picture)
}

/// Quality of a portrait of `face`, 0 to 1, in a photo of `picture` pixels whose largest face is `highest` pixels high.
fn quality_among(face: &Face, highest: f32, picture: Size) -> f32 {
    let sharpness = face.measures.and_then(|measures| measures.sharpness).unwrap_or(UNKNOWN_SHARPNESS);
    let center = center(picture);
    let off_center = face.bbox.center().distance(center) / center.distance(Point::default());
    SCORE * share(face.score)
        + EYES * EYE_VALUES[usize::from(eye_state(face).rank())]
        + SHARPNESS * share(sharpness)
        + FRONTAL * frontal(face)
        + SIZE * share(face.bbox.height / highest)
        + CENTRAL * share(1.0 - off_center)
}

#[cfg(test)]
mod tests {
    use geometry::{FaceMeasures, Rect};

    use super::*;
    use crate::plan_crops;

    const PICTURE: Size = Size::new(1000, 800);

    fn face(x: f32, y: f32, side: f32, score: f32) -> Face {
        let at = |dx: f32, dy: f32| Point::new(x + side * dx, y + side * dy);
        let landmarks = [at(0.3, 0.35), at(0.7, 0.35), at(0.5, 0.6), at(0.35, 0.8), at(0.65, 0.8)];
        Face::new(Rect::new(x, y, side, side), landmarks, score)
    }

    fn sharp(face: Face, sharpness: f32) -> Face {
        let measures = FaceMeasures { sharpness: Some(sharpness), lightness: 0.5, underexposed: 0.0, overexposed: 0.0 };
        Face { measures: Some(measures), ..face }
    }

    fn chosen(faces: &[Face], select: Select) -> Vec<usize> {
        choose_faces(faces, PICTURE, &CropSpec { select, ..CropSpec::default() })
    }

    /// Fails unless `better` is selected, regardless of its place in the list.
    #[track_caller]
    fn assert_better(worse: Face, better: Face) {
        assert_eq!(chosen(&[worse, better], Select::Best), [1]);
        assert_eq!(chosen(&[better, worse], Select::Best), [0]);
    }

    #[test]
    fn the_best_face_is_better_in_one_criterion_all_else_being_equal() {
        let (left, right) = (face(250.0, 350.0, 100.0, 0.8), face(650.0, 350.0, 100.0, 0.8));
        assert_better(left, Face { score: 0.9, ..right });
        assert_better(sharp(left, 0.4), sharp(right, 0.6));
        assert_better(left, sharp(right, 0.6));
        assert_better(sharp(left, 0.4), right);
        assert_better(left, face(600.0, 350.0, 120.0, 0.8));
        assert_better(left, face(450.0, 350.0, 100.0, 0.8));
        let mut aside = left;
        aside.landmarks[2].x -= 15.0;
        assert_better(aside, right);
        let mut swapped = left;
        swapped.landmarks.swap(0, 1);
        assert_better(swapped, right);
    }

    #[test]
    fn the_best_face_has_open_eyes() {
        let with_eyes = |face: Face, opening| {
            let mut mesh = crate::test_faces::mesh();
            mesh.eyes.iter_mut().for_each(|eye| eye.opening = Some(opening));
            Face { mesh: Some(mesh), ..face }
        };
        let (left, right) = (face(250.0, 350.0, 100.0, 0.8), face(650.0, 350.0, 100.0, 0.8));
        assert_better(with_eyes(left, 0.05), with_eyes(right, 0.18));
        assert_better(with_eyes(left, 0.18), with_eyes(right, 0.3));
        assert_better(sharp(with_eyes(left, 0.05), 0.9), sharp(with_eyes(right, 0.3), 0.6));
    }

    #[test]
    fn a_background_face_does_not_win_by_a_little_score_and_sharpness() {
        let subject = sharp(face(380.0, 250.0, 300.0, 0.88), 0.6);
        assert_better(sharp(face(50.0, 300.0, 60.0, 0.93), 0.7), subject);
        // The person in front is out of focus, the one behind is not.
        assert_better(sharp(subject, 0.1), sharp(face(100.0, 300.0, 200.0, 0.88), 0.7));
    }

    #[test]
    fn portrait_quality_is_the_weighted_sum_of_its_criteria() {
        // In the center, the largest, of medium sharpness, frontal.
        let quality = quality_among(&sharp(face(450.0, 350.0, 100.0, 0.9), 0.5), 100.0, PICTURE);
        assert!((quality - (0.225 + 0.1 + 0.1 + 0.15 + 0.12 + 0.08)).abs() < 1e-5, "{quality}");
        assert!((SCORE + EYES + SHARPNESS + FRONTAL + SIZE + CENTRAL - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_first_of_equal_faces_wins() {
        let same = face(450.0, 350.0, 100.0, 0.9);
        for select in [Select::Best, Select::Largest, Select::Central] {
            assert_eq!(chosen(&[same, same, same], select), [0], "{select:?}");
        }
    }

    #[test]
    fn faces_one_above_the_other_are_numbered_from_the_top() {
        let faces = [face(500.0, 600.0, 100.0, 0.9), face(500.0, 100.0, 100.0, 0.8), face(100.0, 500.0, 100.0, 0.7)];
        let plan = plan_crops(&faces, PICTURE, &CropSpec { select: Select::All, ..CropSpec::default() });
        assert_eq!(plan.crops.iter().map(|crop| crop.face_index).collect::<Vec<_>>(), [2, 1, 0]);
    }

    #[test]
    fn unusable_faces_are_never_eligible() {
        let sound = face(10.0, 10.0, 40.0, 0.7);
        let with = |change: fn(&mut Face)| {
            let mut broken = face(400.0, 300.0, 200.0, 0.95);
            change(&mut broken);
            broken
        };
        let broken = [
            with(|face| face.score = f32::NAN),
            with(|face| face.bbox.x = f32::NAN),
            with(|face| face.bbox.width = 0.0),
            with(|face| face.bbox.height = -5.0),
            with(|face| face.landmarks[0].x = f32::INFINITY),
        ];
        for broken in broken {
            for select in [Select::Best, Select::Largest, Select::Central, Select::All] {
                assert_eq!(chosen(&[broken, sound], select), [1], "{select:?} of {broken:?}");
            }
        }
        let measured = Face { measures: sharp(sound, f32::NAN).measures, ..sound };
        assert_eq!(chosen(&[measured, sound], Select::Best), [1], "a non-finite sharpness counts as 0");
        assert_eq!(
            choose_faces(&[sound], Size::new(0, 0), &CropSpec { select: Select::Best, ..CropSpec::default() }),
            [0]
        );
        let huge = face(-1e38, -1e38, 3e38, 0.9);
        assert_eq!(chosen(&[huge], Select::Best), [0]);
    }

    #[test]
    fn thresholds_are_monotonic() {
        let faces: Vec<Face> = (1..=20).map(|n| face(10.0, 10.0, n as f32 * 10.0, n as f32 / 20.0)).collect();
        let counted =
            |min_score, min_size| eligible_faces(&faces, &CropSpec { min_score, min_size, ..CropSpec::default() });
        let mut before = counted(0.0, 0);
        assert_eq!(before.len(), faces.len());
        for step in 1..=20_u32 {
            let after = counted(step as f32 / 20.0, step * 5);
            assert!(after.iter().all(|index| before.contains(index)) && after.len() <= before.len());
            before = after;
        }
        assert_eq!(before, [19]);
    }
}
