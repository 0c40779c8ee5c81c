//! Commands about runtimes, models and comparisons.

use std::path::PathBuf;
use std::sync::Arc;

use batch::diagnostics::Diagnosis;
use batch::latency::{CompareSpec, to_csv, to_json, to_markdown};
use batch::worker::{ItemId, ProbesRequest, SessionRequest};
use outcome::AutoReason;
use recipe::{BackendKind, RuntimeOptions};

use super::super::command::Effect;
use super::super::dialogs::PickerKind;
use super::super::language::{say, tr};
use super::super::messages;
use super::super::state::{AppState, CompareRun, Copied, NoticeKind, Page, Photo, RuntimeStatus, SavedText, Secondary};
use super::{index_photo, save_text};

/// Requests the chosen runtime. Under Auto, a built-in one is used until the runtimes have been tested.
pub(crate) fn open_runtime(state: &mut AppState, effects: &mut Vec<Effect>) {
    state.runtime.status = RuntimeStatus::Opening { slow: false };
    request_runtime(state, true, effects);
}

/// Requests Auto's choice once the runtimes have been tested; the built-in one stays in use until then.
pub(crate) fn open_tested_runtime(state: &AppState, effects: &mut Vec<Effect>) {
    if state.runtime.is_untested() {
        request_runtime(state, false, effects);
    }
}

fn request_runtime(state: &AppState, at_once: bool, effects: &mut Vec<Effect>) {
    effects.push(Effect::send(SessionRequest::OpenRuntime {
        choice: state.runtime.choice,
        model: state.runtime.model.clone(),
        options: state.runtime.options.clone(),
        at_once,
    }));
}

/// After Auto has chosen among the tested runtimes: reports the choice. The faces found so far stay, since the runtimes agree;
/// only photos without faces or with missing measurements are searched again.
pub(crate) fn keep_faces(state: &mut AppState, effects: &mut Vec<Effect>) {
    if let RuntimeStatus::Ready { runtime, .. } = &state.runtime.status
        && let Some(why) = &runtime.why
    {
        let (times, incomplete) = (why.times.clone(), why.incomplete.clone());
        let times = messages::auto_why(&AutoReason { times, incomplete, ..AutoReason::default() });
        let text = say!("Auto uses {runtime}. Per photo: {times}", runtime = runtime.actual.kind, times = times);
        state.dialogs.notices.add(NoticeKind::Info, text);
    }
    let is_complete = |photo: &Photo| photo.detection.as_ref().is_some_and(|found| found.model_faults.is_empty());
    let incomplete: Vec<ItemId> = state
        .list
        .library
        .photos()
        .iter()
        .filter(|photo| !photo.detection_pending && photo.failure.is_none() && !is_complete(photo))
        .map(|photo| photo.id)
        .collect();
    for item in incomplete {
        index_photo(state, item, effects);
    }
}

/// Reopens the runtime after options or model have changed. Probe results are discarded; the probes run again once the
/// runtime is open, because running both at once would distort their timings.
pub(super) fn reopen(state: &mut AppState, effects: &mut Vec<Effect>) {
    state.runtime.known.requested = false;
    open_runtime(state, effects);
    if let Some(kind) = state.runtime.secondary.kind() {
        open_secondary(state, Some(kind), effects);
    }
}

/// Requests a probe of every runtime.
pub(crate) fn check_runtimes(state: &mut AppState, afresh: bool, effects: &mut Vec<Effect>) {
    (state.runtime.known.checking, state.runtime.known.requested) = (true, true);
    effects.push(Effect::send(ProbesRequest::TryRuntimes {
        model: state.runtime.model.clone(),
        options: state.runtime.options.clone(),
        afresh,
    }));
}

pub(super) fn set_model(state: &mut AppState, model: Option<PathBuf>, effects: &mut Vec<Effect>) {
    (state.settings.model, state.runtime.model) = (model.clone(), model);
    describe_model(state, effects);
}

fn describe_model(state: &mut AppState, effects: &mut Vec<Effect>) {
    state.runtime.model_view.waiting = true;
    effects.push(Effect::send(ProbesRequest::DescribeModel {
        model: state.runtime.model.clone(),
        face_models: true,
        options: state.runtime.options.clone(),
    }));
}

pub(super) fn open_page(state: &mut AppState, page: Page, effects: &mut Vec<Effect>) {
    (state.dialogs.page, state.dialogs.copied) = (Some(page), None);
    if page == Page::Model && !state.runtime.model_view.waiting {
        describe_model(state, effects);
    }
}

