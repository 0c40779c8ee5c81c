//! Central panel: a toolbar with the photo's name and tools, the canvas, and the numeric frame fields below.

use egui::{Align, Frame, Layout, Margin, Panel, RichText, Ui};

use geometry::Point;

use super::super::actions::actual_size;
use super::super::canvas::{after_scale, after_ui, canvas_ui, current_scale};
use super::super::command::{Command, Commands};
use super::super::language::{decimal, say, tr};
use super::super::state::{AppState, CanvasView, Photo};
use super::super::textures::Textures;
use super::super::theme::{UNTINTED, body, space};
use super::super::widgets::{Area, elide_middle, landing, toggle_button};
use super::frame::frame_bar_ui;

/// Minimum width of an image beside another, in points.
const MIN_PANE: f32 = 160.0;

/// Width that the toolbar leaves for the photo's name, in points.
const MIN_NAME: f32 = 72.0;

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
    landing(ui, Area::Photo, |ui| canvas_ui(ui, state, textures, commands));
}

/// A button of the toolbar.
struct Tool {
    text: &'static str,
    about: &'static str,
    /// Whether it is pressed, for those that stay so.
    on: Option<bool>,
    command: Command,
}

fn bar_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(photo) = state.current() else {
        ui.label(RichText::new(tr("No photo selected")).weak());
        return;
    };
    let tools = tools(ui, state, photo);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let scale = current_scale(ui, state).map(|scale| say!("{percent} %", percent = decimal(scale * 100.0, 0)));
        let (shown, rest) = tools.split_at(fitting(ui, &tools, scale.as_deref()));
        if !rest.is_empty() {
            let menu = ui.menu_button("…", |ui| tools_menu_ui(ui, rest, commands));
            menu.response.on_hover_text(tr("More tools")).accessible_name(tr("More tools"));
        }
        for tool in shown {
            let response = match tool.on {
                Some(on) => toggle_button(ui, true, on, tool.text),
                None => ui.button(tool.text),
            };
            if response.on_hover_text(tool.about).clicked() {
                commands.push(tool.command.clone());
            }
        }
        if let Some(scale) = scale {
            ui.label(RichText::new(scale).weak().small());
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let name = elide_middle(ui, &photo.name, &body(), ui.available_width());
            ui.label(name).on_hover_text(photo.path.display().to_string());
        });
    });
}

/// The tools for the photo, from the right. If there is no room, the last ones are in a menu.
fn tools(ui: &Ui, state: &AppState, photo: &Photo) -> Vec<Tool> {
    let mut tools = Vec::new();
    if let Some(whole) = actual_size(state) {
        let fitted = state.canvas.view == CanvasView::Fit;
        let is_whole = !fitted && current_scale(ui, state) == Some(1.0);
        let fit = Command::SetView(CanvasView::Fit);
        let about = tr("One pixel of the photo for each of the screen (Z)");
        tools.push(Tool { text: tr("100 %"), about, on: Some(is_whole), command: whole });
        tools.push(Tool { text: tr("Fit"), about: tr("Shows the whole photo (F)"), on: Some(fitted), command: fit });
    }
    let before_after = state.canvas.tools.before_after;
    let about = tr("Shows the crop as exported next to the photo (Y)");
    let command = Command::SetBeforeAfter(!before_after);
    tools.push(Tool { text: tr("Before and after"), about, on: Some(before_after), command });
    if photo.info.is_some() {
        let drawing = state.canvas.tools.drawing;
        let about = tr("Drag from the crown to the chin of a head that was not detected (D)");
        let command = Command::SetDrawing(!drawing);
        tools.push(Tool { text: tr("Draw a face"), about, on: Some(drawing), command });
    }
    if photo.edits().edits_faces() {
        let about = tr("Selects the faces by the settings again and re-estimates their heads");
        tools.push(Tool { text: tr("Reset to automatic"), about, on: None, command: Command::ResetFaces });
    }
    tools
}

/// The number of tools that fit beside the scale and the shortest useful name, with a menu for the others.
fn fitting(ui: &Ui, tools: &[Tool], scale: Option<&str>) -> usize {
    let gap = ui.spacing().item_spacing.x;
    let text_width =
        |text: &str| ui.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), body(), UNTINTED)).size().x + gap;
    let width = |text: &str| text_width(text) + 2.0 * ui.spacing().button_padding.x + 2.0;
    let space = ui.available_width() - MIN_NAME - scale.map_or(0.0, text_width);
    let total: f32 = tools.iter().map(|tool| width(tool.text)).sum();
    if total <= space {
        return tools.len();
    }
    let mut left = space - width("…");
    let fits = |tool: &&Tool| {
        left -= width(tool.text);
        left >= 0.0
    };
    tools.iter().take_while(fits).count()
}

/// The tools without room in the toolbar.
fn tools_menu_ui(ui: &mut Ui, tools: &[Tool], commands: &mut Commands) {
    for tool in tools {
        let text = if tool.on == Some(true) { format!("✔ {}", tool.text) } else { tool.text.to_owned() };
        let button = ui.button(text).accessible_name(tool.text);
        if button.on_hover_text(tool.about).clicked() {
            commands.push(tool.command.clone());
            ui.close();
        }
    }
}

/// Toolbar above the crop beside the photo: its zoom.
fn after_bar_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let fitted = state.canvas.tools.after_view == CanvasView::Fit;
        let scale = after_scale(ui, state);
        if let Some((_, crop)) = state.shown_crop() {
            let (width, height) = (crop.output.width as f32, crop.output.height as f32);
            let whole = CanvasView::Free { scale: 1.0, center: Point::new(width / 2.0, height / 2.0) };
            let button = toggle_button(ui, true, !fitted && scale == Some(1.0), tr("100 %"));
            if button.accessible_name(tr("Crop at 100 %")).clicked() {
                commands.push(Command::SetAfterView(whole));
            }
            if toggle_button(ui, true, fitted, tr("Fit")).accessible_name(tr("Fit the crop")).clicked() {
                commands.push(Command::SetAfterView(CanvasView::Fit));
            }
            if let Some(scale) = scale {
                ui.label(RichText::new(say!("{percent} %", percent = decimal(scale * 100.0, 0))).weak().small());
            }
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.label(RichText::new(tr("After")).weak()));
    });
}
