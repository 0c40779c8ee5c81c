//! The field for the name of a photo's crops, in its row: text is the name, or finds a row of the name list.

use egui::text::{CCursor, CCursorRange};
use egui::{
    Button, Context, Id, Key, LayerId, Modifiers, Popup, PopupKind, Rect, RectAlign, ScrollArea, TextEdit, Ui,
    UiBuilder,
};

use batch::worker::ItemId;
use naming::Roster;

use super::super::super::command::{Command, Commands, NameEdit, NamesCommand};
use super::super::super::input::composing;
use super::super::super::language::tr;
use super::super::super::messages;
use super::super::super::state::{AppState, Photo};
use super::super::super::widgets::field_line;

/// Minimum width of the list of rows, in points.
const ROWS_WIDTH: f32 = 280.0;

/// Maximum height of the list of rows, in points.
const ROWS_HEIGHT: f32 = 220.0;

/// The text being typed.
#[derive(Clone)]
struct Typing {
    item: ItemId,
    /// True for the text of its card.
    is_card: bool,
    text: String,
    /// The text at the start.
    initial: String,
    /// Index of the selected row in the list.
    selected: Option<usize>,
}

fn id() -> Id {
    Id::unique("crop-name")
}

/// Draws the field at `place`.
pub(super) fn name_field_ui(ui: &mut Ui, state: &AppState, photo: &Photo, place: Rect, commands: &mut Commands) {
    let is_card = state.names.edits_card;
    let before: Option<Typing> = ui
        .data(|data| data.get_temp(id()))
        .filter(|typing: &Typing| typing.item == photo.id && typing.is_card == is_card);
    let begins = before.is_none();
    let mut typing = before.unwrap_or_else(|| {
        let initial = if is_card { photo.card_text().unwrap_or_default().to_owned() } else { name_of(photo) };
        Typing { item: photo.id, is_card, text: initial.clone(), initial, selected: None }
    });
    let rows = offered(state, &typing);
    let keys = Keys::take(ui, begins, rows.len());
    let mut field = ui.new_child(UiBuilder::new().max_rect(place));
    field_line(&mut field, None);
    let edit = TextEdit::singleline(&mut typing.text).id(id()).desired_width(f32::INFINITY);
    let response = field.add_sized(place.size(), edit).accessible_name(if is_card {
        tr("Text of the card")
    } else {
        tr("Name of the crops")
    });
    if begins {
        response.request_focus();
        select_all(ui.ctx(), &typing.text);
    }
    if response.changed() {
        typing.selected = None;
        if !is_card {
            commands.push(Command::Names(NamesCommand::Search(typing.text.clone())));
        }
    }
    if keys.moved != 0 && !rows.is_empty() {
        typing.selected = moved(typing.selected, keys.moved, rows.len());
    }
    let mut chosen = typing.selected.filter(|_| keys.enter);
    let popup_id = id().with("rows");
    let is_open = !rows.is_empty();
    let clicked = Popup::from_response(&response)
        .id(popup_id)
        .kind(PopupKind::Popup)
        .open(is_open)
        .align(RectAlign::BOTTOM_START)
        .width(place.width().max(ROWS_WIDTH))
        .show(|ui| rows_ui(ui, state, &rows, typing.selected, keys.moved != 0))
        .and_then(|shown| shown.inner);
    chosen = chosen.or(clicked);
    let edit = match (chosen.and_then(|at| rows.get(at)), keys.enter) {
        (Some(row), _) => {
            let key = state.names.roster().and_then(|roster| roster.key_of(*row));
            key.map(|key| NamesCommand::Name(photo.id, NameEdit::Row(key)))
        }
        (None, true) if is_card => {
            let is_changed = typing.text.trim() != typing.initial;
            is_changed.then(|| NamesCommand::Card(photo.id, typing.text.clone()))
        }
        (None, true) => typed(&typing).map(|edit| NamesCommand::Name(photo.id, edit)),
        (None, false) => None,
    };
    let on_rows = is_open && is_pointer_on(ui.ctx(), popup_id);
    let left = response.lost_focus() && !on_rows;
    if response.lost_focus() && on_rows {
        response.request_focus();
    }
    let ends = edit.is_some() || keys.enter || keys.escape || left;
    if let Some(edit) = edit {
        commands.push(Command::Names(edit));
    } else if ends {
        commands.push(Command::Names(NamesCommand::Edit(None)));
    }
    if ends {
        // Without a focused widget, the keys move through the list again.
        response.surrender_focus();
        forget(ui);
    } else {
        ui.data_mut(|data| data.insert_temp(id(), typing));
    }
}

