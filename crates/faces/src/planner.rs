//! The pass planner: decides which detection passes an image needs, from its size and the results so far.

use geometry::{Face, Size};
use outcome::{PassResult, PassScale, PassSpec};
use recipe::Thoroughness;

use super::Letterbox;
use super::nms::{CERTAIN_ROTATED, Candidate, best_at, deduplicate};

/// An upright face of at least this score shows that the image is upright. In 33 photos of groups and crowds the best
/// face scores 0.89 to 0.96 if the photo is upright, and at most 0.89 if it is rotated by 45, 90 or 180 degrees; the
/// exception are four rotated by 45 degrees, in which every face is found nevertheless.
const CLEAR_SCORE: f32 = 0.9;
/// A face of at least this score in any quarter turn shows that no face is tilted by about 45 degrees. If those photos
/// are upright, the best face of each scores at least 0.912 in one of the passes.
const CLEAR_UNTILTED_SCORE: f32 = 0.91;
/// A box of at least this score is probably a face.
const LIKELY_SCORE: f32 = 0.6;
/// A small box of at least this score suggests faces that are too small for the pass.
const HINT_SCORE: f32 = 0.45;
/// Maximum height of a small face, in input pixels of a pass.
const SMALL: f32 = 40.0;
/// The same for a larger pass.
const SMALL_IN_LARGER: f32 = 20.0;
/// Boxes with these scores are worth a confirming pass.
const DOUBTFUL: std::ops::Range<f32> = 0.4..0.75;

/// Short sides of the inputs as shares of the long side: 3:1, 2:1, 16:9, 3:2, 4:3, 5:4 and 1:1. A few shapes serve all
/// photos, so that few sessions are needed.
const ASPECTS: [f64; 7] = [1.0 / 3.0, 1.0 / 2.0, 9.0 / 16.0, 2.0 / 3.0, 3.0 / 4.0, 4.0 / 5.0, 1.0];
/// Factors by which larger inputs exceed the standard one; the smaller factors are for engines that reject the larger
/// inputs.
const LARGER_FACTORS: [f64; 4] = [4.0, 2.5, 2.0, 1.5];
/// Sides of an input are multiples of this, the coarsest stride of the model.
const STEP: u32 = 32;

/// True if a larger pass may find more: nothing was found, or there are small boxes.
fn needs_larger_pass(result: &PassResult) -> bool {
    let is_small = |face: &Face| face.score >= HINT_SCORE && result.height(face) < SMALL;
    result.best() < LIKELY_SCORE || result.faces.iter().any(is_small)
}

/// Plans the passes of one image.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassPlanner {
    /// Size of the upright image in pixels.
    pub(super) picture: Size,
    /// Size of the main session's input in pixels.
    pub(super) input: Size,
    /// True if the standard pass uses an input of about the photo's shape, as the others do; otherwise it uses the main
    /// session.
    pub(super) fits_inputs: bool,
    pub(super) thoroughness: Thoroughness,
    /// IoU above which the box with the lower score is dropped.
    pub(super) nms_threshold: f32,
}

/// One step of the plan: the passes it requires, given the results so far.
type Step = fn(&PassPlanner, &[PassResult]) -> Vec<PassSpec>;

impl PassPlanner {
    /// The next pass after those in `pass_results`; `None` if no more are needed.
    ///
    /// Scores are compared with constants only. The user's minimum score is applied later and never changes the passes.
    pub(super) fn next_pass(&self, pass_results: &[PassResult]) -> Option<PassSpec> {
        // A step is evaluated once all passes of the steps before it are done.
        let steps: &[Step] = match self.thoroughness {
            Thoroughness::Fast => &[first_pass],
            Thoroughness::Balanced => &[first_pass, Self::upright, Self::quarter_turns, Self::at_found_rotations],
            Thoroughness::Thorough => {
                &[first_pass, Self::upright, Self::quarter_turns, diagonals, Self::at_found_rotations]
            }
        };
        steps.iter().flat_map(|step| step(self, pass_results)).find(|pass| find_pass(pass_results, *pass).is_none())
    }

