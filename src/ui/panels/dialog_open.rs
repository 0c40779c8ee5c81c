//! Covers the window while a file dialog is open, so that nothing meant for the dialog acts on the window.

use egui::{Id, Modal, RichText, Ui};

use super::super::command::{Command, Commands};
use super::super::language::{say, tr};
use super::super::state::AppState;
use super::super::theme::space;
use super::super::widgets::wide_button;

/// Width of the message, in points.
const WIDTH: f32 = 300.0;

pub(super) fn dialog_open_ui(ui: &Ui, state: &AppState, commands: &mut Commands) {
    let Some(kind) = state.dialogs.picking else { return };
    ui.memory_mut(egui::Memory::stop_text_input);
    Modal::new(Id::unique("dialog-open")).show(ui.ctx(), |ui| {
        ui.set_width(WIDTH);
        ui.label(say!("The dialog “{name}” is open.", name = tr(kind.about().title)));
        if cfg!(target_os = "linux") {
            ui.label(RichText::new(tr("It may be behind this window.")).weak());
        }
        ui.add_space(space::S);
        if wide_button(ui, true, tr("Continue without it"), WIDTH).clicked() {
            commands.push(Command::LeaveDialog);
        }
    });
}
