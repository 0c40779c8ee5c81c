//! Below the list: ways to add photos.

use egui::{Id, Ui};

use import::parse_pasted_paths;

use super::super::super::command::{Command, Commands};
use super::super::super::dialogs::PickerKind;
use super::super::super::language::{tr, tr_in};
use super::super::super::state::AppState;
use super::super::super::widgets::wide_button;
use super::super::paths::PathField;

/// The labels are shorter than those of the menu in languages that need more space: the two buttons share the list's width.
pub(super) fn buttons_ui(ui: &mut Ui, commands: &mut Commands) {
    ui.columns_const(|[left, right]: &mut [Ui; 2]| {
        for (ui, text, kind) in [
            (left, tr_in("below_list", "Add files…"), PickerKind::Files),
            (right, tr_in("below_list", "Add folder…"), PickerKind::Folder),
        ] {
            let width = ui.available_width();
            if wide_button(ui, true, text, width).clicked() {
                commands.push(Command::Pick(kind));
            }
        }
    });
}

/// Imports typed or pasted paths, one per line.
pub(super) fn path_field_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let id = Id::unique("path-field");
    let mut text: String = ui.data_mut(|data| data.get_temp(id)).unwrap_or_default();
    let field = PathField {
        id: id.with("edit"),
        name: tr("Path to add"),
        hint: tr("Type or paste a path, press Enter"),
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
            commands.push(Command::ShowMessage(tr("This is not the path of a file or folder. Enter the full path.")));
        }
        response.request_focus();
    }
    ui.data_mut(|data| data.insert_temp(id, text));
}
