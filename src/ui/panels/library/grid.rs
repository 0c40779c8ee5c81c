//! The contact sheet: the crops as they will be written, with their warnings.

use std::ops::RangeInclusive;

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, Rect, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use batch::settings::WindowSettings;
use plan::PlannedCrop;

use super::super::super::canvas::paint_tile;
use super::super::super::command::{Command, Commands};
use super::super::super::language::{say, tr};
use super::super::super::messages;
use super::super::super::state::{AppState, CROPS_SHOWN, ExportMark, Mark, Photo, PhotoStatus, Sheet, TileKey};
use super::super::super::textures::Textures;
use super::super::super::theme::{palette, small, space};
use super::super::super::widgets::{elide_middle, tag};
use super::item::{ICON_SIZE, Item, item};
use super::name_field::name_field_ui;
use super::{GAP, Layout};

/// Height of the line with the name, in points.
pub(super) const NAME: f32 = 18.0;

/// Lines for warnings below the name, and the height of each, in points.
const LINES: usize = 2;
const LINE: f32 = 14.0;

/// Height of the text below a crop, in points.
pub(super) const TEXT: f32 = NAME + LINES as f32 * LINE + space::XS;

/// Distance of the crop from the edges of its cell, in points.
const MARGIN: f32 = 6.0;

/// Widths of a cell, in points.
const SIZES: RangeInclusive<f32> = WindowSettings::CELLS;

/// Height to width of a cell's space for the crop; wider and higher crops leave a part of it empty.
const ASPECTS: RangeInclusive<f32> = 0.6..=1.5;

/// Maximum width of a single cell, relative to the wanted one.
const MAX_STRETCH: f32 = 1.3;

/// Longer side of the smallest rendering, in pixels; larger ones are multiples of half of it, so that few are made while the
/// size changes.
const MIN_SIDE: u32 = 128;

/// As many equal columns as fit in `width` points.
pub(super) fn layout(state: &AppState, width: f32) -> Layout {
    let columns = ((width + GAP) / (state.settings.window.cell() + GAP)).floor().max(1.0) as usize;
    let output = state.framings().get(state.active_output()).output;
    let aspect = output.height as f32 / output.width.max(1) as f32;
    let picture = (cell_width(state, width, columns) - 2.0 * MARGIN) * aspect.clamp(*ASPECTS.start(), *ASPECTS.end());
    Layout { columns, row_height: (picture + 2.0 * MARGIN + TEXT).round() }
}

/// Several cells share `width`; a single one is not much wider than wanted.
fn cell_width(state: &AppState, width: f32, columns: usize) -> f32 {
    let max = if columns == 1 { state.settings.window.cell() * MAX_STRETCH } else { f32::INFINITY };
    let columns = columns as f32;
    ((width - (columns - 1.0) * GAP) / columns).floor().min(max).max(1.0)
}

/// The new width of a cell, if the wheel was turned with Ctrl or two fingers were spread over `place`.
pub(super) fn zoomed(ui: &Ui, state: &AppState, place: Rect) -> Option<Command> {
    let zoom = ui.input(egui::InputState::zoom_delta);
    // The steps of a wheel are too long for sizes.
    let cell = || (state.settings.window.cell() * zoom.sqrt()).clamp(*SIZES.start(), *SIZES.end());
    (zoom != 1.0 && ui.rect_contains_pointer(place)).then(|| Command::SetCell(cell()))
}

pub(super) fn cells_ui<'a>(
    ui: &mut Ui,
    state: &AppState,
    photos: impl Iterator<Item = &'a Photo>,
    layout: Layout,
    textures: &mut Textures,
    commands: &mut Commands,
) {
    let size = vec2(cell_width(state, ui.available_width(), layout.columns), layout.row_height);
    let mut lacking = Vec::new();
    let mut photos = photos.peekable();
    while photos.peek().is_some() {
        ui.horizontal(|ui| {
            for photo in photos.by_ref().take(layout.columns) {
                cell_ui(ui, state, photo, size, (textures, &mut lacking), commands);
            }
        });
    }
    lacking.truncate(state.list.tiles.free());
    if !lacking.is_empty() {
        commands.push(Command::RenderTiles(lacking));
    }
}

