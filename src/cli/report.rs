//! Telling how each input ended, and counting.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::io;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use outcome::{ItemReport, OutcomeKind, PassReport, StageTimes};
use plan::{PlannedCrop, Warning, WarningKind};
use recipe::{Depth, DocumentRules, RuntimeChoice};

use super::causes::reason;
use super::print::{LinePrinter, Reader};
use super::{Exit, json, print};

/// How inputs are told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A line of words each, and a summary.
    Words,
    /// A line of JSON each.
    Json,
}

/// Tells of each input as it is done and keeps count.
pub(super) struct Reporter {
    form: Form,
    depth: Depth,
    requested: RuntimeChoice,
    /// What crops are checked against in JSON.
    rules: Option<DocumentRules>,
    bar: ProgressBar,
    printer: LinePrinter,
    tally: Tally,
    pace: Pace,
    /// What each input has added to the tally, where inputs may come again and count once; `None` where they do not.
    added: Option<HashMap<PathBuf, Added>>,
}

/// What an input adds to the tally.
#[derive(Clone, Copy)]
struct Added {
    outcome: OutcomeKind,
    damaged: bool,
    needs_review: bool,
}

/// How quick the run was, and on what.
struct Pace {
    begun: Instant,
    /// Inputs that were worked on.
    photos: usize,
    /// Milliseconds by stage, of all threads together.
    stages: StageTimes,
    /// Inputs by the runtime that looked at them.
    runtimes: BTreeMap<&'static str, usize>,
}

/// Photos from which on it is told how quick a run was.
const WORTH_TELLING: usize = 10;

#[derive(Debug, Default)]
struct Tally {
    /// Inputs that ended in each way, in the order of [`OUTCOMES`].
    ended: [usize; OUTCOMES.len()],
    written: usize,
    sheets: usize,
    damaged: usize,
    /// Inputs with a concern.
    need_review: usize,
}

const OUTCOMES: [(OutcomeKind, &str); 8] = [
    (OutcomeKind::Cropped, "cropped"),
    (OutcomeKind::Detected, "with faces"),
    (OutcomeKind::AlreadyDone, "done before"),
    (OutcomeKind::Skipped, "skipped"),
    (OutcomeKind::Excluded, "left out by hand"),
    (OutcomeKind::NoFace, "without a face"),
    (OutcomeKind::Damaged, "damaged and left out"),
    (OutcomeKind::Failed, "failed"),
];

