//! The faces on the photo: boxes to click, scores, landmarks.

use egui::{Align2, CursorIcon, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::super::command::{Command, Commands};
use super::super::state::Photo;
use super::super::theme::{Palette, palette};
use super::super::widgets::tag;
use super::place::Placement;
use crate::geometry::Face;
use crate::plan::CropSpec;

/// A face smaller than this many points shows no score and no landmarks of its own accord.
const SMALL_FACE: f32 = 28.0;

/// Points a face to click has at least.
const LEAST_TARGET: f32 = 16.0;

/// Draws the faces; a click includes or excludes one. Gives the index of the one under the pointer.
pub(super) fn faces_ui(
    ui: &mut Ui,
    photo: &Photo,
    placement: &Placement,
    spec: &CropSpec,
    commands: &mut Commands,
) -> Option<usize> {
    let palette = palette(ui);
    let chosen = photo.chosen(spec);
    let mut shown = photo.shown(spec);
    // The last one drawn is clicked first: small faces lie over large ones.
    shown.sort_by(|&a, &b| photo.faces()[b].bbox.area().total_cmp(&photo.faces()[a].bbox.area()));
    let mut lit = None;
    for index in shown {
        let face = &photo.faces()[index];
        let included = chosen.contains(&index);
        let rect = placement.rect(face.bbox);
        let target = Rect::from_center_size(rect.center(), rect.size().max(vec2(LEAST_TARGET, LEAST_TARGET)));
        if !target.intersects(ui.clip_rect()) {
            continue;
        }
        let id = ui.scope_id().with((photo.id.0, index));
        let response = ui.interact(target.intersect(ui.clip_rect()), id, Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, included, name(index, face, included)));
        if response.hovered() || response.has_focus() {
            lit = Some((index, face, rect, included));
        } else {
            paint_face(ui, palette, placement, face, rect, included, false);
        }
        if response.on_hover_cursor(CursorIcon::PointingHand).clicked() {
            commands.push(Command::ToggleFace(index));
        }
    }
    // Over all others, so that its words can be read.
    let (index, face, rect, included) = lit?;
    paint_face(ui, palette, placement, face, rect, included, true);
    Some(index)
}

fn name(index: usize, face: &Face, included: bool) -> String {
    let state = if included { "included" } else { "not included" };
    format!("Face {}, score {:.2}, {state}", index + 1, face.score)
}

fn paint_face(ui: &Ui, palette: &Palette, placement: &Placement, face: &Face, rect: Rect, included: bool, lit: bool) {
    let painter = ui.painter();
    let color = if included { palette.face_chosen } else { palette.face };
    let width = if lit { 3.0 } else { 1.5 };
    let corner = (rect.width().min(rect.height()) * 0.1).clamp(1.0, 6.0);
    painter.rect_stroke(rect, corner, Stroke::new(width + 2.0, palette.halo), StrokeKind::Middle);
    painter.rect_stroke(rect, corner, Stroke::new(width, color), StrokeKind::Middle);
    if rect.width() < SMALL_FACE && !lit {
        return;
    }
    for point in face.landmarks {
        let at = placement.point(point);
        painter.circle_filled(at, 3.0, palette.halo);
        painter.circle_filled(at, 2.0, color);
    }
    let text = match (lit, included) {
        (true, true) => format!("{:.2}  click to leave out", face.score),
        (true, false) => format!("{:.2}  click to crop", face.score),
        (false, _) => format!("{:.2}", face.score),
    };
    tag(painter, palette, rect.left_top() - vec2(0.0, 3.0), Align2::LEFT_BOTTOM, &text);
}
