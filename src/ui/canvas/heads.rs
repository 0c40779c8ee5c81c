//! Head lines: crown, eye line and chin across the midline, a rotation handle beyond the crown, and the eyes.

mod eyes;
mod moves;

use egui::{CursorIcon, Id, PointerButton, Pos2, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo};
use eyes::{Eyes, eyes_ui};
use moves::{Handle, moved, rotated_to};

use geometry::{Head, Point, estimate_head};

use super::super::command::{Command, Commands};
use super::super::language::say;
use super::super::state::{AppState, Photo};
use super::super::theme::{Palette, palette};
use super::faces::menu_ui;
use super::handles::{REACH, arrows, consumes_delete, cursor, nearest};
use super::placement::Placement;

/// Below this height, in points, a head shows its lines only while hovered.
const SMALL_HEAD: f32 = 32.0;

/// Below this height, in points, the lines of a head are too close to each other to be dragged.
const MIN_TO_DRAG: f32 = 64.0;

/// Distance from the crown to the rotation handle, in points.
const ROTATION_HANDLE: f32 = 22.0;

/// Length of the lines across the midline, as a share of the head's height.
const WIDTH: f32 = 0.8;

/// Draws the draggable lines of the heads that are cropped, and those of the highlighted face.
pub(super) fn heads_ui(
    ui: &mut Ui,
    state: &AppState,
    photo: &Photo,
    placement: &Placement,
    highlighted: Option<usize>,
    commands: &mut Commands,
) {
    let spec = &state.settings.recipe.crop;
    let chosen = photo.chosen(spec);
    let others = highlighted.filter(|index| !chosen.contains(index));
    for index in others.into_iter().chain(chosen.iter().copied()) {
        let Some(face) = photo.faces().get(index).filter(|face| face.is_usable()) else { continue };
        let head = estimate_head(face).head;
        if !head.is_usable() {
            continue;
        }
        let lines = Lines::new(&head, placement, ui.clip_rect());
        let height = head.height() * placement.scale();
        let shown = height >= SMALL_HEAD || highlighted == Some(index);
        if !shown || !lines.around().intersects(ui.clip_rect()) {
            continue;
        }
        let at = At { state, photo, index, number: photo.number(index, spec) };
        let eyes = Eyes::of(ui, &at, face, &head);
        let draggable = Some(index) != others && height >= MIN_TO_DRAG;
        let active = draggable.then(|| handles_ui(ui, &at, &head, &lines, &eyes, placement, commands)).flatten();
        paint(ui, palette(ui), &lines, Some(index) != others, active);
        // After the lines, to receive the pointer where they cross.
        if draggable && eyes.can_be_dragged(ui, &at, placement) {
            let eye = eyes_ui(ui, &at, &head, &eyes, placement, commands);
            let chin = (lines.midline[1], active == Some(Handle::Chin));
            eyes::paint(ui, palette(ui), placement, &eyes, eye, chin);
        }
    }
}

/// The face that a head belongs to.
struct At<'a> {
    state: &'a AppState,
    photo: &'a Photo,
    index: usize,
    /// As displayed: from the left, starting at 1.
    number: usize,
}

/// Positions of the lines on the screen.
struct Lines {
    crown: [Pos2; 2],
    eyes: [Pos2; 2],
    chin: [Pos2; 2],
    midline: [Pos2; 2],
    rotation_handle: Pos2,
}

impl Lines {
    /// The lines of `head`; `visible` is the part of the window they are drawn in.
    fn new(head: &Head, placement: &Placement, visible: Rect) -> Self {
        let up = head.up();
        let aside = Vec2::new(-up.y, up.x) * head.height() * placement.scale() * (WIDTH / 2.0);
        let across = |at: Point| [placement.point(at) - aside, placement.point(at) + aside];
        let crown = placement.point(head.crown());
        let upward = Vec2::new(up.x, up.y) * ROTATION_HANDLE;
        // If there is no space above the crown, the handle is on the midline below it, provided that is above the eyes.
        let below = crown - upward;
        let has_space = crown.distance(placement.point(head.eyes)) > 1.5 * ROTATION_HANDLE && visible.contains(below);
        let rotation_handle = if visible.contains(crown + upward) || !has_space { crown + upward } else { below };
        Self {
            crown: across(head.crown()),
            eyes: across(head.eyes),
            chin: across(head.chin()),
            midline: [crown, placement.point(head.chin())],
            rotation_handle,
        }
    }

    fn of(&self, handle: Handle) -> [Pos2; 2] {
        match handle {
            Handle::Crown => self.crown,
            Handle::Eyes => self.eyes,
            Handle::Chin => self.chin,
            Handle::Midline => self.midline,
            Handle::Roll => [self.rotation_handle; 2],
        }
    }

    fn around(&self) -> Rect {
        let ends = [self.crown, self.chin].concat();
        Rect::from_points(&ends).union(Rect::from_pos(self.rotation_handle)).expand(REACH)
    }
}

