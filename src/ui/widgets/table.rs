//! A table of numbers: narrow columns, one line per row. Screen readers get each row as a sentence.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align, Color32, Id, Rect, Response, Role, Sense, TextFormat, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::super::theme::{ROW, body, small, space};

/// Height of a header with two lines, in points.
const HEAD: f32 = 34.0;

pub(crate) struct Column {
    /// At most two lines.
    pub title: &'static str,
    /// Explanation of its values.
    pub about: &'static str,
    pub width: f32,
    /// Numbers are right-aligned, text left-aligned.
    pub align: Align,
}

/// Content of one column of a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    pub text: String,
    /// `None` for the default text colour.
    pub color: Option<Color32>,
    /// Number of further columns it spans.
    pub wider_by: usize,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// The column titles above a line.
pub(crate) fn table_head(ui: &mut Ui, id: &str, columns: &[Column]) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEAD), Sense::hover());
    let line = ui.visuals().widgets.noninteractive.bg_stroke;
    ui.painter().hline(rect.x_range(), rect.bottom(), line);
    let color = ui.visuals().weak_text_color();
    for (index, (column, place)) in columns.iter().zip(places(rect, columns)).enumerate() {
        let mut job = LayoutJob::simple(column.title.to_owned(), small(), color, f32::INFINITY);
        job.halign = column.align;
        let galley = ui.painter().layout_job(job);
        let at = pos2(edge(place, column.align), rect.bottom() - galley.size().y - space::XS);
        ui.painter().galley(at, galley, color);
        if !column.about.is_empty() {
            let response = ui.interact(place, Id::unique((id, index)), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, column.title.replace('\n', " ")));
            response.on_hover_text(column.about);
        }
    }
}

/// A row; `sentence` is its accessible name. Cells are truncated if they do not fit.
pub(crate) fn table_row(ui: &mut Ui, columns: &[Column], cells: &[Cell], sentence: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, sentence));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let places: Vec<Rect> = places(rect, columns).collect();
    let mut index = 0;
    for cell in cells {
        let (Some(column), Some(first)) = (columns.get(index), places.get(index)) else { break };
        let last = places.get(index + cell.wider_by).unwrap_or(first);
        cell_ui(ui, first.union(*last), column.align, cell);
        index += 1 + cell.wider_by;
    }
    response
}

/// Bounds of column `index` in a row that was drawn at `row`.
pub(crate) fn column_rect(row: Rect, columns: &[Column], index: usize) -> Rect {
    places(row, columns).nth(index).unwrap_or(row)
}

fn places(row: Rect, columns: &[Column]) -> impl Iterator<Item = Rect> {
    columns.iter().scan(row.left(), move |left, column| {
        let place = Rect::from_min_size(pos2(*left, row.top()), Vec2::new(column.width, row.height()));
        *left += column.width;
        Some(place)
    })
}

/// The x coordinate at which text of this alignment begins or ends.
fn edge(place: Rect, align: Align) -> f32 {
    if align == Align::Max { place.right() - space::XS } else { place.left() }
}

fn cell_ui(ui: &Ui, place: Rect, align: Align, cell: &Cell) {
    let color = cell.color.unwrap_or(ui.visuals().text_color());
    let mut job = LayoutJob::single_section(cell.text.clone(), TextFormat::simple(body(), color));
    job.wrap = TextWrapping {
        max_rows: 1,
        break_anywhere: true,
        ..TextWrapping::truncate_at_width(place.width() - space::XS)
    };
    job.halign = align;
    let galley = ui.painter().layout_job(job);
    let at = pos2(edge(place, align), place.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, color);
}
