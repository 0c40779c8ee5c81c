//! The list of runtimes at the right end of the menu bar: the runtime in use with its time per photo, and the others beside it.

use egui::{Align, Button, ComboBox, Frame, Label, Layout, Margin, Rect, RichText, Sense, Ui, pos2, vec2};

use outcome::{RuntimeReport, RuntimeState};
use recipe::{BackendKind, RuntimeChoice};

use super::super::command::{Command, Commands};
use super::super::language::{say, tr};
use super::super::messages;
use super::super::state::{AppState, Page, RuntimeGroup, RuntimeStatus};
use super::super::theme::{ROW, palette, small, space};
use super::super::widgets::{Icon, elide_middle, icon_size, mark_chosen, paint_icon, spinner};

/// Maximum and minimum width of the closed list, in points.
const WIDTH: f32 = 330.0;
const MIN_WIDTH: f32 = 90.0;

/// Width of the open list, in points, and of the parts of a row on the right: a bar, and the time or the reason.
const OPEN_WIDTH: f32 = 430.0;
const BAR: f32 = 130.0;
const TIME: f32 = 64.0;

/// Maximum width of the reason why a runtime cannot be used, in points.
const REASON: f32 = 260.0;

/// Maximum height of the open list, in points: fits every runtime of a Linux machine.
const OPEN_HEIGHT: f32 = 480.0;

/// The closed list, right-aligned in the rest of the menu bar.
pub(super) fn runtime_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        // Not that of the menus, which are buttons without a frame.
        ui.reset_style();
        let failed = match &state.runtime.status {
            RuntimeStatus::Failed { requested, .. } => Some(*requested),
            RuntimeStatus::Opening { .. } | RuntimeStatus::Ready { .. } => None,
        };
        let text = RichText::new(messages::runtime_in_use(&state.runtime)).strong();
        let text = if failed.is_some() { text.color(palette(ui).error) } else { text };
        let combo = ComboBox::from_id_salt("runtime")
            .selected_text(text)
            .width((ui.available_width() - space::S).clamp(MIN_WIDTH, WIDTH))
            .height(OPEN_HEIGHT)
            .truncate();
        let shown = combo.show_ui(ui, |ui| list_ui(ui, state, commands));
        shown.response.accessible_name(tr("Runtime")).on_hover_text(about(&state.runtime));
        if failed.is_some_and(|requested| requested != RuntimeChoice::Auto) && ui.button(tr("Use Auto")).clicked() {
            commands.push(Command::ChooseRuntime(RuntimeChoice::Auto));
        }
        if matches!(state.runtime.status, RuntimeStatus::Opening { .. }) {
            spinner(ui, 14.0);
        }
    });
}

/// In the status bar: why there is no runtime, or that opening it takes long.
pub(super) fn problem_ui(ui: &mut Ui, runtime: &RuntimeGroup) {
    match &runtime.status {
        RuntimeStatus::Opening { slow: true } => {
            let name = messages::choice_name(runtime.choice);
            let text = match runtime.choice {
                RuntimeChoice::Auto => {
                    say!("still opening {runtime}… (runtimes are compared on first use)", runtime = name)
                }
                RuntimeChoice::Named(_) => say!("still opening {runtime}…", runtime = name),
            };
            ui.label(RichText::new(text).small());
        }
        RuntimeStatus::Opening { slow: false } | RuntimeStatus::Ready { .. } => {}
        RuntimeStatus::Failed { error, .. } => {
            let reason = messages::no_runtime(error);
            let text = RichText::new(messages::cause(&reason)).small().color(palette(ui).error);
            let (rect, _) = ui.allocate_exact_size(icon_size(), Sense::hover());
            paint_icon(ui.painter(), rect.center(), Icon::Error, palette(ui).error);
            ui.add(Label::new(text).truncate()).on_hover_text(reason);
        }
    }
}

