//! The photo in the middle: zoom, pan, clickable faces, draggable head lines and crop frames.

mod after;
mod camera;
mod draw;
mod faces;
mod frame;
mod guides;
mod handles;
mod heads;
mod paint;
mod pan;
mod placement;

use batch::settings::Settings;
use egui::{Align2, Button, Frame, Id, Layout, Rect, Role, Sense, Ui, UiBuilder, Vec2, WidgetInfo};

use geometry::Size;
use outcome::DisplayCopy;
use recipe::Thoroughness;

use super::command::{Command, Commands};
use super::language::{say, tr};
use super::messages;
use super::state::{AppState, Detail, Photo};
use super::textures::{TextureKey, Textures};
use super::theme::{palette, space};
use super::widgets::{leave_keys, spinner, tag};

pub(crate) use after::{after_scale, after_ui, paint_exact, paint_small, paint_tile};
pub(crate) use camera::camera_picture_ui;
use guides::{CropOnScreen, guides_ui};
pub(crate) use handles::consumes_key;
pub(crate) use paint::unit_rect;
use paint::{paint_checkerboard, paint_crop};
use pan::{Pane, pan_ui, pan_with_space_ui};
use placement::Placement;

/// Id under which egui stores the canvas size of the last pass.
const SIZE_ID: &str = "canvas-size";

/// Pixels of the photo on the canvas: the worker's copy, or the thumbnail until it arrives.
pub(crate) fn current_pixels(state: &AppState) -> Option<(TextureKey, &DisplayCopy)> {
    let photo = state.current()?;
    match &state.canvas.inspection.display {
        Some(display) => Some((TextureKey::Canvas, display)),
        None => Some((TextureKey::Thumbnail(photo.id), photo.thumbnail()?)),
    }
}

/// Draws the photo into the available space.
pub(crate) fn canvas_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    let space = ui.available_rect_before_wrap();
    ui.painter().rect_filled(space, 0.0, palette(ui).canvas);
    ui.data_mut(|data| data.insert_temp(Id::unique(SIZE_ID), space.size()));
    let Some(photo) = state.current() else { return };
    let response = ui.allocate_rect(space, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, describe(photo, state)));
    leave_keys(&response);
    let ui = &mut ui.new_child(UiBuilder::new().max_rect(space));
    ui.shrink_clip_rect(space);
    if let Some(failure) = &state.canvas.inspection.failure {
        let reason = messages::photo_failure(failure);
        message_ui(ui, space, &say!("Cannot show this photo: {reason}", reason = reason));
        return;
    }
    let (Some((key, copy)), Some(info)) = (current_pixels(state), &photo.info) else {
        if state.canvas.inspection.waiting {
            ui.put(Rect::from_center_size(space.center(), Vec2::splat(32.0)), |ui: &mut Ui| spinner(ui, 28.0));
        }
        return;
    };
    let texture = textures.get(ui.ctx(), key, copy);
    let pane = Pane { space, view: state.canvas.view, picture: info.size, set: Command::SetView };
    pan_ui(ui, &response, &pane, commands);
    let placement = Placement::new(space, ui.pixels_per_point(), state.canvas.view, info.size);
    let plan = state.current_plan();
    let detail = state.canvas.inspection.detail.as_ref();
    let detail = detail.map(|(part, copy)| (*part, textures.get(ui.ctx(), TextureKey::Detail, copy)));
    paint::paint_photo(ui, &placement, texture, detail, &plan, state.crop_spec().fill);
    let wanted =
        (key == TextureKey::Canvas).then(|| wanted_detail(photo, copy.size, info.size, &placement, ui)).flatten();
    if wanted != state.canvas.inspection.wanted_detail {
        commands.push(Command::SetDetail(wanted));
    }
    if let Some((_, crop)) = state.shown_crop() {
        guides_ui(ui, state, CropOnScreen::of(placement.corners(&crop)), &crop);
    }
    let ordered = photo.is_reordered(&state.settings.recipe.crop);
    paint::paint_frames(ui, &placement, &plan, state.canvas.preview_index, ordered);
    items_ui(ui, state, photo, &placement, commands);
    if state.canvas.tools.drawing {
        draw::draw_ui(ui, space, &placement, info.size, commands);
    } else if photo.detection.is_some() && photo.shown(&state.settings.recipe.crop).is_empty() {
        no_face_ui(ui, space, &state.settings, commands);
    }
    pan_with_space_ui(ui, &pane, commands);
    if state.canvas.inspection.waiting {
        let corner = space.right_top() + Vec2::new(-space::L - 24.0, space::M);
        ui.put(Rect::from_min_size(corner, Vec2::splat(24.0)), |ui: &mut Ui| spinner(ui, 20.0));
    }
    if let Some(damage) = &info.damage {
        let text = say!("This file is damaged: {damage}", damage = messages::damage(damage));
        tag(ui.painter(), palette(ui), space.center_bottom() - Vec2::new(0.0, space::M), Align2::CENTER_BOTTOM, &text);
    }
}