pub(super) fn open_secondary(state: &mut AppState, runtime: Option<BackendKind>, effects: &mut Vec<Effect>) {
    state.runtime.secondary = runtime.map_or(Secondary::None, Secondary::Opening);
    state.canvas.inspection.secondary = None;
    effects.push(Effect::send(SessionRequest::OpenSecondary {
        runtime,
        model: state.runtime.model.clone(),
        options: state.runtime.options.clone(),
    }));
}

/// Closes the secondary runtime if it is the one in use.
pub(crate) fn stop_comparing_with_itself(state: &mut AppState, effects: &mut Vec<Effect>) {
    let in_use = state.runtime.in_use();
    if in_use.is_some() && state.runtime.secondary.kind() == in_use {
        open_secondary(state, None, effects);
    }
}

pub(super) fn start_compare(state: &mut AppState, effects: &mut Vec<Effect>) {
    let photos: Vec<PathBuf> = state.compared_photos().into_iter().map(|photo| photo.path.clone()).collect();
    let runtimes = state.runtime.compare.ticked(&state.runtime.known);
    if state.compare_obstacle().is_some() || state.runtime.compare.is_running() {
        return;
    }
    let spec = Arc::new(CompareSpec {
        photos,
        runtimes,
        warmup: state.runtime.compare.warmup,
        repeats: state.runtime.compare.repeats,
        options: state.runtime.options.clone(),
        model: state.runtime.model.clone(),
        detect: state.settings.detect,
        limits: state.settings.limits,
        recipe: state.settings.recipe.clone(),
    });
    state.dialogs.copied = None;
    state.runtime.compare.run = Some(CompareRun::new(Arc::clone(&spec)));
    effects.push(Effect::send(SessionRequest::Compare(spec)));
}

pub(super) fn cancel_compare(state: &mut AppState, effects: &mut Vec<Effect>) {
    let Some(run) = &mut state.runtime.compare.run else { return };
    if let (Some(request), None) = (run.request, &run.end) {
        run.cancelling = true;
        effects.push(Effect::Cancel(request));
    }
}

pub(super) fn copy_comparison(state: &mut AppState, effects: &mut Vec<Effect>) {
    if let Some(text) = state.runtime.compare.result().map(to_markdown) {
        state.dialogs.copied = Some(Copied::Comparison);
        effects.push(Effect::Copy(text));
    }
}

/// Copies the diagnostics to the clipboard and reports that.
pub(crate) fn handle_diagnosis(state: &mut AppState, diagnosis: &Diagnosis, effects: &mut Vec<Effect>) {
    state.dialogs.copied = Some(Copied::Diagnostics);
    effects.push(Effect::Copy(diagnosis.to_string()));
    state
        .dialogs
        .notices
        .add(NoticeKind::Info, tr("Diagnostics copied to the clipboard. Review them before you share them."));
}

/// Writes the comparison to the picked file.
pub(super) fn save_comparison(
    state: &mut AppState,
    (kind, path): (PickerKind, PathBuf),
    confirmed: bool,
    effects: &mut Vec<Effect>,
) {
    let Some(table) = state.runtime.compare.result() else { return };
    let (text, extension) = match kind {
        PickerKind::SaveCsv => (to_csv(table), "csv"),
        _ => (to_json(table), "jsonl"),
    };
    effects.push(save_text(state, SavedText::Comparison, path, extension, text, confirmed));
}

/// Sets the runtime options for this session, and stores those in the settings that differ from before. The others may come from
/// the command line, whose options hold for this session only.
pub(super) fn set_options(state: &mut AppState, options: RuntimeOptions) {
    let stored = &mut state.settings.runtime_options;
    *stored = stored.with_changes(&state.runtime.options, &options);
    state.runtime.options = options;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_command_line_are_not_stored() {
        let mut state = AppState::new(batch::settings::Settings::default());
        state.settings.runtime_options.threads = 2;
        let of_session = RuntimeOptions { threads: 3, litert: Some("litert".into()), ..RuntimeOptions::default() };
        state.runtime.options = of_session.clone();
        let changed = RuntimeOptions { litert: Some("mine".into()), ..of_session };
        set_options(&mut state, changed.clone());
        assert_eq!(state.runtime.options, changed);
        let stored = RuntimeOptions { threads: 2, litert: Some("mine".into()), ..RuntimeOptions::default() };
        assert_eq!(state.settings.runtime_options, stored);
    }
}
