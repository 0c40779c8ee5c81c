//! At the bottom: the runtime, and what looking at the last photo took.

use egui::{Align, Label, Layout, RichText, Sense, Ui};

use outcome::Stage;
use recipe::BackendKind;

use super::super::command::{Command, Commands};
use super::super::language::{count, mark, say, tr};
use super::super::state::{AppState, CanvasGroup, RuntimeStatus, Secondary};
use super::super::theme::palette;
use super::super::widgets::{Icon, busy, icon_button, paint_icon, sign_size};
use super::super::words;
use super::{face, project, runtime};

/// The stages that are told, with their names.
const TOLD: [(Stage, &str); 4] = [
    (Stage::Decode, mark("decode")),
    (Stage::Preprocess, mark("fit")),
    (Stage::Inference, mark("run")),
    (Stage::Postprocess, mark("heads")),
];

pub(super) fn status_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(tr("Runtime")).weak().small());
        runtime::runtime_ui(ui, state, commands);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            right_ui(ui, state, commands);
        });
    });
}

fn right_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let small = |text: String| RichText::new(text).weak().small();
    side_by_side_ui(ui, state, commands);
    project::watched_ui(ui, &state.list);
    let looking = state.looking_count();
    if looking > 0 {
        let all = state.list.library.len();
        ui.label(small(say!("looking at {done} of {total}", done = all - looking + 1, total = all)));
        ui.separator();
    } else if state.importing() {
        ui.label(small(tr("looking for photos").to_owned()));
        ui.separator();
    }
    if state.diagnosing() {
        ui.label(small(tr("gathering diagnostics").to_owned()));
        ui.separator();
    }
    let Some(info) = state.current().and_then(|photo| photo.info.as_ref()) else { return };
    ui.label(small(format!("{} {}", info.size, info.format.name())));
    if state.runtime.secondary != Secondary::None {
        return;
    }
    let passes = state.current().and_then(face::passes);
    let reported = passes.into_iter().chain(stages(&state.canvas)).collect::<Vec<_>>().join("   ");
    if !reported.is_empty() {
        ui.separator();
        ui.add(Label::new(small(reported)).truncate()).on_hover_text(tr("What looking at this photo took"));
    }
}

/// The times of the runtime in use and of the one pinned beside it, for the photo on the canvas.
fn side_by_side_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(secondary) = state.runtime.secondary.kind() else { return };
    if icon_button(ui, true, Icon::Close, &say!("Unpin {runtime}", runtime = secondary)).clicked() {
        commands.push(Command::Pin(None));
    }
    if matches!(state.runtime.secondary, Secondary::Opening(_)) {
        busy(ui, 14.0);
        ui.label(RichText::new(say!("opening {runtime}", runtime = secondary)).weak().small());
        ui.separator();
        return;
    }
    let whole_look: Option<f64> = [Stage::Preprocess, Stage::Inference, Stage::Postprocess]
        .map(|stage| state.canvas.inspection.stages.get(stage))
        .into_iter()
        .sum();
    let in_use = match (&state.runtime.status, whole_look) {
        (RuntimeStatus::Ready { runtime, .. }, Some(total_ms)) => took(runtime.actual.kind, total_ms),
        _ => return,
    };
    let Some(secondary) = &state.canvas.inspection.secondary else { return };
    match &secondary.look {
        Ok(times) => {
            let text = format!("{in_use} | {}", took(secondary.runtime, times.total_ms));
            let about = count!(
                times.faces,
                "Whole looks at this photo: fit, run and heads. {in_use}: {stages}. {other}: run {time}, {n} face from the score floor up.",
                "Whole looks at this photo: fit, run and heads. {in_use}: {stages}. {other}: run {time}, {n} faces from the score floor up.",
                in_use = in_use,
                stages = words::listed(&stages(&state.canvas)),
                other = secondary.runtime,
                time = words::ms(times.inference_ms)
            );
            ui.add(Label::new(RichText::new(text).small()).truncate()).on_hover_text(about);
        }
        Err(error) => {
            let text = format!("{in_use} | {}", say!("{runtime}: failed", runtime = secondary.runtime));
            let color = palette(ui).error;
            ui.add(Label::new(RichText::new(text).small().color(color)).truncate())
                .on_hover_text(words::stage_error(error));
            let (rect, _) = ui.allocate_exact_size(sign_size(), Sense::hover());
            paint_icon(ui.painter(), rect.center(), Icon::Error, color);
        }
    }
    ui.separator();
}

/// `tract 12 ms`.
fn took(runtime: BackendKind, total_ms: f64) -> String {
    format!("{runtime} {}", words::ms(total_ms))
}

fn stages(canvas: &CanvasGroup) -> Vec<String> {
    let stages = &canvas.inspection.stages;
    TOLD.iter().filter_map(|&(stage, name)| Some(format!("{} {}", tr(name), words::ms(stages.get(stage)?)))).collect()
}
