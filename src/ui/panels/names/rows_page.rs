//! Page with the rows of the name list without a photo.

use egui::{Align, ScrollArea, Ui};

use super::super::super::language::{integer, tr};
use super::super::super::messages;
use super::super::super::state::AppState;
use super::super::super::theme::ROW;
use super::super::super::widgets::{Cell, Column, note, table_row};
use super::super::page_height::scroll_height;

/// Width of the page, in points.
const WIDTH: f32 = 640.0;

/// Width of the column with row numbers, in points.
const NUMBERS: f32 = 64.0;

/// Maximum number of columns of the list; the others are not shown.
const MAX_COLUMNS: usize = 5;

pub(crate) fn rows_without_photo_ui(ui: &mut Ui, state: &AppState) {
    ui.set_width(WIDTH);
    let (Some(known), Some(roster)) = (&state.names.known, state.names.roster()) else {
        note(ui, tr("There is no name list."));
        return;
    };
    note(ui, tr("No crop is named after these rows: no photo matches them, or several do."));
    let table = &roster.table;
    let shown = table.headings.len().min(MAX_COLUMNS);
    let width = (WIDTH - NUMBERS) / shown.max(1) as f32;
    let column = |width, align| Column { title: "", about: "", width, align };
    let columns: Vec<Column> =
        std::iter::once(column(NUMBERS, Align::Min)).chain((0..shown).map(|_| column(width, Align::Min))).collect();
    let weak = ui.visuals().weak_text_color();
    let headings = std::iter::once(tr("Row").to_owned()).chain(table.headings.iter().take(shown).cloned());
    let headings: Vec<String> = headings.collect();
    let heads = headings.iter().map(|text| Cell { text: text.clone(), color: Some(weak), wider_by: 0 });
    table_row(ui, &columns, &heads.collect::<Vec<_>>(), &messages::listed(&headings));
    let height = scroll_height(ui);
    // The row's own height: `show_rows` adds the spacing.
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show_rows(
        ui,
        ROW,
        known.rows_without_photo.len(),
        |ui, places| {
            for row in known.rows_without_photo[places].iter().filter_map(|row| table.rows.get(*row)) {
                let texts = std::iter::once(integer(row.line)).chain(row.cells.iter().take(shown).cloned());
                let texts: Vec<String> = texts.collect();
                let cells: Vec<Cell> = texts.iter().cloned().map(Cell::from).collect();
                table_row(ui, &columns, &cells, &messages::listed(&texts));
            }
        },
    );
}
