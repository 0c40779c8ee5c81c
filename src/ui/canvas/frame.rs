//! The frame of the previewed crop: drag its border to move it, its side handles to resize, its rotation handle to rotate.
//!
//! Only visible lines and handles are draggable; a drag anywhere else pans the photo. So a drag inside a frame pans too,
//! unless Ctrl (Cmd on macOS) is held, which moves the frame.

mod shape;

use egui::{CursorIcon, Id, PointerButton, Pos2, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};
use shape::Outline;

use geometry::{Grip, ManualFrame, Point};
use plan::CropPlan;

use super::super::command::{Command, Commands};
use super::super::language::{mark, say, tr};
use super::super::state::{AppState, Photo, ShownFrame};
use super::handles::{REACH, arrows, cursor, nearest};
use super::placement::Placement;

/// Degrees per press of an arrow key on the rotation handle; ten times as much with Shift.
const ROTATION_STEP: f32 = 0.5;

/// Rotation snaps to a quarter turn within this many degrees.
const SNAP: f32 = 1.0;

/// Step of rotation with Shift, in degrees.
const SHIFT_ROTATION_STEP: f32 = 15.0;

/// A draggable part of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum FrameHandle {
    Move,
    Rotate,
    Resize(Grip),
}

/// Edits the previewed crop's frame. A click on the border of another frame previews that one.
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
        let at = pointer.and_then(|pointer| outline.border_near(pointer, REACH)).unwrap_or(outline.idle_point());
        let id = ui.scope_id().with((photo.id.0, "other-frame", crop.face_index));
        let response = ui.interact(Rect::from_center_size(at, Vec2::splat(2.0 * REACH)), id, Sense::click());
        let name = || say!("Show crop {number}", number = index + 1);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name()));
        if response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(name()).clicked() {
            commands.push(Command::ShowCrop(index));
        }
    }
    let outline = Outline::new(placement.corners(&shown.crop), ui.clip_rect());
    let active = handles_ui(ui, state, photo, &shown, &outline, placement, commands);
    shape::paint(ui, &outline, active, &shown);
}

fn handles_ui(
    ui: &Ui,
    state: &AppState,
    photo: &Photo,
    shown: &ShownFrame,
    outline: &Outline,
    placement: &Placement,
    commands: &mut Commands,
) -> Option<FrameHandle> {
    let pointer = ui.input(|input| input.pointer.latest_pos());
    let number = photo.number(shown.face, &state.settings.recipe.crop);
    let mut active = None;
    // If handles overlap, the last one receives the pointer.
    let pulls = Grip::ALL.into_iter().filter(|grip| outline.has(*grip)).map(FrameHandle::Resize);
    for handle in [FrameHandle::Move].into_iter().chain(pulls).chain([FrameHandle::Rotate]) {
        let id = ui.scope_id().with((photo.id.0, "frame", shown.face, handle));
        let (at, reach) = hit_area(ui, handle, outline, pointer);
        let response = ui.interact(Rect::from_center_size(at, Vec2::splat(2.0 * reach)), id, Sense::drag());
        response.widget_info(|| info(handle, shown, number));
        if handle == FrameHandle::Move && state.canvas.tools.focus_frame {
            response.request_focus();
            commands.push(Command::FocusFrame(false));
        }
        let dragged = response.dragged_by(PointerButton::Primary);
        if response.hovered() || dragged {
            ui.ctx().set_cursor_icon(cursor_icon(handle, outline, dragged));
        }
        if response.hovered() || dragged || response.has_focus() {
            active = Some(handle);
        }
        let free = state.canvas.tools.free_aspect || ui.input(|input| input.modifiers.shift);
        let aspect = (shown.locked.is_some() || !free).then_some(shown.aspect);
        let by_pointer = dragged_frame(ui, id, &response, handle, shown, aspect, placement);
        let wanted = by_pointer.or_else(|| {
            // With Shift the step is larger, so the aspect ratio depends on the toggle alone.
            let aspect = (shown.locked.is_some() || !state.canvas.tools.free_aspect).then_some(shown.aspect);
            arrows(ui, id, &response).map(|by| nudged(handle, shown, aspect, by))
        });
        if let Some(frame) = wanted.filter(|wanted| *wanted != shown.frame && wanted.is_usable()) {
            commands.push(Command::SetFrame(shown.face, Some(frame)));
        }
    }
    active
}

