//! Which faces are looked at again, at which levels, and what comes of it.

use super::mosaic::{MOST_CELLS, Place};
use super::suppress::Candidate;
use crate::geometry::{Face, Landmark, Transform};

/// Levels in degrees from the one that the landmarks say, in the order in which they are tried: as it is, on its head, lying,
/// between. The network is sure of a face up to about 30 degrees from upright, so eighths of a turn leave none out.
const LEVELS: [f32; 8] = [0.0, 180.0, 90.0, 270.0, 45.0, 315.0, 135.0, 225.0];
/// Degrees between neighbouring levels.
const STEP: f32 = 45.0;
/// Cells up to which a face is shown at more than one level: with more of them faces get too small.
const ROOM: usize = 36;

/// The score in a cell from which on a face is one. Faces of 18 pixels and more score at least 0.88 at the best of eight
/// levels, most of them above 0.89; what is none up to 0.87, but for the heads of dogs.
const CONFIRMED: f32 = 0.875;
/// The same for those that no longer are in doubt.
const SURE: f32 = 0.92;
/// What [`CONFIRMED`] is worth: the program's least score.
const WORTH: f32 = 0.6;
/// What the finding look said above the first speaks for a face as well, by the second. Half hidden faces scored 0.80 to 0.85
/// there and 0.84 in their cells; what is none had at most 0.8 there and 0.72 in its cells, or 0.75 and 0.84.
const SUPPORT_FROM: f32 = 0.7;
const SUPPORT: f32 = 0.4;
/// The score of a face that no cell shows.
const NOT_SEEN: f32 = 0.1;
/// A face that was not shown at all levels is shown again where it scored this much at one.
const HOPE: f32 = 0.4;
/// So many candidates tell a pattern where at most one of so many is a face.
const MANY: usize = 32;
const HARDLY_ANY: usize = 4;
/// The landmarks of the best cell are believed up to this many degrees from the level that its neighbours' scores speak for.
const AGREE: f32 = 6.0;

/// A candidate's place at one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trial {
    /// The index of the candidate.
    pub(super) candidate: usize,
    /// What its cell shows.
    pub(super) place: Place,
}

/// What a cell showed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sighting {
    /// The index of the candidate.
    pub(super) candidate: usize,
    /// Degrees by which the cell was turned against the picture.
    pub(super) level: f32,
    /// The face, in pixels of the upright picture.
    pub(super) face: Option<Face>,
}

/// What is known of a candidate that was looked at again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Check {
    /// The highest score in a cell.
    best: f32,
    /// Mosaics it was in.
    rounds: u8,
    /// True once all levels were tried.
    all_levels: bool,
}

/// The cells of a mosaic for those of `candidates`, by falling score, that `is_doubtful` holds for and that were in none:
/// each as its landmarks say, then, while there is room, at further levels. Where all were, once more for the few that
/// cells showed as doubtful as before and not at all levels.
pub(super) fn trials(candidates: &[Candidate], is_doubtful: impl Fn(&Candidate) -> bool) -> Vec<Trial> {
    let pick = |wanted: &dyn Fn(&Candidate) -> bool| -> Vec<usize> {
        (0..candidates.len()).filter(|&index| wanted(&candidates[index])).collect()
    };
    let mut doubtful = pick(&|candidate| candidate.check.is_none() && is_doubtful(candidate));
    if doubtful.is_empty() && candidates.iter().all(|candidate| candidate.check.is_none_or(|check| check.rounds < 2)) {
        let best = |index: &usize| candidates[*index].check.map_or(0.0, |check| check.best);
        doubtful = pick(&|candidate| {
            candidate.check.is_some_and(|check| !check.all_levels && (HOPE..CONFIRMED).contains(&check.best))
        });
        doubtful.sort_by(|a, b| best(b).total_cmp(&best(a)));
        doubtful.truncate(ROOM / LEVELS.len());
    }
    let mut trials = Vec::new();
    for (pass, level) in LEVELS.into_iter().enumerate() {
        let room = if pass == 0 { MOST_CELLS } else { ROOM };
        let places =
            doubtful.iter().map(|&index| Trial { candidate: index, place: place(&candidates[index].face, level) });
        trials.extend(places.take(room.saturating_sub(trials.len())));
    }
    trials
}

