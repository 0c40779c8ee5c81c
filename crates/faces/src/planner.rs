//! Which passes a photo is given, from its size and what was found so far.

use geometry::{Face, Size};
use outcome::{PassResult, PassScale, PassSpec};
use recipe::Thoroughness;

use super::Letterbox;
use super::nms::{CERTAIN_TURNED, Candidate, best_at, unique};

/// An upright face that scores this much leaves no doubt that the photo is upright. Of 33 photos of groups and crowds the best
/// face scores 0.89 to 0.96 if they are upright, and at most 0.89 if they are turned by 45, 90 or 180 degrees, but for four
/// turned by 45 degrees, in which every face is found all the same.
const CLEAR_SCORE: f32 = 0.9;
/// A face of this score in any quarter turn leaves no doubt that none is tilted by about 45 degrees. Upright, the best face of each of
/// those photos scores 0.912 and more in one of the passes.
const CLEAR_OF_TILT: f32 = 0.91;
/// A box of this score is a face rather than not.
const LIKELY_SCORE: f32 = 0.6;
/// A small box of this score hints at faces that are too small for the pass.
const HINT_SCORE: f32 = 0.45;
/// Height of a small face in pixels of the input of a pass.
const SMALL: f32 = 40.0;
/// Height of a face, in pixels of the input of a larger pass, that is small even there.
const SMALL_IN_LARGER: f32 = 20.0;
/// Boxes between these scores are worth a second opinion.
const DOUBTFUL: std::ops::Range<f32> = 0.4..0.75;

/// Short sides of larger inputs for one of 1600 pixels along the longer side, as shares of it: 1:1, 5:4, 4:3, 3:2, 16:9, 2:1
/// and 3:1. A handful of shapes serves all photos.
const ASPECTS: [f64; 7] = [1.0 / 3.0, 1.0 / 2.0, 9.0 / 16.0, 2.0 / 3.0, 3.0 / 4.0, 4.0 / 5.0, 1.0];
/// How much longer than the detector's own input larger ones are; the smaller of them serve engines that refuse the others.
const LARGER_BY: [f64; 4] = [4.0, 2.5, 2.0, 1.5];
/// Sides of an input are multiples of this.
const STEP: u32 = 32;

/// True if a larger pass may see more: nothing was found, or there are small boxes.
fn asks_for_more(pass_results: &PassResult) -> bool {
    let is_small = |face: &Face| face.score >= HINT_SCORE && pass_results.height(face) < SMALL;
    pass_results.best() < LIKELY_SCORE || pass_results.faces.iter().any(is_small)
}

/// A photo and how it is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    /// Pixels of the upright picture.
    pub(super) picture: Size,
    /// Pixels of the detector's own input.
    pub(super) input: Size,
    /// How many passes it is given.
    pub(super) thoroughness: Thoroughness,
    /// Of two boxes with more intersection over union than this one goes.
    pub(super) nms_threshold: f32,
}

/// What the passes so far call for.
type Stage = fn(&Subject, &[PassResult]) -> Vec<PassSpec>;

impl Subject {
    /// The pass after those that have `seen` something; `None` if that is enough.
    ///
    /// Scores are held against constants only: the minimum score that a person sets acts later and never changes the passes.
    pub(super) fn next_pass(&self, pass_results: &[PassResult]) -> Option<PassSpec> {
        // Each stage is asked once all passes of those before it are made.
        let stages: &[Stage] = match self.thoroughness {
            Thoroughness::Fast => &[first],
            Thoroughness::Balanced => &[first, Self::upright, Self::quarter_turns, Self::found_directions],
            Thoroughness::Thorough => &[first, Self::upright, Self::quarter_turns, diagonals, Self::found_directions],
        };
        stages.iter().flat_map(|stage| stage(self, pass_results)).find(|pass| find(pass_results, *pass).is_none())
    }

    /// Larger passes of the upright photo, and a smaller one for large faces and second opinions.
    fn upright(&self, pass_results: &[PassResult]) -> Vec<PassSpec> {
        let mut passes = self.larger(pass_results, 0, false);
        let mut boxes = pass_results
            .iter()
            .filter(|pass_results| pass_results.pass.turned == 0)
            .flat_map(|pass_results| &pass_results.faces);
        let all_made = passes.iter().all(|pass| find(pass_results, *pass).is_some());
        if all_made && (!is_clear(pass_results, 0) || boxes.any(|face| DOUBTFUL.contains(&face.score))) {
            passes.push(PassSpec { kind: PassScale::Smaller, turned: 0 });
        }
        passes
    }

    fn quarter_turns(&self, pass_results: &[PassResult]) -> Vec<PassSpec> {
        match (is_clear(pass_results, 0), self.thoroughness) {
            (false, _) => [90, 270, 180].map(whole).to_vec(),
            (true, Thoroughness::Thorough) => [90, 270].map(whole).to_vec(),
            (true, _) => Vec::new(),
        }
    }

    /// Larger passes in each direction that has found a face; if nothing is found at all, in thorough, in all quarter turns.
    fn found_directions(&self, pass_results: &[PassResult]) -> Vec<PassSpec> {
        let thorough = self.thoroughness == Thoroughness::Thorough;
        let no_face_upright = thorough && best_at(pass_results, 0) < LIKELY_SCORE;
        let mut faces = unique(pass_results, self.nms_threshold);
        faces.retain(|found| found.face.score >= LIKELY_SCORE);
        let found_at = |found: &Candidate, turned: u16| {
            pass_results.get(found.pass).is_some_and(|pass_results| pass_results.pass.turned == turned)
        };
        let turns = [90, 270, 180, 45, 315, 135, 225].into_iter();
        let wanted = |turned: &u16| match faces.is_empty() {
            true => no_face_upright && turned.is_multiple_of(90),
            false => faces.iter().any(|found| found_at(found, *turned)),
        };
        turns.filter(wanted).flat_map(|turned| self.larger(pass_results, turned, no_face_upright)).collect()
    }

