//! The frame of the crop that the preview shows: its border moves it, its squares pull at its sides, its dot turns it.
//!
//! The rule of the canvas: what is drawn on the photo can be taken hold of, and a drag anywhere else moves the photo. So a drag
//! inside a frame moves the photo as one outside does, unless Ctrl (Cmd on macOS) is held, which takes hold of the frame.

mod shape;

use egui::{CursorIcon, Id, PointerButton, Pos2, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};
use shape::Outline;

use geometry::{Grip, ManualFrame, Point};
use plan::CropPlan;

use super::super::command::{Command, Commands};
use super::super::language::{mark, say, tr};
use super::super::state::{AppState, Photo, ShownFrame};
use super::hold::{REACH, arrows, cursor, nearest};
use super::place::Placement;

/// Degrees for each press of an arrow key on the dot that turns; ten times as many with Shift.
const TURN_STEP: f32 = 0.5;

/// A frame that is turned to within so many degrees of a quarter turn is turned to that.
const SNAP: f32 = 1.0;

/// With Shift a frame turns in steps of so many degrees.
const SHIFT_TURN: f32 = 15.0;

/// What is taken hold of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Hold {
    Whole,
    Turn,
    Pull(Grip),
}

/// Lets the shown frame be changed, and the others be shown by a click on their borders.
pub(super) fn frame_ui(
    ui: &Ui,
    state: &AppState,
    photo: &Photo,
    plan: &CropPlan,
    placement: &Placement,
    commands: &mut Commands,
) {
    let pointer = ui.input(|input| input.pointer.latest_pos());
    let Some(shown) = state.shown_frame() else { return };
    for (index, crop) in plan.crops.iter().enumerate().filter(|(_, crop)| crop.face_index != shown.face) {
        let outline = Outline::new(placement.corners(crop), ui.clip_rect());
        let at = pointer.and_then(|pointer| outline.border_near(pointer, REACH)).unwrap_or(outline.at_rest());
        let id = ui.scope_id().with((photo.id.0, "other-frame", crop.face_index));
        let response = ui.interact(Rect::from_center_size(at, Vec2::splat(2.0 * REACH)), id, Sense::click());
        let name = || say!("Show crop {number}", number = index + 1);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name()));
        if response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(name()).clicked() {
            commands.push(Command::ShowCrop(index));
        }
    }
    let outline = Outline::new(placement.corners(&shown.crop), ui.clip_rect());
    let held = holds_ui(ui, state, photo, &shown, &outline, placement, commands);
    shape::paint(ui, &outline, held, &shown);
}

fn holds_ui(
    ui: &Ui,
    state: &AppState,
    photo: &Photo,
    shown: &ShownFrame,
    outline: &Outline,
    placement: &Placement,
    commands: &mut Commands,
) -> Option<Hold> {
    let pointer = ui.input(|input| input.pointer.latest_pos());
    let number = photo.number(shown.face, &state.settings.recipe.crop);
    let mut held = None;
    // The last one is taken hold of first where they lie over each other.
    let pulls = Grip::ALL.into_iter().filter(|grip| outline.has(*grip)).map(Hold::Pull);
    for hold in [Hold::Whole].into_iter().chain(pulls).chain([Hold::Turn]) {
        let id = ui.scope_id().with((photo.id.0, "frame", shown.face, hold));
        let (at, reach) = place(ui, hold, outline, pointer);
        let response = ui.interact(Rect::from_center_size(at, Vec2::splat(2.0 * reach)), id, Sense::drag());
        response.widget_info(|| info(hold, shown, number));
        if hold == Hold::Whole && state.canvas.tools.focus_frame {
            response.request_focus();
            commands.push(Command::FocusFrame(false));
        }
        let dragged = response.dragged_by(PointerButton::Primary);
        if response.hovered() || dragged {
            ui.ctx().set_cursor_icon(sign(hold, outline, dragged));
        }
        if response.hovered() || dragged || response.has_focus() {
            held = Some(hold);
        }
        let free = state.canvas.tools.free_aspect || ui.input(|input| input.modifiers.shift);
        let aspect = (shown.locked || !free).then_some(shown.aspect);
        let by_pointer = dragged_frame(ui, id, &response, hold, shown, aspect, placement);
        let wanted = by_pointer.or_else(|| {
            // With Shift the step is larger; the aspect is the toggle's matter there.
            let aspect = (shown.locked || !state.canvas.tools.free_aspect).then_some(shown.aspect);
            arrows(ui, id, &response).map(|by| nudged(hold, shown, aspect, by))
        });
        if let Some(frame) = wanted.filter(|wanted| *wanted != shown.frame && wanted.is_usable()) {
            commands.push(Command::SetFrame(shown.face, Some(frame)));
        }
    }
    held
}

/// Where it is taken hold of, and within how many points.
fn place(ui: &Ui, hold: Hold, outline: &Outline, pointer: Option<Pos2>) -> (Pos2, f32) {
    match hold {
        // What is taken hold of is the point that is nearest to the pointer, as with lines of heads.
        Hold::Whole => {
            let command = ui.input(|input| input.modifiers.command);
            let inside = pointer.filter(|&pointer| command && outline.contains(pointer));
            let near = pointer.and_then(|pointer| outline.border_near(pointer, REACH));
            (near.or(inside).unwrap_or(outline.at_rest()), REACH)
        }
        Hold::Turn => (outline.turner(), REACH + 4.0),
        Hold::Pull(grip) => (outline.grip(grip), REACH + 2.0),
    }
}

