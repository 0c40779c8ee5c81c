//! Central panel: a toolbar with the photo's name and tools, the canvas, and the numeric frame fields below.

use egui::{Align, Button, Frame, Layout, Margin, Panel, RichText, Ui};

use geometry::Point;

use super::super::actions::actual_size;
use super::super::canvas::{after_scale, after_ui, canvas_ui, current_scale};
use super::super::command::{Command, Commands};
use super::super::language::{decimal, say, tr};
use super::super::state::{AppState, CanvasView};
use super::super::textures::Textures;
use super::super::theme::{body, space};
use super::super::widgets::elide_middle;
use super::frame::frame_bar_ui;

/// Minimum width of an image beside another, in points.
const MIN_PANE: f32 = 160.0;

pub(super) fn photo_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    let frame =
        Frame::NONE.fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(space::M as i8, space::XS as i8));
    Panel::top("photo-bar").frame(frame).show(ui, |ui| bar_ui(ui, state, commands));
    if state.current().is_some() {
        Panel::bottom("frame-bar").frame(frame).show(ui, |ui| frame_bar_ui(ui, state, commands));
    }
    if state.canvas.tools.before_after && state.current().is_some() {
        let width = ui.available_width();
        Panel::right("after")
            .default_size(width / 2.0)
            .size_range(MIN_PANE..=(width - MIN_PANE).max(MIN_PANE))
            .frame(Frame::NONE)
            .show(ui, |ui| {
                Panel::top("after-bar").frame(frame).show(ui, |ui| after_bar_ui(ui, state, commands));
                after_ui(ui, state, textures, commands);
            });
    }
    canvas_ui(ui, state, textures, commands);
}

fn bar_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(photo) = state.current() else {
        ui.label(RichText::new(tr("No photo selected")).weak());
        return;
    };
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if let Some(command) = actual_size(state) {
            let scale = current_scale(ui, state);
            let fitted = state.canvas.view == CanvasView::Fit;
            if ui.add(Button::selectable(!fitted && scale == Some(1.0), tr("100 %"))).clicked() {
                commands.push(command);
            }
            if ui.add(Button::selectable(fitted, tr("Fit"))).clicked() {
                commands.push(Command::SetView(CanvasView::Fit));
            }
            if let Some(scale) = scale {
                ui.label(RichText::new(say!("{percent} %", percent = decimal(scale * 100.0, 0))).weak().small());
            }
        }
        let before_after = state.canvas.tools.before_after;
        let button = ui.add(Button::selectable(before_after, tr("Before and after")));
        if button.on_hover_text(tr("Shows the crop as exported next to the photo (Y)")).clicked() {
            commands.push(Command::SetBeforeAfter(!before_after));
        }
        if photo.info.is_some() {
            let drawing = state.canvas.tools.drawing;
            let button = ui.add(Button::selectable(drawing, tr("Draw a face")));
            let about = tr("Drag from the crown to the chin of a head that was not detected (D)");
            if button.on_hover_text(about).clicked() {
                commands.push(Command::SetDrawing(!drawing));
            }
        }
        if photo.edits().edits_faces() {
            let about = tr("Selects the faces by the settings again and re-estimates their heads");
            let button = ui.button(tr("Reset to automatic")).on_hover_text(about);
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

/// Toolbar above the crop beside the photo: its zoom.
fn after_bar_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let fitted = state.canvas.tools.after_view == CanvasView::Fit;
        let scale = after_scale(ui, state);
        if let Some((_, crop)) = state.shown_crop() {
            let (width, height) = (crop.output.width as f32, crop.output.height as f32);
            let whole = CanvasView::Free { scale: 1.0, center: Point::new(width / 2.0, height / 2.0) };
            let button = ui.add(Button::selectable(!fitted && scale == Some(1.0), tr("100 %")));
            if button.accessible_name(tr("Crop at 100 %")).clicked() {
                commands.push(Command::SetAfterView(whole));
            }
            if ui.add(Button::selectable(fitted, tr("Fit"))).accessible_name(tr("Fit the crop")).clicked() {
                commands.push(Command::SetAfterView(CanvasView::Fit));
            }
            if let Some(scale) = scale {
                ui.label(RichText::new(say!("{percent} %", percent = decimal(scale * 100.0, 0))).weak().small());
            }
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.label(RichText::new(tr("After")).weak()));
    });
}
