//! Reports the result of each input, and counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::io;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use outcome::{ItemReport, OutcomeKind, PassReport, StageTimes};
use plan::PlannedCrop;
use recipe::{Depth, ModelKind, Recipe, RuntimeChoice, Variant};

use super::causes::reason;
use super::print::{LinePrinter, Reader};
use super::warning_list::{warning_texts, warnings_to_report};
use super::{Exit, json, model_note, print};

/// Format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineFormat {
    /// A line of text for each input, and a summary.
    Text,
    /// A line of JSON for each input.
    Json,
}

/// Prints each result as it arrives and keeps the tally.
pub(super) struct Reporter {
    form: LineFormat,
    depth: Depth,
    requested: RuntimeChoice,
    /// The outputs whose names and rules are part of JSON.
    outputs: Vec<Variant>,
    bar: ProgressBar,
    printer: LinePrinter,
    tally: Tally,
    /// Models that could not be used, as far as reported.
    noted_models: BTreeSet<ModelKind>,
    speed: Speed,
    /// The contribution of each input to the tally if inputs may be repeated, which count once; `None` if they may not.
    added: Option<HashMap<PathBuf, Contribution>>,
}

/// The contribution of an input to the tally.
#[derive(Clone, Copy)]
struct Contribution {
    outcome: OutcomeKind,
    damaged: bool,
    needs_review: bool,
}

/// Speed of the run, and the runtimes used.
struct Speed {
    begun: Instant,
    /// Number of inputs processed.
    photos: usize,
    /// Milliseconds per stage, summed over all threads.
    stages: StageTimes,
    /// Number of inputs per runtime.
    runtimes: BTreeMap<&'static str, usize>,
}

/// Minimum number of photos for which the speed is reported.
const MIN_PHOTOS_FOR_PACE: usize = 10;

#[derive(Debug, Default)]
struct Tally {
    /// Number of inputs per outcome, in the order of [`OUTCOMES`].
    counts: [usize; OUTCOMES.len()],
    written: usize,
    sheets: usize,
    damaged: usize,
    /// Inputs with a warning.
    need_review: usize,
}

const OUTCOMES: [(OutcomeKind, &str); 9] = [
    (OutcomeKind::Cropped, "cropped"),
    (OutcomeKind::Detected, "with faces"),
    (OutcomeKind::AlreadyDone, "already done"),
    (OutcomeKind::Skipped, "skipped"),
    (OutcomeKind::Excluded, "excluded"),
    (OutcomeKind::NoFace, "without a face"),
    (OutcomeKind::Card, "cards"),
    (OutcomeKind::Damaged, "damaged, skipped"),
    (OutcomeKind::Failed, "failed"),
];

impl Reporter {
    /// A reporter for `total` inputs; `None` for an open-ended run in which inputs may be repeated. Progress is shown on
    /// standard error if that is a terminal that nothing else is written to, and the total is known.
    pub(super) fn new(
        form: LineFormat,
        depth: Depth,
        requested: RuntimeChoice,
        total: Option<usize>,
        verbose: u8,
    ) -> Self {
        let shown = form == LineFormat::Text && verbose == 0 && total.is_some() && io::stderr().is_terminal();
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
        let noted_models = BTreeSet::new();
        Self {
            form,
            depth,
            requested,
            outputs: Vec::new(),
            bar,
            printer,
            tally,
            noted_models,
            speed: Speed::new(),
            added,
        }
    }

    /// Sets the outputs of the following inputs.
    pub(super) fn set_outputs(&mut self, recipe: &Recipe) {
        self.outputs = recipe.outputs().collect();
    }

    /// Reports an input that was processed.
    pub(super) fn item(&mut self, item: &ItemReport) -> anyhow::Result<Reader> {
        log(item);
        self.note_models(item);
        self.speed.count(item);
        self.tally.written += item.crops.iter().filter(|crop| crop.written.is_some()).count();
        self.tally.sheets += item.crops.iter().filter(|crop| crop.sheet.is_some()).count();
        let added = Contribution {
            outcome: item.outcome,
            damaged: item.damage.is_some() && item.outcome != OutcomeKind::Damaged,
            needs_review: item.outcome != OutcomeKind::Failed && !warnings_to_report(item).is_empty(),
        };
        self.tally.add(added);
        if let Some(before) = self.added.as_mut().and_then(|all| all.insert(item.path.clone(), added)) {
            self.tally.subtract(before);
        }
        let line = match self.form {
            LineFormat::Text => item_text(item, self.depth),
            LineFormat::Json => json::item_line(item, &self.outputs, self.requested)?,
        };
        self.bar.inc(1);
        self.report(&line)
    }

