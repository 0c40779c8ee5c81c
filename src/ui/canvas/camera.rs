//! The camera's picture, with its faces and the frames of their crops.

use egui::{Rect, Role, Sense, Ui, UiBuilder, Vec2, WidgetInfo};

use super::super::language::say;
use super::super::messages;
use super::super::state::{AppState, CanvasView};
use super::super::textures::{TextureKey, Textures};
use super::super::theme::palette;
use super::super::widgets::spinner;
use super::placement::Placement;
use super::{faces, paint};

/// Draws the last frame into the available space, or a spinner until there is one.
pub(crate) fn camera_picture_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures) {
    let space = ui.available_rect_before_wrap();
    ui.painter().rect_filled(space, 0.0, palette(ui).canvas);
    let Some(frame) = &state.camera.frame else {
        ui.put(Rect::from_center_size(space.center(), Vec2::splat(32.0)), |ui: &mut Ui| spinner(ui, 28.0));
        return;
    };
    let photo = &state.camera.photo;
    let crop = &state.settings.recipe.crop;
    let response = ui.allocate_rect(space, Sense::hover());
    let status = messages::status(photo, crop, &state.runtime.status, None);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, say!("Camera picture, {status}", status = status)));
    let ui = &mut ui.new_child(UiBuilder::new().max_rect(space));
    ui.shrink_clip_rect(space);
    let texture = textures.get(ui.ctx(), TextureKey::Camera, frame.display());
    let placement = Placement::new(space, ui.pixels_per_point(), CanvasView::Fit, frame.size());
    let plan = state.frame_plan();
    paint::paint_photo(ui, &placement, texture, None, &plan, state.frame_crop_spec().fill);
    paint::paint_frames(ui, &placement, &plan, 0, false);
    if state.settings.window.show_faces {
        faces::paint_faces(ui, &state.settings, photo, &placement);
    }
    frame.note_shown();
}