    /// Larger passes of the upright image, and a smaller one for large faces and for confirmation.
    fn upright(&self, pass_results: &[PassResult]) -> Vec<PassSpec> {
        let mut passes = self.larger(pass_results, 0, false);
        let mut boxes = pass_results.iter().filter(|result| result.pass.rotation == 0).flat_map(|result| &result.faces);
        let all_made = passes.iter().all(|pass| find_pass(pass_results, *pass).is_some());
        if all_made && (!is_clear(pass_results, 0) || boxes.any(|face| DOUBTFUL.contains(&face.score))) {
            passes.push(PassSpec { kind: PassScale::Smaller, rotation: 0 });
        }
        passes
    }

    fn quarter_turns(&self, pass_results: &[PassResult]) -> Vec<PassSpec> {
        match (is_clear(pass_results, 0), self.thoroughness) {
            (false, _) => [90, 270, 180].map(standard).to_vec(),
            (true, Thoroughness::Thorough) => [90, 270].map(standard).to_vec(),
            (true, _) => Vec::new(),
        }
    }

    /// Larger passes at each rotation that found a face. In thorough mode, if nothing was found at all, larger passes
    /// at all quarter turns.
    fn at_found_rotations(&self, pass_results: &[PassResult]) -> Vec<PassSpec> {
        let thorough = self.thoroughness == Thoroughness::Thorough;
        let no_face_upright = thorough && best_at(pass_results, 0) < LIKELY_SCORE;
        let mut faces = deduplicate(pass_results, self.nms_threshold);
        faces.retain(|found| found.face.score >= LIKELY_SCORE);
        let found_at = |found: &Candidate, rotation: u16| {
            pass_results.get(found.pass).is_some_and(|result| result.pass.rotation == rotation)
        };
        let rotations = [90, 270, 180, 45, 315, 135, 225].into_iter();
        let needs_larger = |rotation: &u16| match faces.is_empty() {
            true => no_face_upright && rotation.is_multiple_of(90),
            false => faces.iter().any(|found| found_at(found, *rotation)),
        };
        rotations
            .filter(needs_larger)
            .flat_map(|rotation| self.larger(pass_results, rotation, no_face_upright))
            .collect()
    }

    /// The larger passes at this rotation that the results so far require; at least one of them if `required`.
    fn larger(&self, pass_results: &[PassResult], rotation: u16, required: bool) -> Vec<PassSpec> {
        let [standard, larger, largest] =
            [PassScale::Standard, PassScale::Larger, PassScale::Largest].map(|kind| PassSpec { kind, rotation });
        let mut passes = Vec::new();
        if required || find_pass(pass_results, standard).is_some_and(needs_larger_pass) {
            passes.push(larger);
        }
        let small = |larger: &PassResult, score: f32| {
            larger.faces.iter().any(|face| face.score >= score && larger.height(face) < SMALL_IN_LARGER)
        };
        let needs_largest = |larger: &PassResult| match self.thoroughness {
            Thoroughness::Fast => false,
            Thoroughness::Balanced => small(larger, LIKELY_SCORE) && self.has_pixels_for(PassScale::Largest),
            // If nothing is found upright, a rotation with an uncertain box is tried at the largest scale too.
            Thoroughness::Thorough => {
                let is_unsure = (HINT_SCORE..CERTAIN_ROTATED).contains(&larger.best());
                small(larger, HINT_SCORE) || (required && is_unsure)
            }
        };
        if find_pass(pass_results, larger).is_some_and(needs_largest) {
            passes.push(largest);
        }
        passes
    }

    /// True if a pass of this kind does not enlarge the photo.
    fn has_pixels_for(&self, kind: PassScale) -> bool {
        self.inputs(PassSpec { kind, rotation: 0 })
            .first()
            .is_some_and(|input| self.picture.long_side() >= input.long_side())
    }

