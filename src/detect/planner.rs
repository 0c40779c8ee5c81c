//! Which looks a photo is given, from its size and what was found so far.

use super::check::roll_of_eyes;
use super::suppress::Candidate;
use super::tiles::tiles;
use super::view::View;
use super::{Look, LookKind, Thoroughness};
use crate::geometry::{Face, Rect, Size};

/// Engine runs that a photo is given at most.
pub(super) const MOST_RUNS: usize = 12;

/// A face that scores this much, of a size the network knows, leaves no doubt. Portraits that stand on their heads are read as
/// upright faces with up to 0.904, upright ones of the same size with 0.93 and more.
const CLEAR_SCORE: f32 = 0.915;
/// The same for faces of more than [`LARGE_FACE`] pixels of the input: there upright ones go down to 0.907, the others only up to 0.81.
const CLEAR_SCORE_LARGE: f32 = 0.88;
/// Height of a face in pixels of the input from which on scores fall.
const LARGE_FACE: f32 = 420.0;
/// A face of more than small size with this score is one.
const CERTAIN_SCORE: f32 = 0.75;
/// From this score on a face is more likely one than not.
const LIKELY_SCORE: f32 = 0.6;
/// A small box with this score hints at faces too small for the look.
const HINT_SCORE: f32 = 0.45;
/// Heights of a box, in pixels of the input, between which the network's answers are sound.
const BAND: std::ops::RangeInclusive<f32> = 24.0..=500.0;
/// A face up to this many pixels of the input in height is small.
const SMALL: f32 = 32.0;
/// Degrees between the eyes from which on a head lies.
const LYING: f32 = 40.0;
/// The share of its box that a face cut off by the picture's edge has outside.
const CUT_OFF: f32 = 0.08;

/// What is put before the network next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The whole picture, smaller, in its four quarter turns: one run.
    Quarters,
    /// The whole picture turned clockwise by these degrees: one run.
    Turned(u16),
    /// Overlapping parts, enlarged: a run each.
    Tiles,
}

/// The order in which steps are taken: cheap ones first, diagonal ones after those that find most.
const STEPS: [Step; 9] = [
    Step::Quarters,
    Step::Turned(90),
    Step::Turned(270),
    Step::Turned(180),
    Step::Turned(45),
    Step::Turned(315),
    Step::Turned(135),
    Step::Turned(225),
    Step::Tiles,
];

/// A photo and what it is looked at with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    /// Pixels of the upright picture.
    pub(super) photo: Size,
    /// Pixels of the network's input.
    pub(super) input: Size,
    /// How many looks it is given.
    pub(super) thoroughness: Thoroughness,
}

impl Subject {
    /// The step after the first look and those `taken`, where `faces` were found so far with `spent` runs; `None` where that
    /// is enough, or no runs are left.
    ///
    /// Scores are held against constants only: what a person asks for acts later and never changes what is looked at.
    pub(super) fn next_step(&self, taken: &[Step], faces: &[Face], spent: usize) -> Option<Step> {
        let done =
            taken.last().and_then(|last| STEPS.iter().position(|step| step == last)).map_or(0, |index| index + 1);
        let mut further = STEPS[done..].iter().copied();
        further.find(|step| self.may_find(*step, taken, faces) && self.has_room(*step, spent))
    }

    /// The runs of a step: what each puts into the input.
    pub(super) fn runs(&self, step: Step) -> Vec<Vec<View>> {
        let Self { photo, input, .. } = *self;
        let runs: Vec<Vec<View>> = match step {
            Step::Quarters => vec![View::quarters(photo, input)],
            Step::Turned(degrees) => vec![View::turned(photo, input, degrees).into_iter().collect()],
            Step::Tiles => tiles(photo, input),
        };
        runs.into_iter().filter(|views| !views.is_empty()).collect()
    }

    /// The steps that gave `looks`.
    pub(super) fn taken(&self, looks: &[Look]) -> Vec<Step> {
        let was = |kind: LookKind, turned: u16| looks.iter().filter(move |l| l.kind == kind && l.turned == turned);
        let whole = View::whole(self.photo, self.input).map_or(1.0, |whole| whole.scale());
        let taken = |step: &Step| match *step {
            Step::Quarters => was(LookKind::Smaller, 0).next().is_some(),
            // Those of the quarters are smaller by half.
            Step::Turned(degrees) => {
                let full = View::turned(self.photo, self.input, degrees).map_or(whole, |view| view.scale());
                was(LookKind::Turned, degrees).any(|look| look.scale > 0.9 * full)
            }
            Step::Tiles => was(LookKind::Tile, 0).next().is_some(),
        };
        STEPS.into_iter().filter(taken).collect()
    }

