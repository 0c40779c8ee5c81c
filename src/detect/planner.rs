//! Which looks a photo is given, from its size and what was found so far.

use super::check::roll_of_eyes;
use super::suppress::Candidate;
use super::tiles::{tiles, turned_tiles};
use super::view::View;
use super::{Look, LookKind, Thoroughness};
use crate::geometry::{Face, Rect, Size};

/// Engine runs that a photo is given at most. Turned tiles, and a mosaic after each level of them, come on top.
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
    /// The same, turned clockwise by these degrees.
    TurnedTiles(u16),
}

/// The order in which steps are taken: cheap ones first, diagonal ones after those that find most.
const STEPS: [Step; 12] = [
    Step::Quarters,
    Step::Turned(90),
    Step::Turned(270),
    Step::Turned(180),
    Step::Turned(45),
    Step::Turned(315),
    Step::Turned(135),
    Step::Turned(225),
    Step::Tiles,
    Step::TurnedTiles(90),
    Step::TurnedTiles(270),
    Step::TurnedTiles(180),
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
            Step::TurnedTiles(degrees) => turned_tiles(photo, input, degrees),
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
            Step::TurnedTiles(degrees) => was(LookKind::Tile, degrees).next().is_some(),
        };
        STEPS.into_iter().filter(taken).collect()
    }

    /// The runs of the engine that gave `looks`.
    pub(super) fn spent(&self, looks: &[Look]) -> usize {
        let mosaics = looks.iter().filter(|look| look.kind == LookKind::Mosaic).count();
        1 + mosaics + self.taken(looks).into_iter().map(|step| self.runs(step).len()).sum::<usize>()
    }

    /// The runs that may be spent on a photo that the steps `taken` were taken for.
    pub(super) fn most_runs(&self, taken: &[Step]) -> usize {
        let turned: Vec<usize> = taken
            .iter()
            .filter(|step| matches!(step, Step::TurnedTiles(_)))
            .map(|step| self.runs(*step).len())
            .collect();
        MOST_RUNS + turned.iter().sum::<usize>() + turned.len()
    }

    /// True where `step` leaves a run for a mosaic and, if it is a turned look, as many as the tiles take.
    fn has_room(&self, step: Step, spent: usize) -> bool {
        let runs = |step: Step| self.runs(step).len();
        match step {
            Step::TurnedTiles(_) => true,
            Step::Tiles => spent + runs(step) < MOST_RUNS,
            _ => spent + runs(step) + runs(Step::Tiles) < MOST_RUNS,
        }
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
        let doubts = self.doubts(faces);
        let asked = match (self.thoroughness, step) {
            (Thoroughness::Fast, _) => false,
            (all, Step::TurnedTiles(_)) => {
                all == Thoroughness::Thorough && taken.contains(&Step::Tiles) && !doubts.any_likely
            }
            (Thoroughness::Thorough, _) => true,
            (Thoroughness::Balanced, Step::Quarters) => !doubts.any_clear || doubts.any_odd,
            (Thoroughness::Balanced, Step::Turned(_)) => taken.contains(&Step::Quarters) && !doubts.any_likely,
            (Thoroughness::Balanced, Step::Tiles) => !doubts.any_certain || doubts.any_small,
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
mod tests;