    /// The input sizes a pass may use: the preferred one first, then fallbacks for engines that reject it.
    pub(super) fn inputs(&self, pass: PassSpec) -> Vec<Size> {
        match pass.kind {
            PassScale::Standard if self.fits_inputs => vec![self.fitted_input(pass.rotation, 1.0), self.input],
            PassScale::Standard => vec![self.input],
            PassScale::Smaller => vec![self.fitted_input(pass.rotation, 0.5), self.input],
            PassScale::Larger | PassScale::Largest => {
                let first = usize::from(pass.kind == PassScale::Larger);
                let larger = LARGER_FACTORS[first..].iter().map(|by| self.fitted_input(pass.rotation, *by));
                larger.chain([self.input]).collect()
            }
        }
    }

    /// The smallest of a few input shapes that the rotated image fits, with a long side `by` times that of the main
    /// session's input.
    fn fitted_input(&self, rotation: u16, by: f64) -> Size {
        let bounds = super::letterbox::rotated_size(self.picture, rotation);
        let multiple = |length: f64| ((length / f64::from(STEP)).ceil() as u32).max(1) * STEP;
        let long = multiple(f64::from(self.input.long_side()) * by);
        let aspect = f64::from(bounds.short_side()) / f64::from(bounds.long_side().max(1));
        let pixels = (aspect * f64::from(long)).round() as u32;
        let shorts = ASPECTS.iter().map(|aspect| multiple(f64::from(long) * aspect));
        let short = shorts.into_iter().find(|short| *short >= pixels).unwrap_or(long);
        if bounds.width >= bounds.height { Size::new(long, short) } else { Size::new(short, long) }
    }

    /// The placement of the image in `input` for a pass.
    pub(super) fn letterbox(&self, pass: PassSpec, input: Size) -> Option<Letterbox> {
        let max_scale = match pass.kind {
            PassScale::Standard => 1.0,
            // Half the scale of the standard pass, also if the engine rejected the smaller input.
            PassScale::Smaller => 0.5 * f64::from(Letterbox::new(self.picture, self.input)?.scale()),
            PassScale::Larger | PassScale::Largest => f64::INFINITY,
        };
        Letterbox::rotated(self.picture, input, pass.rotation, max_scale)
    }

    /// Length in pixels of the image's longer side that a pass, and those that may follow it, can use.
    pub(super) fn long_side_for(&self, pass: PassSpec) -> u32 {
        let kind = match (pass.kind, self.thoroughness) {
            (PassScale::Larger, Thoroughness::Thorough) => PassScale::Largest,
            (PassScale::Larger, _) if self.has_pixels_for(PassScale::Largest) => PassScale::Largest,
            (kind, _) => kind,
        };
        let largest = PassSpec { kind, ..pass };
        let letterbox = self.inputs(largest).first().and_then(|input| self.letterbox(largest, *input));
        letterbox.map_or(0, |letterbox| letterbox.resized.long_side()).min(self.picture.long_side())
    }
}

fn first_pass(_: &PassPlanner, _: &[PassResult]) -> Vec<PassSpec> {
    vec![standard(0)]
}

fn diagonals(_: &PassPlanner, pass_results: &[PassResult]) -> Vec<PassSpec> {
    let is_any_clear =
        [0, 90, 180, 270].iter().any(|rotation| best_at(pass_results, *rotation) >= CLEAR_UNTILTED_SCORE);
    if is_any_clear { Vec::new() } else { [45, 315, 135, 225].map(standard).to_vec() }
}

fn standard(rotation: u16) -> PassSpec {
    PassSpec { kind: PassScale::Standard, rotation }
}

fn is_clear(pass_results: &[PassResult], rotation: u16) -> bool {
    best_at(pass_results, rotation) >= CLEAR_SCORE
}

fn find_pass(pass_results: &[PassResult], pass: PassSpec) -> Option<&PassResult> {
    pass_results.iter().find(|result| result.pass == pass)
}

#[cfg(test)]
mod tests;
