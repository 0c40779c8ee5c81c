//! Left panel: the photos as a list, or their crops as a contact sheet, with filters above.

mod add;
mod grid;
mod head;
mod item;
mod name_field;
mod rows;

use egui::style::ScrollAnimation;
use egui::{Id, Panel, Rect, ScrollArea, Ui, pos2, vec2};

use batch::worker::ItemId;

use super::super::command::{Command, Commands, NamesCommand};
use super::super::language::tr;
use super::super::state::{AppState, Filter, ListGroup, Showing};
use super::super::textures::Textures;
use super::super::theme::space;
use super::super::widgets::{note, photos};

/// Gap between rows, in points.
const GAP: f32 = 2.0;

/// Layout of the photos.
#[derive(Clone, Copy)]
struct Layout {
    columns: usize,
    row_height: f32,
}

pub(super) fn library_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    Panel::bottom("add").frame(egui::Frame::NONE).show_separator_line(false).show(ui, |ui| {
        ui.add_space(space::S);
        if !state.list.library.is_empty() {
            add::buttons_ui(ui, commands);
        }
        add::path_field_ui(ui, state, commands);
    });
    head::head_ui(ui, state, commands);
    if state.list.library.row_count() == 0 && !state.list.library.is_empty() {
        nothing_shown_ui(ui, commands);
        note_showing(&state.list, Showing::default(), commands);
        return;
    }
    photos_ui(ui, state, textures, commands);
}

fn photos_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    let list = &state.list.library;
    let layout = match state.settings.window.grid {
        true => grid::layout(state, ui.available_width()),
        false => Layout { columns: 1, row_height: rows::height(state) },
    };
    if state.settings.window.grid {
        commands.extend(grid::zoomed(ui, state, ui.available_rect_before_wrap()));
    }
    ui.spacing_mut().item_spacing = vec2(GAP, GAP);
    let name = if state.settings.window.grid { tr("Contact sheet") } else { tr("List of photos") };
    photos(ui, name, list.row_count(), |ui| rows_ui(ui, state, layout, textures, commands));
}

fn rows_ui(ui: &mut Ui, state: &AppState, layout: Layout, textures: &mut Textures, commands: &mut Commands) {
    let list = &state.list.library;
    let count = list.row_count().div_ceil(layout.columns);
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, layout.row_height, count, |ui, rows| {
        let (left, top, width) = (ui.max_rect().left(), ui.max_rect().top(), ui.available_width());
        let step = layout.row_height + GAP;
        if let Some(place) = newly_current(ui, state, layout) {
            let y = top + ((place / layout.columns) as f32 - rows.start as f32) * step;
            let row = Rect::from_min_size(pos2(left, y), vec2(width, layout.row_height));
            let sight = ui.clip_rect().y_range();
            if !sight.contains(row.top() + 1.0) || !sight.contains(row.bottom() - 1.0) {
                // At once: a movement that the next key interrupts could end elsewhere.
                ui.scroll_to_rect_animation(row, None, ScrollAnimation::none());
                ui.ctx().request_repaint();
            }
        }
        let fit = (ui.clip_rect().height() / step).floor().max(1.0) as usize;
        let shown = rows.start * layout.columns..(rows.end * layout.columns).min(list.row_count());
        let items = shown.filter_map(|row| list.row(row));
        if state.settings.window.grid {
            grid::cells_ui(ui, state, items.clone(), layout, textures, commands);
        } else {
            items.clone().for_each(|photo| rows::row_ui(ui, state, photo, textures, commands));
        }
        let items: Vec<ItemId> = items.map(|photo| photo.id).collect();
        if state.names.editing.is_some_and(|item| !items.contains(&item) && name_field::is_open(ui, item)) {
            // Its row was scrolled away or filtered out.
            name_field::forget(ui);
            commands.push(Command::Names(NamesCommand::Edit(None)));
        }
        note_showing(&state.list, Showing { items, columns: layout.columns, rows: fit }, commands);
    });
}

fn note_showing(list: &ListGroup, showing: Showing, commands: &mut Commands) {
    if *list.library.showing() != showing {
        commands.push(Command::NoteShowing(showing));
    }
}

fn nothing_shown_ui(ui: &mut Ui, commands: &mut Commands) {
    ui.add_space(space::L);
    note(ui, tr("No photos match."));
    if ui.button(tr("Clear filters")).clicked() {
        commands.push(Command::SetFilter(Filter::default()));
    }
}

/// Passes in which the list is scrolled to a row: the first may have another layout. Every other one of them: egui draws one more
/// pass at the old place, and would add the distance from there again.
const SCROLL_PASSES: u8 = 4;

/// Row of the photo on the canvas, for some passes after it or the layout has changed, or when its name is going to be typed.
fn newly_current(ui: &Ui, state: &AppState, layout: Layout) -> Option<usize> {
    let list = &state.list;
    let id = Id::unique("library-scrolled-to");
    let last: Option<((ItemId, usize, bool), u8)> = ui.data(|data| data.get_temp(id)).flatten();
    let now = list.library.current.map(|current| (current, layout.columns, state.names.editing.is_some()));
    let passes = now.map(|now| last.filter(|(last, _)| *last == now).map_or(0, |(_, passes)| passes));
    ui.data_mut(|data| data.insert_temp(id, now.zip(passes.map(|passes| passes.saturating_add(1).min(SCROLL_PASSES)))));
    let is_due = |passes: u8| passes < SCROLL_PASSES && passes.is_multiple_of(2);
    let (current, ..) = now.filter(|_| passes.is_some_and(is_due))?;
    list.library.row_of(current)
}
