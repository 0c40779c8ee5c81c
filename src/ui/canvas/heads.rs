//! The lines of a head: crown, eye line and chin across the midline, and a dot beyond the crown that turns it.

mod moves;

use egui::{CursorIcon, Id, PointerButton, Pos2, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo};
use moves::{Handle, moved, turned_to};

use geometry::{Head, Point, estimate_head};

use super::super::command::{Command, Commands};
use super::super::language::say;
use super::super::state::{AppState, Photo};
use super::super::theme::{Palette, palette};
use super::faces::menu_ui;
use super::hold::{REACH, arrows, cursor, nearest, takes_delete};
use super::place::Placement;

/// A head less high than this many points shows no lines of its own accord.
const SMALL_HEAD: f32 = 32.0;

/// A head less high than this many points has lines that cannot be told apart with the pointer.
const MIN_TO_DRAG: f32 = 64.0;

/// Points from the crown to the dot that turns the head.
const TURNER: f32 = 22.0;

/// Length of the lines across the midline, as a share of the head's height.
const WIDTH: f32 = 0.8;

/// Draws the lines of the heads that are cropped, to be dragged, and those of the face `lit` under the pointer.
pub(super) fn heads_ui(
    ui: &mut Ui,
    state: &AppState,
    photo: &Photo,
    placement: &Placement,
    lit: Option<usize>,
    commands: &mut Commands,
) {
    let spec = &state.settings.recipe.crop;
    let chosen = photo.chosen(spec);
    let others = lit.filter(|index| !chosen.contains(index));
    for index in others.into_iter().chain(chosen.iter().copied()) {
        let Some(face) = photo.faces().get(index).filter(|face| face.is_usable()) else { continue };
        let head = estimate_head(face).head;
        if !head.is_usable() {
            continue;
        }
        let lines = Lines::new(&head, placement, ui.clip_rect());
        let height = head.height() * placement.scale();
        let shown = height >= SMALL_HEAD || lit == Some(index);
        if !shown || !lines.around().intersects(ui.clip_rect()) {
            continue;
        }
        let at = At { state, photo, index, number: photo.number(index, spec) };
        let held = (Some(index) != others && height >= MIN_TO_DRAG)
            .then(|| handles_ui(ui, &at, &head, &lines, placement, commands))
            .flatten();
        paint(ui, palette(ui), &lines, Some(index) != others, held);
    }
}

/// The face that a head is of.
struct At<'a> {
    state: &'a AppState,
    photo: &'a Photo,
    index: usize,
    /// As people see it: from the left, from 1 on.
    number: usize,
}

/// Where the lines are on the screen.
struct Lines {
    crown: [Pos2; 2],
    eyes: [Pos2; 2],
    chin: [Pos2; 2],
    midline: [Pos2; 2],
    turner: Pos2,
}

impl Lines {
    /// The lines of `head`, of which `seen` is the part of the window to draw in.
    fn new(head: &Head, placement: &Placement, visible: Rect) -> Self {
        let up = head.up();
        let aside = Vec2::new(-up.y, up.x) * head.height() * placement.scale() * (WIDTH / 2.0);
        let across = |at: Point| [placement.point(at) - aside, placement.point(at) + aside];
        let crown = placement.point(head.crown());
        let upward = Vec2::new(up.x, up.y) * TURNER;
        // Where there is no room above the crown, the dot is on the midline below it, as long as that is above the eyes.
        let below = crown - upward;
        let has_room = crown.distance(placement.point(head.eyes)) > 1.5 * TURNER && visible.contains(below);
        let turner = if visible.contains(crown + upward) || !has_room { crown + upward } else { below };
        Self {
            crown: across(head.crown()),
            eyes: across(head.eyes),
            chin: across(head.chin()),
            midline: [crown, placement.point(head.chin())],
            turner,
        }
    }

    fn of(&self, handle: Handle) -> [Pos2; 2] {
        match handle {
            Handle::Crown => self.crown,
            Handle::Eyes => self.eyes,
            Handle::Chin => self.chin,
            Handle::Midline => self.midline,
            Handle::Roll => [self.turner; 2],
        }
    }

    fn around(&self) -> Rect {
        let ends = [self.crown, self.chin].concat();
        Rect::from_points(&ends).union(Rect::from_pos(self.turner)).expand(REACH)
    }
}

