//! Texts of the window.

mod cameras;
mod errors;
mod faults;
mod list;
mod measures;
mod models;
mod names;
mod outputs;
mod packages;
mod parts;
mod photos;
mod presets;
mod projects;
mod rules;
mod runs;
mod runtimes;
mod specs;
mod steps;
mod warnings;

use std::time::Duration;

use batch::latency::offered_runtimes;
use batch::settings::{Guides, ListSort};
use batch::worker::{CrashedSessions, RecoverableList};
use outcome::{FaceModelFault, PassReport, PassScale, RuntimeReport, RuntimeState};
use recipe::{BackendKind, EdgePolicy, OnConflict, Optimization, Position, Select, Thoroughness};

use super::language::{count, decimal, integer, mark, say, tr, tr_in};
use super::state::{Mark, UnfinishedRun};

pub(crate) use cameras::camera_error;
pub(crate) use errors::{damage, decode_error, stage_error};
pub(crate) use faults::{auto_why, found, library_error, library_title, open_error, place, runtime_fault};
pub(crate) use list::{about_mark, list_sort, marked};
pub(crate) use measures::{eyes, light, passes, pose, sharpness};
pub(crate) use models::{model_times, model_title, without_models};
pub(crate) use names::{
    about_field, card, characters, missing_policy, name_list_error, paired_pattern_error, row_summary, template_error,
};
pub(crate) use outputs::{index_format, output_name, variant_error};
pub(crate) use parts::{choice_name, device, listed};
pub(crate) use photos::{no_runtime, outcome, photo_failure, status, unanswered, unavailable};
pub(crate) use presets::{about_preset, document_name, preset_name};
pub(crate) use projects::{crash_report, found_again, missing, opened, recoverable_list, unfinished};
pub(crate) use rules::{demands, rule};
pub(crate) use runs::{
    describe_error, export_counts, export_end, paste_error, project_fault, report_error, run_note, settings_error,
    settings_notice, stop_reason, text_error, walk_problem, watch_problem,
};
pub(crate) use runtimes::{cause, compare_obstacle, fastest_runtime, runtime_in_use, time_or_reason};
pub(crate) use specs::{encode_spec_error, preset_error, preset_fault, sheet_error, spec_error};
pub(crate) use steps::{
    photos, photos_accepted, photos_customized, photos_excluded, photos_included, photos_not_accepted, photos_removed,
    photos_reset, photos_shared,
};
pub(crate) use warnings::{reason, warning};

/// Labels of guides, in English; translated by `tr` when shown.
pub(crate) const fn guides(guides: Guides) -> &'static str {
    match guides {
        Guides::None => mark("None"),
        Guides::Thirds => mark("Thirds"),
        Guides::Document => mark("Allowed range"),
        Guides::Circle => mark("Safe circle"),
    }
}

/// Labels of guides for places without the heading.
pub(crate) const fn guides_chosen(guides: Guides) -> &'static str {
    match guides {
        Guides::None => mark("No guides"),
        Guides::Thirds => mark("Guides: thirds"),
        Guides::Document => mark("Guides: document"),
        Guides::Circle => mark("Guides: circle"),
    }
}

/// The text with a capital first letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// An import found nothing.
pub(crate) fn nothing_found(ignored: usize) -> String {
    match ignored {
        0 => tr("No photos found.").to_owned(),
        _ => count!(
            ignored,
            "No photos found; {n} other file was ignored.",
            "No photos found; {n} other files were ignored."
        ),
    }
}

/// The watched folder, and the number of photos added.
pub(crate) fn watching(folder: &str, added: usize) -> String {
    match added {
        0 => say!("watching {folder}", folder = folder),
        _ => count!(added, "watching {folder}, {n} new photo", "watching {folder}, {n} new photos", folder = folder),
    }
}

/// Milliseconds, short.
pub(crate) fn ms(milliseconds: f64) -> String {
    say!("{time} ms", time = decimal(milliseconds, usize::from(milliseconds < 10.0)))
}

/// The available runtimes, in named groups.
pub(crate) fn grouped() -> Vec<(&'static str, Vec<BackendKind>)> {
    let (ort, others): (Vec<_>, Vec<_>) =
        offered_runtimes().into_iter().partition(|kind| matches!(kind, BackendKind::Ort(_)));
    vec![(tr("CPU only"), others), ("ONNX Runtime", ort)]
}

/// A runtime's name within its group.
pub(crate) fn in_group(kind: BackendKind) -> &'static str {
    kind.title().strip_prefix("ONNX Runtime, ").unwrap_or(kind.title())
}

/// Availability of a runtime in one or two words; `None` for one that was not probed yet.
pub(crate) fn readiness(report: Option<&RuntimeReport>) -> &'static str {
    let Some(report) = report else { return tr("checking…") };
    match report.state {
        RuntimeState::Ready => tr("ready"),
        RuntimeState::Missing => tr("library missing"),
        RuntimeState::Unsupported if report.library.is_some() => tr("not in this library"),
        RuntimeState::Unsupported => tr("not in this build"),
        RuntimeState::Failed => tr("failed"),
    }
}

