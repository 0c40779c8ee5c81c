//! Right panel: file options, and at the bottom output folder, format, names and export buttons.

use std::path::{Path, PathBuf};

use egui::{Align, Id, Ui};

use recipe::OnConflict;

use super::super::command::{Command, Commands};
use super::super::dialogs::PickerKind;
use super::super::language::{count, say, tr};
use super::super::messages;
use super::super::state::{AppState, ExportScope};
use super::super::theme::{UNTINTED, body, palette, space};
use super::super::widgets::{
    ICON_BUTTON, Icon, choice, elide_middle, failed, heading, icon_button, labelled, note, primary_button, wide_button,
};
use super::paths::PathField;
use super::{files, names, package, sheet};

/// Options of the files, below the other settings.
pub(super) fn output_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    heading(ui, tr("File options"));
    let policy = state.settings.on_conflict;
    let policies = OnConflict::ALL.map(|policy| (policy, messages::on_conflict(policy), None));
    if let Some(policy) = choice(ui, tr("If the file exists"), Some(policy), messages::on_conflict(policy), policies) {
        commands.push(Command::SetOnConflict(policy));
    }
    files::files_ui(ui, state, commands);
    files::photos_ui(ui, &state.settings, commands);
    sheet::sheet_ui(ui, state, commands);
    package::package_ui(ui, state, commands);
}

/// Folder, format and names of the crops, above the export buttons.
pub(super) fn target_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    folder_ui(ui, state, commands);
    files::format_choice_ui(ui, state, commands);
    names::template_ui(ui, state, commands);
}

fn folder_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let folder = state.settings.output_folder.as_ref();
    let wanted = state.export.folder_wanted;
    labelled(ui, tr("Folder"), |ui| {
        let mut text = folder.map(|folder| folder.display().to_string()).unwrap_or_default();
        let width = ui.available_width() - ICON_BUTTON - 3.0 * space::S;
        let proposed = state.proposed_folder().map(|folder| folder.display().to_string());
        let hint = state.proposed_folder().map(|folder| short_path(ui, folder, width - space::S));
        let field = PathField {
            id: Id::unique("output-folder"),
            name: tr("Output folder"),
            hint: hint.as_deref().unwrap_or(tr("No folder selected")),
            want: PickerKind::OutputFolder.about().want,
            width,
            line: wanted.then_some(palette(ui).error),
        };
        let (response, changed) = field.show(ui, state, &mut text, commands);
        if changed {
            let text = text.trim();
            commands.push(Command::SetOutputFolder((!text.is_empty()).then(|| PathBuf::from(text))));
        }
        if newly_wanted(ui, wanted) {
            response.scroll_to_me(Some(Align::Center));
            response.request_focus();
        }
        match (folder, proposed) {
            (Some(folder), _) => _ = response.on_hover_text(folder.display().to_string()),
            (None, Some(folder)) => {
                _ = response.on_hover_text(say!("Proposed: {folder}. Type a path to choose another.", folder = folder));
            }
            (None, None) => {}
        }
        if icon_button(ui, true, Icon::Folder, tr("Browse…")).clicked() {
            commands.push(Command::Pick(PickerKind::OutputFolder));
        }
    });
    if wanted {
        failed(ui, tr("Enter the full path of the folder"));
    }
}

/// A path in at most `width` points: if it is too long, only its last two folders, or the last one.
fn short_path(ui: &Ui, path: &Path, width: f32) -> String {
    let name = |path: &Path| path.file_name().map(Path::new).map(Path::to_owned);
    let last = name(path).map(|name| Path::new("…").join(name));
    let last_two =
        path.parent().and_then(name).zip(name(path)).map(|(parent, name)| Path::new("…").join(parent).join(name));
    let texts = [Some(path.to_owned()), last_two, last].into_iter().flatten().map(|path| path.display().to_string());
    let fits =
        |text: &String| ui.fonts_mut(|fonts| fonts.layout_no_wrap(text.clone(), body(), UNTINTED)).size().x <= width;
    let texts: Vec<String> = texts.collect();
    let text = texts.iter().find(|text| fits(text)).or(texts.last()).cloned().unwrap_or_default();
    elide_middle(ui, &text, &body(), width)
}

/// True once after an export was requested without a folder.
fn newly_wanted(ui: &Ui, wanted: bool) -> bool {
    let id = Id::unique("output-folder-wanted");
    let before = ui.data(|data| data.get_temp(id)).unwrap_or(false);
    ui.data_mut(|data| data.insert_temp(id, wanted));
    wanted && !before
}

/// The two export buttons, with the number of photos each exports.
pub(super) fn buttons_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let free = !state.exporting();
    let (selected, all) = (state.list.library.selected_to_export(), state.list.library.all_to_export());
    let rows = state.list.library.row_count();
    // Excluded photos are not exported, whether visible or not.
    let hidden = if rows < state.list.library.len() { all.saturating_sub(rows) } else { 0 };
    if hidden > 0 {
        let text = count!(
            hidden,
            "Export all includes {n} photo that is not shown.",
            "Export all includes {n} photos that are not shown."
        );
        note(ui, text);
    }
    let texts = [
        if selected > 0 { say!("Export selected ({n})", n = selected) } else { tr("Export selected").to_owned() },
        if all > 0 { say!("Export all ({n})", n = all) } else { tr("Export all").to_owned() },
    ];
    ui.spacing_mut().button_padding.x = space::XS;
    let mut buttons = |ui: &mut Ui, [left, right]: [f32; 2]| {
        if wide_button(ui, selected > 0 && free, &texts[0], left).clicked() {
            commands.push(Command::Export(ExportScope::Selected));
        }
        if primary_button(ui, all > 0 && free, &texts[1], right).clicked() {
            commands.push(Command::Export(ExportScope::All));
        }
    };
    match shares(ui, state.list.library.len()) {
        Some(widths) => _ = ui.horizontal(|ui| buttons(ui, widths)),
        None => {
            let width = ui.available_width();
            buttons(ui, [width; 2]);
        }
    }
}

/// Widths, in points, of two buttons in a row: equal, unless a label needs more than half. `None` if the labels with
/// `photos` as their numbers do not fit: the places of the buttons follow from the list, not from the selection.
fn shares(ui: &Ui, photos: usize) -> Option<[f32; 2]> {
    let space = ui.available_width() - ui.spacing().item_spacing.x;
    let padding = 2.0 * ui.spacing().button_padding.x + 2.0;
    let texts = [say!("Export selected ({n})", n = photos), say!("Export all ({n})", n = photos)];
    let [left, right] =
        texts.map(|text| padding + ui.fonts_mut(|fonts| fonts.layout_no_wrap(text, body(), UNTINTED)).size().x);
    if left + right > space {
        return None;
    }
    let left = (space / 2.0).max(left).min((space - right).max(space / 2.0));
    Some([left, space - left])
}