fn cell_ui(
    ui: &mut Ui,
    state: &AppState,
    photo: &Photo,
    size: Vec2,
    (textures, lacking): (&mut Textures, &mut Vec<TileKey>),
    commands: &mut Commands,
) {
    let Some(item) = item(ui, state, photo, size) else { return };
    let rect = item.response.rect;
    item.paint_background(ui, state);
    let space = Rect::from_min_max(rect.min, pos2(rect.right(), rect.bottom() - TEXT)).shrink(MARGIN);
    let sheet = state.sheet_of(photo);
    let places = places(space, sheet.plan.crops.len());
    if sheet.plan.crops.is_empty() {
        item.paint_thumbnail(ui, space, textures);
    }
    for (crop, place) in sheet.plan.crops.iter().zip(&places) {
        crop_ui(ui, state, photo, (&sheet, crop), *place, (textures, lacking));
    }
    if places.len() > 1
        && state.list.library.current == Some(photo.id)
        && let Some(previewed) = places.get(state.canvas.preview_index)
    {
        let stroke = Stroke::new(2.0, palette(ui).accent);
        ui.painter().rect_stroke(previewed.shrink(1.0), 0.0, stroke, StrokeKind::Inside);
    }
    let hidden = sheet.plan.crops.len().saturating_sub(places.len());
    if hidden > 0 {
        let text = say!("{n} more", n = hidden);
        tag(ui.painter(), palette(ui), space.right_bottom(), Align2::RIGHT_BOTTOM, &text);
    }
    if photo.is_excluded() {
        ui.painter().rect_filled(space, 0.0, ui.visuals().panel_fill.gamma_multiply(0.6));
    }
    text_ui(ui, state, &item, rect.with_min_y(rect.bottom() - TEXT), commands);
    icons_ui(ui, &item, space);
    // A click on one of several crops shows it.
    let at = item.response.interact_pointer_pos().filter(|_| item.response.clicked());
    let clicked = at.and_then(|at| places.iter().position(|place| place.contains(at)));
    item.interact(ui, state, commands);
    commands.extend(clicked.map(Command::ShowCrop));
}

/// Where the crops of a photo are drawn: as many equal parts of `space` as needed.
fn places(space: Rect, crops: usize) -> Vec<Rect> {
    let crops = crops.min(CROPS_SHOWN);
    let across = (crops as f32).sqrt().ceil().max(1.0);
    let down = (crops as f32 / across).ceil().max(1.0);
    let size = space.size() / vec2(across, down);
    let at = |place: usize| vec2((place % across as usize) as f32, (place / across as usize) as f32);
    (0..crops).map(|place| Rect::from_min_size(space.min + at(place) * size, size)).collect()
}

fn crop_ui(
    ui: &Ui,
    state: &AppState,
    photo: &Photo,
    (sheet, crop): (&Sheet, &PlannedCrop),
    place: Rect,
    (textures, lacking): (&mut Textures, &mut Vec<TileKey>),
) {
    let output = vec2(crop.output.width as f32, crop.output.height as f32);
    let scale = ((place.width() - 2.0) / output.x).min((place.height() - 2.0) / output.y);
    let target = Rect::from_center_size(place.center(), output * scale);
    // In pixels of the screen, but no more than the crop has.
    let shown = (output.max_elem() * scale * ui.pixels_per_point()).ceil() as u32;
    let side = shown.max(MIN_SIDE).next_multiple_of(MIN_SIDE / 2).min(crop.output.long_side().max(1));
    let key = TileKey { item: photo.id, crop: *crop, render: sheet.render, side };
    if state.list.tiles.lacks(&key) {
        lacking.push(key);
    }
    paint_tile(ui, state, photo, &key, target, textures);
}

