//! The list of runtimes in the status bar: the choice, the runtime in use, and the state of the others.

use egui::{Button, ComboBox, Frame, Label, Margin, RichText, Sense, Ui};

use outcome::RuntimeState;
use recipe::{BackendKind, RuntimeChoice};

use super::super::command::{Command, Commands};
use super::super::language::{say, tr};
use super::super::messages;
use super::super::state::{AppState, Page, RuntimeGroup, RuntimeStatus};
use super::super::theme::{ROW, palette, space};
use super::super::widgets::{Icon, icon_size, paint_icon, spinner};

/// Width of the closed list, in points.
const WIDTH: f32 = 210.0;

/// Space that an error message leaves for the right part of the bar, in points.
const RIGHT: f32 = 220.0;

/// Width of the open list, in points.
const OPEN_WIDTH: f32 = 330.0;

/// Maximum height of the open list, in points: fits every runtime of a Linux machine.
const OPEN_HEIGHT: f32 = 460.0;

pub(super) fn runtime_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let combo = ComboBox::from_id_salt("runtime")
        .selected_text(in_use(&state.runtime))
        .width(WIDTH)
        .height(OPEN_HEIGHT)
        .truncate();
    let shown = combo.show_ui(ui, |ui| list_ui(ui, state, commands));
    shown.response.accessible_name(tr("Runtime")).on_hover_text(about(&state.runtime));
    match &state.runtime.status {
        RuntimeStatus::Opening { slow } => {
            spinner(ui, 14.0);
            if *slow {
                let runtime = messages::choice_name(state.runtime.choice);
                let text = match state.runtime.choice {
                    RuntimeChoice::Auto => {
                        say!("still opening {runtime}… (runtimes are compared on first use)", runtime = runtime)
                    }
                    RuntimeChoice::Named(_) => say!("still opening {runtime}…", runtime = runtime),
                };
                ui.label(RichText::new(text).small());
            }
        }
        RuntimeStatus::Ready { .. } => {}
        RuntimeStatus::Failed { requested, error } => {
            if *requested != RuntimeChoice::Auto && ui.button(tr("Use Auto")).clicked() {
                commands.push(Command::ChooseRuntime(RuntimeChoice::Auto));
            }
            let reason = messages::no_runtime(error);
            let text = RichText::new(&reason).small().color(palette(ui).error);
            let (rect, _) = ui.allocate_exact_size(icon_size(), Sense::hover());
            paint_icon(ui.painter(), rect.center(), Icon::Error, palette(ui).error);
            ui.scope(|ui| {
                ui.set_max_width((ui.available_width() - RIGHT).max(60.0));
                ui.add(Label::new(text).truncate()).on_hover_text(reason);
            });
        }
    }
}

fn list_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.set_min_width(OPEN_WIDTH);
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = ROW - space::XS;
    let auto = state.runtime.choice == RuntimeChoice::Auto;
    let text = RichText::new(tr("fastest available")).weak().small();
    let response = ui.add(Button::selectable(auto, tr("Auto")).right_text(text));
    if response.accessible_name(tr("Auto: fastest available")).clicked() {
        commands.push(Command::ChooseRuntime(RuntimeChoice::Auto));
    }
    for (group, kinds) in messages::grouped() {
        ui.add_space(space::XS);
        // Not a horizontal layout: that is lower while egui measures the list, which would then cut off its end.
        Frame::NONE
            .inner_margin(Margin { left: space::M as i8, ..Margin::ZERO })
            .show(ui, |ui| ui.label(RichText::new(group).weak().small()));
        for kind in kinds {
            item_ui(ui, state, kind, commands);
        }
    }
    ui.separator();
    let text = if state.runtime.known.checking { tr("Checking…") } else { tr("Check again") };
    if ui.add_enabled(!state.runtime.known.checking, Button::selectable(false, text)).clicked() {
        commands.push(Command::CheckRuntimes);
    }
    if ui.add(Button::selectable(false, tr("Runtimes…"))).clicked() {
        commands.push(Command::OpenPage(Page::Runtimes));
    }
}

/// A runtime that cannot be used is listed with the reason and disabled.
fn item_ui(ui: &mut Ui, state: &AppState, kind: BackendKind, commands: &mut Commands) {
    let this = RuntimeChoice::Named(kind);
    let report = state.runtime.known.report(kind);
    // The reason is a sentence; the hover text has all of it.
    let short = match report {
        Some(report) if report.state == RuntimeState::Ready => messages::availability(Some(report)),
        report => messages::readiness(report).to_owned(),
    };
    let full = messages::full_description(kind, report);
    let button = Button::selectable(state.runtime.choice == this, messages::in_group(kind))
        .right_text(RichText::new(short).weak().small());
    let response = ui.add_enabled(!state.runtime.known.is_unusable(kind), button).accessible_name(&full);
    let response = response.on_hover_text(&full).on_disabled_hover_text(&full);
    if response.clicked() {
        commands.push(Command::ChooseRuntime(this));
    }
}

/// The runtime in use, in one line.
fn in_use(runtime: &RuntimeGroup) -> String {
    match &runtime.status {
        RuntimeStatus::Opening { .. } => say!("{runtime}: opening", runtime = messages::choice_name(runtime.choice)),
        RuntimeStatus::Failed { requested, .. } => {
            say!("{runtime}: failed", runtime = messages::choice_name(*requested))
        }
        RuntimeStatus::Ready { runtime, .. } => {
            let runs = format!("{} {}", runtime.actual.kind, runtime.actual.version);
            match runtime.requested {
                RuntimeChoice::Auto => say!("Auto: {runtime}", runtime = runs),
                RuntimeChoice::Named(_) => runs,
            }
        }
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