/// The same with its time or the reason.
pub(crate) fn availability(report: Option<&RuntimeReport>) -> String {
    let short = readiness(report).to_owned();
    let Some(report) = report else { return short };
    match (report.state, &report.fault) {
        (RuntimeState::Ready, _) => {
            let mut phrases = vec![short];
            phrases.extend(report.photo_ms().map(ms));
            phrases.extend((report.agrees == Some(false)).then(|| tr("differs from tract").to_owned()));
            listed(&phrases)
        }
        (RuntimeState::Failed, Some(fault)) => say!("failed: {reason}", reason = runtime_fault(fault)),
        _ => short,
    }
}

/// A full description of a runtime, in one or several sentences.
pub(crate) fn full_description(kind: BackendKind, report: Option<&RuntimeReport>) -> String {
    let short = availability(report);
    let mut text = match report.and_then(|report| report.fault.as_ref()).map(runtime_fault) {
        Some(reason) if !short.contains(&reason) => format!("{kind}: {short} ({reason})"),
        _ => format!("{kind}: {short}"),
    };
    if let Some(report) = report.filter(|report| report.state == RuntimeState::Ready) {
        if let Some(device) = report.device.as_ref().filter(|_| kind.chooses_device()) {
            text = format!("{text}\n{device}");
        }
        let faults: Vec<FaceModelFault> = report.model_faults().collect();
        let without = (!faults.is_empty()).then(|| without_models(&faults));
        without.into_iter().chain(model_times(report)).for_each(|line| text = format!("{text}\n{line}"));
    }
    text
}

/// Level of graph optimization.
pub(crate) fn optimization(level: Optimization) -> &'static str {
    match level {
        Optimization::Off => tr("Off"),
        Optimization::Basic => tr("Basic"),
        Optimization::Extended => tr("Extended"),
        Optimization::All => tr("Everything"),
    }
}

/// Remaining time, rounded so that it does not flicker.
pub(crate) fn time_left(seconds: f64) -> String {
    let total_s = Duration::try_from_secs_f64(seconds.ceil()).map_or(0, |duration| duration.as_secs());
    match total_s {
        0..=1 => tr("about a second left").to_owned(),
        2..=99 => say!("{seconds} s left", seconds = total_s),
        100..=5999 => say!("{minutes} min left", minutes = total_s.div_ceil(60)),
        _ => say!("{hours} h left", hours = total_s.div_ceil(3600)),
    }
}

pub(crate) fn select(select: Select) -> &'static str {
    match select {
        Select::Largest => tr("Largest"),
        Select::Best => tr("Best portrait"),
        Select::Central => tr("Most central"),
        Select::All => tr_in("faces", "All"),
    }
}

pub(crate) fn edge(edge: EdgePolicy) -> &'static str {
    match edge {
        EdgePolicy::Shrink => tr("Move the frame"),
        EdgePolicy::Pad => tr("Fill with colour"),
        EdgePolicy::Extend => tr("Extend the edge"),
        EdgePolicy::Blur => tr("Blurred copy"),
    }
}

/// Vertical position of the head in the crop.
pub(crate) fn position(position: Position) -> &'static str {
    match position {
        Position::Middle => tr("Head centred"),
        Position::EyeLine { .. } => tr("Eye line"),
        Position::Headroom { .. } => tr("Headroom"),
    }
}

/// Number of detection passes.
pub(crate) fn thoroughness(level: Thoroughness) -> &'static str {
    match level {
        Thoroughness::Fast => tr("Fast"),
        Thoroughness::Balanced => tr("Balanced"),
        Thoroughness::Thorough => tr("Thorough"),
    }
}

/// The input of a detection pass.
pub(crate) fn pass(pass: &PassReport) -> String {
    if pass.rotation != 0 {
        return say!("the photo rotated by {degrees}°", degrees = pass.rotation);
    }
    match pass.kind {
        PassScale::Standard => tr("the whole photo").to_owned(),
        PassScale::Smaller => tr("a smaller copy").to_owned(),
        PassScale::Larger | PassScale::Largest => tr("a larger copy").to_owned(),
    }
}

/// Policy for existing files.
pub(crate) fn on_conflict(policy: OnConflict) -> &'static str {
    match policy {
        OnConflict::Suffix => tr("Add a number"),
        OnConflict::Skip => tr("Skip"),
        OnConflict::Overwrite => tr("Replace"),
        OnConflict::Fail => tr("Report an error"),
    }
}

/// An action with its object: `Undo: adjust a head`.
pub(crate) fn action(name: &'static str, detail: Option<String>) -> String {
    match detail {
        Some(detail) => say!("{action}: {detail}", action = tr(name), detail = detail),
        None => tr(name).to_owned(),
    }
}

/// Accessible name of a row of the command palette.
pub(crate) fn palette_row(name: &str, about: &str, keys: Option<&str>, on: bool, enabled: bool) -> String {
    let state = if on { Some(tr("on")) } else { (!enabled).then_some(tr("unavailable")) };
    let phrases: Vec<String> =
        [Some(name), Some(about), keys, state].into_iter().flatten().map(str::to_owned).collect();
    listed(&phrases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remaining_times_are_short() {
        let all = [0.2, 42.0, 130.0, 9000.0, f64::INFINITY].map(time_left);
        assert_eq!(all, ["about a second left", "42 s left", "3 min left", "3 h left", "about a second left"]);
    }
}