    /// The runs of the engine that gave `looks`.
    pub(super) fn spent(&self, looks: &[Look]) -> usize {
        let mosaics = looks.iter().filter(|look| look.kind == LookKind::Mosaic).count();
        1 + mosaics + self.taken(looks).into_iter().map(|step| self.runs(step).len()).sum::<usize>()
    }

    /// True where `step` leaves a run for a mosaic and, if it is a turned look, as many as the tiles take.
    fn has_room(&self, step: Step, spent: usize) -> bool {
        let runs = |step: Step| self.runs(step).len();
        let tiles = if step == Step::Tiles { 0 } else { runs(Step::Tiles) };
        spent + runs(step) + tiles < MOST_RUNS
    }

    /// True where `candidate` is to be looked at again; weak ones only where no face is clear.
    pub(super) fn is_doubtful(&self, candidate: &Candidate, any_clear: bool) -> bool {
        let height = candidate.face.bbox.width.max(candidate.face.bbox.height) * candidate.scale;
        let worth_it = match self.thoroughness {
            Thoroughness::Fast => false,
            Thoroughness::Balanced => !any_clear || candidate.face.score >= HINT_SCORE,
            Thoroughness::Thorough => true,
        };
        worth_it && candidate.face.score < clear_score(height)
    }

    /// True where one of `faces` leaves no doubt.
    pub(super) fn any_clear(&self, faces: &[Face]) -> bool {
        self.doubts(faces).any_clear
    }

    fn may_find(&self, step: Step, taken: &[Step], faces: &[Face]) -> bool {
        match self.thoroughness {
            Thoroughness::Fast => return false,
            Thoroughness::Thorough => return !self.runs(step).is_empty(),
            Thoroughness::Balanced => {}
        }
        let doubts = self.doubts(faces);
        let asked = match step {
            Step::Quarters => !doubts.any_clear || doubts.any_odd,
            Step::Turned(_) => taken.contains(&Step::Quarters) && !doubts.any_likely,
            Step::Tiles => !doubts.any_certain || doubts.any_small,
        };
        asked && !self.runs(step).is_empty()
    }

    fn doubts(&self, faces: &[Face]) -> Doubts {
        let scale = View::whole(self.photo, self.input).map_or(1.0, |whole| whole.scale());
        let mut doubts = Doubts::default();
        for face in faces {
            let height = face.bbox.width.max(face.bbox.height) * scale;
            let odd = height > *BAND.end() || lies(face) || is_cut_off(face, self.photo);
            doubts.any_clear |= face.score >= clear_score(height) && BAND.contains(&height) && !odd;
            doubts.any_certain |= face.score >= CERTAIN_SCORE && height > SMALL;
            doubts.any_likely |= face.score >= LIKELY_SCORE;
            doubts.any_odd |= face.score >= LIKELY_SCORE && odd;
            doubts.any_small |= face.score >= HINT_SCORE && height <= SMALL;
        }
        doubts
    }
}

/// What the faces so far leave open.
#[derive(Clone, Copy, Debug, Default)]
struct Doubts {
    /// A face that leaves no doubt.
    any_clear: bool,
    /// A face for sure, whatever its box is like.
    any_certain: bool,
    /// A face more likely than not.
    any_likely: bool,
    /// A face that is too large, lies or is cut off.
    any_odd: bool,
    /// A face, or a hint of one, too small for the first look.
    any_small: bool,
}

/// The score from which on a face as high as this in the input leaves no doubt.
fn clear_score(height: f32) -> f32 {
    if height > LARGE_FACE { CLEAR_SCORE_LARGE } else { CLEAR_SCORE }
}

fn lies(face: &Face) -> bool {
    roll_of_eyes(face).abs() > LYING
}

fn is_cut_off(face: &Face, photo: Size) -> bool {
    let inside = face.bbox.overlap(Rect::new(0.0, 0.0, photo.width as f32, photo.height as f32));
    inside < (1.0 - CUT_OFF) * face.bbox.area()
}

#[cfg(test)]
mod tests {
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
    fn no_photo_is_given_more_than_twelve_runs_and_one_is_left_for_a_mosaic() {
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
                assert!(spent < MOST_RUNS, "{width} x {height}: {spent} runs");
                let small = tiles(subject.photo, INPUT).is_empty();
                if thoroughness != Thoroughness::Fast && subject.photo.short_side() > 40 {
                    assert!(taken.contains(&Step::Turned(180)), "{width} x {height}: {taken:?}");
                    assert_eq!(taken.contains(&Step::Tiles), !small, "{width} x {height}: {taken:?}");
                    assert!(!small || taken.contains(&Step::Turned(225)), "{width} x {height}: {taken:?}");
                }
            }
        }
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
}
