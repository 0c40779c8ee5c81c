//! Plans for photos of many sizes.

use super::*;
use crate::geometry::Point;

const INPUT: Size = Size::new(640, 640);
const LARGE: Size = Size::new(6000, 4000);

fn subject(photo: Size, thoroughness: Thoroughness) -> Subject {
    Subject { photo, input: INPUT, thoroughness }
}

/// An upright face `height` pixels of the input high in a photo of 6000 pixels, its left top corner at `x`, `y`.
fn face(x: f32, y: f32, height: f32, score: f32) -> Face {
    let height = height * 6000.0 / 640.0;
    let at = |dx: f32, dy: f32| Point::new(x + dx * height, y + dy * height);
    let landmarks = [at(0.2, 0.4), at(0.6, 0.4), at(0.4, 0.6), at(0.25, 0.8), at(0.55, 0.8)];
    Face::new(Rect::new(x, y, 0.8 * height, height), landmarks, score)
}

fn first(thoroughness: Thoroughness, faces: &[Face]) -> Option<Step> {
    subject(LARGE, thoroughness).next_step(&[], faces, 1)
}

#[test]
fn one_clear_face_is_enough_unless_all_looks_are_asked_for() {
    let clear = [face(2000.0, 1000.0, 150.0, 0.92)];
    assert_eq!(first(Thoroughness::Balanced, &clear), None);
    assert_eq!(first(Thoroughness::Fast, &[]), None, "one look, whatever it gives");
    assert_eq!(first(Thoroughness::Thorough, &clear), Some(Step::Quarters));
}

#[test]
fn each_doubt_asks_for_the_look_that_can_settle_it() {
    let balanced = |faces: &[Face]| first(Thoroughness::Balanced, faces);
    let clear = face(2000.0, 1000.0, 150.0, 0.92);
    assert_eq!(balanced(&[]), Some(Step::Quarters), "nothing found");
    assert_eq!(balanced(&[face(500.0, 100.0, 510.0, 0.93)]), Some(Step::Quarters), "too large");
    assert_eq!(balanced(&[face(-400.0, 1000.0, 150.0, 0.93)]), Some(Step::Quarters), "cut off");
    let mut lying = clear;
    lying.landmarks = lying.landmarks.map(|point| Point::new(-point.y, point.x));
    assert_eq!(balanced(&[clear, lying]), Some(Step::Quarters), "lies");
    assert_eq!(balanced(&[face(2000.0, 1000.0, 150.0, 0.84)]), Some(Step::Quarters), "weak, as turned faces are");
    assert_eq!(balanced(&[clear, face(100.0, 100.0, 15.0, 0.5)]), Some(Step::Tiles), "a small one beside");
    assert_eq!(balanced(&[clear, face(100.0, 100.0, 15.0, 0.35)]), None, "a hint as weak as noise");
}

#[test]
fn balanced_stops_where_a_step_gave_the_answer_and_thorough_goes_on() {
    let small = Size::new(700, 500);
    let found = [face(1000.0, 1000.0, 100.0, 0.93)];
    let balanced = subject(small, Thoroughness::Balanced);
    assert_eq!(balanced.next_step(&[Step::Quarters], &[], 2), Some(Step::Turned(90)));
    assert_eq!(balanced.next_step(&[Step::Quarters], &found, 2), None);
    assert_eq!(balanced.next_step(&[Step::Quarters, Step::Turned(90)], &found, 2), None);
    let thorough = subject(small, Thoroughness::Thorough);
    assert_eq!(thorough.next_step(&[Step::Quarters, Step::Turned(90)], &found, 2), Some(Step::Turned(270)));
}

#[test]
fn no_photo_is_given_more_than_twelve_runs_before_turned_tiles_and_one_is_left_for_a_mosaic() {
    for (width, height) in [
        (6000, 4000),
        (4000, 6000),
        (4000, 3000),
        (4000, 4000),
        (12_000, 900),
        (900, 12_000),
        (1280, 960),
        (1900, 1000),
        (640, 480),
        (64, 48),
        (40, 9000),
        (1, 1),
    ] {
        for thoroughness in Thoroughness::ALL {
            let subject = subject(Size::new(width, height), thoroughness);
            let (mut taken, mut spent) = (Vec::new(), 1);
            while let Some(step) = subject.next_step(&taken, &[], spent) {
                spent += subject.runs(step).len();
                taken.push(step);
            }
            let most = subject.most_runs(&taken);
            assert!(spent < most && most <= MOST_RUNS + 21, "{width} x {height}: {spent} runs of {most}");
            let small = tiles(subject.photo, INPUT).is_empty();
            let turns = taken.iter().filter(|step| matches!(step, Step::TurnedTiles(_))).count();
            let lying = thoroughness == Thoroughness::Thorough && !small;
            assert_eq!((turns, most > MOST_RUNS), (if lying { 3 } else { 0 }, lying), "{width} x {height}");
            if thoroughness != Thoroughness::Fast && subject.photo.short_side() > 40 {
                assert!(taken.contains(&Step::Turned(180)), "{width} x {height}: {taken:?}");
                assert_eq!(taken.contains(&Step::Tiles), !small, "{width} x {height}: {taken:?}");
                assert!(!small || taken.contains(&Step::Turned(225)), "{width} x {height}: {taken:?}");
            }
        }
    }
}

