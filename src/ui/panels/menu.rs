//! The menu bar.

use egui::{Button, KeyboardShortcut, MenuBar, Ui};

use super::super::command::{Command, Commands};
use super::super::dialogs::PickerKind;
use super::super::input;
use super::super::state::{AppState, CanvasView, ExportScope, Page};
use super::super::widgets::tick;
use crate::settings::ThemeChoice;

pub(super) fn menu_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| file_ui(ui, state, commands));
        ui.menu_button("View", |ui| view_ui(ui, state, commands));
        ui.menu_button("Help", |ui| {
            item(ui, true, "Keyboard shortcuts", None, commands, Command::OpenPage(Page::Shortcuts));
            item(ui, true, "Messages", None, commands, Command::OpenPage(Page::Messages));
            item(ui, true, "About Iron Cropper", None, commands, Command::OpenPage(Page::About));
        });
    });
}

fn file_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let any = !state.library.is_empty();
    let selected = state.library.selected_count() > 0;
    let free = !state.exporting();
    item(ui, true, "Add files…", Some(input::ADD_FILES), commands, Command::Pick(PickerKind::Files));
    item(ui, true, "Add folder…", Some(input::ADD_FOLDER), commands, Command::Pick(PickerKind::Folder));
    item(ui, any, "Select all", Some(input::SELECT_ALL), commands, Command::SelectAll);
    item(ui, selected, "Remove from list", Some(input::REMOVE), commands, Command::RemoveSelected);
    ui.separator();
    item(ui, true, "Choose output folder…", None, commands, Command::Pick(PickerKind::OutputFolder));
    let export = |scope| Command::Export(scope);
    item(
        ui,
        selected && free,
        "Export selected",
        Some(input::EXPORT_SELECTED),
        commands,
        export(ExportScope::Selected),
    );
    item(ui, any && free, "Export all", Some(input::EXPORT_ALL), commands, export(ExportScope::All));
    ui.separator();
    item(ui, true, "Quit", Some(input::QUIT), commands, Command::Quit);
}

fn view_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let shown = state.current().is_some_and(|photo| photo.info.is_some());
    let window = state.settings.window;
    item(ui, shown, "Fit", Some(input::FIT), commands, Command::SetView(CanvasView::Fit));
    if let Some(command) = input::actual_size(state) {
        item(ui, true, "100 %", Some(input::ACTUAL_SIZE), commands, command);
    }
    type Toggle = (bool, &'static str, KeyboardShortcut, fn(bool) -> Command);
    let toggles: [Toggle; 2] = [
        (window.show_faces, "Show faces", input::SHOW_FACES, Command::SetShowFaces),
        (window.show_head_lines, "Show head lines", input::SHOW_HEAD_LINES, Command::SetShowHeadLines),
    ];
    for (mut shown, text, shortcut, command) in toggles {
        let shortcut = ui.ctx().format_shortcut(&shortcut);
        if tick(ui, true, &mut shown, text).on_hover_text(format!("Key {shortcut}")).changed() {
            commands.push(command(shown));
            ui.close();
        }
    }
    ui.separator();
    let (shown, text) = (!state.compare.shown, if state.compare.shown { "Show the photo" } else { "Compare runtimes" });
    item(ui, true, text, Some(input::COMPARE), commands, Command::ShowCompare(shown));
    item(ui, true, "Runtimes…", None, commands, Command::OpenPage(Page::Runtimes));
    item(ui, true, "Model…", None, commands, Command::OpenPage(Page::Model));
    ui.separator();
    for (theme, name) in [
        (ThemeChoice::System, "Theme: as the system"),
        (ThemeChoice::Light, "Theme: light"),
        (ThemeChoice::Dark, "Theme: dark"),
    ] {
        if ui.radio(window.theme == theme, name).clicked() {
            commands.push(Command::SetTheme(theme));
            ui.close();
        }
    }
}

fn item(
    ui: &mut Ui,
    enabled: bool,
    text: &str,
    shortcut: Option<KeyboardShortcut>,
    commands: &mut Commands,
    command: Command,
) {
    let mut button = Button::new(text);
    if let Some(shortcut) = shortcut {
        button = button.shortcut_text(ui.ctx().format_shortcut(&shortcut));
    }
    if ui.add_enabled(enabled, button).clicked() {
        commands.push(command);
        ui.close();
    }
}
