//! Keys, pasted text and dropped files -> commands.

use egui::{Context, Event, Key, KeyboardShortcut, Modifiers};

use super::command::{Command, Commands};
use super::dialogs::PickerKind;
use super::state::{AppState, CanvasView, ExportScope};
use crate::import::parse_pasted_paths;

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

pub(crate) const ADD_FILES: KeyboardShortcut = KeyboardShortcut::new(CTRL, Key::O);
pub(crate) const ADD_FOLDER: KeyboardShortcut = KeyboardShortcut::new(CTRL_SHIFT, Key::O);
pub(crate) const EXPORT_SELECTED: KeyboardShortcut = KeyboardShortcut::new(CTRL, Key::E);
pub(crate) const EXPORT_ALL: KeyboardShortcut = KeyboardShortcut::new(CTRL_SHIFT, Key::E);
pub(crate) const SELECT_ALL: KeyboardShortcut = KeyboardShortcut::new(CTRL, Key::A);
pub(crate) const REMOVE: KeyboardShortcut = KeyboardShortcut::new(Modifiers::NONE, Key::Delete);
pub(crate) const COMPARE: KeyboardShortcut = KeyboardShortcut::new(CTRL_SHIFT, Key::C);
pub(crate) const QUIT: KeyboardShortcut = KeyboardShortcut::new(CTRL, Key::Q);
pub(crate) const FIT: KeyboardShortcut = KeyboardShortcut::new(Modifiers::NONE, Key::F);
pub(crate) const ACTUAL_SIZE: KeyboardShortcut = KeyboardShortcut::new(Modifiers::NONE, Key::Num1);
pub(crate) const SHOW_FACES: KeyboardShortcut = KeyboardShortcut::new(Modifiers::NONE, Key::B);
pub(crate) const SHOW_HEAD_LINES: KeyboardShortcut = KeyboardShortcut::new(Modifiers::NONE, Key::H);
pub(crate) const PREVIOUS: KeyboardShortcut = KeyboardShortcut::new(Modifiers::NONE, Key::ArrowUp);
pub(crate) const NEXT: KeyboardShortcut = KeyboardShortcut::new(Modifiers::NONE, Key::ArrowDown);

/// Every shortcut with what it does, in the order they are explained.
pub(crate) const EXPLAINED: [(KeyboardShortcut, &str); 14] = [
    (ADD_FILES, "Add files"),
    (ADD_FOLDER, "Add a folder"),
    (SELECT_ALL, "Select every photo"),
    (PREVIOUS, "Previous photo"),
    (NEXT, "Next photo"),
    (REMOVE, "Take the selected photos off the list"),
    (FIT, "Fit the photo"),
    (ACTUAL_SIZE, "Show the photo at 100 %"),
    (SHOW_FACES, "Show or hide the faces"),
    (SHOW_HEAD_LINES, "Show or hide the lines of the heads"),
    (EXPORT_SELECTED, "Export the selected photos"),
    (EXPORT_ALL, "Export every photo"),
    (COMPARE, "Compare runtimes, or go back to the photo"),
    (QUIT, "Quit"),
];

/// Collects what was dropped, pasted and pressed since the last pass. While a text field has the focus, keys and pasted
/// text are its own.
pub(crate) fn collect_input(ctx: &Context, state: &AppState, commands: &mut Commands) {
    let dropped: Vec<_> =
        ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect());
    if !dropped.is_empty() {
        commands.push(Command::Import(dropped));
    }
    if ctx.text_edit_focused() {
        return;
    }
    for text in pasted(ctx) {
        let paths = parse_pasted_paths(&text);
        if !paths.is_empty() {
            commands.push(Command::Import(paths));
        }
    }
    collect_keys(ctx, state, commands);
}

/// True while files are held over the window.
pub(crate) fn files_hover(ctx: &Context) -> bool {
    ctx.input(|input| !input.raw.hovered_files.is_empty())
}

fn pasted(ctx: &Context) -> Vec<String> {
    ctx.input(|input| {
        input
            .events
            .iter()
            .filter_map(|event| if let Event::Paste(text) = event { Some(text.clone()) } else { None })
            .collect()
    })
}

fn collect_keys(ctx: &Context, state: &AppState, commands: &mut Commands) {
    let window = state.settings.window;
    let keys: [(KeyboardShortcut, Command); 11] = [
        // The longer of two alike comes first: the shorter one would answer for both.
        (ADD_FOLDER, Command::Pick(PickerKind::Folder)),
        (ADD_FILES, Command::Pick(PickerKind::Files)),
        (EXPORT_ALL, Command::Export(ExportScope::All)),
        (EXPORT_SELECTED, Command::Export(ExportScope::Selected)),
        (SELECT_ALL, Command::SelectAll),
        (REMOVE, Command::RemoveSelected),
        (COMPARE, Command::ShowCompare(!state.compare.shown)),
        (QUIT, Command::Quit),
        (FIT, Command::SetView(CanvasView::Fit)),
        (SHOW_FACES, Command::SetShowFaces(!window.show_faces)),
        (SHOW_HEAD_LINES, Command::SetShowHeadLines(!window.show_head_lines)),
    ];
    ctx.input_mut(|input| {
        for (shortcut, command) in keys {
            if input.consume_shortcut(&shortcut) {
                commands.push(command);
            }
        }
        if input.consume_shortcut(&ACTUAL_SIZE) {
            commands.extend(actual_size(state));
        }
    });
    // Arrows move the selection unless a control has the focus: there they change its value.
    if ctx.memory(egui::Memory::focused).is_none() {
        for (shortcut, places) in [(PREVIOUS, -1), (NEXT, 1)] {
            if ctx.input_mut(|input| input.consume_shortcut(&shortcut)) {
                commands.push(Command::SelectBy(places));
            }
        }
    }
}

/// 100 %, with the middle of the photo, or of what is seen of it now, in the middle.
pub(crate) fn actual_size(state: &AppState) -> Option<Command> {
    let picture = state.current()?.info.as_ref()?.size;
    let (_, center) = state.view.resolve(picture, 1.0, 1.0);
    Some(Command::SetView(CanvasView::Free { scale: 1.0, center }))
}
