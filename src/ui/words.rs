//! How the window says things.

use std::error::Error;
use std::time::Duration;

use super::state::{ExportMark, Photo, PhotoStatus, RuntimeStatus};
use crate::backend::{BackendKind, Optimization, RuntimeChoice, RuntimeReport, RuntimeState};
use crate::detect::{Look, LookKind, Thoroughness};
use crate::encode::OnConflict;
use crate::pipeline::{ItemReport, OutcomeKind};
use crate::plan::{CropSpec, EdgePolicy, Position, Select};
use crate::settings::Guides;

/// `1 face`, `3 faces`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

/// What guides are called.
pub(crate) const fn guides(guides: Guides) -> &'static str {
    match guides {
        Guides::None => "None",
        Guides::Thirds => "Thirds",
        Guides::Bands => "Document bands",
        Guides::Circle => "Safe circle",
    }
}

/// The same where nothing else says that these are guides.
pub(crate) const fn guides_chosen(guides: Guides) -> &'static str {
    match guides {
        Guides::None => "No guides",
        Guides::Thirds => "Guides: thirds",
        Guides::Bands => "Guides: document",
        Guides::Circle => "Guides: circle",
    }
}

/// An error with its causes, in one line.
pub(crate) fn sentence(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let words = inner.to_string();
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = inner.source();
    }
    text
}

/// The text with a capital at its beginning.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A photo's state as the list shows it.
pub(crate) fn status(photo: &Photo, spec: &CropSpec, runtime: &RuntimeStatus) -> String {
    let mut text = match photo.status(spec) {
        PhotoStatus::Waiting => "waiting".to_owned(),
        PhotoStatus::NotLookedAt => not_looked_at(runtime),
        PhotoStatus::Faces(faces) => count(faces, "face", "faces"),
        PhotoStatus::NoFace => "no face".to_owned(),
        PhotoStatus::Failed(reason) => format!("failed: {reason}"),
    };
    if let Some(chosen) = photo.by_hand() {
        text.push_str(&format!(", {} chosen", chosen.len()));
    }
    if photo.info.as_ref().is_some_and(|info| info.damage.is_some()) {
        text.push_str(", damaged");
    }
    if let Some(note) = photo.info.as_ref().and_then(|info| info.note) {
        text.push_str(&format!(", {note}"));
    }
    match &photo.export {
        Some(ExportMark::Written(_)) => text.push_str(", written"),
        Some(ExportMark::Skipped) => text.push_str(", skipped"),
        Some(ExportMark::Damaged) => text.push_str(", not exported"),
        Some(ExportMark::Failed(reason)) if photo.failure.is_none() => {
            text.push_str(&format!(", failed: {reason}"));
        }
        _ => {}
    }
    text
}

/// Why nobody looked for faces on a photo that is decoded.
fn not_looked_at(runtime: &RuntimeStatus) -> String {
    match runtime {
        RuntimeStatus::Failed { requested, reason } => format!("no runtime: {} failed: {reason}", asked(*requested)),
        RuntimeStatus::Opening { .. } | RuntimeStatus::Ready { .. } => "no runtime yet".to_owned(),
    }
}

/// What an export did with one photo.
pub(crate) fn outcome(report: &ItemReport) -> String {
    let files: Vec<String> = report
        .crops
        .iter()
        .filter_map(|crop| Some(crop.written.as_ref()?.file_name()?.to_string_lossy().into_owned()))
        .collect();
    match report.outcome {
        OutcomeKind::Cropped | OutcomeKind::Detected => {
            let notes = report.crops.iter().flat_map(|crop| &crop.notes);
            notes.fold(files.join(", "), |text, note| format!("{text} ({note})"))
        }
        OutcomeKind::Damaged => {
            let what = report.damage.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("damaged, not exported: {what}")
        }
        OutcomeKind::NoFace => "no face".to_owned(),
        OutcomeKind::Skipped => "skipped: the name is taken".to_owned(),
        OutcomeKind::Failed => {
            report.error.as_ref().map_or_else(|| "unknown reason".to_owned(), |error| sentence(error))
        }
    }
}

/// An import brought nothing.
pub(crate) fn nothing_found(passed_over: usize) -> String {
    match passed_over {
        0 => "No photos were found there.".to_owned(),
        _ => format!(
            "No photos were found there; {} passed over.",
            count(passed_over, "other file was", "other files were")
        ),
    }
}

/// Milliseconds, short.
pub(crate) fn ms(milliseconds: f64) -> String {
    if milliseconds < 10.0 { format!("{milliseconds:.1} ms") } else { format!("{milliseconds:.0} ms") }
}

/// A runtime as it was asked for.
pub(crate) fn asked(choice: RuntimeChoice) -> &'static str {
    match choice {
        RuntimeChoice::Auto => "Auto",
        RuntimeChoice::Named(kind) => kind.title(),
    }
}

/// The runtimes that are offered, in groups with a name.
pub(crate) fn grouped() -> Vec<(&'static str, Vec<BackendKind>)> {
    let (ort, pure): (Vec<_>, Vec<_>) =
        BackendKind::offered().into_iter().partition(|kind| matches!(kind, BackendKind::Ort(_)));
    vec![("Pure Rust", pure), ("ONNX Runtime", ort)]
}

