//! The faces on the photo: clickable boxes, numbers, scores, landmarks, and a context menu for each.

use batch::settings::Settings;
use egui::{
    Align2, Color32, CursorIcon, Painter, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, vec2,
};

use geometry::Face;

use super::super::command::{Command, Commands};
use super::super::language::{decimal, say, tr};
use super::super::state::{Framings, Photo};
use super::super::theme::{Palette, palette};
use super::super::widgets::tag;
use super::handles::consumes_delete;
use super::placement::{Placement, corners};

/// Below this height, in points, a face shows score and landmarks only while hovered.
const SMALL_FACE: f32 = 28.0;

/// Minimum size of a face's click target, in points.
const MIN_TARGET: f32 = 16.0;

/// A face as drawn.
struct FaceItem<'a> {
    index: usize,
    face: &'a Face,
    /// Counted from the left, starting at 1.
    number: usize,
    /// True if there is more than one face.
    several: bool,
    included: bool,
    drawn: bool,
}

/// Draws the faces; a click includes or excludes one. Returns the index of the hovered one.
pub(super) fn faces_ui(
    ui: &mut Ui,
    settings: &Settings,
    photo: &Photo,
    placement: &Placement,
    commands: &mut Commands,
) -> Option<usize> {
    let palette = palette(ui);
    let mut highlighted = None;
    for shown in items(settings, photo) {
        let rect = placement.rect(shown.face.bbox);
        let target = Rect::from_center_size(rect.center(), rect.size().max(vec2(MIN_TARGET, MIN_TARGET)));
        if !target.intersects(ui.clip_rect()) {
            continue;
        }
        let id = ui.scope_id().with((photo.id.0, shown.index));
        let response = ui.interact(target.intersect(ui.clip_rect()), id, Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, shown.included, name(&shown)));
        if response.clicked() {
            commands.push(Command::ToggleFace(shown.index));
        }
        if shown.drawn && response.has_focus() && consumes_delete(ui, id) {
            commands.push(Command::EraseFace(shown.index));
        }
        response.context_menu(|ui| menu_ui(ui, settings, photo, shown.index, commands));
        if is_highlighted(&response) {
            highlighted = Some((shown, rect));
        } else {
            paint_face(ui, palette, placement, &shown, rect, false);
        }
        response.on_hover_cursor(CursorIcon::PointingHand);
    }
    // On top of the others, so that its label is readable.
    let (shown, rect) = highlighted?;
    paint_face(ui, palette, placement, &shown, rect, true);
    Some(shown.index)
}

/// Draws the faces without reacting to the pointer.
pub(super) fn paint_faces(ui: &Ui, settings: &Settings, photo: &Photo, placement: &Placement) {
    for shown in items(settings, photo) {
        paint_face(ui, palette(ui), placement, &shown, placement.rect(shown.face.bbox), false);
    }
}

/// The visible faces, the smallest last, so that it receives clicks over larger ones.
fn items<'a>(settings: &Settings, photo: &'a Photo) -> Vec<FaceItem<'a>> {
    let spec = &settings.recipe.crop;
    let chosen = photo.chosen(spec);
    let numbered = photo.numbered(spec);
    let several = numbered.len() > 1;
    let mut shown: Vec<FaceItem<'_>> = numbered
        .into_iter()
        .enumerate()
        .map(|(place, index)| FaceItem {
            index,
            face: &photo.faces()[index],
            number: place + 1,
            several,
            included: chosen.contains(&index),
            drawn: photo.is_drawn(index),
        })
        .collect();
    shown.sort_by(|a, b| b.face.bbox.area().total_cmp(&a.face.bbox.area()));
    shown
}

fn is_highlighted(response: &Response) -> bool {
    response.hovered() || response.has_focus() || response.context_menu_opened()
}

fn name(shown: &FaceItem<'_>) -> String {
    let state = if shown.included { tr("included") } else { tr("not included") };
    let number = shown.number;
    if shown.drawn {
        say!("Face {number}, drawn, {state}", number = number, state = state)
    } else {
        say!(
            "Face {number}, score {score}, {state}",
            number = number,
            score = decimal(shown.face.score, 2),
            state = state
        )
    }
}

