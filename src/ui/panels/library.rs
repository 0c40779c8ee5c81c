//! At the left: the list of photos.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Id, Panel, Rect, Response, RichText, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::super::canvas::unit_rect;
use super::super::command::{Command, Commands};
use super::super::dialogs::PickerKind;
use super::super::state::{AppState, ExportMark, Photo, PhotoStatus, SelectHow};
use super::super::textures::{TextureKey, Textures};
use super::super::theme::{CORNER, UNTINTED, body, palette, small, space};
use super::super::widgets::{elide_middle, warning_sign, wide_button};
use super::super::words;
use super::paths::PathField;
use crate::import::parse_pasted_paths;
use crate::plan::Concern;
use crate::worker::ItemId;

/// Points of one row.
const ROW_HEIGHT: f32 = 56.0;

/// Points of the sign for photos that need a look.
const SIGN: f32 = 18.0;

/// Points of a thumbnail's longer side.
const THUMBNAIL: f32 = 48.0;

pub(super) fn library_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    Panel::bottom("add").frame(egui::Frame::NONE).show_separator_line(false).show(ui, |ui| {
        ui.add_space(space::S);
        if !state.library.is_empty() {
            add_buttons_ui(ui, commands);
        }
        path_field_ui(ui, state, commands);
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new("Photos").strong());
        if !state.library.is_empty() {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(RichText::new(counts(state)).weak().small());
            });
        }
    });
    let list = &state.library;
    ui.spacing_mut().item_spacing.y = 2.0;
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, ROW_HEIGHT, list.len(), |ui, rows| {
        let top = ui.max_rect().top();
        let width = ui.available_width();
        if let Some(place) = newly_current(ui, state) {
            let y = top + (place as f32 - rows.start as f32) * (ROW_HEIGHT + 2.0);
            ui.scroll_to_rect(Rect::from_min_size(pos2(ui.max_rect().left(), y), vec2(width, ROW_HEIGHT)), None);
        }
        for photo in &list.photos()[rows] {
            row_ui(ui, state, photo, textures, commands);
        }
    });
}

fn counts(state: &AppState) -> String {
    let all = words::count(state.library.len(), "photo", "photos");
    match state.library.selected_count() {
        0 | 1 => all,
        selected => format!("{selected} of {all} selected"),
    }
}

fn add_buttons_ui(ui: &mut Ui, commands: &mut Commands) {
    ui.columns_const(|[left, right]: &mut [Ui; 2]| {
        for (ui, text, kind) in [(left, "Add files…", PickerKind::Files), (right, "Add folder…", PickerKind::Folder)]
        {
            let width = ui.available_width();
            if wide_button(ui, true, text, width).clicked() {
                commands.push(Command::Pick(kind));
            }
        }
    });
}

/// Takes paths typed or pasted, one a line or one alone.
fn path_field_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let id = Id::unique("path-field");
    let mut text: String = ui.data_mut(|data| data.get_temp(id)).unwrap_or_default();
    let field = PathField {
        id: id.with("edit"),
        name: "Path to add",
        hint: "Type or paste a path, press Enter",
        want: PickerKind::Files.about().want,
        width: f32::INFINITY,
        line: None,
    };
    let (response, _) = field.show(ui, state, &mut text, commands);
    if response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
        let paths = parse_pasted_paths(&text);
        if !paths.is_empty() {
            commands.push(Command::Import(paths));
            text.clear();
        } else if !text.trim().is_empty() {
            commands.push(Command::Tell("That is not the path of a file or a folder. Please give the full path."));
        }
        response.request_focus();
    }
    ui.data_mut(|data| data.insert_temp(id, text));
}

/// The place of the photo on the canvas, once after it has changed.
fn newly_current(ui: &Ui, state: &AppState) -> Option<usize> {
    let id = Id::unique("library-scrolled-to");
    let last: Option<ItemId> = ui.data(|data| data.get_temp::<Option<ItemId>>(id)).flatten();
    ui.data_mut(|data| data.insert_temp(id, state.library.current));
    let current = state.library.current.filter(|current| Some(*current) != last)?;
    state.library.place(current)
}

fn row_ui(ui: &mut Ui, state: &AppState, photo: &Photo, textures: &mut Textures, commands: &mut Commands) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    if !ui.is_rect_visible(rect) {
        return;
    }
    let selected = state.library.is_selected(photo.id);
    let status = words::status(photo, &state.settings.crop, &state.runtime);
    response
        .widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, selected, format!("{}, {status}", photo.name)));
    paint_background(ui, state, photo, rect, &response, selected);
    paint_thumbnail(ui, photo, rect, textures);
    let text =
        Rect::from_min_max(pos2(rect.left() + THUMBNAIL + 2.0 * space::S, rect.top()), rect.max - vec2(space::S, 0.0));
    let concerns = photo.concerns(&state.settings.crop);
    let text = text.with_max_x(text.right() - if concerns.is_empty() { 0.0 } else { SIGN });
    paint_text(ui, state, photo, text, &status, selected);
    if response.clicked() {
        commands.push(Command::Select(photo.id, select_how(ui)));
    }
    response.context_menu(|ui| {
        if ui.button("Remove from list").clicked() {
            if !selected {
                commands.push(Command::Select(photo.id, SelectHow::Only));
            }
            commands.push(Command::RemoveSelected);
            ui.close();
        }
    });
    response.on_hover_ui(|ui| {
        ui.set_max_width(420.0);
        ui.label(photo.path.display().to_string());
        ui.label(RichText::new(&status).weak());
    });
    if !concerns.is_empty() {
        sign_ui(ui, photo, rect, &concerns);
    }
}