fn place(face: &Face, level: f32) -> Place {
    let bbox = face.bbox;
    Place { center: bbox.center(), height: bbox.width.max(bbox.height), roll: roll_of_eyes(face) + level }
}

/// Takes over what the cells showed of `candidates`: better landmarks, box and score where they confirm a face, a lower
/// score where they do not.
pub(super) fn settle(candidates: &mut [Candidate], sightings: &[Sighting]) {
    for (index, candidate) in candidates.iter_mut().enumerate() {
        let own: Vec<&Sighting> = sightings.iter().filter(|sighting| sighting.candidate == index).collect();
        if own.is_empty() {
            continue;
        }
        let score = |sighting: &Sighting| sighting.face.map_or(0.0, |face| face.score);
        let best = own.iter().copied().reduce(|a, b| if score(b) > score(a) { b } else { a });
        let best_score = best.map_or(0.0, score);
        let (before, rounds) = candidate.check.map_or((0.0, 0), |check| (check.best, check.rounds));
        let all_levels = own.len() >= LEVELS.len();
        candidate.check = Some(Check { best: best_score.max(before), rounds: rounds.saturating_add(1), all_levels });
        let Some((best, face)) = best.and_then(|best| Some((best, best.face?))) else {
            candidate.face.score = candidate.face.score.min(NOT_SEEN);
            continue;
        };
        let found = candidate.face.score;
        let with_support = best_score + SUPPORT * (found - SUPPORT_FROM).max(0.0);
        let score = if best_score >= CONFIRMED {
            found.max(worth(best_score))
        } else if with_support >= CONFIRMED {
            found.min(WORTH + with_support - CONFIRMED)
        } else {
            candidate.face.score = found.min(worth(best_score));
            continue;
        };
        candidate.face = Face { score, ..levelled(&face, roll_by_neighbours(best, &own)) };
    }
}

/// Where cells have shown many candidates and hardly any as a face, those for which there was no cell are of the same stuff: a
/// pattern. They lose what they would in a cell that says no more than their look.
pub(super) fn doubt_the_unshown(candidates: &mut [Candidate], is_doubtful: impl Fn(&Candidate) -> bool) {
    let best: Vec<f32> = candidates.iter().filter_map(|candidate| Some(candidate.check?.best)).collect();
    let faces = best.iter().filter(|best| **best >= CONFIRMED).count();
    if best.len() < MANY || faces * HARDLY_ANY > best.len() {
        return;
    }
    for candidate in candidates {
        if candidate.check.is_none() && is_doubtful(candidate) {
            candidate.face.score = candidate.face.score.min(worth(candidate.face.score));
        }
    }
}

/// What a score in a cell is worth: never reorders, and what [`CONFIRMED`] scores is worth [`WORTH`].
fn worth(score: f32) -> f32 {
    match score {
        score if score >= SURE => score,
        score if score >= CONFIRMED => WORTH + (score - CONFIRMED) * (SURE - WORTH) / (SURE - CONFIRMED),
        score => score * WORTH / CONFIRMED,
    }
}

/// The roll that the scores at the best level and at those beside it speak for: the top of the parabola through them. The
/// network gives a face that is turned against its cell with landmarks that are not, but with a lower score.
fn roll_by_neighbours(best: &Sighting, all: &[&Sighting]) -> Option<f32> {
    let beside = |by: f32| {
        let found = all.iter().find(|other| (turn_between(other.level, best.level) - by).abs() < 1.0)?;
        Some(found.face.map_or(NOT_SEEN, |face| face.score))
    };
    let (less, more, top) = (beside(-STEP)?, beside(STEP)?, best.face?.score);
    let bend = less + more - 2.0 * top;
    let off = if bend < 0.0 { STEP / 2.0 * (less - more) / bend } else { 0.0 };
    Some(best.level + off.clamp(-STEP / 2.0, STEP / 2.0))
}

/// `face` with its landmarks turned about the middle of its box to `roll`, where they disagree with it.
fn levelled(face: &Face, roll: Option<f32>) -> Face {
    let turn = roll.map_or(0.0, |roll| turn_between(roll, roll_of_eyes(face)));
    if turn.is_nan() || turn.abs() <= AGREE {
        return *face;
    }
    let map = Transform::rotate_about(face.bbox.center(), f64::from(turn));
    Face { landmarks: face.landmarks.map(|point| map.apply(point)), ..*face }
}

