//! Which looks a photo is given, from its size and what was found so far.

use super::Thoroughness;
use super::tiles::tiles;
use super::view::View;
use crate::geometry::{Face, Landmark, Size};

/// Engine runs that a photo is given at most.
pub(super) const MOST_RUNS: usize = 12;

/// A face that scores this much, of a size the network knows, leaves no doubt.
const CLEAR_SCORE: f32 = 0.88;
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

/// The order in which steps are taken: cheap ones first.
const STEPS: [Step; 5] = [Step::Quarters, Step::Turned(90), Step::Turned(270), Step::Turned(180), Step::Tiles];

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
    /// The step after the first look and those `taken`, where `faces` were found so far; `None` where that is enough.
    ///
    /// Scores are held against constants only: what a person asks for acts later and never changes what is looked at.
    pub(super) fn next_step(&self, taken: &[Step], faces: &[Face]) -> Option<Step> {
        let left = STEPS.iter().skip_while(|step| taken.contains(step));
        left.copied().find(|step| !taken.contains(step) && self.may_find(*step, taken, faces))
    }

    /// The runs of a step: what each puts into the input.
    pub(super) fn runs(&self, step: Step) -> Vec<Vec<View>> {
        let Self { photo, input, .. } = *self;
        let runs: Vec<Vec<View>> = match step {
            Step::Quarters => vec![View::quarters(photo, input)],
            Step::Turned(_) if self.tiles_take_all_runs() => Vec::new(),
            Step::Turned(degrees) => vec![View::turned(photo, input, degrees).into_iter().collect()],
            Step::Tiles => tiles(photo, input),
        };
        runs.into_iter().filter(|views| !views.is_empty()).collect()
    }

    /// True where the tiles leave no runs for turned looks at full size; the quarters then are the only ones turned.
    fn tiles_take_all_runs(&self) -> bool {
        1 + 1 + 3 + tiles(self.photo, self.input).len() > MOST_RUNS
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
            doubts.any_clear |= face.score >= CLEAR_SCORE && BAND.contains(&height) && !odd;
            doubts.any_certain |= face.score >= CERTAIN_SCORE && height > SMALL;
            doubts.any_likely |= face.score >= LIKELY_SCORE;
            doubts.any_odd |= face.score >= LIKELY_SCORE && odd;
            doubts.any_small |= face.score >= HINT_SCORE && height <= SMALL;
        }
        doubts
    }
}

/// A face of more than small size with this score is one.
const CERTAIN_SCORE: f32 = 0.75;

#[derive(Clone, Copy, Debug, Default)]
struct Doubts {
    any_clear: bool,
    any_certain: bool,
    any_likely: bool,
    any_odd: bool,
    any_small: bool,
}

/// Degrees, -180 to 180, that the line from the right eye to the left is turned clockwise.
fn roll_of_eyes(face: &Face) -> f32 {
    let (right, left) = (face.landmark(Landmark::RightEye), face.landmark(Landmark::LeftEye));
    (left.y - right.y).atan2(left.x - right.x).to_degrees()
}

fn lies(face: &Face) -> bool {
    roll_of_eyes(face).abs() > LYING
}

fn is_cut_off(face: &Face, photo: Size) -> bool {
    let inside = face.bbox.overlap(crate::geometry::Rect::new(0.0, 0.0, photo.width as f32, photo.height as f32));
    inside < (1.0 - CUT_OFF) * face.bbox.area()
}