/// Centre and radius, in points, of the area that receives the pointer.
fn hit_area(ui: &Ui, handle: FrameHandle, outline: &Outline, pointer: Option<Pos2>) -> (Pos2, f32) {
    match handle {
        // The point of the border nearest to the pointer, as with head lines.
        FrameHandle::Move => {
            let command = ui.input(|input| input.modifiers.command);
            let inside = pointer.filter(|&pointer| command && outline.contains(pointer));
            let near = pointer.and_then(|pointer| outline.border_near(pointer, REACH));
            (near.or(inside).unwrap_or(outline.idle_point()), REACH)
        }
        FrameHandle::Rotate => (outline.rotation_handle(), REACH + 4.0),
        FrameHandle::Resize(grip) => (outline.grip(grip), REACH + 2.0),
    }
}

/// The frame for the current pointer position, computed from the frame at the start of the drag.
fn dragged_frame(
    ui: &Ui,
    id: Id,
    response: &Response,
    handle: FrameHandle,
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
    Some(match handle {
        FrameHandle::Move => shown.kept(start.moved(by)),
        FrameHandle::Resize(grip) => pulled(shown, &start, grip, by, aspect),
        FrameHandle::Rotate => {
            let direction = |to: Point| (to.x - start.center.x).atan2(start.center.y - to.y).to_degrees();
            let angle = start.angle + direction(at) - direction(from);
            let steps = ui.input(|input| input.modifiers.shift);
            shown.kept(start.rotated(snapped(angle, steps)))
        }
    })
}

fn pulled(shown: &ShownFrame, start: &ManualFrame, grip: Grip, by: Point, aspect: Option<f32>) -> ManualFrame {
    if shown.inside {
        start.resized_inside(grip, by, aspect, shown.picture)
    } else {
        start.resized(grip, by, aspect).clamped_near(shown.picture)
    }
}

/// The frame after `by` steps of the arrow keys: one image pixel, or half a degree, per step.
fn nudged(handle: FrameHandle, shown: &ShownFrame, aspect: Option<f32>, by: Point) -> ManualFrame {
    match handle {
        FrameHandle::Move => shown.kept(shown.frame.moved(by)),
        FrameHandle::Resize(grip) => pulled(shown, &shown.frame, grip, by, aspect),
        FrameHandle::Rotate => shown.kept(shown.frame.rotated(shown.frame.angle + (by.x - by.y) * ROTATION_STEP)),
    }
}

fn snapped(angle: f32, steps: bool) -> f32 {
    if steps {
        return (angle / SHIFT_ROTATION_STEP).round() * SHIFT_ROTATION_STEP;
    }
    let quarter = (angle / 90.0).round() * 90.0;
    // Tenths are as precise as a drag, and short to display.
    if (angle - quarter).abs() <= SNAP { quarter } else { (angle * 10.0).round() / 10.0 }
}

fn cursor_icon(handle: FrameHandle, outline: &Outline, dragged: bool) -> CursorIcon {
    match handle {
        FrameHandle::Move => CursorIcon::Move,
        FrameHandle::Rotate if dragged => CursorIcon::Grabbing,
        FrameHandle::Rotate => CursorIcon::Grab,
        FrameHandle::Resize(grip) => {
            let out = outline.outward(grip);
            cursor(Point::new(out.x, out.y))
        }
    }
}

fn info(handle: FrameHandle, shown: &ShownFrame, number: usize) -> WidgetInfo {
    let ManualFrame { width, height, angle, .. } = shown.frame;
    let slider = |name: &str, value: f32| WidgetInfo {
        value: Some(f64::from(value)),
        ..WidgetInfo::labeled(Role::Slider, true, name)
    };
    match handle {
        FrameHandle::Move => {
            let frame = shown.crop.frame;
            let (left, top, size) = (frame.x, frame.y, frame.size());
            WidgetInfo {
                current_text_value: Some(say!("{size} pixels at {left}, {top}", size = size, left = left, top = top)),
                ..WidgetInfo::labeled(Role::GraphicsObject, true, say!("Frame of face {number}", number = number))
            }
        }
        FrameHandle::Rotate => slider(tr("Rotation of the frame"), angle),
        FrameHandle::Resize(grip) => {
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
    fn rotation_has_steps_of_tenths_and_snaps_to_quarter_turns() {
        assert_eq!(snapped(0.7, false), 0.0);
        assert_eq!(snapped(-89.2, false), -90.0);
        assert_eq!(snapped(12.345, false), 12.3);
        assert_eq!(snapped(38.0, true), 45.0);
    }

    #[test]
    fn every_handle_has_a_unique_name() {
        let names: std::collections::HashSet<_> = Grip::ALL.map(pull_name).into();
        assert_eq!(names.len(), 8);
    }
}
