//! A path field with completion, and the page with such a field that replaces a missing dialog.

use std::path::{MAIN_SEPARATOR, PathBuf};

use egui::{CompletionPopup, Id, Key, RectAlign, Response, Suggestion, TextEdit, Ui};

use batch::project::EXTENSION;
use import::{PathKind, PathQuery, parse_pasted_paths};

use super::super::command::{Command, Commands};
use super::super::dialogs::PickerKind;
use super::super::language::tr;
use super::super::state::{AppState, DialogGroup, ListGroup};
use super::super::theme::space;
use super::super::widgets::{field_line, note, primary_button, warned, wide_button};

/// Width of the page, in points.
const WIDTH: f32 = 460.0;

/// Width of a button, in points.
const BUTTON: f32 = 120.0;

/// A text field for a path.
pub(super) struct PathField<'a> {
    pub id: Id,
    /// Its accessible name.
    pub name: &'a str,
    pub hint: &'a str,
    pub want: PathKind,
    pub width: f32,
    /// Colour of its outline; `None` for the default.
    pub line: Option<egui::Color32>,
}

impl PathField<'_> {
    /// Draws the field and requests completions; returns whether the text was changed.
    pub(super) fn show(
        &self,
        ui: &mut Ui,
        state: &AppState,
        text: &mut String,
        commands: &mut Commands,
    ) -> (Response, bool) {
        let offered = offered(&state.dialogs, text);
        let shown = ui.scope(|ui| {
            field_line(ui, self.line);
            let edit = TextEdit::singleline(text).hint_text(self.hint).desired_width(self.width);
            let popup = CompletionPopup::new(self.id)
                .word_boundary(|_| false)
                .accept_keys([Key::Tab])
                .align(RectAlign::BOTTOM_START);
            popup.show(ui, edit, |_| offered.into_iter().map(suggestion).collect())
        });
        let output = shown.inner;
        let response = output.text_edit.response.response.accessible_name(self.name);
        let changed = response.changed() || output.accepted.is_some();
        if changed || response.gained_focus() {
            commands.push(Command::CompletePath(PathQuery { typed: text.clone(), want: self.want }));
        }
        (response, changed)
    }
}

/// Completions of `text`, or of its prefix until the answer arrives.
fn offered(dialogs: &DialogGroup, text: &str) -> Vec<(String, String)> {
    let found = &dialogs.completions.found;
    if found.typed.is_empty() || !text.starts_with(&found.typed) {
        return Vec::new();
    }
    let begun = text.to_lowercase();
    let alike = found.entries.iter().filter(|entry| entry.text.to_lowercase().starts_with(&begun));
    let offered: Vec<(String, String)> = alike.map(|entry| (entry.text.clone(), entry.name.clone())).collect();
    // A completion equal to the text is not offered.
    if offered.len() == 1 && offered[0].0 == text { Vec::new() } else { offered }
}

fn suggestion((insert, name): (String, String)) -> Suggestion {
    // A trailing separator marks a folder.
    let shown = if insert.ends_with(MAIN_SEPARATOR) { format!("{name}{MAIN_SEPARATOR}") } else { name };
    Suggestion::new(insert).content(shown)
}

/// Page for typing a path if no dialog can be shown.
pub(super) fn type_path_ui(ui: &mut Ui, state: &AppState, kind: PickerKind, commands: &mut Commands) {
    let about = kind.about();
    let id = Id::unique("typed-path");
    ui.set_width(WIDTH);
    let kept: Option<(PickerKind, String)> = ui.data(|data| data.get_temp(id));
    let mut text = kept
        .clone()
        .filter(|(kept, _)| *kept == kind)
        .map(|(_, text)| text)
        .unwrap_or_else(|| default_path(&state.list, kind));
    ui.label(tr("No file dialog is available. Type or paste the full path:"));
    let field = PathField {
        id: id.with("edit"),
        name: tr("Path"),
        hint: tr("The full path; Tab completes it"),
        want: about.want,
        width: f32::INFINITY,
        line: None,
    };
    let (response, _) = field.show(ui, state, &mut text, commands);
    if kept.is_none_or(|(kept, _)| kept != kind) {
        response.request_focus();
    }
    let path = absolute_path(&text, about.extension);
    match (&path, text.trim().is_empty()) {
        (None, false) => _ = warned(ui, tr("Enter a full path.")),
        (Some(path), _) => _ = note(ui, path.display().to_string()),
        (None, true) => _ = note(ui, tr("~/ is your home folder")),
    }
    ui.add_space(space::XS);
    let enter = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    ui.horizontal(|ui| {
        let taken = primary_button(ui, path.is_some(), tr(about.take), BUTTON).clicked();
        if let Some(path) = path.filter(|_| taken || enter) {
            commands.push(Command::EnterPath(kind, path));
            text.clear();
        } else if enter {
            response.request_focus();
        }
        if wide_button(ui, true, tr("Cancel"), BUTTON).clicked() {
            commands.push(Command::ClosePage);
        }
    });
    ui.data_mut(|data| data.insert_temp(id, (kind, text)));
}

/// The typed path; a file to be written gets the extension if missing.
fn absolute_path(text: &str, extension: Option<&str>) -> Option<PathBuf> {
    let mut path = parse_pasted_paths(text).into_iter().next()?;
    if let Some(extension) = extension
        && path.extension().is_none()
    {
        path.set_extension(extension);
    }
    Some(path)
}

/// Title of the page.
pub(super) fn title(kind: PickerKind) -> &'static str {
    tr(kind.about().title)
}

/// Suggested path for a file to be saved: beside the first photo.
fn default_path(list: &ListGroup, kind: PickerKind) -> String {
    let folder = list.library.photos().first().and_then(|photo| photo.path.parent());
    match (kind, folder) {
        (PickerKind::SaveProject, Some(folder)) => folder.join(format!("photos.{EXTENSION}")).display().to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_must_be_absolute_and_gets_its_extension() {
        let folder = std::env::temp_dir();
        let typed = folder.join("table").display().to_string();
        assert_eq!(absolute_path(&typed, Some("csv")), Some(folder.join("table.csv")));
        assert_eq!(absolute_path(&format!("\"{typed}.txt\""), Some("csv")), Some(folder.join("table.txt")));
        assert_eq!(absolute_path(&typed, None), Some(folder.join("table")));
        assert_eq!(absolute_path("table", Some("csv")), None);
    }
}
