//! The command palette: finds actions, settings, presets and photos by a few letters.

use egui::{
    Align2, Area, Context, Frame, Id, Key, Modal, Modifiers, Rect, Response, Role, ScrollArea, Sense, TextEdit, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};

use super::super::actions::keys_shown;
use super::super::command::{Command, Commands};
use super::super::find::{Found, find};
use super::super::input::composing;
use super::super::language::tr;
use super::super::messages;
use super::super::state::AppState;
use super::super::theme::{CORNER, ROW, body, palette, small, space};
use super::super::widgets::{elide_middle, field, note};

/// Inner width of the palette, in points.
const WIDTH: f32 = 520.0;

/// Distance from the window's top, in points.
const TOP: f32 = 64.0;

/// Number of visible rows.
const ROWS: f32 = 11.0;

/// Query and selected row, while the palette is open.
#[derive(Clone, Default)]
struct Typed {
    query: String,
    row: usize,
    /// Widget that had the focus before.
    focus: Option<Id>,
}

fn id() -> Id {
    Id::unique("palette")
}

pub(super) fn palette_ui(ui: &Ui, state: &AppState, commands: &mut Commands) {
    let ctx = ui.ctx();
    let kept: Option<Typed> = ctx.data(|data| data.get_temp::<Option<Typed>>(id())).flatten();
    if !state.dialogs.palette {
        if let Some(typed) = kept {
            close(ctx, &typed);
        }
        give_back_focus(ctx);
        return;
    }
    let new = kept.is_none();
    let mut typed = kept.unwrap_or_else(|| Typed { focus: ctx.memory(egui::Memory::focused), ..Typed::default() });
    // Before the field is drawn: otherwise they would move its cursor.
    let keys = Keys::take(ctx);
    let width = WIDTH.min(ctx.content_rect().width() - 4.0 * space::L);
    let area = area().anchor(Align2::CENTER_TOP, vec2(0.0, TOP));
    let frame = Frame::popup(ui.style()).inner_margin(space::M);
    let modal = Modal::new(id()).area(area).frame(frame).backdrop_color(palette(ui).veil);
    let modal = modal.show(ctx, |ui| {
        ui.set_width(width);
        let search = search_ui(ui, &mut typed, new);
        let found = find(state, &typed.query);
        typed.row = keys.step(typed.row, found.len());
        let picked = rows_ui(ui, state, &found, &typed, keys.moved || new, &search);
        ui.add_space(space::XS);
        if found.is_empty() {
            note(ui, tr("No results."));
        } else {
            note(ui, tr("Up/Down select · Enter run · Esc close"));
        }
        let picked = picked.or((keys.enter && !found.is_empty()).then_some(typed.row));
        picked.and_then(|row| found.get(row)?.command.clone())
    });
    let chosen = modal.inner.clone();
    if matches!(chosen, Some(Command::ShowSetting(_))) {
        // The setting gets the focus.
        typed.focus = None;
    }
    if chosen.is_some() || modal.should_close() {
        close(ctx, &typed);
        commands.push(Command::ShowPalette(false));
        commands.extend(chosen);
    } else {
        ctx.data_mut(|data| data.insert_temp(id(), Some(typed)));
    }
}

fn area() -> Area {
    Modal::default_area(id())
}

/// Clears the query and restores the focus.
fn close(ctx: &Context, typed: &Typed) {
    ctx.data_mut(|data| {
        data.insert_temp(id(), None::<Typed>);
        data.insert_temp(id().with("before"), typed.focus);
    });
    ctx.memory_mut(|memory| memory.surrender_focus(id().with("search")));
    ctx.request_repaint();
}

/// Returns the focus to the previous widget, unless a modal has opened. egui gives no focus to widgets below a modal, and
/// the palette counts as one for one more frame.
fn give_back_focus(ctx: &Context) {
    let key = id().with("before");
    let Some(before) = ctx.data(|data| data.get_temp::<Option<Id>>(key)).flatten() else { return };
    let modal = ctx.memory(egui::Memory::top_modal_layer);
    if modal == Some(area().layer()) {
        ctx.request_repaint();
        return;
    }
    ctx.data_mut(|data| data.remove::<Option<Id>>(key));
    if modal.is_none() {
        ctx.memory_mut(|memory| memory.request_focus(before));
    }
}

/// Keys that the list handles although the field has the focus.
struct Keys {
    by: isize,
    enter: bool,
    moved: bool,
}

