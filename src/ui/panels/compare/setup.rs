//! Setup of a comparison, and its start button.

use egui::{Align, Button, DragValue, Label, Layout, RichText, Sense, TextStyle, Ui, UiBuilder, vec2};

use batch::latency::offered_runtimes;
use recipe::BackendKind;

use super::super::super::command::{Command, Commands};
use super::super::super::language::{count, parse_number, say, tr};
use super::super::super::messages;
use super::super::super::state::{AppState, CompareRun, RuntimeGroup};
use super::super::super::theme::{ROW, small, space};
use super::super::super::widgets::{elide_middle, note, primary_button, progress_bar, spinner, tick};

/// Width of the column with the groups' names, in points.
const GROUP: f32 = 96.0;

/// Width of the button, in points.
const START: f32 = 110.0;

/// Height of its row, in points.
const START_HEIGHT: f32 = ROW + 4.0;

/// Maximum number of measured runs per photo.
const MAX_REPEATS: u32 = 1000;

pub(super) fn setup_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let running = state.runtime.compare.is_running();
    ui.spacing_mut().item_spacing.y = space::XS;
    for (group, kinds) in messages::grouped() {
        ui.horizontal_top(|ui| {
            let (place, _) = ui.allocate_exact_size(vec2(GROUP, ROW), Sense::hover());
            let layout = Layout::left_to_right(Align::Center);
            ui.new_child(UiBuilder::new().max_rect(place).layout(layout)).label(RichText::new(group).weak());
            ui.horizontal_wrapped(|ui| {
                for kind in kinds {
                    // A tick box and its name are not divided at the end of a line.
                    if ui.available_size_before_wrap().x < tick_width(ui, messages::in_group(kind)) {
                        ui.end_row();
                    }
                    tick_ui(ui, &state.runtime, kind, !running, commands);
                }
            });
        });
    }
    unusable_ui(ui, &state.runtime);
    ui.add_space(space::XS);
    // As high as the button, so that the layout does not change when the progress replaces it.
    ui.allocate_ui_with_layout(vec2(ui.available_width(), START_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(START_HEIGHT);
        runs_ui(ui, &state.runtime, !running, commands);
        ui.add_space(space::S);
        match state.runtime.compare.run.as_ref().filter(|run| run.end.is_none()) {
            Some(run) => running_ui(ui, run, commands),
            None => start_ui(ui, state, commands),
        }
    });
    if running && state.pending_detections() > 0 {
        note(ui, tr("Finding faces waits until the comparison ends."));
    }
}

/// Width of a tick box with the name `name`, in points.
fn tick_width(ui: &Ui, name: &str) -> f32 {
    let font = TextStyle::Button.resolve(ui.style());
    let text = ui.painter().layout_no_wrap(name.to_owned(), font, ui.visuals().text_color());
    let spacing = ui.spacing();
    text.size().x + spacing.icon_width + spacing.icon_spacing + 2.0 * spacing.button_padding.x
}

fn tick_ui(ui: &mut Ui, runtime: &RuntimeGroup, kind: BackendKind, free: bool, commands: &mut Commands) {
    let mut ticked = runtime.compare.is_ticked(kind, &runtime.known);
    let ready = runtime.known.is_ready(kind);
    let full = messages::full_description(kind, runtime.known.report(kind));
    let response = tick(ui, ready && free, &mut ticked, messages::in_group(kind));
    let response = response.accessible_name(&full).on_hover_text(&full).on_disabled_hover_text(&full);
    if response.changed() {
        commands.push(Command::Tick(kind, ticked));
    }
}

/// The runtimes that cannot be selected, grouped by reason.
fn unusable_ui(ui: &mut Ui, runtime: &RuntimeGroup) {
    if runtime.known.table.is_none() {
        ui.horizontal(|ui| {
            spinner(ui, 14.0);
            ui.label(RichText::new(tr("Checking available runtimes")).weak().small());
        });
        return;
    }
    // The cause first: lines are cut off at their end.
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for kind in offered_runtimes().into_iter().filter(|&kind| runtime.known.is_unusable(kind)) {
        let reason = messages::availability(runtime.known.report(kind));
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(messages::in_group(kind)),
            None => reasons.push((reason, vec![messages::in_group(kind)])),
        }
    }
    for (reason, names) in reasons {
        let with = |reason: &str| format!("{}: {reason}", names.join(", "));
        let short = with(&messages::cause(&reason));
        ui.add(Label::new(RichText::new(short).weak().small()).truncate()).on_hover_text(with(&reason));
    }
}

fn runs_ui(ui: &mut Ui, runtime: &RuntimeGroup, free: bool, commands: &mut Commands) {
    let (mut warmup, mut repeats) = (runtime.compare.warmup, runtime.compare.repeats);
    let number = |ui: &mut Ui, value: &mut u32, min: u32, name: &str, about: &str| {
        ui.label(RichText::new(name).weak());
        let drag = DragValue::new(value).range(min..=MAX_REPEATS).custom_parser(parse_number);
        ui.add_enabled(free, drag).accessible_name(name).on_hover_text(about);
    };
    number(ui, &mut warmup, 0, tr("Warm-up"), tr("Runs per runtime and photo before measuring"));
    number(ui, &mut repeats, 1, tr("Repeats"), tr("Measured runs per runtime and photo"));
    if (warmup, repeats) != (runtime.compare.warmup, runtime.compare.repeats) {
        commands.push(Command::SetCompareRuns { warmup, repeats });
    }
}

fn start_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let obstacle = state.compare_obstacle();
    if primary_button(ui, obstacle.is_none(), tr("Start"), START).clicked() {
        commands.push(Command::StartCompare);
    }
    let text = match (obstacle, state.compared_photos().as_slice()) {
        (Some(obstacle), _) => messages::compare_obstacle(obstacle).to_owned(),
        (None, [photo]) => say!("on {photo}", photo = photo.name),
        (None, photos) => count!(photos.len(), "on {n} photo", "on {n} photos"),
    };
    let text = elide_middle(ui, &text, &small(), ui.available_width());
    ui.label(RichText::new(text).weak().small());
}

fn running_ui(ui: &mut Ui, run: &CompareRun, commands: &mut Commands) {
    if ui.add_enabled(!run.cancelling, Button::new(tr("Cancel"))).clicked() {
        commands.push(Command::CancelCompare);
    }
    let (done, total) = run.progress();
    let text = match run.opening() {
        _ if run.cancelling => tr("stopping").to_owned(),
        Some(kind) => say!("{done} of {total} opened, next {runtime}", done = done, total = total, runtime = kind),
        None => say!("{done} of {total} runs", done = done, total = total),
    };
    let width = ui.available_width();
    progress_bar(ui, width, (done, total), &text);
}