/// The name, and the warnings or the state.
fn text_ui(ui: &mut Ui, state: &AppState, item: &Item<'_>, place: Rect, commands: &mut Commands) {
    let photo = item.photo;
    let width = place.width() - 2.0 * space::XS;
    let selected = item.selected.then(|| ui.visuals().selection.stroke.color);
    let on_cell = |color: Color32| selected.unwrap_or(color);
    if state.names.editing == Some(photo.id) {
        name_field_ui(ui, state, photo, place.with_max_y(place.top() + NAME), commands);
    } else {
        let shown = item.crop_name.as_ref().unwrap_or(&photo.name);
        let name = elide_middle(ui, shown, &small(), width);
        let at = pos2(place.center().x, place.top() + NAME / 2.0);
        ui.painter().text(at, Align2::CENTER_CENTER, name, small(), on_cell(ui.visuals().text_color()));
    }
    let (text, color) = caption(ui, state, item);
    let mut job = LayoutJob::simple(text, small(), on_cell(color), width);
    job.halign = egui::Align::Center;
    job.wrap = TextWrapping { max_width: width, max_rows: LINES, ..TextWrapping::default() };
    for section in &mut job.sections {
        section.format.line_height = Some(LINE);
    }
    let galley = ui.painter().layout_job(job);
    ui.painter().galley(pos2(place.center().x, place.top() + NAME), galley, color);
}

/// The warnings that were not accepted, else the state.
fn caption(ui: &Ui, state: &AppState, item: &Item<'_>) -> (String, Color32) {
    let (photo, palette) = (item.photo, palette(ui));
    let weak = ui.visuals().weak_text_color();
    if matches!(photo.status(&state.settings.recipe.crop), PhotoStatus::NotDetected) {
        // The same for every photo; the status bar has the reason.
        return (tr("Not searched").to_owned(), weak);
    }
    if photo.marks().has(Mark::NeedsReview) {
        let color = if item.is_missing() { palette.error } else { palette.warning };
        return (messages::capitalized(&item.reasons()), color);
    }
    let color = match (photo.status(&state.settings.recipe.crop), &photo.export) {
        (PhotoStatus::Failed(_), _) | (_, Some(ExportMark::Failed(_))) => palette.error,
        (_, Some(ExportMark::Written)) => palette.ok,
        _ => weak,
    };
    (item.status.clone(), color)
}

/// Icons are drawn on a patch of the panel's colour in the upper corner, so that they are visible on any photo.
fn icons_ui(ui: &Ui, item: &Item<'_>, space: Rect) {
    let icons = item.status_icon().into_iter().chain(item.written_icon()).chain(item.edit_icons());
    for (place, icon) in icons.chain(item.name_icons()).enumerate() {
        let at = pos2(space.right() - ICON_SIZE / 2.0, space.top() + (place as f32 + 0.5) * (ICON_SIZE + 2.0));
        let patch = Rect::from_center_size(at, Vec2::splat(ICON_SIZE + 1.0));
        ui.painter().rect_filled(patch, 4.0, ui.visuals().panel_fill);
        ui.painter().rect_stroke(patch, 4.0, (1.0, palette(ui).canvas), StrokeKind::Inside);
        item.on_panel().icon_ui(ui, at, icon);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_crop_of_a_photo_has_a_place() {
        let space = Rect::from_min_size(pos2(10.0, 20.0), vec2(90.0, 120.0));
        assert_eq!(places(space, 1), [space]);
        for crops in 2..=CROPS_SHOWN {
            let places = places(space, crops);
            assert_eq!(places.len(), crops);
            for (index, place) in places.iter().enumerate() {
                assert!(space.expand(0.01).contains_rect(*place), "{place:?}");
                assert!(places[..index].iter().all(|other| !other.intersects(place.shrink(0.1))), "{crops} crops");
            }
        }
        assert_eq!(places(space, 40).len(), CROPS_SHOWN);
    }
}