    /// Reports each model that could not be used once a run.
    fn note_models(&mut self, item: &ItemReport) {
        for fault in &item.model_faults {
            if self.noted_models.insert(fault.model) {
                self.bar.suspend(|| print::note(&model_note::of(fault, item.runtime.as_ref())));
            }
        }
    }

    /// Reports a path that could not be searched, as a failed input.
    pub(super) fn problem(&mut self, path: &Path, reason: &str) -> anyhow::Result<Reader> {
        self.tally.count(OutcomeKind::Failed);
        let line = match self.form {
            LineFormat::Text => format!("{}: failed: {reason}", print::path(path)),
            LineFormat::Json => json::problem_line(path, reason, self.requested)?,
        };
        self.report(&line)
    }

    /// Prints the summary, in text format only. `output` is the output folder.
    pub(super) fn summary(&mut self, output: &Path) -> anyhow::Result<Reader> {
        self.bar.finish_and_clear();
        match self.form {
            LineFormat::Text => {
                let reader = self.report(&self.tally.as_text(self.depth, output))?;
                // Not for an open-ended run: it would include idle time.
                if let Some(speed) = self.speed.as_text().filter(|_| self.added.is_none()) {
                    print::note(&speed);
                }
                Ok(reader)
            }
            LineFormat::Json => Ok(Reader::Listening),
        }
    }

    /// True if inputs without a face are reported in text.
    pub(super) fn has_inputs_without_face(&self) -> bool {
        self.form == LineFormat::Text && self.tally.of(OutcomeKind::NoFace) > 0
    }

    /// The exit code, once every input was reported or could not be.
    pub(super) fn exit(&self) -> Exit {
        let count = |kind| self.tally.of(kind);
        let unmade = count(OutcomeKind::NoFace) + count(OutcomeKind::Damaged) + count(OutcomeKind::Failed);
        if unmade == 0 && !self.printer.has_failed() { Exit::Done } else { Exit::SomeFailed }
    }

    /// Writes a line. If the run produces nothing but lines, it ends once none can be written.
    fn report(&mut self, line: &str) -> anyhow::Result<Reader> {
        let printer = &mut self.printer;
        match self.depth {
            Depth::Write => Ok(self.bar.suspend(|| printer.line(line))),
            Depth::Detect | Depth::Plan => Ok(self.bar.suspend(|| print::line(line))?),
        }
    }
}

impl Speed {
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

    /// As text, if there were enough photos.
    fn as_text(&self) -> Option<String> {
        if self.photos < MIN_PHOTOS_FOR_PACE {
            return None;
        }
        let (photos, elapsed) = (self.photos as f64, self.begun.elapsed().as_secs_f64().max(1e-3));
        let stages: Vec<String> =
            self.stages.iter().map(|(stage, ms)| format!("{} {:.1}", stage.id(), ms / photos)).collect();
        let runtimes: Vec<&str> = self.runtimes.keys().copied().collect();
        let on = if runtimes.is_empty() { String::new() } else { format!(" on {}", runtimes.join(", ")) };
        Some(format!("{:.1} photos/s{on}; ms per photo: {}", photos / elapsed, stages.join(", ")))
    }
}

impl Tally {
    fn count(&mut self, outcome: OutcomeKind) {
        for ((kind, _), counts) in OUTCOMES.iter().zip(&mut self.counts) {
            *counts += usize::from(*kind == outcome);
        }
    }

    fn add(&mut self, added: Contribution) {
        self.count(added.outcome);
        self.damaged += usize::from(added.damaged);
        self.need_review += usize::from(added.needs_review);
    }

    /// Subtracts an earlier contribution.
    fn subtract(&mut self, added: Contribution) {
        for ((kind, _), counts) in OUTCOMES.iter().zip(&mut self.counts) {
            *counts -= usize::from(*kind == added.outcome);
        }
        self.damaged -= usize::from(added.damaged);
        self.need_review -= usize::from(added.needs_review);
    }

    fn of(&self, outcome: OutcomeKind) -> usize {
        OUTCOMES.iter().zip(&self.counts).find(|((kind, _), _)| *kind == outcome).map_or(0, |(_, counts)| *counts)
    }

