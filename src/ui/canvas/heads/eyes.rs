//! The eyes of a head: two points on the eye line that can be dragged in any direction.

use egui::{CursorIcon, Id, PointerButton, Pos2, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo};

use geometry::{Face, Head, Landmark, Point};

use super::super::super::command::{Command, Commands};
use super::super::super::language::say;
use super::super::super::theme::Palette;
use super::super::handles::{REACH, arrows, consumes_delete};
use super::super::placement::Placement;
use super::At;
use super::moves::{right, with_eyes};

/// Below this distance between the eyes, in points, they cannot be dragged: their areas would leave no room for eye line
/// and midline.
const MIN_APART: f32 = 32.0;

/// Maximum distance between eyes that were not dragged, as a share of the head's height.
const MAX_SHARE: f32 = 0.7;

/// Radius of the area that receives the pointer, in points.
const EYE_REACH: f32 = REACH + 3.0;

/// One eye of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Eye {
    Right,
    Left,
}

impl Eye {
    const ALL: [Self; 2] = [Self::Right, Self::Left];

    fn id(self, ui: &Ui, at: &At<'_>) -> Id {
        ui.scope_id().with((at.photo.id.0, "eye", at.index, self))
    }

    fn name(self, number: usize) -> String {
        match self {
            Self::Right => say!("Right eye of face {number}", number = number),
            Self::Left => say!("Left eye of face {number}", number = number),
        }
    }
}

/// The eyes of a head, which are on its eye line, at the same distance from its midline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eyes {
    /// The person's right eye, then the left one, in image pixels.
    at: [Point; 2],
}

/// What a head does not contain: how far its eyes are apart.
#[derive(Clone, Copy)]
struct Apart {
    eyes: Point,
    roll: f32,
    /// In image pixels.
    distance: f32,
}

/// The start of a drag.
#[derive(Clone, Copy)]
struct Start {
    head: Head,
    eyes: Eyes,
    /// The position of the pointer, in image pixels.
    pointer: Point,
}

impl Eyes {
    /// The eyes of `head`: as far apart as they were last dragged, otherwise as far as the landmarks of `face`.
    pub(super) fn of(ui: &Ui, at: &At<'_>, face: &Face, head: &Head) -> Self {
        let dragged: Option<Apart> = ui.data(|data| data.get_temp(Self::id(ui, at)));
        // If anything else has set the head since, such as undo, the distance may no longer match.
        let dragged = dragged.filter(|apart| apart.eyes == head.eyes && apart.roll == head.roll);
        Self::on_line(head, dragged.map_or_else(|| landmark_distance(face, head), |apart| apart.distance))
    }

    /// The eyes of `head` at this distance from each other.
    fn on_line(head: &Head, distance: f32) -> Self {
        let (aside, half) = (right(head), distance / 2.0);
        let at = |by: f32| Point::new(head.eyes.x + aside.x * by, head.eyes.y + aside.y * by);
        Self { at: [at(-half), at(half)] }
    }

    /// Stores the distance of the eyes for `head`, which is about to be set.
    pub(super) fn store(&self, ui: &Ui, at: &At<'_>, head: &Head) {
        let apart = Apart { eyes: head.eyes, roll: head.roll, distance: self.distance() };
        ui.data_mut(|data| data.insert_temp(Self::id(ui, at), apart));
    }

    fn id(ui: &Ui, at: &At<'_>) -> Id {
        ui.scope_id().with((at.photo.id.0, "eyes-apart", at.index))
    }

    fn distance(&self) -> f32 {
        self.at[0].distance(self.at[1])
    }

    /// True if they are far enough apart on the screen, or one is being dragged or has the focus.
    pub(super) fn can_be_dragged(&self, ui: &Ui, at: &At<'_>, placement: &Placement) -> bool {
        let is_in_use = |id| ui.ctx().is_being_dragged(id) || ui.memory(|memory| memory.has_focus(id));
        self.distance() * placement.scale() >= MIN_APART || Eye::ALL.iter().any(|eye| is_in_use(eye.id(ui, at)))
    }

    /// The head and its eyes with one eye at `to`. `None` if the eyes would be in one place.
    fn moved(&self, head: &Head, eye: Eye, to: Point) -> Option<(Head, Self)> {
        let mut at = self.at;
        at[eye as usize] = to;
        Some((with_eyes(head, at)?, Self { at }))
    }
}

fn landmark_distance(face: &Face, head: &Head) -> f32 {
    face.landmark(Landmark::RightEye).distance(face.landmark(Landmark::LeftEye)).min(head.height() * MAX_SHARE)
}

