//! The template of the file names: a field that completes the names of fields, its error, and an example.

use egui::text::{CCursor, CCursorRange};
use egui::{CompletionPopup, CompletionQuery, Id, Label, Popup, RectAlign, RichText, Suggestion, TextEdit, Ui};

use naming::PhotoName;

use super::super::super::command::{Command, Commands, NamesCommand};
use super::super::super::language::{say, tr};
use super::super::super::messages;
use super::super::super::state::AppState;
use super::super::super::theme::{palette, space};
use super::super::super::widgets::{ICON_BUTTON, Icon, failed, field_line, icon_button, labelled};

/// The fields that are offered, besides the columns of the list.
const FIELDS: [&str; 8] =
    ["{name}", "{stem}", "{folder}", "{index:4}", "{face}", "{preset}", "{size}", "{date:%Y-%m-%d}"];

/// Minimum height of the window for the line with an example, in points.
const MIN_HEIGHT: f32 = 480.0;

/// The template, with its error or an example below it.
pub(in super::super) fn template_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let mut spec = state.settings.names.clone();
    let id = Id::unique("name-template");
    let fields = fields(super::headings(state));
    let error = state.names.template_error.as_ref().filter(|error| error.template == spec.template);
    labelled(ui, tr("File name"), |ui| {
        let line = error.map(|_| palette(ui).error);
        let width = ui.available_width() - ICON_BUTTON - 3.0 * space::S;
        ui.scope(|ui| {
            field_line(ui, line);
            let edit = TextEdit::singleline(&mut spec.template).hint_text("{name}").desired_width(width);
            let popup = CompletionPopup::new(id).word_boundary(|c| c == '{').align(RectAlign::BOTTOM_START);
            let shown = popup.show(ui, edit, |query| suggestions(query, &fields));
            shown.text_edit.response.response.accessible_name(tr("Template of the file names"));
        });
        let button = icon_button(ui, true, Icon::Menu, tr("Insert a field"));
        Popup::menu(&button).show(|ui| {
            for (field, about) in &fields {
                if ui.button(field).on_hover_text(*about).clicked() {
                    insert(ui, id, &mut spec.template, field);
                }
            }
        });
    });
    if let Some(error) = error {
        failed(ui, messages::capitalized(&messages::template_error(error)));
    } else if let Some(example) = example(state).filter(|_| ui.ctx().content_rect().height() >= MIN_HEIGHT) {
        let text = RichText::new(say!("Example: {name}", name = example)).weak().small();
        ui.add(Label::new(text).truncate());
    }
    if spec != state.settings.names {
        commands.push(Command::Names(NamesCommand::Set(spec)));
    }
}

/// The name of the crops of the photo on the canvas.
fn example(state: &AppState) -> Option<String> {
    let photo = state.current()?;
    let own = || {
        let place = state.list.library.place(photo.id).map_or(0, |place| place + 1);
        PhotoName { place, ..PhotoName::default() }
    };
    let name = photo.naming.as_ref().map_or_else(own, |naming| naming.name.clone());
    Some(state.crop_name(photo, &name))
}

/// All fields with their descriptions.
fn fields(headings: &[String]) -> Vec<(String, &'static str)> {
    let columns = headings.iter().filter(|heading| may_be_column(heading));
    let columns = columns.map(|heading| (format!("{{column:{heading}}}"), tr("Column of the list")));
    let fixed = FIELDS.iter().map(|field| ((*field).to_owned(), messages::about_field(field).unwrap_or_default()));
    let (first, rest): (Vec<_>, Vec<_>) = fixed.partition(|(field, _)| field == "{name}");
    first.into_iter().chain(columns).chain(rest).collect()
}

/// True for a heading that can be written in a template.
pub(super) fn may_be_column(heading: &str) -> bool {
    !heading.contains(['{', '}', '|'])
}