/// The sign of a photo that needs a look; says why.
fn sign_ui(ui: &Ui, photo: &Photo, row: Rect, concerns: &[Concern]) {
    let place = Rect::from_center_size(pos2(row.right() - space::S - SIGN / 2.0, row.center().y), Vec2::splat(SIGN));
    let words: Vec<String> = concerns.iter().map(|concern| concern.kind.to_string()).collect();
    let response = ui.interact(place, ui.scope_id().with(("needs-a-look", photo.id.0)), Sense::hover());
    let name = format!("{} needs a look: {}", photo.name, words.join("; "));
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    warning_sign(ui.painter(), place.center(), palette(ui).warning);
    response.on_hover_ui(|ui| {
        ui.set_max_width(420.0);
        ui.label(RichText::new("Needs a look").strong());
        words.iter().for_each(|word| _ = ui.label(word));
    });
}

fn select_how(ui: &Ui) -> SelectHow {
    let modifiers = ui.input(|input| input.modifiers);
    match (modifiers.command, modifiers.shift) {
        (true, _) => SelectHow::Toggle,
        (false, true) => SelectHow::Range,
        (false, false) => SelectHow::Only,
    }
}

fn paint_background(ui: &Ui, state: &AppState, photo: &Photo, rect: Rect, response: &Response, selected: bool) {
    let palette = palette(ui);
    if selected {
        ui.painter().rect_filled(rect, CORNER, ui.visuals().selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, CORNER, palette.row_hovered);
    }
    if state.library.current == Some(photo.id) {
        let mark =
            Rect::from_min_size(rect.left_top() + vec2(0.0, space::S), vec2(3.0, rect.height() - 2.0 * space::S));
        ui.painter().rect_filled(mark, 1.5, palette.accent);
    }
    if response.has_focus() {
        let stroke = egui::Stroke::new(1.5, palette.accent);
        ui.painter().rect_stroke(rect, CORNER, stroke, egui::StrokeKind::Inside);
    }
}

fn paint_thumbnail(ui: &Ui, photo: &Photo, row: Rect, textures: &mut Textures) {
    let middle = pos2(row.left() + space::S + THUMBNAIL / 2.0, row.center().y);
    let Some(thumbnail) = &photo.thumbnail else {
        let patch = Rect::from_center_size(middle, Vec2::splat(THUMBNAIL));
        ui.painter().rect_filled(patch, CORNER, palette(ui).canvas);
        if photo.failure.is_some() {
            ui.painter().text(middle, Align2::CENTER_CENTER, "!", body(), palette(ui).error);
        }
        return;
    };
    let (width, height) = (thumbnail.size.width as f32, thumbnail.size.height as f32);
    let scale = THUMBNAIL / width.max(height).max(1.0);
    let rect = Rect::from_center_size(middle, vec2(width, height) * scale);
    let texture = textures.get(ui.ctx(), TextureKey::Thumbnail(photo.id), thumbnail);
    let image = egui::epaint::RectShape::filled(rect, 3.0, UNTINTED).with_texture(texture, unit_rect());
    ui.painter().add(image);
}

fn paint_text(ui: &Ui, state: &AppState, photo: &Photo, room: Rect, status: &str, selected: bool) {
    let palette = palette(ui);
    let visuals = ui.visuals();
    let on_row = |color| if selected { visuals.selection.stroke.color } else { color };
    let name = elide_middle(ui, &photo.name, &body(), room.width());
    let status_color = match (photo.status(&state.settings.crop), &photo.export) {
        (PhotoStatus::Failed(_), _) | (_, Some(ExportMark::Failed(_))) => palette.error,
        (_, Some(ExportMark::Written(_))) if !selected => palette.ok,
        _ => on_row(visuals.weak_text_color()),
    };
    let middle = room.center().y;
    let painter = ui.painter();
    painter.text(pos2(room.left(), middle - 1.0), Align2::LEFT_BOTTOM, name, body(), on_row(visuals.text_color()));
    let mut job = LayoutJob::simple_singleline(status.replace('\n', " "), small(), status_color);
    job.wrap = TextWrapping::truncate_at_width(room.width());
    painter.galley(pos2(room.left(), middle + 2.0), painter.layout_job(job), status_color);
}
