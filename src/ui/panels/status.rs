//! At the bottom: the runtime, and what looking at the last photo took.

use egui::{Align, Button, ComboBox, Layout, RichText, Spinner, Ui};

use super::super::command::{Command, Commands};
use super::super::state::{AppState, EngineLine, RuntimeState};
use super::super::theme::{ROW, palette, space};
use super::super::words;
use crate::backend::RuntimeChoice;
use crate::pipeline::Stage;

/// The stages that are told.
const TOLD: [Stage; 4] = [Stage::Decode, Stage::Fit, Stage::Run, Stage::Heads];

pub(super) fn status_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Runtime").weak().small());
        runtime_ui(ui, state, commands);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            right_ui(ui, state);
        });
    });
}

fn runtime_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let choice = state.runtime_choice;
    let about = match &state.runtime {
        RuntimeState::Ready { load_ms, .. } => format!("What finds the faces; ready after {}", words::ms(*load_ms)),
        RuntimeState::Opening | RuntimeState::Failed { .. } => "What finds the faces".to_owned(),
    };
    let combo = ComboBox::from_id_salt("runtime").selected_text(runtime_text(state)).width(190.0);
    let shown = combo.show_ui(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().interact_size.y = ROW - space::XS;
        if ui.selectable_label(choice == RuntimeChoice::Auto, "Auto: the first that works").clicked() {
            commands.push(Command::ChooseRuntime(RuntimeChoice::Auto));
        }
        for engine in &state.engines {
            engine_ui(ui, engine, choice, commands);
        }
    });
    shown.response.accessible_name("Runtime").on_hover_text(about);
    match &state.runtime {
        RuntimeState::Opening => _ = ui.add(Spinner::new().size(14.0)),
        RuntimeState::Ready { .. } => {}
        RuntimeState::Failed { requested, reason } => {
            if *requested != RuntimeChoice::Auto && ui.button("Use Auto").clicked() {
                commands.push(Command::ChooseRuntime(RuntimeChoice::Auto));
            }
            let text = RichText::new(reason).small().color(palette(ui).error);
            ui.add(egui::Label::new(text).truncate()).on_hover_text(reason);
        }
    }
}

/// An engine that cannot be used is listed with its reason.
fn engine_ui(ui: &mut Ui, engine: &EngineLine, choice: RuntimeChoice, commands: &mut Commands) {
    let this = RuntimeChoice::Named(engine.kind);
    let text = match &engine.reason {
        None => engine.kind.title().to_owned(),
        Some(_) => format!("{}: not available", engine.kind.title()),
    };
    let response = ui.add_enabled(engine.reason.is_none(), Button::selectable(choice == this, text));
    if response.clicked() {
        commands.push(Command::ChooseRuntime(this));
    }
    if let Some(reason) = &engine.reason {
        ui.horizontal(|ui| {
            ui.add_space(space::M);
            ui.label(RichText::new(reason).weak().small());
            ui.add_space(space::M);
        });
    }
}

fn runtime_text(state: &AppState) -> String {
    let asked = |choice: RuntimeChoice| match choice {
        RuntimeChoice::Auto => "Auto".to_owned(),
        RuntimeChoice::Named(kind) => kind.title().to_owned(),
    };
    match &state.runtime {
        RuntimeState::Opening => format!("{}: opening", asked(state.runtime_choice)),
        RuntimeState::Failed { requested, .. } => format!("{}: failed", asked(*requested)),
        RuntimeState::Ready { runtime, .. } => {
            let actual = &runtime.actual;
            let runs = format!("{} {}, {}", actual.kind.title(), actual.version, actual.device);
            match runtime.requested {
                RuntimeChoice::Auto => format!("Auto: {runs}"),
                RuntimeChoice::Named(_) => runs,
            }
        }
    }
}

fn right_ui(ui: &mut Ui, state: &AppState) {
    let small = |text: String| RichText::new(text).weak().small();
    let looking = state.library.looking_count();
    if looking > 0 {
        let all = state.library.len();
        ui.label(small(format!("looking at {} of {all}", all - looking + 1)));
        ui.separator();
    } else if state.importing() {
        ui.label(small("looking for photos".to_owned()));
        ui.separator();
    }
    let Some(info) = state.current().and_then(|photo| photo.info.as_ref()) else { return };
    ui.label(small(format!("{} {}", info.size, info.format.name())));
    let stages = &state.inspection.stages;
    let told: Vec<String> =
        TOLD.iter().filter_map(|&stage| Some(format!("{} {}", stage.id(), words::ms(stages.get(stage)?)))).collect();
    if !told.is_empty() {
        ui.separator();
        ui.add(egui::Label::new(small(told.join("   "))).truncate()).on_hover_text("What looking at this photo took");
    }
}
