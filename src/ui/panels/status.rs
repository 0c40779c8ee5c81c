//! The status bar: progress, and timings of the last detection.

use egui::{Align, Label, Layout, RichText, Sense, Ui};

use outcome::Stage;
use recipe::BackendKind;

use super::super::command::{Command, Commands, NamesCommand};
use super::super::language::{count, mark, say, tr};
use super::super::messages;
use super::super::state::{AppState, CanvasGroup, RuntimeStatus, Secondary};
use super::super::theme::palette;
use super::super::widgets::{Icon, icon_button, icon_size, paint_icon, progress_bar, spinner};
use super::{project, runtime};

/// Height of the bar, in points: it does not change with its content.
const HEIGHT: f32 = 22.0;

/// The stages shown, with their labels.
const SHOWN_STAGES: [(Stage, &str); 6] = [
    (Stage::Decode, mark("decode")),
    (Stage::Preprocess, mark("preprocess")),
    (Stage::Inference, mark("inference")),
    (Stage::Postprocess, mark("postprocess")),
    (Stage::Landmarks, mark("landmarks")),
    (Stage::Mask, mark("mask")),
];

/// Width of a progress bar, in points.
const PROGRESS: f32 = 260.0;

pub(super) fn status_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.horizontal(|ui| {
        ui.set_min_height(HEIGHT);
        progress_ui(ui, state, commands);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            right_ui(ui, state, commands);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| runtime::problem_ui(ui, &state.runtime));
        });
    });
}

/// The work that is going on in the background.
fn progress_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let width = PROGRESS.min(ui.available_width() / 2.0);
    let small = |text: &str| RichText::new(text).weak().small();
    let (waiting, total) = (state.pending_detections(), state.list.library.len());
    if waiting > 0 {
        let done = total - waiting;
        let text = say!("Finding faces: {done} of {total}", done = done, total = total);
        progress_bar(ui, width, (done, total), &text);
    } else if state.importing() {
        spinner(ui, 14.0);
        ui.label(small(tr("Searching for photos")));
    }
    if let Some((done, total)) = state.card_progress() {
        let text = say!("Reading cards {done} of {total}", done = done, total = total);
        progress_bar(ui, width, (done, total), &text);
        if state.cards.waiting_export.is_some()
            && icon_button(ui, true, Icon::Close, tr("Do not export after the cards")).clicked()
        {
            commands.push(Command::Names(NamesCommand::CancelWaiting));
        }
    }
    if state.diagnosing() {
        spinner(ui, 14.0);
        ui.label(small(tr("Collecting diagnostics")));
    }
}

fn right_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let small = |text: String| RichText::new(text).weak().small();
    side_by_side_ui(ui, state, commands);
    project::watched_ui(ui, &state.list);
    let Some(info) = state.current().and_then(|photo| photo.info.as_ref()) else { return };
    ui.label(small(format!("{} {}", info.size, info.format.name())));
    if state.runtime.secondary != Secondary::None {
        return;
    }
    let parts = stages(&state.canvas);
    if !parts.is_empty() {
        let whole_ms = SHOWN_STAGES.iter().filter_map(|(stage, _)| state.canvas.inspection.stages.get(*stage)).sum();
        let passes = state.canvas.inspection.found.as_ref().and_then(|found| messages::passes(found, whole_ms));
        let whole = passes.unwrap_or_else(|| messages::ms(whole_ms));
        ui.separator();
        ui.add(Label::new(small(format!("{whole}: {}", parts.join(" + ")))).truncate())
            .on_hover_text(tr("Detection passes and time per stage for this photo"));
    }
}

/// Timings of the runtime in use and of the secondary one, for the photo on the canvas.
fn side_by_side_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(secondary) = state.runtime.secondary.kind() else { return };
    if icon_button(ui, true, Icon::Close, &say!("Stop comparing with {runtime}", runtime = secondary)).clicked() {
        commands.push(Command::SetSecondary(None));
    }
    if matches!(state.runtime.secondary, Secondary::Opening(_)) {
        spinner(ui, 14.0);
        ui.label(RichText::new(say!("opening {runtime}", runtime = secondary)).weak().small());
        ui.separator();
        return;
    }
    let stage_ms = |stage| state.canvas.inspection.stages.get(stage);
    let detect_ms: Option<f64> =
        [Stage::Preprocess, Stage::Inference, Stage::Postprocess].map(stage_ms).into_iter().sum();
    // The mask is made only if something needs it.
    let total_ms = detect_ms.map(|detect_ms| detect_ms + stage_ms(Stage::Landmarks).unwrap_or_default());
    let in_use = match (&state.runtime.status, total_ms) {
        (RuntimeStatus::Ready { runtime, .. }, Some(total_ms)) => timing(runtime.actual.kind, total_ms),
        _ => return,
    };
    let Some(secondary) = &state.canvas.inspection.secondary else { return };
    match &secondary.result {
        Ok(times) => {
            let text = format!("{in_use} | {}", timing(secondary.runtime, times.total_ms));
            let mut about = count!(
                times.faces,
                "Full runs on this photo (preprocess, inference, postprocess, landmarks). {in_use}: {stages}. {other}: inference {time}, {n} face at or above the score threshold.",
                "Full runs on this photo (preprocess, inference, postprocess, landmarks). {in_use}: {stages}. {other}: inference {time}, {n} faces at or above the score threshold.",
                in_use = in_use,
                stages = messages::listed(&stages(&state.canvas)),
                other = secondary.runtime,
                time = messages::ms(times.inference_ms)
            );
            if let Some(fault) = &times.model_fault {
                let without = messages::without_models(std::slice::from_ref(fault));
                about = format!("{about}\n{}: {without}", secondary.runtime);
            }
            ui.add(Label::new(RichText::new(text).small()).truncate()).on_hover_text(about);
        }
        Err(error) => {
            let text = format!("{in_use} | {}", say!("{runtime}: failed", runtime = secondary.runtime));
            let color = palette(ui).error;
            ui.add(Label::new(RichText::new(text).small().color(color)).truncate())
                .on_hover_text(messages::stage_error(error));
            let (rect, _) = ui.allocate_exact_size(icon_size(), Sense::hover());
            paint_icon(ui.painter(), rect.center(), Icon::Error, color);
        }
    }
    ui.separator();
}

/// `tract 12 ms`.
fn timing(runtime: BackendKind, total_ms: f64) -> String {
    format!("{runtime} {}", messages::ms(total_ms))
}

fn stages(canvas: &CanvasGroup) -> Vec<String> {
    let stages = &canvas.inspection.stages;
    SHOWN_STAGES
        .iter()
        .filter_map(|&(stage, name)| Some(format!("{} {}", tr(name), messages::ms(stages.get(stage)?))))
        .collect()
}
