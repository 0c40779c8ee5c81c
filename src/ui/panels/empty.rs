//! In the middle while there are no photos: what to do.

use egui::{Align, Layout, RichText, Ui, Vec2};

use super::super::command::{Command, Commands};
use super::super::dialogs::PickerKind;
use super::super::state::AppState;
use super::super::theme::{palette, space};
use super::super::widgets::{busy, primary_button, wide_button};

/// Points of the column that holds it all.
const WIDTH: f32 = 320.0;

pub(super) fn empty_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let room = ui.available_rect_before_wrap();
    ui.painter().rect_filled(room, 0.0, palette(ui).canvas);
    let column = egui::Rect::from_center_size(room.center(), Vec2::new(WIDTH.min(room.width() - space::L), 220.0));
    let layout = Layout::top_down(Align::Center);
    let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(column).layout(layout));
    if state.importing() {
        busy(ui, 28.0);
        ui.label("Looking for photos");
        return;
    }
    ui.heading("Drop photos or folders here");
    ui.label(RichText::new("The originals are only read, never changed.").weak());
    ui.add_space(space::S);
    let width = ui.available_width();
    if primary_button(ui, true, "Add files…", width).clicked() {
        commands.push(Command::Pick(PickerKind::Files));
    }
    if wide_button(ui, true, "Add folder…", width).clicked() {
        commands.push(Command::Pick(PickerKind::Folder));
    }
    if let Some(samples) = &state.samples
        && wide_button(ui, true, "Try the sample photos", width).clicked()
    {
        commands.push(Command::Import(vec![samples.clone()]));
    }
    ui.add_space(space::XS);
    ui.label(RichText::new("You can also paste copied files with the keyboard.").weak().small());
}