/// Degrees, -180 to 180, from `from` clockwise to `to`.
fn turn_between(to: f32, from: f32) -> f32 {
    (to - from + 180.0).rem_euclid(360.0) - 180.0
}

/// Degrees, -180 to 180, that the line from the right eye to the left is turned clockwise.
pub(super) fn roll_of_eyes(face: &Face) -> f32 {
    let (right, left) = (face.landmark(Landmark::RightEye), face.landmark(Landmark::LeftEye));
    (left.y - right.y).atan2(left.x - right.x).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Point, Rect};

    /// A face with its middle at 100, 100, 40 pixels high, turned clockwise by `roll`.
    fn face(score: f32, roll: f32) -> Face {
        let points = [(-8.0, -4.0), (8.0, -4.0), (0.0, 4.0), (-6.0, 12.0), (6.0, 12.0)];
        let map = Transform::rotate_about(Point::new(100.0, 100.0), f64::from(roll));
        let points = points.map(|(x, y)| map.apply(Point::new(100.0 + x, 100.0 + y)));
        Face::new(Rect::new(80.0, 80.0, 40.0, 40.0), points, score)
    }

    fn candidate(score: f32, roll: f32) -> Candidate {
        Candidate { face: face(score, roll), look: 0, scale: 1.0, check: None }
    }

    fn all(_: &Candidate) -> bool {
        true
    }

    /// What cells at eighths of a turn from `roll` show with `scores`; 0 for nothing.
    fn sightings(candidate: usize, roll: f32, scores: [f32; 8]) -> Vec<Sighting> {
        let level = |index: usize| roll + STEP * index as f32;
        let face = |index: usize| (scores[index] > 0.0).then(|| face(scores[index], level(index)));
        (0..8).map(|index| Sighting { candidate, level: level(index), face: face(index) }).collect()
    }

    #[test]
    fn few_faces_are_tried_at_all_levels_and_many_once_each() {
        let few = trials(&[candidate(0.8, 10.0), candidate(0.5, 0.0)], all);
        assert_eq!(few.len(), 16);
        assert!(few[..2].iter().map(|trial| trial.candidate).eq([0, 1]), "each once before any twice");
        let mut levels: Vec<f32> = few.iter().filter(|t| t.candidate == 0).map(|t| t.place.roll.round()).collect();
        levels.sort_by(f32::total_cmp);
        assert_eq!(levels, [10.0, 55.0, 100.0, 145.0, 190.0, 235.0, 280.0, 325.0]);
        let many = vec![candidate(0.8, 0.0); 50];
        assert_eq!(trials(&many, all).len(), 50);
        assert_eq!(trials(&vec![candidate(0.8, 0.0); 90], all).len(), MOST_CELLS);
        let one = trials(&many, |candidate| candidate.face.score > 0.9);
        assert!(one.is_empty(), "nothing doubtful, no mosaic");
    }

    #[test]
    fn a_face_that_is_still_doubtful_at_one_level_is_tried_once_more_at_all() {
        let mut many = vec![candidate(0.8, 0.0); 50];
        let first = trials(&many, all);
        let scores = |index: usize| if index < 6 { 0.6 } else { 0.2 };
        let seen: Vec<Sighting> = first
            .iter()
            .map(|t| Sighting { candidate: t.candidate, level: 0.0, face: Some(face(scores(t.candidate), 0.0)) })
            .collect();
        settle(&mut many, &seen);
        let second = trials(&many, all);
        assert_eq!(second.len(), 32, "four at eight levels");
        assert!(second.iter().all(|trial| trial.candidate < 6));
        let seen: Vec<Sighting> =
            second.iter().map(|t| Sighting { candidate: t.candidate, level: 0.0, face: None }).collect();
        settle(&mut many, &seen);
        assert!(trials(&many, all).is_empty(), "no third time");
    }

    #[test]
    fn a_confirmed_face_takes_score_box_and_level_of_its_best_cell() {
        let mut found = [candidate(0.7, 0.0), candidate(0.9, 0.0)];
        settle(&mut found, &sightings(0, 0.0, [0.8, 0.5, 0.0, 0.85, 0.93, 0.85, 0.4, 0.0]));
        assert!((found[0].face.score - 0.93).abs() < 1e-6);
        assert!(roll_of_eyes(&found[0].face).abs() > 179.0);
        assert_eq!(found[1], candidate(0.9, 0.0), "in no cell, as it was");
        settle(&mut found, &sightings(1, 0.0, [0.88, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.8]));
        assert_eq!(found[1].face.score, 0.9, "a face never loses by being confirmed");
    }

    #[test]
    fn scores_beside_the_best_level_tell_how_far_off_it_is() {
        for (less, more, roll) in [(0.8, 0.8, 90.0), (0.9, 0.6, 71.0), (0.6, 0.9, 109.0), (0.92, 0.3, 68.0)] {
            let mut found = [candidate(0.7, 0.0)];
            settle(&mut found, &sightings(0, 0.0, [0.0, less, 0.93, more, 0.0, 0.0, 0.0, 0.0]));
            let got = roll_of_eyes(&found[0].face);
            assert!((got - roll).abs() < 4.0, "{less} {more}: {got} for {roll}");
            let middle = found[0].face.bbox.center();
            assert!(middle.distance(Point::new(100.0, 100.0)) < 0.1, "the box stays");
        }
    }

    #[test]
    fn what_is_not_confirmed_loses_and_keeps_its_place() {
        for (score, best, least, most) in
            [(0.65, 0.86, 0.58, 0.6), (0.8, 0.5, 0.3, 0.4), (0.35, 0.7, 0.34, 0.36), (0.9, 0.0, 0.0, 0.1)]
        {
            let mut found = [candidate(score, 20.0)];
            settle(&mut found, &sightings(0, 20.0, [0.0, 0.0, 0.0, 0.0, best, 0.0, 0.0, 0.0]));
            let face = found[0].face;
            assert!((least..=most).contains(&face.score), "{score} {best}: {}", face.score);
            assert_eq!(face.landmarks, candidate(score, 20.0).face.landmarks);
        }
    }

    #[test]
    fn a_face_that_its_look_was_sure_of_is_upheld_by_a_cell_that_nearly_confirms_it() {
        let settled = |score: f32, best: f32| {
            let mut found = [candidate(score, 0.0)];
            settle(&mut found, &sightings(0, 0.0, [best, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3]));
            found[0].face.score
        };
        assert!((0.6..0.7).contains(&settled(0.8, 0.84)));
        assert!(settled(0.8, 0.75) < 0.6 && settled(0.75, 0.84) < 0.6 && settled(0.6, 0.87) < 0.6);
        let rising: Vec<f32> = (60..=100).map(|best| settled(0.8, best as f32 / 100.0)).collect();
        assert!(rising.windows(2).all(|pair| pair[0] <= pair[1]), "{rising:?}");
    }

    #[test]
    fn of_a_pattern_those_without_a_cell_lose_as_well_and_of_a_group_they_do_not() {
        let left = |faces: usize| {
            let mut many = vec![candidate(0.7, 0.0); 80];
            let face = |index: usize| face(if index < faces { 0.93 } else { 0.4 }, 0.0);
            let shown = (0..64).map(|index| Sighting { candidate: index, level: 0.0, face: Some(face(index)) });
            settle(&mut many, &shown.collect::<Vec<_>>());
            doubt_the_unshown(&mut many, all);
            many[70].face.score
        };
        assert!(left(2) < 0.5, "a pattern");
        assert_eq!(left(40), 0.7, "a group");
        let mut few = vec![candidate(0.7, 0.0); 3];
        settle(&mut few, &[Sighting { candidate: 0, level: 0.0, face: None }]);
        doubt_the_unshown(&mut few, all);
        assert_eq!(few[1].face.score, 0.7, "one tells nothing of others");
    }

    #[test]
    fn a_higher_score_in_a_cell_is_worth_more() {
        let steps: Vec<f32> = (0..=100).map(|step| worth(step as f32 / 100.0)).collect();
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
        assert!((worth(CONFIRMED) - WORTH).abs() < 1e-6 && worth(0.95) == 0.95 && worth(0.84) < WORTH);
    }

    #[test]
    fn numbers_that_are_none_never_panic() {
        let mut bad = candidate(f32::NAN, 0.0);
        bad.face.landmarks = [Point::new(f32::NAN, f32::INFINITY); 5];
        assert_eq!(trials(&[bad], all).len(), 8);
        let mut found = [bad];
        settle(&mut found, &[Sighting { candidate: 0, level: f32::NAN, face: Some(bad.face) }]);
        assert!(found[0].check.is_some());
    }
}
