//! The list of runtimes in the status bar: what was asked for, what runs, and every other with its state.

use egui::{Button, ComboBox, Frame, Label, Margin, RichText, Sense, Ui};

use outcome::RuntimeState;
use recipe::{BackendKind, RuntimeChoice};

use super::super::command::{Command, Commands};
use super::super::language::{say, tr};
use super::super::state::{AppState, Page, RuntimeGroup, RuntimeStatus};
use super::super::theme::{ROW, palette, space};
use super::super::widgets::{Icon, busy, paint_icon, sign_size};
use super::super::words;

/// Points of the closed list.
const WIDTH: f32 = 210.0;

/// Points that a reason leaves to what stands at the right of the bar.
const RIGHT: f32 = 220.0;

/// Points of the open list.
const OPEN_WIDTH: f32 = 330.0;

/// Points of the open list's height at most: every runtime of a Linux machine.
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
            busy(ui, 14.0);
            if *slow {
                let runtime = words::asked(state.runtime.choice);
                let text = match state.runtime.choice {
                    RuntimeChoice::Auto => {
                        say!("still opening {runtime}… (the first use compares the runtimes)", runtime = runtime)
                    }
                    RuntimeChoice::Named(_) => say!("still opening {runtime}…", runtime = runtime),
                };
                ui.label(RichText::new(text).small());
            }
        }
        RuntimeStatus::Ready { .. } => {}
        RuntimeStatus::Failed { requested, trouble } => {
            if *requested != RuntimeChoice::Auto && ui.button(tr("Use Auto")).clicked() {
                commands.push(Command::ChooseRuntime(RuntimeChoice::Auto));
            }
            let reason = words::no_runtime(trouble);
            let text = RichText::new(&reason).small().color(palette(ui).error);
            let (rect, _) = ui.allocate_exact_size(sign_size(), Sense::hover());
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
    let text = RichText::new(tr("the fastest that works here")).weak().small();
    let response = ui.add(Button::selectable(auto, tr("Auto")).right_text(text));
    if response.accessible_name(tr("Auto: the fastest that works here")).clicked() {
        commands.push(Command::ChooseRuntime(RuntimeChoice::Auto));
    }
    for (group, kinds) in words::grouped() {
        ui.add_space(space::XS);
        // Not a horizontal row: that is lower while egui measures the list, which would then be too short for its end.
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

/// A runtime that cannot be used is listed with its reason and cannot be chosen.
fn item_ui(ui: &mut Ui, state: &AppState, kind: BackendKind, commands: &mut Commands) {
    let this = RuntimeChoice::Named(kind);
    let report = state.runtime.known.report(kind);
    // A reason is a sentence; the hint has all of it.
    let short = match report {
        Some(report) if report.state == RuntimeState::Ready => words::availability(Some(report)),
        report => words::readiness(report).to_owned(),
    };
    let full = words::in_full(kind, report);
    let button = Button::selectable(state.runtime.choice == this, words::in_group(kind))
        .right_text(RichText::new(short).weak().small());
    let response = ui.add_enabled(!state.runtime.known.is_unusable(kind), button).accessible_name(&full);
    let response = response.on_hover_text(&full).on_disabled_hover_text(&full);
    if response.clicked() {
        commands.push(Command::ChooseRuntime(this));
    }
}

/// What runs, in one line.
fn in_use(runtime: &RuntimeGroup) -> String {
    match &runtime.status {
        RuntimeStatus::Opening { .. } => say!("{runtime}: opening", runtime = words::asked(runtime.choice)),
        RuntimeStatus::Failed { requested, .. } => say!("{runtime}: failed", runtime = words::asked(*requested)),
        RuntimeStatus::Ready { runtime, .. } => {
            let runs = format!("{} {}", runtime.actual.kind, runtime.actual.version);
            match runtime.requested {
                RuntimeChoice::Auto => say!("Auto: {runtime}", runtime = runs),
                RuntimeChoice::Named(_) => runs,
            }
        }
    }
}

/// What was asked for, what runs and why.
fn about(runtime: &RuntimeGroup) -> String {
    let RuntimeStatus::Ready { runtime, load_ms } = &runtime.status else {
        return tr("What finds the faces").to_owned();
    };
    let actual = &runtime.actual;
    let mut lines = vec![
        tr("What finds the faces").to_owned(),
        say!("Asked for: {runtime}", runtime = words::asked(runtime.requested)),
        say!(
            "In use: {runtime} {version} on {device}, ready after {time}",
            runtime = actual.kind,
            version = actual.version,
            device = actual.device,
            time = words::ms(*load_ms)
        ),
    ];
    lines.extend(runtime.why.as_ref().map(|why| say!("Why: {reason}", reason = words::auto_why(why))));
    lines.join("\n")
}
