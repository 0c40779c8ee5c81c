//! The list view.

use batch::settings::Settings;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Rect, Ui, Vec2, pos2, vec2};

use super::super::super::command::Commands;
use super::super::super::state::{AppState, ExportMark, Photo, PhotoStatus};
use super::super::super::textures::Textures;
use super::super::super::theme::{body, palette, small, space};
use super::super::super::widgets::elide_middle;
use super::item::{ICON_SIZE, Item, icon_at, item};
use super::name_field::name_field_ui;

/// Height of a row, in points, and with a line for the name of the crops.
const ROW_HEIGHT: f32 = 56.0;
const NAMED_ROW_HEIGHT: f32 = 66.0;

/// Distance, in points, of the first and the last line from the middle of a row, if the name of the crops is between them.
const LINE: f32 = 18.0;

/// Longer side of a thumbnail, in points.
const THUMBNAIL: f32 = 48.0;

/// Height of a row, in points.
pub(super) fn height(state: &AppState) -> f32 {
    if shows_names(state) { NAMED_ROW_HEIGHT } else { ROW_HEIGHT }
}

/// True if photos do not keep their own names, or if one is being named.
fn shows_names(state: &AppState) -> bool {
    state.names.requested.is_some() || state.names.editing.is_some()
}

pub(super) fn row_ui(ui: &mut Ui, state: &AppState, photo: &Photo, textures: &mut Textures, commands: &mut Commands) {
    let size = vec2(ui.available_width(), height(state));
    let Some(item) = item(ui, state, photo, size) else { return };
    let rect = item.response.rect;
    item.paint_background(ui, state);
    let middle = pos2(rect.left() + space::S + THUMBNAIL / 2.0, rect.center().y);
    item.paint_thumbnail(ui, Rect::from_center_size(middle, Vec2::splat(THUMBNAIL)), textures);
    let right = rect.right() - space::XS;
    let left = rect.left() + THUMBNAIL + 2.0 * space::S;
    let apart = if shows_names(state) { LINE - 9.0 } else { 0.0 };
    let (upper, lower) = (rect.center().y - 9.0 - apart, rect.center().y + 10.0 + apart);
    let mut ends = [right - space::XS; 2];
    if let Some(icon) = item.status_icon() {
        item.icon_ui(ui, icon_at(right, 0, upper), icon);
        ends[0] = right - ICON_SIZE;
    }
    for (place, icon) in item.edit_icons().enumerate() {
        item.icon_ui(ui, icon_at(right, place, lower), icon);
        ends[1] = right - (place as f32 + 1.0) * ICON_SIZE;
    }
    paint_text(ui, &state.settings, &item, left, ends, apart);
    if shows_names(state) {
        let line = Rect::from_min_max(pos2(left, rect.center().y - 10.0), pos2(right, rect.center().y + 10.0));
        name_ui(ui, state, &item, line, commands);
    }
    item.interact(ui, state, commands);
}

/// The name of the crops, or the field to type it.
fn name_ui(ui: &mut Ui, state: &AppState, item: &Item<'_>, mut line: Rect, commands: &mut Commands) {
    if state.names.editing == Some(item.photo.id) {
        return name_field_ui(ui, state, item.photo, line, commands);
    }
    let Some(name) = &item.crop_name else { return };
    let right = line.right();
    for (place, icon) in item.name_icons().enumerate() {
        item.icon_ui(ui, icon_at(right, place, line.center().y), icon);
        line.max.x -= ICON_SIZE;
    }
    let color = if item.selected { ui.visuals().selection.stroke.color } else { ui.visuals().text_color() };
    let name = elide_middle(ui, name, &small(), line.width() - 2.0);
    ui.painter().text(line.left_center(), Align2::LEFT_CENTER, name, small(), color);
}

/// Name and status; `ends` are the right ends of their lines, `apart` is their additional distance from the middle.
fn paint_text(ui: &Ui, settings: &Settings, item: &Item<'_>, left: f32, ends: [f32; 2], apart: f32) {
    let palette = palette(ui);
    let visuals = ui.visuals();
    let Item { photo, status, selected, response, .. } = item;
    let on_row = |color| if *selected { visuals.selection.stroke.color } else { color };
    let name = elide_middle(ui, &photo.name, &body(), ends[0] - left);
    let status_color = match (photo.status(&settings.recipe.crop), &photo.export) {
        (PhotoStatus::Failed(_), _) | (_, Some(ExportMark::Failed(_))) => palette.error,
        (_, Some(ExportMark::Written)) if !*selected => palette.ok,
        _ => on_row(visuals.weak_text_color()),
    };
    let name_color = if photo.is_excluded() { visuals.weak_text_color() } else { visuals.text_color() };
    let middle = response.rect.center().y;
    let painter = ui.painter();
    painter.text(pos2(left, middle - 1.0 - apart), Align2::LEFT_BOTTOM, name, body(), on_row(name_color));
    let mut job = LayoutJob::simple_singleline(status.replace('\n', " "), small(), status_color);
    job.wrap = TextWrapping::truncate_at_width(ends[1] - left);
    painter.galley(pos2(left, middle + 2.0 + apart), painter.layout_job(job), status_color);
}