    fn as_text(&self, depth: Depth, output: &Path) -> String {
        let total = self.counts.iter().sum();
        let counts = OUTCOMES.iter().zip(&self.counts).filter(|(_, counts)| **counts > 0);
        let counts: Vec<String> = counts.map(|((_, text), counts)| format!("{counts} {text}")).collect();
        let counts = if counts.is_empty() { "none processed".to_owned() } else { counts.join(", ") };
        let mut text = format!("{}: {counts}", counted(total, "input"));
        if self.damaged > 0 {
            let _ = write!(text, "; {} damaged", self.damaged);
        }
        match depth {
            Depth::Detect => {}
            Depth::Plan => text.push_str("; dry run: nothing was written"),
            Depth::Write => {
                let files = counted(self.written + self.sheets, "file");
                let _ = write!(text, "; {files} written to {}", print::path(output));
                if self.sheets > 0 {
                    let _ = write!(text, ", including {}", counted(self.sheets, "sheet"));
                }
            }
        }
        if self.need_review > 0 {
            let _ = write!(text, "; {} to review", self.need_review);
        }
        text
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

/// A detection pass for the log, such as `larger rotated by 90, 640 x 448 21.3`.
fn pass_text(pass: &PassReport) -> String {
    let turned = if pass.rotation == 0 { String::new() } else { format!(" rotated by {}", pass.rotation) };
    let refused = pass.rejected.map_or_else(String::new, |input| format!(" (the runtime rejected {input})"));
    format!("{}{turned}, {}{refused} {:.1}", pass.kind.id(), pass.input, pass.inference_ms)
}

pub(super) fn item_text(item: &ItemReport, depth: Depth) -> String {
    let mut text = format!("{}: ", print::path(&item.path));
    let files = item.crops.iter().flat_map(|crop| [crop.written.as_deref(), crop.sheet.as_deref()]).flatten();
    let written: Vec<String> = files.map(print::path).collect();
    match (item.outcome, depth) {
        (OutcomeKind::Cropped, Depth::Plan) => {
            let frames: Vec<String> = item
                .crops
                .iter()
                .map(|crop| {
                    let PlannedCrop { frame, angle, .. } = crop.planned;
                    let turned = if angle == 0.0 { String::new() } else { format!(" rotated {angle:.1}°") };
                    let to = crop.target.as_deref().map(|target| format!(" to {}", print::path(target)));
                    format!("{} at {},{}{turned}{}", frame.size(), frame.x, frame.y, to.unwrap_or_default())
                })
                .collect();
            let _ = write!(text, "{}, would crop {}", counted(item.faces.len(), "face"), frames.join(" and "));
        }
        (OutcomeKind::Cropped, _) => {
            let _ = write!(text, "{}, written {}", counted(item.faces.len(), "face"), written.join(" and "));
        }
        (OutcomeKind::Detected, _) => {
            let scores: Vec<String> = item.faces.iter().map(|face| format!("{:.2}", face.score)).collect();
            let _ = write!(text, "{} ({})", counted(item.faces.len(), "face"), scores.join(", "));
        }
        (OutcomeKind::NoFace, _) => text.push_str("no face"),
        (OutcomeKind::Card, _) => {
            let card = item.card.as_deref().unwrap_or_default();
            let _ = write!(text, "card '{}'", print::inline(card));
        }
        (OutcomeKind::Excluded, _) => text.push_str("excluded, no faces selected"),
        (OutcomeKind::Damaged, _) => {}
        (OutcomeKind::Skipped, _) => text.push_str("skipped, the crop already exists"),
        (OutcomeKind::AlreadyDone, _) => text.push_str("already done"),
        (OutcomeKind::Failed, _) => {
            text.push_str("failed: ");
            text.push_str(&item.error.as_ref().map_or_else(|| "no reason given".to_owned(), |error| reason(error)));
            if !written.is_empty() {
                let _ = write!(text, "; written before the failure: {}", written.join(" and "));
            }
        }
    }
    match (&item.damage, item.outcome) {
        (Some(damage), OutcomeKind::Damaged) => {
            let _ = write!(text, "damaged, not cropped: {damage}; --include-damaged crops it anyway");
        }
        (Some(damage), _) => {
            let _ = write!(text, " (damaged: {damage})");
        }
        (None, _) => {}
    }
    if let Some(note) = item.note {
        let _ = write!(text, " ({note})");
    }
    for note in item.crops.iter().flat_map(|crop| &crop.notes) {
        let _ = write!(text, " ({note})");
    }
    let warnings = warnings_to_report(item);
    if !warnings.is_empty() {
        let _ = write!(text, "; to review: {}", warning_texts(&warnings, item.crops.len()));
    }
    text
}

pub(super) fn counted(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

#[cfg(test)]
mod tests {
    use geometry::Size;
    use outcome::PassScale;
    use plan::FileFault;
    use plan::{Warning, WarningKind};

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{message}")]
    struct Layer {
        message: &'static str,
        source: Option<Box<Layer>>,
    }

    #[test]
    fn each_cause_is_reported_once_and_on_one_line() {
        let layer = |message, beneath: Option<Layer>| Layer { message, source: beneath.map(Box::new) };
        let error = layer("cannot write (disk full)", Some(layer("disk full", Some(layer("access\n  denied", None)))));
        assert_eq!(reason(&error), "cannot write (disk full): access denied");
    }

    #[test]
    fn the_exit_code_reflects_the_worst_outcome() {
        let exit = |outcomes: &[OutcomeKind]| {
            let mut reporter =
                Reporter::new(LineFormat::Text, Depth::Write, RuntimeChoice::Auto, Some(outcomes.len()), 1);
            outcomes.iter().for_each(|outcome| reporter.tally.count(*outcome));
            reporter.exit()
        };
        assert_eq!(exit(&[OutcomeKind::Cropped, OutcomeKind::Skipped, OutcomeKind::Detected]), Exit::Done);
        assert_eq!(exit(&[OutcomeKind::Cropped, OutcomeKind::NoFace]), Exit::SomeFailed);
        assert_eq!(exit(&[OutcomeKind::Cropped, OutcomeKind::Damaged]), Exit::SomeFailed);
        assert_eq!(exit(&[OutcomeKind::Failed, OutcomeKind::Cropped]), Exit::SomeFailed);
    }

    #[test]
    fn the_summary_lists_only_outcomes_that_occurred() {
        let mut tally = Tally { written: 1, damaged: 1, ..Tally::default() };
        [OutcomeKind::Cropped, OutcomeKind::NoFace, OutcomeKind::NoFace].iter().for_each(|kind| tally.count(*kind));
        let text = tally.as_text(Depth::Write, Path::new("out"));
        assert_eq!(text, "3 inputs: 1 cropped, 2 without a face; 1 damaged; 1 file written to out");
    }

    #[test]
    fn the_summary_counts_photos_to_review_and_sheets() {
        let mut tally = Tally { written: 2, sheets: 2, need_review: 1, ..Tally::default() };
        [OutcomeKind::Cropped; 2].iter().for_each(|kind| tally.count(*kind));
        let text = tally.as_text(Depth::Write, Path::new("out"));
        assert_eq!(text, "2 inputs: 2 cropped; 4 files written to out, including 2 sheets; 1 to review");
        tally.need_review = 2;
        assert!(tally.as_text(Depth::Detect, Path::new("")).ends_with("2 cropped; 2 to review"));
    }

    #[test]
    fn warnings_are_printed_by_crop_on_the_line_of_the_photo() {
        let file_fault = |document: &str| WarningKind::File(FileFault::NotJpeg { document: Some(document.to_owned()) });
        let rule = |crop, document: &str| Warning { crop, kind: file_fault(document) };
        let warnings = [rule(None, "one"), rule(Some(0), "two"), rule(Some(1), "three"), rule(Some(1), "four")];
        let messages: Vec<String> = warnings.iter().map(|warning| warning.kind.to_string()).collect();
        let [one, two, three, four] = [&messages[0], &messages[1], &messages[2], &messages[3]];
        let all: Vec<&Warning> = warnings.iter().collect();
        assert_eq!(warning_texts(&all, 2), format!("{one}; crop 1: {two}; crop 2: {three}; {four}"));
        // A single crop is not numbered.
        assert_eq!(warning_texts(&all[..2], 1), format!("{one}; {two}"));
        let mut item = ItemReport::new("a.jpg".into());
        item.outcome = OutcomeKind::NoFace;
        assert_eq!(item_text(&item, Depth::Write), "a.jpg: no face");
        let no_face = Warning { crop: None, kind: WarningKind::FewFaces { found: 0, min: 1 } };
        item.warnings = vec![no_face];
        assert_eq!(item_text(&item, Depth::Write), "a.jpg: no face");
        item.warnings = warnings[..1].to_vec();
        assert_eq!(item_text(&item, Depth::Write), format!("a.jpg: no face; to review: {one}"));
    }

    #[test]
    fn passes_are_logged_with_time_and_rotation() {
        let input = Size::new(640, 448);
        let pass = |kind, rotation, rejected| PassReport {
            kind,
            rotation,
            input,
            rejected,
            scale: 1.0,
            candidates: 3,
            inference_ms: 21.34,
        };
        assert_eq!(pass_text(&pass(PassScale::Standard, 0, None)), "standard, 640 x 448 21.3");
        let refused = pass(PassScale::Larger, 90, Some(Size::new(1600, 1088)));
        assert_eq!(pass_text(&refused), "larger rotated by 90, 640 x 448 (the runtime rejected 1600 x 1088) 21.3");
    }

    #[test]
    fn the_speed_is_reported_for_many_photos_only() {
        let mut speed = Speed::new();
        let mut item = ItemReport::new("a.jpg".into());
        item.stages.add(outcome::Stage::Decode, 5.0);
        (0..9).for_each(|_| speed.count(&item));
        item.outcome = OutcomeKind::AlreadyDone;
        speed.count(&item);
        assert_eq!(speed.as_text(), None, "photos done before do not count");
        item.outcome = OutcomeKind::Cropped;
        speed.count(&item);
        assert!(speed.as_text().expect("enough").ends_with(" photos/s; ms per photo: decode 5.0"));
    }
}