/// The draggable items. If items overlap, the later one receives the pointer.
fn items_ui(ui: &mut Ui, state: &AppState, photo: &Photo, placement: &Placement, commands: &mut Commands) {
    let window = &state.settings.window;
    let plan = state.current_plan();
    let highlighted =
        window.show_faces.then(|| faces::faces_ui(ui, &state.settings, photo, placement, commands)).flatten();
    frame::frame_ui(ui, state, photo, &plan, placement, commands);
    // Above the frame: if there is little headroom, its top handle would cover the head's rotation handle.
    if window.show_head_lines {
        heads::heads_ui(ui, state, photo, placement, highlighted, commands);
    }
}

/// Suggestions for a photo without detected faces.
fn no_face_ui(ui: &mut Ui, space: Rect, settings: &Settings, commands: &mut Commands) {
    let can_be_thorough = settings.detect.thoroughness != Thoroughness::Thorough;
    let height = if can_be_thorough { 120.0 } else { 84.0 };
    let size = Vec2::new((space.width() - 2.0 * space::L).clamp(120.0, 300.0), height);
    let at = space.center_bottom() - Vec2::new(0.0, size.y / 2.0 + space::L);
    let rect = Rect::from_center_size(at, size);
    let ui = &mut ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::top_down(egui::Align::Center)));
    Frame::popup(ui.style()).show(ui, |ui| {
        ui.label(tr("No face found"));
        if ui.add(Button::new(tr("Draw face manually"))).clicked() {
            commands.push(Command::SetDrawing(true));
        }
        let about = tr("Runs every detection pass on all photos: also finds small sideways faces, but is slower");
        if can_be_thorough && ui.add(Button::new(tr("Use thorough detection"))).on_hover_text(about).clicked() {
            commands.push(Command::SetThoroughness(Thoroughness::Thorough));
        }
    });
}

/// The visible part, if the canvas shows it with more pixels than the available copy (size `copy`) has.
fn wanted_detail(photo: &Photo, copy: Size, picture: Size, placement: &Placement, ui: &Ui) -> Option<Detail> {
    let scale = placement.scale() * ui.pixels_per_point();
    let available = copy.width as f32 / picture.width.max(1) as f32;
    if available >= 1.0 || scale <= available * 1.05 {
        return None;
    }
    let part = placement.part_in(ui.clip_rect(), picture)?;
    // More pixels than the photo has would add no detail.
    let shown = scale.min(1.0);
    let side = |length: u32| ((length as f32 * shown).round() as u32).clamp(1, length);
    Some(Detail { item: photo.id, part, size: Size::new(side(part.width), side(part.height)) })
}

/// Scale of the photo in the last pass, in screen pixels per image pixel.
pub(crate) fn current_scale(ui: &Ui, state: &AppState) -> Option<f32> {
    let size = state.current()?.info.as_ref()?.size;
    let space: Vec2 = ui.data(|data| data.get_temp(Id::unique(SIZE_ID)))?;
    let space = placement::usable(space) * ui.pixels_per_point();
    Some(state.canvas.view.resolve(size, space.x, space.y).0)
}

fn describe(photo: &Photo, state: &AppState) -> String {
    let status = messages::status(photo, &state.settings.recipe.crop, &state.runtime.status, state.card_of(photo));
    match &photo.info {
        Some(info) => {
            say!("Photo {photo}, {size} pixels, {status}", photo = photo.name, size = info.size, status = status)
        }
        None => say!("Photo {photo}, {status}", photo = photo.name, status = status),
    }
}

fn message_ui(ui: &mut Ui, space: Rect, text: &str) {
    let rect = Rect::from_center_size(space.center(), Vec2::new((space.width() - 2.0 * space::L).min(420.0), 80.0));
    ui.put(rect, egui::Label::new(egui::RichText::new(text).color(palette(ui).error)).wrap());
}
