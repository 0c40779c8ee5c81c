//! Wheel, pinch and drags change the visible part of an image.

use egui::{CursorIcon, Id, Key, PointerButton, Rect, Response, Sense, Ui, Vec2};

use geometry::{Point, Size};

use super::super::command::{Command, Commands};
use super::super::state::CanvasView;
use super::{draw, placement};

/// Zoom per unit of wheel movement.
const WHEEL_ZOOM: f32 = 1.0 / 480.0;

/// An area in which an image is zoomed and panned.
pub(super) struct Pane {
    pub space: Rect,
    pub view: CanvasView,
    pub picture: Size,
    /// The command that sets its view.
    pub set: fn(CanvasView) -> Command,
}

/// Turns wheel, pinch, drag and double click into a new view. `response` is that of the pane's background.
pub(super) fn pan_ui(ui: &Ui, response: &Response, pane: &Pane, commands: &mut Commands) {
    let pixels_per_point = ui.pixels_per_point();
    let space = placement::usable(pane.space.size()) * pixels_per_point;
    if response.double_clicked() {
        commands.push((pane.set)(CanvasView::Fit));
        return;
    }
    if response.dragged_by(PointerButton::Primary) || drags_with_middle(ui, pane.space) {
        let by = if response.dragged() { response.drag_delta() } else { ui.input(|input| input.pointer.delta()) };
        moved(ui, pane, by, commands);
        return;
    }
    let Some(cursor) = response.hover_pos().filter(|_| response.contains_pointer()) else { return };
    let (pinch, wheel) = ui.input(|input| (input.zoom_delta(), input.smooth_scroll_delta().y));
    let factor = pinch * (wheel * WHEEL_ZOOM).exp();
    if factor != 1.0 {
        let from_middle = (cursor - pane.space.center()) * pixels_per_point;
        let cursor = Point::new(from_middle.x, from_middle.y);
        commands.push((pane.set)(pane.view.zoomed(factor, cursor, pane.picture, space.x, space.y)));
    }
}

/// While the space bar is held, a drag pans the image wherever it begins. Call this after everything else was drawn.
pub(super) fn pan_with_space_ui(ui: &Ui, pane: &Pane, commands: &mut Commands) {
    let id: Id = ui.scope_id().with("pan-with-space");
    // If a control has the focus, the space bar presses it.
    let focused = ui.ctx().memory(egui::Memory::focused);
    let is_free = focused.is_none_or(|focused| focused == ui.scope_id().with(draw::ID));
    let pressed = is_free && ui.input(|input| input.key_down(Key::Space));
    if !pressed && !ui.ctx().is_being_dragged(id) {
        return;
    }
    let response = ui.interact(pane.space, id, Sense::drag());
    if response.hovered() {
        ui.ctx().set_cursor_icon(CursorIcon::Grab);
    }
    if response.dragged_by(PointerButton::Primary) {
        moved(ui, pane, response.drag_delta(), commands);
    }
}

fn drags_with_middle(ui: &Ui, space: Rect) -> bool {
    let from = ui.input(|input| input.pointer.press_origin().filter(|_| input.pointer.middle_down()));
    from.is_some_and(|from| space.contains(from) && ui.ctx().layer_id_at(from) == Some(ui.layer_id()))
}

fn moved(ui: &Ui, pane: &Pane, by: Vec2, commands: &mut Commands) {
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    let pixels_per_point = ui.pixels_per_point();
    let space = placement::usable(pane.space.size()) * pixels_per_point;
    let by = by * pixels_per_point;
    if by != Vec2::ZERO {
        commands.push((pane.set)(pane.view.panned(by.x, by.y, pane.picture, space.x, space.y)));
    }
}
