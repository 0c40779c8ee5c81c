//! Which faces are cropped.

use geometry::{Face, Point, Size, estimate_head};
use recipe::{CropSpec, Select};

/// What counts for how much in [`Select::Best`]; together 1. That the network is sure of a face counts most, since it finds
/// faces that are hidden, turned away or out of focus with less score; sharpness next, since it cannot be mended. Size is
/// there so that a face in the crowd behind does not win by being a little sharper than the person the photo is of.
const SCORE: f32 = 0.3;
const SHARPNESS: f32 = 0.25;
const FRONTAL: f32 = 0.2;
const SIZE: f32 = 0.15;
const CENTRAL: f32 = 0.1;

/// The sharpness of faces whose pixels were not looked at, or are too few: neither for nor against them.
const UNKNOWN_SHARPNESS: f32 = 0.5;

/// Indices of the faces that count: usable, scoring at least `spec.min_score` and at least `spec.min_size` high, in the order
/// given.
///
/// Suppression visits boxes by falling score, so a low-scoring box never removes a higher one: filtering what was
/// detected at a low floor gives exactly what detecting at `min_score` would have.
pub fn faces_that_count(faces: &[Face], spec: &CropSpec) -> Vec<usize> {
    let counts =
        |face: &Face| face.is_usable() && face.score >= spec.min_score && face.bbox.height >= spec.min_size as f32;
    (0..faces.len()).filter(|&index| counts(&faces[index])).collect()
}

/// Indices of the faces that `spec` chooses from `faces`; empty where none counts.
///
/// Between equals the first in the list wins, and detections are listed by falling score.
pub fn choose_faces(faces: &[Face], picture: Size, spec: &CropSpec) -> Vec<usize> {
    let candidates = faces_that_count(faces, spec);
    let one_with_most = |worth: &dyn Fn(&Face) -> f32| -> Vec<usize> {
        // The last of equals is taken, so the list is walked from its end.
        let max = candidates.iter().rev().copied().max_by(|&a, &b| worth(&faces[a]).total_cmp(&worth(&faces[b])));
        max.into_iter().collect()
    };
    let off_middle = |face: &Face| face.bbox.center().distance(middle(picture));
    match spec.select {
        Select::All => candidates,
        Select::Largest => one_with_most(&|face| face.bbox.area()),
        Select::Central => one_with_most(&|face| -off_middle(face)),
        Select::Best => {
            let heights = candidates.iter().map(|&index| faces[index].bbox.height);
            let highest = heights.fold(0.0, f32::max);
            one_with_most(&|face| worth_as_portrait(face, highest, picture))
        }
    }
}

fn middle(picture: Size) -> Point {
    Point::new(picture.width as f32 / 2.0, picture.height as f32 / 2.0)
}

/// How good a portrait of `face` would be, 0 to 1, in a photo of `picture` pixels: what [`Select::Best`] compares, as if the face
/// were the highest of its photo.
pub fn portrait_quality(face: &Face, picture: Size) -> f32 {
    worth_as_portrait(face, face.bbox.height, picture)
}

/// How good a portrait of `face` would be, 0 to 1, in a photo of `picture` pixels whose highest face has `highest` pixels.
fn worth_as_portrait(face: &Face, highest: f32, picture: Size) -> f32 {
    let share = |value: f32| if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
    let sharpness = face.measures.and_then(|measures| measures.sharpness).unwrap_or(UNKNOWN_SHARPNESS);
    let estimate = estimate_head(face);
    let frontal = if estimate.doubt.is_some() { 0.0 } else { 1.0 - share(estimate.yaw.abs()) };
    let middle = middle(picture);
    let off_middle = face.bbox.center().distance(middle) / middle.distance(Point::default());
    SCORE * share(face.score)
        + SHARPNESS * share(sharpness)
        + FRONTAL * frontal
        + SIZE * share(face.bbox.height / highest)
        + CENTRAL * share(1.0 - off_middle)
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
        let measures = FaceMeasures {
            sharpness: Some(sharpness),
            lightness: 0.5,
            underexposed: 0.0,
            overexposed: 0.0,
            eyes_to_hair: None,
        };
        Face { measures: Some(measures), ..face }
    }

    fn chosen(faces: &[Face], select: Select) -> Vec<usize> {
        choose_faces(faces, PICTURE, &CropSpec { select, ..CropSpec::default() })
    }

    /// Fails unless the second face is the better one, wherever it is in the list.
    #[track_caller]
    fn assert_better(worse: Face, better: Face) {
        assert_eq!(chosen(&[worse, better], Select::Best), [1]);
        assert_eq!(chosen(&[better, worse], Select::Best), [0]);
    }

    #[test]
    fn the_best_is_better_in_what_counts_all_else_being_equal() {
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
    fn a_face_in_the_crowd_does_not_win_by_a_little_score_and_sharpness() {
        let subject = sharp(face(380.0, 250.0, 300.0, 0.88), 0.6);
        assert_better(sharp(face(50.0, 300.0, 60.0, 0.93), 0.7), subject);
        // The person in front is out of focus, and the one behind is not.
        assert_better(sharp(subject, 0.1), sharp(face(100.0, 300.0, 200.0, 0.88), 0.7));
    }

    #[test]
    fn the_worth_of_a_face_is_the_sum_of_its_parts() {
        // In the middle, the highest, half as sharp as can be, frontal.
        let worth = worth_as_portrait(&sharp(face(450.0, 350.0, 100.0, 0.9), 0.5), 100.0, PICTURE);
        assert!((worth - (0.27 + 0.125 + 0.2 + 0.15 + 0.1)).abs() < 1e-5, "{worth}");
        assert!((SCORE + SHARPNESS + FRONTAL + SIZE + CENTRAL - 1.0).abs() < 1e-6);
    }

    #[test]
    fn between_equals_the_first_in_the_list_wins() {
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
    fn broken_faces_never_count_and_never_win() {
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
        assert_eq!(chosen(&[measured, sound], Select::Best), [1], "a sharpness that is no number counts as none");
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
            |min_score, min_size| faces_that_count(&faces, &CropSpec { min_score, min_size, ..CropSpec::default() });
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