/// The fields that begin with the text after the last opening brace.
fn suggestions(query: &CompletionQuery<'_>, fields: &[(String, &'static str)]) -> Vec<Suggestion> {
    let before: Vec<char> = query.text.chars().take(query.word_range.start.0).collect();
    // Two braces are a literal one.
    let braces = before.iter().rev().take_while(|c| **c == '{').count();
    if braces % 2 == 0 || query.word.contains('}') {
        return Vec::new();
    }
    let begun = query.word.to_lowercase();
    let closes = query.text.chars().nth(query.word_range.end.0) == Some('}');
    let offered = fields.iter().filter(|(field, _)| field[1..].to_lowercase().starts_with(&begun));
    let suggestion = |(field, about): &(String, &'static str)| {
        let inside = &field[1..field.len() - usize::from(closes)];
        Suggestion::new(inside).content(field.clone()).description(*about)
    };
    offered.map(suggestion).collect()
}

/// Inserts a field at the cursor, and moves the focus to the text.
fn insert(ui: &Ui, id: Id, template: &mut String, field: &str) {
    let mut edit = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
    let length = template.chars().count();
    let at = edit.cursor.char_range().map_or(length, |range| range.primary.index.0.min(length));
    let byte = template.char_indices().nth(at).map_or(template.len(), |(byte, _)| byte);
    template.insert_str(byte, field);
    let end = CCursor::new(egui::text::CharIndex(at + field.chars().count()));
    edit.cursor.set_char_range(Some(CCursorRange::one(end)));
    edit.store(ui.ctx(), id);
    ui.memory_mut(|memory| memory.request_focus(id));
}

/// The column whose values are the first folders of a template.
pub(super) fn folder_column(template: &str) -> Option<&str> {
    let (column, _) = template.strip_prefix("{column:")?.split_once("}/")?;
    may_be_column(column).then_some(column)
}

/// The template with another column for the first folders, or with none.
pub(super) fn with_folder_column(template: &str, column: Option<&str>) -> String {
    let rest = match folder_column(template) {
        Some(_) => template.split_once("}/").map_or(template, |(_, rest)| rest),
        None => template,
    };
    match column {
        // The default template is written out only if something precedes it.
        Some(column) => format!("{{column:{column}}}/{}", if rest.is_empty() { "{name}" } else { rest }),
        None if rest == "{name}" => String::new(),
        None => rest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_of_the_folders_is_set_and_removed() {
        let class = with_folder_column("", Some("Class"));
        assert_eq!(class, "{column:Class}/{name}");
        assert_eq!(folder_column(&class), Some("Class"));
        assert_eq!(with_folder_column(&class, Some("Team A")), "{column:Team A}/{name}");
        assert_eq!(with_folder_column(&class, None), "");
        let other = with_folder_column("{date:%Y}/{stem}_{column:Class}", Some("Class"));
        assert_eq!(other, "{column:Class}/{date:%Y}/{stem}_{column:Class}");
        assert_eq!(with_folder_column(&other, None), "{date:%Y}/{stem}_{column:Class}");
        assert_eq!(folder_column("{column:Class|none}/{name}"), None, "with a default it was written by the user");
        assert_eq!(folder_column("{column:Class}_{stem}/x"), None);
    }

    #[test]
    fn fields_are_suggested_after_a_brace() {
        let fields = fields(&["Class".to_owned(), "a|b".to_owned()]);
        let suggested = |text: &str| -> Vec<String> {
            let start = text.chars().take_while(|_| true).count()
                - text.rsplit('{').next().map_or(0, |word| word.chars().count());
            let word = &text[text.rfind('{').map_or(0, |at| at + 1)..];
            let word_range = egui::text::CharIndex(start)..egui::text::CharIndex(text.chars().count());
            let query = CompletionQuery { text, word, word_range };
            suggestions(&query, &fields).into_iter().map(|suggestion| suggestion.insert).collect()
        };
        assert_eq!(suggested("x_{C"), ["column:Class}"]);
        assert_eq!(suggested("x_{na"), ["name}"]);
        assert_eq!(suggested("{").len(), fields.len());
        assert!(suggested("").is_empty() && suggested("{{").is_empty() && suggested("{name}").is_empty());
    }
}