/// The frame as the pointer asks for it, measured from where it was when it was taken hold of.
fn dragged_frame(
    ui: &Ui,
    id: Id,
    response: &Response,
    hold: Hold,
    shown: &ShownFrame,
    aspect: Option<f32>,
    placement: &Placement,
) -> Option<ManualFrame> {
    let at = placement.picture_point(response.interact_pointer_pos()?);
    if response.drag_started_by(PointerButton::Primary) {
        let from = ui.input(|input| input.pointer.press_origin()).map_or(at, |from| placement.picture_point(from));
        ui.data_mut(|data| data.insert_temp(id, (shown.frame, from)));
    }
    if !response.dragged_by(PointerButton::Primary) {
        return None;
    }
    let (start, from): (ManualFrame, Point) = ui.data(|data| data.get_temp(id))?;
    let by = Point::new(at.x - from.x, at.y - from.y);
    if by == Point::default() {
        return None;
    }
    Some(match hold {
        Hold::Whole => shown.kept(start.moved(by)),
        Hold::Pull(grip) => pulled(shown, &start, grip, by, aspect),
        Hold::Turn => {
            let direction = |to: Point| (to.x - start.center.x).atan2(start.center.y - to.y).to_degrees();
            let angle = start.angle + direction(at) - direction(from);
            let steps = ui.input(|input| input.modifiers.shift);
            shown.kept(start.turned(snapped(angle, steps)))
        }
    })
}

fn pulled(shown: &ShownFrame, start: &ManualFrame, grip: Grip, by: Point, aspect: Option<f32>) -> ManualFrame {
    if shown.inside {
        start.pulled_inside(grip, by, aspect, shown.picture)
    } else {
        start.pulled(grip, by, aspect).kept_near(shown.picture)
    }
}

/// The frame after `by` steps of the arrow keys: a pixel of the photo each, or half a degree.
fn nudged(hold: Hold, shown: &ShownFrame, aspect: Option<f32>, by: Point) -> ManualFrame {
    match hold {
        Hold::Whole => shown.kept(shown.frame.moved(by)),
        Hold::Pull(grip) => pulled(shown, &shown.frame, grip, by, aspect),
        Hold::Turn => shown.kept(shown.frame.turned(shown.frame.angle + (by.x - by.y) * TURN_STEP)),
    }
}

fn snapped(angle: f32, steps: bool) -> f32 {
    if steps {
        return (angle / SHIFT_TURN).round() * SHIFT_TURN;
    }
    let quarter = (angle / 90.0).round() * 90.0;
    // Tenths are as fine as a hand is, and read well.
    if (angle - quarter).abs() <= SNAP { quarter } else { (angle * 10.0).round() / 10.0 }
}

fn sign(hold: Hold, outline: &Outline, dragged: bool) -> CursorIcon {
    match hold {
        Hold::Whole => CursorIcon::Move,
        Hold::Turn if dragged => CursorIcon::Grabbing,
        Hold::Turn => CursorIcon::Grab,
        Hold::Pull(grip) => {
            let out = outline.outward(grip);
            cursor(Point::new(out.x, out.y))
        }
    }
}

fn info(hold: Hold, shown: &ShownFrame, number: usize) -> WidgetInfo {
    let ManualFrame { width, height, angle, .. } = shown.frame;
    let slider = |name: &str, value: f32| WidgetInfo {
        value: Some(f64::from(value)),
        ..WidgetInfo::labeled(Role::Slider, true, name)
    };
    match hold {
        Hold::Whole => {
            let frame = shown.crop.frame;
            let (left, top, size) = (frame.x, frame.y, frame.size());
            WidgetInfo {
                current_text_value: Some(say!("{size} pixels at {left}, {top}", size = size, left = left, top = top)),
                ..WidgetInfo::labeled(Role::GraphicsObject, true, say!("Frame of face {number}", number = number))
            }
        }
        Hold::Turn => slider(tr("Turn of the frame"), angle),
        Hold::Pull(grip) => {
            let value = if grip.x == 0 { height } else { width };
            slider(tr(pull_name(grip)), value)
        }
    }
}

const fn pull_name(grip: Grip) -> &'static str {
    match (grip.x, grip.y) {
        (-1, -1) => mark("Top left corner of the frame"),
        (1, -1) => mark("Top right corner of the frame"),
        (1, 1) => mark("Bottom right corner of the frame"),
        (-1, 1) => mark("Bottom left corner of the frame"),
        (_, -1) => mark("Top side of the frame"),
        (_, 1) => mark("Bottom side of the frame"),
        (-1, _) => mark("Left side of the frame"),
        _ => mark("Right side of the frame"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_turns_in_tenths_and_stops_at_quarters() {
        assert_eq!(snapped(0.7, false), 0.0);
        assert_eq!(snapped(-89.2, false), -90.0);
        assert_eq!(snapped(12.345, false), 12.3);
        assert_eq!(snapped(38.0, true), 45.0);
    }

    #[test]
    fn every_part_to_pull_at_has_a_name_of_its_own() {
        let names: std::collections::HashSet<_> = Grip::ALL.map(pull_name).into();
        assert_eq!(names.len(), 8);
    }
}