impl Reporter {
    /// A reporter for `total` inputs; `None` for any number of them over any time, of which some may come again. Progress is
    /// shown on standard error where that is a terminal, nothing else is written to it, and an end is known.
    pub(super) fn new(form: Form, depth: Depth, requested: RuntimeChoice, total: Option<usize>, verbose: u8) -> Self {
        let shown = form == Form::Words && verbose == 0 && total.is_some() && io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(total.map(|total| total as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{pos} of {len} {wide_bar} {rate}, {eta} left") {
            let rate = |state: &ProgressState, to: &mut dyn Write| {
                let _ = write!(to, "{:.1}/s", state.per_sec());
            };
            bar.set_style(style.with_key("rate", rate));
        }
        let added = total.is_none().then(HashMap::new);
        let (tally, printer) = (Tally::default(), LinePrinter::default());
        Self { form, depth, requested, rules: None, bar, printer, tally, pace: Pace::new(), added }
    }

    /// What the crops of the inputs that follow are checked against.
    pub(super) fn set_rules(&mut self, rules: Option<DocumentRules>) {
        self.rules = rules;
    }

    /// Tells of an input that went down the corridor.
    pub(super) fn item(&mut self, item: &ItemReport) -> anyhow::Result<Reader> {
        log(item);
        self.pace.count(item);
        self.tally.written += item.crops.iter().filter(|crop| crop.written.is_some()).count();
        self.tally.sheets += item.crops.iter().filter(|crop| crop.sheet.is_some()).count();
        let added = Added {
            outcome: item.outcome,
            damaged: item.damage.is_some() && item.outcome != OutcomeKind::Damaged,
            needs_review: item.outcome != OutcomeKind::Failed && !warnings_to_report(item).is_empty(),
        };
        self.tally.add(added);
        if let Some(before) = self.added.as_mut().and_then(|all| all.insert(item.path.clone(), added)) {
            self.tally.take_off(before);
        }
        let line = match self.form {
            Form::Words => item_in_words(item, self.depth),
            Form::Json => json::item_line(item, self.rules.as_ref(), self.requested)?,
        };
        self.bar.inc(1);
        self.report(&line)
    }

    /// Tells of a path that could not be walked: an input that failed.
    pub(super) fn problem(&mut self, path: &Path, reason: &str) -> anyhow::Result<Reader> {
        self.tally.count(OutcomeKind::Failed);
        let line = match self.form {
            Form::Words => format!("{}: failed: {reason}", print::path(path)),
            Form::Json => json::problem_line(path, reason, self.requested)?,
        };
        self.report(&line)
    }

    /// Tells of the whole, in words only. `output` is where crops went.
    pub(super) fn summary(&mut self, output: &Path) -> anyhow::Result<Reader> {
        self.bar.finish_and_clear();
        match self.form {
            Form::Words => {
                let reader = self.report(&self.tally.in_words(self.depth, output))?;
                // Of inputs that are waited for it says nothing.
                if let Some(pace) = self.pace.in_words().filter(|_| self.added.is_none()) {
                    print::note(&pace);
                }
                Ok(reader)
            }
            Form::Json => Ok(Reader::Listening),
        }
    }

    /// True where words tell of inputs without a face.
    pub(super) fn misses_faces(&self) -> bool {
        self.form == Form::Words && self.tally.of(OutcomeKind::NoFace) > 0
    }

    /// How the run ends, once every input was told of or could not be.
    pub(super) fn exit(&self) -> Exit {
        let count = |kind| self.tally.of(kind);
        let unmade = count(OutcomeKind::NoFace) + count(OutcomeKind::Damaged) + count(OutcomeKind::Failed);
        if unmade == 0 && !self.printer.is_mute() { Exit::Done } else { Exit::SomeFailed }
    }

    /// Writes a line. Where nothing but lines comes of the run, it ends where none can be written.
    fn report(&mut self, line: &str) -> anyhow::Result<Reader> {
        let printer = &mut self.printer;
        match self.depth {
            Depth::Write => Ok(self.bar.suspend(|| printer.line(line))),
            Depth::Detect | Depth::Plan => Ok(self.bar.suspend(|| print::line(line))?),
        }
    }
}

impl Pace {
    fn new() -> Self {
        Self { begun: Instant::now(), photos: 0, stages: StageTimes::default(), runtimes: BTreeMap::new() }
    }

    fn count(&mut self, item: &ItemReport) {
        if item.outcome == OutcomeKind::AlreadyDone {
            return;
        }
        self.photos += 1;
        item.stages.iter().for_each(|(stage, ms)| self.stages.add(stage, ms));
        if let Some(runtime) = &item.runtime {
            *self.runtimes.entry(runtime.actual.kind.id()).or_default() += 1;
        }
    }

    /// In words, where there were enough photos to say something.
    fn in_words(&self) -> Option<String> {
        if self.photos < WORTH_TELLING {
            return None;
        }
        let (photos, took) = (self.photos as f64, self.begun.elapsed().as_secs_f64().max(1e-3));
        let stages: Vec<String> =
            self.stages.iter().map(|(stage, ms)| format!("{} {:.1}", stage.id(), ms / photos)).collect();
        let runtimes: Vec<&str> = self.runtimes.keys().copied().collect();
        let on = if runtimes.is_empty() { String::new() } else { format!(" on {}", runtimes.join(", ")) };
        Some(format!("{:.1} photos/s{on}; ms a photo: {}", photos / took, stages.join(", ")))
    }
}

impl Tally {
    fn count(&mut self, outcome: OutcomeKind) {
        for ((kind, _), ended) in OUTCOMES.iter().zip(&mut self.ended) {
            *ended += usize::from(*kind == outcome);
        }
    }

    fn add(&mut self, added: Added) {
        self.count(added.outcome);
        self.damaged += usize::from(added.damaged);
        self.need_review += usize::from(added.needs_review);
    }