/// Context menu of a face.
pub(super) fn menu_ui(ui: &mut Ui, settings: &Settings, photo: &Photo, index: usize, commands: &mut Commands) {
    let Some(face) = photo.faces().get(index) else { return };
    let order = photo.order(&settings.recipe.crop);
    let from = order.iter().position(|&other| other == index);
    let mut entry = |ui: &mut Ui, text: &str, command: Option<Command>| {
        if ui.add_enabled(command.is_some(), egui::Button::new(text)).clicked() {
            commands.extend(command);
            ui.close();
        }
    };
    let text = if from.is_some() { tr("Exclude this face") } else { tr("Crop this face") };
    entry(ui, text, Some(Command::ToggleFace(index)));
    let plan = photo.plan(&Framings::of(&settings.recipe), 0);
    let place = plan.crops.iter().position(|crop| crop.face_index == index);
    entry(ui, tr("Show this crop"), place.map(Command::ShowCrop));
    let to = |to: Option<usize>| {
        let (from, to) = (from?, to.filter(|&to| to < order.len())?);
        (from != to).then_some(Command::MoveFace { from, to })
    };
    if order.len() > 1 {
        ui.separator();
        entry(ui, tr("Move crop first"), to(Some(0)));
        entry(ui, tr("Move crop earlier"), to(from.and_then(|from| from.checked_sub(1))));
        entry(ui, tr("Move crop later"), to(from.map(|from| from + 1)));
    }
    if face.frame.is_some() || photo.is_drawn(index) {
        ui.separator();
    }
    if face.frame.is_some() {
        entry(ui, tr("Reset frame"), Some(Command::SetFrame(index, None)));
    }
    if photo.is_drawn(index) {
        entry(ui, tr("Delete this face"), Some(Command::EraseFace(index)));
    }
}

fn paint_face(ui: &Ui, palette: &Palette, placement: &Placement, shown: &FaceItem<'_>, rect: Rect, highlighted: bool) {
    let painter = ui.painter();
    let color = if shown.included { palette.face_chosen } else { palette.face };
    let width = if highlighted { 3.0 } else { 1.5 };
    if shown.drawn {
        dashed(painter, rect, width, color, palette.halo);
    } else {
        let corner = (rect.width().min(rect.height()) * 0.1).clamp(1.0, 6.0);
        painter.rect_stroke(rect, corner, Stroke::new(width + 2.0, palette.halo), StrokeKind::Middle);
        painter.rect_stroke(rect, corner, Stroke::new(width, color), StrokeKind::Middle);
    }
    if rect.width() < SMALL_FACE && !highlighted && !shown.several {
        return;
    }
    if !shown.drawn && rect.width() >= SMALL_FACE {
        // The first two are the eyes; those of a head set by the user may be elsewhere.
        let hidden = if shown.face.head.is_some() { 2 } else { 0 };
        for point in shown.face.landmarks.into_iter().skip(hidden) {
            let at = placement.point(point);
            painter.circle_filled(at, 3.0, palette.halo);
            painter.circle_filled(at, 2.0, color);
        }
    }
    let text = label(shown, highlighted, rect.width() < SMALL_FACE);
    tag(painter, palette, rect.left_top() - vec2(0.0, 3.0), Align2::LEFT_BOTTOM, &text);
}

/// Label above a face: its number if there are several, its score, and the result of a click.
fn label(shown: &FaceItem<'_>, highlighted: bool, small: bool) -> String {
    let mut parts = Vec::new();
    if shown.several {
        parts.push(shown.number.to_string());
    }
    if !small || highlighted {
        parts.push(if shown.drawn { tr("drawn").to_owned() } else { decimal(shown.face.score, 2) });
    }
    if highlighted {
        parts.push(if shown.included { tr("click to exclude") } else { tr("click to crop") }.to_owned());
    }
    parts.join("  ")
}

/// Outline of a drawn face.
fn dashed(painter: &Painter, rect: Rect, width: f32, color: Color32, halo: Color32) {
    let [a, b, c, d] = corners(rect);
    let path = [a, b, c, d, a];
    for (width, color) in [(width + 2.0, halo), (width, color)] {
        painter.extend(Shape::dashed_line(&path, Stroke::new(width, color), 7.0, 5.0));
    }
}