/// A runtime's name below that of its group.
pub(crate) fn in_group(kind: BackendKind) -> &'static str {
    kind.title().strip_prefix("ONNX Runtime, ").unwrap_or(kind.title())
}

/// Whether a runtime can be used, in a few words; `None` stands for one that was not tried yet.
pub(crate) fn availability(report: Option<&RuntimeReport>) -> String {
    let Some(report) = report else { return "checking…".to_owned() };
    match (report.state, &report.reason) {
        (RuntimeState::Ready, _) => {
            let time = report.warm_ms.map(|warm_ms| format!(", {}", ms(warm_ms))).unwrap_or_default();
            let differs = if report.agrees == Some(false) { ", differs from tract" } else { "" };
            format!("ready{time}{differs}")
        }
        (RuntimeState::Missing, _) => "library missing".to_owned(),
        (RuntimeState::Unsupported, _) if report.library.is_some() => "not in this library".to_owned(),
        (RuntimeState::Unsupported, _) => "not in this build".to_owned(),
        (RuntimeState::Failed, Some(reason)) => format!("failed: {reason}"),
        (RuntimeState::Failed, None) => "failed".to_owned(),
    }
}

/// All there is to tell of a runtime, in a sentence or a few.
pub(crate) fn in_full(kind: BackendKind, report: Option<&RuntimeReport>) -> String {
    let short = availability(report);
    match report.and_then(|report| report.reason.as_deref()) {
        Some(reason) if !short.contains(reason) => format!("{kind}: {short} ({reason})"),
        _ => format!("{kind}: {short}"),
    }
}

/// How much an engine rewrites the graph.
pub(crate) const fn optimization(level: Optimization) -> &'static str {
    match level {
        Optimization::Off => "Off",
        Optimization::Basic => "Basic",
        Optimization::Extended => "Extended",
        Optimization::All => "Everything",
    }
}

/// A time left, in steps that do not flicker.
pub(crate) fn time_left(seconds: f64) -> String {
    let whole = Duration::try_from_secs_f64(seconds.ceil()).map_or(0, |duration| duration.as_secs());
    match whole {
        0..=1 => "about a second left".to_owned(),
        2..=99 => format!("{whole} s left"),
        100..=5999 => format!("{} min left", whole.div_ceil(60)),
        _ => format!("{} h left", whole.div_ceil(3600)),
    }
}

/// A choice of faces.
pub(crate) const fn select(select: Select) -> &'static str {
    match select {
        Select::Largest => "Largest",
        Select::Best => "Best portrait",
        Select::Central => "Most central",
        Select::All => "All",
    }
}

/// A policy past the picture's edge.
pub(crate) const fn edge(edge: EdgePolicy) -> &'static str {
    match edge {
        EdgePolicy::Shrink => "Shrink the frame",
        EdgePolicy::Pad => "Fill with colour",
        EdgePolicy::Extend => "Extend the edge",
        EdgePolicy::Blur => "Blurred copy",
    }
}

/// What says where the head stands in the crop.
pub(crate) const fn position(position: Position) -> &'static str {
    match position {
        Position::Middle => "Head in the middle",
        Position::EyeLine { .. } => "Eye line",
        Position::Headroom { .. } => "Headroom",
    }
}

/// How many looks a photo is given.
pub(crate) const fn thoroughness(level: Thoroughness) -> &'static str {
    match level {
        Thoroughness::Fast => "Fast",
        Thoroughness::Balanced => "Balanced",
        Thoroughness::Thorough => "Thorough",
    }
}

/// What was looked at.
pub(crate) fn look(look: &Look) -> String {
    match look.kind {
        LookKind::Whole => "the whole photo".to_owned(),
        LookKind::Smaller => "a smaller copy with a border".to_owned(),
        LookKind::Tile => "an enlarged part".to_owned(),
        LookKind::Turned => format!("the photo turned by {}°", look.turned),
    }
}

/// What happens where a name is taken.
pub(crate) const fn on_conflict(policy: OnConflict) -> &'static str {
    match policy {
        OnConflict::Suffix => "Add a number",
        OnConflict::Skip => "Skip the crop",
        OnConflict::Overwrite => "Replace the file",
        OnConflict::Fail => "Count as failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_left_are_short() {
        let all = [0.2, 42.0, 130.0, 9000.0, f64::INFINITY].map(time_left);
        assert_eq!(all, ["about a second left", "42 s left", "3 min left", "3 h left", "about a second left"]);
    }

    #[test]
    fn a_runtime_that_failed_is_not_told_as_one_to_come() {
        assert_eq!(not_looked_at(&RuntimeStatus::Opening { slow: true }), "no runtime yet");
        let failed = RuntimeStatus::Failed {
            requested: RuntimeChoice::Named(BackendKind::Rten),
            reason: "not included in this build".to_owned(),
        };
        assert_eq!(not_looked_at(&failed), "no runtime: rten failed: not included in this build");
    }

    #[test]
    fn causes_are_told_once() {
        let inner = std::io::Error::other("denied");
        let error = crate::decode::DecodeError::Unreadable(inner);
        assert_eq!(sentence(&error), "the file cannot be read: denied");
    }
}