/// Moves lines by drags or arrow keys; returns the one hovered or dragged.
fn handles_ui(
    ui: &Ui,
    at: &At<'_>,
    head: &Head,
    lines: &Lines,
    eyes: &Eyes,
    placement: &Placement,
    commands: &mut Commands,
) -> Option<Handle> {
    let &At { state, photo, index, number } = at;
    let pointer = ui.input(|input| input.pointer.latest_pos());
    let mut active = None;
    // If lines cross, the last one receives clicks.
    for handle in Handle::ALL {
        let id = ui.scope_id().with((photo.id.0, "head", index, handle));
        // The pointer target is a small square around the nearest point of the line, so that lines of any angle need no
        // more.
        let [a, b] = lines.of(handle);
        let near = pointer
            .map(|pointer| nearest(pointer, a, b))
            .filter(|near| near.distance(pointer.unwrap_or(*near)) <= REACH);
        let center = near.unwrap_or(b);
        let reach = if handle == Handle::Roll { REACH + 3.0 } else { REACH };
        let sense = if handle == Handle::Midline { Sense::click_and_drag() } else { Sense::drag() };
        let response = ui.interact(Rect::from_center_size(center, Vec2::splat(2.0 * reach)), id, sense);
        response.widget_info(|| WidgetInfo {
            value: Some(f64::from(handle.measure(head))),
            ..WidgetInfo::labeled(Role::Slider, true, name(handle, number))
        });
        let cursor = if handle == Handle::Roll { CursorIcon::Grab } else { cursor(handle.direction(head)) };
        if response.hovered() || response.dragged() {
            ui.ctx().set_cursor_icon(if response.dragged() && handle == Handle::Roll {
                CursorIcon::Grabbing
            } else {
                cursor
            });
        }
        if response.hovered() || response.dragged() || response.has_focus() {
            active = Some(handle);
        }
        // A click in the middle of the face is meant for the face.
        if response.clicked() && response.interact_pointer_pos().is_some() {
            commands.push(Command::ToggleFace(index));
        }
        if handle == Handle::Midline {
            response.context_menu(|ui| menu_ui(ui, &state.settings, photo, index, commands));
        }
        if photo.is_drawn(index) && response.has_focus() && consumes_delete(ui, id) {
            commands.push(Command::EraseFace(index));
        }
        let wanted =
            dragged_to(&response, handle, head, placement).or_else(|| moved_by_keys(ui, id, &response, handle, head));
        if let Some(head) = wanted.filter(|wanted| wanted != head && wanted.is_usable()) {
            eyes.store(ui, at, &head);
            commands.push(Command::SetHead(index, head));
        }
    }
    active
}

fn dragged_to(response: &Response, handle: Handle, head: &Head, placement: &Placement) -> Option<Head> {
    if !response.dragged_by(PointerButton::Primary) {
        return None;
    }
    if handle == Handle::Roll {
        return Some(rotated_to(head, placement.picture_point(response.interact_pointer_pos()?)));
    }
    let by = response.drag_delta() / placement.scale();
    Some(moved(head, handle, Point::new(by.x, by.y)))
}

/// One image pixel, or one degree, per press of an arrow key; ten with Shift.
fn moved_by_keys(ui: &Ui, id: Id, response: &Response, handle: Handle, head: &Head) -> Option<Head> {
    Some(moved(head, handle, arrows(ui, id, response)?))
}

fn name(handle: Handle, number: usize) -> String {
    match handle {
        Handle::Crown => say!("Crown of face {number}", number = number),
        Handle::Eyes => say!("Eye line of face {number}", number = number),
        Handle::Chin => say!("Chin of face {number}", number = number),
        Handle::Midline => say!("Midline of face {number}", number = number),
        Handle::Roll => say!("Rotation of face {number}", number = number),
    }
}

/// The lines of a head being drawn.
pub(super) fn paint_drawn(ui: &Ui, head: &Head, placement: &Placement) {
    paint(ui, palette(ui), &Lines::new(head, placement, ui.clip_rect()), true, None);
}

fn paint(ui: &Ui, palette: &Palette, lines: &Lines, included: bool, active: Option<Handle>) {
    let painter = ui.painter();
    let color = if included { palette.head } else { palette.face };
    let stem = [lines.midline[0], lines.rotation_handle];
    let width = |handle| if active == Some(handle) { 2.5 } else { 1.25 };
    let drawn =
        [Handle::Midline, Handle::Crown, Handle::Eyes, Handle::Chin].map(|handle| (lines.of(handle), width(handle)));
    let drawn = drawn.into_iter().chain(included.then_some((stem, 1.0)));
    for (ends, width) in drawn.clone() {
        painter.line_segment(ends, Stroke::new(width + 2.0, palette.halo));
    }
    for (ends, width) in drawn {
        painter.line_segment(ends, Stroke::new(width, color));
    }
    if included {
        let radius = if active == Some(Handle::Roll) { 6.0 } else { 4.0 };
        painter.circle(lines.rotation_handle, radius, color, Stroke::new(1.5, palette.halo));
    }
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use geometry::Size;

    use super::*;
    use crate::ui::state::CanvasView;

    #[test]
    fn the_rotation_handle_of_a_head_is_visible() {
        let space = Rect::from_min_size(Pos2::ZERO, vec2(432.0, 432.0));
        let placement = Placement::new(space, 1.0, CanvasView::Fit, Size::new(400, 400));
        let head = |crown: f32, eyes: f32| Head {
            eyes: Point::new(200.0, eyes),
            eyes_to_crown: eyes - crown,
            eyes_to_chin: 100.0,
            roll: 0.0,
        };
        let rotation_handle = |head: &Head| Lines::new(head, &placement, space).rotation_handle;
        let near = |at: Pos2, x: f32, y: f32| assert!(at.distance(pos2(x, y)) < 0.1, "{at:?}");
        near(rotation_handle(&head(60.0, 180.0)), 216.0, 76.0 - ROTATION_HANDLE);
        // The crown is at the photo's upper edge, near that of the window.
        near(rotation_handle(&head(0.0, 120.0)), 216.0, 16.0 + ROTATION_HANDLE);
        near(rotation_handle(&head(0.0, 20.0)), 216.0, 16.0 - ROTATION_HANDLE);
    }
}
