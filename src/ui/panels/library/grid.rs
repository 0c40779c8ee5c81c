//! The grid view.

use egui::{Align2, Rect, Ui, Vec2, pos2, vec2};

use super::super::super::command::Commands;
use super::super::super::state::{AppState, Photo};
use super::super::super::textures::Textures;
use super::super::super::theme::{palette, small, space};
use super::super::super::widgets::elide_middle;
use super::item::{ICON_SIZE, Item, item};
use super::name_field::name_field_ui;
use super::{GAP, Layout};

/// Minimum width of a tile, in points.
const MIN_TILE: f32 = 104.0;

/// Height of the line with the name, in points.
pub(super) const NAME: f32 = 20.0;

/// As many equal columns as fit in `width` points.
pub(super) fn layout(width: f32) -> Layout {
    let columns = ((width + GAP) / (MIN_TILE + GAP)).floor().max(1.0);
    Layout { columns: columns as usize, row_height: tile_width(width, columns as usize) + NAME }
}

fn tile_width(width: f32, columns: usize) -> f32 {
    let columns = columns as f32;
    ((width - (columns - 1.0) * GAP) / columns).floor().max(1.0)
}

pub(super) fn tiles_ui<'a>(
    ui: &mut Ui,
    state: &AppState,
    photos: impl Iterator<Item = &'a Photo>,
    layout: Layout,
    textures: &mut Textures,
    commands: &mut Commands,
) {
    let size = vec2(tile_width(ui.available_width(), layout.columns), layout.row_height);
    let mut photos = photos.peekable();
    while photos.peek().is_some() {
        ui.horizontal(|ui| {
            for photo in photos.by_ref().take(layout.columns) {
                tile_ui(ui, state, photo, size, textures, commands);
            }
        });
    }
}

fn tile_ui(ui: &mut Ui, state: &AppState, photo: &Photo, size: Vec2, textures: &mut Textures, commands: &mut Commands) {
    let Some(item) = item(ui, state, photo, size) else { return };
    let rect = item.response.rect;
    item.paint_background(ui, state);
    let space = Rect::from_min_max(rect.min, pos2(rect.right(), rect.bottom() - NAME)).shrink(space::S - 2.0);
    item.paint_thumbnail(ui, space, textures);
    let shown = item.crop_name.as_ref().unwrap_or(&photo.name);
    let name = elide_middle(ui, shown, &small(), rect.width() - 2.0 * space::XS);
    let color = if item.selected { ui.visuals().selection.stroke.color } else { ui.visuals().text_color() };
    if state.names.editing == Some(photo.id) {
        let line = Rect::from_min_max(pos2(rect.left(), rect.bottom() - NAME), rect.max);
        name_field_ui(ui, state, photo, line, commands);
    } else {
        let at = pos2(rect.center().x, rect.bottom() - NAME / 2.0 - 1.0);
        ui.painter().text(at, Align2::CENTER_CENTER, name, small(), color);
    }
    icons_ui(ui, &item, space);
    item.interact(ui, state, commands);
}

/// Icons are drawn on a patch of the panel's colour in the upper corner, so that they are visible on any photo.
fn icons_ui(ui: &Ui, item: &Item<'_>, space: Rect) {
    let icons = item.status_icon().into_iter().chain(item.edit_icons()).chain(item.name_icons());
    for (place, icon) in icons.enumerate() {
        let at = pos2(space.right() - ICON_SIZE / 2.0, space.top() + (place as f32 + 0.5) * (ICON_SIZE + 2.0));
        let patch = Rect::from_center_size(at, Vec2::splat(ICON_SIZE + 1.0));
        ui.painter().rect_filled(patch, 4.0, ui.visuals().panel_fill);
        ui.painter().rect_stroke(patch, 4.0, (1.0, palette(ui).canvas), egui::StrokeKind::Inside);
        item.on_panel().icon_ui(ui, at, icon);
    }
}