    /// Takes back what was added.
    fn take_off(&mut self, added: Added) {
        for ((kind, _), ended) in OUTCOMES.iter().zip(&mut self.ended) {
            *ended -= usize::from(*kind == added.outcome);
        }
        self.damaged -= usize::from(added.damaged);
        self.need_review -= usize::from(added.needs_review);
    }

    fn of(&self, outcome: OutcomeKind) -> usize {
        OUTCOMES.iter().zip(&self.ended).find(|((kind, _), _)| *kind == outcome).map_or(0, |(_, ended)| *ended)
    }

    fn in_words(&self, depth: Depth, output: &Path) -> String {
        let total = self.ended.iter().sum();
        let ended = OUTCOMES.iter().zip(&self.ended).filter(|(_, ended)| **ended > 0);
        let ended: Vec<String> = ended.map(|((_, words), ended)| format!("{ended} {words}")).collect();
        let ended = if ended.is_empty() { "none was reached".to_owned() } else { ended.join(", ") };
        let mut words = format!("{}: {ended}", counted(total, "input"));
        if self.damaged > 0 {
            let _ = write!(words, "; {} damaged", self.damaged);
        }
        match depth {
            Depth::Detect => {}
            Depth::Plan => words.push_str("; dry run: nothing was written"),
            Depth::Write => {
                let files = counted(self.written + self.sheets, "file");
                let _ = write!(words, "; {files} written to {}", print::path(output));
                if self.sheets > 0 {
                    let _ = write!(words, ", of them {}", counted(self.sheets, "sheet"));
                }
            }
        }
        if self.need_review > 0 {
            let _ = write!(words, "; {} to review", self.need_review);
        }
        words
    }
}

fn log(item: &ItemReport) {
    let stages: Vec<String> = item.stages.iter().map(|(stage, ms)| format!("{} {ms:.1}", stage.id())).collect();
    let runtime = item.runtime.as_ref().map_or("none", |runtime| runtime.actual.kind.id());
    let passes: Vec<String> = item.passes.iter().map(pass_text).collect();
    let passes_ms: f64 = item.passes.iter().map(|pass| pass.inference_ms).sum();
    let (path, outcome, faces) = (print::path(&item.path), item.outcome.id(), item.faces.len());
    let passes = format!("{} in {passes_ms:.1} ms: {}", passes.len(), passes.join(", "));
    tracing::info!(path, outcome, faces, runtime, passes, stages_ms = stages.join(", "), "done");
}

/// A pass as it is logged, such as `larger turned by 90, 640 x 448 21.3`.
fn pass_text(pass: &PassReport) -> String {
    let turned = if pass.turned == 0 { String::new() } else { format!(" turned by {}", pass.turned) };
    let refused = pass.refused.map_or_else(String::new, |input| format!(" (the runtime refused {input})"));
    format!("{}{turned}, {}{refused} {:.1}", pass.kind.id(), pass.input, pass.inference_ms)
}

pub(super) fn item_in_words(item: &ItemReport, depth: Depth) -> String {
    let mut words = format!("{}: ", print::path(&item.path));
    let files = item.crops.iter().flat_map(|crop| [crop.written.as_deref(), crop.sheet.as_deref()]).flatten();
    let written: Vec<String> = files.map(print::path).collect();
    match (item.outcome, depth) {
        (OutcomeKind::Cropped, Depth::Plan) => {
            let frames: Vec<String> = item
                .crops
                .iter()
                .map(|crop| {
                    let PlannedCrop { frame, angle, .. } = crop.planned;
                    let turned = if angle == 0.0 { String::new() } else { format!(" turned {angle:.1}°") };
                    let to = crop.target.as_deref().map(|target| format!(" to {}", print::path(target)));
                    format!("{} at {},{}{turned}{}", frame.size(), frame.x, frame.y, to.unwrap_or_default())
                })
                .collect();
            let _ = write!(words, "{}, would crop {}", counted(item.faces.len(), "face"), frames.join(" and "));
        }
        (OutcomeKind::Cropped, _) => {
            let _ = write!(words, "{}, written {}", counted(item.faces.len(), "face"), written.join(" and "));
        }
        (OutcomeKind::Detected, _) => {
            let scores: Vec<String> = item.faces.iter().map(|face| format!("{:.2}", face.score)).collect();
            let _ = write!(words, "{} ({})", counted(item.faces.len(), "face"), scores.join(", "));
        }
        (OutcomeKind::NoFace, _) => words.push_str("no face"),
        (OutcomeKind::Excluded, _) => words.push_str("left out by hand, none of its faces is chosen"),
        (OutcomeKind::Damaged, _) => {}
        (OutcomeKind::Skipped, _) => words.push_str("skipped, the crop is there already"),
        (OutcomeKind::AlreadyDone, _) => words.push_str("done before"),
        (OutcomeKind::Failed, _) => {
            words.push_str("failed: ");
            words.push_str(&item.error.as_ref().map_or_else(|| "no reason given".to_owned(), |error| reason(error)));
            if !written.is_empty() {
                let _ = write!(words, "; before that written {}", written.join(" and "));
            }
        }
    }
    match (&item.damage, item.outcome) {
        (Some(damage), OutcomeKind::Damaged) => {
            let _ = write!(words, "damaged, not cropped: {damage}; --include-damaged crops it all the same");
        }
        (Some(damage), _) => {
            let _ = write!(words, " (damaged: {damage})");
        }
        (None, _) => {}
    }
    if let Some(note) = item.note {
        let _ = write!(words, " ({note})");
    }
    for note in item.crops.iter().flat_map(|crop| &crop.notes) {
        let _ = write!(words, " ({note})");
    }
    let warnings = warnings_to_report(item);
    if !warnings.is_empty() {
        let _ = write!(words, "; to review: {}", warning_texts(&warnings, item.crops.len()));
    }
    words
}

/// The concerns of an input but for "no face" where that is how it ended: the line and the summary say so already.
pub(super) fn warnings_to_report(item: &ItemReport) -> Vec<&Warning> {
    let repeats = |warning: &&Warning| {
        item.outcome == OutcomeKind::NoFace && matches!(warning.kind, WarningKind::FewFaces { found: 0, .. })
    };
    item.warnings.iter().filter(|warning| !repeats(warning)).collect()
}

/// What is said of the photo, then of each of `crops` crops: "no face; crop 2: head 74 %, allowed 50 to 69 %; the face is soft".
pub(super) fn warning_texts(warnings: &[&Warning], crops: usize) -> String {
    let mut words = String::new();
    let mut reported = None;
    for Warning { crop, kind } in warnings {
        let numbered = crop.filter(|_| crops > 1);
        if !words.is_empty() {
            words.push_str("; ");
        }
        if let Some(crop) = numbered.filter(|_| numbered != reported) {
            let _ = write!(words, "crop {}: ", crop + 1);
        }
        let _ = write!(words, "{kind}");
        reported = numbered;
    }
    words
}

fn counted(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

#[cfg(test)]
mod tests {
    use geometry::Size;
    use outcome::PassScale;
    use plan::FileFault;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{words}")]
    struct Layer {
        words: &'static str,
        source: Option<Box<Layer>>,
    }

    #[test]
    fn each_cause_is_reported_once_and_on_one_line() {
        let layer = |words, beneath: Option<Layer>| Layer { words, source: beneath.map(Box::new) };
        let error = layer("cannot write (disk full)", Some(layer("disk full", Some(layer("os says\n  no", None)))));
        assert_eq!(reason(&error), "cannot write (disk full): os says no");
    }

    #[test]
    fn the_exit_code_follows_the_worst_outcome() {
        let exit = |outcomes: &[OutcomeKind]| {
            let mut reporter = Reporter::new(Form::Words, Depth::Write, RuntimeChoice::Auto, Some(outcomes.len()), 1);
            outcomes.iter().for_each(|outcome| reporter.tally.count(*outcome));
            reporter.exit()
        };
        assert_eq!(exit(&[OutcomeKind::Cropped, OutcomeKind::Skipped, OutcomeKind::Detected]), Exit::Done);
        assert_eq!(exit(&[OutcomeKind::Cropped, OutcomeKind::NoFace]), Exit::SomeFailed);
        assert_eq!(exit(&[OutcomeKind::Cropped, OutcomeKind::Damaged]), Exit::SomeFailed);
        assert_eq!(exit(&[OutcomeKind::Failed, OutcomeKind::Cropped]), Exit::SomeFailed);
    }

    #[test]
    fn the_summary_names_what_happened_and_nothing_else() {
        let mut tally = Tally { written: 1, damaged: 1, ..Tally::default() };
        [OutcomeKind::Cropped, OutcomeKind::NoFace, OutcomeKind::NoFace].iter().for_each(|kind| tally.count(*kind));
        let words = tally.in_words(Depth::Write, Path::new("out"));
        assert_eq!(words, "3 inputs: 1 cropped, 2 without a face; 1 damaged; 1 file written to out");
    }

    #[test]
    fn the_summary_tells_how_many_need_a_look_and_how_many_files_are_sheets() {
        let mut tally = Tally { written: 2, sheets: 2, need_review: 1, ..Tally::default() };
        [OutcomeKind::Cropped; 2].iter().for_each(|kind| tally.count(*kind));
        let words = tally.in_words(Depth::Write, Path::new("out"));
        assert_eq!(words, "2 inputs: 2 cropped; 4 files written to out, of them 2 sheets; 1 to review");
        tally.need_review = 2;
        assert!(tally.in_words(Depth::Detect, Path::new("")).ends_with("2 cropped; 2 to review"));
    }

    #[test]
    fn concerns_are_reported_crop_by_crop_on_the_line_of_their_photo() {
        let file_fault = |words: &str| WarningKind::File(FileFault::NotJpeg { document: Some(words.to_owned()) });
        let rule = |crop, words: &str| Warning { crop, kind: file_fault(words) };
        let warnings = [rule(None, "one"), rule(Some(0), "two"), rule(Some(1), "three"), rule(Some(1), "four")];
        let reported: Vec<String> = warnings.iter().map(|warning| warning.kind.to_string()).collect();
        let [one, two, three, four] = [&reported[0], &reported[1], &reported[2], &reported[3]];
        let all: Vec<&Warning> = warnings.iter().collect();
        assert_eq!(warning_texts(&all, 2), format!("{one}; crop 1: {two}; crop 2: {three}; {four}"));
        // With one crop there is nothing to number.
        assert_eq!(warning_texts(&all[..2], 1), format!("{one}; {two}"));
        let mut item = ItemReport::new("a.jpg".into());
        item.outcome = OutcomeKind::NoFace;
        assert_eq!(item_in_words(&item, Depth::Write), "a.jpg: no face");
        let no_face = Warning { crop: None, kind: WarningKind::FewFaces { found: 0, min: 1 } };
        item.warnings = vec![no_face];
        assert_eq!(item_in_words(&item, Depth::Write), "a.jpg: no face");
        item.warnings = warnings[..1].to_vec();
        assert_eq!(item_in_words(&item, Depth::Write), format!("a.jpg: no face; to review: {one}"));
    }

    #[test]
    fn looks_are_logged_with_their_time_and_turn() {
        let input = Size::new(640, 448);
        let pass = |kind, turned, refused| PassReport {
            kind,
            turned,
            input,
            refused,
            scale: 1.0,
            candidates: 3,
            inference_ms: 21.34,
        };
        assert_eq!(pass_text(&pass(PassScale::Standard, 0, None)), "whole, 640 x 448 21.3");
        let refused = pass(PassScale::Larger, 90, Some(Size::new(1600, 1088)));
        assert_eq!(pass_text(&refused), "larger turned by 90, 640 x 448 (the runtime refused 1600 x 1088) 21.3");
    }

    #[test]
    fn how_quick_a_run_was_is_reported_many_photos_only() {
        let mut pace = Pace::new();
        let mut item = ItemReport::new("a.jpg".into());
        item.stages.add(outcome::Stage::Decode, 5.0);
        (0..9).for_each(|_| pace.count(&item));
        item.outcome = OutcomeKind::AlreadyDone;
        pace.count(&item);
        assert_eq!(pace.in_words(), None, "what was done before is no work of this run");
        item.outcome = OutcomeKind::Cropped;
        pace.count(&item);
        assert!(pace.in_words().expect("enough").ends_with(" photos/s; ms a photo: decode 5.0"));
    }
}
