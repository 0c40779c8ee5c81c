//! In the middle: the photo's name and zoom in a slim bar, the canvas below.

use egui::{Align, Button, Frame, Layout, Margin, Panel, RichText, Ui};

use super::super::actions::actual_size;
use super::super::canvas::{canvas_ui, current_scale};
use super::super::command::{Command, Commands};
use super::super::state::{AppState, CanvasView};
use super::super::textures::Textures;
use super::super::theme::{body, space};
use super::super::widgets::elide_middle;

pub(super) fn photo_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    let frame =
        Frame::NONE.fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(space::M as i8, space::XS as i8));
    Panel::top("photo-bar").frame(frame).show(ui, |ui| bar_ui(ui, state, commands));
    canvas_ui(ui, state, textures, commands);
}

fn bar_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(photo) = state.current() else {
        ui.label(RichText::new("No photo is selected").weak());
        return;
    };
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if let Some(command) = actual_size(state) {
            let scale = current_scale(ui, state);
            let fitted = state.view == CanvasView::Fit;
            if ui.add(Button::selectable(!fitted && scale == Some(1.0), "100 %")).clicked() {
                commands.push(command);
            }
            if ui.add(Button::selectable(fitted, "Fit")).clicked() {
                commands.push(Command::SetView(CanvasView::Fit));
            }
            if let Some(scale) = scale {
                ui.label(RichText::new(format!("{:.0} %", scale * 100.0)).weak().small());
            }
        }
        if photo.edits().touches_faces() {
            let about = "Let the settings choose this photo's faces again, and estimate their heads";
            let button = ui.button("Reset to automatic").on_hover_text(about);
            if button.clicked() {
                commands.push(Command::ResetFaces);
            }
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let name = elide_middle(ui, &photo.name, &body(), ui.available_width());
            ui.label(name).on_hover_text(photo.path.display().to_string());
        });
    });
}