/// Moves the eyes by drags or arrow keys; returns the one hovered or dragged.
pub(super) fn eyes_ui(
    ui: &Ui,
    at: &At<'_>,
    head: &Head,
    eyes: &Eyes,
    placement: &Placement,
    commands: &mut Commands,
) -> Option<Eye> {
    let mut active = None;
    for eye in Eye::ALL {
        let place = eyes.at[eye as usize];
        let id = eye.id(ui, at);
        let area = Rect::from_center_size(placement.point(place), Vec2::splat(2.0 * EYE_REACH));
        let response = ui.interact(area, id, Sense::drag());
        response.widget_info(|| WidgetInfo {
            current_text_value: Some(format!("{:.0}, {:.0}", place.x, place.y)),
            ..WidgetInfo::labeled(Role::Slider, true, eye.name(at.number))
        });
        if response.hovered() || response.dragged() {
            ui.ctx().set_cursor_icon(CursorIcon::Move);
        }
        if response.hovered() || response.dragged() || response.has_focus() {
            active = Some(eye);
        }
        if at.photo.is_drawn(at.index) && response.has_focus() && consumes_delete(ui, id) {
            commands.push(Command::EraseFace(at.index));
        }
        let by_keys = |by: Point| eyes.moved(head, eye, Point::new(place.x + by.x, place.y + by.y));
        let wanted = dragged_to(ui, id, &response, eye, &Start { head: *head, eyes: *eyes, pointer: place }, placement)
            .or_else(|| arrows(ui, id, &response).and_then(by_keys));
        if let Some((wanted, moved)) = wanted.filter(|(wanted, _)| wanted != head && wanted.is_usable()) {
            moved.store(ui, at, &wanted);
            commands.push(Command::SetHead(at.index, wanted));
        }
    }
    active
}

/// The head for the current pointer position, computed from the head at the start of the drag. `now` is the current state.
fn dragged_to(
    ui: &Ui,
    id: Id,
    response: &Response,
    eye: Eye,
    now: &Start,
    placement: &Placement,
) -> Option<(Head, Eyes)> {
    let pointer = placement.picture_point(response.interact_pointer_pos()?);
    if response.drag_started_by(PointerButton::Primary) {
        let origin = ui.input(|input| input.pointer.press_origin());
        let from = origin.map_or(pointer, |from| placement.picture_point(from));
        ui.data_mut(|data| data.insert_temp(id, Start { pointer: from, ..*now }));
    }
    if !response.dragged_by(PointerButton::Primary) {
        return None;
    }
    let start: Start = ui.data(|data| data.get_temp(id))?;
    if pointer == start.pointer {
        return None;
    }
    let from = start.eyes.at[eye as usize];
    let to = Point::new(from.x + pointer.x - start.pointer.x, from.y + pointer.y - start.pointer.y);
    start.eyes.moved(&start.head, eye, to)
}

/// Rings around the eyes, so that the pupils stay visible, and around the chin.
pub(super) fn paint(
    ui: &Ui,
    palette: &Palette,
    placement: &Placement,
    eyes: &Eyes,
    active: Option<Eye>,
    chin: (Pos2, bool),
) {
    let eye = |eye: Eye| (placement.point(eyes.at[eye as usize]), active == Some(eye));
    for (at, is_active) in [eye(Eye::Right), eye(Eye::Left), chin] {
        let radius = if is_active { 9.0 } else { 7.0 };
        ui.painter().circle_stroke(at, radius, Stroke::new(3.5, palette.halo));
        ui.painter().circle_stroke(at, radius, Stroke::new(1.5, palette.head));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eyes_of_a_head_are_where_the_landmarks_are() {
        for roll in [0.0, 35.0, -90.0, 180.0] {
            let head = Head { eyes: Point::new(200.0, 150.0), eyes_to_crown: 60.0, eyes_to_chin: 62.0, roll };
            let face = Face::drawn(head);
            let eyes = Eyes::on_line(&head, landmark_distance(&face, &head));
            for (at, landmark) in eyes.at.into_iter().zip([Landmark::RightEye, Landmark::LeftEye]) {
                assert!(at.distance(face.landmark(landmark)) < 1e-3, "{roll}: {at:?}");
            }
        }
    }

    #[test]
    fn scattered_landmarks_keep_the_eyes_near_the_head() {
        let head = Head { eyes: Point::new(200.0, 150.0), eyes_to_crown: 50.0, eyes_to_chin: 50.0, roll: 0.0 };
        let mut face = Face::drawn(head);
        for far in [1e6, f32::NAN] {
            face.landmarks[Landmark::LeftEye as usize] = Point::new(far, 0.0);
            assert_eq!(Eyes::on_line(&head, landmark_distance(&face, &head)).distance(), 70.0);
        }
    }
}
