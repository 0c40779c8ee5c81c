//! The photo in the middle: zoom, pan, faces to click, lines of heads to drag, crop frames with the rest dimmed.

mod faces;
mod heads;
mod paint;
mod place;

use egui::{Align2, CursorIcon, Id, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};

use super::command::{Command, Commands};
use super::state::{AppState, CanvasView, Detail, Photo};
use super::textures::{TextureKey, Textures};
use super::theme::{palette, space};
use super::widgets::{busy, tag};
use super::words;
use crate::decode::DisplayCopy;
use crate::geometry::{Point, Size};

pub(crate) use paint::{paint_checkerboard, paint_crop, unit_rect};
use place::Placement;

/// Where egui keeps the canvas's size of the last pass.
const ROOM: &str = "canvas-room";

/// How strongly a turn of the wheel zooms.
const WHEEL_ZOOM: f32 = 1.0 / 480.0;

/// The pixels there are of the photo on the canvas: the worker's copy, or the thumbnail until it is there.
pub(crate) fn current_pixels(state: &AppState) -> Option<(TextureKey, &DisplayCopy)> {
    let photo = state.current()?;
    match &state.inspection.display {
        Some(display) => Some((TextureKey::Canvas, display)),
        None => Some((TextureKey::Thumbnail(photo.id), photo.thumbnail()?)),
    }
}

/// Draws the photo into all the room there is.
pub(crate) fn canvas_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    let room = ui.available_rect_before_wrap();
    ui.painter().rect_filled(room, 0.0, palette(ui).canvas);
    ui.data_mut(|data| data.insert_temp(Id::unique(ROOM), room.size()));
    let Some(photo) = state.current() else { return };
    let response = ui.allocate_rect(room, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, describe(photo, state)));
    let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(room));
    ui.shrink_clip_rect(room);
    if let Some(reason) = &state.inspection.failure {
        message_ui(ui, room, &format!("This photo cannot be shown: {reason}"));
        return;
    }
    let (Some((key, copy)), Some(info)) = (current_pixels(state), &photo.info) else {
        if state.inspection.waiting {
            ui.put(Rect::from_center_size(room.center(), Vec2::splat(32.0)), |ui: &mut Ui| busy(ui, 28.0));
        }
        return;
    };
    let texture = textures.get(ui.ctx(), key, copy);
    move_view(ui, &response, state.view, info.size, commands);
    let placement = Placement::new(room, ui.pixels_per_point(), state.view, info.size);
    let plan = state.current_plan();
    let detail = state.inspection.detail.as_ref();
    let detail = detail.map(|(part, copy)| (*part, textures.get(ui.ctx(), TextureKey::Detail, copy)));
    paint::paint_photo(ui, &placement, texture, detail, &plan, state.crop_spec().fill);
    let wanted =
        (key == TextureKey::Canvas).then(|| wanted_detail(photo, copy.size, info.size, &placement, ui)).flatten();
    if wanted != state.inspection.wanted_detail {
        commands.push(Command::WantDetail(wanted));
    }
    paint::paint_frames(ui, &placement, &plan, state.preview_index);
    let (window, spec) = (&state.settings.window, &state.settings.crop);
    let lit = window.show_faces.then(|| faces::faces_ui(ui, photo, &placement, spec, commands)).flatten();
    if window.show_head_lines {
        heads::heads_ui(ui, photo, &placement, spec, lit, commands);
    }
    if state.inspection.waiting {
        let corner = room.right_top() + Vec2::new(-space::L - 24.0, space::M);
        ui.put(Rect::from_min_size(corner, Vec2::splat(24.0)), |ui: &mut Ui| busy(ui, 20.0));
    }
    if let Some(damage) = &info.damage {
        let text = format!("This file is damaged: {damage}");
        tag(ui.painter(), palette(ui), room.center_bottom() - Vec2::new(0.0, space::M), Align2::CENTER_BOTTOM, &text);
    }
}

/// The part in sight, where the canvas shows it with more pixels than `copy`, the size of the copy at hand, has.
fn wanted_detail(photo: &Photo, copy: Size, picture: Size, placement: &Placement, ui: &Ui) -> Option<Detail> {
    let scale = placement.scale() * ui.pixels_per_point();
    let at_hand = copy.width as f32 / picture.width.max(1) as f32;
    if at_hand >= 1.0 || scale <= at_hand * 1.05 {
        return None;
    }
    let part = placement.part_in(ui.clip_rect(), picture)?;
    // More pixels than the photo has would show nothing more.
    let shown = scale.min(1.0);
    let side = |length: u32| ((length as f32 * shown).round() as u32).clamp(1, length);
    Some(Detail { item: photo.id, part, size: Size::new(side(part.width), side(part.height)) })
}

/// The scale of the photo when it was last drawn: screen pixels a picture pixel.
pub(crate) fn current_scale(ui: &Ui, state: &AppState) -> Option<f32> {
    let size = state.current()?.info.as_ref()?.size;
    let room: Vec2 = ui.data(|data| data.get_temp(Id::unique(ROOM)))?;
    let room = place::usable(room) * ui.pixels_per_point();
    Some(state.view.resolve(size, room.x, room.y).0)
}

fn describe(photo: &Photo, state: &AppState) -> String {
    let size = photo.info.as_ref().map(|info| format!(", {} pixels", info.size)).unwrap_or_default();
    format!("Photo {}{size}, {}", photo.name, words::status(photo, &state.settings.crop, &state.runtime))
}

fn message_ui(ui: &mut Ui, room: Rect, text: &str) {
    let rect = Rect::from_center_size(room.center(), Vec2::new((room.width() - 2.0 * space::L).min(420.0), 80.0));
    ui.put(rect, egui::Label::new(egui::RichText::new(text).color(palette(ui).error)).wrap());
}

/// Turns wheel, pinch, drag and double click into a new view.
fn move_view(ui: &Ui, response: &Response, view: CanvasView, picture: Size, commands: &mut Commands) {
    let pixels_per_point = ui.pixels_per_point();
    let room = place::usable(response.rect.size()) * pixels_per_point;
    if response.double_clicked() {
        commands.push(Command::SetView(CanvasView::Fit));
        return;
    }
    if response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        let by = response.drag_delta() * pixels_per_point;
        if by != Vec2::ZERO {
            commands.push(Command::SetView(view.panned(by.x, by.y, picture, room.x, room.y)));
        }
        return;
    }
    let Some(cursor) = response.hover_pos().filter(|_| response.contains_pointer()) else { return };
    let (pinch, wheel) = ui.input(|input| (input.zoom_delta(), input.smooth_scroll_delta().y));
    let factor = pinch * (wheel * WHEEL_ZOOM).exp();
    if factor != 1.0 {
        let from_middle = (cursor - response.rect.center()) * pixels_per_point;
        let cursor = Point::new(from_middle.x, from_middle.y);
        commands.push(Command::SetView(view.zoomed(factor, cursor, picture, room.x, room.y)));
    }
}