    /// The larger passes at this turn that the smaller ones call for; one even if they do not, if it is a `must`.
    fn larger(&self, pass_results: &[PassResult], turned: u16, must: bool) -> Vec<PassSpec> {
        let [whole, larger, largest] =
            [PassScale::Standard, PassScale::Larger, PassScale::Largest].map(|kind| PassSpec { kind, turned });
        let mut passes = Vec::new();
        if must || find(pass_results, whole).is_some_and(asks_for_more) {
            passes.push(larger);
        }
        let small = |larger: &PassResult, score: f32| {
            larger.faces.iter().any(|face| face.score >= score && larger.height(face) < SMALL_IN_LARGER)
        };
        let calls_for_largest = |larger: &PassResult| match self.thoroughness {
            Thoroughness::Fast => false,
            Thoroughness::Balanced => small(larger, LIKELY_SCORE) && self.has_pixels_for(PassScale::Largest),
            // If nothing is found upright, a direction with a box that is not certain gets another chance.
            Thoroughness::Thorough => {
                let is_unsure = (HINT_SCORE..CERTAIN_TURNED).contains(&larger.best());
                small(larger, HINT_SCORE) || (must && is_unsure)
            }
        };
        if find(pass_results, larger).is_some_and(calls_for_largest) {
            passes.push(largest);
        }
        passes
    }

    /// True if the photo is not enlarged in a pass of this kind.
    fn has_pixels_for(&self, kind: PassScale) -> bool {
        self.inputs(PassSpec { kind, turned: 0 })
            .first()
            .is_some_and(|input| self.picture.long_side() >= input.long_side())
    }

    /// The inputs that a pass may use, in pixels: the best first, then those for engines that refuse it.
    pub(super) fn inputs(&self, pass: PassSpec) -> Vec<Size> {
        match pass.kind {
            PassScale::Standard => vec![self.input],
            PassScale::Smaller => {
                let half = |side: u32| (side / 2).next_multiple_of(STEP);
                vec![Size::new(half(self.input.width), half(self.input.height)), self.input]
            }
            PassScale::Larger | PassScale::Largest => {
                let first = usize::from(pass.kind == PassScale::Larger);
                let larger = LARGER_BY[first..].iter().map(|by| self.larger_input(pass.turned, *by));
                larger.chain([self.input]).collect()
            }
        }
    }

    /// The smallest of a handful of inputs that the picture fits, `by` times as long as the detector's own.
    fn larger_input(&self, turned: u16, by: f64) -> Size {
        let around = super::letterbox::turned_size(self.picture, turned);
        let multiple = |length: f64| ((length / f64::from(STEP)).ceil() as u32).max(1) * STEP;
        let long = multiple(f64::from(self.input.long_side()) * by);
        let aspect = f64::from(around.short_side()) / f64::from(around.long_side().max(1));
        let short = ASPECTS.iter().find(|wide| **wide >= aspect - 0.005).unwrap_or(&1.0);
        let short = multiple(f64::from(long) * short);
        if around.width >= around.height { Size::new(long, short) } else { Size::new(short, long) }
    }

    /// How the picture lies in `input` in a pass.
    pub(super) fn letterbox(&self, pass: PassSpec, input: Size) -> Option<Letterbox> {
        let max_scale = match pass.kind {
            PassScale::Standard => 1.0,
            // Half of what the first pass shows, also if the engine refused the smaller input.
            PassScale::Smaller => 0.5 * f64::from(Letterbox::new(self.picture, self.input)?.scale()),
            PassScale::Larger | PassScale::Largest => f64::INFINITY,
        };
        Letterbox::turned(self.picture, input, pass.turned, max_scale)
    }

    /// Pixels of the picture's longer side that a pass and those that may follow it can use.
    pub(super) fn long_side_for(&self, pass: PassSpec) -> u32 {
        let kind = match (pass.kind, self.thoroughness) {
            (PassScale::Larger, Thoroughness::Thorough) => PassScale::Largest,
            (PassScale::Larger, _) if self.has_pixels_for(PassScale::Largest) => PassScale::Largest,
            (kind, _) => kind,
        };
        let wanted = PassSpec { kind, ..pass };
        let letterbox = self.inputs(wanted).first().and_then(|input| self.letterbox(wanted, *input));
        letterbox.map_or(0, |letterbox| letterbox.fitted.long_side()).min(self.picture.long_side())
    }
}

fn first(_: &Subject, _: &[PassResult]) -> Vec<PassSpec> {
    vec![whole(0)]
}

fn diagonals(_: &Subject, pass_results: &[PassResult]) -> Vec<PassSpec> {
    let is_any_clear = [0, 90, 180, 270].iter().any(|turned| best_at(pass_results, *turned) >= CLEAR_OF_TILT);
    if is_any_clear { Vec::new() } else { [45, 315, 135, 225].map(whole).to_vec() }
}

fn whole(turned: u16) -> PassSpec {
    PassSpec { kind: PassScale::Standard, turned }
}

fn is_clear(pass_results: &[PassResult], turned: u16) -> bool {
    best_at(pass_results, turned) >= CLEAR_SCORE
}

fn find(pass_results: &[PassResult], pass: PassSpec) -> Option<&PassResult> {
    pass_results.iter().find(|pass_results| pass_results.pass == pass)
}

#[cfg(test)]
mod tests;
