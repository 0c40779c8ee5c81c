//! In place of the photo: the camera, and the button that takes a photo.

use egui::{
    Align, Button, ComboBox, Event, Frame, Key, Label, Layout, Margin, Memory, Panel, Popup, Rect, RichText, Sense, Ui,
    UiBuilder, Vec2,
};

use batch::worker::CameraError;

use super::super::canvas::camera_picture_ui;
use super::super::command::{CameraCommand, Command, Commands};
use super::super::language::{count, tr};
use super::super::messages;
use super::super::state::AppState;
use super::super::textures::Textures;
use super::super::theme::{palette, space};
use super::super::widgets::{Area, icon_size, landing, option, primary_button, warning_icon};

/// Width of the button that takes a photo, in points.
const SHUTTER: f32 = 220.0;

/// Maximum width of the list of cameras, in points.
const CAMERAS: f32 = 260.0;

pub(super) fn camera_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    let frame = |ui: &Ui, down: f32| {
        Frame::NONE.fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(space::M as i8, down as i8))
    };
    Panel::top("camera-bar").frame(frame(ui, space::XS)).show(ui, |ui| bar_ui(ui, state, commands));
    if let Some(error) = &state.camera.failure {
        failure_ui(ui, error, commands);
        return;
    }
    if state.camera.request.is_none() {
        commands.push(Command::Camera(CameraCommand::Open));
    }
    Panel::bottom("camera-shutter")
        .frame(frame(ui, space::S))
        .show(ui, |ui| landing(ui, Area::Photo, |ui| shutter_ui(ui, state, commands)));
    camera_picture_ui(ui, state, textures);
}

fn bar_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let escaped = is_in_front(ui, state) && ui.input(|input| input.key_pressed(Key::Escape));
        if ui.button(tr("Close")).on_hover_text(tr("Back to the photo (Esc)")).clicked() || escaped {
            commands.push(Command::Camera(CameraCommand::Show(false)));
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.label(RichText::new(tr("Camera")).strong());
            cameras_ui(ui, state, commands);
        });
    });
}

/// True if keys are meant for the camera, not for a page, a list or a text field.
fn is_in_front(ui: &Ui, state: &AppState) -> bool {
    let covered = state.dialogs.page.is_some() || state.dialogs.palette || Popup::is_any_open(ui.ctx());
    !covered && !ui.ctx().text_edit_focused()
}

/// The list of cameras, if there are several.
fn cameras_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let cameras = &state.camera.cameras;
    if cameras.len() < 2 {
        return;
    }
    let chosen = cameras.iter().find(|camera| Some(&camera.id) == state.camera.chosen.as_ref());
    let name = chosen.map_or("", |camera| camera.name.as_str());
    let width = CAMERAS.min(ui.available_width());
    let list = ComboBox::from_id_salt("cameras").selected_text(name).width(width).truncate().show_ui(ui, |ui| {
        for camera in cameras {
            let is_chosen = chosen == Some(camera);
            if option(ui, is_chosen, &camera.name).clicked() && !is_chosen {
                commands.push(Command::Camera(CameraCommand::Choose(camera.id.clone())));
            }
        }
    });
    list.response.accessible_name(tr("Camera"));
}

/// A line about the picture, and the button.
fn shutter_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let can_shoot = state.camera.frame.is_some();
    ui.horizontal(|ui| status_ui(ui, state));
    ui.with_layout(Layout::top_down(Align::Center), |ui| {
        let button = primary_button(ui, can_shoot, tr("Take photo"), SHUTTER.min(ui.available_width()));
        let button = button.on_hover_text(tr("Adds the picture to the list (Space or Enter)"));
        // A key that is held would take photo after photo.
        let is_held =
            ui.input(|input| input.events.iter().any(|event| matches!(event, Event::Key { repeat: true, .. })));
        if button.clicked() && !is_held {
            commands.push(Command::Camera(CameraCommand::Shoot));
        }
        if can_shoot && is_in_front(ui, state) && ui.ctx().memory(Memory::focused).is_none() {
            button.request_focus();
        }
    });
}

/// The faces found, the first warning of the crop, and at the right the number of photos taken. Always one line, so that the
/// picture keeps its size.
fn status_ui(ui: &mut Ui, state: &AppState) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let taken = state.camera.taken;
        if taken > 0 {
            ui.label(RichText::new(count!(taken, "{n} photo taken", "{n} photos taken")).weak());
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            if state.camera.frame.is_none() {
                ui.label(RichText::new(tr("Opening the camera")).weak());
                return;
            }
            let crop = &state.settings.recipe.crop;
            let found = messages::status(&state.camera.photo, crop, &state.runtime.status, None);
            ui.add(Label::new(RichText::new(found).weak()).truncate());
            if let Some(warning) = state.frame_warning() {
                let (text, color) = (messages::warning(&warning.kind), palette(ui).warning);
                let (icon, _) = ui.allocate_exact_size(icon_size(), Sense::hover());
                warning_icon(ui.painter(), icon.center(), color);
                ui.add(Label::new(RichText::new(&text).color(color)).truncate());
            }
        });
    });
}

/// Why there is no picture, and a button to try again.
fn failure_ui(ui: &mut Ui, error: &CameraError, commands: &mut Commands) {
    let space = ui.available_rect_before_wrap();
    ui.painter().rect_filled(space, 0.0, palette(ui).canvas);
    let size = Vec2::new((space.width() - 2.0 * space::L).clamp(120.0, 420.0), 140.0);
    let place = Rect::from_center_size(space.center(), size);
    let ui = &mut ui.new_child(UiBuilder::new().max_rect(place).layout(Layout::top_down(Align::Center)));
    let text = RichText::new(messages::camera_error(error)).color(palette(ui).error);
    ui.add(Label::new(text).wrap());
    ui.add_space(space::S);
    let retry = ui.add(Button::new(tr("Retry")));
    if retry.clicked() {
        commands.push(Command::Camera(CameraCommand::Open));
    }
    if ui.ctx().memory(Memory::focused).is_none() {
        retry.request_focus();
    }
}
