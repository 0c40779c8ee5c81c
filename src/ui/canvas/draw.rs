//! Drawing a face that was not detected: a drag from crown to chin.

use egui::{Align2, CursorIcon, Key, PointerButton, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use geometry::{Head, Point, Size};

use super::super::command::{Command, Commands};
use super::super::language::tr;
use super::super::theme::palette;
use super::super::widgets::tag;
use super::heads;
use super::placement::Placement;

/// Id of the tool on the canvas. The space bar does not trigger it, but pans the photo.
pub(super) const ID: &str = "draw-a-face";

/// Minimum height of the drag, in points; shorter ones are ignored.
const MIN_DRAG: f32 = 14.0;

/// Minimum height of a head from crown to chin, in image pixels.
const MIN_HEAD: f32 = 8.0;

/// Height of a head placed with the keyboard, as a share of the visible height of the photo.
const BY_KEYBOARD: f32 = 0.4;

/// Handles all pointer input on the canvas while a face is drawn.
pub(super) fn draw_ui(ui: &Ui, space: Rect, placement: &Placement, picture: Size, commands: &mut Commands) {
    let id = ui.scope_id().with(ID);
    let response = ui.interact(space, id, Sense::click_and_drag());
    let name = tr("Draw a face: drag from the crown to the chin, or press Enter to place one in the centre");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    if ui.ctx().memory(egui::Memory::focused).is_none() {
        response.request_focus();
    }
    if ui.input(|input| input.key_pressed(Key::Escape)) {
        commands.push(Command::SetDrawing(false));
        return;
    }
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
    }
    let by_space = ui.input(|input| input.key_pressed(Key::Space));
    let by_keyboard = response.clicked() && response.interact_pointer_pos().is_none() && !by_space;
    if by_keyboard {
        commands.extend(head_in_middle(space, placement).map(Command::DrawFace));
        return;
    }
    let hint = space.center_top() + vec2(0.0, 12.0);
    tag(ui.painter(), palette(ui), hint, Align2::CENTER_TOP, tr("Drag from the crown to the chin. Esc to cancel."));
    if response.drag_started_by(PointerButton::Primary)
        && let Some(from) = ui.input(|input| input.pointer.press_origin())
    {
        // In image pixels, because the wheel may zoom during the drag.
        ui.data_mut(|data| data.insert_temp(id, placement.picture_point(from)));
    }
    let (Some(from), Some(to)) = (ui.data(|data| data.get_temp::<Point>(id)), response.interact_pointer_pos()) else {
        return;
    };
    let drawn = Rect::from_two_pos(placement.point(from), to);
    let head = (drawn.height() >= MIN_DRAG)
        .then(|| head_over(from, placement.picture_point(to)))
        .filter(|head| head.height() >= MIN_HEAD && is_on(head, picture));
    if response.dragged_by(PointerButton::Primary) {
        paint(ui, drawn, head.as_ref(), placement);
    } else if response.drag_stopped() {
        ui.data_mut(|data| data.remove::<Point>(id));
        commands.extend(head.map(Command::DrawFace));
    }
}

/// The upright head in the box between two opposite corners, in either order.
fn head_over(a: Point, b: Point) -> Head {
    let middle = a.midpoint(b).x;
    Head::between(Point::new(middle, a.y.min(b.y)), Point::new(middle, a.y.max(b.y)))
}

fn head_in_middle(space: Rect, placement: &Placement) -> Option<Head> {
    let visible = space.intersect(placement.photo);
    if !visible.is_positive() {
        return None;
    }
    let half = vec2(0.0, visible.height() * BY_KEYBOARD / 2.0);
    let at = |at| placement.picture_point(at);
    Some(Head::between(at(visible.center() - half), at(visible.center() + half)))
}

/// True if the centre of the head is on the photo.
fn is_on(head: &Head, picture: Size) -> bool {
    let Point { x, y } = head.eyes;
    (0.0..=picture.width as f32).contains(&x) && (0.0..=picture.height as f32).contains(&y)
}

fn paint(ui: &Ui, drawn: Rect, head: Option<&Head>, placement: &Placement) {
    let palette = palette(ui);
    for (width, color) in [(3.5, palette.halo), (1.5, palette.on_tag)] {
        ui.painter().rect_stroke(drawn, 0.0, Stroke::new(width, color), StrokeKind::Middle);
    }
    if let Some(head) = head {
        heads::paint_drawn(ui, head, placement);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawn_head_fills_the_box_between_any_two_corners() {
        let (a, b) = (Point::new(100.0, 50.0), Point::new(160.0, 150.0));
        let head = head_over(a, b);
        assert_eq!((head.eyes, head.height(), head.roll), (Point::new(130.0, 100.0), 100.0, 0.0));
        assert_eq!(head_over(b, a), head);
        assert_eq!(head_over(Point::new(100.0, 150.0), Point::new(160.0, 50.0)), head);
    }

    #[test]
    fn a_head_off_the_photo_is_ignored() {
        let picture = Size::new(200, 200);
        assert!(is_on(&head_over(Point::new(10.0, 10.0), Point::new(60.0, 90.0)), picture));
        assert!(!is_on(&head_over(Point::new(-90.0, 10.0), Point::new(-10.0, 90.0)), picture));
    }
}