/// Lets the lines be dragged, or moved with the arrow keys; gives the one under the pointer or in hand.
fn handles_ui(
    ui: &Ui,
    at: &At<'_>,
    head: &Head,
    lines: &Lines,
    placement: &Placement,
    commands: &mut Commands,
) -> Option<Handle> {
    let &At { state, photo, index, number } = at;
    let pointer = ui.input(|input| input.pointer.latest_pos());
    let mut held = None;
    // The last one is clicked first, where lines cross.
    for handle in Handle::ALL {
        let id = ui.scope_id().with((photo.id.0, "head", index, handle));
        // What is taken hold of is the point of the line that is nearest to the pointer: so lines of any slant need no more
        // than a small square.
        let [a, b] = lines.of(handle);
        let near = pointer
            .map(|pointer| nearest(pointer, a, b))
            .filter(|near| near.distance(pointer.unwrap_or(*near)) <= REACH);
        let at = near.unwrap_or(b);
        let reach = if handle == Handle::Roll { REACH + 3.0 } else { REACH };
        let sense = if handle == Handle::Midline { Sense::click_and_drag() } else { Sense::drag() };
        let response = ui.interact(Rect::from_center_size(at, Vec2::splat(2.0 * reach)), id, sense);
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
            held = Some(handle);
        }
        // A click in the middle of the face is meant for the face.
        if response.clicked() && response.interact_pointer_pos().is_some() {
            commands.push(Command::ToggleFace(index));
        }
        if handle == Handle::Midline {
            response.context_menu(|ui| menu_ui(ui, &state.settings, photo, index, commands));
        }
        if photo.is_drawn(index) && response.has_focus() && takes_delete(ui, id) {
            commands.push(Command::EraseFace(index));
        }
        let wanted =
            dragged_to(&response, handle, head, placement).or_else(|| moved_by_keys(ui, id, &response, handle, head));
        if let Some(head) = wanted.filter(|wanted| wanted != head && wanted.is_usable()) {
            commands.push(Command::SetHead(index, head));
        }
    }
    held
}

fn dragged_to(response: &Response, handle: Handle, head: &Head, placement: &Placement) -> Option<Head> {
    if !response.dragged_by(PointerButton::Primary) {
        return None;
    }
    if handle == Handle::Roll {
        return Some(turned_to(head, placement.picture_point(response.interact_pointer_pos()?)));
    }
    let by = response.drag_delta() / placement.scale();
    Some(moved(head, handle, Point::new(by.x, by.y)))
}

/// One pixel of the photo, or one degree, for each press of an arrow key; ten with Shift.
fn moved_by_keys(ui: &Ui, id: Id, response: &Response, handle: Handle, head: &Head) -> Option<Head> {
    Some(moved(head, handle, arrows(ui, id, response)?))
}

fn name(handle: Handle, number: usize) -> String {
    match handle {
        Handle::Crown => say!("Crown of face {number}", number = number),
        Handle::Eyes => say!("Eye line of face {number}", number = number),
        Handle::Chin => say!("Chin of face {number}", number = number),
        Handle::Midline => say!("Midline of face {number}", number = number),
        Handle::Roll => say!("Turn of face {number}", number = number),
    }
}

/// The lines of a head that is being drawn.
pub(super) fn paint_drawn(ui: &Ui, head: &Head, placement: &Placement) {
    paint(ui, palette(ui), &Lines::new(head, placement, ui.clip_rect()), true, None);
}

fn paint(ui: &Ui, palette: &Palette, lines: &Lines, included: bool, held: Option<Handle>) {
    let painter = ui.painter();
    let color = if included { palette.head } else { palette.face };
    let stem = [lines.midline[0], lines.turner];
    let width = |handle| if held == Some(handle) { 2.5 } else { 1.25 };
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
        let radius = if held == Some(Handle::Roll) { 6.0 } else { 4.0 };
        painter.circle(lines.turner, radius, color, Stroke::new(1.5, palette.halo));
    }
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use geometry::Size;

    use super::*;
    use crate::ui::state::CanvasView;

    #[test]
    fn the_dot_that_turns_a_head_is_where_it_can_be_seen() {
        let space = Rect::from_min_size(Pos2::ZERO, vec2(432.0, 432.0));
        let placement = Placement::new(space, 1.0, CanvasView::Fit, Size::new(400, 400));
        let head = |crown: f32, eyes: f32| Head {
            eyes: Point::new(200.0, eyes),
            eyes_to_crown: eyes - crown,
            eyes_to_chin: 100.0,
            roll: 0.0,
        };
        let turner = |head: &Head| Lines::new(head, &placement, space).turner;
        let near = |at: Pos2, x: f32, y: f32| assert!(at.distance(pos2(x, y)) < 0.1, "{at:?}");
        near(turner(&head(60.0, 180.0)), 216.0, 76.0 - TURNER);
        // Its crown is at the photo's upper edge, which is near the window's.
        near(turner(&head(0.0, 120.0)), 216.0, 16.0 + TURNER);
        near(turner(&head(0.0, 20.0)), 216.0, 16.0 - TURNER);
    }
}