#[test]
fn tiles_are_turned_only_where_nothing_is_likely_to_be_a_face() {
    let thorough = subject(LARGE, Thoroughness::Thorough);
    let taken: Vec<Step> = STEPS[..9].to_vec();
    let likely = face(2000.0, 1000.0, 20.0, 0.61);
    let hint = face(2000.0, 1000.0, 20.0, 0.55);
    assert_eq!(thorough.next_step(&taken, &[hint], 11), Some(Step::TurnedTiles(90)));
    assert_eq!(thorough.next_step(&taken, &[likely], 11), None);
    let once: Vec<Step> = STEPS[..10].to_vec();
    assert_eq!(thorough.next_step(&once, &[hint], 17), Some(Step::TurnedTiles(270)), "the other side");
    assert_eq!(thorough.next_step(&once, &[likely], 17), None, "found");
    assert_eq!(subject(LARGE, Thoroughness::Balanced).next_step(&taken, &[hint], 11), None);
    assert_eq!((thorough.most_runs(&taken), thorough.most_runs(&once), thorough.most_runs(&STEPS[..11])), (12, 19, 26));
}

#[test]
fn steps_and_runs_are_told_from_the_looks_they_gave() {
    for photo in [LARGE, Size::new(1280, 960), Size::new(640, 480), Size::new(500, 700)] {
        let subject = subject(photo, Thoroughness::Thorough);
        let (mut taken, mut spent, mut looks) = (Vec::new(), 1, Vec::new());
        let look = |view: &View| Look {
            kind: view.kind,
            part: view.part_rect(),
            turned: view.turned,
            scale: view.scale(),
            candidates: 0,
            run_ms: 0.0,
        };
        looks.extend(View::whole(photo, INPUT).iter().map(look));
        assert_eq!((subject.taken(&looks), subject.spent(&looks)), (Vec::new(), 1));
        while let Some(step) = subject.next_step(&taken, &[], spent) {
            let runs = subject.runs(step);
            spent += runs.len();
            looks.extend(runs.iter().flatten().map(look));
            taken.push(step);
            assert_eq!((subject.taken(&looks), subject.spent(&looks)), (taken.clone(), spent), "{photo}");
        }
        let mosaic = Look { kind: LookKind::Mosaic, ..looks[0] };
        looks.push(mosaic);
        assert_eq!((subject.taken(&looks), subject.spent(&looks)), (taken, spent + 1), "{photo}");
    }
}

#[test]
fn a_face_is_doubtful_by_its_score_in_its_own_look_and_hints_only_where_none_is_clear() {
    let candidate = |score: f32, height: f32| Candidate {
        face: face(2000.0, 1000.0, height, score),
        look: 0,
        scale: 640.0 / 6000.0,
        check: None,
    };
    let balanced = subject(LARGE, Thoroughness::Balanced);
    for (score, height, alone, beside_clear) in [
        (0.93, 100.0, false, false),
        (0.90, 100.0, true, true),
        (0.90, 460.0, false, false),
        (0.5, 20.0, true, true),
        (0.42, 20.0, true, false),
        (0.2, 20.0, true, false),
    ] {
        let found = candidate(score, height);
        assert_eq!(balanced.is_doubtful(&found, false), alone, "{score} {height}");
        assert_eq!(balanced.is_doubtful(&found, true), beside_clear, "{score} {height}");
        assert!(!subject(LARGE, Thoroughness::Fast).is_doubtful(&found, false));
        assert_eq!(subject(LARGE, Thoroughness::Thorough).is_doubtful(&found, true), alone, "{score} {height}");
    }
}

#[test]
fn what_may_be_a_portrait_on_its_head_is_looked_at_again() {
    let standing = subject(LARGE.transposed(), Thoroughness::Balanced);
    let balanced = |height, score| standing.next_step(&[], &[face(200.0, 50.0, height, score)], 1);
    assert_eq!(balanced(150.0, 0.904), Some(Step::Quarters));
    assert_eq!(balanced(150.0, 0.93), None);
    assert_eq!(balanced(470.0, 0.907), None);
    assert_eq!(balanced(470.0, 0.81), Some(Step::Quarters));
}

#[test]
fn faces_that_are_no_numbers_leave_the_doubt_there_was() {
    let mut bad = face(2000.0, 1000.0, 150.0, f32::NAN);
    assert_eq!(first(Thoroughness::Balanced, &[bad]), Some(Step::Quarters));
    bad.landmarks = [Point::new(f32::NAN, f32::INFINITY); 5];
    bad.bbox = Rect::new(0.0, 0.0, f32::INFINITY, -1.0);
    assert_eq!(first(Thoroughness::Balanced, &[bad]), Some(Step::Quarters));
}