/// True if the field of this photo was drawn.
pub(super) fn is_open(ui: &Ui, item: ItemId) -> bool {
    ui.data(|data| data.get_temp::<Typing>(id())).is_some_and(|typing| typing.item == item)
}

/// Discards the text.
pub(super) fn forget(ui: &Ui) {
    ui.data_mut(|data| data.remove::<Typing>(id()));
}

/// The name to be corrected.
fn name_of(photo: &Photo) -> String {
    let listed = photo.naming.as_ref().and_then(|naming| naming.name.listed.clone());
    let own = || photo.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    photo.edits().name.clone().or(listed).unwrap_or_else(own)
}

/// The rows found for the text; none before it was changed.
fn offered(state: &AppState, typing: &Typing) -> Vec<usize> {
    let search = &state.names.search;
    let is_answer = !search.typed.is_empty() && typing.text != typing.initial && !typing.text.trim().is_empty();
    let found = state.names.roster().filter(|_| is_answer);
    found.map_or_else(Vec::new, |roster| {
        search.rows.iter().copied().filter(|row| *row < roster.table.rows.len()).collect()
    })
}

/// The name that the text stands for; `None` if nothing was changed.
fn typed(typing: &Typing) -> Option<NameEdit> {
    let text = typing.text.trim();
    match text {
        _ if text == typing.initial.trim() => None,
        "" => Some(NameEdit::Reset),
        _ => Some(NameEdit::Typed(text.to_owned())),
    }
}

/// The keys pressed for the field, apart from text.
#[derive(Default)]
struct Keys {
    /// Steps down the list of rows; negative is up.
    moved: isize,
    enter: bool,
    escape: bool,
}

impl Keys {
    /// Takes them from the input before the text field sees them. The key that opened the field is not one of them, nor are
    /// keys for an input method.
    fn take(ui: &Ui, begins: bool, rows: usize) -> Self {
        if begins || composing(ui.ctx()) || !ui.memory(|memory| memory.has_focus(id())) {
            return Self::default();
        }
        ui.input_mut(|input| {
            let mut take = |key| input.consume_key(Modifiers::NONE, key);
            let mut keys = Self { moved: 0, enter: take(Key::Enter), escape: take(Key::Escape) };
            if rows > 0 {
                keys.moved = isize::from(take(Key::ArrowDown)) - isize::from(take(Key::ArrowUp));
            }
            keys
        })
    }
}

/// The selection after a step: the first row follows on none, and none precedes it.
fn moved(selected: Option<usize>, by: isize, rows: usize) -> Option<usize> {
    match selected {
        None if by > 0 => Some(0),
        None => None,
        Some(0) if by < 0 => None,
        Some(at) => Some(at.saturating_add_signed(by).min(rows - 1)),
    }
}

/// The list of rows; returns the index of the one that was clicked.
fn rows_ui(ui: &mut Ui, state: &AppState, rows: &[usize], selected: Option<usize>, scrolls: bool) -> Option<usize> {
    let roster = state.names.roster()?;
    let mut clicked = None;
    ScrollArea::vertical().max_height(ROWS_HEIGHT).show(ui, |ui| {
        for (at, row) in rows.iter().enumerate() {
            let is_selected = selected == Some(at);
            let button = Button::selectable(is_selected, summary(roster, *row)).truncate();
            let response = ui.add(button.min_size(egui::vec2(ui.available_width(), 0.0)));
            if is_selected && scrolls {
                response.scroll_to_me(None);
            }
            if response.clicked() {
                clicked = Some(at);
            }
        }
    });
    clicked
}

fn summary(roster: &Roster, row: usize) -> String {
    roster.table.rows.get(row).map(messages::row_summary).unwrap_or_default()
}

fn select_all(ctx: &Context, text: &str) {
    let mut edit = egui::text_edit::TextEditState::load(ctx, id()).unwrap_or_default();
    let end = CCursor::new(egui::text::CharIndex(text.chars().count()));
    edit.cursor.set_char_range(Some(CCursorRange::two(CCursor::default(), end)));
    edit.store(ctx, id());
}

fn is_pointer_on(ctx: &Context, popup: Id) -> bool {
    let layer = LayerId::new(PopupKind::Popup.order(), popup);
    ctx.pointer_interact_pos().and_then(|at| ctx.layer_id_at(at)) == Some(layer)
}
