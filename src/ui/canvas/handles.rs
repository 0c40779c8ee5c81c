//! Draggable lines and points on the canvas, by pointer and by keys.

use egui::{Context, CursorIcon, EventFilter, Id, Key, Modifiers, Pos2, Response, Ui};

use geometry::Point;

/// Distance within which a line receives the pointer, in points.
pub(super) const REACH: f32 = 5.0;

/// Steps per press of an arrow key, and with Shift.
const STEP: f32 = 1.0;
const LARGE_STEP: f32 = 10.0;

/// Id under which egui stores the canvas item that handles the Delete key.
const CONSUMES_DELETE: &str = "canvas-consumes-delete";

/// Arrow key presses for the focused item, in steps to the right and down; `None` if none was pressed.
pub(super) fn arrows(ui: &Ui, id: Id, response: &Response) -> Option<Point> {
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    let mut by = Point::default();
    ui.input_mut(|input| {
        for (modifiers, step) in [(Modifiers::SHIFT, LARGE_STEP), (Modifiers::NONE, STEP)] {
            for (key, x, y) in [
                (Key::ArrowUp, 0.0, -step),
                (Key::ArrowDown, 0.0, step),
                (Key::ArrowLeft, -step, 0.0),
                (Key::ArrowRight, step, 0.0),
            ] {
                let presses = input.count_and_consume_key(modifiers, key) as f32;
                (by.x, by.y) = (by.x + x * presses, by.y + y * presses);
            }
        }
    });
    (by != Point::default()).then_some(by)
}

/// Claims the Delete key for the focused item `id`; returns whether it was pressed.
pub(super) fn consumes_delete(ui: &Ui, id: Id) -> bool {
    ui.data_mut(|data| data.insert_temp(Id::unique(CONSUMES_DELETE), id));
    ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Delete))
}

/// True if the focused canvas item handles this key itself.
pub(crate) fn consumes_key(ctx: &Context, key: Key) -> bool {
    let consumer: Option<Id> = ctx.data(|data| data.get_temp(Id::unique(CONSUMES_DELETE)));
    key == Key::Delete && consumer.is_some() && consumer == ctx.memory(egui::Memory::focused)
}

/// The cursor for moving along `direction`.
pub(super) fn cursor(direction: Point) -> CursorIcon {
    let slant = direction.y.atan2(direction.x).to_degrees().rem_euclid(180.0);
    match slant {
        22.5..67.5 => CursorIcon::ResizeNwSe,
        67.5..112.5 => CursorIcon::ResizeVertical,
        112.5..157.5 => CursorIcon::ResizeNeSw,
        _ => CursorIcon::ResizeHorizontal,
    }
}

/// The point between `a` and `b` nearest to `from`.
pub(super) fn nearest(from: Pos2, a: Pos2, b: Pos2) -> Pos2 {
    let along = b - a;
    let length = along.length_sq();
    let share = if length > 0.0 { ((from - a).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
    a + along * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_shows_the_direction_of_a_line() {
        for (x, y, sign) in [
            (0.0, -1.0, CursorIcon::ResizeVertical),
            (1.0, 0.0, CursorIcon::ResizeHorizontal),
            (-1.0, 0.01, CursorIcon::ResizeHorizontal),
            (1.0, 1.0, CursorIcon::ResizeNwSe),
            (1.0, -1.0, CursorIcon::ResizeNeSw),
        ] {
            assert_eq!(cursor(Point::new(x, y)), sign, "{x} {y}");
        }
    }
}