impl Keys {
    fn take(ctx: &Context) -> Self {
        if composing(ctx) {
            return Self { by: 0, enter: false, moved: false };
        }
        ctx.input_mut(|input| {
            let mut pressed = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
            let page = ROWS as isize - 1;
            let by = pressed(Key::ArrowDown) - pressed(Key::ArrowUp)
                + page * (pressed(Key::PageDown) - pressed(Key::PageUp));
            Self { by, enter: pressed(Key::Enter) > 0, moved: by != 0 }
        })
    }

    /// The row after these keys, of `rows` in all.
    fn step(&self, row: usize, rows: usize) -> usize {
        let last = rows.saturating_sub(1);
        row.min(last).saturating_add_signed(self.by).min(last)
    }
}

fn search_ui(ui: &mut Ui, typed: &mut Typed, new: bool) -> Response {
    let line = palette(ui).line;
    let hint = tr("Actions, settings, presets and photos");
    let edit = TextEdit::singleline(&mut typed.query).id(id().with("search")).hint_text(hint);
    let response =
        field(ui, edit.desired_width(f32::INFINITY), tr("Find an action, a setting, a preset or a photo"), line);
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_role(Role::SearchInput));
    if new || !response.has_focus() {
        response.request_focus();
    }
    if response.changed() {
        typed.row = 0;
    }
    response
}

/// Draws the results; returns the clicked row.
fn rows_ui(
    ui: &mut Ui,
    state: &AppState,
    found: &[Found],
    typed: &Typed,
    show_chosen: bool,
    search: &Response,
) -> Option<usize> {
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut picked = None;
    let list = UiBuilder::new().id_salt("found").accessibility_role(Role::ListBox);
    ui.scope_builder(list, |ui| {
        ui.ctx().accesskit_node_builder(ui.unique_id(), |node| node.set_label(tr("Search results")));
        let height = ROWS * ROW;
        let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]);
        area.show_rows(ui, ROW, found.len(), |ui, rows| {
            if show_chosen {
                let top = ui.max_rect().top() + (typed.row as f32 - rows.start as f32) * ROW;
                let row = Rect::from_min_size(pos2(ui.max_rect().left(), top), vec2(ui.available_width(), ROW));
                ui.scroll_to_rect(row, None);
            }
            for (row, item) in rows.clone().zip(&found[rows]) {
                let chosen = row == typed.row;
                let response = row_ui(ui, state, item, row, chosen);
                if chosen {
                    // The field keeps the focus; screen readers announce the selected row.
                    let active = response.id.accesskit_id();
                    ui.ctx().accesskit_node_builder(search.id, |node| node.set_active_descendant(active));
                }
                if response.clicked() {
                    picked = Some(row);
                }
            }
        });
    });
    picked
}

fn row_ui(ui: &mut Ui, state: &AppState, item: &Found, row: usize, chosen: bool) -> Response {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let enabled = item.command.is_some();
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, id().with(("row", row)), sense);
    let keys = item.action.and_then(|action| action.keys.first()).map(|key| keys_shown(ui.ctx(), key));
    let on = item.action.and_then(|action| action.is_on).is_some_and(|is_on| is_on(state));
    let right = keys.clone().map_or_else(|| item.about.to_owned(), |keys| format!("{}   {keys}", item.about));
    response.widget_info(|| {
        let name = messages::palette_row(&item.name, item.about, keys.as_deref(), on, enabled);
        WidgetInfo::selected(Role::ListBoxOption, enabled, chosen, name)
    });
    let visuals = ui.visuals();
    let (fill, text) = match (chosen, response.hovered()) {
        (true, _) => (Some(visuals.selection.bg_fill), visuals.selection.stroke.color),
        (false, true) => (Some(palette(ui).row_hovered), visuals.text_color()),
        (false, false) => (None, visuals.text_color()),
    };
    let text = if enabled { text } else { visuals.weak_text_color() };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect, CORNER, fill);
    }
    let inside = rect.shrink2(vec2(space::S, 0.0));
    let weak = if chosen { text } else { ui.visuals().weak_text_color() };
    let taken = ui.painter().text(inside.right_center(), Align2::RIGHT_CENTER, &right, small(), weak).width();
    let shown = if on { format!("✔ {}", item.name) } else { item.name.clone() };
    let name = elide_middle(ui, &shown, &body(), inside.width() - taken - space::L);
    ui.painter().text(inside.left_center(), Align2::LEFT_CENTER, &name, body(), text);
    let response = if name == shown { response } else { response.on_hover_text(&item.name) };
    match item.action.and_then(|action| action.about) {
        Some(about) => response.on_hover_text(tr(about)),
        None => response,
    }
}