fn list_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.set_min_width(OPEN_WIDTH);
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = ROW - space::XS;
    // So that every runtime of a Linux machine fits: egui measures at most 400 points and cuts off what is below.
    ui.spacing_mut().button_padding.y = 3.0;
    let auto = state.runtime.choice == RuntimeChoice::Auto;
    let text = RichText::new(tr("fastest available")).weak().small();
    let response = ui.add(Button::selectable(auto, tr("Auto")).right_text(text));
    mark_chosen(ui, &response, auto);
    if response.accessible_name(tr("Auto: fastest available")).clicked() {
        commands.push(Command::ChooseRuntime(RuntimeChoice::Auto));
        ui.close();
    }
    let groups = messages::grouped();
    let kinds = groups.iter().flat_map(|(_, kinds)| kinds);
    let times = kinds.filter_map(|kind| Some((state.runtime.known.report(*kind)?.photo_ms()?, *kind)));
    let times: Vec<(f64, BackendKind)> = times.filter(|(_, kind)| state.runtime.known.is_ready(*kind)).collect();
    let longest_ms = times.iter().map(|(time, _)| *time).fold(0.0, f64::max);
    let fastest = times.iter().min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, kind)| *kind);
    for (group, kinds) in groups {
        ui.add_space(space::XS);
        Frame::NONE
            .inner_margin(Margin { left: space::M as i8, ..Margin::ZERO })
            .show(ui, |ui| ui.label(RichText::new(group).weak().small()));
        for kind in kinds {
            item_ui(ui, state, kind, (longest_ms, fastest == Some(kind)), commands);
        }
    }
    ui.separator();
    // In one line, for the same reason.
    ui.horizontal(|ui| {
        ui.set_min_height(ROW);
        if ui.button(tr("Compare runtimes")).clicked() {
            commands.push(Command::ShowCompare(true));
            ui.close();
        }
        let text = if state.runtime.known.checking { tr("Checking…") } else { tr("Check again") };
        if ui.add_enabled(!state.runtime.known.checking, Button::new(text)).clicked() {
            commands.push(Command::CheckRuntimes);
        }
        if ui.button(tr("Runtimes…")).clicked() {
            commands.push(Command::OpenPage(Page::Runtimes));
            ui.close();
        }
    });
}

/// A runtime with its time per photo as a number and as a bar. One that cannot be used is listed with the reason and
/// disabled.
fn item_ui(
    ui: &mut Ui,
    state: &AppState,
    kind: BackendKind,
    (longest_ms, is_fastest): (f64, bool),
    commands: &mut Commands,
) {
    let this = RuntimeChoice::Named(kind);
    let report = state.runtime.known.report(kind);
    let time_ms = report.filter(|report| report.state == RuntimeState::Ready).and_then(RuntimeReport::photo_ms);
    // The hover text has all of it.
    let short = elide_middle(ui, &messages::time_or_reason(report), &small(), REASON);
    let full = messages::full_description(kind, report);
    let right = RichText::new(short);
    let right = if time_ms.is_some() { right } else { right.weak().small() };
    let button = Button::selectable(state.runtime.choice == this, messages::in_group(kind)).right_text(right);
    let response = ui.add_enabled(!state.runtime.known.is_unusable(kind), button).accessible_name(&full);
    mark_chosen(ui, &response, state.runtime.choice == this);
    if let Some(time_ms) = time_ms.filter(|_| longest_ms > 0.0) {
        let rect = response.rect;
        let right = rect.right() - TIME;
        let length = (BAR * (time_ms / longest_ms) as f32).max(2.0);
        let bar = Rect::from_min_size(pos2(right - BAR, rect.center().y - 3.0), vec2(length, 6.0));
        let color = if is_fastest { palette(ui).accent } else { ui.visuals().weak_text_color() };
        ui.painter().rect_filled(bar, 3.0, color);
    }
    let response = response.on_hover_text(&full).on_disabled_hover_text(&full);
    if response.clicked() {
        commands.push(Command::ChooseRuntime(this));
        ui.close();
    }
}

/// The choice, the runtime in use and the reason.
fn about(runtime: &RuntimeGroup) -> String {
    let RuntimeStatus::Ready { runtime, load_ms } = &runtime.status else {
        return tr("Runtime for face detection").to_owned();
    };
    let actual = &runtime.actual;
    let mut lines = vec![
        tr("Runtime for face detection").to_owned(),
        say!("Requested: {runtime}", runtime = messages::choice_name(runtime.requested)),
        say!(
            "In use: {runtime} {version} on {device}, ready after {time}",
            runtime = actual.kind,
            version = actual.version,
            device = actual.device,
            time = messages::ms(*load_ms)
        ),
    ];
    lines.extend(runtime.why.as_ref().map(|why| say!("Reason: {reason}", reason = messages::auto_why(why))));
    lines.join("\n")
}
